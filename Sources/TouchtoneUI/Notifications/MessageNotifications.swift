// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// A service that shows notifications as `DesktopNotifications` does: that in the program, a fake in tests.
@MainActor
protocol Notifier: AnyObject {
    var onOpen: (@MainActor (String, String?) -> Void)? { get set }
    var onAction: (@MainActor (String, String, String?) -> Void)? { get set }
    var onReply: (@MainActor (String, String) -> Void)? { get set }
    var onDismiss: (@MainActor (String) -> Void)? { get set }
    func show(_ note: DesktopNotifications.Note)
    func withdraw(_ key: String)
}

extension DesktopNotifications: Notifier {}

/// The notifications of messages that arrive out of view: one for each buddy, with one stroke of the bell; and of reactions
/// to the user’s own messages, without a sound.
///
/// While the phone is locked, a single notification reports that there are messages, without names or text.
@MainActor
final class MessageNotifications {
    /// Opens a conversation, or only raises the window for none, with an activation token if there is one.
    var onOpen: (@MainActor (ConversationID?, String?) -> Void)?

    /// Whether arriving messages cause neither notification nor sound.
    var isQuiet = false

    private let messenger: Messenger
    private let lock: Lock
    private let settings: Settings
    private let sounds: any SoundOutput
    private let clock: any Scheduler
    private let notifier: any Notifier
    /// The conversations with a notification, and the number of unread messages that it tells of.
    private var shown: [ConversationID: Int] = [:]
    /// The conversations with a notification of a reaction.
    private var reacted: Set<ConversationID> = []
    /// The conversations of all notifications so far, by key: their actions may come after they are closed.
    private var known: [String: ConversationID] = [:]
    /// The notification while the phone is locked.
    private let hidden: PrivateNotification
    private var lastSound: Duration?

    /// The minimum time between two strokes of the bell, so that each rings out.
    static let pause: Duration = .seconds(2)
    /// The key of the notification without names; an address is never empty.
    static let privateKey = ""

    init(
        messenger: Messenger, lock: Lock, settings: Settings, sounds: any SoundOutput, clock: any Scheduler,
        notifier: any Notifier
    ) {
        (self.messenger, self.lock, self.settings) = (messenger, lock, settings)
        (self.sounds, self.clock, self.notifier) = (sounds, clock, notifier)
        hidden = PrivateNotification(
            localized("You have new messages. Unlock the phone to read them."), key: Self.privateKey,
            notifier: notifier)
        notifier.onOpen = { [weak self] in self?.open($0, token: $1) }
        notifier.onReply = { [weak self] in self?.reply($1, to: $0) }
        notifier.onDismiss = { [weak self] in self?.dismissed($0) }
        messenger.buddies.observe(by: self) { [weak self] in self?.changed($0) }
        messenger.observe(by: self) { [weak self] in
            switch $0 {
            case .state: self?.looked()
            case .arrival(let message, let row): self?.arrived(message, from: row)
            case .reaction(let reaction, let row): self?.arrived(reaction, in: row)
            case .gone: break
            }
        }
        lock.observe(by: self) { [weak self] in self?.lockChanged() }
    }

    func withdrawAll() {
        for conversation in shown.keys { notifier.withdraw(key(of: conversation)) }
        shown = [:]
        for conversation in reacted { notifier.withdraw(reactionKey(of: conversation)) }
        reacted = []
        hidden.withdraw()
    }

    // MARK: - Arrival

    private func arrived(_ message: ChatMessage, from row: BuddyList.Row) {
        guard !isDisturbing(message.conversation) else { return }
        if settings[flag: "message-sound"] { ring() }
        guard settings[flag: "message-notification"] else { return }
        guard !lock.isLocked else { return hidden.show() }
        let key = key(of: message.conversation)
        shown[message.conversation] = row.unread
        known[key] = message.conversation
        notifier.show(
            .init(
                key: key,
                title: title(
                    row.unread > 1
                        ? localizedPlural(
                            "{name} ({count} new)", "{name} ({count} new)", row.unread, ["name": row.name])
                        : row.name, of: message.conversation),
                body: text(of: message, from: row), takesReply: true))
    }

    /// A locked phone does not tell of a reaction: nothing new is to be read.
    private func arrived(_ received: ReceivedReaction, in row: BuddyList.Row) {
        let conversation = received.message.conversation
        guard !isDisturbing(conversation), settings[flag: "message-notification"], !lock.isLocked else {
            return
        }
        let key = reactionKey(of: conversation)
        reacted.insert(conversation)
        known[key] = conversation
        notifier.show(
            .init(
                key: key, title: title(row.name, of: conversation),
                body: localized(
                    "{name} reacted to “{text}” with {emoji}",
                    [
                        "name": PlainText.line(
                            received.reaction.sender.name(buddyName: row.name), maximum: 60),
                        "text": received.message.summary,
                        "emoji": received.reaction.emoji.joined(separator: " "),
                    ]), isMinor: true))
    }

    /// Returns whether a notification of a conversation would disturb: one that is in view, or a user who is busy.
    private func isDisturbing(_ conversation: ConversationID) -> Bool {
        isQuiet || messenger.isInView && messenger.selected?.id == conversation
            || messenger.ownPresence.availability == .busy
    }

    /// Returns a title with the account, if there is more than one: the same buddy may write to several.
    private func title(_ name: String, of conversation: ConversationID) -> String {
        let account = messenger.accountName(of: conversation)
        // Translators: The title of a notification: who has written, and the account to which the message came.
        return account.isEmpty
            ? name : localized("{name} – {account}", ["name": name, "account": account])
    }

    /// Returns the text of a message, with the sender’s name if the conversation is a room.
    private func text(of message: ChatMessage, from row: BuddyList.Row) -> String {
        guard case .occupant(let occupant) = message.sender else { return message.summary(by: row.name) }
        let name = PlainText.line(occupant.nickname, maximum: 60)
        guard !message.isAction, !message.hasNoWords else { return message.summary(by: name) }
        return localized("{sender}: {text}", ["sender": name, "text": message.summary])
    }

    /// A dismissed notification does not return on its own, and never because of a lock.
    private func dismissed(_ key: String) {
        if key == Self.privateKey {
            hidden.dismissed()
        } else if let id = known[key] {
            if key == reactionKey(of: id) { reacted.remove(id) } else { shown[id] = nil }
        }
    }

    private func ring() {
        if let lastSound, clock.now - lastSound < Self.pause { return }
        lastSound = clock.now
        sounds.play(.ding, on: .ringer)
    }

    // MARK: - Withdrawal

    private func changed(_ change: AllBuddies.Change) {
        switch change {
        case .row(let conversation): look(at: conversation)
        case .rows: shown.keys.forEach(look)
        case .requests, .picture, .typing: break
        }
    }

    /// Withdraws the notification of a buddy whose messages were read, here or on another device, or deleted.
    private func look(at conversation: ConversationID) {
        guard let told = shown[conversation] else { return }
        let unread = messenger.buddies.row(of: conversation)?.unread ?? 0
        guard unread == 0 || unread < told else { return }
        shown[conversation] = nil
        notifier.withdraw(key(of: conversation))
    }

    private func looked() {
        guard messenger.isInView, let conversation = messenger.selected?.id else { return }
        look(at: conversation)
        if reacted.remove(conversation) != nil { notifier.withdraw(reactionKey(of: conversation)) }
    }

    private func key(of conversation: ConversationID) -> String {
        let account = conversation.account.map { $0.text + " " } ?? ""
        return account + conversation.buddy.text
    }

    /// Returns the key of the notification of a reaction, which leaves that of the messages in place.
    private func reactionKey(of conversation: ConversationID) -> String {
        "reaction \(key(of: conversation))"
    }

    private func lockChanged() {
        // The lock hides all names; after unlocking, the user sees the messages in the window.
        if lock.isLocked {
            let hadMessages = !shown.isEmpty
            withdrawAll()
            if hadMessages { hidden.show() }
        } else {
            hidden.withdraw()
        }
    }

    private func open(_ key: String, token: String?) {
        onOpen?(known[key], token)
    }

    /// Sends a reply typed in a notification, and withdraws that, since the user has read the message.
    private func reply(_ text: String, to key: String) {
        guard !lock.isLocked, !text.allSatisfy(\.isWhitespace), let conversation = known[key] else { return }
        messenger.chat(of: conversation)?.reply(text, to: conversation.buddy)
        shown[conversation] = nil
        notifier.withdraw(key)
    }
}
