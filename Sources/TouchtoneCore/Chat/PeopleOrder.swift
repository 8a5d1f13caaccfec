// SPDX-License-Identifier: GPL-3.0-or-later

/// The people in a room while they are put in order: the moderators first, then by nickname.
///
/// To sort thousands at once would delay a frame, so each call of `advance` sorts only some of them.
@MainActor
public struct PeopleOrder {
    /// The number of people that one call sorts.
    public static let slice = 250

    private struct Entry {
        let person: RoomPerson
        let key: [UInt8]

        func precedes(_ other: Entry) -> Bool {
            let (first, second) = (person.role == .moderator, other.person.role == .moderator)
            guard first == second else { return first }
            return key.lexicographicallyPrecedes(other.key)
        }
    }

    private var waiting: ArraySlice<RoomPerson>
    private var sorted: [Entry] = []
    private let sortKey: @MainActor (String) -> [UInt8]

    /// - Parameter sortKey: The function that returns the key by which a nickname is sorted, compared byte by byte.
    init(_ people: [RoomPerson], by sortKey: @escaping @MainActor (String) -> [UInt8]) {
        (waiting, self.sortKey) = (people[...], sortKey)
    }

    /// The people in order; nil until all are sorted.
    public var people: [RoomPerson]? { waiting.isEmpty ? sorted.map(\.person) : nil }

    /// Sorts some more people, and returns whether all are sorted.
    public mutating func advance() -> Bool {
        let next = waiting.prefix(Self.slice).map { Entry(person: $0, key: sortKey($0.nickname)) }
        waiting = waiting.dropFirst(Self.slice)
        merge(next.sorted { $0.precedes($1) })
        return waiting.isEmpty
    }

    private mutating func merge(_ next: [Entry]) {
        var merged: [Entry] = []
        merged.reserveCapacity(sorted.count + next.count)
        var index = 0
        for entry in next {
            while index < sorted.count, !entry.precedes(sorted[index]) {
                merged.append(sorted[index])
                index += 1
            }
            merged.append(entry)
        }
        merged += sorted[index...]
        sorted = merged
    }
}
