// SPDX-License-Identifier: GPL-3.0-or-later

import TestSupport
import Testing
import TouchtoneCore

@testable import TouchtoneStore

/// Tests of the parts that few messages have.
@MainActor
@Suite struct PartTests {
    private let home = Home(in: Home.memory)

    /// Texts that could be taken for separators, or join them.
    private nonisolated static let texts = [
        "", "\t", "\n", "\r", "\\", "\\t", "\\-", "-", "\u{301}", "\t\u{301}\n\u{301}", "a\tb\nc\\", "file",
        "👍🏽",
        "\u{0}",
    ]

    private func message(_ content: MessageContent, _ reply: MessageReply? = nil) -> MessageUpdate {
        .received(
            ReceivedMessage(
                buddy: MessageStoreFixture.grace, sender: .buddy, content: content,
                time: ChatTime(milliseconds: 1), name: "name-1", archiveName: "archive-1",
                relation: reply.map { .repliesTo($0) } ?? MessageRelation.none))
    }

    @Test(arguments: texts) func partsRoundTrip(_ text: String) async throws {
        let content = MessageContent(
            "> Tea?\nGreat",
            files: [
                SharedFile(name: "first", hash: FileHash(.sha512, bytes: Array(0..<64)), thumbnail: text),
                SharedFile(url: text, name: text, mediaType: text, path: text),
                SharedFile(name: text, hash: FileHash(.sha256, bytes: Array(200..<232))),
                SharedFile(name: text, size: .min, thumbnail: "AAAA"),
            ],
            fallbacks: [.init(0..<7, for: "n" + text), .init(3..<12, for: text)], encryption: text,
            isUnstyled: text.isEmpty, spoiler: text, protection: .encrypted(.blind),
            device: text.isEmpty ? MessageContent.thisDevice : .max)
        let replies = [
            MessageReply(to: .stanza(text), by: ChatAddress(text)),
            MessageReply(to: .archive(text), by: nil), nil,
        ]
        for reply in replies {
            let fixture = MessageStoreFixture(Home(in: Home.memory))
            try await fixture.apply(message(content, reply))
            await fixture.store.close()
            #expect(try await fixture.all().map(\.content) == [content])
            #expect(try await fixture.all().map(\.reply) == [reply])
        }
    }

    /// Bridges name the correction that a message had last.
    @Test func originalIsFoundByItsCorrection() async throws {
        let fixture = MessageStoreFixture(home)
        let room = ChatAddress("room@example.org")
        let ada = MessageSender.occupant(RoomOccupant(nickname: "Ada", id: "1"))
        for (text, name, archiveName, relation) in [
            ("Te?", "n1", "a1", .none), ("Tea?", "n2", "a2", .corrects("n1", proof: .identity)),
            ("Yes", "n3", "a3", .repliesTo(MessageReply(to: .archive("a2"), by: nil))),
        ] as [(String, String, String, MessageRelation)] {
            try await fixture.apply(
                .received(
                    ReceivedMessage(
                        buddy: room, sender: ada, text: text, time: ChatTime(milliseconds: 1), name: name,
                        archiveName: archiveName, relation: relation)))
        }
        await fixture.store.close()
        let reply = try #require(try await fixture.all(room).last)
        #expect(try await fixture.store.original(of: reply)?.text == "Tea?")
        #expect(try await fixture.store.place(of: room, archiveName: "a2") == 1)
    }

    /// A reply names its original by an ID that anybody in the conversation may have given.
    @Test func originalIsFoundByItsID() async throws {
        let fixture = MessageStoreFixture(home)
        let room = ChatAddress("room@example.org")
        let senders: [MessageSender] = [
            .occupant(RoomOccupant(nickname: "Ada", id: "1")), .occupant(RoomOccupant(nickname: "Grace")),
            .me,
        ]
        let originals: [MessageReference] = [.stanza("n0"), .archive("a1"), .stanza("n2"), .stanza("n3")]
        for (buddy, senders) in [(room, senders), (MessageStoreFixture.grace, [.buddy, .me, .buddy])] {
            for (index, original) in originals.enumerated() {
                let sender = index < senders.count ? senders[index] : .me
                try await fixture.apply(
                    .received(
                        ReceivedMessage(
                            buddy: buddy, sender: sender, text: "\(index)", time: ChatTime(milliseconds: 1),
                            name: "n\(index)", archiveName: "a\(index)",
                            relation: .repliesTo(MessageReply(to: original, by: nil)))))
            }
            // The first three name themselves.
            let replies = try await fixture.all(buddy)
            for reply in replies { #expect(try await fixture.store.original(of: reply) == nil) }
            for index in 0..<3 {
                var reply = replies[3]
                reply.reply = MessageReply(to: originals[index], by: nil)
                #expect(try await fixture.store.original(of: reply)?.text == "\(index)")
            }
        }
        await fixture.store.close()
    }

    @Test func hintTurnsStylesOffAlone() async throws {
        let fixture = MessageStoreFixture(home)
        let content = MessageContent("> _ <", isUnstyled: true)
        try await fixture.apply(message(content))
        await fixture.store.close()
        #expect(try await fixture.all().map(\.content) == [content])
    }

    @Test func partsFollowTheirMessage() async throws {
        let fixture = MessageStoreFixture(home)
        let grace = MessageStoreFixture.grace
        let secret = MessageContent(
            "> secret\nGreat", files: [SharedFile(name: "a"), SharedFile(name: "secret")],
            fallbacks: [.init(0..<9, for: "urn:secret")], encryption: "secret", spoiler: "secret")
        let reply = MessageReply(to: .stanza("secret"), by: grace)
        try await fixture.apply(message(secret, reply))
        // What changes only the state keeps the parts.
        try await fixture.apply(.seen(buddy: grace, upTo: .place(.max)))
        #expect(try await fixture.all().map(\.content) == [secret])
        #expect(try await fixture.all().map(\.isUnread) == [false])
        try await fixture.apply(
            .received(
                ReceivedMessage(
                    buddy: grace, sender: .buddy, text: secret.text, time: ChatTime(milliseconds: 2),
                    name: "name-2", relation: .corrects("name-1", proof: .identity))))
        #expect(try await fixture.all().map(\.content) == [MessageContent(secret.text)])
        #expect(try await fixture.all().map(\.reply) == [reply], "a correction leaves the relation")
        try await fixture.apply(
            .annotated(
                MessageAnnotation(
                    .retraction, of: .stanza("name-1"), buddy: grace, sender: .buddy,
                    time: ChatTime(milliseconds: 3))))
        #expect(try await fixture.all().map(\.reply) == [nil])
        await fixture.store.close()
        let file = try RawFile(home.messages)
        #expect(try file.rows("SELECT text FROM message WHERE parts IS NOT NULL") == [])
        #expect(try file.isSound())
    }

    /// A plain message, which most are, has no parts, and what cannot be read is left out.
    @Test func damagedPartsAreLeftOut() async throws {
        let fixture = MessageStoreFixture(home)
        try await fixture.apply(message(MessageContent("> Tea?\nGreat")))
        await fixture.store.close()
        let parts = [
            "", "reply", "reply\ta", "reply\t\\-\ta", "archive-reply\t\\-\ta", "fallback\t9\t1\tn",
            "fallback\t-9\t0\tn", "fallback\t9223372036854775808\t1\tn", "fallback\t0\t1\t\\-",
            "fallback\t9\t9223372036854775807\tlast", "file\t\\-\t\\-\t\\-\t\\-\t\\-", "file\ta",
            "encryption",
            "encryption\t\\-", "other\ta", "\t\t\t", "\\",
        ]
        do {
            let file = try RawFile(home.messages)
            #expect(try file.rows("SELECT text FROM message WHERE parts IS NOT NULL") == [])
            try file.run("UPDATE message SET parts = '\(parts.joined(separator: "\n"))'")
        }
        #expect(
            try await fixture.all().map(\.content) == [
                MessageContent("> Tea?\nGreat", fallbacks: [.init(9..<12, for: "last")])
            ])
        #expect(try await fixture.all().map(\.reply) == [nil])
    }
}
