// SPDX-License-Identifier: GPL-3.0-or-later

@MainActor
public final class AllBuddies {
    public typealias Change = BuddyListChange<ConversationID>

    /// A request to see the user’s presence, or an invitation to a room, and the chat that received it.
    public struct Received<Item> {
        public let chat: Chat
        public let item: Item
    }

    /// The conversations of the rows, in the order of `BuddyOrder`.
    public private(set) var order: [ConversationID] = []
    /// The first of the people without a conversation, if they are below conversations.
    public private(set) var firstPerson: ConversationID?
    public var sorting = BuddyOrder.Sorting.byTime {
        didSet {
            guard sorting != oldValue else { return }
            for chat in chats { chat.buddies.sorting = sorting }
        }
    }
    /// Whether the requests and invitations are visible in the active window, so that the user sees them come.
    public var areRequestsInView = false {
        didSet { if areRequestsInView, !oldValue { onRequestsSeen?() } }
    }
    /// Called when the requests and invitations come into view.
    public var onRequestsSeen: (@MainActor () -> Void)?
    private(set) var chats: [Chat] = []
    private let observers = Observers<Change>()

    public func observe(by owner: AnyObject, _ body: @escaping @MainActor (Change) -> Void) {
        observers.add(owner, body)
    }

    public var unread: Int { chats.reduce(0) { $0 + $1.buddies.unread } }
    public var requests: [Received<BuddyList.Request>] {
        chats.flatMap { chat in chat.buddies.requests.map { Received(chat: chat, item: $0) } }
    }
    public var invitations: [Received<RoomInvitation>] {
        chats.flatMap { chat in chat.buddies.invitations.map { Received(chat: chat, item: $0) } }
    }

    /// The number of requests and invitations that wait for an answer.
    public var asked: Int {
        chats.reduce(0) { $0 + $1.buddies.requests.count + $1.buddies.invitations.count }
    }

    /// Returns the state of a buddy, whether or not its row is shown; nil if the conversation is unknown.
    public func row(of conversation: ConversationID) -> BuddyList.Row? {
        list(of: conversation)?.row(of: conversation.buddy)
    }

    /// Returns the name to show for the other side of a conversation, known or not; never empty.
    public func name(of conversation: ConversationID) -> String {
        list(of: conversation)?.name(of: conversation.buddy) ?? conversation.buddy.text
    }

    /// Returns a buddy’s avatar, as the image file that was published; nil if there is none.
    public func picture(of conversation: ConversationID) -> [UInt8]? {
        list(of: conversation)?.picture(of: conversation.buddy)
    }

    /// Follows the buddies of a chat while it is shown; called once for each chat.
    func follow(_ chat: Chat) {
        chat.buddies.observe(by: self) { [weak self, weak chat] in
            if let self, let chat, shows(chat) { changed($0, in: chat) }
        }
    }

    func show(_ next: [Chat]) {
        chats = next
        for chat in next {
            chat.buddies.sorting = sorting
            chat.buddies.isMerged = next.count > 1
        }
        arrange()
        observers.notify(.requests)
    }

    func shows(_ chat: Chat) -> Bool { chats.contains { $0 === chat } }

    /// Returns the chat of a conversation; nil if its account is gone.
    func chat(of conversation: ConversationID) -> Chat? { chats.first { $0.has(conversation) } }

    private func list(of conversation: ConversationID) -> BuddyList? { chat(of: conversation)?.buddies }

    private func changed(_ change: BuddyList.Change, in chat: Chat) {
        let id = { ConversationID($0, of: chat.account) }
        switch change {
        case .rows: arrange()
        case .row(let buddy): observers.notify(.row(id(buddy)))
        case .typing(let buddy): observers.notify(.typing(id(buddy)))
        case .requests: observers.notify(.requests)
        case .picture(let buddy): observers.notify(.picture(id(buddy)))
        }
    }

    /// Returns the conversations that a search finds, in the order of the rows.
    public func found(_ words: String) -> [ConversationID] {
        merged(chats.map { ($0, $0.buddies.found(words)) })
    }

    private func merged(_ orders: [(chat: Chat, order: [ChatAddress])]) -> [ConversationID] {
        var rest = orders.filter { !$0.order.isEmpty }.map {
            Rest(chat: $0.chat, sorting: sorting, order: $0.order[...])
        }
        var merged: [ConversationID] = []
        while rest.count > 1 {
            let next = rest.indices.dropFirst().reduce(0) { rest[$1].precedes(rest[$0]) ? $1 : $0 }
            merged.append(rest[next].removeFirst())
            if rest[next].order.isEmpty { rest.remove(at: next) }
        }
        if let last = rest.first { merged += last.order.map { ConversationID($0, of: last.chat.account) } }
        return merged
    }

    private func arrange() {
        order = merged(chats.map { ($0, $0.buddies.order) })
        firstPerson = findFirstPerson()
        observers.notify(.rows)
    }

    private func findFirstPerson() -> ConversationID? {
        guard sorting == .byTime else { return nil }
        let isPerson = { [self] (id: ConversationID) in
            list(of: id)?.buddy(at: id.buddy).map { BuddyOrder.Group(of: $0, sorting).isOfPeople } ?? false
        }
        // The conversations stand before the people.
        var (low, high) = (0, order.count)
        while low < high {
            let middle = (low + high) / 2
            if isPerson(order[middle]) { high = middle } else { low = middle + 1 }
        }
        return low > 0 && low < order.count ? order[low] : nil
    }

    /// The buddies of a chat that are not in the list yet.
    @MainActor
    private struct Rest {
        let chat: Chat
        let sorting: BuddyOrder.Sorting
        var order: ArraySlice<ChatAddress>

        func precedes(_ other: Rest) -> Bool {
            guard let first, let second = other.first else { return false }
            return BuddyOrder.precedes(first, second, sorting)
        }

        private var first: Buddy? { order.first.flatMap { chat.buddies.buddy(at: $0) } }

        mutating func removeFirst() -> ConversationID {
            ConversationID(order.removeFirst(), of: chat.account)
        }
    }
}
