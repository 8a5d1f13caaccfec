// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc
import TouchtoneCore
import TouchtoneStore

/// Measures the store with a generated history of 100,000 calls and 10,000 contacts.
@MainActor
final class MeasuringDirectory {
    private var store = SQLiteStore()
    private let report = Report()
    private var count = 0
    private static let names = [
        "Grace Hopper", "Ada Lovelace", "Alan Turing", "Édouard Lucas", "", "Barbara Liskov", "",
        "Donald Knuth",
        "Margaret Hamilton", "",
    ]

    func run() async {
        await report.measure("100,000 calls, burst by burst") {
            for _ in 0..<100 {
                for _ in 0..<1000 { self.store.add(self.call()) { Self.succeed($0) } }
                await self.flush()
            }
        }
        await history()
        await deleting()
        await contacts()
        report.memory("at the end")
    }

    private func history() async {
        await store.close()
        store = SQLiteStore()
        await report.measure("open, and count missed calls") { _ = try? await self.store.newMissedCalls() }
        await page("first page", HistoryQuery())
        await page("first page again", HistoryQuery())
        await page("page in the middle", HistoryQuery(), below: 50_000)
        await page("page upwards", HistoryQuery(), from: 50_000)
        await page("missed only", HistoryQuery(isMissedOnly: true))
        await page("missed only, in the middle", HistoryQuery(isMissedOnly: true), below: 50_000)
        for text in ["grace", "e", "ж", "hopper 7", "5550012345", "867-53", "nobody at all", "only one"] {
            await page("search for “\(text)”", HistoryQuery(text: text))
            await page("search for “\(text)”, missed", HistoryQuery(text: text, isMissedOnly: true))
        }
        await page("search for “grace”, in the middle", HistoryQuery(text: "grace"), below: 50_000)
        await page("search for “grace”, upwards", HistoryQuery(text: "grace"), from: 50_000)
        for size in [1, 100, 10_000] {
            let keys = (0..<size).compactMap { NumberKey(Self.number($0 * 7)) }
            await page("search for numbers of \(size) people", HistoryQuery(text: "nobody", numbers: keys))
        }
        await report.measure("add one") { await self.made { self.store.add(self.call(), completion: $0) } }
        await report.measure("mark seen") { await self.made { self.store.markSeen(completion: $0) } }
    }

    private func deleting() async {
        await report.measure("delete one") {
            await self.made { self.store.delete(.entries([50_000]), completion: $0) }
        }
        await report.measure("forget one") { await self.made { self.store.forget([50_000], completion: $0) } }
        let all = (1...110_000 as ClosedRange<Int64>).map { $0 }
        await report.measure("delete all") { await self.made { self.store.delete(.all, completion: $0) } }
        await page("search for “e” then", HistoryQuery(text: "e"))
        await report.measure("restore all") { await self.made { self.store.restore(all, completion: $0) } }
        await report.measure("delete all again") {
            await self.made { self.store.delete(.all, completion: $0) }
        }
        await report.measure("forget all") { await self.made { self.store.forget(all, completion: $0) } }
    }

    private func contacts() async {
        await report.measure("10,000 contacts, by 500") {
            for piece in 0..<20 {
                let new = (0..<500).map { Self.contact(piece * 500 + $0) }
                do throws(StoreError) { _ = try await self.store.add(new) } catch { Self.fail(error) }
            }
        }
        await store.close()
        store = SQLiteStore()
        await report.measure("open, and read 10,000 contacts") { _ = try? await self.store.contacts() }
        await report.measure("read 10,000 contacts again") { _ = try? await self.store.contacts() }
        await report.measure("a picture") { _ = try? await self.store.photo(of: 5_000) }
        await report.measure("change one") {
            try? await self.store.change(5_000, to: Self.contact(7).card, photo: .removed)
        }
        await report.measure("delete one") { _ = try? await self.store.deleteContacts([5_001]) }
        await report.measure("forget one") { try? await self.store.purgeContacts([5_001]) }
    }

    private func page(_ what: String, _ query: HistoryQuery, below id: Int64? = nil) async {
        await report.measure(what) { _ = try? await self.store.entries(query, below: id, count: 100) }
    }

    private func page(_ what: String, _ query: HistoryQuery, from id: Int64) async {
        await report.measure(what) { _ = try? await self.store.entries(query, from: id, count: 100) }
    }

    private func made<Value: Sendable>(
        _ body: (@escaping @MainActor (Result<Value, StoreError>) -> Void) -> Void
    ) async {
        await withCheckedContinuation { done in
            body {
                Self.succeed($0)
                done.resume()
            }
        }
    }

    private func flush() async {
        await withCheckedContinuation { done in store.flush { done.resume() } }
    }

    private static func succeed<Value>(_ result: Result<Value, StoreError>) {
        if case .failure(let error) = result { fail(error) }
    }

    private static func fail(_ error: StoreError) -> Never {
        print("failed: \(error)")
        exit(1)
    }

    /// Returns a call; half of the calls are from numbers that called once.
    private func call() -> PastCall {
        count += 1
        let person = count % 2 == 0 ? count % 20_000 : count
        return PastCall(
            direction: count % 3 == 0 ? .incoming : .outgoing,
            remote: RemoteParty(
                Self.number(person), address: count % 10 == 0 ? "sip:user\(person)@example.org" : "",
                displayName: count == 4711 ? "only one" : Self.names[person % Self.names.count]),
            line: "practice",
            began: ChatTime(milliseconds: Int64(count) * 60_000),
            endReason: count % 3 == 0 ? .noAnswer : .farEnd,
            seconds: count % 3 == 0 ? nil : count % 600)
    }

    private static func number(_ person: Int) -> DialledNumber {
        // These digits are less regular than those of a counter.
        DialledNumber("555" + String(10_000_000 + person * 7_654_321 % 9_999_991).dropFirst())
            ?? DialledNumber()
    }

    private static func contact(_ person: Int) -> NewContact {
        let ways = [
            ContactMethod(.number, number(person).text, label: .mobile),
            ContactMethod(.number, "555 0100", label: .work),
            ContactMethod(.xmpp, "user\(person)@example.org"),
        ]
        let card = ContactCard(
            name: "\(names[person % names.count]) \(person)", organization: "Company", methods: ways)
        return NewContact(card, photo: person % 10 == 0 ? [UInt8](repeating: 7, count: 20_000) : nil)
    }
}
