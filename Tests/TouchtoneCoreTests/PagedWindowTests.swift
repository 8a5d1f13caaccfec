// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import TestSupport
import Testing

@testable import TouchtoneCore

/// The window is always a contiguous part of the store, and its notifications lead from one state to the next.
@Suite struct PagedWindowTests {
    /// With the last seed, all loaded items move to the end.
    @Test(arguments: Seeds.all + [14_238_086_465_670_460_776])
    func loadedItemsAreContiguousPartOfStore(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let table = MemoryMessageTable()
        _ = try MessageMerger.apply(many(700), to: table)
        var window = PagedWindow<ChatMessage>()
        window.reset(table.messages(of: ada, before: nil, count: 100), hasBefore: true, hasAfter: false)
        var shown = window.items
        var count = 700
        for step in 0..<200 {
            var changes: [PagedWindow<ChatMessage>.Change] = []
            switch Int.random(in: 0..<6, using: &random) {
            case 0:
                let first = window.items.first?.place
                let page = table.messages(of: ada, before: first, count: 100)
                changes = window.prepend(page, hasMore: page.first != table.messages(of: ada).first)
            case 1 where window.hasAfter:
                let page = table.messages(of: ada, from: (window.items.last?.place ?? 0) + 1, count: 100)
                changes = window.append(page, hasMore: page.last != table.messages(of: ada).last)
            default:
                var facts: [MessageUpdate] = []
                for _ in 0..<Int.random(in: 1...40, using: &random) {
                    count += 1
                    let name = "w\(count)"
                    facts.append(
                        Bool.random(using: &random)
                            ? received("\(count)")
                            : .composed(
                                ComposedMessage(
                                    buddy: ada, name: name, text: name, time: ChatTime(milliseconds: 0))))
                }
                if let one = table.messages(of: ada).filter({ $0.state == .waiting }).randomElement(
                    using: &random)
                {
                    let (moves, name) = (Bool.random(using: &random), one.name ?? "")
                    facts.append(
                        moves ? .postponedWaiting(ada) : .acknowledged(buddy: ada, name: name))
                }
                let result = try MessageMerger.apply(facts, to: table)
                changes = window.take(
                    result.inserted, changed: result.changed, isAtEnd: Bool.random(using: &random))
            }
            for change in changes { apply(change, to: &shown) }
            let all = table.messages(of: ada)
            try #require(window.items.count <= 900)
            if window.items.isEmpty {
                try #require(window.hasBefore && window.hasAfter, "step \(step)")
                continue
            }
            guard let first = window.items.first, let start = all.firstIndex(of: first) else {
                Issue.record("step \(step): the window begins with what is not kept")
                return
            }
            try #require(
                all[start...].prefix(window.items.count).elementsEqual(window.items), "step \(step)")
            try #require(window.hasBefore || start == 0, "step \(step)")
            try #require(window.hasAfter || window.items.last == all.last, "step \(step)")
            try #require(shown == window.items, "step \(step)")
        }
    }

    private func apply(_ change: PagedWindow<ChatMessage>.Change, to shown: inout [ChatMessage]) {
        switch change {
        case .inserted(let messages, let atEnd):
            shown.insert(contentsOf: messages, at: atEnd ? shown.count : 0)
        case .changed(let message):
            if let index = shown.firstIndex(where: { $0.id == message.id }) { shown[index] = message }
        case .removed(let ids): shown.removeAll { ids.contains($0.id) }
        }
    }

    // MARK: Pages

    private struct Item: WindowItem, Equatable {
        let id: Int64
        var position: Int64
        init(_ id: Int64, at position: Int64? = nil) { (self.id, self.position) = (id, position ?? id) }
    }

    private static func items(_ ids: ClosedRange<Int64>) -> [Item] { ids.map { Item($0) } }

    @Test func pageHasMoreIfOneMoreThanRequestedWasRead() {
        typealias Page = PagedWindow<Item>.Page
        let (three, two) = (Self.items(1...3), Self.items(1...2))
        #expect(Page(three, count: 2).items == two && Page(three, count: 2).hasMore)
        #expect(Page(three, count: 2, atEnd: true).items == Self.items(2...3))
        #expect(Page(two, count: 2).items == two && !Page(two, count: 2).hasMore)
        #expect(!Page(Self.items(1...100)).hasMore && Page(Self.items(1...101)).hasMore)
    }

    @Test func itemsAboveLimitAreDroppedFromOtherEnd() {
        var window = PagedWindow<Item>()
        window.reset(Self.items(101...350), hasBefore: true, hasAfter: false)
        window.prepend(Self.items(1...110), hasMore: false)
        #expect(window.items == Self.items(1...300), "each item once")
        #expect(!window.hasBefore && window.hasAfter)
        window.append(Self.items(291...350), hasMore: false)
        #expect(window.items == Self.items(51...350))
        #expect(window.hasBefore && !window.hasAfter)
    }

    @Test func itemsAreRemovedAndUpdatedInPlace() {
        var window = PagedWindow<Item>()
        window.reset(Self.items(1...4), hasBefore: false, hasAfter: false)
        window.remove([2, 9])
        window.update { Item($0.id, at: $0.position + 10) }
        #expect(window.items == [Item(1, at: 11), Item(3, at: 13), Item(4, at: 14)])
    }
}
