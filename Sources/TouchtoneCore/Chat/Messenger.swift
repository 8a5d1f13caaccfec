// SPDX-License-Identifier: GPL-3.0-or-later

/// The chats of all accounts, as one: the same address on two accounts is two conversations.
@MainActor
public final class Messenger {
    public enum Change: Hashable, Sendable {
        /// The open conversation, a service’s state, the presence or the set of chats changed.
        case state
        /// An unread message was received; with its sender’s row.
        case arrival(ChatMessage, from: BuddyList.Row)
        /// See `Chat.Change.reaction`.
        case reaction(ReceivedReaction, in: BuddyList.Row)
        /// See `Chat.Change.gone`.
        case gone(Set<Int64>)
    }

    /// The chat of the first account, which is also the Operator’s; it exists without an account, too.
    public let first: Chat
    public var chats: [Chat] { buddies.chats }
    /// The chats besides the first, also those that have no account, or the account of another chat.
    private var others: [Chat] = []
    public let buddies = AllBuddies()
    /// Whether the open conversation is visible in the active window: messages that are shown then count as seen.
    public var isInView = false {
        didSet { for chat in chats { chat.isInView = isInView } }
    }
    /// The presence that the user chose, for all accounts.
    public var ownPresence: OwnPresence {
        get { first.ownPresence }
        set { for chat in chats { chat.ownPresence = newValue } }
    }
    /// Whether the machine is idle, as `AutoAway` reports: an available user is shown as away then.
    public var isIdle = false {
        didSet { if isIdle != oldValue { for chat in chats { chat.isIdle = isIdle } } }
    }
    /// The chat whose conversation is open; nil if there is none.
    private weak var open: Chat?
    private let observers = Observers<Change>()
    private let newChats = Observers<Chat>()

    public init(_ first: Chat) {
        self.first = first
        buddies.show([first])
        follow(first)
    }

    /// Calls `body` now with the present state, and after each change, for as long as `owner` exists.
    public func observe(by owner: AnyObject, _ body: @escaping @MainActor (Change) -> Void) {
        observers.add(owner, body)
        body(.state)
    }

    /// Calls `body` once with each chat, shown or not: now, or when it is new.
    public func observeChats(by owner: AnyObject, _ body: @escaping @MainActor (Chat) -> Void) {
        newChats.add(owner, body)
        for chat in [first] + others { body(chat) }
    }

    /// Replaces all chats but the first; a removed chat’s conversation is closed, and its draft saved.
    public func setOthers(_ next: [Chat]) {
        let before = others
        others = next
        for chat in next where !before.contains(where: { $0 === chat }) {
            follow(chat)
            newChats.notify(chat)
        }
        arrange()
    }

    private func follow(_ chat: Chat) {
        buddies.follow(chat)
        chat.observe(by: self) { [weak self, weak chat] change in
            guard let self, let chat else { return }
            switch change {
            case .state:
                arrange()
                guard buddies.shows(chat) else { return }
                keepOneOpen(chat)
                observers.notify(.state)
            case .arrival(let message, let row):
                if buddies.shows(chat) { observers.notify(.arrival(message, from: row)) }
            case .reaction(let reaction, let row):
                if buddies.shows(chat) { observers.notify(.reaction(reaction, in: row)) }
            case .gone(let messages): observers.notify(.gone(messages))
            }
        }
    }

    /// Shows the chats of all accounts, each account once.
    private func arrange() {
        var accounts: Set<ChatAddress?> = [nil, first.account]
        let (before, after) = (chats, [first] + others.filter { accounts.insert($0.account).inserted })
        guard before.map(ObjectIdentifier.init) != after.map(ObjectIdentifier.init) else { return }
        buddies.show(after)
        for chat in before where !buddies.shows(chat) {
            chat.select(nil)
            chat.saveDrafts()
        }
        for chat in after where !before.contains(where: { $0 === chat }) {
            (chat.isInView, chat.isIdle, chat.ownPresence) = (isInView, isIdle, ownPresence)
        }
        observers.notify(.state)
    }

    /// Closes the open conversation of another account when one of this chat has been opened.
    private func keepOneOpen(_ chat: Chat) {
        guard chat.selected != nil, chat !== open else { return }
        let before = open
        open = chat
        before?.select(nil)
    }
}

// MARK: - Conversations

extension Messenger {
    /// The open conversation; nil if there is none.
    public var selected: Conversation? { open?.selected }

    /// The chat in which the user adds buddies and joins rooms: that of the open conversation, or else the first.
    public var active: Chat { selected.map(\.chat) ?? first }

    public var state: AccountState { first.state }

    public var health: StoreHealth { first.health }

    /// Opens a conversation; nil closes the open one.
    public func select(_ conversation: ConversationID?) {
        guard let conversation else { return open?.select(nil) ?? () }
        chat(of: conversation)?.select(conversation.buddy)
    }

    /// Returns the chat of a conversation; nil if its account is gone.
    public func chat(of conversation: ConversationID) -> Chat? { buddies.chat(of: conversation) }

    /// Returns up to `count` messages of one conversation or of all accounts, as `Chat.search`.
    public func search(_ words: String, in conversation: ConversationID? = nil, count: Int = 50)
        async throws(StoreError) -> [FoundMessage]
    {
        if let conversation {
            return try await chat(of: conversation)?.search(words, of: conversation.buddy, count: count) ?? []
        }
        // The Operator’s messages are found in each chat.
        var found: Set<FoundMessage> = []
        for chat in chats where !Task.isCancelled {
            found.formUnion(try await chat.search(words, count: count))
        }
        let sorted = found.sorted { ($0.message.time, $0.id) > ($1.message.time, $1.id) }
        return Array(sorted.prefix(count))
    }

    /// Returns the last message in the conversations with a contact; nil if there is none, or it cannot be read.
    public func lastMessage(with card: ContactCard) async -> ChatMessage? {
        var last: ChatMessage?
        for chat in chats {
            guard let message = await chat.lastMessage(with: card) else { continue }
            if last.map({ $0.time < message.time }) ?? true { last = message }
        }
        return last
    }

    public func saveDrafts() { for chat in chats { chat.saveDrafts() } }
}
