// SPDX-License-Identifier: GPL-3.0-or-later

import CLinphone
import CSIPShims
import SIPMessages

/// The subscription to the summary of an account's mailbox (RFC 3842, section 3), which liblinphone renews.
struct MailboxSubscription {
    /// The subscription of liblinphone; nil if there is none.
    private(set) var handle: OpaquePointer?
    /// The time of the next attempt; nil if none is due.
    private(set) var retryAt: Instant?
    /// The mailbox as the registrar has said it last.
    var mailbox: SIPMailbox?
    private var wasAccepted = false
    /// Whether the registrar does not want to be asked again in this registration.
    private var isRefused = false
    private var backoff = Backoff()

    /// Subscribes anew, because the account has been registered.
    mutating func begin(for account: Account, core: OpaquePointer) {
        end()
        (isRefused, backoff) = (false, Backoff())
        subscribe(for: account, core: core)
    }

    /// Subscribes again if it is time to.
    mutating func retry(for account: Account, core: OpaquePointer) {
        guard let time = retryAt, time <= Instant.now else { return }
        subscribe(for: account, core: core)
    }

    /// Ends the subscription, and tells the registrar.
    mutating func end() {
        retryAt = nil
        guard let handle = take() else { return }
        linphone_event_terminate(handle)
        linphone_event_unref(handle)
    }

    /// Notes that the registrar wants no other subscription, with the reason in the state that it has named (RFC 6665,
    /// section 4.2.2).
    mutating func note(state: String) {
        let parts = state.lowercased().split { "; \t".contains($0) }
        guard parts.first == "terminated" else { return }
        if parts.contains("reason=rejected") || parts.contains("reason=noresource") { isRefused = true }
    }

    /// Handles a change that liblinphone reported.
    mutating func handle(_ state: LinphoneSubscriptionState) {
        switch state {
        case LinphoneSubscriptionActive, LinphoneSubscriptionPending: wasAccepted = true
        case LinphoneSubscriptionError, LinphoneSubscriptionTerminated:
            if let handle = take() { linphone_event_unref(handle) }
            // One that has never been accepted was refused.
            if wasAccepted, !isRefused { retryAt = Instant.now.advanced(by: backoff.next()) }
        default: break
        }
    }

    private mutating func take() -> OpaquePointer? {
        defer { handle = nil }
        return handle
    }

    private mutating func subscribe(for account: Account, core: OpaquePointer) {
        (retryAt, wasAccepted) = (nil, false)
        guard !isRefused,
            let own = linphone_account_params_get_identity_address(
                linphone_account_get_params(account.handle)),
            let mailbox = linphone_address_clone(own)
        else { return }
        defer { linphone_address_unref(mailbox) }
        guard
            let event = linphone_core_create_subscribe(
                core, mailbox, "message-summary", CInt(clamping: account.settings.expiry))
        else { return }
        // liblinphone's own reference ends with the subscription.
        linphone_event_ref(event)
        handle = event
        linphone_event_add_custom_header(event, "Accept", "application/simple-message-summary")
        linphone_event_send_subscribe(event, nil)
    }
}
