// SPDX-License-Identifier: GPL-3.0-or-later

/// The list of buddies that the panel shows, with one row for each buddy, however many devices it has.
///
/// A buddy has a row if it is on the roster, or if there is a conversation with it that is not hidden. A search also finds
/// the hidden ones.
@MainActor
public final class BuddyList {
    public struct Row: Hashable, Identifiable, Sendable {
        public let id: ChatAddress
        /// The buddy’s name; never empty.
        public var name: String
        public var availability: Availability
        /// The buddy’s status message; often empty.
        public var status: String
        public var unread: Int
        /// Whether a subscription to the buddy’s presence is pending.
        public var isAsked: Bool
        /// Whether the buddy shows the user its presence.
        public var tellsMe: Bool
        public var isTyping: Bool
        /// Whether the buddy is on the roster.
        public var isListed: Bool
        public var isBlocked: Bool
        public var isOperator: Bool
        /// The state of the room; nil for a person.
        public var room: Room?
        /// Whether an unread message of the room mentions the user.
        public var isMentioned: Bool
        public var person: BuddyIdentity
        /// The last message of the conversation; nil if there is none, or the conversation is hidden.
        public var last: MessagePreview?
        /// The beginning of the unsent text in one line; empty if there is none, or the conversation is open.
        public var draft: String
        public var isPinned: Bool
        public var isMuted: Bool
    }

    public typealias Change = BuddyListChange<ChatAddress>

    /// The addresses of the rows, in the order of `BuddyOrder`.
    public private(set) var order: [ChatAddress] = []
    public var sorting = BuddyOrder.Sorting.byTime {
        didSet { if sorting != oldValue { arrange() } }
    }
    /// Whether the rows are shown among those of other accounts, where a row may move that keeps its place here.
    var isMerged = false
    public var rows: [Row] { order.compactMap { people[$0]?.row } }
    /// The pending requests to see the user’s presence, the oldest first.
    public private(set) var requests: [Request] = []
    /// The pending invitations to rooms, the oldest first.
    public private(set) var invitations: [RoomInvitation] = []
    /// The number of unread messages of all conversations that are not muted.
    public private(set) var unread = 0
    public private(set) var blocked: Set<ChatAddress> = []
    /// The key by which a name is sorted, byte by byte; the program sets the collation of the language.
    public var sortKey: @MainActor (String) -> [UInt8] = { Array(SearchText.folded($0).utf8) } {
        didSet {
            for address in people.keys { people[address]?.sort(by: sortKey) }
            // At once: the program sets it before it shows the rows.
            arrange()
        }
    }

    /// The letter folding for search and T9; set before the chat starts.
    public var folding = LetterFolding.simple

    var person: @MainActor (ChatAddress) -> BuddyIdentity = { _ in BuddyIdentity() }

    /// The minimum interval between two arrangements of the rows, so that a burst of presence is arranged once.
    static let pause: Duration = .milliseconds(100)
    /// More requests, and addresses with presence, are ignored: a hostile server cannot exhaust the memory.
    static let requestLimit = 200
    static let peopleLimit = 50_000

    private let clock: any Scheduler
    private var people: [ChatAddress: Buddy] = [:]
    private var pictures = AvatarCache()
    private var (lastArranged, nextArranged): (Duration?, Duration?)
    /// The deadlines after which buddies are no longer considered to be typing.
    private var typingEnds: [ChatAddress: Duration] = [:]
    private let observers = Observers<Change>()
    private lazy var arranging = DeadlineTimer(clock: clock) { [weak self] in self?.arrange() }
    private lazy var typingTimer = DeadlineTimer(clock: clock) { [weak self] in self?.endTyping() }

    init(clock: any Scheduler) { self.clock = clock }

    public func observe(by owner: AnyObject, _ body: @escaping @MainActor (Change) -> Void) {
        observers.add(owner, body)
    }

    /// Returns the state of a buddy, whether or not its row is shown; nil if the address is unknown.
    public func row(of buddy: ChatAddress) -> Row? { people[buddy]?.row }

    /// Returns the addresses that a search finds, in the order of the rows.
    ///
    /// - Parameter words: Part of a name or address, a number, or a name in digits; without any, it finds all rows.
    func found(_ words: String) -> [ChatAddress] {
        let query = SearchQuery(words, by: folding)
        return sorted { query.words.isEmpty ? $0.isShown : query.finds($0.nameText, $0.addressText) }
    }

    /// Returns the name to show for an address, known or not; never empty.
    public func name(of buddy: ChatAddress) -> String {
        people[buddy]?.name ?? Buddy.name(of: buddy, person(buddy))
    }

    /// Returns a buddy’s avatar, as the image file that was published; nil if there is none.
    public func picture(of buddy: ChatAddress) -> [UInt8]? { pictures[buddy] }
}

// MARK: - Queries by Chat

extension BuddyList {
    /// The roster entries to store, in a stable order.
    var records: [BuddyRecord] {
        people.values.compactMap(\.record).filter { $0.address != .operatorAddress }.sorted {
            $0.address < $1.address
        }
    }

    /// The addresses that are known, whether or not their rows are shown.
    var addresses: some Sequence<ChatAddress> { people.keys }

    /// Returns the buddies that meet a condition, by availability and name.
    func buddies(where condition: (Buddy) -> Bool) -> some Sequence<Buddy> {
        var found = BuddyOrder(.byPresence)
        for buddy in people.values where condition(buddy) { found.add(buddy) }
        return found.sorted().lazy.compactMap { [people] in people[$0] }
    }

    func buddy(at address: ChatAddress) -> Buddy? { people[address] }
    func unread(of buddy: ChatAddress) -> Int { people[buddy]?.unread ?? 0 }
    func typing(of buddy: ChatAddress) -> Typing { people[buddy]?.typing ?? .active }

    /// Returns whether a buddy may learn that the user is online: receipts and typing notifications reveal it (XEP-0184
    /// section 8, XEP-0085 section 7).
    func isTold(_ buddy: ChatAddress) -> Bool {
        buddy == .operatorAddress || people[buddy]?.record?.toldByMe == true && !blocked.contains(buddy)
    }
}

// MARK: - Updates by Chat

extension BuddyList {
    func identify(_ address: ChatAddress) {
        guard let known = people[address] else { return }
        let person = person(address)
        if known.person != person { change(address) { $0.identify(person, sortKey: sortKey) } }
    }

    func identifyAll() { for address in Array(people.keys) { identify(address) } }

    /// Replaces the roster entries of all buddies that one service carries.
    func set(_ records: [BuddyRecord], carried: (ChatAddress) -> Bool) {
        let listed = Set(records.map(\.address))
        for record in records { change(record.address) { $0.take(record, sortKey: sortKey) } }
        let missing = people.values.filter {
            $0.record != nil && !listed.contains($0.address) && carried($0.address)
        }
        for buddy in missing { remove(buddy.address) }
    }

    func set(_ record: BuddyRecord) { change(record.address) { $0.take(record, sortKey: sortKey) } }

    func remove(_ buddy: ChatAddress) {
        guard people[buddy] != nil else { return }
        change(buddy) {
            $0.take(nil, sortKey: sortKey)
            $0.isHeard = false
        }
    }

    func set(_ presence: DevicePresence?, of device: String, _ buddy: ChatAddress) {
        // An unknown device that goes offline must not create an entry.
        guard people[buddy] != nil || presence != nil && people.count < Self.peopleLimit else { return }
        change(buddy) {
            let hasChanged = $0.set(presence, of: device)
            // A buddy who goes offline is no longer typing.
            if hasChanged, $0.availability == .offline { $0.typing = .active }
        }
    }

    func forgetPresence(where carried: (ChatAddress) -> Bool) {
        let present = people.values.filter { $0.hasPresence && carried($0.address) }
        for buddy in present { change(buddy.address) { if $0.forgetPresence() { $0.typing = .active } } }
    }

    func setUnreachable(_ isUnreachable: Bool, where carried: (ChatAddress) -> Bool) {
        for buddy in people.values where buddy.isUnreachable != isUnreachable && carried(buddy.address) {
            change(buddy.address) { $0.isUnreachable = isUnreachable }
        }
    }

    func set(_ typing: Typing, of buddy: ChatAddress) {
        guard people[buddy] != nil else { return }
        change(buddy) { $0.typing = typing }
        typingEnds[buddy] = typing == .composing ? clock.now + ChatTiming.maximumTypingTime : nil
        typingTimer.set(for: typingEnds.values.min())
    }

    func setUnread(_ counts: [ChatAddress: Int]) {
        for (buddy, count) in counts {
            change(buddy) {
                $0.unread = count
                if count == 0 { $0.isMentioned = false }
            }
        }
    }

    /// Sets all unread counts; buddies without an entry have no unread messages.
    func setAllUnread(_ counts: [ChatAddress: Int]) {
        for (address, buddy) in people where buddy.unread > 0 && counts[address] == nil {
            change(address) { ($0.unread, $0.isMentioned) = (0, false) }
        }
        setUnread(counts)
    }

    /// Shows a buddy’s row for the rest of this run, because its conversation is in use.
    func hear(_ buddy: ChatAddress) { change(buddy) { $0.isHeard = true } }

    /// Makes a buddy known to the search.
    func know(_ buddy: ChatAddress) { change(buddy) { _ in } }

    func set(_ settings: ConversationSettings, of buddy: ChatAddress) {
        change(buddy) { $0.settings = settings }
    }

    func setLast(_ last: MessagePreview?, of buddy: ChatAddress) { change(buddy) { $0.last = last } }
    func setDraft(_ draft: String, of buddy: ChatAddress) { change(buddy) { $0.draft = draft } }

    /// Notes a message as the last one of its conversation, unless a later one is known.
    func noteLast(_ message: ChatMessage) {
        let last = people[message.buddy]?.last
        guard last.map({ $0.id == message.id || $0.place <= message.place }) ?? true else { return }
        setLast(MessagePreview(message), of: message.buddy)
    }

    /// Takes the stored part of a conversation, of which a later message may be known.
    func take(_ summary: ConversationSummary, of buddy: ChatAddress) {
        change(buddy) {
            $0.settings = summary.settings
            if $0.last.map({ known in summary.last.map { $0.place > known.place } ?? false }) ?? true {
                $0.last = summary.last
            }
        }
    }

    func setBlocked(_ blocked: Set<ChatAddress>) {
        let before = self.blocked
        self.blocked = blocked
        for buddy in before.symmetricDifference(blocked) {
            change(buddy) { $0.isBlocked = blocked.contains(buddy) }
        }
    }

    func setPicture(_ picture: [UInt8]?, of buddy: ChatAddress) {
        guard pictures.set(picture, of: buddy) else { return }
        observers.notify(.picture(buddy))
    }

    /// Removes all buddies except the Operator.
    func forget() {
        people = people.filter { $0.key == .operatorAddress }
        typingEnds = typingEnds.filter { $0.key == .operatorAddress }
        typingTimer.set(for: typingEnds.values.min())
        unread = people[.operatorAddress]?.countedUnread ?? 0
        (blocked, pictures, requests, invitations) = ([], AvatarCache(), [], [])
        observers.notify(.requests)
        arrange()
    }

    func addRequest(_ buddy: ChatAddress, text: String) {
        add(Request(id: buddy, text: String(text.prefix(500))), to: \.requests)
    }

    func removeRequest(_ buddy: ChatAddress) { remove(buddy, from: \.requests) }

    /// Adds a request or an invitation, or replaces the one with its id.
    private func add<Item: Identifiable & Equatable>(
        _ item: Item, to list: ReferenceWritableKeyPath<BuddyList, [Item]>
    ) {
        if let index = self[keyPath: list].firstIndex(where: { $0.id == item.id }) {
            guard self[keyPath: list][index] != item else { return }
            self[keyPath: list][index] = item
        } else {
            guard self[keyPath: list].count < Self.requestLimit else { return }
            self[keyPath: list].append(item)
        }
        observers.notify(.requests)
    }

    private func remove<Item: Identifiable>(
        _ id: Item.ID, from list: ReferenceWritableKeyPath<BuddyList, [Item]>
    ) {
        guard let index = self[keyPath: list].firstIndex(where: { $0.id == id }) else { return }
        self[keyPath: list].remove(at: index)
        observers.notify(.requests)
    }
}

// MARK: - Rooms

extension BuddyList {
    /// The rooms to store, in a stable order.
    var roomRecords: [RoomRecord] {
        people.values.compactMap(\.room?.record).sorted { $0.address < $1.address }
    }

    /// The nickname that the user chose in a room of the list; nil if there is none.
    var lastNickname: String? { roomRecords.first?.nickname }

    func set(_ room: Room) {
        change(room.address) {
            $0.room = room
            $0.take($0.record, sortKey: sortKey)
        }
    }

    func removeRoom(_ room: ChatAddress) {
        guard people[room]?.room != nil else { return }
        change(room) {
            ($0.room, $0.isHeard, $0.isMentioned) = (nil, false, false)
            $0.take($0.record, sortKey: sortKey)
        }
    }

    func setMentioned(_ room: ChatAddress) { change(room) { $0.isMentioned = true } }

    func add(_ invitation: RoomInvitation) {
        guard people[invitation.room]?.room?.standing != .joined else { return }
        add(invitation, to: \.invitations)
    }

    func removeInvitation(to room: ChatAddress) { remove(room, from: \.invitations) }
}

// MARK: - Rows

extension BuddyList {
    private func change(_ address: ChatAddress, _ body: (inout Buddy) -> Void) {
        let known = people[address]
        var buddy = known ?? Buddy(address, person(address), folding: folding)
        if known == nil { buddy.take(nil, sortKey: sortKey) }
        let (before, wasShown) = (buddy.row, known != nil && buddy.isShown)
        let (unreadBefore, placeBefore) = (buddy.countedUnread, BuddyOrder.Group(of: buddy, sorting))
        body(&buddy)
        people[address] = buddy
        unread += buddy.countedUnread - unreadBefore
        let (row, isShown) = (buddy.row, buddy.isShown)
        if row.isTyping != before.isTyping { observers.notify(.typing(address)) }
        guard wasShown == isShown, row.name == before.name, row.availability == before.availability,
            // A changed name, or presence on the roster, can change which buddies a search finds.
            row.isListed == before.isListed, (row.room == nil) == (before.room == nil),
            keepsPlace(buddy, from: placeBefore)
        else { return arrangeSoon(Self.pause) }
        guard isShown, row != before else { return }
        observers.notify(.row(address))
    }

    /// Returns whether a change of its group or time leaves a row where it is, as a message does in the topmost conversation.
    private func keepsPlace(_ buddy: Buddy, from before: BuddyOrder.Group) -> Bool {
        let group = BuddyOrder.Group(of: buddy, sorting)
        guard group != before else { return true }
        guard !isMerged, nextArranged == nil, group.isSamePart(as: before),
            let index = order.firstIndex(of: buddy.address)
        else { return false }
        let neighbour = { [order, people] in order.indices.contains($0) ? people[order[$0]] : nil }
        return BuddyOrder.stands(buddy, between: neighbour(index - 1), neighbour(index + 1), sorting)
    }

    private func arrangeSoon(_ pause: Duration) {
        let next = max(clock.now, lastArranged.map { $0 + pause } ?? .zero)
        if let nextArranged, nextArranged <= next { return }
        nextArranged = next
        arranging.set(for: next)
    }

    private func arrange() {
        (lastArranged, nextArranged) = (clock.now, nil)
        order = sorted(where: \.isShown)
        observers.notify(.rows)
    }

    private func sorted(where isShown: (Buddy) -> Bool) -> [ChatAddress] {
        var shown = BuddyOrder(sorting)
        for buddy in people.values where isShown(buddy) { shown.add(buddy) }
        return shown.sorted()
    }

    private func endTyping() {
        for (buddy, end) in typingEnds where end <= clock.now { set(.active, of: buddy) }
        typingTimer.set(for: typingEnds.values.min())
    }
}
