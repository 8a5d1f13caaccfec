// SPDX-License-Identifier: GPL-3.0-or-later

/// An item of a stored list.
protocol WindowItem: Identifiable<Int64> {
    /// The position in the list, whose items are in ascending order of their positions.
    var position: Int64 { get }
}

/// The loaded items of a stored list: a contiguous range of them, in order.
struct PagedWindow<Item: WindowItem> {
    enum Change {
        /// Items were added, after all others or before them.
        case inserted([Item], atEnd: Bool)
        /// A loaded item changed, at the same position.
        case changed(Item)
        /// The items with these IDs were removed.
        case removed([Int64])
    }

    struct Page {
        let items: [Item]
        /// Whether the store has more items in the direction in which it was read.
        let hasMore: Bool

        /// Creates a page of `count` items of those read, which are up to one more, to learn whether there are more.
        ///
        /// - Parameter atEnd: Whether the surplus item is the first one, not the last.
        init(_ read: [Item], count: Int = size, atEnd: Bool = false) {
            items = Array(atEnd ? read.suffix(count) : read.prefix(count))
            hasMore = read.count > count
        }

        /// The usual number of items in a page.
        static var size: Int { 100 }
    }

    private(set) var items: [Item] = []
    /// Whether the store has items before the first, and after the last loaded one.
    private(set) var (hasBefore, hasAfter) = (false, false)

    /// The number of items to keep in memory; up to twice as many while the view is not at the end.
    static var limit: Int { 300 }

    mutating func reset(_ items: [Item], hasBefore: Bool, hasAfter: Bool) {
        (self.items, self.hasBefore, self.hasAfter) = (items, hasBefore, hasAfter)
    }

    /// Adds items before the first one, and drops items from the end above the limit.
    @discardableResult
    mutating func prepend(_ page: [Item], hasMore: Bool) -> [Change] {
        let first = items.first?.position ?? .max
        let new = page.filter { $0.position < first }
        hasBefore = hasMore
        items.insert(contentsOf: new, at: 0)
        let dropped = items.suffix(max(0, items.count - Self.limit))
        items.removeLast(dropped.count)
        hasAfter = hasAfter || !dropped.isEmpty
        return Self.changes(dropped: dropped, new: new, atEnd: false)
    }

    /// Adds items after the last one, and drops items from the beginning above the limit.
    @discardableResult
    mutating func append(_ page: [Item], hasMore: Bool) -> [Change] {
        let last = items.last?.position ?? .min
        let new = page.filter { $0.position > last }
        hasAfter = hasMore
        items += new
        return Self.changes(dropped: trimBeginning(), new: new, atEnd: true)
    }

    /// Applies changes of the list; unless the view is at the end, nothing is dropped where the user may
    /// read.
    mutating func take(_ inserted: [Item], changed: [Item], isAtEnd: Bool) -> [Change] {
        var changes: [Change] = []
        var moved: [Item] = []
        for item in changed {
            guard let index = items.firstIndex(where: { $0.id == item.id }) else {
                // The item may have moved to the end from outside the loaded range.
                moved.append(item)
                continue
            }
            guard items[index].position != item.position else {
                items[index] = item
                changes.append(.changed(item))
                continue
            }
            items.remove(at: index)
            changes.append(.removed([item.id]))
            moved.append(item)
        }
        return changes + add((inserted + moved).sorted { $0.position < $1.position }, isAtEnd: isAtEnd)
    }

    mutating func remove(_ ids: Set<Int64>) { items.removeAll { ids.contains($0.id) } }

    /// Changes all items, without moving them.
    mutating func update(_ change: (Item) -> Item) { items = items.map(change) }

    private mutating func add(_ new: [Item], isAtEnd: Bool) -> [Change] {
        var end: [Item] = []
        for item in new {
            if let first = items.first, item.position < first.position {
                // Items before the loaded ones are read on request.
                hasBefore = true
            } else if !hasAfter, item.position > items.last?.position ?? .min {
                guard isAtEnd || items.count < 2 * Self.limit else {
                    hasAfter = true
                    continue
                }
                items.append(item)
                end.append(item)
            }
        }
        guard !end.isEmpty else { return [] }
        let dropped = isAtEnd ? trimBeginning() : []
        let (droppedIDs, endIDs) = (Set(dropped.map(\.id)), Set(end.map(\.id)))
        return Self.changes(
            dropped: dropped.filter { !endIDs.contains($0.id) },
            new: end.filter { !droppedIDs.contains($0.id) },
            atEnd: true)
    }

    private mutating func trimBeginning() -> ArraySlice<Item> {
        let dropped = items.prefix(max(0, items.count - Self.limit))
        items.removeFirst(dropped.count)
        hasBefore = hasBefore || !dropped.isEmpty
        return dropped
    }

    private static func changes(dropped: some Sequence<Item>, new: [Item], atEnd: Bool) -> [Change] {
        let ids = dropped.map(\.id)
        return (ids.isEmpty ? [] : [.removed(ids)]) + (new.isEmpty ? [] : [.inserted(new, atEnd: atEnd)])
    }
}
