// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import Testing
import TouchtoneCore

@testable import TouchtoneStore

/// Tests with files of other versions.
@MainActor
@Suite struct MigrationTests {
    private let home = Home()

    private nonisolated static let versions = 1...Migrations.messages.steps.count

    @Test(arguments: versions)
    func fileOfAnyVersionIsMigrated(_ version: Int) async throws {
        try home.putMessages(ofVersion: version)
        let fixture = MessageStoreFixture(home)
        let grace = MessageStoreFixture.grace
        #expect(try await fixture.texts() == ["Hello Grace", "Hello, who is it?", "corrected"])
        #expect(try await fixture.all().map(\.state) == [.delivered, .received, .failed("no such user")])
        #expect(try await fixture.all().map(\.sender) == [.me, .buddy, .me])
        // A correction that was already applied is not applied again.
        let again = ReceivedMessage(
            buddy: grace, sender: .me, text: "again", time: ChatTime(milliseconds: 4000), name: "name-4",
            relation: .corrects("name-3", proof: .identity))
        #expect(try await fixture.apply(.received(again)) == MessageChanges())
        try await hasRoom(fixture, isThere: version >= 4)
        try await hasFiles(fixture, isThere: version >= 5)
        try await hasAnnotations(fixture, isThere: version >= 6)
        try await hasParts(fixture, isThere: version >= 7)
        if version >= 9 { try await hasOriginals(fixture) }
        if version >= 15 { try await hasArchivedCorrections(fixture) }
        if version >= 11 { try await hasHidden(fixture) }
        if version >= 13 { try await hasCallText(fixture) }
        let found = try await fixture.store.search("who", of: nil, count: 9)
        #expect(found.map(\.message.text) == ["Hello, who is it?"])
        #expect(try await fixture.store.archiveCursor() == "archive-2")
        let summary = try await fixture.store.summary()
        #expect(
            summary.buddies == [BuddyRecord(grace, name: "Grace", tellsMe: true, toldByMe: true)]
                && summary.version == "7" && summary.drafts == [grace: "And"] && summary.unread == [grace: 1])
        #expect(
            summary.conversations[ChatAddress("parts@example.org")]?.settings
                == (version >= 10 ? [.pinned, .muted] : version >= 7 ? [] : nil))
        try await hasDirectory(fixture, isThere: version >= 2)
        // Messages from before conversations had an account belong to the first one.
        for (account, count) in [
            ("first@example.org", 3), ("second@example.org", 0), ("first@example.org", 3),
        ] {
            fixture.store.account = ChatAddress(account)
            #expect(try await fixture.texts().count == count)
            #expect(try await fixture.store.archiveCursor() == (count == 0 ? nil : "archive-2"))
            #expect(try await fixture.store.summary().buddies.count == (count == 0 ? 0 : 1))
            let isThere = account == "second@example.org" && version >= 8
            #expect(try await fixture.store.outgoingAnnotations() == (isThere ? Self.outgoing : []))
        }
        if version >= 13 { try await hasInterruptedCall(fixture) }
        try await fixture.apply(.received(received("new")))
        try await fixture.add(missed("5551234", "new"))
        _ = try await fixture.store.add([NewContact(ContactCard(name: "new"), photo: [1])])
        #expect(try await fixture.names(HistoryQuery(text: "new")) == ["new"])
        await fixture.store.close()
        let file = try RawFile(home.messages)
        #expect(try file.isSound())
        #expect(try file.value("PRAGMA user_version") == "\(Migrations.messages.steps.count)")
        if version >= 12 { try await hasDevice(fixture) }
    }

    /// The user’s reactions and retractions that version 8 added.
    private static let outgoing = [
        MessageAnnotation(
            .retraction, of: .archive("archive-4"), buddy: ChatAddress("room@example.org"), sender: .me,
            time: ChatTime(milliseconds: 3000), name: "name-19"),
        MessageAnnotation(
            .reaction(["👍", "🎉"]), of: .stanza("name-1"), buddy: ChatAddress("ada@example.org"),
            sender: .me, time: ChatTime(milliseconds: 4000), name: "name-18"),
    ]

    /// Checks the senders that version 4 added.
    private func hasRoom(_ fixture: MessageStoreFixture, isThere: Bool) async throws {
        let messages = try await fixture.store.messages(
            of: ChatAddress("room@example.org"), before: nil, count: 9)
        let grace = RoomOccupant(nickname: "Grace", id: "id-1", address: ChatAddress("grace@example.org"))
        #expect(
            messages.map(\.sender)
                == (isThere
                    ? [.occupant(grace), .occupant(RoomOccupant(nickname: "Alan")), .me, .buddy] : []))
    }

    /// Checks the files that version 5 added.
    private func hasFiles(_ fixture: MessageStoreFixture, isThere: Bool) async throws {
        let messages = try await fixture.store.messages(
            of: ChatAddress("files@example.org"), before: nil, count: 9)
        let photo = SharedFile(
            url: "https://files.example.org/1/photo.jpg", name: "photo.jpg", mediaType: "image/jpeg")
        let report = SharedFile(
            name: "report.pdf", size: 2000, mediaType: "application/pdf", path: "/home/ada/report.pdf")
        #expect(messages.map(\.file) == (isThere ? [photo, report] : []))
        #expect(messages.map(\.isFileAlone) == (isThere ? [true, true] : []))
    }

    /// Checks the messages that the user deleted here, which version 11 added.
    private func hasHidden(_ fixture: MessageStoreFixture) async throws {
        let parts = ChatAddress("parts@example.org")
        let before = try await fixture.texts(parts)
        let again = ReceivedMessage(
            buddy: parts, sender: .buddy, text: "gone", time: ChatTime(milliseconds: 1003),
            name: "a-name-that-nobody-gives-twice", archiveName: "archive-9")
        #expect(try await fixture.apply(.received(again)) == MessageChanges())
        #expect(try await fixture.texts(parts) == before)
    }

    /// Checks the reactions and retractions that version 6 added.
    private func hasAnnotations(_ fixture: MessageStoreFixture, isThere: Bool) async throws {
        let buddy = ChatAddress("reactions@example.org")
        guard isThere else { return #expect(try await fixture.all(buddy) == []) }
        // The annotations of messages that come later apply to them.
        for name in ["name-13", "name-14"] {
            try await fixture.apply(
                .received(
                    ReceivedMessage(
                        buddy: buddy, sender: .buddy, text: name, time: ChatTime(milliseconds: 1003),
                        name: name, passage: .past)))
        }
        let messages = try await fixture.all(buddy)
        let (thumb, nothing) = (
            MessageReaction(
                sender: .buddy, emoji: ["👍", "🎉"], time: ChatTime(milliseconds: 2000), name: "r1"),
            MessageReaction(sender: .me, emoji: [], time: ChatTime(milliseconds: 2001), name: "r2")
        )
        #expect(messages.map(\.text) == ["Tea?", "", "", "name-13", ""])
        #expect(messages[0].reactions == [thumb, nothing] && messages[3].reactions.map(\.emoji) == [["👍"]])
        #expect(messages.map { $0.retraction?.time.milliseconds } == [nil, 1500, 1600, nil, 3001])
        #expect(messages.map { $0.retraction?.moderation } == [nil, nil, "spam", nil, nil])
    }

    /// Checks the parts that version 7 added.
    private func hasParts(_ fixture: MessageStoreFixture, isThere: Bool) async throws {
        let messages = try await fixture.all(ChatAddress("parts@example.org"))
        let ada = ChatAddress("ada@example.org")
        let first = SharedFile(
            url: "https://files.example.org/a.png", name: "a.png", mediaType: "image/png")
        let second = SharedFile(
            name: "b.png", size: 2000, mediaType: "image/png", path: "/home/ada/b.png")
        let contents = [
            MessageContent("> Tea?\nGreat", fallbacks: [.init(0..<7, for: "urn:xmpp:reply:0")]),
            MessageContent("", encryption: "OMEMO"), MessageContent("a.png", files: [first, second]),
        ]
        #expect(messages.map(\.content) == (isThere ? contents : []))
        let replies = [
            MessageReply(to: .stanza("a\\b\tc"), by: ada), nil,
            MessageReply(to: .archive("archive-3"), by: nil),
        ]
        #expect(messages.map(\.reply) == (isThere ? replies : []))
    }

    /// Checks the originals of corrections that version 9 added.
    private func hasOriginals(_ fixture: MessageStoreFixture) async throws {
        let buddy = ChatAddress("parts@example.org")
        let again = ReceivedMessage(
            buddy: buddy, sender: .buddy, text: "Great!", time: ChatTime(milliseconds: 3000), name: "name-21",
            relation: .corrects("name-20", proof: .identity))
        try await fixture.apply(.received(again))
        #expect(try await fixture.all(buddy).map(\.text) == ["Great!", "", "a.png"])
    }

    /// Checks the IDs in the archive of corrections, which version 15 added.
    private func hasArchivedCorrections(_ fixture: MessageStoreFixture) async throws {
        let buddy = ChatAddress("parts@example.org")
        let reaction = MessageAnnotation(
            .reaction(["👍"]), of: .archive("archive-20"), buddy: buddy, sender: .buddy,
            time: ChatTime(milliseconds: 4000))
        try await fixture.apply(.annotated(reaction))
        #expect(try await fixture.all(buddy).map(\.reactions.count) == [1, 0, 0])
    }

    /// Checks the tables that version 2 added: calls, contacts and memory keys.
    private func hasDirectory(_ fixture: MessageStoreFixture, isThere: Bool) async throws {
        let (calls, contacts) = (try await fixture.calls(), try await fixture.store.contacts())
        let (keys, new) = (try await fixture.store.memoryKeys(), try await fixture.store.newMissedCalls())
        guard isThere else {
            #expect(calls.isEmpty && contacts.isEmpty && keys.isEmpty && new == 0)
            return
        }
        #expect(
            calls.map(\.call) == [
                PastCall(
                    direction: .incoming,
                    remote: RemoteParty(
                        try #require(DialledNumber("*67#")), address: "sip:ada@example.org",
                        displayName: "Ådå"), line: "sip",
                    began: ChatTime(milliseconds: 180_000), endReason: .noAnswer, seconds: nil),
                past("+15558675309", "Grace", end: .farEnd, seconds: 42),
            ])
        #expect(calls.map(\.isNew) == [true, false] && new == 1)
        #expect(try await fixture.names(HistoryQuery(text: "ada")) == ["Ådå"])
        let ways = [
            ContactMethod(.number, "867-5309", label: .home), ContactMethod(.xmpp, "grace@example.org"),
            ContactMethod(.sip, "sip:grace@example.org", label: .work),
        ]
        let card = ContactCard(
            name: "Grace", organization: "Navy", methods: ways, note: "a note", hasPhoto: true,
            rest: "X-REST:1")
        #expect(contacts == [Contact(id: .own(1), card: card)])
        #expect(try await fixture.store.photo(of: 1) == [0xff, 0xd8])
        let grace = try #require(DialledNumber("+15558675309"))
        #expect(
            try keys == [1: MemoryKey(#require(DialledNumber("911"))), 9: MemoryKey(grace, name: "Grace")])
    }

    /// Checks the text of calls, which version 13 added.
    private func hasCallText(_ fixture: MessageStoreFixture) async throws {
        let entries = try await fixture.calls()
        #expect(entries.map(\.hasText) == [false, true])
        let id = try #require(entries.last?.id)
        let text = try await fixture.store.text(of: id)
        #expect(
            text == KeptCallText(lines: [.init(.farEnd, "Hello"), .init(.own, "Hi")], isCut: true))
    }

    /// Adds the call whose end the program of version 13 did not see.
    private func hasInterruptedCall(_ fixture: MessageStoreFixture) async throws {
        let count = try await fixture.told { $0.addInterrupted(reason: "ended", completion: $1) }
        let calls = try await fixture.calls()
        let (last, number) = (try #require(calls.first), try #require(DialledNumber("911")))
        #expect(count == 1 && last.hasText && !last.isNew)
        #expect(
            last.call
                == PastCall(
                    direction: .incoming,
                    remote: RemoteParty(
                        number, address: "sip:cut@example.org",
                        displayName: "Cut off"), line: "sip", began: ChatTime(milliseconds: 240_000),
                    endReason: .failed("ended"), seconds: 12))
        #expect(try await fixture.store.text(of: last.id).lines == [.init(.own, "Are you there")])
    }

    private func hasDevice(_ fixture: MessageStoreFixture) async throws {
        // It is the last thing that is done: what nobody owns becomes this account’s.
        fixture.store.account = ChatAddress("second@example.org")
        let devices = try await fixture.store.devices(of: ChatAddress("ada@example.org"))
        #expect(devices.map(\.address.device) == [27183])
        #expect(devices.map(\.label) == ["desk"] && devices.map(\.trust) == [.verified])
        #expect(devices.first?.fingerprint.hasPrefix("01020304 05060708 ") == true)
    }

    /// A released step must not change, or there would be two kinds of files with its version.
    @Test(arguments: versions)
    func eachStepProducesReleasedSchema(_ version: Int) async throws {
        try home.putMessages(ofVersion: version)
        let made = Home()
        try made.write("", to: made.messages)
        let steps = Array(Migrations.messages.steps.prefix(version))
        let database = try Database(path: made.messages, busyTimeout: 0)
        try Migrations(steps: steps, applicationID: Migrations.messages.applicationID).run(on: database)
        let question = "SELECT type, name, sql FROM sqlite_schema ORDER BY type, name"
        #expect(try RawFile(made.messages).rows(question) == RawFile(home.messages).rows(question))
    }

    @Test(arguments: [Migrations.messages.steps.count + 1, 1_000_000])
    func fileOfNewerVersionIsNotTouched(_ version: Int) async throws {
        let fixture = MessageStoreFixture(home)
        try await fixture.apply(.received(received("kept")))
        await fixture.store.close()
        do {
            let file = try RawFile(home.messages)
            try file.run("CREATE TABLE news (id); PRAGMA user_version = \(version)")
        }
        let before = try Data(contentsOf: URL(fileURLWithPath: home.messages))
        fixture.store.saveDraft("draft", for: MessageStoreFixture.grace)
        await #expect(throws: StoreError.newer) { try await fixture.apply(.received(received("new"))) }
        await #expect(throws: StoreError.newer) { _ = try await fixture.store.summary() }
        await #expect(throws: StoreError.newer) { try await fixture.add(past("1")) }
        await #expect(throws: StoreError.newer) { try await fixture.forget([1]) }
        await #expect(throws: StoreError.newer) { _ = try await fixture.store.contacts() }
        await #expect(throws: StoreError.newer) { try await fixture.store.setMemoryKey(1, nil) }
        await fixture.store.close()
        #expect(try Data(contentsOf: URL(fileURLWithPath: home.messages)) == before)
        #expect(fixture.files == ["messages.db"])
        try RawFile(home.messages).run("PRAGMA user_version = \(Migrations.messages.steps.count)")
        #expect(try await fixture.texts() == ["kept"])
    }

    @Test func failedStepLeavesFileUnchanged() throws {
        try home.write("", to: home.messages)
        let path = home.messages
        func raise(_ steps: [String]) throws(StoreError) {
            let database = try StoreError.catching { () throws(SQLiteError) in
                try Database(path: path, busyTimeout: 0)
            }
            try Migrations(steps: steps, applicationID: 7).run(on: database)
        }
        try raise(["CREATE TABLE one (id)"])
        #expect(throws: StoreError.self) {
            try raise(["", "CREATE TABLE two (id); INSERT INTO one VALUES (1)", "CREATE TABLE one (id)"])
        }
        let file = try RawFile(path)
        #expect(try file.rows("SELECT name FROM sqlite_schema") == [["one"]])
        #expect(try file.rows("SELECT * FROM one") == [])
        #expect(try file.value("PRAGMA user_version") == "1")
        try raise(["", "CREATE TABLE two (id); INSERT INTO one VALUES (1)", "CREATE TABLE three (id)"])
        #expect(try file.value("SELECT group_concat(name) FROM sqlite_schema") == "one,two,three")
        #expect(try file.value("PRAGMA user_version") == "3")
    }

    @Test(arguments: [
        "CREATE TABLE other (id)", "CREATE TABLE other (id); PRAGMA user_version = 1",
        "PRAGMA user_version = 1; PRAGMA application_id = 7",
        "PRAGMA user_version = -1", "PRAGMA user_version = 1; PRAGMA application_id = 1416908147",
    ])
    func databaseOfOtherProgramIsQuarantined(_ made: String) async throws {
        try home.write("", to: home.messages)
        try RawFile(home.messages).run(made + "; CREATE TABLE more (id)")
        let fixture = MessageStoreFixture(home)
        await #expect { _ = try await fixture.store.summary() } throws: {
            ($0 as? StoreError)?.isDamage == true
        }
        try await fixture.apply(.received(received("new")))
        #expect(try await fixture.texts() == ["new"])
    }
}

extension Home {
    /// Creates a file as a released version would: `Fixtures/messages-VERSION.sql` is that version's schema.
    func putMessages(ofVersion version: Int) throws {
        let path = "\(Checkout.folder)/Tests/TouchtoneStoreTests/Fixtures/messages-\(version).sql"
        try write("", to: messages)
        try RawFile(messages).run(try read(path))
    }
}
