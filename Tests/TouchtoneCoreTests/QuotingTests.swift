// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing

@testable import TouchtoneCore

/// Tests of replies that the user writes (XEP-0461), and of what is shown of a reply.
@MainActor
@Suite struct QuotingTests {
    private static let name = "question-from-ada"

    private func fixture(_ text: String = "Tea?") async throws -> (ChatFixture, Conversation) {
        let fixture = try await ChatFixture(account: ChatAddress("me@example.org"))
        await fixture.goOnline()
        await fixture.tell(received(text, name: Self.name))
        return (fixture, try await fixture.open(ada))
    }

    @Test func replyQuotesAndNamesItsMessage() async throws {
        let (fixture, conversation) = try await fixture("Tea?\nOr coffee?\n1\n2")
        conversation.send("Tea", inReplyTo: conversation.window[0])
        await fixture.rest()
        let sent = try #require(conversation.window.last)
        #expect(sent.text == "> Tea?\n> Or coffee?\n> 1\nTea" && sent.visibleText == "Tea")
        #expect(sent.reply == MessageReply(to: .stanza(Self.name), by: ada))
        #expect(sent.content.fallbacks == [.init(0..<24, for: "urn:xmpp:reply:0")])
        #expect(fixture.service.calls.contains(.send(sent.text, name: sent.name ?? "")))
        #expect(sent.summary == "Tea")
    }

    /// An encrypted message is not repeated in the clear.
    @Test func replyInTheClearDoesNotQuoteWhatWasEncrypted() async throws {
        let fixture = try await ChatFixture(account: ChatAddress("me@example.org"))
        await fixture.goOnline()
        await fixture.tell(
            .received(
                ReceivedMessage(
                    buddy: ada, sender: .buddy,
                    content: MessageContent("Tea?", protection: .encrypted(.blind)),
                    time: ChatTime(milliseconds: 1), name: Self.name)))
        let conversation = try await fixture.open(ada)
        let states: [(EncryptionSupport, ((Chat) -> Void)?, String)] = [
            (.impossible(.noKeys), nil, ""), (.possible(KeySummary([.blind: 1])), nil, "> Tea?\n"),
            (.possible(KeySummary([.blind: 1])), { $0.setEncrypted(false, ada) }, ""),
            (.unknown, { $0.setEncrypted(true, ada) }, "> Tea?\n"),
        ]
        for (support, choose, quotation) in states {
            fixture.service.tell(.encryption(ada, support))
            choose?(fixture.chat)
            conversation.send("Yes", inReplyTo: conversation.window[0])
            await fixture.rest()
            let reply = try #require(conversation.window.last)
            #expect(reply.text == quotation + "Yes" && reply.reply?.original == .stanza(Self.name))
        }
    }

    @Test func replyToOwnMessageNamesAccount() async throws {
        let (fixture, conversation) = try await fixture()
        conversation.send("first")
        await fixture.rest()
        conversation.send("second", inReplyTo: conversation.window.last)
        await fixture.rest()
        #expect(conversation.window.last?.reply?.author == ChatAddress("me@example.org"))
    }

    /// The quotation of a reply is not quoted again, and its correction keeps it.
    @Test func correctedReplyKeepsItsQuotation() async throws {
        let (fixture, conversation) = try await fixture()
        conversation.send("helo", inReplyTo: conversation.window[0])
        await fixture.rest()
        conversation.correct(try #require(conversation.window.last), to: "hello")
        await fixture.rest()
        let corrected = try #require(conversation.window.last)
        #expect(corrected.text == "> Tea?\nhello" && corrected.visibleText == "hello")
        conversation.send("again", inReplyTo: corrected)
        await fixture.rest()
        #expect(conversation.window.last?.text == "> hello\nagain")
    }

    @Test func longMessageIsQuotedInPart() async throws {
        let (fixture, conversation) = try await fixture(String(repeating: "a", count: 10_000))
        conversation.send("yes", inReplyTo: conversation.window[0])
        await fixture.rest()
        #expect(conversation.window.last?.text == "> " + String(repeating: "a", count: 300) + "\nyes")
    }

    @Test func replyThatIsTooLongWithItsQuotationStaysInField() async throws {
        let (fixture, conversation) = try await fixture()
        fixture.service.maximumTextLength = 8
        #expect(!conversation.send("hello", inReplyTo: conversation.window[0]))
        #expect(conversation.send("hello"))
        await fixture.rest()
        #expect(conversation.window.count == 2)
    }

    @Test func deletedMessageTakesNoReply() async throws {
        let (fixture, conversation) = try await fixture()
        #expect(fixture.chat.canReply(to: conversation.window[0]))
        await fixture.tell(
            .annotated(
                MessageAnnotation(
                    .retraction, of: .stanza(Self.name), buddy: ada, sender: .buddy,
                    time: ChatTime(milliseconds: 5))))
        let deleted = conversation.window[0]
        #expect(!fixture.chat.canReply(to: deleted) && deleted.visibleText == "")
        #expect(deleted.summary == "This message was deleted.")
    }

    /// A private message of a room must not tell the user’s own address.
    @Test func privateReplyInRoomHidesAccount() async throws {
        let occupant = ChatAddress("tea@rooms.example.org/Ada")
        let fixture = try await ChatFixture(account: ChatAddress("me@example.org"))
        await fixture.goOnline()
        let conversation = try await fixture.open(occupant)
        conversation.send("first")
        await fixture.rest()
        conversation.send("second", inReplyTo: conversation.window.last)
        await fixture.rest()
        let reply = try #require(conversation.window.last?.reply)
        #expect(reply.author == nil)
    }

    @Test(
        arguments: [
            ("> Tea?\nGreat", 0..<7, "Great", "Tea?"), ("> a\n>b\n> \n> c\nd", 0..<14, "d", "a\nb\n\nc"),
            // Nothing of its own: nobody should miss what somebody wrote.
            ("> Tea?\n", 0..<7, "> Tea?\n", "Tea?"), ("hello", 0..<5, "hello", "hello"),
            ("Great > Tea?", 5..<12, "Great", nil),
        ] as [(String, Range<Int>, String, String?)])
    func replyIsShownWithoutItsQuotation(
        _ text: String, _ range: Range<Int>, _ visible: String, _ quotation: String?
    ) {
        let content = MessageContent(text, fallbacks: [.init(range, for: MessageContent.replies)])
        #expect(content.visibleText == visible)
        #expect(content.quotation == quotation)
    }

    @Test func reactionsAreCounted() {
        var message = ChatMessage(
            id: 1, conversation: ConversationID(ada, of: nil), sender: .me, content: MessageContent("x"),
            time: ChatTime(milliseconds: 0), place: 1, state: .sent)
        #expect(message.reactionCounts.isEmpty)
        let time = ChatTime(milliseconds: 1)
        message.reactions = [
            MessageReaction(sender: .buddy, emoji: ["👍", "🎉"], time: time, name: "a"),
            MessageReaction(sender: .me, emoji: ["🎉"], time: time, name: "b"),
            MessageReaction(
                sender: .occupant(RoomOccupant(nickname: "alan")), emoji: [], time: time, name: "c"),
        ]
        #expect(message.reactionCounts.map(\.emoji) == ["👍", "🎉"])
        #expect(message.reactionCounts.map(\.senders) == [[.buddy], [.buddy, .me]])
        #expect(message.reactionCounts.map(\.isMine) == [false, true])
    }
}
