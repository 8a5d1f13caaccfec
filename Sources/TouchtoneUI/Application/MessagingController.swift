// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// Connects messaging with the window and the desktop: sign-in at start-up, also of the telephone accounts,
/// notifications and the away status.
@MainActor
final class MessagingController {
    private let dependencies: MessagingDependencies
    private let telephone: (any TelephoneAccounts)?
    private weak var window: PhoneWindow?
    private let notices: MessageNotifications
    private let away: AutoAway
    private var desktop: DesktopLock?

    init(_ dependencies: PhoneDependencies, window: PhoneWindow) {
        (self.dependencies, self.window) = (dependencies.messages, window)
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

    private func open(_ buddy: ChatAddress?, token: String?) {
        guard let window else { return }
        window.present(token: token)
        if let buddy { window.panel.showConversation(with: buddy) }
    }
}
