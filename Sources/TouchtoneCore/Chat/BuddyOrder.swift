// SPDX-License-Identifier: GPL-3.0-or-later

/// The order of buddies: by availability, with free to chat and online as equals, then by name.
///
/// A list of thousands is sorted again and again while presence arrives. Therefore the sort moves small values, and
/// compares the whole names of only those buddies whose names begin alike.
struct BuddyOrder {
    private struct Place {
        let rank: Int
        /// The first 16 bytes of the sort key, as a number.
        let beginning: UInt128
        let index: Int
    }

    private var places: [Place] = []
    private var names: [(key: [UInt8], address: ChatAddress)] = []

    static func precedes(_ buddy: Buddy, _ other: Buddy) -> Bool {
        let (rank, otherRank) = (rank(of: buddy), rank(of: other))
        guard rank == otherRank else { return rank < otherRank }
        return buddy.sortKey.lexicographicallyPrecedes(other.sortKey)
    }

    private static func rank(of buddy: Buddy) -> Int {
        (buddy.availability == .chat ? .online : buddy.availability).rawValue
    }

    mutating func add(_ buddy: Buddy) {
        places.append(
            Place(
                rank: Self.rank(of: buddy),
                beginning: Self.beginning(of: buddy.sortKey), index: names.count))
        names.append((buddy.sortKey, buddy.address))
    }

    func sorted() -> [ChatAddress] {
        places.sorted { left, right in
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
