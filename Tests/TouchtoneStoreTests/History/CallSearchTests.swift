// SPDX-License-Identifier: GPL-3.0-or-later

import TestSupport
import Testing
import TouchtoneCore

@testable import TouchtoneStore

/// Tests that calls are found by parts of names, numbers and addresses, with any query.
@MainActor
@Suite struct CallSearchTests {
    private let fixture = MessageStoreFixture(Home(in: Home.memory))

    private func finds(_ text: String) async throws -> Bool {
        try await !fixture.calls(HistoryQuery(text: text)).isEmpty
    }

    @Test(arguments: [
        ("", true), ("  ", true), ("grace", true), ("GRACE", true), ("race h", true),
        ("grace  hopper ", true),
        ("é", true), ("cafe", true), ("CAFÉ", true), ("cafe\u{301}", true), ("ﬁ", true), ("o", true),
        ("ø", true),
        ("ngström", true), ("angstrom", true), ("STRASSE", true), ("straße", true), ("hoppergrace", false),
        ("hopper grace", false), ("867-53", true), ("(867) 53", true), ("555.867.5309", true),
        ("+1 555", true),
        ("1555867530", true), ("٨٦٧", true), ("８６７", true), ("8 6 7", true), ("868", false), ("*", true),
        ("#", true),
        ("309*", true), ("86753 x", false), ("sip:grace@example.org", true), ("EXAMPLE", true),
        ("example,org", false),
        ("😀", true), ("%", false), ("_", false), ("\\", false), ("'", false), ("\"", false), ("?", false),
        ("-", false),
        ("()", false), ("practice", false), ("z", false), ("ж", false),
    ])
    func partialTextIsFound(_ text: String, _ isFound: Bool) async throws {
        try await fixture.add(
            past(
                "+15558675309*#", "Grace Hopper\tof Café ﬁne Ångström 😀 Straße Øre",
                address: "sip:grace@example.org"
            ))
        #expect(try await finds(text) == isFound)
    }

    @Test(arguments: [
        "%", "_", "\\", "'", "\"", "?1", "'; DROP TABLE call; --", "\0", "a\0b", "\n", "a\nb", "\u{202E}",
        "()", "...",
        "--", "[]", "\u{FFFD}",
    ])
    func queryIsMatchedLiterally(_ text: String) async throws {
        try await fixture.add(past("1", "other"))
        try await fixture.add(past("2", "x\(text)y"))
        let found = try await fixture.names(HistoryQuery(text: "x\(text)y"))
        #expect(found == ["x\(text)y"])
    }

    /// A line break ends the searchable name, and no query matches across it.
    @Test func namesAndNumbersAreSearchedSeparately() async throws {
        try await fixture.add(past("5551234", "Grace", address: "sip:ada"))
        for text in [
            "grace5551234", "grace\n5551234", "grace 5551234", "1234sip", "1234\nsip", "grace\u{0}5",
        ] {
            #expect(try await !finds(text), "\(text)")
        }
    }

    @Test func numbersOfContactsAreFoundByTheirKeys() async throws {
        for (number, name) in [
            ("+15558675309", "1"), ("8675309", "2"), ("5558675309,,7", "3"), ("8675300", "4"), ("911", "5"),
            ("", "6"),
            ("*67#", "7"),
        ] {
            try await fixture.add(past(number, name))
            try await fixture.add(missed(number, "m" + name))
        }
        func found(_ text: String, _ keys: [String], missed: Bool = false) async throws -> [String] {
            let numbers = keys.compactMap { DialledNumber($0).flatMap(NumberKey.init) }
            return try await fixture.names(HistoryQuery(text: text, numbers: numbers, isMissedOnly: missed))
        }
        #expect(try await found("nobody", ["5558675309"]) == ["m3", "3", "m2", "2", "m1", "1"])
        #expect(try await found("nobody", ["5558675309"], missed: true) == ["m3", "m2", "m1"])
        #expect(try await found("nobody", ["911", "*67#"]) == ["m7", "7", "m5", "5"])
        // A call that matches in both ways is listed once.
        #expect(
            try await found("8675309", ["8675309", "8675309", "911"]) == [
                "m5", "5", "m3", "3", "m2", "2", "m1", "1",
            ])
        #expect(try await found("", ["911"]).count == 14)
        let hostile = ["\"", "\\", "\"]", "", "\0", "1\",\"911", "é"].map(NumberKey.init(kept:))
        #expect(try await fixture.names(HistoryQuery(text: "nobody", numbers: hostile)) == [])
    }

    @Test func pagesOfResultsAreInOrder() async throws {
        for number in 1...400 {
            let name = number % 3 == 0 ? "Grace" : number % 3 == 1 ? "Ada" : "GRÁCE"
            fixture.store.add(number % 2 == 0 ? missed("8675309", name) : past("911", name)) { _ in }
        }
        let key = try #require(DialledNumber("911").flatMap(NumberKey.init))
        for query in [
            HistoryQuery(text: "grac"), HistoryQuery(text: "grac", isMissedOnly: true),
            HistoryQuery(text: "8675", numbers: [key]), HistoryQuery(text: "ada", numbers: [key]),
        ] {
            let all = try await fixture.calls(query)
            #expect(all.count > 100 && all.map(\.id) == all.map(\.id).sorted(by: >))
            var (down, up): ([HistoryEntry], [HistoryEntry]) = ([], [])
            while true {
                let page = try await fixture.store.entries(query, below: down.last?.id, count: 33)
                down += page
                if page.isEmpty { break }
            }
            while true {
                let page = try await fixture.store.entries(query, from: (up.last?.id ?? 0) + 1, count: 33)
                up += page
                if page.isEmpty { break }
            }
            #expect(down == all)
            #expect(up == all.reversed())
        }
    }

    @Test(arguments: Seeds.all)
    func searchMatchesLinearScan(_ seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let parts = [
            "a", "B", "é", "5", "55", " ", "-", "*", "%", "_", "'", "\"", "\0", "ß", "\u{301}", "🧑‍🚀", "\n",
        ]
        func text(_ maximum: Int) -> String {
            (0..<Int.random(in: 0...maximum, using: &random)).map { _ in
                parts[Int.random(in: 0..<parts.count, using: &random)]
            }.joined()
        }
        for _ in 0..<200 {
            let digits = (0..<Int.random(in: 0...9, using: &random)).map { _ in
                String(Int.random(in: 4...6, using: &random))
            }.joined()
            let call = past(
                digits, text(6), Bool.random(using: &random) ? .incoming : .outgoing, address: text(4),
                end: .noAnswer)
            fixture.store.add(call) { _ in }
        }
        let all = try await fixture.calls()
        for _ in 0..<100 {
            let query = HistoryQuery(text: text(3), isMissedOnly: Bool.random(using: &random))
            let folded = CallSearchText.folded(query.text)
            let expected = all.filter { entry in
                let call = entry.call
                let texts =
                    [call.remote.displayName, call.remote.address].map(CallSearchText.folded) + [
                        call.remote.number.text
                    ]
                let isFound =
                    folded.isEmpty || texts.contains { bytes(folded, areIn: $0) }
                    || CallSearchText.digits(query.text).map { digits in
                        texts.contains { bytes(digits, areIn: $0) }
                    } == true
                return isFound && (!query.isMissedOnly || call.isMissed)
            }
            #expect(try await fixture.calls(query) == expected, "\(query)")
        }
    }

    private func bytes(_ part: String, areIn whole: String) -> Bool {
        let (part, whole) = (Array(part.utf8), Array(whole.utf8))
        guard part.count <= whole.count else { return false }
        return (0...whole.count - part.count).contains { whole[$0...].starts(with: part) }
    }

    @Test func longQueryIsTruncatedInsteadOfRefused() async throws {
        try await fixture.add(past("1", String(repeating: "a", count: 100_000)))
        for text in [
            String(repeating: "a", count: 1_000_000), String(repeating: "e\u{301}", count: 100_000),
            String(repeating: "\u{301}", count: 100_000), String(repeating: "\0", count: 100_000),
            String(repeating: "1", count: 100_000), String(repeating: "\u{FDFA}", count: 100_000),
        ] { _ = try await finds(text) }
        #expect(try await finds(String(repeating: "a", count: 150)))
    }
}
