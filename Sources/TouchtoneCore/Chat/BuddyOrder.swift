// SPDX-License-Identifier: GPL-3.0-or-later

/// The order of the list: pinned conversations, the other conversations by their last messages, and the people without a
/// conversation by availability, with free to chat and online as equals, then by name.
///
/// A list of thousands is sorted again and again while presence arrives. Therefore the sort moves small values, and
/// compares the whole names of only those buddies whose names begin alike.
public struct BuddyOrder {
    public enum Sorting: Sendable {
        /// Conversations by the time of the last message, the newest first.
        case byTime
        /// All rows by availability and name.
        case byPresence
    }

    /// The part of the list to which a row belongs, and the row’s time in it.
    struct Group: Hashable {
        private let number: Int
        private let time: ChatTime
        /// Whether it is the last group, of the people without a conversation if conversations are sorted by time.
        var isOfPeople: Bool { number == 2 }

        init(of buddy: Buddy, _ sorting: Sorting) {
            let isTimed = sorting == .byTime && buddy.isConversation
            number = buddy.settings.contains(.pinned) ? 0 : isTimed ? 1 : 2
            time = isTimed ? buddy.last?.time ?? ChatTime(milliseconds: 0) : ChatTime(milliseconds: 0)
        }

        /// Returns whether only the times can differ.
        func isSamePart(as other: Group) -> Bool { number == other.number }

        /// Returns whether the row stands before one of another group or time; nil if the rest decides.
        func precedes(_ other: Group) -> Bool? {
            if number != other.number { return number < other.number }
            return time == other.time ? nil : time > other.time
        }
    }

    private struct Place {
        let group: Group
        let rank: Int
        /// The first 16 bytes of the sort key, as a number.
        let beginning: UInt128
        let index: Int
    }

    private let sorting: Sorting
    private var places: [Place] = []
    private var names: [(key: [UInt8], address: ChatAddress)] = []

    init(_ sorting: Sorting) { self.sorting = sorting }

    static func precedes(_ buddy: Buddy, _ other: Buddy, _ sorting: Sorting) -> Bool {
        if let precedes = Group(of: buddy, sorting).precedes(Group(of: other, sorting)) { return precedes }
        let (rank, otherRank) = (rank(of: buddy), rank(of: other))
        guard rank == otherRank else { return rank < otherRank }
        return buddy.sortKey.lexicographicallyPrecedes(other.sortKey)
    }

    /// Returns whether a buddy’s row stands in order between two others; nil if there is none.
    static func stands(
        _ buddy: Buddy, between above: Buddy?, _ below: Buddy?, _ sorting: Sorting
    ) -> Bool {
        above.map { precedes(buddy, $0, sorting) } != true
            && below.map { precedes($0, buddy, sorting) } != true
    }

    private static func rank(of buddy: Buddy) -> Int {
        (buddy.availability == .chat ? .online : buddy.availability).rawValue
    }

    mutating func add(_ buddy: Buddy) {
        places.append(
            Place(
                group: Group(of: buddy, sorting), rank: Self.rank(of: buddy),
                beginning: Self.beginning(of: buddy.sortKey), index: names.count))
        names.append((buddy.sortKey, buddy.address))
    }

    func sorted() -> [ChatAddress] {
        places.sorted { left, right in
            if let precedes = left.group.precedes(right.group) { return precedes }
            guard left.rank == right.rank else { return left.rank < right.rank }
            guard left.beginning == right.beginning else { return left.beginning < right.beginning }
            let (name, other) = (names[left.index], names[right.index])
            guard name.key == other.key else { return name.key.lexicographicallyPrecedes(other.key) }
            return name.address < other.address
        }.map { names[$0.index].address }
    }

    private static func beginning(of key: [UInt8]) -> UInt128 {
        var number: UInt128 = 0
        for index in 0..<16 { number = number << 8 | UInt128(index < key.count ? key[index] : 0) }
        return number
    }
}
