// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import TestSupport
import Testing

@testable import TouchtoneCore

/// Tests of reactions (XEP-0444) and retractions (XEP-0424, XEP-0425), which may come before their messages.
@Suite struct MessageAnnotationTests {
    private static let alan = MessageSender.occupant(RoomOccupant(nickname: "alan", id: "o-alan"))
    private static let mallory = MessageSender.occupant(RoomOccupant(nickname: "alan", id: "o-mallory"))
    private static let original = "a-name-that-nobody-gives-twice"
    private static let (first, second) = ("the-name-of-a-correction", "the-name-of-another-correction")

    private static func said(
        _ text: String, by sender: MessageSender = .buddy, name: String = original,
        archiveName: String? = nil,
        corrects: String? = nil
    ) -> MessageUpdate {
        received(text, sender: sender, archiveName: archiveName, name: name, corrects: corrects)
    }

    private static func note(
        _ kind: MessageAnnotation.Kind, by sender: MessageSender = .buddy, at time: Int64 = 10,
        of reference: MessageReference = .stanza(original), proof: SenderProof = .identity
    ) -> MessageUpdate {
        .annotated(
            MessageAnnotation(
                kind, of: reference, buddy: ada, sender: sender, proof: proof,
                time: ChatTime(milliseconds: time), name: "r\(time)"))
    }

    /// The part of a message that a user sees.
    private struct Shown: Hashable {
        let text: String
        let isCorrected, isUnread: Bool
        let retraction: MessageRetraction?
        let reactions: [MessageReaction]
        var isRetracted: Bool { retraction != nil }

        init(_ message: ChatMessage) {
            (text, isCorrected, isUnread) = (message.text, message.isCorrected, message.isUnread)
            (retraction, reactions) = (message.retraction, message.reactions)
        }
    }

    private static func shown(_ updates: [MessageUpdate]) throws -> [Shown] {
        let table = MemoryMessageTable()
        // Each update comes alone, as it does from a stream.
        for update in updates { _ = try MessageMerger.apply([update], to: table) }
        #expect(table.unreadCount(ada) == table.messages(of: ada).count { $0.isUnread })
        return table.messages(of: ada).map(Shown.init)
    }

    private static func emoji(_ updates: MessageUpdate...) throws -> [[[String]]] {
        try shown(updates).map { $0.reactions.map(\.emoji) }
    }

    private static func texts(_ updates: MessageUpdate...) throws -> [String] {
        try shown(updates).map(\.text)
    }

    /// Calls `body` with each order of the values.
    private static func orders<Value>(_ values: [Value], _ body: ([Value]) throws -> Void) rethrows {
        func extend(_ chosen: [Value], _ rest: [Value]) throws {
            if rest.isEmpty { return try body(chosen) }
            for index in rest.indices {
                var others = rest
                let next = others.remove(at: index)
                try extend(chosen + [next], others)
            }
        }
        try extend([], values)
    }

    /// The updates of one message each: whatever their order, they end in the same state.
    private static let stories: [[MessageUpdate]] = [
        // The buddy's message and correction, and reactions of both.
        [
            said("helo"), said("hello", name: "c", corrects: original),
            note(.reaction(["👍"]), by: .me, at: 11),
            note(.reaction(["🎉", "👍"]), at: 12), note(.reaction([]), by: .me, at: 13),
            note(.reaction(["❤️"]), at: 12),
        ],
        // A retraction, besides those of others.
        [
            said("helo"), said("hello", name: "c", corrects: original), note(.retraction, at: 20),
            note(.retraction, at: 21), note(.reaction(["👍"]), by: .me, at: 11),
            note(.retraction, by: .me, at: 5),
        ],
        // A room with identifiers, and somebody who has taken the nickname.
        [
            said("helo", by: alan, archiveName: "a1"),
            note(.reaction(["👍"]), by: mallory, at: 11, of: .archive("a1")),
            note(.reaction(["👎"]), by: alan, at: 12, of: .archive("a1")),
            note(.retraction, by: mallory, at: 13, of: .archive("a1")),
            note(.reaction(["🎉"]), by: mallory, at: 14, of: .archive("a1")),
            note(.reaction(["👀"]), by: .me, at: 15, of: .archive("a1")),
        ],
        [
            said("spam", by: alan, archiveName: "a1"), said("more", by: alan, name: "c", corrects: original),
            note(.moderation(reason: "spam"), at: 20, of: .archive("a1")),
            note(
                .moderation(reason: "spam"), by: .occupant(RoomOccupant(nickname: "Grace")), at: 20,
                of: .archive("a1")),
            note(.retraction, by: alan, at: 22, of: .archive("a1")),
            note(.reaction(["👍"]), by: mallory, at: 11, of: .archive("a1")),
            note(.retraction, by: mallory, at: 1, of: .archive("a1")),
        ],
        // Bridges name the correction by its ID in the archive.
        [
            said("helo", by: alan, archiveName: "a1"),
            said("hello", by: alan, name: "c", archiveName: "a2", corrects: original),
            note(.reaction(["👍"]), by: mallory, at: 11, of: .archive("a2")),
            note(.reaction(["👎"]), by: mallory, at: 12, of: .archive("a1")),
            note(.reaction(["🎉"]), by: .me, at: 13, of: .archive("a2")),
            note(.retraction, by: mallory, at: 14, of: .archive("a2")),
        ],
        [
            said("spam", by: alan, archiveName: "a1"),
            said("more", by: alan, name: "c", archiveName: "a2", corrects: original),
            note(.moderation(reason: "spam"), at: 20, of: .archive("a2")),
            note(.reaction(["👍"]), by: mallory, at: 11, of: .archive("a2")),
            note(.retraction, by: alan, at: 22, of: .archive("a2")),
        ],
        // The second correction names the first one.
        [
            said("helo", by: alan, archiveName: "a1"),
            said("hello", by: alan, name: first, archiveName: "a2", corrects: original),
            said("Hello", by: alan, name: second, archiveName: "a3", corrects: first),
            note(.reaction(["👍"]), by: mallory, at: 11, of: .archive("a3")),
            note(.reaction(["🎉"]), by: alan, at: 12, of: .archive("a2")),
        ],
        // People who write to each other name what the correction's sender called it.
        [
            said("helo"), said("hello", name: "c", corrects: original),
            note(.reaction(["👍"]), by: .me, at: 11, of: .stanza("c")),
            note(.reaction(["🎉"]), at: 12, of: .stanza("c")),
        ],
    ]

    @Test(arguments: stories.indices)
    func anyOrderEndsInSameState(_ index: Int) throws {
        let story = Self.stories[index]
        var random = SplitMix64(seed: UInt64(index))
        var states: Set<[Shown]> = []
        try Self.orders(story) { order in
            states.insert(try Self.shown(order))
            // Some come twice.
            var again = order
            again.insert(
                story[Int.random(in: 0..<story.count, using: &random)],
                at: Int.random(in: 0...story.count, using: &random))
            again += [order[0]]
            states.insert(try Self.shown(again))
        }
        #expect(states.count == 1)
        let shown = try #require(states.first)
        try #require(shown.count == 1)
        let isRetracted = [1, 3, 5].contains(index)
        #expect(shown[0].isRetracted == isRetracted && shown[0].text.isEmpty == isRetracted)
        #expect(shown[0].isUnread != isRetracted)
        #expect(shown[0].retraction?.moderator == (index == 3 ? "Grace" : nil))
        let emoji = [
            [["🎉", "👍"], []], [], [["👎"], ["🎉"], ["👀"]], [], [["👎"], ["🎉"]], [], [["👍"], ["🎉"]],
            [["👍"], ["🎉"]],
        ]
        #expect(shown[0].reactions.map(\.emoji) == emoji[index])
    }

    /// Conversations and bridges name the correction, and not its original.
    @Test func correctionIsNamedInPlaceOfItsOriginal() throws {
        let (said, corrected) = (Self.said("helo"), Self.said("hello", name: "c", corrects: Self.original))
        #expect(try Self.emoji(said, corrected, Self.note(.reaction(["👍"]), of: .stanza("c"))) == [[["👍"]]])
        #expect(try Self.emoji(said, Self.note(.reaction(["👍"]), of: .stanza("c"))) == [[]])
        #expect(try Self.texts(said, corrected, Self.note(.retraction, of: .stanza("c"))) == [""])
        let mine = Self.note(.retraction, by: .me, of: .stanza("c"))
        #expect(try Self.texts(said, corrected, mine) == ["hello"], "only the sender's own")
    }

    @Test func onlySenderOrRoomRetracts() throws {
        let (hello, archived) = (Self.said("hello"), Self.said("hello", by: Self.alan, archiveName: "a1"))
        #expect(try Self.texts(hello, Self.note(.retraction, by: .me)) == ["hello"])
        #expect(try Self.texts(hello, Self.note(.retraction, proof: .nothing)) == ["hello"])
        #expect(try Self.texts(Self.note(.retraction, proof: .nothing), hello) == ["hello"])
        // A moderator names messages by the room's ID alone.
        #expect(try Self.texts(hello, Self.note(.moderation(reason: ""))) == ["hello"])
        #expect(try Self.texts(Self.note(.moderation(reason: "")), hello) == ["hello"])
        let forged = Self.note(.retraction, by: Self.mallory, of: .archive("a1"))
        #expect(try Self.texts(archived, forged) == ["hello"])
        #expect(try Self.texts(forged, archived) == ["hello"])
        // The message came before the sender's stay in the room, at 1.
        let taken = Self.note(.retraction, proof: .stay(ChatTime(milliseconds: 2)))
        #expect(try Self.texts(hello, taken) == ["hello"])
        #expect(try Self.texts(taken, hello) == ["hello"])
        #expect(
            try Self.texts(hello, Self.note(.retraction, proof: .stay(ChatTime(milliseconds: 1)))) == [""])
    }

    @Test func retractedMessageStaysEmpty() throws {
        let (hello, retraction) = (Self.said("hello"), Self.note(.retraction))
        let correction = Self.said("hello again", name: "c", corrects: Self.original)
        #expect(try Self.texts(hello, retraction, correction) == [""])
        #expect(try Self.texts(hello, retraction, hello, Self.said("hello", archiveName: "a1")) == [""])
        #expect(try Self.texts(retraction, correction, Self.said("hello", archiveName: "a1")) == [""])
        let table = MemoryMessageTable()
        let file = SharedFile(url: "https://files.example.org/1/photo.jpg", name: "photo.jpg")
        let sent = ComposedMessage(
            buddy: ada, name: Self.original, content: MessageContent(file: file),
            time: ChatTime(milliseconds: 1))
        _ = try MessageMerger.apply(
            [
                .composed(sent), Self.note(.retraction, by: .me),
                .corrected(buddy: ada, name: Self.original, text: "again", by: "c"),
            ], to: table)
        #expect(table.messages(of: ada).map(\.text) == [""] && table.messages(of: ada)[0].file == nil)
        #expect(table.messages(of: ada)[0].correction == nil)
    }

    /// The archive tells its IDs of messages that came by the stream before.
    @Test func annotationWaitsForArchiveID() throws {
        let found = ReceivedMessage(
            buddy: ada, sender: Self.alan, text: "hello", time: ChatTime(milliseconds: 1),
            name: Self.original,
            archiveName: "a1")
        for end in [
            ArchivePage.End.newestOfRoom(ada, upTo: "a1"), .oldest(of: ada), .past(of: ada, rest: nil),
        ] {
            let updates = [
                Self.said("hello", by: Self.alan), Self.note(.reaction(["👍"]), of: .archive("a1")),
                .archived(ArchivePage(end, [found])),
            ]
            #expect(try Self.shown(updates).map { $0.reactions.map(\.emoji) } == [[["👍"]]])
        }
    }

    @Test func strangerFillsNoMemory() throws {
        let table = MemoryMessageTable()
        for number in 0..<10_000 {
            _ = try MessageMerger.apply(
                [Self.note(.reaction(["👍"]), at: Int64(number), of: .stanza("unknown \(number)"))], to: table)
        }
        #expect(table.unresolved(of: ada).count == MessageMerger.maximumUnresolved)
        // The newest are those that count.
        _ = try MessageMerger.apply([Self.said("hello", name: "unknown 9999")], to: table)
        #expect(table.messages(of: ada).map(\.reactions.count) == [1])
        let everybody = (0..<UnresolvedAnnotation.maximum + 100).map { number in
            MessageUpdate.annotated(
                MessageAnnotation(
                    .retraction, of: .stanza("unknown"), buddy: ChatAddress("stranger\(number)"),
                    sender: .buddy,
                    time: ChatTime(milliseconds: 1)))
        }
        _ = try MessageMerger.apply(everybody, to: table)
        #expect(table.unresolved(of: ChatAddress("stranger99")).isEmpty)
        #expect(table.unresolved(of: ChatAddress("stranger100")).count == 1)
    }

    /// Apps leave variation selectors out, or add them where none is needed (dino/dino#1461).
    @Test(arguments: [
        ("❤", "❤️"), ("🥲\u{FE0F}", "🥲"), ("1\u{20E3}", "1️⃣"), ("🏳\u{200D}🌈", "🏳️‍🌈"), ("☝\u{FE0F}🏽", "☝🏽"),
        ("👨\u{200D}⚕", "👨‍⚕️"), ("🇩🇪", "🇩🇪"), ("👍🏽", "👍🏽"),
    ]) func sameEmojiIsCountedOnce(_ sent: String, _ emoji: String) throws {
        let message = Self.said("hello")
        let table = MemoryMessageTable()
        for update in [
            message, Self.note(.reaction([sent, emoji]), by: .me), Self.note(.reaction([emoji]), at: 11),
        ] { _ = try MessageMerger.apply([update], to: table) }
        let counts = table.messages(of: ada)[0].reactionCounts
        #expect(counts.map(\.emoji) == [emoji] && counts[0].senders.count == 2)
    }

    @Test func reactionsAreBounded() throws {
        let crowd = (0..<300).map { number in
            Self.note(
                .reaction(["👍"]), by: .occupant(RoomOccupant(nickname: "n", id: "\(number)")),
                of: .archive("a1"))
        }
        let hello = Self.said("hello", archiveName: "a1")
        #expect(try Self.shown([hello] + crowd)[0].reactions.count == MessageReaction.maximumSenders)
        let many = (0..<60).compactMap { UnicodeScalar(0x1F600 + $0).map { String(Character($0)) } }
        let hostile =
            [
                "", " ", "a b", "a\nb", "\u{0}", String(repeating: "x", count: 65), "👍", "👍", "👍👍", "1", "#",
                "x", "no", "©",
            ]
            + many
        #expect(try Self.emoji(hello, Self.note(.reaction(hostile)))[0][0] == ["👍"] + many.prefix(15))
    }
}
