// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing

@testable import TouchtoneCore

/// Tests of messages that the user deletes on this device alone.
@MainActor
@Suite struct DeletedHereTests {
    private static let name = "a-name-that-nobody-gives-twice"

    private func fixture() async throws -> (ChatFixture, Conversation) {
        let fixture = try await ChatFixture(account: ChatAddress("me@example.org"))
        await fixture.goOnline()
        await fixture.tell(received("first"))
        await fixture.tell(received("Tea?", name: Self.name))
        return (fixture, try await fixture.open(ada))
    }

    private func delete(_ message: ChatMessage?, in fixture: ChatFixture) async throws {
        fixture.chat.deleteHere(try #require(message))
        await fixture.rest()
    }

    @Test func leavesConversationAndList() async throws {
        let (fixture, conversation) = try await fixture()
        _ = fixture.service.takeCalls()
        try await delete(conversation.window.last, in: fixture)
        #expect(conversation.window.map(\.text) == ["first"])
        #expect(fixture.chat.buddies.row(of: ada)?.last?.text == "first")
        #expect(try await fixture.chat.search("tea").isEmpty)
        #expect(fixture.service.takeCalls().isEmpty, "nobody else learns of it")
        let left = try #require(fixture.store.table.messages(of: ada).last)
        #expect(left.text == "" && left.reactions.isEmpty && left.name == Self.name)
    }

    /// It is not shown again, from the archive or by the stream, with whatever comes of it later.
    @Test func doesNotComeBack() async throws {
        let (fixture, conversation) = try await fixture()
        try await delete(conversation.window.last, in: fixture)
        let copy = ReceivedMessage(
            buddy: ada, sender: .buddy, text: "Tea?", time: ChatTime(milliseconds: 1), name: Self.name,
            archiveName: "a1")
        for reference in [MessageReference.stanza(Self.name), .archive("a1")] {
            for kind in [MessageAnnotation.Kind.reaction(["👍"]), .retraction, .moderation(reason: "spam")] {
                await fixture.tell(
                    .archived(ArchivePage(.newest(upTo: "a1"), [copy])), .received(copy),
                    .annotated(
                        MessageAnnotation(
                            kind, of: reference, buddy: ada, sender: .buddy,
                            time: ChatTime(milliseconds: 0))),
                    received("Coffee?", name: "correction", corrects: Self.name))
                #expect(conversation.window.map(\.text) == ["first"], "\(kind) \(reference)")
            }
        }
        await fixture.tell(.archived(ArchivePage(.oldest(of: ada), [copy])))
        #expect(conversation.window.map(\.text) == ["first"])
        #expect(fixture.chat.buddies.unread(of: ada) == 1, "the first one is unread")
        await fixture.tell(received("second", name: "another-name-that-nobody-gives-twice"))
        #expect(conversation.window.map(\.text) == ["first", "second"])
    }

    /// A message that waits would be sent unseen.
    @Test func waitingMessageStays() async throws {
        let (fixture, conversation) = try await fixture()
        conversation.send("oops")
        await fixture.rest()
        let waiting = try #require(conversation.window.last)
        #expect(!fixture.chat.canDeleteHere(waiting))
        try await delete(waiting, in: fixture)
        #expect(conversation.window.last?.text == "oops")
        await fixture.tell(.failed(buddy: ada, name: try #require(waiting.name), reason: "No."))
        try await delete(conversation.window.last, in: fixture)
        #expect(conversation.window.last?.text == "Tea?" && conversation.correctable == nil)
    }
}
