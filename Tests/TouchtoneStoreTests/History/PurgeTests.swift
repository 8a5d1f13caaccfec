// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import Testing
import TouchtoneCore

@testable import TouchtoneStore

/// Tests that no purged data is left in the files, wherever SQLite had stored it.
@MainActor
@Suite struct PurgeTests {
    private let fixture: MessageStoreFixture
    private var store: SQLiteStore { fixture.store }

    init() { fixture = MessageStoreFixture(Home(in: Home.memory)) }

    private init(_ fixture: MessageStoreFixture) { self.fixture = fixture }

    /// Returns those of these texts of seven characters, digits and “~”, that are in the files now.
    private func left(_ texts: some Sequence<String>) throws -> [String] {
        let wanted = Dictionary(
            texts.map { ($0.utf8.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }, $0) }, uniquingKeysWith: { $1 })
        var found: Set<String> = []
        for file in fixture.files where !file.hasSuffix("-shm") {
            let data = try Data(contentsOf: URL(fileURLWithPath: "\(fixture.home.folders.data)/\(file)"))
            data.withUnsafeBytes { bytes in
                var (last, length) = (UInt64(0), 0)
                for byte in bytes {
                    last = (last << 8 | UInt64(byte)) & 0xff_ffff_ffff_ffff
                    length = byte == 0x7e || byte &- 0x30 < 10 ? length + 1 : 0
                    if length >= 7, let text = wanted[last] { found.insert(text) }
                }
            }
        }
        return found.sorted()
    }

    /// Returns a text that exists nowhere else.
    private func mark(_ number: Int) -> String { "~" + String(100_000 + number) }

    @Test(arguments: [1, 2] as [UInt64])
    func purgeLeavesNothingOfCalls(_ seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        // The end of a number has its own index.
        var kept: [Int64: (digits: String, mark: String)] = [:]
        var numbers: Set<String> = []
        for round in 0..<4 {
            var calls: [(call: PastCall, digits: String, mark: String)] = []
            while calls.count < 700 {
                // No other seven consecutive digits of the number and its end occur elsewhere.
                let digits = (0..<6).reduce("1") { text, _ in
                    text + String(Int.random(in: 2...9, using: &random))
                }
                guard numbers.insert(digits).inserted else { continue }
                let mark = mark(numbers.count)
                let filler = String(repeating: "x", count: Int.random(in: 0...60, using: &random))
                let call = past(
                    "000" + digits, mark + filler, Bool.random(using: &random) ? .incoming : .outgoing,
                    address: mark, end: .failed(mark))
                calls.append((call, digits, mark))
            }
            for (call, digits, mark) in calls {
                let entry = try await fixture.add(call)
                kept[entry.id] = (digits, mark)
            }
            try await fixture.markSeen()
            let gone = kept.keys.sorted().filter { _ in Int.random(in: 0..<3, using: &random) == 0 }
            // Some are restored before.
            try await fixture.restore(try await fixture.delete(.entries(Array(gone.prefix(50)))))
            try await fixture.delete(.entries(gone))
            let texts = gone.compactMap { kept.removeValue(forKey: $0) }.flatMap { [$0.digits, $0.mark] }
            if round == 3 {
                // At the next opening.
                await store.close()
                #expect(try await fixture.calls().count == kept.count)
            } else {
                try await fixture.forget(gone)
            }
            #expect(try left(texts) == [], "round \(round)")
        }
        let texts = kept.values.flatMap { [$0.digits, $0.mark] }
        #expect(try left(texts).count == texts.count)
        try await fixture.forget(try await fixture.delete(.all))
        #expect(try left(texts) == [])
        await store.close()
        #expect(try RawFile(fixture.home.messages).isSound())
    }

    /// The text of calls is written while they go on, partly twice, and is searchable afterwards.
    @Test(arguments: [1, 2] as [UInt64])
    func purgeLeavesNothingOfTexts(_ seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        var (kept, number): ([Int64: [String]], Int) = ([:], 0)
        func new() -> String {
            number += 1
            return mark(number)
        }
        for round in 0..<3 {
            for call in 0..<120 {
                let talk = talk(round * 1000 + call, with: new())
                var marks = [talk.remote.displayName]
                for place in 1...Int.random(in: 1...12, using: &random) {
                    marks.append(new())
                    let filler = String(repeating: " x", count: Int.random(in: 0...200, using: &random))
                    try await fixture.keep(
                        [.init(.farEnd, marks[marks.count - 1] + filler)], from: place, of: talk)
                    if Bool.random(using: &random) {
                        // It is changed.
                        marks.append(new())
                        try await fixture.keep(
                            [.init(.farEnd, marks[marks.count - 1])], from: place, of: talk)
                    }
                }
                if call % 10 == 0 {
                    try await fixture.forgetText(of: talk)
                    #expect(try left(marks) == [], "an open text, round \(round)")
                } else {
                    kept[try await fixture.add(past("", marks[0]), textOf: talk).id] = marks
                }
            }
            let gone = kept.keys.sorted().filter { _ in Int.random(in: 0..<3, using: &random) == 0 }
            try await fixture.restore(try await fixture.delete(.entries(Array(gone.prefix(10)))))
            try await fixture.delete(.entries(gone))
            try await fixture.forget(gone)
            #expect(
                try left(gone.compactMap { kept.removeValue(forKey: $0) }.joined()) == [], "round \(round)")
        }
        for (id, marks) in kept {
            let found = try await store.text(of: id).lines.map { String($0.text.prefix(7)) }
            #expect(found.last == marks.last)
        }
        // Nor is anything left when the last call goes, but the text of a call that goes on.
        let open = talk(1)
        try await fixture.keep([.init(.own, "~999999")], of: open)
        try await fixture.forget(try await fixture.delete(.all))
        #expect(try left(kept.values.joined()) == [])
        #expect(try left(["~999999"]) == ["~999999"])
        let entry = try await fixture.add(past(), textOf: open)
        #expect(try await store.text(of: entry.id).lines == [.init(.own, "~999999")])
        try await fixture.forget(try await fixture.delete(.all))
        #expect(try left(["~999999"]) == [])
        await store.close()
        #expect(try RawFile(fixture.home.messages).isSound())
    }

    @Test(arguments: [1, 2] as [UInt64])
    func purgeLeavesNothingOfContacts(_ seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        var number = 0
        func new() -> (contact: NewContact, mark: String) {
            number += 1
            let mark = mark(number)
            func text(_ maximum: Int) -> String {
                String(repeating: mark, count: Int.random(in: 1...maximum, using: &random))
            }
            let card = ContactCard(
                name: text(9), organization: text(3),
                methods: (0..<Int.random(in: 0...4, using: &random)).map { _ in ContactMethod(.sip, text(5))
                },
                note: text(number % 20 == 0 ? 2000 : 9), rest: text(number % 30 == 0 ? 2000 : 3))
            let photo = number % 4 == 0 ? Array(text(3000).utf8) : nil
            return (NewContact(card, photo: photo), mark)
        }
        var kept: [Int64: String] = [:]
        for round in 0..<4 {
            let added = (0..<150).map { _ in new() }
            for (contact, new) in zip(try await store.add(added.map(\.contact)), added) {
                kept[contact.own] = new.mark
            }
            var gone: [String] = []
            for id in kept.keys.sorted() where Int.random(in: 0..<3, using: &random) == 0 {
                // Nor is an earlier value of a changed contact.
                let (contact, mark) = new()
                try await store.change(
                    id, to: contact.card, photo: contact.photo.map { .set($0) } ?? .removed)
                gone += kept.updateValue(mark, forKey: id).map { [$0] } ?? []
            }
            let deleted = kept.keys.sorted().filter { _ in Int.random(in: 0..<3, using: &random) == 0 }
            let some = try await store.deleteContacts(Array(deleted.prefix(20)))
            _ = try await store.restoreContacts(some)
            #expect(try await store.deleteContacts(deleted) == deleted)
            gone += deleted.compactMap { kept.removeValue(forKey: $0) }
            if round == 3 {
                await store.close()
                #expect(try await store.contacts().count == kept.count)
            } else {
                try await store.purgeContacts(deleted)
            }
            #expect(try left(gone) == [], "round \(round)")
        }
        #expect(try left(kept.values) == kept.values.sorted())
        await store.close()
        #expect(try RawFile(fixture.home.messages).isSound())
    }

    /// Each word is in the message and in the full-text index, and some messages have been corrected.
    @Test(arguments: [1, 2] as [UInt64])
    func retractionLeavesNothingOfMessages(_ seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        func word() -> String {
            let letters = (0..<24).map { _ in UInt8.random(in: 0x61...0x7a, using: &random) }
            return String(decoding: letters, as: UTF8.self)
        }
        func message(_ number: Int, _ text: String, _ end: String = "", corrects: String? = nil)
            -> MessageUpdate
        {
            .received(
                ReceivedMessage(
                    buddy: MessageStoreFixture.grace, sender: .buddy, text: text,
                    time: ChatTime(milliseconds: Int64(number)), name: "name-\(number)\(end)",
                    relation: corrects.map { .corrects($0, proof: .identity) } ?? .none))
        }
        var texts: [[String]] = []
        for number in 0..<200 {
            let filler = String(repeating: " x", count: Int.random(in: 0...200, using: &random))
            texts.append((0...(number % 5 == 0 ? 1 : 0)).map { _ in word() })
            try await fixture.apply(message(number, texts[number][0] + filler))
            if texts[number].count > 1 {
                try await fixture.apply(
                    message(number, texts[number][1] + filler, "-new", corrects: "name-\(number)"))
            }
        }
        let before = texts.compactMap(\.last)
        #expect(try ends(before).count == 200)
        var gone: [Int] = []
        for number in 0..<200 where Bool.random(using: &random) {
            try await fixture.apply(
                .annotated(
                    MessageAnnotation(
                        .retraction, of: .stanza("name-\(number)"), buddy: MessageStoreFixture.grace,
                        sender: .buddy, time: ChatTime(milliseconds: 1000))))
            #expect(try ends(texts[number]) == [], "\(number)")
            gone.append(number)
        }
        #expect(try ends(gone.flatMap { texts[$0] }) == [])
        #expect(try ends(before).count == 200 - gone.count)
        for number in [gone[0], gone[gone.count - 1]] {
            #expect(try await store.search(before[number], of: nil, count: 1).isEmpty)
        }
        await store.close()
        #expect(try RawFile(fixture.home.messages).isSound())
    }

    /// Returns those of these words whose ends are in the files now: the index shares the beginnings of words.
    private func ends(_ words: [String]) throws -> [String] {
        let files = try fixture.files.filter { !$0.hasSuffix("-shm") }.map {
            try Data(contentsOf: URL(fileURLWithPath: "\(fixture.home.folders.data)/\($0)"))
        }
        return words.filter { word in files.contains { $0.range(of: Data(word.utf8.suffix(16))) != nil } }
    }

    @Test func purgeInterruptedByKillFinishesAtNextOpening() async throws {
        try await fixture.add(past("5551234567", mark(1)))
        try await fixture.add(past("5557654321", mark(2)))
        try await fixture.delete(.entries([try await fixture.calls()[1].id]))
        #expect(try left([mark(1), "1234567"]).count == 2)
        // The calls are deleted in the log, and the program has ended.
        let other = try PurgeTests(MessageStoreFixture(copied(fixture)))
        #expect(try await other.fixture.names() == [mark(2)])
        #expect(try other.left([mark(1), "1234567"]) == [])
    }

    /// Returns a copy of the current files in a separate home.
    private func copied(_ fixture: MessageStoreFixture) throws -> Home {
        let home = Home(in: Home.memory)
        try home.write("", to: home.messages)
        for end in ["", "-wal"] {
            let data = try Data(contentsOf: URL(fileURLWithPath: fixture.home.messages + end))
            try data.write(to: URL(fileURLWithPath: home.messages + end))
        }
        return home
    }

    @Test func logHeldByReaderIsReported() async throws {
        let fixture = MessageStoreFixture(Home(in: Home.memory), busyTimeout: 20)
        try await fixture.add(past("5551234567", mark(1)))
        let reader = try RawFile(fixture.home.messages)
        try reader.run("BEGIN")
        #expect(try reader.value("SELECT count(*) FROM call") == "1")
        let deleted = try await fixture.delete(.all)
        await #expect(throws: StoreError.failed("database is locked")) { try await fixture.forget(deleted) }
        // The program is killed after the purge in the file and before the purge of the log.
        let other = try PurgeTests(MessageStoreFixture(copied(fixture)))
        #expect(try other.left([mark(1), "1234567"]).count == 2)
        #expect(try await other.fixture.calls() == [])
        #expect(try other.left([mark(1), "1234567"]) == [])
        try reader.run("COMMIT")
        try await fixture.forget(deleted)
        #expect(try PurgeTests(fixture).left([mark(1), "1234567"]) == [])
    }
}
