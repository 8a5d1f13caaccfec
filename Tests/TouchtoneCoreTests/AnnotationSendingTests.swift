// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing

@testable import TouchtoneCore

/// Tests of the user’s reactions, and of messages that the user deletes for everyone.
@MainActor
@Suite struct AnnotationSendingTests {
    private func fixture() async throws -> (ChatFixture, Conversation) {
        let fixture = try await ChatFixture(account: ChatAddress("me@example.org"))
        await fixture.goOnline()
        await fixture.tell(received("Tea?", name: "question"))
        return (fixture, try await fixture.open(ada))
    }

    private func sent(_ fixture: ChatFixture) -> [MessageAnnotation] {
        fixture.service.takeCalls().compactMap {
            if case .annotate(let annotation) = $0 { annotation } else { nil }
        }
    }

    private func mine(_ conversation: Conversation) -> [String]? {
        conversation.window[0].reactions.first { $0.sender == .me }?.emoji
    }

    @Test func wholeSetIsSentAtEachChange() async throws {
        let (fixture, conversation) = try await fixture()
        for (emoji, expected) in [("👍", ["👍"]), ("🎉", ["👍", "🎉"]), ("👍", ["🎉"]), ("🎉", [])] {
            fixture.chat.toggle(emoji, on: conversation.window[0])
            await fixture.rest()
            #expect(mine(conversation) == expected)
            let sent = sent(fixture)
            #expect(sent.map(\.kind) == [.reaction(expected)] && sent[0].reference == .stanza("question"))
            #expect(fixture.store.table.outgoing == sent, "the earlier one need not be sent any more")
        }
        #expect(conversation.window[0].reactionCounts.isEmpty)
    }

    @Test func sentOnceServerCanTakeIt() async throws {
        let (fixture, conversation) = try await fixture()
        fixture.service.tell(.state(.waiting("")))
        fixture.chat.toggle("👍", on: conversation.window[0])
        await fixture.rest()
        let first = try #require(sent(fixture).first)
        await fixture.goOnline()
        #expect(sent(fixture) == [first], "the same stanza")
        await fixture.tell(.acknowledged(buddy: ada, name: first.name))
        #expect(fixture.store.table.outgoing.isEmpty)
        await fixture.goOnline()
        #expect(sent(fixture).isEmpty)
    }

    /// A room acknowledges what it sends back.
    @Test func reflectionAcknowledges() async throws {
        let (fixture, conversation) = try await fixture()
        fixture.chat.toggle("👍", on: conversation.window[0])
        await fixture.rest()
        let sent = try #require(sent(fixture).first)
        await fixture.tell(.annotated(sent))
        #expect(fixture.store.table.outgoing.isEmpty)
        #expect(mine(conversation) == ["👍"])
    }

    @Test func refusedReactionIsWithdrawn() async throws {
        let (fixture, conversation) = try await fixture()
        fixture.chat.toggle("👍", on: conversation.window[0])
        await fixture.rest()
        let sent = try #require(sent(fixture).first)
        await fixture.tell(.failed(buddy: ada, name: sent.name, reason: "No."))
        #expect(mine(conversation) == [] && fixture.store.table.outgoing.isEmpty)
        fixture.chat.toggle("🎉", on: conversation.window[0])
        await fixture.rest()
        #expect(mine(conversation) == ["🎉"])
    }

    @Test func deletedMessageIsDeletedForEveryone() async throws {
        let (fixture, conversation) = try await fixture()
        conversation.send("oops")
        await fixture.rest()
        let waiting = try #require(conversation.window.last)
        #expect(!fixture.chat.canRetract(waiting), "nobody has it yet")
        fixture.chat.retract(waiting)
        fixture.chat.retract(conversation.window[0])
        await fixture.rest()
        #expect(sent(fixture).isEmpty, "nor is that of others mine to delete")
        let name = try #require(waiting.name)
        await fixture.tell(.acknowledged(buddy: ada, name: name))
        fixture.chat.retract(try #require(conversation.window.last))
        await fixture.rest()
        let sent = sent(fixture)
        #expect(sent.map(\.kind) == [.retraction] && sent[0].reference == .stanza(name))
        let deleted = try #require(conversation.window.last)
        #expect(deleted.text == "" && deleted.retraction != nil && !fixture.chat.canRetract(deleted))
        fixture.chat.toggle("👍", on: deleted)
        fixture.chat.retract(deleted)
        await fixture.rest()
        #expect(self.sent(fixture).isEmpty)
    }

    @Test func operatorTakesNoReactions() async throws {
        let (fixture, _) = try await fixture()
        let conversation = try await fixture.open(.operatorAddress)
        conversation.send("help")
        await fixture.rest()
        await fixture.pass(.seconds(10))
        for message in conversation.window {
            #expect(!fixture.chat.canReact(to: message) && !fixture.chat.canRetract(message))
        }
        #expect(!conversation.window.isEmpty)
    }
}
