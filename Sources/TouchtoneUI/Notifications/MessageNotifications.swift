// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// What shows notifications: the desktop in the program, a fake in tests.
@MainActor
protocol Notifier: AnyObject {
    /// Called when a notification is clicked, with its key and a token by which a window may come to the front.
    var onOpen: (@MainActor (String, String?) -> Void)? { get set }
    /// Called when one of its actions was chosen, with the key, the action's id and such a token.
    var onAction: (@MainActor (String, String, String?) -> Void)? { get set }
    /// Called when an answer was typed, with the key and the text.
    var onReply: (@MainActor (String, String) -> Void)? { get set }
    /// Called with the key of a notification that is gone, other than by `withdraw`: its user has dismissed it, or its
    /// time was over.
    var onDismiss: (@MainActor (String) -> Void)? { get set }
    /// Shows a notification, in place of the one of the same key.
    func show(_ note: DesktopNotifications.Note)
    /// Takes a notification back.
    func withdraw(_ key: String)
}

extension DesktopNotifications: Notifier {}

/// Tells of messages that come while nobody looks: by a notification for each buddy, and by one stroke of the bell.
///
/// While the phone is locked there is one notification, which says that there are messages and no more.
@MainActor
final class MessageNotifications {
    /// Called when a conversation is to be opened, with a token by which the window may come to the front; nil is the
    /// phone as it is.
    var onOpen: (@MainActor (ChatAddress?, String?) -> Void)?

    private let chat: Chat
    private let lock: Lock
    private let settings: Settings
    private let sounds: any SoundOutput
    private let clock: any Scheduler
    private let notifier: any Notifier
    private var shown: Set<ChatAddress> = []
    private var isPrivateShown = false
    private var lastSound: Duration?

    /// How long the bell is not struck again: its strokes ring out.
    static let pause: Duration = .seconds(2)
    /// The key of the notification that names nobody; an address is never empty.
    static let privateKey = ""

    init(
        chat: Chat, lock: Lock, settings: Settings, sounds: any SoundOutput, clock: any Scheduler,
        notifier: any Notifier
    ) {
        (self.chat, self.lock, self.settings) = (chat, lock, settings)
        (self.sounds, self.clock, self.notifier) = (sounds, clock, notifier)
        chat.onArrival = { [weak self] in self?.arrived($0, from: $1) }
        notifier.onOpen = { [weak self] in self?.open($0, token: $1) }
        notifier.onReply = { [weak self] in self?.reply($1, to: $0) }
        notifier.onDismiss = { [weak self] in self?.dismissed($0) }
        chat.buddies.observe(by: self) { [weak self] in self?.changed($0) }
        chat.observe(by: self) { [weak self] in self?.looked() }
        lock.observe(by: self) { [weak self] in self?.lockChanged() }
    }

    /// Takes all notifications back, as when the program ends: nobody would answer for them.
    func withdrawAll() {
        for buddy in shown { notifier.withdraw(buddy.text) }
        shown = []
        if isPrivateShown { notifier.withdraw(Self.privateKey) }
        isPrivateShown = false
    }
}

// MARK: - What comes

extension MessageNotifications {
    private func arrived(_ message: ChatMessage, from row: BuddyList.Row) {
        let isSeen = chat.isInView && chat.selected?.buddy == message.buddy
        // Who does not want to be disturbed is not.
        guard !isSeen, chat.ownPresence.availability != .busy else { return }
        if settings[flag: "message-sound"] { ring() }
        guard settings[flag: "message-notification"] else { return }
        guard !lock.isLocked else { return showPrivately() }
        shown.insert(message.buddy)
        notifier.show(
            .init(
                key: message.buddy.text,
                title: row.unread > 1
                    ? localizedPlural(
                        "{name} ({count} new)", "{name} ({count} new)", row.unread, ["name": row.name])
                    : row.name,
                body: message.text, takesReply: true))
    }

    /// A dismissed notification does not return on its own, and never because of a lock.
    private func dismissed(_ key: String) {
        if key == Self.privateKey { isPrivateShown = false } else { shown.remove(ChatAddress(key)) }
    }

    private func showPrivately() {
        // It says no more than the one that stands there.
        guard !isPrivateShown else { return }
        isPrivateShown = true
        notifier.show(
            .init(
                key: Self.privateKey, title: "Touchtone",
                body: localized("You have new messages. Unlock the phone to read them."), takesReply: false))
    }

    private func ring() {
        if let lastSound, clock.now - lastSound < Self.pause { return }
        lastSound = clock.now
        sounds.play(.ding, on: .ringer)
    }
}

// MARK: - What is over

extension MessageNotifications {
    private func changed(_ change: BuddyList.Change) {
        switch change {
        case .row(let buddy): look(at: buddy)
        case .rows: shown.forEach(look)
        case .requests, .picture: break
        }
    }

    /// Its messages are seen, here or on another device.
    private func look(at buddy: ChatAddress) {
        guard shown.contains(buddy), chat.buddies.row(of: buddy)?.unread ?? 0 == 0 else { return }
        shown.remove(buddy)
        notifier.withdraw(buddy.text)
    }

    private func looked() {
        if chat.isInView, let buddy = chat.selected?.buddy { look(at: buddy) }
    }

    private func lockChanged() {
        // Locked, nothing on the screen names anybody; opened, its user is there.
        if lock.isLocked {
            guard !shown.isEmpty else { return }
            withdrawAll()
            showPrivately()
        } else if isPrivateShown {
            isPrivateShown = false
            notifier.withdraw(Self.privateKey)
        }
    }

    private func open(_ key: String, token: String?) {
        onOpen?(key == Self.privateKey ? nil : ChatAddress(key), token)
    }

    /// An answer that was typed in a notification: who answers has seen what it is about.
    private func reply(_ text: String, to key: String) {
        guard !lock.isLocked, key != Self.privateKey, !text.allSatisfy(\.isWhitespace) else { return }
        let buddy = ChatAddress(key)
        chat.reply(text, to: buddy)
        shown.remove(buddy)
        notifier.withdraw(key)
    }
}
