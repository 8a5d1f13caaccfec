// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import TestSupport
import Testing

@testable import TouchtoneCore

/// The window is always a contiguous part of the store, and its notifications lead from one state to the next.
@Suite struct LoadedMessagesTests {
    @Test(arguments: Seeds.all)
    func loadedMessagesAreContiguousPartOfStore(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let table = MemoryMessageTable()
        _ = try MessageMerger.apply(many(700), to: table)
        var window = LoadedMessages()
        window.reset(table.messages(of: ada, before: nil, count: 100), hasOlder: true, hasNewer: false)
        var shown = window.messages
        var count = 700
        for step in 0..<200 {
            var changes: [Conversation.Change] = []
            switch Int.random(in: 0..<6, using: &random) {
            case 0:
                let first = window.messages.first?.place
                let page = table.messages(of: ada, before: first, count: 100)
                changes = window.prepend(page, hasMore: page.first != table.messages(of: ada).first)
            case 1 where window.hasNewer:
                let page = table.messages(of: ada, from: (window.messages.last?.place ?? 0) + 1, count: 100)
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
                        moves ? .postponed(buddy: ada, name: name) : .acknowledged(buddy: ada, name: name))
                }
                let result = try MessageMerger.apply(facts, to: table)
                changes = window.take(
                    result.inserted, changed: result.changed, isAtEnd: Bool.random(using: &random))
            }
            for change in changes { apply(change, to: &shown) }
            let all = table.messages(of: ada)
            try #require(window.messages.count <= 900)
            guard let first = window.messages.first, let start = all.firstIndex(of: first) else {
                Issue.record("step \(step): the window begins with what is not kept")
                return
            }
            try #require(
                all[start...].prefix(window.messages.count).elementsEqual(window.messages), "step \(step)")
            try #require(window.hasOlder || start == 0, "step \(step)")
            try #require(window.hasNewer || window.messages.last == all.last, "step \(step)")
            try #require(shown == window.messages, "step \(step)")
        }
    }

    private func apply(_ change: Conversation.Change, to shown: inout [ChatMessage]) {
        switch change {
        case .inserted(let messages, let atEnd):
            shown.insert(contentsOf: messages, at: atEnd ? shown.count : 0)
        case .changed(let message):
            if let index = shown.firstIndex(where: { $0.id == message.id }) { shown[index] = message }
        case .removed(let ids): shown.removeAll { ids.contains($0.id) }
        default: break
        }
    }
}
