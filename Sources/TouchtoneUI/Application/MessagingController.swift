// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// Connects messaging with the window and the desktop: sign-in at start-up, also of the telephone accounts,
/// notifications, `xmpp:` links and the away status.
@MainActor
final class MessagingController {
    private let dependencies: MessagingDependencies
    private let telephone: (any TelephoneAccounts)?
    private weak var window: PhoneWindow?
    private let openAccount: @MainActor () -> Void
    private let notices: MessageNotifications
    private let away: AutoAway
    private var desktop: DesktopLock?

    init(
        _ dependencies: PhoneDependencies, window: PhoneWindow,
        openAccount: @escaping @MainActor () -> Void
    ) {
        (self.dependencies, self.window, self.openAccount) = (dependencies.messages, window, openAccount)
        telephone = dependencies.accounts
        let clock = MainLoopScheduler()
        notices = MessageNotifications(
            chat: dependencies.messages.chat, lock: dependencies.lock, settings: dependencies.settings,
            sounds: dependencies.sounds,
            clock: clock,
            notifier: DesktopNotifications.make())
        away = AutoAway(chat: dependencies.messages.chat, clock: clock)
        notices.onOpen = { [weak self] in self?.open($0, token: $1) }
        InputWatch.follow(away) { [weak away] in away?.recordInput() }
        // The account is active only while somebody uses the window, so that the server can hold back what nobody sees.
        dependencies.messages.account?.isActive = false
        Signal.connectNotify(window.window, "notify::is-active") { [weak self] in
            self?.updateActivity()
        }
        self.dependencies.chat.observe(by: self) { [weak self] _ in self?.updateActivity() }
    }

    /// Signs in, and follows the desktop's lock.
    func begin() {
        dependencies.account?.start()
        telephone?.start()
        desktop = DesktopLock(
            told: { [weak self] in self?.away.setLocked(true) },
            opened: { [weak self] in self?.away.setLocked(false) },
            awake: { [weak self] in
                self?.away.setLocked(false)
                self?.dependencies.account?.wakeUp()
                self?.telephone?.wakeUp()
            })
    }

    /// Turns notifications and sounds of messages off or on.
    func setQuiet(_ isQuiet: Bool) { notices.isQuiet = isQuiet }

    private func updateActivity() {
        guard let window else { return }
        dependencies.account?.isActive =
            gtk_window_is_active(window.window) != 0 && !dependencies.chat.isIdle
    }

    /// Saves drafts, signs out, and waits up to a second for both to finish before the app exits.
    func leave() {
        notices.withdrawAll()
        dependencies.chat.saveDrafts()
        dependencies.account?.signOut()
        var isSaved = false
        dependencies.store.flush { isSaved = true }
        MainLoop.run(upTo: 1000) { [dependencies] in isSaved && dependencies.account?.isSettled != false }
    }
}

// MARK: - Links

extension MessagingController {
    /// Opens the conversation or form that a link names.
    ///
    /// Nothing is sent and nobody is added without the user's action.
    ///
    /// - Returns: Whether the link has an address that can be opened.
    func open(_ link: XMPPURI) -> Bool {
        guard let address = dependencies.chat.address(link.address) else { return false }
        // Without an account, only the practice exchange's Operator is available.
        guard address == .operatorAddress || dependencies.account?.details.isAccount != false else {
            openAccount()
            return true
        }
        switch link.action {
        case .open: window?.panel.showConversation(with: address)
        case .message(let body):
            window?.panel.showConversation(with: address)
            dependencies.chat.selected?.suggest(body)
        case .add(let name): window?.panel.showAdding(of: address.text, name: name)
        case .join: window?.panel.showJoining(of: address.text)
        }
        return true
    }

    private func open(_ buddy: ChatAddress?, token: String?) {
        guard let window else { return }
        window.present(token: token)
        if let buddy { window.panel.showConversation(with: buddy) }
    }
}
