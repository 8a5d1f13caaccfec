// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import TestSupport
import Testing
import TouchtoneCore

@testable import TouchtoneStore

/// Tests that the results of Core's tests with stores in memory apply to the file, too.
@MainActor
@Suite struct DirectoryMergeTests {
    private let fixture = MessageStoreFixture(Home(in: Home.memory))
    private var store: SQLiteStore { fixture.store }

    @Test(arguments: Seeds.all)
    func fileHasSameCallsAsMemoryStore(_ seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let memory = MemoryHistoryStore()
        for round in 0..<150 {
            try await change(memory, &random)
            if round % 40 == 39 {
                // This purges the deleted calls.
                await store.close()
                try await told { memory.forget(memory.deleted.map(\.id), completion: $0) }
            }
            let query = query(&random)
            let (id, count) = (
                Int64.random(in: 0...200, using: &random), Int.random(in: 0...9, using: &random)
            )
            let (below, from) = (
                try await store.entries(query, below: id, count: count),
                try await store.entries(query, from: id, count: count)
            )
            #expect(try await memory.entries(query, below: id, count: count) == below, "\(round): \(query)")
            #expect(try await memory.entries(query, from: id, count: count) == from, "\(round): \(query)")
            #expect(try await fixture.calls() == memory.entries, "\(round)")
            let new = try await store.newMissedCalls()
            #expect(try await memory.newMissedCalls() == new, "\(round)")
        }
        await store.close()
        #expect(try RawFile(fixture.home.messages).isSound())
    }

    /// Changes both stores, and compares their results.
    private func change(_ memory: MemoryHistoryStore, _ random: inout SplitMix64) async throws {
        switch Int.random(in: 0..<12, using: &random) {
        case 0:
            try await compare({ memory.markSeen(completion: $0) }, { store.markSeen(completion: $0) }) { _ in
                true
            }
        case 1:
            let ids = some(of: memory.deleted.map(\.id), &random)
            try await compare({ memory.restore(ids, completion: $0) }, { store.restore(ids, completion: $0) })
            { _ in true
            }
        case 2:
            let ids = some(of: memory.deleted.map(\.id), &random)
            try await compare({ memory.forget(ids, completion: $0) }, { store.forget(ids, completion: $0) }) {
                _ in true
            }
        case 3 where Int.random(in: 0..<5, using: &random) == 0:
            try await compare({ memory.delete(.all, completion: $0) }, { store.delete(.all, completion: $0) })
            {
                $0.sorted()
            }
        case 3, 4:
            let ids = (0..<5).map { _ in Int64.random(in: 0...200, using: &random) }
            try await compare(
                { memory.delete(.entries(ids), completion: $0) },
                { store.delete(.entries(ids), completion: $0) }
            ) { $0.sorted() }
        default:
            let digits = (0..<Int.random(in: 0...9, using: &random)).map { _ in
                String(Int.random(in: 4...6, using: &random))
            }.joined()
            let call = past(
                digits, text(&random), Bool.random(using: &random) ? .incoming : .outgoing,
                address: text(&random),
                end: Bool.random(using: &random) ? .declined : .noAnswer)
            try await compare({ memory.add(call, completion: $0) }, { store.add(call, completion: $0) }) {
                $0
            }
        }
    }

    /// Returns some of the deleted items, from one of several deletions, and one that is not deleted.
    private func some(of ids: [Int64], _ random: inout SplitMix64) -> [Int64] {
        ids.filter { _ in Bool.random(using: &random) } + [Int64.random(in: 0...200, using: &random)]
    }

    private func query(_ random: inout SplitMix64) -> HistoryQuery {
        let numbers = ["5555555", "45", "4"].filter { _ in Bool.random(using: &random) }
        let text =
            Bool.random(using: &random) ? text(&random) : String(Int.random(in: 4...66, using: &random))
        return HistoryQuery(
            text: text, numbers: numbers.map(NumberKey.init(kept:)), isMissedOnly: Bool.random(using: &random)
        )
    }

    /// Returns a text that both stores treat equally, because the one in memory does not fold accents.
    private func text(_ random: inout SplitMix64) -> String {
        let parts = ["a", "B", "5", "%", "_", "'", "xy"]
        return (0..<Int.random(in: 0...3, using: &random)).map { _ in
            parts[Int.random(in: 0..<parts.count, using: &random)]
        }.joined()
    }

    @Test(arguments: Seeds.all)
    func fileHasSameContactsAsMemoryStore(_ seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let memory = MemoryContactStore()
        for round in 0..<100 {
            let ids = (0..<3).map { _ in Int64.random(in: 0...60, using: &random) }
            switch Int.random(in: 0..<9, using: &random) {
            case 0:
                let ids = some(of: memory.deleted.keys.sorted(), &random)
                let restored = try await store.restoreContacts(ids)
                #expect(try await sorted(memory.restoreContacts(ids)) == sorted(restored), "\(round)")
            case 1:
                let ids = some(of: memory.deleted.keys.sorted(), &random)
                try await memory.purgeContacts(ids)
                try await store.purgeContacts(ids)
            case 2, 3:
                let deleted = try await store.deleteContacts(ids)
                #expect(try await memory.deleteContacts(ids) == deleted, "\(round)")
            case 4:
                let key = Bool.random(using: &random) ? MemoryKey(DialledNumber(), name: text(&random)) : nil
                try await memory.setMemoryKey(Int(ids[0] % 9) + 1, key)
                try await store.setMemoryKey(Int(ids[0] % 9) + 1, key)
            case 5, 6:
                let new = contact(&random)
                let change: PhotoChange = new.photo.map { .set($0) } ?? .removed
                try await memory.change(ids[0], to: new.card, photo: change)
                try await store.change(ids[0], to: new.card, photo: change)
            default:
                let new = (0..<Int.random(in: 0...3, using: &random)).map { _ in contact(&random) }
                let kept = try await store.add(new)
                #expect(try await memory.add(new) == kept, "\(round)")
            }
            let contacts = try await store.contacts()
            #expect(try await sorted(memory.contacts()) == sorted(contacts), "\(round)")
            let (photo, keys) = (try await store.photo(of: ids[0]), try await store.memoryKeys())
            #expect(try await memory.photo(of: ids[0]) == photo, "\(round)")
            #expect(memory.memory == keys, "\(round)")
        }
        await store.close()
        #expect(try RawFile(fixture.home.messages).isSound())
    }

    private func contact(_ random: inout SplitMix64) -> NewContact {
        let ways = (0..<Int.random(in: 0...3, using: &random)).map { _ in
            ContactMethod(.sip, text(&random), label: .home)
        }
        let card = ContactCard(
            name: text(&random), organization: text(&random), methods: ways, note: text(&random))
        return NewContact(card, photo: Bool.random(using: &random) ? Array(text(&random).utf8) : nil)
    }

    private func sorted(_ contacts: [Contact]) -> [Contact] { contacts.sorted { $0.own < $1.own } }

    private typealias Asking<Value> = (@escaping @MainActor (Result<Value, StoreError>) -> Void) -> Void

    private func told<Value: Sendable>(_ body: Asking<Value>) async throws -> Value {
        let result: Result<Value, StoreError> = await withCheckedContinuation { continuation in
            body { continuation.resume(returning: $0) }
        }
        return try result.get()
    }

    private func compare<Value: Sendable>(
        _ memory: Asking<Value>, _ file: Asking<Value>, by key: (Value) -> some Equatable
    ) async throws {
        #expect(try await key(told(memory)) == key(told(file)))
    }
}
