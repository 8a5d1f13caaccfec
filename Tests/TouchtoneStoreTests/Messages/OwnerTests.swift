// SPDX-License-Identifier: GPL-3.0-or-later

import Testing
import TouchtoneCore

@testable import TouchtoneStore

/// Each account has conversations of its own.
@MainActor
@Suite struct OwnerTests {
    private let desk = MessageDesk()
    private var store: SQLiteStore { desk.store }
    private let work = ChatAddress("work@example.org")
    private let home = ChatAddress("private@example.org")
    private let grace = MessageDesk.grace

    @Test func nothingOfOneIsFoundByAnother() async throws {
        store.account = work
        try await desk.apply(
            written("for work", name: "w1"), .came(came("unread at work", name: "w2")),
            written("corrected at work", name: "w3"), .acknowledged(buddy: grace, name: "w3"),
            .rewritten(buddy: grace, name: "w3", text: "corrected", by: "w4"),
            .archived(ArchivePiece(.newest(upTo: "mark"), [])),
            written("to the Operator", name: "o1", to: .exchange))
        store.saveDraft("draft", for: grace)
        store.saveDraft("all see it", for: .exchange)
        store.saveBuddies([BuddyRecord(grace, name: "Grace")], version: "1")
        store.account = home
        #expect(try await desk.all() == [])
        #expect(try await store.waiting().map(\.text) == ["to the Operator"])
        #expect(try await store.corrections() == [])
        #expect(try await store.search("work", of: nil, count: 9) == [])
        #expect(try await store.search("work", of: grace, count: 9) == [])
        #expect(try await store.search("operator", of: nil, count: 9).map(\.buddy) == [.exchange])
        #expect(try await store.archiveMark() == nil)
        var summary = try await store.summary()
        #expect(summary.buddies == [] && summary.version == nil && summary.unread == [:])
        #expect(summary.drafts == [.exchange: "all see it"])
        #expect(summary.conversations.keys.sorted() == [.exchange])
        try await desk.apply(.came(came("same name", name: "w1")), written("same name", name: "w1"))
        store.saveBuddies([BuddyRecord(grace, name: "Hopper")], version: "1")
        #expect(try await desk.texts() == ["same name", "same name"])
        await store.close()
        store.account = work
        #expect(try await desk.texts() == ["for work", "unread at work", "corrected"])
        #expect(
            try await desk.all().map(\.conversation)
                == Array(repeating: ConversationID(grace, of: work), count: 3))
        #expect(try await store.waiting().map(\.text).sorted() == ["for work", "to the Operator"])
        #expect(try await store.corrections().map(\.correction) == ["w4"])
        #expect(try await store.search("work", of: nil, count: 9).count == 2)
        #expect(try await store.archiveMark() == "mark")
        summary = try await store.summary()
        #expect(summary.buddies.map(\.name) == ["Grace"] && summary.unread == [grace: 1])
        #expect(summary.drafts == [grace: "draft", .exchange: "all see it"])
    }

    @Test func factsAreOfTheAccountThatIsNamedWithThem() async throws {
        store.account = home
        let store = store
        let result: Result<ChatChanges, StoreError> = await withCheckedContinuation { continuation in
            store.apply([.came(came("late"))], of: work) { continuation.resume(returning: $0) }
        }
        #expect(try result.get().inserted.map(\.text) == ["late"])
        #expect(try await desk.texts() == [])
        store.account = work
        #expect(try await desk.texts() == ["late"])
    }

    /// An account that is removed, something written meanwhile, and the account signed in again.
    @Test func whatIsNobodysBecomesTheNextOnes() async throws {
        store.account = work
        try await desk.apply(.came(came("1", name: "n1", archiveName: "a1")), .came(came("2", name: "n2")))
        store.account = nil
        #expect(try await desk.texts() == [])
        try await desk.apply(
            written("3", name: "n3"), .came(came("4", name: "n4")),
            written("to Ada", name: "n5", to: MessageDesk.ada),
            written("hi", name: "o", to: .exchange))
        store.saveDraft("draft", for: grace)
        store.account = work
        #expect(try await desk.texts() == ["1", "2", "3", "4"])
        #expect(try await store.summary().unread == [grace: 3])
        #expect(try await desk.texts(MessageDesk.ada) == ["to Ada"])
        #expect(try await store.search("3", of: nil, count: 9).map(\.text) == ["3"])
        #expect(try await store.summary().drafts == [grace: "draft"])
        try await desk.apply(written("5", name: "n6"), .seen(buddy: grace, upTo: .place(.max)))
        #expect(try await desk.texts() == ["1", "2", "3", "4", "5"])
        store.account = home
        #expect(try await desk.texts() == [])
        #expect(try await desk.texts(MessageDesk.ada) == [])
        #expect(try await desk.texts(.exchange) == ["hi"])
        await store.close()
        #expect(try RawFile(desk.home.messages).isSound())
    }
}
