// SPDX-License-Identifier: GPL-3.0-or-later

import Testing
import TouchtoneCore

@testable import TouchtoneStore

/// Tests that each account has its own conversations.
@MainActor
@Suite struct OwnerTests {
    private let fixture = MessageStoreFixture()
    private var store: SQLiteStore { fixture.store }
    private let work = ChatAddress("work@example.org")
    private let home = ChatAddress("private@example.org")
    private let grace = MessageStoreFixture.grace

    @Test func accountsDoNotSeeEachOthersMessages() async throws {
        store.account = work
        try await fixture.apply(
            composed("for work", name: "w1"), .received(received("unread at work", name: "w2")),
            composed("corrected at work", name: "w3"), .acknowledged(buddy: grace, name: "w3"),
            .corrected(buddy: grace, name: "w3", text: "corrected", by: "w4"),
            .archived(ArchivePage(.newest(upTo: "mark"), [])),
            composed("to the Operator", name: "o1", to: .operatorAddress))
        store.saveDraft("draft", for: grace)
        store.saveDraft("all see it", for: .operatorAddress)
        store.saveBuddies([BuddyRecord(grace, name: "Grace")], version: "1")
        let room = ChatAddress("room@rooms.example.org")
        let rooms = [
            RoomRecord(room, name: "Tea\tHouse\n", nickname: "Grace H.", isBookmarked: true),
            RoomRecord(grace, nickname: "g", isAutojoined: false, notifiesAll: true, showsAddresses: true),
        ]
        store.saveRooms(rooms)
        try await fixture.apply(.archived(ArchivePage(.newestOfRoom(room, upTo: "room mark"), [])))
        store.account = home
        #expect(try await store.archiveCursor(of: room) == nil)
        #expect(try await store.summary().rooms == [])
        #expect(try await fixture.all() == [])
        #expect(try await store.waiting().map(\.text) == ["to the Operator"])
        #expect(try await store.corrections() == [])
        #expect(try await store.search("work", of: nil, count: 9) == [])
        #expect(try await store.search("work", of: grace, count: 9) == [])
        #expect(
            try await store.search("operator", of: nil, count: 9).map(\.message.buddy) == [.operatorAddress])
        #expect(try await store.archiveCursor() == nil)
        var summary = try await store.summary()
        #expect(summary.buddies == [] && summary.version == nil && summary.unread == [:])
        #expect(summary.drafts == [.operatorAddress: "all see it"])
        #expect(summary.conversations.keys.sorted() == [.operatorAddress])
        try await fixture.apply(
            .received(received("same name", name: "w1")), composed("same name", name: "w1"))
        store.saveBuddies([BuddyRecord(grace, name: "Hopper")], version: "1")
        #expect(try await fixture.texts() == ["same name", "same name"])
        await store.close()
        store.account = work
        #expect(try await fixture.texts() == ["for work", "unread at work", "corrected"])
        #expect(
            try await fixture.all().map(\.conversation)
                == Array(repeating: ConversationID(grace, of: work), count: 3))
        #expect(try await store.waiting().map(\.text).sorted() == ["for work", "to the Operator"])
        #expect(try await store.corrections().map(\.correction) == ["w4"])
        #expect(try await store.search("work", of: nil, count: 9).count == 2)
        #expect(try await store.archiveCursor() == "mark")
        #expect(try await store.archiveCursor(of: room) == "room mark")
        summary = try await store.summary()
        var kept = rooms
        // Control characters would end the line.
        kept[0].name = "Tea House "
        #expect(summary.rooms == kept)
        #expect(summary.buddies.map(\.name) == ["Grace"] && summary.unread == [grace: 1])
        #expect(summary.drafts == [grace: "draft", .operatorAddress: "all see it"])
    }

    @Test func storesOfTwoAccountsShareFile() async throws {
        let other = MessageStoreFixture(sharingFileOf: fixture)
        (store.account, other.store.account) = (work, home)
        // Both have a conversation with the same buddy, with the same names, at the same time.
        for index in 0..<20 {
            async let atWork = fixture.apply(
                .received(received("work \(index)", name: "n\(index)", archiveName: "a\(index)")))
            async let atHome = other.apply(
                .received(received("home \(index)", name: "n\(index)", archiveName: "a\(index)")))
            let changes = try await (atWork, atHome)
            #expect(changes.0.inserted.map(\.conversation) == [ConversationID(grace, of: work)])
            #expect(changes.1.inserted.map(\.conversation) == [ConversationID(grace, of: home)])
        }
        try await fixture.apply(
            composed("to be sent", name: "c1"), .archived(ArchivePage(.newest(upTo: "a5"), [])))
        store.saveDraft("at work", for: grace)
        other.store.saveBuddies([BuddyRecord(grace, name: "Grace")], version: "7")
        #expect(try await fixture.texts() == (0..<20).map { "work \($0)" } + ["to be sent"])
        #expect(try await other.texts() == (0..<20).map { "home \($0)" })
        #expect(try await store.waiting().map(\.text) == ["to be sent"])
        #expect(try await other.store.waiting() == [])
        #expect(try await store.search("work", of: nil, count: 99).count == 20)
        #expect(try await other.store.search("work", of: nil, count: 99) == [])
        #expect(try await other.store.archiveCursor() == nil)
        let (atWork, atHome) = try await (store.summary(), other.store.summary())
        #expect(atWork.drafts == [grace: "at work"] && atWork.buddies == [] && atWork.version == nil)
        #expect(atHome.drafts == [:] && atHome.buddies.map(\.name) == ["Grace"] && atHome.version == "7")
        // One account changes its address; the other's does not.
        other.store.account = nil
        #expect(try await other.texts() == [])
        #expect(try await fixture.texts().count == 21)
    }

    @Test func fileIsOpenAsLongAsStoreUsesIt() async throws {
        var other: MessageStoreFixture? = MessageStoreFixture(sharingFileOf: fixture)
        store.account = work
        other?.store.account = home
        try await other?.apply(composed("at home", name: "h1"))
        other = nil
        try await fixture.apply(composed("at work", name: "w1"))
        let again = MessageStoreFixture(sharingFileOf: fixture)
        again.store.account = home
        #expect(try await again.texts() == ["at home"])
        #expect(try await fixture.texts() == ["at work"])
        #expect(store.health === again.store.health)
    }

    @Test func factsBelongToTheirNamedAccount() async throws {
        store.account = home
        let store = store
        let result: Result<MessageChanges, StoreError> = await withCheckedContinuation { continuation in
            store.apply([.received(received("late"))], of: work) { continuation.resume(returning: $0) }
        }
        #expect(try result.get().inserted.map(\.text) == ["late"])
        #expect(try await fixture.texts() == [])
        store.account = work
        #expect(try await fixture.texts() == ["late"])
    }

    /// An account is removed, a message is written meanwhile, and the account signs in again.
    @Test func messagesWithoutOwnerGoToNextAccount() async throws {
        store.account = work
        try await fixture.apply(
            .received(received("1", name: "n1", archiveName: "a1")), .received(received("2", name: "n2")))
        store.account = nil
        #expect(try await fixture.texts() == [])
        try await fixture.apply(
            composed("3", name: "n3"), .received(received("4", name: "n4")),
            composed("to Ada", name: "n5", to: MessageStoreFixture.ada),
            composed("hi", name: "o", to: .operatorAddress))
        store.saveDraft("draft", for: grace)
        store.account = work
        #expect(try await fixture.texts() == ["1", "2", "3", "4"])
        #expect(try await store.summary().unread == [grace: 3])
        #expect(try await fixture.texts(MessageStoreFixture.ada) == ["to Ada"])
        #expect(try await store.search("3", of: nil, count: 9).map(\.message.text) == ["3"])
        #expect(try await store.summary().drafts == [grace: "draft"])
        try await fixture.apply(composed("5", name: "n6"), .seen(buddy: grace, upTo: .place(.max)))
        #expect(try await fixture.texts() == ["1", "2", "3", "4", "5"])
        store.account = home
        #expect(try await fixture.texts() == [])
        #expect(try await fixture.texts(MessageStoreFixture.ada) == [])
        #expect(try await fixture.texts(.operatorAddress) == ["hi"])
        await store.close()
        #expect(try RawFile(fixture.home.messages).isSound())
    }
}
