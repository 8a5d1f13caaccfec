// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// What the window, the desktop and messages have to do with each other: signing in once the window is there,
/// notifications, links to people, being away.
@MainActor
final class MessagingController {
    private let dependencies: MessagingDependencies
    private weak var window: PhoneWindow?
    private let openAccount: @MainActor () -> Void
    private let notices: MessageNotifications
    private let away: AutoAway
    private var desktop: DesktopLock?
    private var start: MainLoop.Timer?

    /// How long after the window has come the account is signed in: what is drawn first is not to wait for it.
    static let pause: UInt32 = 150

    init(
        _ dependencies: PhoneApplication.Dependencies, window: PhoneWindow,
        openAccount: @escaping @MainActor () -> Void
    ) {
        (self.dependencies, self.window, self.openAccount) = (dependencies.messages, window, openAccount)
        let clock = MainLoopScheduler()
        notices = MessageNotifications(
            chat: dependencies.messages.chat, lock: dependencies.lock, settings: dependencies.settings,
            sounds: dependencies.sounds,
            clock: clock,
            notifier: DesktopNotifications(name: "Touchtone", desktopEntry: PhoneApplication.id))
        away = AutoAway(chat: dependencies.messages.chat, clock: clock)
        notices.onOpen = { [weak self] in self?.open($0, token: $1) }
        InputWatch.follow(away) { [weak away] in away?.recordInput() }
        // What is shown of the server's news is what somebody looks at.
        dependencies.messages.account?.isActive = false
        Signal.connectNotify(window.window, "notify::is-active") { [weak self] in
            guard let self, let window = self.window else { return }
            self.dependencies.account?.isActive = gtk_window_is_active(window.window) != 0
        }
        Signal.connectEvent(window.window, "map-event") { [weak self] _ in
            if let self, start == nil { start = MainLoop.after(milliseconds: Self.pause) { self.begin() } }
            return false
        }
    }

    private func begin() {
        dependencies.account?.start()
        desktop = DesktopLock(
            told: { [weak self] in self?.away.setLocked(true) },
            opened: { [weak self] in self?.away.setLocked(false) },
            awake: { [weak self] in
                self?.away.setLocked(false)
                self?.dependencies.account?.wakeUp()
            })
    }

    /// Keeps what is typed, signs out, and waits a moment until both are done: the program ends.
    func leave() {
        notices.withdrawAll()
        dependencies.chat.saveDrafts()
        dependencies.account?.signOut()
        var isKept = false
        dependencies.store.flush { isKept = true }
        MainLoop.run(upTo: 1000) { [dependencies] in isKept && dependencies.account?.isSettled != false }
    }
}

// MARK: - Opening

extension MessagingController {
    /// Does what a link asks for, as far as that goes without a person's hand: nothing is sent, and nobody added.
    ///
    /// - Returns: whether there is somebody to open.
    func open(_ link: XMPPURI) -> Bool {
        guard let address = dependencies.chat.address(link.address) else { return false }
        // Without an account there is nobody but the exchange's.
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
        }
        return true
    }

    private func open(_ buddy: ChatAddress?, token: String?) {
        guard let window else { return }
        window.present(token: token)
        if let buddy { window.panel.showConversation(with: buddy) }
    }
}
