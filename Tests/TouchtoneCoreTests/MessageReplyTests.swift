// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing

@testable import TouchtoneCore

/// Tests of messages that reply to others (XEP-0461).
@Suite struct MessageReplyTests {
    private static let reply = MessageReply(to: .stanza("question"), by: ada)
    private static let name = "a-name-that-nobody-gives-twice"

    private static func said(_ text: String, archiveName: String? = nil) -> ReceivedMessage {
        ReceivedMessage(
            buddy: ada, sender: .buddy, text: text, time: ChatTime(milliseconds: 1), name: name,
            archiveName: archiveName, relation: .repliesTo(reply))
    }

    private static let correction = received("hello", name: "c", corrects: name)
    private static let retraction = MessageUpdate.annotated(
        MessageAnnotation(
            .retraction, of: .stanza(name), buddy: ada, sender: .buddy, time: ChatTime(milliseconds: 2)))

    /// The updates of one reply each: the message, its repetitions, and what happens to it.
    private static let stories: [[MessageUpdate]] = [
        [.received(said("helo")), .received(said("helo", archiveName: "a1")), correction],
        [
            .archived(ArchivePage(.newest(upTo: "a1"), [said("helo", archiveName: "a1")])),
            .received(said("helo")), correction, .received(said("helo")),
        ],
        [
            .archived(ArchivePage(.oldest(of: ada), [said("helo", archiveName: "a1")])),
            .received(said("helo")), correction,
        ],
        [.received(said("helo")), .received(said("helo", archiveName: "a1")), correction, retraction],
    ]

    @Test(arguments: stories.indices)
    func replyIsKeptInAnyOrder(_ index: Int) throws {
        let isRetracted = index == 3
        try Self.orders(Self.stories[index]) { order in
            let table = MemoryMessageTable()
            for update in order { _ = try MessageMerger.apply([update], to: table) }
            let messages = table.messages(of: ada)
            #expect(messages.map(\.text) == [isRetracted ? "" : "hello"])
            #expect(messages.map(\.reply) == [isRetracted ? nil : Self.reply])
        }
    }

    @Test func replyIsNewMessage() throws {
        let table = MemoryMessageTable()
        _ = try MessageMerger.apply(
            [received("question"), .received(Self.said("answer")), received("more")], to: table)
        let messages = table.messages(of: ada)
        #expect(messages.map(\.text) == ["question", "answer", "more"])
        #expect(messages.map(\.reply) == [nil, Self.reply, nil] && messages.allSatisfy(\.isUnread))
        #expect(MessageRelation.repliesTo(Self.reply).corrected == nil)
        #expect(MessageRelation.corrects("n", proof: .identity).reply == nil)
    }

    /// Calls `body` with each order of the values.
    private static func orders<Value>(_ values: [Value], _ body: ([Value]) throws -> Void) rethrows {
        guard values.count > 1 else { return try body(values) }
        for index in values.indices {
            var others = values
            let first = others.remove(at: index)
            try orders(others) { try body([first] + $0) }
        }
    }
}
