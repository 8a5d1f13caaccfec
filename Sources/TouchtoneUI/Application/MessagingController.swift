// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// Connects messaging with the window and the desktop: sign-in at start-up, also of the telephone accounts, mobile phones,
/// notifications and the away status.
@MainActor
final class MessagingController {
    private let dependencies: MessagingDependencies
    private let telephone: (any TelephoneAccounts)?
    private let mobiles: (any MobilePhones)?
    private weak var window: PhoneWindow?
    private let notices: MessageNotifications
    private let requests: RequestNotifications
    private let problems: AccountNotifications?
    private let away: AutoAway
    private var desktop: DesktopLock?

    init(_ dependencies: PhoneDependencies, window: PhoneWindow) {
        (self.dependencies, self.window) = (dependencies.messages, window)
        (telephone, mobiles) = (dependencies.accounts, dependencies.mobiles)
        let clock = MainLoopScheduler()
        notices = MessageNotifications(
            messenger: dependencies.messages.messenger, lock: dependencies.lock,
            settings: dependencies.settings,
            sounds: dependencies.sounds,
            clock: clock,
            notifier: DesktopNotifications.make())
        requests = RequestNotifications(
            messenger: dependencies.messages.messenger, lock: dependencies.lock,
            settings: dependencies.settings, notifier: DesktopNotifications.make())
        problems = dependencies.messages.accounts.map {
            AccountNotifications(
                accounts: $0, messenger: dependencies.messages.messenger, lock: dependencies.lock,
                settings: dependencies.settings, notifier: DesktopNotifications.make())
        }
        away = AutoAway(dependencies.messages.messenger, clock: clock)
        notices.onOpen = { [weak self] in self?.open($0, token: $1) }
        requests.onOpen = { [weak window] in
            window?.present(token: $0)
            window?.panel.showRequests()
        }
        problems?.onOpen = { [weak window] in
            window?.present(token: $0)
            if window?.panel.isCovered == false { window?.panel.openAccount() }
        }
        InputWatch.follow(away) { [weak away] in away?.recordInput() }
        // The account is active only while somebody uses the window, so that the server can hold back what nobody sees.
        dependencies.messages.accounts?.isActive = false
        Signal.connectNotify(window.window, "notify::is-active") { [weak self] in
            self?.updateActivity()
        }
        self.dependencies.messenger.observe(by: self) { [weak self] _ in self?.updateActivity() }
    }

    /// Signs in, and follows the desktop's lock.
    func begin() {
        dependencies.accounts?.start()
        telephone?.start()
        mobiles?.start()
        desktop = DesktopLock(
            told: { [weak self] in self?.away.setLocked(true) },
            opened: { [weak self] in self?.away.setLocked(false) },
            awake: { [weak self] in
                self?.away.setLocked(false)
                self?.dependencies.accounts?.wakeUp()
                self?.telephone?.wakeUp()
            })
    }

    func setQuiet(_ isQuiet: Bool) {
        notices.isQuiet = isQuiet
        requests.isQuiet = isQuiet
        problems?.isQuiet = isQuiet
    }

    private func updateActivity() {
        guard let window else { return }
        dependencies.accounts?.isActive =
            gtk_window_is_active(window.window) != 0 && !dependencies.messenger.isIdle
    }

    /// Saves drafts, signs out, and waits up to a second for both to finish before the app exits.
    func leave() {
        notices.withdrawAll()
        requests.withdrawAll()
        problems?.withdrawAll()
        dependencies.messenger.saveDrafts()
        dependencies.accounts?.signOut()
        var isSaved = false
        dependencies.store.flush { isSaved = true }
        MainLoop.run(upTo: 1000) { [dependencies] in isSaved && dependencies.accounts?.isSettled != false }
    }

    private func open(_ conversation: ConversationID?, token: String?) {
        guard let window else { return }
        window.present(token: token)
        if let conversation { window.panel.show(conversation) }
    }
}
