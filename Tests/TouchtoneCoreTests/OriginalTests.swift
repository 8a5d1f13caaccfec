// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing

@testable import TouchtoneCore

/// Tests of the search for the message that another one replies to.
@MainActor
@Suite struct OriginalTests {
    private static func told(_ number: Int) -> ReceivedMessage {
        ReceivedMessage(
            buddy: ada, sender: .buddy, text: "\(number)", time: ChatTime(milliseconds: 1),
            name: "n-\(number)",
            archiveName: "a-\(number)")
    }

    private static func reply(to name: String) -> MessageUpdate {
        .received(
            ReceivedMessage(
                buddy: ada, sender: .buddy, text: "yes", time: ChatTime(milliseconds: 2), name: "reply",
                relation: .repliesTo(MessageReply(to: .stanza(name), by: ada))))
    }

    /// Returns a chat with 400 messages and a reply, and the conversation, of which only the last ones are loaded.
    private static func opened(replyTo name: String) async throws -> (
        fixture: ChatFixture, conversation: Conversation, reply: ChatMessage
    ) {
        let facts = (1...400).map { MessageUpdate.received(told($0)) } + [reply(to: name)]
        let fixture = try await ChatFixture(facts: facts + [.seen(buddy: ada, upTo: .place(.max))])
        let conversation = try await fixture.open(ada)
        return (fixture, conversation, try #require(conversation.window.last))
    }

    /// Searches, and returns the text of what was found, and the outcome otherwise.
    private static func find(
        _ reply: ChatMessage, in conversation: Conversation, _ fixture: ChatFixture
    ) async -> (outcome: Conversation.Original, text: String?, asked: Bool) {
        var asked = false
        let outcome = await conversation.original(of: reply) { asked = true }
        await fixture.rest()
        if case .found(let message) = outcome { return (outcome, message.text, asked) }
        return (outcome, nil, asked)
    }

    @Test func originalIsFoundOutsideLoadedPart() async throws {
        let (fixture, conversation, reply) = try await Self.opened(replyTo: "n-7")
        #expect(!conversation.window.contains { $0.text == "7" })
        let found = await Self.find(reply, in: conversation, fixture)
        #expect(found.text == "7" && !found.asked)
        await fixture.tell(.deletedHere(buddy: ada, id: 7, time: ChatTime(milliseconds: 3)))
        #expect(await Self.find(reply, in: conversation, fixture).outcome == .missing)
    }

    @Test func originalIsLoadedFromArchive() async throws {
        let (fixture, conversation, reply) = try await Self.opened(replyTo: "n--60")
        #expect(await Self.find(reply, in: conversation, fixture).outcome == .unavailable)
        await fixture.goOnline()
        fixture.service.pages = [
            (-150 ... -101).map(Self.told), (-100 ... -51).map(Self.told), (-50...0).map(Self.told),
        ]
        let found = await Self.find(reply, in: conversation, fixture)
        #expect(found.text == "-60" && found.asked)
        #expect(fixture.service.historyCalls == ["a-1", "a--50"], "no further than needed")
        #expect(fixture.arrivals == [] && fixture.chat.buddies.unread == 0)
        // Nothing is left out between them.
        let all = fixture.store.table.messages(of: ada).dropLast().map(\.text)
        #expect(all == (-100...400).map(String.init))
        conversation.show(around: try #require(fixture.store.table.messages(of: ada).first).place)
        await fixture.rest()
        #expect(conversation.window.first?.text == "-100" && conversation.hasOlder)
    }

    @Test func whatArchiveDoesNotHaveIsMissing() async throws {
        let (fixture, conversation, reply) = try await Self.opened(replyTo: "nowhere")
        await fixture.goOnline()
        fixture.service.pages = [(-50...0).map(Self.told)]
        let found = await Self.find(reply, in: conversation, fixture)
        #expect(found.outcome == .missing && found.asked)
        // The whole archive was read.
        #expect(fixture.store.table.messages(of: ada).first?.text == "-50")
        // A reply to itself goes nowhere.
        let (_, other, own) = try await Self.opened(replyTo: "reply")
        #expect(await other.original(of: own) {} == .unavailable)
    }

    /// An archive that says that it has more, and returns the same again.
    @Test func endlessArchiveEndsSearch() async throws {
        let (fixture, conversation, reply) = try await Self.opened(replyTo: "nowhere")
        await fixture.goOnline()
        fixture.service.pages = Array(repeating: (1...10).map(Self.told), count: 500)
        #expect(await Self.find(reply, in: conversation, fixture).outcome == .missing)
        #expect(fixture.service.historyCalls.count == 1)
        fixture.service.error = .offline
        #expect(await Self.find(reply, in: conversation, fixture).outcome == .missing)
    }
}
