// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Testing
import TouchtoneCore

@testable import TouchtoneStore

/// Tests of many operations at once: they apply in order, in few transactions, and each gets its own result.
@MainActor
@Suite struct BurstTests {
    private let grace = MessageStoreFixture.grace

    @Test func operationsDuringBusyDiskFormOneTransaction() async throws {
        let fixture = MessageStoreFixture()
        try await fixture.apply(.received(received("first")))
        let other = try RawFile(fixture.home.messages)
        try other.run("BEGIN IMMEDIATE")
        let before = try commits(in: fixture)
        var told: [String] = []
        for number in 0..<1000 {
            fixture.store.apply([.received(received("\(number)"))]) { result in
                told.append((try? result.get())?.inserted.first?.text ?? "failed")
            }
        }
        #expect(try commits(in: fixture) == before)
        try other.run("COMMIT")
        await fixture.flush()
        #expect(told == (0..<1000).map(String.init))
        #expect(try await fixture.texts() == ["first"] + (0..<1000).map(String.init))
        // The first operation waits alone; the others have arrived when it is done.
        #expect(try (1...3).contains(commits(in: fixture) - before))
    }

    /// Returns the number of transactions in the log (https://sqlite.org/walformat.html): a frame that ends one has the
    /// size of the file in its header.
    private func commits(in fixture: MessageStoreFixture) throws -> Int {
        let log = try [UInt8](Data(contentsOf: URL(fileURLWithPath: fixture.home.messages + "-wal")))
        return stride(from: 32, to: log.count, by: 24 + 4096).filter { frame in
            log[frame + 4..<frame + 8].contains { $0 != 0 }
        }.count
    }

    @Test func operationsApplyInOrder() async throws {
        let fixture = MessageStoreFixture()
        var told: [String] = []
        let store = fixture.store
        let counts = Task { @MainActor in
            var counts: [Int] = []
            for _ in 0..<20 {
                counts.append(
                    try await store.messages(of: MessageStoreFixture.grace, before: nil, count: 99).count)
            }
            return counts
        }
        for number in 0..<20 {
            store.apply([.received(received("\(number)"))]) { _ in told.append("\(number)") }
            store.flush { told.append("flush \(number)") }
        }
        #expect(try await store.messages(of: grace, before: nil, count: 99).count == 20)
        #expect(told == (0..<20).flatMap { ["\($0)", "flush \($0)"] })
        let seen = try await counts.value
        #expect(seen == seen.sorted())
    }

    @Test func failedOperationDoesNotAffectOthers() async throws {
        let fixture = MessageStoreFixture { facts, table throws(StoreError) in
            let changes = try MessageMerger.apply(facts, to: table)
            // This breaks a rule of the schema: two messages cannot have the same place.
            if case .received(let message)? = facts.first, message.text == "fault",
                let new = changes.inserted.first
            {
                _ = try table.insert(new)
            }
            return changes
        }
        var results: [Bool] = []
        for text in ["1", "fault", "2", "3", "fault", "4"] {
            fixture.store.apply([.received(received(text))]) { results.append((try? $0.get()) != nil) }
        }
        await fixture.flush()
        #expect(results == [true, false, true, true, false, true])
        #expect(try await fixture.texts() == ["1", "2", "3", "4"])
        #expect(fixture.files.filter { $0.contains("damaged") } == [])
    }

    @Test func releasedStoreFinishesItsOperations() async throws {
        let home = Home()
        do {
            let fixture = MessageStoreFixture(home)
            for number in 0..<100 { fixture.store.apply([.received(received("\(number)"))]) { _ in } }
            fixture.store.saveDraft("draft", for: grace)
            await fixture.flush()
        }
        let fixture = MessageStoreFixture(home)
        #expect(try await fixture.texts().count == 100)
        #expect(try await fixture.store.summary().drafts == [grace: "draft"])
    }
}
