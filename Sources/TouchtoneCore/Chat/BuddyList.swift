// SPDX-License-Identifier: GPL-3.0-or-later

/// The buddies, as the panel lists them: one row for each, however many devices they have.
///
/// Rows are in the list if they are in the service's list of buddies, if they have written something that is not seen,
/// or if something was said in this run; a search finds the others with a conversation, too.
@MainActor
public final class BuddyList {
    /// What is shown of a buddy.
    public struct Row: Hashable, Identifiable, Sendable {
        /// Who it is.
        public let id: ChatAddress
        /// What it is called; never empty.
        public var name: String
        /// How it is here.
        public var availability: Availability
        /// Its own words; often empty.
        public var status: String
        /// How many of its messages are not seen.
        public var unread: Int
        /// Whether it was asked for its presence, and has not answered.
        public var isAsked: Bool
        /// Whether it is typing.
        public var isTyping: Bool
        /// Whether it is in the list of buddies, and no stranger who wrote.
        public var isListed: Bool
        /// Whether nothing is heard from it.
        public var isBlocked: Bool
        /// Whether it is the practice exchange's.
        public var isOperator: Bool
    }

    /// Somebody who wants to see my presence.
    public struct Request: Hashable, Identifiable, Sendable {
        /// Who.
        public let id: ChatAddress
        /// With these words; often empty.
        public var text: String
    }

    /// What is another.
    public enum Change: Hashable, Sendable {
        /// Which rows there are, or their order. Many changes at once are told as one.
        case rows
        /// A row, which stays where it is.
        case row(ChatAddress)
        /// The requests.
        case requests
        /// A picture.
        case picture(ChatAddress)
    }

    /// The rows that are shown: the available first, then by name.
    public private(set) var rows: [Row] = []
    /// What is searched for: a part of a name or an address, a number, or a name typed on the keypad.
    ///
    /// Empty is all.
    public var filter = "" {
        didSet {
            guard filter != oldValue else { return }
            query = BuddyQuery(filter, by: folding)
            arrangeSoon(.zero)
        }
    }
    /// Who wants to see my presence, the oldest first.
    public private(set) var requests: [Request] = []
    /// How many buddies are here.
    public private(set) var onlineCount = 0
    /// How many messages are not seen, of all buddies.
    public private(set) var unread = 0
    /// From whom nothing is heard.
    public private(set) var blocked: Set<ChatAddress> = []
    /// What names are sorted by, byte by byte: the language's order is the program's to know.
    public var sortKey: @MainActor (String) -> [UInt8] = { Array(SearchText.folded($0).utf8) } {
        didSet {
            for address in people.keys { people[address]?.sort(by: sortKey) }
            arrangeSoon(.zero)
        }
    }

    /// How letters are made plain, for the search and for T9.
    ///
    /// To be set before the chat is started.
    public var folding = LetterFolding.simple

    /// Rows are arranged at most so often, so that a thousand who come are not a thousand arrangements.
    static let pause: Duration = .milliseconds(100)
    /// More who ask, or who are there unasked, than anybody has; what comes above that is passed over.
    static let requestLimit = 200
    static let peopleLimit = 50_000

    private let clock: any Scheduler
    private var people: [ChatAddress: Buddy] = [:]
    private var positions: [ChatAddress: Int] = [:]
    private var pictures = AvatarCache()
    private var query = BuddyQuery("")
    private var lastArranged: Duration?
    private var nextArranged: Duration?
    /// Until when they are believed to be typing.
    private var typingEnds: [ChatAddress: Duration] = [:]
    private let observers = Observers<Change>()
    private lazy var arranging = DeadlineTimer(clock: clock) { [weak self] in self?.arrange() }
    private lazy var typingTimer = DeadlineTimer(clock: clock) { [weak self] in self?.endTyping() }
    /// Told of each buddy whose typing is another.
    var onTyping: (@MainActor (ChatAddress) -> Void)?

    init(clock: any Scheduler) { self.clock = clock }

    /// Calls `body` after each change, as long as `owner` is there.
    public func observe(by owner: AnyObject, _ body: @escaping @MainActor (Change) -> Void) {
        observers.add(owner, body)
    }

    /// What is known of somebody, whether its row is shown or not; nil if nothing is.
    public func row(of buddy: ChatAddress) -> Row? { people[buddy]?.row }

    /// What to call somebody, known or not; never empty.
    public func name(of buddy: ChatAddress) -> String { people[buddy]?.name ?? Buddy.name(of: buddy) }

    /// The picture of a buddy, as the file that it was published as; nil is none.
    public func picture(of buddy: ChatAddress) -> [UInt8]? { pictures[buddy] }
}

// MARK: - What Chat asks

extension BuddyList {
    /// The service's list as it is to be kept, in the same order each time.
    var records: [BuddyRecord] {
        people.values.compactMap(\.record).filter { $0.address != .operatorAddress }.sorted {
            $0.address < $1.address
        }
    }

    func unread(of buddy: ChatAddress) -> Int { people[buddy]?.unread ?? 0 }
    func typing(of buddy: ChatAddress) -> Typing { people[buddy]?.typing ?? .active }

    /// Whether it may know that I am here: receipts and typing tell it (XEP-0184 section 8, XEP-0085 section 7).
    func isTold(_ buddy: ChatAddress) -> Bool {
        buddy == .operatorAddress || people[buddy]?.record?.toldByMe == true && !blocked.contains(buddy)
    }
}

// MARK: - What Chat tells

extension BuddyList {
    /// The whole list of one service, in place of what was in it of those that the service carries.
    func set(_ records: [BuddyRecord], carried: (ChatAddress) -> Bool) {
        var gone = Set(people.values.filter { $0.record != nil && carried($0.address) }.map(\.address))
        for record in records {
            gone.remove(record.address)
            change(record.address) { $0.take(record, sortKey: sortKey) }
        }
        for address in gone { remove(address) }
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
        // A device that goes, and was never there, leaves nothing behind.
        guard people[buddy] != nil || presence != nil && people.count < Self.peopleLimit else { return }
        change(buddy) {
            let isAnother = $0.set(presence, of: device)
            // Who is gone types no more.
            if isAnother, $0.availability == .offline { $0.typing = .active }
        }
    }

    func forgetPresence(where carried: (ChatAddress) -> Bool) {
        for address in people.keys where carried(address) {
            change(address) { if $0.forgetPresence() { $0.typing = .active } }
        }
    }

    func set(_ typing: Typing, of buddy: ChatAddress) {
        guard people[buddy] != nil else { return }
        change(buddy) { $0.typing = typing }
        typingEnds[buddy] = typing == .composing ? clock.now + ChatTiming.maximumTypingTime : nil
        typingTimer.set(for: typingEnds.values.min())
    }

    func setUnread(_ counts: [ChatAddress: Int]) {
        for (buddy, count) in counts { change(buddy) { $0.unread = count } }
    }

    /// Those who are not named have none.
    func setAllUnread(_ counts: [ChatAddress: Int]) {
        for (address, buddy) in people where buddy.unread > 0 && counts[address] == nil {
            change(address) { $0.unread = 0 }
        }
        setUnread(counts)
    }

    /// Something is said with somebody, or its conversation is open.
    func hear(_ buddy: ChatAddress) { change(buddy) { $0.isHeard = true } }

    /// Somebody is known by a conversation from before.
    func know(_ buddy: ChatAddress) { change(buddy) { _ in } }

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

    /// All are gone but the exchange's.
    func forget() {
        people = people.filter { $0.key == .operatorAddress }
        typingEnds = typingEnds.filter { $0.key == .operatorAddress }
        typingTimer.set(for: typingEnds.values.min())
        unread = people[.operatorAddress]?.unread ?? 0
        (blocked, pictures, requests) = ([], AvatarCache(), [])
        observers.notify(.requests)
        arrange()
    }

    func addRequest(_ buddy: ChatAddress, text: String) {
        let request = Request(id: buddy, text: String(text.prefix(500)))
        if let index = requests.firstIndex(where: { $0.id == buddy }) {
            guard requests[index] != request else { return }
            requests[index] = request
        } else {
            guard requests.count < Self.requestLimit else { return }
            requests.append(request)
        }
        observers.notify(.requests)
    }

    func removeRequest(_ buddy: ChatAddress) {
        guard let index = requests.firstIndex(where: { $0.id == buddy }) else { return }
        requests.remove(at: index)
        observers.notify(.requests)
    }
}

// MARK: - Rows

extension BuddyList {
    /// Changes what is known of somebody, and tells what that changes of the rows.
    private func change(_ address: ChatAddress, _ body: (inout Buddy) -> Void) {
        let known = people[address]
        var buddy = known ?? Buddy(address, folding: folding)
        if known == nil { buddy.take(nil, sortKey: sortKey) }
        let (before, wasShown) = (buddy.row, known != nil && isShown(buddy))
        body(&buddy)
        people[address] = buddy
        unread += buddy.unread - before.unread
        let (row, isShown) = (buddy.row, isShown(buddy))
        if row.isTyping != before.isTyping { onTyping?(address) }
        guard wasShown == isShown, row.name == before.name, row.availability == before.availability,
            // The search may find it by another name only.
            row.isListed == before.isListed
        else { return arrangeSoon(Self.pause) }
        guard isShown, row != before, let position = positions[address] else { return }
        rows[position] = row
        observers.notify(.row(address))
    }

    private func isShown(_ buddy: Buddy) -> Bool {
        query.isEmpty ? buddy.isShown : query.finds(buddy.nameText, buddy.addressText)
    }

    private func arrangeSoon(_ pause: Duration) {
        let next = max(clock.now, lastArranged.map { $0 + pause } ?? .zero)
        if let nextArranged, nextArranged <= next { return }
        nextArranged = next
        arranging.set(for: next)
    }

    private func arrange() {
        (lastArranged, nextArranged) = (clock.now, nil)
        let shown = people.values.filter(isShown).sorted(by: Buddy.standsBefore)
        rows = shown.map(\.row)
        positions = Dictionary(uniqueKeysWithValues: rows.enumerated().map { ($1.id, $0) })
        onlineCount = people.values.count { $0.isShown && $0.availability != .offline }
        observers.notify(.rows)
    }

    private func endTyping() {
        for (buddy, end) in typingEnds where end <= clock.now { set(.active, of: buddy) }
        typingTimer.set(for: typingEnds.values.min())
    }
}
