// SPDX-License-Identifier: GPL-3.0-or-later

import CLinphone
import CSIPShims
import SIPMessages

// The mailboxes of the accounts, of which registrars send summaries (RFC 3842), whether or not they take subscriptions.
extension Accounts {
    /// Takes the summaries of registrars from now on.
    func beginMailboxWatch() {
        sipshims_watch_summaries(
            { context, summary in
                guard let context, let summary = summary?.pointee else { return 500 }
                return Unmanaged<Accounts>.fromOpaque(context).takeUnretainedValue().take(summary)
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    func subscribe(_ account: Account) {
        guard let mailbox = account.identity else { return }
        asking(of: account) { account.subscription.begin(to: mailbox, for: account, of: self) }
    }

    func retrySubscription(of account: Account) {
        guard account.subscription.retryAt != nil, account.state == .registered,
            let mailbox = account.identity
        else { return }
        asking(of: account) { _ = account.subscription.retry(to: mailbox, for: account, of: self) }
    }

    func unsubscribe(_ account: Account) {
        asking(of: account) { account.subscription.end(for: account, of: self) }
    }

    /// Tells registrars of subscriptions that have waited for that; the core must not be at work.
    func endSubscriptions() {
        for ending in endings.takeReady() {
            asking(of: ending.account) { EndingSubscriptions.terminate(ending) }
        }
    }

    /// Handles a change of a subscription that liblinphone reported.
    func handle(_ state: LinphoneSubscriptionState, ofSubscription event: OpaquePointer) {
        if endings.handle(state, of: event) { return }
        if let account = all.first(where: { $0.subscription.handle == event }) {
            account.subscription.handle(state)
        } else {
            handle(state, ofWatch: event)
        }
    }

    /// Changes the subscriptions of an account, with which liblinphone sends requests.
    func asking(of account: Account, _ change: () -> Void) {
        guard !account.isLoopback else { return }
        take(account)
        defer { releaseTaken() }
        change()
    }

    /// Reports the mailbox in a summary; returns the status of the response.
    private func take(_ summary: sipshims_summary) -> CInt {
        guard let account = addressee(of: String(cString: summary.to)) else { return 404 }
        account.subscription.note(state: String(cString: summary.state))
        // The first one of a subscription may say nothing yet, and the last one nothing more (RFC 6665, section 4.1.2.1).
        guard summary.size > 0 else { return 200 }
        let bytes = UnsafeRawBufferPointer(start: summary.body, count: summary.size)
        guard let mailbox = SIPMailbox(summary: bytes) else { return 400 }
        guard mailbox != account.mailbox else { return 200 }
        account.mailbox = mailbox
        send(.mailbox(account: account.settings.id, mailbox))
        return 200
    }

    /// Returns the account to which a summary is addressed: by its address, or by its user if no other has that, because some
    /// servers name the address of the phone.
    private func addressee(of field: String) -> Account? {
        guard let to = AssertedIdentities.from(field) else { return nil }
        // Some servers send one at once with the answer to the registration, which is not handled yet.
        let accounts = all.filter { !$0.isLoopback }
        if let account = accounts.first(where: {
            $0.settings.address.lowercased() == to.address.lowercased()
        }) {
            return account
        }
        let ofUser = accounts.filter { $0.route.user.lowercased() == to.user.lowercased() }
        return ofUser.count == 1 ? ofUser.first : nil
    }
}
