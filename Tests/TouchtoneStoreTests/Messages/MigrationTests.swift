// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import Testing
import TouchtoneCore

@testable import TouchtoneStore

/// Files of other versions.
@MainActor
@Suite struct MigrationTests {
    private let home = Home()

    /// Has a file be there that a released version has made: `Fixtures/messages-VERSION.sql` is that version's schema.
    private func putFixture(_ version: Int) throws {
        let path = "\(Checkout.folder)/Tests/TouchtoneStoreTests/Fixtures/messages-\(version).sql"
        try home.write("", to: home.messages)
        try RawFile(home.messages).run(try home.read(path))
    }

    private nonisolated static let versions = 1...Migrations.messages.steps.count

    @Test(arguments: versions)
    func aFileOfAnyVersionIsBroughtUp(_ version: Int) async throws {
        try putFixture(version)
        let desk = MessageDesk(home)
        let grace = MessageDesk.grace
        #expect(try await desk.texts() == ["Hello Grace", "Hello, who is it?", "corrected"])
        #expect(try await desk.all().map(\.state) == [.delivered, .received, .failed("no such user")])
        #expect(try await desk.all().map(\.sender) == [.me, .buddy, .me])
        // What I corrected already is not corrected by the same again.
        let again = CameMessage(
            buddy: grace, sender: .me, text: "again", time: ChatTime(milliseconds: 4000), name: "name-4",
            corrects: "name-3")
        #expect(try await desk.apply(.came(again)) == ChatChanges())
        try await hasRoom(desk, isThere: version >= 4)
        #expect(try await desk.store.search("who", of: nil, count: 9).map(\.text) == ["Hello, who is it?"])
        #expect(try await desk.store.archiveMark() == "archive-2")
        let summary = try await desk.store.summary()
        #expect(
            summary.buddies == [BuddyRecord(grace, name: "Grace", tellsMe: true, toldByMe: true)]
                && summary.version == "7" && summary.drafts == [grace: "And"] && summary.unread == [grace: 1])
        try await hasDirectory(desk, isThere: version >= 2)
        // What was kept before conversations had an account is the first one's.
        for (account, count) in [
            ("first@example.org", 3), ("second@example.org", 0), ("first@example.org", 3),
        ] {
            desk.store.account = ChatAddress(account)
            #expect(try await desk.texts().count == count)
            #expect(try await desk.store.archiveMark() == (count == 0 ? nil : "archive-2"))
            #expect(try await desk.store.summary().buddies.count == (count == 0 ? 0 : 1))
        }
        try await desk.apply(.came(came("new")))
        try await desk.add(missed("5551234", "new"))
        _ = try await desk.store.add([NewContact(ContactCard(name: "new"), photo: [1])])
        #expect(try await desk.names(HistoryQuery(text: "new")) == ["new"])
        await desk.store.close()
        let file = try RawFile(home.messages)
        #expect(try file.isSound())
        #expect(try file.value("PRAGMA user_version") == "\(Migrations.messages.steps.count)")
    }

    /// The senders that version 4 has brought.
    private func hasRoom(_ desk: MessageDesk, isThere: Bool) async throws {
        let messages = try await desk.store.messages(
            of: ChatAddress("room@example.org"), before: nil, count: 9)
        let grace = RoomOccupant(nickname: "Grace", id: "id-1", address: ChatAddress("grace@example.org"))
        #expect(
            messages.map(\.sender)
                == (isThere
                    ? [.occupant(grace), .occupant(RoomOccupant(nickname: "Alan")), .me, .buddy] : []))
    }

    /// What version 2 has brought: calls, contacts and memory keys.
    private func hasDirectory(_ desk: MessageDesk, isThere: Bool) async throws {
        let (calls, contacts) = (try await desk.calls(), try await desk.store.contacts())
        let (keys, new) = (try await desk.store.memoryKeys(), try await desk.store.newMissedCalls())
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
                    began: ChatTime(milliseconds: 180_000), end: .noAnswer, seconds: nil),
                past("+15558675309", "Grace", end: .farEnd, seconds: 42),
            ])
        #expect(calls.map(\.isNew) == [true, false] && new == 1)
        #expect(try await desk.names(HistoryQuery(text: "ada")) == ["Ådå"])
        let ways = [
            ContactWay(.number, "867-5309", place: .home), ContactWay(.xmpp, "grace@example.org"),
            ContactWay(.sip, "sip:grace@example.org", place: .work),
        ]
        let card = ContactCard(
            name: "Grace", organization: "Navy", ways: ways, note: "a note", hasPhoto: true, rest: "X-REST:1")
        #expect(contacts == [Contact(id: .own(1), card: card)])
        #expect(try await desk.store.photo(of: 1) == [0xff, 0xd8])
        let grace = try #require(DialledNumber("+15558675309"))
        #expect(
            try keys == [1: MemoryKey(#require(DialledNumber("911"))), 9: MemoryKey(grace, name: "Grace")])
    }

    /// A step that was released stays as it is, or files of its version would be of two kinds.
    @Test(arguments: versions)
    func eachStepMakesWhatItMadeWhenItWasReleased(_ version: Int) async throws {
        try putFixture(version)
        let made = Home()
        try made.write("", to: made.messages)
        let steps = Array(Migrations.messages.steps.prefix(version))
        let database = try Database(path: made.messages, patience: 0)
        try Migrations(steps: steps, applicationID: Migrations.messages.applicationID).run(on: database)
        let question = "SELECT type, name, sql FROM sqlite_schema ORDER BY type, name"
        #expect(try RawFile(made.messages).rows(question) == RawFile(home.messages).rows(question))
    }

    @Test(arguments: [Migrations.messages.steps.count + 1, 1_000_000])
    func aFileOfANewerVersionIsLeftAlone(_ version: Int) async throws {
        let desk = MessageDesk(home)
        try await desk.apply(.came(came("kept")))
        await desk.store.close()
        do {
            let file = try RawFile(home.messages)
            try file.run("CREATE TABLE news (id); PRAGMA user_version = \(version)")
        }
        let before = try Data(contentsOf: URL(fileURLWithPath: home.messages))
        desk.store.saveDraft("draft", for: MessageDesk.grace)
        await #expect(throws: StoreError.newer) { try await desk.apply(.came(came("new"))) }
        await #expect(throws: StoreError.newer) { _ = try await desk.store.summary() }
        await #expect(throws: StoreError.newer) { try await desk.add(past("1")) }
        await #expect(throws: StoreError.newer) { try await desk.forget([1]) }
        await #expect(throws: StoreError.newer) { _ = try await desk.store.contacts() }
        await #expect(throws: StoreError.newer) { try await desk.store.setMemoryKey(1, nil) }
        await desk.store.close()
        #expect(try Data(contentsOf: URL(fileURLWithPath: home.messages)) == before)
        #expect(desk.files == ["messages.db"])
        try RawFile(home.messages).run("PRAGMA user_version = \(Migrations.messages.steps.count)")
        #expect(try await desk.texts() == ["kept"])
    }

    @Test func aStepThatFailsLeavesTheFileAsItWas() throws {
        try home.write("", to: home.messages)
        let path = home.messages
        func raise(_ steps: [String]) throws(StoreError) {
            let database = try StoreError.catching { () throws(SQLiteError) in
                try Database(path: path, patience: 0)
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
    func aDatabaseOfSomebodyElseIsSetAside(_ made: String) async throws {
        try home.write("", to: home.messages)
        try RawFile(home.messages).run(made + "; CREATE TABLE more (id)")
        let desk = MessageDesk(home)
        await #expect { _ = try await desk.store.summary() } throws: { ($0 as? StoreError)?.isDamage == true }
        try await desk.apply(.came(came("new")))
        #expect(try await desk.texts() == ["new"])
    }
}
