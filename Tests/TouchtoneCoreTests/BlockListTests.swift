// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing

@testable import TouchtoneCore

/// Tests of the block list, and of the calls that do not ring.
@MainActor
struct BlockListTests {
    private let list = BlockList()

    init() {
        list.save = { [list] in list.entries = $0 }
        // The numbers of the United States, and of no other country.
        list.international = { number in
            let digits = number.text.drop { $0 == "+" }
            guard !number.text.hasPrefix("+") else { return number }
            if digits.count == 10 { return DialledNumber("+1\(digits)") ?? number }
            if digits.count == 11, digits.hasPrefix("1") { return DialledNumber("+\(digits)") ?? number }
            return number
        }
    }

    private func party(_ number: String, _ address: String = "") -> RemoteParty {
        RemoteParty(DialledNumber(number) ?? DialledNumber(), address: address)
    }

    @Test(arguments: [
        ("(555) 867-5309", "5558675309"), ("tel:+44-20-7946-0958", "+442079460958"), (" 104 ", "104"),
        ("Grace@Example.org", "grace@example.org"),
        ("sip:grace@example.org;transport=tls", "grace@example.org"),
        ("xmpp:grace@example.org", "grace@example.org"), ("sips:grace@example.org", "grace@example.org"),
    ])
    func writtenCallersAreRead(_ text: String, _ read: String) {
        #expect(BlockedCaller(text)?.text == read)
        #expect(BlockedCaller(read) == BlockedCaller(text))
    }

    @Test(arguments: [
        "", "nobody", "@", "grace@", "@example.org", "a@b@c", "grace @example.org", "a@b\u{202E}",
        String(repeating: "1", count: 500), String(repeating: "a", count: 300) + "@example.org",
    ])
    func othersAreNot(_ text: String) { #expect(BlockedCaller(text) == nil) }

    @Test(arguments: [
        ("5558675309", "+15558675309", true), ("+15558675309", "5558675309", true),
        ("15558675309", "5558675309", true), ("+15558675309", "+4915558675309", false),
        ("+15558675309", "+15558675308", false), ("8675309", "+15558675309", true),
        ("02079460958", "+442079460958", true), ("+442079460958", "+15557946095", false),
        ("104", "104", true), ("104", "5550104", false), ("104", "2104", false),
    ])
    func numbersAreComparedInAnyForm(_ entry: String, _ caller: String, _ isBlocked: Bool) {
        list.entries = [entry]
        #expect(list.blocks(party(caller)) == isBlocked)
        // What blocks a caller is also removed by it.
        list.unblock([BlockedCaller(party(caller))].compactMap { $0 })
        #expect(list.entries.isEmpty == isBlocked)
    }

    @Test func addressesAreComparedWithoutTheirScheme() {
        list.entries = ["grace@example.org", "+15558675309"]
        for address in [
            "sip:Grace@example.org;transport=tls", "xmpp:grace@example.org", "sips:grace@EXAMPLE.org",
        ] {
            #expect(list.blocks(party("", address)))
        }
        for address in ["sip:grace@example.org.evil.example", "sip:example.org", "xmpp:ada@example.org", ""] {
            #expect(!list.blocks(party("", address)))
        }
        #expect(list.blocks(party("5558675309", "xmpp:+15558675309@gateway.example.org")))
        #expect(!list.blocks(party("5550104", "sip:5550104@example.org")))
    }

    @Test func aCallerWithoutANumberCannotBeBlocked() {
        list.entries = ["", "+", "nobody"]
        #expect(list.callers == [])
        #expect(BlockedCaller(party("")) == nil)
        #expect(!list.blocks(party("")))
    }

    @Test func unreadableEntriesStayAndBlockNobody() {
        list.entries = ["5550104", "nonsense of a newer version"]
        list.block([.number(DialledNumber("5550105")!), .number(DialledNumber("5550104")!)])
        #expect(list.entries == ["5550104", "nonsense of a newer version", "5550105"])
        list.unblock([.number(DialledNumber("5550104")!)])
        #expect(list.entries == ["nonsense of a newer version", "5550105"])
    }

    /// Adds the callers of a text, as of a file.
    private func add(_ text: String, to list: BlockList) async throws -> BlockList.Addition {
        await list.add(try BlockListFile.read(Array(text.utf8)).callers)
    }

    @Test func listIsBounded() async throws {
        let many = (0..<(BlockList.capacity + 500)).map { "\(5_550_000_000 + $0)\n" }.joined()
        #expect(try await add(many, to: list) == .init(added: BlockList.capacity, known: 0, leftOut: 500))
        #expect(!list.hasRoom)
        #expect(list.block([.address("grace@example.org")]) == 0)
        list.entries += ["grace@example.org"]
        #expect(!list.blocks(party("", "sip:grace@example.org")), "an entry too many does not count")
    }

    @Test func textIsReadAsItIsWritten() async throws {
        #expect(try await add("555-0104\ngrace@example.org\n*43\n5550104", to: list).added == 3)
        #expect(list.text == "5550104\ngrace@example.org\n*43\n")
        let other = BlockList()
        other.save = { other.entries = $0 }
        #expect(try await add(list.text, to: other) == .init(added: 3))
        #expect(other.callers == list.callers)
        #expect(try await add(list.text, to: other) == .init(known: 3))
    }

    @Test func sameNumberInAnotherFormIsThereAlready() async throws {
        list.entries = ["5558675309"]
        let addition = try await add("+15558675309\n2125550104\n+1 (212) 555-0104\n", to: list)
        #expect(addition == .init(added: 1, known: 2))
        #expect(list.entries == ["5558675309", "2125550104"])
    }

    @Test func importRestsBetweenPiecesAndCanBeStopped() async throws {
        let callers = try BlockListFile.read(
            Array((0..<400).map { "\(5_550_000_000 + $0)\n" }.joined().utf8)
        ).callers
        var rests = 0
        #expect(await list.add(callers, rest: { rests += 1 }).added == 400)
        #expect(rests >= 4, "the window is drawn meanwhile")
        list.entries = []
        rests = 0
        #expect(await list.add(callers, isWanted: { rests < 2 }, rest: { rests += 1 }) == .init())
        #expect(list.entries == [] && rests == 2)
    }

    @Test func whatIsDialledToTheFarEndDoesNotCount() {
        list.entries = ["5550104,42", "555-0105;1"]
        #expect(list.callers.map(\.text) == ["5550104", "5550105"])
        #expect(list.blocks(party("5550104")))
    }

    @Test func aListThatCannotBeSavedStays() {
        list.save = nil
        list.entries = ["5550104"]
        #expect(!list.isEditable)
        #expect(list.block([.address("grace@example.org")]) == 0)
        list.unblock([.number(DialledNumber("5550104")!)])
        #expect(list.entries == ["5550104"])
    }
}

/// Tests of calls that end before they ring.
@MainActor
struct UnwantedCallTests {
    private let fixture = CallManagerFixture()

    @Test func blockedCallerIsDeclinedAndRecorded() {
        fixture.keeper.blockList.entries = ["5550104"]
        fixture.line.offer("5550104")
        #expect(fixture.line.calls[0].orders == ["hang up"])
        #expect(fixture.heard == [])
        #expect(fixture.keeper.calls == [])
        #expect(fixture.records.map(\.endReason) == [.blocked])
        #expect(fixture.records.map(\.isMissed) == [false])
        fixture.line.offer("5550105")
        #expect(fixture.keeper.incoming?.remote.number.text == "5550105")
        fixture.keeper.hangUpAll()
        fixture.expectNothingLeft()
    }

    @Test func blockedCallerIsDeclinedDuringTwoCalls() {
        fixture.talk("1")
        fixture.line.offer("2")
        fixture.keeper.answer()
        fixture.keeper.blockList.entries = ["5550104"]
        fixture.line.offer("5550104")
        #expect(fixture.line.calls[2].orders == ["hang up"])
        #expect(fixture.records.map(\.endReason) == [.blocked])
        #expect(fixture.keeper.calls.map(\.state) == [.held, .connected])
        fixture.keeper.hangUpAll()
    }

    @Test func blockedCallersOfLinesAreNotMissed() {
        fixture.keeper.blockList.entries = ["5550104"]
        for caller in ["5550104", "5550105"] {
            let party = RemoteParty(DialledNumber(caller) ?? DialledNumber())
            fixture.line.onEvent?(.declined(party))
            fixture.line.onEvent?(.missed(party, age: .seconds(5), .noAnswer))
        }
        #expect(fixture.records.map(\.endReason) == [.blocked, .blocked, .busy, .noAnswer])
    }

    @Test func emergencyServicesAreNeverBlocked() {
        fixture.keeper.blockList.entries = ["112", "110"]
        fixture.keeper.emergency = EmergencyNumbers { $0 == "110" }
        for number in ["112", "110"] {
            fixture.line.offer(number)
            #expect(fixture.keeper.incoming?.remote.number.text == number)
            fixture.keeper.hangUpAll()
        }
    }

    @Test func hiddenCallersCanBeDeclined() {
        fixture.line.offer("")
        #expect(fixture.keeper.incoming != nil)
        fixture.keeper.decline()
        fixture.keeper.callers.hidden = .decline
        fixture.line.offer("", displayName: "Anonymous")
        #expect(fixture.line.calls[1].orders == ["busy"])
        #expect(fixture.records.last?.endReason == .busy)
        fixture.line.offer("", address: "sip:grace@example.org")
        #expect(fixture.keeper.incoming != nil)
        fixture.keeper.hangUpAll()
        fixture.expectNothingLeft()
    }
}
