// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import TestSupport
import Testing

@testable import TouchtoneCore

@MainActor
@Suite struct HistoryTests {
    // MARK: What is kept of a call

    @Test func aCallIsKeptWithItsBeginningItsLengthAndTheName() async throws {
        let desk = HistoryDesk()
        desk.contactStore.fill([
            NewContact(ContactCard(name: "Grace", ways: [ContactWay(.number, "555-867-5309")]))
        ])
        desk.book.start()
        await desk.settle()
        desk.history.note(try #require(desk.record("5558675309")))
        await desk.settle()
        let call = try #require(desk.store.entries.first?.call)
        #expect(
            call.direction == .outgoing && call.remote.number.text == "5558675309"
                && call.remote.displayName == "Grace")
        #expect(call.line == "fake" && call.end == .farEnd && call.seconds == 42)
        // 4 s of ringing and 42 s of talk ago.
        #expect(call.began.milliseconds == desk.wall.now.milliseconds - 46_000)
    }

    @Test func theAddressAndTheNameThatCameWithACallAreKept() async throws {
        let desk = HistoryDesk()
        let calls = CallDesk()
        let name = String(repeating: "x", count: 2 * RemoteParty.maximumLength)
        calls.line.offer("", address: "sip:ada@example.org", displayName: name)
        calls.keeper.decline()
        desk.history.note(try #require(calls.records.last))
        await desk.settle()
        let remote = try #require(desk.store.entries.first?.call.remote)
        #expect(remote.number.isEmpty && remote.address == "sip:ada@example.org")
        #expect(remote.displayName == name.prefix(RemoteParty.maximumLength), "a caller cannot fill the disk")
    }

    @Test func whatAnotherProgramWasHandedIsKeptToo() async throws {
        let desk = HistoryDesk()
        desk.history.note(
            try #require(desk.record("0", ringing: .zero, talking: nil, end: .handedOver(to: "Calls"))))
        await desk.settle()
        let call = try #require(desk.store.entries.first?.call)
        #expect(call.direction == .outgoing && call.end == .handedOver(to: "Calls") && call.seconds == nil)
        #expect(!call.isMissed && desk.history.missed == 0)
    }

    @Test func whoIsCalledOtherwiseNowIsCalledSo() async throws {
        let desk = HistoryDesk()
        let call = HistoryDesk.call("5558675309", name: "Miss Hopper")
        #expect(desk.history.name(of: call) == "Miss Hopper")
        _ = try await desk.book.add(
            NewContact(ContactCard(name: "Grace", ways: [ContactWay(.number, "+1 555 867 5309")])))
        #expect(desk.history.name(of: call) == "Grace")
        let sip = PastCall(
            direction: .incoming,
            remote: RemoteParty(DialledNumber(), address: "sip:grace@example.org;transport=tls"),
            line: "sip", began: call.began, end: .farEnd, seconds: 1)
        #expect(desk.history.name(of: sip) == "")
        _ = try await desk.book.add(
            NewContact(ContactCard(name: "Amazing Grace", ways: [ContactWay(.sip, "sips:Grace@example.org")]))
        )
        #expect(desk.history.name(of: sip) == "Amazing Grace")
    }

    // MARK: Pages

    @Test func nothingIsReadBeforeAListAsks() async {
        let desk = HistoryDesk()
        desk.store.fill([HistoryDesk.call("1"), HistoryDesk.call("2")])
        desk.history.start()
        desk.history.text = "1"
        await desk.settle()
        #expect(desk.store.queries.isEmpty && !desk.history.isLoaded)
        desk.history.text = ""
        desk.history.open()
        desk.history.open()
        await desk.settle()
        #expect(desk.store.queries.count == 1)
        #expect(desk.ids == [2, 1] && desk.history.isLoaded)
        #expect(!desk.history.hasOlder && !desk.history.hasNewer)
    }

    @Test func oldEntriesComeInPagesAndNewOnesGo() async {
        let desk = await HistoryDesk.open(1000)
        #expect(desk.ids == Array((901...1000).reversed()))
        #expect(desk.history.hasOlder && !desk.history.hasNewer)
        for end: Int64 in [801, 701] {
            desk.history.loadOlder()
            await desk.settle()
            #expect(desk.ids == Array((end...1000).reversed()))
        }
        desk.history.loadOlder()
        await desk.settle()
        #expect(desk.ids == Array((601...900).reversed()))
        #expect(desk.history.hasOlder && desk.history.hasNewer)
        desk.history.loadNewer()
        await desk.settle()
        #expect(desk.ids == Array((701...1000).reversed()))
        #expect(desk.history.hasOlder && !desk.history.hasNewer)
        for _ in 0..<9 {
            desk.history.loadOlder()
            await desk.settle()
        }
        #expect(desk.ids == Array((1...300).reversed()))
        #expect(!desk.history.hasOlder && desk.history.hasNewer)
    }

    @Test func theLastQueryIsTheOneThatIsShown() async {
        let desk = await HistoryDesk.open(120)
        desk.store.isHeld = true
        for text in ["5", "55", HistoryDesk.number(7)] { desk.history.text = text }
        _ = desk.takeChanges()
        desk.store.isHeld = false
        await desk.settle()
        #expect(desk.ids == [7])
        // The answer to what was typed first is nobody's to see.
        #expect(desk.takeChanges() == [.entries])
        #expect(desk.store.queries.last?.query.text == HistoryDesk.number(7))
        #expect(desk.store.queries.count <= 3)
        desk.history.text = "  \(HistoryDesk.number(8)) "
        await desk.settle()
        #expect(desk.ids == [8])
        desk.history.text = "nobody"
        await desk.settle()
        #expect(desk.ids.isEmpty && desk.history.isLoaded)
    }

    @Test func aNewCallStandsAtTheTopWhereItIsFound() async throws {
        let desk = await HistoryDesk.open(3)
        desk.history.note(try #require(desk.record("5559990000")))
        await desk.settle()
        #expect(desk.ids == [4, 3, 2, 1])
        desk.history.text = "999"
        await desk.settle()
        desk.history.note(try #require(desk.record("5551230000")))
        desk.history.note(try #require(desk.record("5559990001")))
        await desk.settle()
        #expect(desk.ids == [6, 4])
        desk.history.text = ""
        desk.history.isMissedOnly = true
        await desk.settle()
        #expect(desk.ids.isEmpty)
        desk.history.note(try #require(desk.record("1", .incoming, talking: nil, end: .noAnswer)))
        await desk.settle()
        #expect(desk.ids == [7])
    }

    @Test func whoReadsFarBelowIsNotMovedByANewCall() async throws {
        let desk = await HistoryDesk.open(1000)
        for _ in 0..<4 {
            desk.history.loadOlder()
            await desk.settle()
        }
        let before = desk.ids
        desk.history.note(try #require(desk.record("5559990000")))
        await desk.settle()
        #expect(desk.ids == before && desk.history.hasNewer)
    }

    @Test func whoIsFoundByTheNameOfNow() async throws {
        let desk = await HistoryDesk.open(50)
        desk.history.text = "grace hop"
        await desk.settle()
        #expect(desk.ids.isEmpty)
        let id = try await desk.book.add(
            NewContact(ContactCard(name: "Grace Hopper", ways: [ContactWay(.number, HistoryDesk.number(7))])))
        await desk.settle()
        #expect(desk.ids == [7])
        _ = desk.takeChanges()
        try await desk.book.change(
            id, to: ContactCard(name: "Grace Hopper", ways: [ContactWay(.number, HistoryDesk.number(8))]),
            photo: .kept)
        await desk.settle()
        #expect(desk.ids == [8])
        #expect(desk.takeChanges() == [.entries])
    }

    /// Whatever happens in whatever order, the window is a run of what the query finds.
    @Test(arguments: 0..<40)
    func theWindowIsARunOfWhatThereIs(_ seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let desk = await HistoryDesk.open(Int.random(in: 0...700, using: &random))
        var deletions: [Deletion] = []
        for _ in 0..<60 {
            switch Int.random(in: 0..<12, using: &random) {
            case 0...2: desk.history.loadOlder()
            case 3: desk.history.loadNewer()
            case 4, 5:
                desk.history.note(
                    try #require(desk.record(HistoryDesk.number(Int.random(in: 1...700, using: &random)))))
            case 6, 7:
                if let entry = desk.history.window.randomElement(using: &random) {
                    desk.history.delete(entry.id) { deletions.append($0) }
                }
            case 8:
                if let deletion = deletions.randomElement(using: &random) { desk.history.restore(deletion) }
            case 9: desk.history.text = ["", "1", "77", "5550000"].randomElement(using: &random) ?? ""
            case 10 where Int.random(in: 0..<8, using: &random) == 0:
                desk.history.deleteAll { deletions.append($0) }
            default:
                if let deletion = deletions.randomElement(using: &random) { desk.history.forget(deletion) }
            }
            if Bool.random(using: &random) { await desk.settle() }
        }
        await desk.settle()
        let found = desk.store.entries.filter { $0.call.remote.number.text.contains(desk.history.text) }.map(
            \.id)
        #expect(desk.ids.count <= 300)
        if desk.ids.isEmpty {
            #expect(found.isEmpty || desk.history.hasOlder || desk.history.hasNewer)
        } else if let start = found.firstIndex(of: desk.ids[0]) {
            #expect(Array(found[start...].prefix(desk.ids.count)) == desk.ids)
            #expect(desk.history.hasNewer == (start > 0))
            #expect(desk.history.hasOlder == (start + desk.ids.count < found.count))
        } else {
            Issue.record("\(desk.ids[0]) is none that is found")
        }
        #expect(desk.history.trouble == nil)
    }
}
