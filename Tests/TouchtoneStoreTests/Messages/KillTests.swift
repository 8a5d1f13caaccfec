// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import Testing
import TouchtoneCore

@testable import TouchtoneStore

/// Tests that kill the program at any moment, 200 times in a row on one file.
@MainActor
@Suite struct KillTests {
    private let home = Home()

    @Test func confirmedDataSurvivesKill() async throws {
        var random = SplitMix64(seed: .random(in: 0...UInt64.max))
        var last: Int64 = 0
        var acknowledged: Set<Int64> = []
        var directory = KilledDirectory()
        for round in 1...TestLength.cases(80, long: 200) {
            // Some facts exist already, like those that a server resends without an acknowledgement.
            let said = try await Self.run(in: home.folder, from: max(1, last - 6), seed: random.next())
            let numbers = said.compactMap { Int64($0) }
            acknowledged.formUnion(numbers)
            last = max(last, numbers.max() ?? 0)
            // The program was killed before it stored anything.
            guard last > 0 else { continue }
            let file = try RawFile(home.messages)
            #expect(try file.isSound(), "round \(round)")
            #expect(try file.value("SELECT count(*) - count(DISTINCT name) FROM message") == "0")
            let fixture = MessageStoreFixture(home)
            try await check(numbers, in: fixture, newest: 400, "round \(round)")
            try await directory.check(said, in: fixture, "round \(round)")
            await fixture.store.close()
        }
        #expect(last > 80, "hardly anything was kept: it was killed too early to show anything")
        #expect(directory.count > 80, "hardly any call or contact was kept")
        // The last round may have been killed while it repeated stored facts, and with them the mark.
        try await check(
            acknowledged, in: MessageStoreFixture(home), newest: .max, marksGrow: false, "at the end")
    }

    /// The program is killed while it migrates a file of the former version, or shortly before or after.
    @Test func messagesSurviveKillDuringMigration() async throws {
        var random = SplitMix64(seed: .random(in: 0...UInt64.max))
        let newest = Migrations.messages.steps.count
        for round in 1...30 {
            let home = Home()
            try home.putMessages(ofVersion: newest - 1)
            _ = try await Self.run(in: home.folder, from: 1, seed: random.next())
            do {
                let file = try RawFile(home.messages)
                #expect(try file.isSound(), "round \(round)")
                let version = try file.value("PRAGMA user_version")
                #expect(version == "\(newest - 1)" || version == "\(newest)", "round \(round)")
            }
            let fixture = MessageStoreFixture(home)
            #expect(
                try await fixture.texts() == ["Hello Grace", "Hello, who is it?", "corrected"],
                "round \(round)")
            await fixture.store.close()
        }
    }

    /// Runs the program from a number on, kills it, and returns its output, line by line.
    ///
    /// It waits off the main thread, on which other tests continue.
    @concurrent private nonisolated static func run(in folder: String, from first: Int64, seed: UInt64)
        async throws -> [String]
    {
        var random = SplitMix64(seed: seed)
        let (process, reading) = try startWriter(["keep", "\(first)"], in: folder)
        var said = Data()
        if Bool.random(using: &random) {
            // The kill follows after a given number of bytes of output.
            let count = Int.random(in: 1...200, using: &random)
            while said.count < count, let more = try reading.read(upToCount: 1), !more.isEmpty {
                said += more
            }
        }
        // A transaction takes a millisecond or two, and the start of a program longer.
        usleep(UInt32.random(in: 0...(said.isEmpty ? 40_000 : 10_000), using: &random))
        kill(process.processIdentifier, SIGKILL)
        said += reading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationReason == .uncaughtSignal)
        let lines = String(decoding: said, as: UTF8.self).split(
            separator: "\n", omittingEmptySubsequences: false)
        return lines.dropLast().map(String.init)
    }

    /// - Parameters:
    ///   - count: The number of last messages to check in each conversation.
    ///   - marksGrow: Whether no number was repeated after a later one.
    private func check(
        _ numbers: some Sequence<Int64>, in fixture: MessageStoreFixture, newest count: Int,
        marksGrow: Bool = true,
        _ when: Comment
    ) async throws {
        var kept: [String: ChatMessage] = [:]
        for buddy in 0..<3 {
            let buddy = ChatAddress("buddy\(buddy)")
            for message in try await fixture.store.messages(of: buddy, before: nil, count: count) {
                if let name = message.name { kept[name] = message }
            }
        }
        let mark =
            try await fixture.store.archiveCursor()?.split(separator: "-").last.flatMap { Int64($0) } ?? 0
        for number in numbers {
            if number % 4 == 0 {
                if number > 4 { #expect(kept["name-\(number - 2)"]?.state == .sent, when) }
                continue
            }
            #expect(kept["name-\(number)"]?.text == "\(number)", when)
            if marksGrow, number % 4 == 3 { #expect(mark >= number, when) }
        }
        if mark > 0 { #expect(kept["name-\(mark)"] != nil, "the mark is before its messages") }
    }
}

/// The confirmed calls and contacts.
@MainActor
private struct KilledDirectory {
    /// The number of confirmed items.
    private(set) var count = 0
    private var calls: Set<String> = []
    private var contacts: Set<String> = []

    /// Reads the output of a process, and compares it with the stored data.
    mutating func check(_ said: [String], in fixture: MessageStoreFixture, _ when: Comment) async throws {
        var told: [String: Set<String>] = [:]
        for line in said.map({ $0.split(separator: " ").map(String.init) }) where line.count == 2 {
            told[line[0], default: []].insert(line[1])
        }
        let (called, deleted) = (told["call"] ?? [], told["deleted"] ?? [])
        let (added, changed, gone) = (told["contact"] ?? [], told["changed"] ?? [], told["gone"] ?? [])
        count += called.count + added.count

        let names = try await fixture.names()
        #expect(Set(names).count == names.count, when)
        // Deleted items, and those about to be deleted, may be missing; all others exist.
        #expect(calls.union(called.filter { number($0) % 4 != 0 }).isSubset(of: names), when)
        #expect(deleted.isDisjoint(with: names), when)
        if let last = names.first {
            #expect(try await fixture.names(HistoryQuery(text: last)).contains(last), when)
        }
        calls = Set(names)

        let cards = try await Dictionary(
            uniqueKeysWithValues: fixture.store.contacts().map { ($0.card.name, $0) })
        #expect(contacts.union(added.filter { number($0) % 3 != 0 }).isSubset(of: cards.keys), when)
        #expect(gone.isDisjoint(with: cards.keys), when)
        for (name, contact) in cards where !contacts.contains(name) {
            #expect(contact.card.methods == [ContactMethod(.number, name), ContactMethod(.sip, name)], when)
            let isChanged = contact.card.note == "changed"
            #expect(isChanged || contact.card.note == "new" && !changed.contains(name), when)
            #expect(contact.card.hasPhoto == !isChanged, when)
            let photo = try await fixture.store.photo(of: contact.own)
            #expect(photo?.count == (isChanged ? nil : name.utf8.count * 1000), when)
        }
        contacts = Set(cards.keys)
    }

    private func number(_ name: String) -> Int { name.split(separator: "-").last.flatMap { Int($0) } ?? 0 }
}
