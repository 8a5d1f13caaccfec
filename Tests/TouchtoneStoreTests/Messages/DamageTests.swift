// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import Testing
import TouchtoneCore

@testable import TouchtoneStore

/// Tests that the store continues to work with any damaged file.
///
/// The operations are in `DamagedUse`.
@MainActor
@Suite struct DamageTests {
    private let home = Home(in: Home.memory)
    private let grace = MessageStoreFixture.grace

    /// A closed file with data of each kind.
    private static let whole = Task<Data, any Error> { @MainActor in
        let fixture = MessageStoreFixture(Home(in: Home.memory))
        var facts: [MessageUpdate] = []
        for number in 0..<300 {
            let buddy = [MessageStoreFixture.grace, MessageStoreFixture.ada, ChatAddress("bob")][number % 3]
            // Some are longer than a page.
            let text = String(repeating: "word\(number) ", count: number % 20 == 0 ? 700 : number % 7)
            facts.append(
                number % 5 == 0
                    ? composed(text, name: "\(number)", to: buddy)
                    : .received(received(text, from: buddy, name: "\(number)", archiveName: "a\(number)")))
        }
        facts.append(.archived(ArchivePage(.newest(upTo: "a299"), [])))
        try await fixture.apply(facts)
        fixture.store.saveBuddies((0..<50).map { BuddyRecord(ChatAddress("buddy\($0)")) }, version: "1")
        fixture.store.saveDraft("draft", for: MessageStoreFixture.ada)
        try await DamagedUse.fill(fixture)
        await fixture.store.close()
        return try Data(contentsOf: URL(fileURLWithPath: fixture.home.messages))
    }

    /// Writes the file.
    private func put(_ data: Data) throws {
        try home.write("", to: home.messages)
        try data.write(to: URL(fileURLWithPath: home.messages))
    }

    /// Runs all operations, and returns the distinct reports of damage.
    private func use(_ fixture: MessageStoreFixture, _ when: Comment) async -> [String] {
        var use = DamagedUse(fixture, when)
        await use.everything()
        return Set(use.damage).sorted()
    }

    /// Checks that the quarantined file exists under its name, and that the file in its place is sound.
    private func check(_ fixture: MessageStoreFixture, _ damage: [String], _ when: Comment) async throws {
        await fixture.store.close()
        #expect(damage.count <= 1, "\(when): set aside \(damage.count) times")
        for name in damage {
            #expect(name.hasPrefix("~/.local/share/touchtone/messages-damaged-20"), when)
            #expect(home.exists(home.folder + name.dropFirst()), when)
            #expect(try RawFile(home.messages).isSound(), when)
        }
        #expect(
            fixture.files.filter { $0.contains("damaged") && $0.hasSuffix(".db") }.count == damage.count, when
        )
    }

    // MARK: Damage found at once

    @Test func truncatedFileIsQuarantined() async throws {
        let whole = try await Self.whole.value
        for count in [15, 16, 99, 100, 101, 4095, 4096, whole.count / 2, whole.count - 4096] {
            try put(whole.prefix(count))
            let fixture = MessageStoreFixture(home)
            let damage = await use(fixture, "cut to \(count)")
            #expect(damage.count == 1, "cut to \(count)")
            try await check(fixture, damage, "cut to \(count)")
            for file in fixture.files { try home.remove("\(home.folders.data)/\(file)") }
        }
    }

    @Test func emptyFileBecomesNewDatabase() async throws {
        // SQLite itself writes one byte into an empty file on some systems.
        for count in 0...1 {
            try put(Data(count: count))
            let fixture = MessageStoreFixture(home)
            #expect(await use(fixture, "empty") == [])
            await fixture.store.close()
        }
    }

    @Test func foreignFileIsQuarantinedUnchanged() async throws {
        let noise =
            Data("This is no database, whatever its name says. ".utf8) + Data(repeating: 7, count: 9999)
        try put(noise)
        let fixture = MessageStoreFixture(home)
        let damage = await use(fixture, "noise")
        let name = try #require(damage.first)
        #expect(try Data(contentsOf: URL(fileURLWithPath: home.folder + name.dropFirst())) == noise)
        try await check(fixture, damage, "noise")
        // A second file of the same second is not lost either.
        try put(noise)
        let second = await use(fixture, "noise again")
        #expect(second.count == 1 && second != damage)
    }

    // MARK: Damage found in time

    @Test func zeroedPagesAreHandled() async throws {
        let whole = try await Self.whole.value
        try put(whole)
        // A missing first page of a table or an index is always noticed, except for the word index, which is rebuilt, and
        // keys, which are read only for encrypted messages.
        let roots = try RawFile(home.messages).rows(
            """
            SELECT rootpage, name FROM sqlite_schema
            WHERE rootpage > 0 AND name NOT LIKE 'message_text%' AND name NOT LIKE 'key_%'
                AND tbl_name NOT LIKE 'key_%' AND name <> 'sqlite_sequence'
            """)
        let names = Dictionary(uniqueKeysWithValues: roots.map { ($0[0], $0[1]) })
        #expect(names.count > 30)
        for page in 0..<whole.count / 4096 {
            let name = names["\(page + 1)"]
            let when: Comment = "page \(page) \(name ?? "")"
            var damaged = whole
            damaged.resetBytes(in: page * 4096..<(page + 1) * 4096)
            try put(damaged)
            let fixture = MessageStoreFixture(home)
            let damage = await use(fixture, when)
            if name != nil { #expect(damage.count == 1, when) }
            try await check(fixture, damage, when)
            for file in fixture.files { try home.remove("\(home.folders.data)/\(file)") }
        }
    }

    @Test func eachByteOfHeaderIsHandled() async throws {
        let whole = try await Self.whole.value
        for place in 0..<100 {
            let masks: [UInt8] = [0xff, 1, 2, 4, 0x80]
            for mask in TestLength.isLong ? masks : [masks[place % masks.count]] {
                var damaged = whole
                damaged[place] ^= mask
                try put(damaged)
                let fixture = MessageStoreFixture(home)
                let when: Comment = "byte \(place) ^ \(mask)"
                // The file of a newer program is kept.
                let version = damaged[60..<64].reduce(0) { $0 << 8 | Int($1) }
                if version > Migrations.messages.steps.count, version <= 1_000_000 {
                    await #expect(throws: StoreError.newer) { _ = try await fixture.store.summary() }
                    await fixture.store.close()
                } else {
                    try await check(fixture, await use(fixture, when), when)
                }
                for file in fixture.files { try home.remove("\(home.folders.data)/\(file)") }
            }
        }
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func flippedBitsAreHandled(_ seed: UInt64) async throws {
        let whole = try await Self.whole.value
        var random = SplitMix64(seed: seed)
        for round in 0..<TestLength.cases(25, long: 100) {
            var damaged = whole
            for _ in 0..<(1 << Int.random(in: 0...9, using: &random)) {
                // The version protects the file from changes, which a different test checks.
                let place = Int.random(in: 64..<whole.count, using: &random)
                damaged[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
            }
            try put(damaged)
            let fixture = MessageStoreFixture(home)
            try await check(fixture, await use(fixture, "\(seed)/\(round)"), "\(seed)/\(round)")
            for file in fixture.files { try home.remove("\(home.folders.data)/\(file)") }
        }
    }

    @Test(arguments: [1, 2] as [UInt64])
    func flippedBitsInLogAreHandled(_ seed: UInt64) async throws {
        let first = MessageStoreFixture(Home(in: Home.memory))
        for number in 0..<40 { try await first.apply(.received(received("\(number)", name: "\(number)"))) }
        let files = ["", "-wal"].map { (end: $0, path: first.home.messages + $0) }
        let contents = try files.map { try Data(contentsOf: URL(fileURLWithPath: $0.path)) }
        var random = SplitMix64(seed: seed)
        for round in 0..<TestLength.cases(15, long: 50) {
            try put(contents[0])
            var log = contents[1]
            log[Int.random(in: 0..<log.count, using: &random)] ^= 1 << UInt8.random(in: 0...7, using: &random)
            try log.write(to: URL(fileURLWithPath: home.messages + "-wal"))
            let fixture = MessageStoreFixture(home)
            // All messages before the flipped bit exist, in order, and none is incomplete.
            let kept = try await fixture.texts()
            #expect(kept == (0..<kept.count).map(String.init))
            #expect(await use(fixture, "\(round)") == [])
            await fixture.store.close()
            #expect(try RawFile(home.messages).isSound())
            for file in fixture.files { try home.remove("\(home.folders.data)/\(file)") }
        }
    }

    // MARK: Operation after damage

    @Test func damagedSearchIndexCostsNoMessage() async throws {
        try put(try await Self.whole.value)
        do {
            let file = try RawFile(home.messages)
            try file.run("DELETE FROM message_text_data WHERE id > 100")
        }
        let fixture = MessageStoreFixture(home)
        let count = try await fixture.all().count
        #expect(try await fixture.store.search("word299", of: nil, count: 9).count == 1)
        #expect(try await fixture.all().count == count)
        await fixture.store.close()
        #expect(try RawFile(home.messages).isSound())
        #expect(fixture.files == ["messages.db"])
    }

    @Test func damageIsDetectedWhileFileIsOpen() async throws {
        try put(try await Self.whole.value)
        let fixture = MessageStoreFixture(home)
        #expect(try await fixture.store.archiveCursor() == "a299")
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: home.messages))
        for page in 1..<(try await Self.whole.value.count / 4096) {
            try file.seek(toOffset: UInt64(page * 4096))
            try file.write(contentsOf: [UInt8](repeating: 0xff, count: 4096))
        }
        let damage = await use(fixture, "while open")
        #expect(damage.count == 1)
        try await check(fixture, damage, "while open")
    }

    @Test func quarantinedFileIsUnchanged() async throws {
        try put(try await Self.whole.value)
        let fixture = MessageStoreFixture(home)
        try await fixture.apply(.received(received("only in the log")))
        let count = try await Self.whole.value.count
        let noise = [UInt8](repeating: 0xff, count: count - 4096)
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: home.messages))
        try file.seek(toOffset: 4096)
        try file.write(contentsOf: noise)
        let ends = ["", "-wal"]
        let before = try ends.map { try Data(contentsOf: URL(fileURLWithPath: home.messages + $0)) }
        var name = ""
        do throws(StoreError) {
            _ = try await fixture.store.summary()
            _ = try await fixture.all()
            _ = try await fixture.all(MessageStoreFixture.ada)
        } catch {
            if case .damaged(let told) = error { name = home.folder + told.dropFirst() }
        }
        #expect(try ends.map { try Data(contentsOf: URL(fileURLWithPath: name + $0)) } == before)
        #expect(try await fixture.texts() == [])
        for file in fixture.files {
            #expect(try home.permissions(of: "\(home.folders.data)/\(file)") == 0o600, "\(file)")
        }
    }

    @Test func damageIsReportedByOneOperationAndOthersContinue() async throws {
        try put(Data("no database".utf8))
        let fixture = MessageStoreFixture(home)
        fixture.store.saveDraft("draft", for: grace)
        var results: [Result<MessageChanges, StoreError>] = []
        for number in 0..<5 {
            fixture.store.apply([.received(received("\(number)"))]) { results.append($0) }
            fixture.store.saveDraft("draft \(number)", for: grace)
        }
        await fixture.flush()
        #expect(results.map { (try? $0.get()) == nil } == [true, false, false, false, false])
        #expect(try await fixture.texts() == ["1", "2", "3", "4"])
        #expect(try await fixture.store.summary().drafts == [grace: "draft 4"])
    }

    @Test func damageIsReportedOnceToEachAffectedStore() async throws {
        try put(try await Self.whole.value.prefix(5000))
        let (fixture, isDamage) = (
            MessageStoreFixture(home),
            { @Sendable (error: any Error) in (error as? StoreError)?.isDamage == true }
        )
        await #expect { try await fixture.add(missed("1", "lost")) } throws: { isDamage($0) }
        #expect(try await fixture.add(missed("1", "kept")).call.remote.displayName == "kept")
        await #expect { _ = try await fixture.store.contacts() } throws: { isDamage($0) }
        #expect(try await fixture.store.contacts() == [])
        await #expect { _ = try await fixture.store.summary() } throws: { isDamage($0) }
        #expect(try await fixture.store.summary() == ChatSummary())
        #expect(try await fixture.names() == ["kept"])
        #expect(fixture.files.filter { $0.contains("damaged") && $0.hasSuffix(".db") }.count == 1)
    }

    @Test func archiveRestoresLostMessages() async throws {
        try put(Data("no database".utf8))
        let fixture = MessageStoreFixture(home)
        await #expect { try await fixture.apply() } throws: { ($0 as? StoreError)?.isDamage == true }
        // New messages do not hide the loss of all earlier ones.
        try await fixture.apply(
            .archived(ArchivePage(.newest(upTo: "a9"), [received("9", archiveName: "a9")])))
        await fixture.store.close()
        #expect(try await fixture.store.archiveCursor() == nil)
        try await fixture.apply(
            .archived(
                ArchivePage(
                    .newest(upTo: "a9"), [received("8", archiveName: "a8"), received("9", archiveName: "a9")])
            ))
        #expect(try await fixture.store.archiveCursor() == "a9")
        #expect(try await fixture.texts() == ["8", "9"])
    }

    @Test func archiveRestoresLostMessagesOfEachAccount() async throws {
        try put(Data("no database".utf8))
        let fixture = MessageStoreFixture(home)
        let other = MessageStoreFixture(sharingFileOf: fixture)
        (fixture.store.account, other.store.account) = (
            ChatAddress("ada@work.org"), ChatAddress("ada@home.org")
        )
        await #expect { try await fixture.apply() } throws: { ($0 as? StoreError)?.isDamage == true }
        #expect(try await fixture.store.archiveCursor() == nil)
        for fixture in [fixture, other] {
            try await fixture.apply(
                .archived(ArchivePage(.newest(upTo: "a9"), [received("9", archiveName: "a9")])))
        }
        #expect(try await fixture.store.archiveCursor() == "a9")
        #expect(try await other.store.archiveCursor() == nil, "the other account has not begun its catch-up")
        try await other.apply(.archived(ArchivePage(.newest(upTo: "a9"), [])))
        #expect(try await other.store.archiveCursor() == "a9")
    }
}
