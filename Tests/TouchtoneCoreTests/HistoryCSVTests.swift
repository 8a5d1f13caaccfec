// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing

@testable import TouchtoneCore

@MainActor
@Suite struct HistoryCSVTests {
    /// Reads a table by RFC 4180, section 2; nil if it is not one.
    private static func read(_ bytes: [UInt8]) -> [[String]]? {
        var (rows, row, field): ([[String]], [String], [UInt8]) = ([], [], [])
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""):
                guard field.isEmpty else { return nil }
                while let quoted = rest.popFirst() {
                    if quoted == UInt8(ascii: "\"") {
                        guard rest.first == UInt8(ascii: "\"") else { break }
                        rest.removeFirst()
                    }
                    field.append(quoted)
                }
                guard let next = rest.first, next == UInt8(ascii: ",") || next == UInt8(ascii: "\r") else {
                    return nil
                }
            case UInt8(ascii: ","):
                row.append(String(decoding: field, as: UTF8.self))
                field = []
            case UInt8(ascii: "\r"):
                guard rest.popFirst() == UInt8(ascii: "\n") else { return nil }
                rows.append(row + [String(decoding: field, as: UTF8.self)])
                (row, field) = ([], [])
            case UInt8(ascii: "\n"): return nil
            default: field.append(byte)
            }
        }
        return row.isEmpty && field.isEmpty ? rows : nil
    }

    private func table(_ calls: [PastCall], offset: Int = 0) async throws -> [[String]] {
        let fixture = CallHistoryFixture()
        fixture.store.fill(calls)
        return try #require(Self.read(try await fixture.history.csv { _ in offset }))
    }

    @Test func tableHasAllCallsNewestFirst() async throws {
        let fixture = CallHistoryFixture()
        fixture.store.fill([
            CallHistoryFixture.call("+442079460958", name: "Ada, Countess of Lovelace", seconds: 61),
            CallHistoryFixture.missed("5550104"),
        ])
        let bytes = try await fixture.history.csv()
        #expect(
            String(decoding: bytes, as: UTF8.self) == """
                began,direction,missed,name,number,address,line,end,seconds\r
                2011-09-12T23:34:21Z,incoming,yes,,5550104,,practice,No answer,\r
                2011-09-12T23:34:21Z,outgoing,no,"Ada, Countess of Lovelace",+442079460958,,practice,The other party hung up,61\r

                """)
    }

    @Test(arguments: [
        "plain", "with, comma", "with \"quotes\"", "\"", ",", "semi;colon", " blanks ", "ünïcödé 🙂", "a'b",
        "'",
    ])
    func anyNameRoundTrips(_ name: String) async throws {
        #expect(try await table([CallHistoryFixture.call("1", name: name)])[1][3] == name)
    }

    @Test(arguments: [" a", "a ", "a;b", "a\"b"]) func charactersThatReadersMightStripAreQuoted(
        _ name: String
    ) {
        let line = HistoryCSV.line(CallHistoryFixture.call("1"), name: name, offset: 0)
        let quoted = name.replacing("\"", with: "\"\"")
        #expect(String(decoding: line, as: UTF8.self).contains(",\"\(quoted)\","))
    }

    @Test(arguments: ["=1+1", "+1", "-1", "@SUM(A1)", "  =cmd|' /C calc'!A0", "＝1+1", "\t=1", "\r\n=1"])
    func nameIsNeverFormula(_ name: String) async throws {
        for call in [
            CallHistoryFixture.call("1", name: name),
            PastCall(
                direction: .incoming, remote: RemoteParty(DialledNumber(), address: name), line: name,
                began: ChatTime(milliseconds: 0), endReason: .failed(name), seconds: nil),
        ] {
            for field in try await table([call])[1] {
                let first = field.unicodeScalars.first { !$0.properties.isWhitespace }
                #expect(first.map { "=+-@＝＋－＠".unicodeScalars.contains($0) } != true)
                #expect(!field.contains { $0.isNewline })
            }
        }
    }

    /// Without an answer, somebody else was quicker, or the caller gave up: nobody has called this phone.
    @Test(arguments: [(42, "incoming"), (nil, "outgoing")] as [(Int?, String)])
    func callThatWasPickedUpIsFromItsCaller(seconds: Int?, direction: String) async throws {
        let call = PastCall(
            direction: .pickedUp, remote: RemoteParty(DialledNumber("103") ?? DialledNumber()), line: "ada",
            began: ChatTime(milliseconds: 0), endReason: .farEnd, seconds: seconds)
        #expect(try await table([call])[1][1...2] == [direction, "no"])
    }

    @Test(arguments: ["+442079460958", "*69", "5551212,,2", "#31#5551212;1"])
    func anyNumberRoundTrips(_ number: String) async throws {
        #expect(try await table([CallHistoryFixture.call(number)])[1][4] == number)
    }

    @Test(arguments: [
        (0, 0, "1970-01-01T00:00:00Z"), (951_782_400_000, 0, "2000-02-29T00:00:00Z"),
        (1_315_870_461_999, 7200, "2011-09-13T01:34:21+02:00"),
        (1_315_870_461_000, -34_200, "2011-09-12T14:04:21-09:30"), (-1, 0, "1970-01-01T00:00:00Z"),
        (-1000, 0, "1969-12-31T23:59:59Z"), (4_107_542_399_000, 0, "2100-02-28T23:59:59Z"),
        (4_107_542_400_000, 0, "2100-03-01T00:00:00Z"), (Int64.max, 0, "9999-12-31T23:59:59Z"),
        (Int64.min, 0, "0001-01-01T00:00:00Z"), (0, 86_400, "1970-01-01T00:00:00Z"),
    ])
    func timesHaveTheirOffset(_ milliseconds: Int64, _ offset: Int, _ text: String) {
        #expect(CivilTime(ChatTime(milliseconds: milliseconds), offset: offset).text == text)
    }

    @Test func longHistoryIsWrittenInBatches() async throws {
        let fixture = CallHistoryFixture()
        fixture.store.fill((1...1001).map { CallHistoryFixture.call(CallHistoryFixture.number($0)) })
        var rests = 0
        let history = CallHistory(store: fixture.store, contacts: nil, wall: fixture.wall) { rests += 1 }
        let rows = try #require(Self.read(try await history.csv()))
        #expect(rows.count == 1002)
        #expect(rows.dropFirst().map { $0[4] } == (1...1001).reversed().map { CallHistoryFixture.number($0) })
        #expect(rests == 2)
    }

    @Test func unreadableHistoryGivesNoTable() async {
        let fixture = CallHistoryFixture()
        fixture.store.trouble = .failed("no")
        await #expect(throws: StoreError.failed("no")) { try await fixture.history.csv() }
    }
}
