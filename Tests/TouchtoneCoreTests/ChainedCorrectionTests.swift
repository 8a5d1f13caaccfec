// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing

@testable import TouchtoneCore

/// Tests of corrections that name the previous correction, or have the ID of the message that they correct.
@Suite struct ChainedCorrectionTests {
    enum Form: CaseIterable {
        /// As the standard asks for.
        case original
        case previous
        case sameID
    }

    private static let count = 4

    /// Returns a message and its corrections, with texts from 1 on.
    private func messages(_ form: Form) -> [ReceivedMessage] {
        let name = { (index: Int) in "3d1c9f1e-0000-0000-0000-00000000000\(index)" }
        return (1...Self.count).map { index in
            let corrected = form == .previous ? name(index - 1) : name(1)
            return ReceivedMessage(
                buddy: ada, sender: .buddy, text: "\(index)", time: ChatTime(milliseconds: Int64(index)),
                name: form == .sameID ? name(1) : name(index), archiveName: "archive-\(index)",
                relation: index == 1 ? MessageRelation.none : .corrects(corrected, proof: .identity))
        }
    }

    /// The ways to split the messages into pages.
    private static var splits: [[Range<Int>]] {
        (0..<1 << (count - 1)).map { bits in
            let ends = (1..<count).filter { bits & 1 << ($0 - 1) != 0 } + [count]
            return zip([0] + ends, ends).map { $0..<$1 }
        }
    }

    private func check(_ updates: [MessageUpdate], _ what: String) throws {
        let table = MemoryMessageTable()
        for update in updates { _ = try MessageMerger.apply([update], to: table) }
        let once = table.messages(of: ada)
        #expect(once.map(\.text) == ["\(Self.count)"] && once.allSatisfy(\.isCorrected), "\(what)")
        // What is known already changes nothing.
        for update in updates { _ = try MessageMerger.apply([update], to: table) }
        #expect(table.messages(of: ada).map(\.text) == ["\(Self.count)"], "\(what), again")
        let together = MemoryMessageTable()
        _ = try MessageMerger.apply(updates, to: together)
        #expect(together.messages(of: ada).map(\.text) == ["\(Self.count)"], "\(what), together")
    }

    /// The messages may come live, in pages of what was missed, and in pages of older history, which overlap.
    @Test(arguments: Form.allCases) func lastCorrectionCountsInAnyPages(_ form: Form) throws {
        let messages = messages(form)
        let newest = { (range: Range<Int>) in
            MessageUpdate.archived(ArchivePage(.newest(upTo: nil), Array(messages[range])))
        }
        let oldest = { (range: Range<Int>) in
            MessageUpdate.archived(ArchivePage(.oldest(of: ada), Array(messages[range])))
        }
        for pages in Self.splits {
            try check(pages.map(newest), "\(form) missed in \(pages)")
            try check(pages.reversed().map(oldest), "\(form) past in \(pages)")
            for first in 0..<Self.count {
                let live = messages[first...].map { MessageUpdate.received($0) }
                try check(
                    live + pages.reversed().map(oldest), "\(form) live from \(first), past in \(pages)")
            }
        }
    }

    /// Some apps mark the correction that a message had last as displayed, and not the message.
    @Test func markerOfCorrectionIsThatOfItsMessage() throws {
        let mine: [MessageUpdate] = [
            .composed(ComposedMessage(buddy: ada, name: "m1", text: "helo", time: ChatTime(milliseconds: 1))),
            .acknowledged(buddy: ada, name: "m1"),
            .corrected(buddy: ada, name: "m1", text: "hello", by: "c1"),
            .received(
                ReceivedMessage(
                    buddy: ada, sender: .me, text: "hello", time: ChatTime(milliseconds: 2), name: "c1",
                    archiveName: "a2", relation: .corrects("m1", proof: .identity))),
        ]
        for marker: MessageUpdate in [.read(buddy: ada, name: "c1"), .readInRoom(ada, archiveName: "a2")] {
            let table = MemoryMessageTable()
            for update in mine + [marker] { _ = try MessageMerger.apply([update], to: table) }
            #expect(table.messages(of: ada).map(\.state) == [.read], "\(marker)")
        }
        let theirs = [
            received("Te?", archiveName: "a1", name: "m1"),
            received("Tea?", archiveName: "a2", name: "c1", corrects: "m1"),
        ]
        for mark: SeenMark in [.name("c1"), .archiveName("a2")] {
            let table = MemoryMessageTable()
            _ = try MessageMerger.apply(theirs + [.seen(buddy: ada, upTo: mark)], to: table)
            #expect(table.messages(of: ada).map(\.isUnread) == [false], "\(mark)")
        }
    }

    @Test func correctionWithoutArchiveNamesPreviousOne() throws {
        let table = MemoryMessageTable()
        _ = try MessageMerger.apply(
            [
                received("1", name: "m1"), received("2", name: "c1", corrects: "m1"),
                received("3", name: "c2", corrects: "c1"), received("4", name: "m1", corrects: "m1"),
                received("5", name: "m1", corrects: "m1"),
            ], to: table)
        #expect(table.messages(of: ada).map(\.text) == ["5"])
    }

    /// Some apps number their messages from 1 at each start.
    @Test func numberOfEarlierCorrectionIsThatOfNewMessage() throws {
        let table = MemoryMessageTable()
        _ = try MessageMerger.apply(
            [
                received("old", name: "1"), received("older", name: "2", corrects: "1"),
                received("helo", name: "2"), received("hello", name: "3", corrects: "2"),
            ], to: table)
        #expect(table.messages(of: ada).map(\.text) == ["older", "hello"])
    }

    /// Bridges name a message by the ID that their archive gave it (dino/dino#1470).
    @Test func correctionNamesMessageByItsArchiveID() throws {
        let original = ReceivedMessage(
            buddy: ada, sender: .me, text: "helo", time: ChatTime(milliseconds: 1),
            name: "the-id-that-the-app-gave", archiveName: "$event")
        let correction = ReceivedMessage(
            buddy: ada, sender: .me, text: "hello", time: ChatTime(milliseconds: 2), name: "$other",
            archiveName: "$other", relation: .corrects("$event", proof: .identity))
        let newest = { (page: ReceivedMessage...) in
            MessageUpdate.archived(ArchivePage(.newest(upTo: nil), page))
        }
        let oldest = { (page: ReceivedMessage...) in
            MessageUpdate.archived(ArchivePage(.oldest(of: ada), page))
        }
        try check([.received(original), .received(correction)], ["hello"])
        try check([.received(original), newest(correction)], ["hello"])
        try check([newest(original, correction)], ["hello"])
        try check([oldest(original, correction)], ["hello"])
        try check([.received(original), oldest(original, correction)], ["hello"])
        // Nobody corrects the message of somebody else.
        var forged = correction
        forged.sender = .buddy
        try check([.received(original), .received(forged)], ["helo", "hello"])
    }

    private func check(_ updates: [MessageUpdate], _ texts: [String]) throws {
        let table = MemoryMessageTable()
        for _ in 1...2 {
            for update in updates { _ = try MessageMerger.apply([update], to: table) }
            #expect(table.messages(of: ada).map(\.text) == texts)
        }
    }

    @Test func chainOfSomebodyElseCountsForNobody() throws {
        let table = MemoryMessageTable()
        _ = try MessageMerger.apply(
            [
                received("mine", sender: .me, name: "m1"),
                received("my own", sender: .me, name: "c1", corrects: "m1"),
                received("evil", name: "c2", corrects: "c1"),
            ], to: table)
        #expect(table.messages(of: ada).map(\.text) == ["my own", "evil"])
    }

    /// Rings and long chains end.
    @Test func anyChainEnds() throws {
        let table = MemoryMessageTable()
        let names = (0..<300).map { "correction-number-\($0)" }
        let chain = names.indices.map { index in
            received("\(index)", name: names[index], corrects: names[(index + 1) % names.count])
        }
        for updates in [chain, chain.reversed(), chain.shuffled()] {
            for update in updates { _ = try MessageMerger.apply([update], to: table) }
        }
        #expect(table.messages(of: ada).count <= names.count)
    }
}
