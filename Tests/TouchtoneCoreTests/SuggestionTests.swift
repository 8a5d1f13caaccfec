// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import TestSupport
import Testing

@testable import TouchtoneCore

@MainActor
@Suite struct SuggestionTests {
    private func fixture() async -> ContactBookFixture {
        await ContactBookFixture([
            ContactBookFixture.card(
                "Grace Hopper", ContactMethod(.number, "555 867 5309"),
                ContactMethod(.number, "+44 20 7946 0958", label: .mobile),
                ContactMethod(.xmpp, "grace@example.org")),
            ContactBookFixture.card("Mary-Jo O’Grady", number: "5552222"),
            ContactBookFixture.card("Édith Piaf", number: "5553333"),
            ContactBookFixture.card("Nobody Without", ContactMethod(.xmpp, "4722@example.org")),
            ContactBookFixture.card("R2 D2", number: "4722300"),
            ContactBookFixture.card("日本 Taro", number: "5554444"),
        ])
    }

    @Test(arguments: [
        ("47223", ["[Grace] Hopper 5558675309", "[Grace] Hopper +442079460958", "R2 D2 4722300"]),
        (
            "47",
            [
                "[Gr]ace Hopper 5558675309", "[Gr]ace Hopper +442079460958", "Mary-Jo O’[Gr]ady 5552222",
                "R2 D2 4722300",
            ]
        ),
        // The match continues through the words that follow.
        ("472234", ["[Grace H]opper 5558675309", "[Grace H]opper +442079460958"]),
        ("467737", ["Grace [Hopper] 5558675309", "Grace [Hopper] +442079460958"]),
        ("627956", ["[Mary-Jo] O’Grady 5552222"]),
        ("647", ["Mary-Jo [O’Gr]ady 5552222"]),
        ("33484", ["[Édith] Piaf 5553333"]), ("7232", ["[R2 D2] 4722300"]),
        ("8276", ["日本 [Taro] 5554444"]),
        // A number that starts with the digits precedes one that contains them.
        (
            "555",
            [
                "Édith Piaf 5553333", "Grace Hopper 5558675309", "Mary-Jo O’Grady 5552222", "日本 Taro 5554444",
            ]
        ),
        ("5309", ["Grace Hopper 5558675309"]), ("02079", ["Grace Hopper +442079460958"]),
        ("+442", ["Grace Hopper +442079460958"]), ("+47", ["R2 D2 4722300"]), ("472234*", []), ("5", []),
        ("", []), ("0", []), ("00", ["R2 D2 4722300"]), ("4722300", ["R2 D2 4722300"]),
        ("4722300,5", ["R2 D2 4722300"]),
    ])
    func digitsMatchContactNamesAndNumbers(_ typed: String, _ suggested: [String]) async {
        #expect(await fixture().suggested(typed) == suggested)
    }

    @Test func bestMatchesAreSuggested() async {
        let fixture = await ContactBookFixture(
            (0..<300).map { ContactBookFixture.card("Grace \($0)", number: CallHistoryFixture.number($0)) }
                + [
                    ContactBookFixture.card("A Grace", number: "1"),
                    ContactBookFixture.card("Aaa", number: "47223"),
                ])
        #expect(fixture.suggested("47223", maximum: 2) == ["[Grace] 0 5550000000", "[Grace] 1 5550000001"])
        #expect(fixture.suggested("47223", maximum: 302).suffix(2) == ["A [Grace] 1", "Aaa 47223"])
        #expect(fixture.suggested("47223", maximum: 0).isEmpty)
    }

    @Test func suggestionIdentifiesItsNumber() async {
        let suggestion = await fixture().book.suggestions(
            for: DialledNumber("4722346") ?? DialledNumber(), maximum: 2
        ).last
        #expect(suggestion?.id == .contact(.own(1), method: 1))
        #expect(suggestion?.label == .mobile && suggestion?.number.text == "+442079460958")
    }

    @Test func newContactIsSuggestedFromThenOn() async throws {
        let fixture = await fixture()
        #expect(fixture.suggested("9464") == [])
        let id = try await fixture.book.add(NewContact(ContactBookFixture.card("Zoghi", number: "1")))
        await fixture.settle()
        #expect(fixture.suggested("9644") == ["[Zogh]i 1"])
        fixture.book.delete([id])
        await fixture.settle()
        #expect(fixture.suggested("9644") == [])
    }

    /// Every name is found by the digits of each of its words and the following ones, and highlighted accordingly.
    @Test(arguments: 0..<20)
    func everyNameMatchesItsDigits(_ seed: UInt64) async {
        var random = SplitMix64(seed: seed)
        let letters = Array("abcxyzéßœ’-. 1日K")
        let names = (0..<30).map { _ in
            String(
                (0..<Int.random(in: 1...9, using: &random)).map { _ in
                    letters.randomElement(using: &random) ?? "a"
                })
        }
        let fixture = await ContactBookFixture(
            names.map { ContactBookFixture.card("x" + $0, number: "5550100") })
        for name in names.map({ "x" + $0 }) {
            let words = SearchText(name).digits
            for start in words.indices {
                let digits = words[start...].joined()
                guard digits.count >= 2, let number = DialledNumber(String(decoding: digits, as: UTF8.self))
                else { continue }
                let found = fixture.book.suggestions(for: number, maximum: 100).filter { $0.name == name }
                #expect(!found.isEmpty, "\(name) by \(number.text)")
                for suggestion in found {
                    let marked = Array(name)[suggestion.inName]
                    #expect(SearchText(String(marked)).digits.joined().starts(with: digits))
                }
            }
        }
    }
}
