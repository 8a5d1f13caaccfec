// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The notification of each Jabber account that waits for the user, such as for a password, while the panel, which says the
/// same, is out of view; none while the phone is locked.
@MainActor
final class AccountNotifications {
    /// Raises the window with the accounts, with an activation token if there is one.
    var onOpen: (@MainActor (String?) -> Void)?

    /// Whether there are no notifications; a problem that remains is told afterwards.
    var isQuiet = false { didSet { if isQuiet != oldValue { showAll() } } }

    private let accounts: JabberAccounts
    private let messenger: Messenger
    private let lock: Lock
    private let settings: Settings
    private let notifier: any Notifier
    private var followed: Set<ObjectIdentifier> = []
    /// The problems of which the user was told, or that were in view.
    private var told: [ObjectIdentifier: String] = [:]
    /// The accounts with a notification, and its key.
    private var shown: [ObjectIdentifier: String] = [:]

    init(
        accounts: JabberAccounts, messenger: Messenger, lock: Lock, settings: Settings,
        notifier: any Notifier
    ) {
        (self.accounts, self.messenger, self.lock) = (accounts, messenger, lock)
        (self.settings, self.notifier) = (settings, notifier)
        notifier.onOpen = { [weak self] in self?.onOpen?($1) }
        lock.observe(by: self) { [weak self] in self?.showAll() }
        accounts.observe(by: self) { [weak self] in self?.follow() }
    }

    func withdrawAll() {
        for key in shown.values { notifier.withdraw(key) }
        shown = [:]
    }

    private func follow() {
        followed.formIntersection(accounts.all.map(ObjectIdentifier.init))
        for account in accounts.all where followed.insert(ObjectIdentifier(account)).inserted {
            account.observe(by: self) { [weak self, weak account] in if let account { self?.show(account) } }
        }
    }

    private func showAll() {
        if isQuiet || lock.isLocked { withdrawAll() }
        for account in accounts.all { show(account) }
    }

    private func show(_ account: ChatAccount) {
        let id = ObjectIdentifier(account)
        guard account.hasProblem else {
            told[id] = nil
            if let key = shown.removeValue(forKey: id) { notifier.withdraw(key) }
            return
        }
        let words = AccountStrings(account)
        let text = PlainText.line(words.detail.isEmpty ? words.title : words.detail, maximum: 400)
        guard told[id] != text, !isQuiet, !lock.isLocked, settings[flag: "message-notification"] else {
            return
        }
        told[id] = text
        guard !messenger.isInView else { return }
        let key = "account \(account.details.address)"
        shown[id] = key
        notifier.show(.init(key: key, title: PlainText.line(account.name, maximum: 120), body: text))
    }
}
