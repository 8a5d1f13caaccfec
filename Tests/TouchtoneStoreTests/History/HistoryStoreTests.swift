// SPDX-License-Identifier: GPL-3.0-or-later

import Testing
import TouchtoneCore

@testable import TouchtoneStore

/// Tests that calls are read as they were stored, in order, and page by page.
@MainActor
@Suite struct HistoryStoreTests {
    private let fixture = MessageStoreFixture(Home(in: Home.memory))
    private var store: SQLiteStore { fixture.store }

    @Test func callRoundTrips() async throws {
        let hostile = "\u{0}'; DROP TABLE call; -- \"%_*\n\u{202E}\u{301}🧑‍🚀"
        let calls = [
            PastCall(
                direction: .incoming,
                remote: RemoteParty(
                    try #require(DialledNumber("+15558675309,,12;3*#")), address: "sip:" + hostile,
                    displayName: hostile), line: hostile, began: ChatTime(milliseconds: -5),
                endReason: .failed(hostile), seconds: nil),
            past("", seconds: 0), past("*67#", "", .pickedUp, seconds: Int(Int32.max)),
            past(String(repeating: "9", count: 40), String(repeating: "ü", count: 100_000)),
        ]
        var kept: [HistoryEntry] = []
        for call in calls { kept.append(try await fixture.add(call)) }
        #expect(kept.map(\.call) == calls)
        #expect(kept.map(\.isNew) == [true, false, false, false])
        #expect(kept.map(\.id) == kept.map(\.id).sorted() && Set(kept.map(\.id)).count == 4)
        await store.close()
        #expect(try await fixture.calls() == kept.reversed())
    }

    @Test func lastDialledNumberIsFoundAfterRestart() async throws {
        #expect(try await store.lastDialled() == nil)
        try await fixture.add(missed("5550104"))
        #expect(try await store.lastDialled() == nil)
        for call in [
            past("5551234"), past("+15558675309,,12"), past("5550104", "", .incoming),
            past("103", "", .pickedUp), past(""),
        ] {
            try await fixture.add(call)
        }
        await store.close()
        #expect(try await store.lastDialled()?.number.text == "+15558675309,,12")
        try await fixture.delete(.entries([3]))
        #expect(try await store.lastDialled()?.number.text == "5551234", "what was deleted is not recalled")
        // The second call was dialled during the first one, and ended before it.
        try await fixture.add(past("5550122", at: 2000))
        try await fixture.add(past("5550121", at: 1000))
        #expect(try await store.lastDialled()?.number.text == "5550122")
        try await fixture.delete(.all)
        #expect(try await store.lastDialled() == nil)
        try await fixture.add(past("", address: "xmpp:grace@example.org"))
        await store.close()
        #expect(try await store.lastDialled()?.address == "xmpp:grace@example.org")
    }

    @Test(
        arguments: [
            .hungUp, .farEnd, .busy, .declined, .noAnswer, .noSuchNumber, .notAvailable, .network,
            .connectionLost,
            .failed(""),
            .failed("it's gone"),
            .handedOver(to: "Calls"), .handedOver(to: ""), .noTelHandler,
            .transferred, .answeredElsewhere, .blocked, .diverted,
            .handlerFailed(name: "Calls", reason: "no such file"),
            .handlerFailed(name: "", reason: ""),
        ] as [CallEndReason])
    func everyEndReasonRoundTrips(_ end: CallEndReason) async throws {
        try await fixture.add(past("5551234", end: end))
        await store.close()
        #expect(try await fixture.calls().map(\.call.endReason) == [end])
    }

    /// The numbers of end reasons are stored in users' files.
    @Test func endReasonsKeepTheirStoredNumbers() {
        let ends: [CallEndReason] = [
            .failed("r"), .hungUp, .farEnd, .busy, .declined, .noAnswer, .noSuchNumber, .network,
            .handedOver(to: "n"), .noTelHandler, .handlerFailed(name: "n", reason: "r"), .transferred,
            .answeredElsewhere, .notAvailable, .connectionLost, .blocked, .diverted,
        ]
        for (number, end) in ends.enumerated() {
            #expect(StoredEndReason(end).number == Int64(number))
            #expect(StoredEndReason(number: Int64(number), name: "n", reason: "r").endReason == end)
        }
        for number in [-1, 17, .max, .min] as [Int64] {
            #expect(StoredEndReason(number: number, name: "n", reason: "r").endReason == .failed("r"))
            #expect(StoredEndReason(number: number, name: nil, reason: nil).endReason == .failed(""))
        }
    }

    /// The numbers of directions are stored in users' files, which have had 0 and 1 first.
    @Test func directionsKeepTheirStoredNumbers() {
        for (number, direction) in [Call.Direction.outgoing, .incoming, .pickedUp].enumerated() {
            #expect(StoredDirection(direction).number == Int64(number))
            #expect(StoredDirection(number: Int64(number)).direction == direction)
        }
        for number in [-1, 3, .max] as [Int64] {
            #expect(StoredDirection(number: number).direction == .incoming)
        }
    }

    @Test func pagesAreInOrder() async throws {
        for number in 1...300 { store.add(past("\(number)", at: 1000 - Int64(number))) { _ in } }
        let ids = try await fixture.calls().map(\.id)
        #expect(ids == ids.sorted(by: >) && ids.count == 300)
        func below(_ id: Int64?, _ count: Int) async throws -> [Int64] {
            try await store.entries(HistoryQuery(), below: id, count: count).map(\.id)
        }
        func from(_ id: Int64, _ count: Int) async throws -> [Int64] {
            try await store.entries(HistoryQuery(), from: id, count: count).map(\.id)
        }
        #expect(try await below(nil, 100) == Array(ids[..<100]))
        #expect(try await below(ids[99], 100) == Array(ids[100..<200]))
        #expect(try await below(ids[298], 100) == Array(ids[299...]))
        #expect(try await below(ids[299], 100) == [])
        #expect(try await from(ids[199], 100) == ids[100..<200].reversed())
        #expect(try await from(ids[0], 100) == [ids[0]])
        #expect(try await from(ids[0] + 1, 100) == [])
        #expect(try await from(.min, 2) == [ids[299], ids[298]])
        for count in [0, -1, Int.min] { #expect(try await below(nil, count) == []) }
    }

    @Test func missedCallIsNewUntilSeen() async throws {
        try await fixture.add(past("1", "mine"))
        try await fixture.add(past("2", "answered", .incoming, seconds: 3))
        try await fixture.add(past("3", "declined", .incoming, end: .declined))
        #expect(try await store.newMissedCalls() == 0)
        try await fixture.add(missed("4", "first"))
        try await fixture.add(missed("5", "second"))
        #expect(try await store.newMissedCalls() == 2)
        #expect(try await fixture.names(HistoryQuery(isMissedOnly: true)) == ["second", "first"])
        #expect(try await fixture.calls().map(\.isNew) == [true, true, false, false, false])
        try await fixture.markSeen()
        #expect(try await store.newMissedCalls() == 0)
        #expect(try await fixture.calls().allSatisfy { !$0.isNew })
        try await fixture.add(missed("6", "third"))
        #expect(try await store.newMissedCalls() == 1)
        #expect(try await fixture.names(HistoryQuery(isMissedOnly: true)) == ["third", "second", "first"])
    }

    @Test func deletedCallIsHiddenAndCanBeRestored() async throws {
        for name in ["a", "b", "c", "d"] { try await fixture.add(missed("1", name)) }
        let all = try await fixture.calls()
        let some = try await fixture.delete(.entries([all[1].id, all[2].id, all[2].id, 77, -1]))
        #expect(some == [all[1].id, all[2].id])
        let query = HistoryQuery(text: "1")
        for query in [HistoryQuery(), query, HistoryQuery(isMissedOnly: true)] {
            #expect(try await fixture.names(query) == ["d", "a"])
            #expect(
                try await store.entries(query, from: 0, count: 9).map(\.call.remote.displayName) == [
                    "a", "d",
                ])
        }
        let key = try #require(NumberKey(all[0].call.remote.number))
        #expect(try await fixture.names(HistoryQuery(text: "x", numbers: [key])) == ["d", "a"])
        #expect(try await store.newMissedCalls() == 2)
        // Calls deleted earlier are not deleted again.
        let rest = try await fixture.delete(.all)
        #expect(rest.sorted() == [all[3].id, all[0].id])
        #expect(try await fixture.calls() == [])
        #expect(try await fixture.calls(query) == [])
        #expect(try await fixture.delete(.all) == [])
        // Each deletion is undone separately.
        try await fixture.restore(some)
        #expect(try await fixture.names() == ["c", "b"])
        try await fixture.restore(rest + [77])
        #expect(try await fixture.calls() == all)
        #expect(try await fixture.calls(query) == all)
        #expect(try await store.newMissedCalls() == 4)
    }

    @Test func deletedMissedCallCountsAsSeen() async throws {
        try await fixture.add(missed("1"))
        let deleted = try await fixture.delete(.all)
        try await fixture.markSeen()
        try await fixture.restore(deleted)
        #expect(try await store.newMissedCalls() == 0)
    }

    @Test func purgedCallCannotBeRestored() async throws {
        for name in ["a", "b", "c"] { try await fixture.add(missed("1", name)) }
        let ids = try await fixture.calls().map(\.id)
        try await fixture.delete(.entries([ids[1]]))
        try await fixture.forget([ids[1]])
        try await fixture.restore([ids[1]])
        #expect(try await fixture.names() == ["c", "a"])
        #expect(try await fixture.names(HistoryQuery(text: "b")) == [])
        #expect(try await store.newMissedCalls() == 2)
        // Calls that are not deleted are not purged.
        try await fixture.forget(ids)
        #expect(try await fixture.names() == ["c", "a"])
        let all = try await fixture.delete(.all)
        try await fixture.forget(all)
        try await fixture.forget(all)
        // No id is reused.
        let next = try await fixture.add(past("2", "d"))
        #expect(next.id > ids[0])
        #expect(try await fixture.calls() == [next])
        #expect(try await fixture.calls(HistoryQuery(text: "d")) == [next])
        await store.close()
        #expect(try RawFile(fixture.home.messages).isSound())
    }

    @Test func callAfterPurgedOneIsFound() async throws {
        for number in 1...100 { store.add(missed("1", "old \(number)")) { _ in } }
        // All of the last calls that are searched together, and some of the first.
        let ids = try await fixture.calls().map(\.id)
        try await fixture.forget(try await fixture.delete(.entries(Array(ids[..<50] + ids[90...]))))
        try await fixture.add(missed("2", "new"))
        #expect(try await fixture.names(HistoryQuery(text: "new", isMissedOnly: true)) == ["new"])
        #expect(try await fixture.names(HistoryQuery(text: "old")).count == 40)
        await store.close()
        #expect(try RawFile(fixture.home.messages).isSound())
    }

    /// One deletion is purged, and another one is undone after that.
    @Test func callRestoredBesidePurgedOneIsFound() async throws {
        for name in ["a", "b", "c"] { try await fixture.add(missed("1", name)) }
        let ids = try await fixture.calls().map(\.id)
        let (first, second) = (
            try await fixture.delete(.entries([ids[2]])), try await fixture.delete(.entries([ids[1]]))
        )
        try await fixture.forget(second)
        try await fixture.restore(first)
        #expect(try await fixture.names() == ["c", "a"])
        #expect(try await fixture.names(HistoryQuery(text: "a")) == ["a"])
        #expect(try await fixture.names(HistoryQuery(text: "a", isMissedOnly: true)) == ["a"])
        // Also if nothing else is stored.
        let (one, other) = (
            try await fixture.delete(.entries([ids[0]])), try await fixture.delete(.entries([ids[2]]))
        )
        try await fixture.forget(one)
        try await fixture.restore(other)
        #expect(try await fixture.names(HistoryQuery(text: "a")) == ["a"])
        await store.close()
        #expect(try RawFile(fixture.home.messages).isSound())
    }

    @Test func deletedCallIsPurgedAtNextOpening() async throws {
        for name in ["a", "b"] { try await fixture.add(missed("1", name)) }
        let deleted = try await fixture.delete(.entries([try await fixture.calls()[0].id]))
        await store.close()
        try await fixture.restore(deleted)
        #expect(try await fixture.names() == ["a"])
    }

    @Test func operationsApplyInOrder() async throws {
        var told: [String] = []
        store.add(missed("1", "a")) { _ in told.append("add") }
        store.markSeen { _ in told.append("seen") }
        store.add(missed("2", "b")) { _ in told.append("add") }
        store.delete(.all) { told.append("delete \((try? $0.get().count) ?? -1)") }
        store.restore([1, 2]) { _ in told.append("restore") }
        store.apply([.received(received("between"))]) { _ in told.append("message") }
        store.add(missed("3", "c")) { _ in told.append("add") }
        store.forget([1, 2]) { _ in told.append("forget") }
        #expect(try await store.newMissedCalls() == 2)
        #expect(
            told == ["add", "seen", "add", "delete 2", "restore", "message", "add", "forget"])
        #expect(try await fixture.names() == ["c", "b", "a"])
    }

    @Test func damagedValuesAreReadAsFarAsPossible() async throws {
        try await fixture.add(past("5551234", "Grace", end: .busy))
        await store.close()
        try RawFile(fixture.home.messages).run("UPDATE call SET number = 'no number', ending = 99")
        let call = try #require(try await fixture.calls().first?.call)
        #expect(
            call.remote == RemoteParty(DialledNumber(), displayName: "Grace") && call.endReason == .failed("")
        )
    }
}
