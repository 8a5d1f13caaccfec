// SPDX-License-Identifier: GPL-3.0-or-later

import CLinphone
import CSIPShims
import SIPMessages

/// A subscription of an account to an event (RFC 6665), which liblinphone renews.
struct EventSubscription {
    /// The subscription of liblinphone; nil if there is none.
    private(set) var handle: OpaquePointer?
    /// Its Call-ID, which no stranger knows; nil if there is none.
    private(set) var callID: String?
    /// The time of the next attempt, or of a request for all; nil if neither is due.
    private(set) var retryAt: Instant?
    private let event, accepted: String
    private var wasAccepted = false
    /// Whether the registrar does not want to be asked again in this registration.
    private var isRefused = false
    private var backoff = Backoff()

    /// - Parameters:
    ///   - event: The name of the event.
    ///   - accepted: The type of the bodies that tell of it.
    init(_ event: String, accepting accepted: String) { (self.event, self.accepted) = (event, accepted) }

    /// Subscribes anew, because the account has been registered.
    mutating func begin(to resource: OpaquePointer, for account: Account, of accounts: Accounts) {
        end(for: account, of: accounts)
        (isRefused, backoff) = (false, Backoff())
        subscribe(to: resource, for: account, of: accounts)
    }

    /// Subscribes again, or asks for all, if it is time to; returns whether it has subscribed again.
    mutating func retry(to resource: OpaquePointer, for account: Account, of accounts: Accounts) -> Bool {
        guard let time = retryAt, time <= Instant.now else { return false }
        if let handle {
            retryAt = nil
            linphone_event_refresh_subscribe(handle)
            return false
        }
        subscribe(to: resource, for: account, of: accounts)
        return true
    }

    /// Ends the subscription, and tells the registrar, if need be later.
    mutating func end(for account: Account, of accounts: Accounts) {
        retryAt = nil
        let callID = callID
        guard let handle = take() else { return }
        accounts.endings.end(EndingSubscription(handle, callID: callID, account: account))
    }

    /// Asks the registrar soon for all that it has to say, because something did not arrive.
    mutating func askForAll() {
        if handle != nil, retryAt == nil { retryAt = Instant.now.advanced(by: backoff.next()) }
    }

    /// Notes that the registrar wants no other subscription, with the reason in the state that it has named (RFC 6665,
    /// section 4.2.2).
    mutating func note(state: String) {
        let parts = state.lowercased().split { "; \t".contains($0) }
        guard parts.first == "terminated" else { return }
        if parts.contains("reason=rejected") || parts.contains("reason=noresource") { isRefused = true }
    }

    /// Handles a change that liblinphone reported; returns whether the subscription has ended.
    @discardableResult
    mutating func handle(_ state: LinphoneSubscriptionState) -> Bool {
        switch state {
        case LinphoneSubscriptionActive, LinphoneSubscriptionPending: wasAccepted = true
        case LinphoneSubscriptionError, LinphoneSubscriptionTerminated:
            if let handle = take() { linphone_event_unref(handle) }
            // One that has never been accepted was refused.
            retryAt = wasAccepted && !isRefused ? Instant.now.advanced(by: backoff.next()) : nil
            return true
        default: break
        }
        return false
    }

    private mutating func take() -> OpaquePointer? {
        defer { (handle, callID) = (nil, nil) }
        return handle
    }

    private mutating func subscribe(to resource: OpaquePointer, for account: Account, of accounts: Accounts) {
        (retryAt, wasAccepted) = (nil, false)
        guard !isRefused,
            let event = linphone_core_create_subscribe(
                accounts.core, resource, event, CInt(clamping: account.settings.expiry))
        else { return }
        // liblinphone's own reference ends with the subscription.
        linphone_event_ref(event)
        handle = event
        linphone_event_add_custom_header(event, "Accept", accepted)
        accounts.lastCallID = nil
        linphone_event_send_subscribe(event, nil)
        // A request that could not be sent has ended it.
        if handle != nil { callID = accounts.lastCallID }
    }
}
