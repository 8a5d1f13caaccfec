// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// What the window, the desktop and messages have to do with each other: signing in once the window is there,
/// notifications, links to people, being away.
@MainActor
final class MessageDesk {
    private let parts: MessageParts
    private weak var window: PhoneWindow?
    private let openAccount: @MainActor () -> Void
    private let notices: MessageNotices
    private let away: IdleAway
    private var desktop: DesktopLock?
    private var start: MainLoop.Timer?

    /// How long after the window has come the account is signed in: what is drawn first is not to wait for it.
    static let pause: UInt32 = 150

    init(
        _ parts: PhoneApplication.Parts, window: PhoneWindow, openAccount: @escaping @MainActor () -> Void
    ) {
        (self.parts, self.window, self.openAccount) = (parts.messages, window, openAccount)
        let clock = MainLoopClock()
        notices = MessageNotices(
            chat: parts.messages.chat, lock: parts.lock, settings: parts.settings, sounds: parts.sounds,
            clock: clock,
            notifier: DesktopNotifications(name: "Touchtone", desktopEntry: PhoneApplication.id))
        away = IdleAway(chat: parts.messages.chat, clock: clock)
        notices.onOpen = { [weak self] in self?.open($0, token: $1) }
        InputWatch.follow(away) { [weak away] in away?.noteInput() }
        // What is shown of the server's news is what somebody looks at.
        parts.messages.account?.isActive = false
        Signal.connectNotify(window.window, "notify::is-active") { [weak self] in
            guard let self, let window = self.window else { return }
            self.parts.account?.isActive = gtk_window_is_active(window.window) != 0
        }
        Signal.connectEvent(window.window, "map-event") { [weak self] _ in
            if let self, start == nil { start = MainLoop.after(milliseconds: Self.pause) { self.begin() } }
            return false
        }
    }

    private func begin() {
        parts.account?.start()
        desktop = DesktopLock(
            told: { [weak self] in self?.away.setLocked(true) },
            opened: { [weak self] in self?.away.setLocked(false) },
            awake: { [weak self] in
                self?.away.setLocked(false)
                self?.parts.account?.wakeUp()
            })
    }

    /// Keeps what is typed, signs out, and waits a moment until both are done: the program ends.
    func leave() {
        notices.withdrawAll()
        parts.chat.saveDrafts()
        parts.account?.signOut()
        var isKept = false
        parts.store.flush { isKept = true }
        MainLoop.run(upTo: 1000) { [parts] in isKept && parts.account?.isSettled != false }
    }
}

// MARK: - Opening

extension MessageDesk {
    /// Does what a link asks for, as far as that goes without a person's hand: nothing is sent, and nobody added.
    ///
    /// - Returns: whether there is somebody to open.
    func open(_ link: XMPPURI) -> Bool {
        guard let address = parts.chat.address(link.address) else { return false }
        // Without an account there is nobody but the exchange's.
        guard address == .exchange || parts.account?.details.isAccount != false else {
            openAccount()
            return true
        }
        switch link.action {
        case .open: window?.panel.showConversation(with: address)
        case .message(let body):
            window?.panel.showConversation(with: address)
            parts.chat.selected?.suggest(body)
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
