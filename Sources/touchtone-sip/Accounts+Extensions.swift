// SPDX-License-Identifier: GPL-3.0-or-later

import CLinphone
import CSIPShims
import DialogInfo
import SIPMessages

// The extensions that accounts watch, whose calls registrars tell (RFC 4235) to those who have subscribed.
extension Accounts {
    /// Takes what registrars tell from now on.
    func beginDialogWatch() {
        sipshims_watch_dialogs(
            { context, dialogs in
                guard let context, let dialogs = dialogs?.pointee else { return 500 }
                return Unmanaged<Accounts>.fromOpaque(context).takeUnretainedValue().take(dialogs)
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Watches these extensions of an account, and no others.
    func watch(_ addresses: [String], of id: String) {
        guard let account = account(id), !account.isLoopback else { return }
        var wanted: [String] = []
        for address in addresses where !wanted.contains(address) { wanted.append(address) }
        wanted = Array(wanted.prefix(SIPExtension.maximumWatched))
        let ending = account.watches.filter { !wanted.contains($0.address) }
        account.watches.removeAll { !wanted.contains($0.address) }
        asking(of: account) { for watch in ending { watch.subscription.end(for: account, of: self) } }
        for address in wanted where !account.watches.contains(where: { $0.address == address }) {
            // An address that liblinphone does not read is not watched, nor a secure one that would be sent in the open.
            guard let watch = ExtensionWatch(address), account.canReach(watch.resource) else { continue }
            account.watches.append(watch)
            if account.state == .registered { begin(watch, of: account) }
        }
    }

    /// Subscribes anew to all extensions of an account, because it has been registered.
    func beginWatches(of account: Account) { for watch in account.watches { begin(watch, of: account) } }

    func retryWatches(of account: Account) {
        guard account.state == .registered else { return }
        for watch in account.watches where watch.subscription.retryAt != nil {
            subscribe(watch, of: account) {
                watch.subscription.retry(to: watch.resource, for: account, of: self)
            }
        }
    }

    func unwatch(_ account: Account) {
        asking(of: account) {
            for watch in account.watches { watch.subscription.end(for: account, of: self) }
        }
    }

    /// Handles a change of a subscription to an extension that liblinphone reported.
    func handle(_ state: LinphoneSubscriptionState, ofWatch event: OpaquePointer) {
        for account in all {
            guard let watch = account.watches.first(where: { $0.subscription.handle == event }) else {
                continue
            }
            guard watch.subscription.handle(state) else { return }
            // Nobody would tell of a change.
            watch.table = DialogTable(of: watch.address)
            return report(watch, of: account)
        }
    }

    /// Returns what picks up the call that rings at an extension; nil if none can be picked up.
    func pickUpTarget(at address: String, of account: Account) -> (replaces: String, address: String)? {
        account.watches.first { $0.address == address }?.target
    }

    private func begin(_ watch: ExtensionWatch, of account: Account) {
        subscribe(watch, of: account) {
            watch.subscription.begin(to: watch.resource, for: account, of: self)
            return true
        }
    }

    /// Sends a request of a subscription, and forgets what is known if it is a new one.
    private func subscribe(_ watch: ExtensionWatch, of account: Account, _ send: () -> Bool) {
        asking(of: account) { if send() { watch.table.clear() } }
        report(watch, of: account)
    }

    private func report(_ watch: ExtensionWatch, of account: Account) {
        let present = watch.present
        guard present != watch.reported else { return }
        watch.reported = present
        send(.extension(account: account.settings.id, address: watch.address, present))
    }

    /// Reads the dialogs of an extension; returns the status of the response.
    ///
    /// Within a callback of liblinphone, nothing of its own may change here.
    private func take(_ dialogs: sipshims_dialogs) -> CInt {
        let call = String(cString: dialogs.call)
        guard
            let account = all.first(where: { $0.watches.contains { $0.subscription.callID == call } }),
            let watch = account.watches.first(where: { $0.subscription.callID == call })
        else { return 481 }
        let state = String(cString: dialogs.state)
        watch.subscription.note(state: state)
        defer { report(watch, of: account) }
        guard dialogs.size > 0 else {
            // A server that may not tell yet says nothing, either (RFC 6665, section 4.1.3).
            if state.lowercased().hasPrefix("active") { watch.table.noteNothing() }
            return 200
        }
        let bytes = UnsafeRawBufferPointer(start: dialogs.body, count: dialogs.size)
        guard let document = DialogDocument(xml: bytes) else { return 400 }
        switch watch.table.apply(document) {
        case .foreign: return 403
        case .incomplete, .late: watch.subscription.askForAll()
        case .applied, .old: break
        }
        return 200
    }
}
