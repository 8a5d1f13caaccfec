// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import TestSupport
import Testing

@testable import TouchtoneCore

@MainActor
@Suite struct HistoryTests {
    // MARK: Stored calls

    @Test func callIsStoredWithStartDurationAndName() async throws {
        let fixture = CallHistoryFixture()
        fixture.contactStore.fill([
            NewContact(ContactCard(name: "Grace", methods: [ContactMethod(.number, "555-867-5309")]))
        ])
        fixture.book.start()
        await fixture.settle()
        fixture.history.note(try #require(fixture.record("5558675309")))
        await fixture.settle()
        let call = try #require(fixture.store.entries.first?.call)
        #expect(
            call.direction == .outgoing && call.remote.number.text == "5558675309"
                && call.remote.displayName == "Grace")
        #expect(call.line == "fake" && call.endReason == .farEnd && call.seconds == 42)
        // 4 s of ringing and 42 s of talk ago.
        #expect(call.began.milliseconds == fixture.wall.now.milliseconds - 46_000)
    }

    @Test func addressAndNameOfCallAreStored() async throws {
        let fixture = CallHistoryFixture()
        let calls = CallManagerFixture()
        let name = String(repeating: "x", count: 2 * RemoteParty.maximumLength)
        calls.line.offer("", address: "sip:ada@example.org", displayName: name)
        calls.keeper.decline()
        fixture.history.note(try #require(calls.records.last))
        await fixture.settle()
        let remote = try #require(fixture.store.entries.first?.call.remote)
        #expect(remote.number.isEmpty && remote.address == "sip:ada@example.org")
        #expect(remote.displayName == name.prefix(RemoteParty.maximumLength), "a caller cannot fill the disk")
    }

    @Test func handedOverCallIsStored() async throws {
        let fixture = CallHistoryFixture()
        fixture.history.note(
            try #require(fixture.record("0", ringing: .zero, talking: nil, end: .handedOver(to: "Calls"))))
        await fixture.settle()
        let call = try #require(fixture.store.entries.first?.call)
        #expect(
            call.direction == .outgoing && call.endReason == .handedOver(to: "Calls") && call.seconds == nil)
        #expect(!call.isMissed && fixture.history.missed == 0)
    }

    @Test func storedCallShowsCurrentContactName() async throws {
        let fixture = CallHistoryFixture()
        let call = CallHistoryFixture.call("5558675309", name: "Miss Hopper")
        #expect(fixture.history.name(of: call) == "Miss Hopper")
        _ = try await fixture.book.add(
            NewContact(ContactCard(name: "Grace", methods: [ContactMethod(.number, "+1 555 867 5309")])))
        #expect(fixture.history.name(of: call) == "Grace")
        let sip = PastCall(
            direction: .incoming,
            remote: RemoteParty(DialledNumber(), address: "sip:grace@example.org;transport=tls"),
            line: "sip", began: call.began, endReason: .farEnd, seconds: 1)
        #expect(fixture.history.name(of: sip) == "")
        _ = try await fixture.book.add(
            NewContact(
                ContactCard(name: "Amazing Grace", methods: [ContactMethod(.sip, "sips:Grace@example.org")]))
        )
        #expect(fixture.history.name(of: sip) == "Amazing Grace")
    }

    // MARK: Pages

    @Test func nothingIsReadBeforeListIsShown() async {
        let fixture = CallHistoryFixture()
        fixture.store.fill([CallHistoryFixture.call("1"), CallHistoryFixture.call("2")])
        fixture.history.start()
        fixture.history.text = "1"
        await fixture.settle()
        #expect(fixture.store.queries.isEmpty && !fixture.history.isLoaded)
        fixture.history.text = ""
        fixture.history.open()
        fixture.history.open()
        await fixture.settle()
        #expect(fixture.store.queries.count == 1)
        #expect(fixture.ids == [2, 1] && fixture.history.isLoaded)
        #expect(!fixture.history.hasOlder && !fixture.history.hasNewer)
    }

    @Test func oldEntriesLoadInPagesAndNewOnesUnload() async {
        let fixture = await CallHistoryFixture.open(1000)
        #expect(fixture.ids == Array((901...1000).reversed()))
        #expect(fixture.history.hasOlder && !fixture.history.hasNewer)
        for endReason: Int64 in [801, 701] {
            fixture.history.loadOlder()
            await fixture.settle()
            #expect(fixture.ids == Array((endReason...1000).reversed()))
        }
        fixture.history.loadOlder()
        await fixture.settle()
        #expect(fixture.ids == Array((601...900).reversed()))
        #expect(fixture.history.hasOlder && fixture.history.hasNewer)
        fixture.history.loadNewer()
        await fixture.settle()
        #expect(fixture.ids == Array((701...1000).reversed()))
        #expect(fixture.history.hasOlder && !fixture.history.hasNewer)
        for _ in 0..<9 {
            fixture.history.loadOlder()
            await fixture.settle()
        }
        #expect(fixture.ids == Array((1...300).reversed()))
        #expect(!fixture.history.hasOlder && fixture.history.hasNewer)
    }

    @Test func latestQueryIsShown() async {
        let fixture = await CallHistoryFixture.open(120)
        fixture.store.isHeld = true
        for text in ["5", "55", CallHistoryFixture.number(7)] { fixture.history.text = text }
        _ = fixture.takeChanges()
        fixture.store.isHeld = false
        await fixture.settle()
        #expect(fixture.ids == [7])
        // The result of the first query must not be shown.
        #expect(fixture.takeChanges() == [.entries])
        #expect(fixture.store.queries.last?.query.text == CallHistoryFixture.number(7))
        #expect(fixture.store.queries.count <= 3)
        fixture.history.text = "  \(CallHistoryFixture.number(8)) "
        await fixture.settle()
        #expect(fixture.ids == [8])
        fixture.history.text = "nobody"
        await fixture.settle()
        #expect(fixture.ids.isEmpty && fixture.history.isLoaded)
    }

    @Test func newMatchingCallAppearsAtTop() async throws {
        let fixture = await CallHistoryFixture.open(3)
        fixture.history.note(try #require(fixture.record("5559990000")))
        await fixture.settle()
        #expect(fixture.ids == [4, 3, 2, 1])
        fixture.history.text = "999"
        await fixture.settle()
        fixture.history.note(try #require(fixture.record("5551230000")))
        fixture.history.note(try #require(fixture.record("5559990001")))
        await fixture.settle()
        #expect(fixture.ids == [6, 4])
        fixture.history.text = ""
        fixture.history.isMissedOnly = true
        await fixture.settle()
        #expect(fixture.ids.isEmpty)
        fixture.history.note(try #require(fixture.record("1", .incoming, talking: nil, end: .noAnswer)))
        await fixture.settle()
        #expect(fixture.ids == [7])
    }

    @Test func newCallDoesNotMoveScrolledView() async throws {
        let fixture = await CallHistoryFixture.open(1000)
        for _ in 0..<4 {
            fixture.history.loadOlder()
            await fixture.settle()
        }
        let before = fixture.ids
        fixture.history.note(try #require(fixture.record("5559990000")))
        await fixture.settle()
        #expect(fixture.ids == before && fixture.history.hasNewer)
    }

    @Test func callIsFoundByCurrentContactName() async throws {
        let fixture = await CallHistoryFixture.open(50)
        fixture.history.text = "grace hop"
        await fixture.settle()
        #expect(fixture.ids.isEmpty)
        let id = try await fixture.book.add(
            NewContact(
                ContactCard(
                    name: "Grace Hopper", methods: [ContactMethod(.number, CallHistoryFixture.number(7))])))
        await fixture.settle()
        #expect(fixture.ids == [7])
        _ = fixture.takeChanges()
        try await fixture.book.change(
            id,
            to: ContactCard(
                name: "Grace Hopper", methods: [ContactMethod(.number, CallHistoryFixture.number(8))]),
            photo: .kept)
        await fixture.settle()
        #expect(fixture.ids == [8])
        #expect(fixture.takeChanges() == [.entries])
    }

    /// After any sequence of events, the window is a contiguous part of the query's results.
    @Test(arguments: 0..<40)
    func windowIsContiguousPartOfHistory(_ seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let fixture = await CallHistoryFixture.open(Int.random(in: 0...700, using: &random))
        var deletions: [Deletion] = []
        for _ in 0..<60 {
            switch Int.random(in: 0..<12, using: &random) {
            case 0...2: fixture.history.loadOlder()
            case 3: fixture.history.loadNewer()
            case 4, 5:
                fixture.history.note(
                    try #require(
                        fixture.record(CallHistoryFixture.number(Int.random(in: 1...700, using: &random)))))
            case 6, 7:
                if let entry = fixture.history.window.randomElement(using: &random) {
                    fixture.history.delete(entry.id) { deletions.append($0) }
                }
            case 8:
                if let deletion = deletions.randomElement(using: &random) {
                    fixture.history.restore(deletion)
                }
            case 9: fixture.history.text = ["", "1", "77", "5550000"].randomElement(using: &random) ?? ""
            case 10 where Int.random(in: 0..<8, using: &random) == 0:
                fixture.history.deleteAll { deletions.append($0) }
            default:
                if let deletion = deletions.randomElement(using: &random) { fixture.history.forget(deletion) }
            }
            if Bool.random(using: &random) { await fixture.settle() }
        }
        await fixture.settle()
        let found = fixture.store.entries.filter { $0.call.remote.number.text.contains(fixture.history.text) }
            .map(
                \.id)
        #expect(fixture.ids.count <= 300)
        if fixture.ids.isEmpty {
            #expect(found.isEmpty || fixture.history.hasOlder || fixture.history.hasNewer)
        } else if let start = found.firstIndex(of: fixture.ids[0]) {
            #expect(Array(found[start...].prefix(fixture.ids.count)) == fixture.ids)
            #expect(fixture.history.hasNewer == (start > 0))
            #expect(fixture.history.hasOlder == (start + fixture.ids.count < found.count))
        } else {
            Issue.record("\(fixture.ids[0]) is none that is found")
        }
        #expect(fixture.history.health.error(of: .calls) == nil)
    }
}
