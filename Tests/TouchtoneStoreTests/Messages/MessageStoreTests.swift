// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Testing
import TouchtoneCore

@testable import TouchtoneStore

/// Tests of storing and finding messages.
@MainActor
@Suite struct MessageStoreTests {
    private let fixture = MessageStoreFixture()
    private var store: SQLiteStore { fixture.store }
    private let grace = MessageStoreFixture.grace
    private let ada = MessageStoreFixture.ada

    @Test func messageRoundTrips() async throws {
        let text = "tab\t, newline\n, \u{202E}turned, \u{0}, 😀, e\u{301}, '; DROP TABLE message; --"
        let message = ReceivedMessage(
            buddy: grace, sender: .buddy, text: text, time: ChatTime(milliseconds: -5), name: "n'1\"",
            archiveName: "a\u{0}1", receiptRequests: [.receipt, .marker])
        let changes = try await fixture.apply(.received(message))
        let expected = ChatMessage(
            id: changes.inserted[0].id, conversation: ConversationID(grace), sender: .buddy,
            content: MessageContent(text), time: ChatTime(milliseconds: -5), place: 1, state: .received,
            name: "n'1\"", archiveName: "a\u{0}1", isUnread: true, receiptRequests: [.receipt, .marker])
        #expect(changes.inserted == [expected])
        await store.close()
        #expect(try await fixture.all() == [expected])
    }

    /// Messages of a room have names that are unique only within one sender.
    @Test func everySenderRoundTrips() async throws {
        let room = ChatAddress("room@example.org")
        let first = MessageSender.occupant(
            RoomOccupant(nickname: "Ada", id: "occupant-1", address: ChatAddress("ada@example.org")))
        let renamed = MessageSender.occupant(RoomOccupant(nickname: "Countess", id: "occupant-1"))
        let senders: [MessageSender] = [
            .me, .buddy, first, renamed, .occupant(RoomOccupant(nickname: "occupant-1")),
            .occupant(RoomOccupant(nickname: "", id: "")), .occupant(RoomOccupant(nickname: "")),
        ]
        func message(_ text: String, _ sender: MessageSender, _ name: String, corrects: String? = nil)
            -> MessageUpdate
        {
            .received(
                ReceivedMessage(
                    buddy: room, sender: sender, text: text, time: ChatTime(milliseconds: 0), name: name,
                    relation: corrects.map { .corrects($0, proof: .identity) } ?? MessageRelation.none))
        }
        try await fixture.apply(senders.enumerated().map { message("\($0)", $1, "name-\($0)") })
        await store.close()
        #expect(try await fixture.all(room).map(\.sender) == senders)
        // One from the same occupant with a new nickname, and one from another occupant whose nickname is the first
        // one's identifier.
        try await fixture.apply(message("corrected", renamed, "new", corrects: "name-2"))
        try await fixture.apply(message("forged", senders[4], "new", corrects: "name-3"))
        #expect(try await fixture.texts(room) == ["0", "1", "corrected", "3", "4", "5", "6", "forged"])
        #expect(try await fixture.all(room)[2].sender == first)
        // The same occupant in another room is a different sender.
        try await fixture.apply(.received(received("elsewhere", from: ada, sender: first, name: "name-2")))
        await store.close()
        #expect(try await fixture.all(ada).map(\.sender) == [first])
        #expect(try RawFile(fixture.home.messages).isSound())
    }

    @Test func everyStateRoundTrips() async throws {
        let states: [MessageState] = [.waiting, .sent, .delivered, .read, .failed("it's gone"), .failed("")]
        let buddy = grace
        let keeping = MessageStoreFixture(fixture.home) { _, table throws(StoreError) in
            for (index, state) in states.enumerated() {
                var message = ChatMessage(
                    id: 0, conversation: ConversationID(buddy), sender: .me,
                    content: MessageContent(""), time: ChatTime(milliseconds: 0), place: Int64(index),
                    state: .waiting)
                message = try table.insert(message)
                message.state = state
                try table.update(message)
            }
            return MessageChanges()
        }
        try await keeping.apply()
        #expect(try await keeping.all().map(\.state) == states)
    }

    @Test func messageOf100000CharactersIsStored() async throws {
        let text = String(repeating: "ü", count: 100_000)
        try await fixture.apply(.received(received(text)), .received(received("")))
        await store.close()
        #expect(try await fixture.texts() == [text, ""])
    }

    @Test func pagesAreOrderedByPosition() async throws {
        try await fixture.apply((1...10).map { .received(received("\($0)", time: 100 - $0)) })
        try await fixture.apply(.received(received("other", from: ada)))
        func page(before place: Int64?, _ count: Int) async throws -> [String] {
            try await store.messages(of: grace, before: place, count: count).map(\.text)
        }
        #expect(try await page(before: nil, 3) == ["8", "9", "10"])
        #expect(try await page(before: 8, 3) == ["5", "6", "7"])
        #expect(try await page(before: 2, 3) == ["1"])
        #expect(try await page(before: 1, 3) == [])
        for count in [0, -1, Int.min] { #expect(try await page(before: nil, count) == []) }
        #expect(try await page(before: nil, Int.max).count == 10)
        let from = try await store.messages(of: grace, from: 9, count: 3)
        #expect(from.map(\.text) == ["9", "10"])
        #expect(try await store.messages(of: ChatAddress("nobody"), from: 0, count: 3) == [])
    }

    @Test func unreadMessagesAreFoundAndCounted() async throws {
        let changes = try await fixture.apply(
            .received(received("mine", sender: .me)), .received(received("1")), .received(received("2")),
            .received(received("3", from: ada)))
        #expect(changes.unread == [ConversationID(grace): 2, ConversationID(ada): 1])
        #expect(try await store.firstUnread(of: grace)?.text == "1")
        #expect(try await store.summary().unread == [grace: 2, ada: 1])
        try await fixture.apply(.seen(buddy: grace, upTo: .place(2)))
        #expect(try await store.firstUnread(of: grace)?.text == "2")
        try await fixture.apply(.seen(buddy: grace, upTo: .place(3)))
        #expect(try await store.firstUnread(of: grace) == nil)
        #expect(try await store.summary().unread == [ada: 1])
    }

    @Test func pendingMessagesKeepConversationOrder() async throws {
        try await fixture.apply(
            composed("1", name: "1"), composed("a", name: "a", to: ada), composed("2", name: "2"),
            composed("b", name: "b", to: ada), composed("3", name: "3"))
        try await fixture.apply(.acknowledged(buddy: grace, name: "2"))
        try await fixture.apply(.failed(buddy: ada, name: "a", reason: "no"))
        #expect(try await store.waiting().map(\.text) == ["1", "3", "b"])
        #expect(try await store.lastMine(of: grace)?.text == "3")
        #expect(try await store.lastMine(of: ada)?.text == "b")
        #expect(try await store.lastMine(of: ChatAddress("nobody")) == nil)
    }

    @Test func lastTimeIsThatOfAMessageOnTheServer() async throws {
        #expect(try await store.lastTime() == nil)
        try await fixture.apply(
            .received(received("1", time: 300)), .received(received("2", from: ada, time: 200)),
            .received(received("practice", from: .operatorAddress, time: 1 << 50)))
        try await fixture.apply(composed("waits", name: "w"))
        #expect(try await store.lastTime() == ChatTime(milliseconds: 300))
    }

    @Test func correctionIsStoredByIdentifier() async throws {
        try await fixture.apply(composed("helo", name: "1"))
        for text in ["hello", "again"] {
            try await fixture.apply(.corrected(buddy: grace, name: "1", text: text, by: "c"))
        }
        let message = try #require(try await fixture.all().first)
        #expect(message.text == "hello" && message.isCorrected)
    }

    @Test func summaryHasLastMessageAndSettings() async throws {
        #expect(try await store.summary() == ChatSummary())
        try await fixture.apply(
            .received(received("late", time: 900)), .received(received("last", time: 400)))
        store.changeSettings(adding: [.pinned, .muted], removing: [], of: grace)
        store.changeSettings(adding: .hidden, removing: .pinned, of: ada)
        await store.close()
        var conversations = try await store.summary().conversations
        #expect(conversations[grace]?.last?.time == ChatTime(milliseconds: 400))
        #expect(conversations[grace]?.last?.text == "last")
        #expect(conversations.mapValues(\.settings) == [grace: [.pinned, .muted], ada: .hidden])
        #expect(conversations[ada]?.last == nil)
        store.changeSettings(adding: .encrypted, removing: [.pinned, .hidden], of: grace)
        conversations = try await store.summary().conversations
        #expect(conversations[grace]?.settings == [.muted, .encrypted])
    }

    @Test func buddyListIsReplaced() async throws {
        let many = (0..<500).map {
            BuddyRecord(ChatAddress("buddy\($0)@example.org"), name: "Buddy \($0)", tellsMe: $0 % 2 == 0)
        }
        store.saveBuddies(many, version: "v1")
        var summary = try await store.summary()
        #expect(summary.buddies == many && summary.version == "v1")
        var fewer = Array(many[10..<400])
        fewer[0].name = ""
        fewer[1].isAsked = true
        fewer[2].toldByMe = true
        fewer[3].isDeclined = true
        fewer.append(BuddyRecord(ada))
        store.saveBuddies(fewer, version: nil)
        await store.close()
        summary = try await store.summary()
        #expect(summary.buddies == fewer && summary.version == nil)
        store.saveBuddies([], version: "")
        summary = try await store.summary()
        #expect(summary.buddies == [] && summary.version == "")
    }

    @Test func draftsAreStoredWithoutConversation() async throws {
        store.saveDraft("half a sen", for: grace)
        store.saveDraft("😀", for: ada)
        store.saveDraft("half a sentence", for: grace)
        await store.close()
        var summary = try await store.summary()
        #expect(summary.drafts == [grace: "half a sentence", ada: "😀"])
        #expect(summary.conversations == [:])
        store.saveDraft("", for: grace)
        summary = try await store.summary()
        #expect(summary.drafts == [ada: "😀"])
    }

    @Test func archiveMarkIsStoredWithItsMessages() async throws {
        #expect(try await store.archiveCursor() == nil)
        let piece = ArchivePage(.newest(upTo: "a2"), [received("1", archiveName: "a1")])
        try await fixture.apply(.archived(piece))
        await store.close()
        #expect(try await store.archiveCursor() == "a2")
        #expect(try await fixture.texts() == ["1"])
    }

    @Test func restOfPastIsStoredWithItsMessages() async throws {
        let room = ChatAddress("tea@rooms.example.org")
        let rest = ArchivePast(before: "an id", pages: 2)
        #expect(try await store.archivePast() == nil)
        let past = [received("2", archiveName: "a2"), received("1", archiveName: "a1")].reversed().map(\.past)
        try await fixture.apply(
            .archived(ArchivePage(.newest(upTo: "a3"), [received("3", archiveName: "a3")])),
            .archived(ArchivePage(.past(of: nil, rest: rest), past)),
            .archived(ArchivePage(.past(of: room, rest: ArchivePast(before: "r", pages: 1)), [])))
        await store.close()
        #expect(try await store.archivePast() == rest)
        #expect(try await store.archivePast(of: room)?.name == "r")
        #expect(try await fixture.texts() == ["1", "2", "3"])
        #expect(try await store.summary().unread.values.reduce(0, +) == 1)
        try await fixture.apply(.archived(ArchivePage(.past(of: nil, rest: nil), [])))
        #expect(try await store.archivePast() == nil)
        #expect(try await store.archiveCursor() == "a3")
    }

    @Test func nothingIsCreatedBeforeFirstOperation() async throws {
        await fixture.flush()
        #expect(!fixture.home.exists(fixture.home.folder))
        _ = try await store.summary()
        #expect(fixture.home.exists(fixture.home.messages))
    }

    @Test func onlyUserCanReadFiles() async throws {
        try await fixture.apply(.received(received("private")))
        #expect(try fixture.home.permissions(of: fixture.home.folders.data) == 0o700)
        #expect(fixture.files.contains("messages.db") && fixture.files.contains("messages.db-wal"))
        for file in fixture.files {
            #expect(
                try fixture.home.permissions(of: "\(fixture.home.folders.data)/\(file)") == 0o600, "\(file)")
        }
    }
}
