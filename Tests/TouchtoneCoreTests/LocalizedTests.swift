// SPDX-License-Identifier: GPL-3.0-or-later

import Testing
import TouchtoneCore

@Suite struct LocalizedTests {
    init() { Translation.install(Latin()) }

    @Test func textWithoutTranslationStaysUnchanged() {
        #expect(localized("Delete") == "Delete")
        #expect(localizedIn("menu", "Delete") == "Delete")
        #expect(localizedPlural("{count} thing", "{count} things", 1) == "1 thing")
        #expect(localizedPlural("{count} thing", "{count} things", 0) == "0 things")
        #expect(localizedPlural("{count} thing", "{count} things", 1234) == "1,234 things")
    }

    @Test func translatorIsCalled() {
        #expect(localized("latin hello") == "salve")
        #expect(localizedIn("latin farewell", "latin hello") == "vale")
        #expect(localizedPlural("latin {count} star", "latin {count} stars", 7) == "stellae 7")
    }

    @Test func placeholdersMayBeReordered() {
        #expect(localized("{caller} on {line}", ["caller": "Ada", "line": "1"]) == "Ada on 1")
        #expect(localized("latin {caller} on {line}", ["caller": "Ada", "line": "1"]) == "1: Ada")
    }

    @Test(arguments: [
        ("{line}", "{line} on 1"), ("{", "{ on 1"), ("%s %@ \\(x)", "%s %@ \\(x) on 1"), ("", " on 1"),
        ("{caller}", "{caller} on 1"),
    ])
    func valuesAreNotScannedForPlaceholders(_ value: String, _ shown: String) {
        #expect(localized("{caller} on {line}", ["caller": value, "line": "1"]) == shown)
    }

    @Test func unknownPlaceholdersStay() {
        #expect(localized("{a {b} {c} } {", ["b": "x"]) == "{a x {c} } {")
        #expect(localized("{a}") == "{a}")
        #expect(
            localizedPlural("{count} of {all}", "{count} of {all}", 2, ["all": "{count}"]) == "2 of {count}")
    }

    @Test(arguments: [
        (0, "0"), (-1, "-1"), (999, "999"), (1000, "1,000"), (-123_456, "-123,456"), (1_234_567, "1,234,567"),
        (Int.min, "-9,223,372,036,854,775,808"),
    ])
    func digitsAreGrouped(_ number: Int, _ shown: String) {
        #expect(localizedNumber(number) == shown)
    }

    @Test func localeSetsDigitGroups() {
        #expect(localizedNumber(50_505) == "L.DV")
    }

    @Test(arguments: [(0, "0"), (99, "99"), (100, "99+"), (1_000_000, "99+")])
    func badgeHasTwoDigits(_ count: Int, _ shown: String) {
        #expect(localizedBadge(count) == shown)
    }

    @Test func valuesKeepTheirOrderInRightToLeftText() {
        #expect(
            localized("arabic call from {caller}", ["caller": "(555) 867-5309"])
                == "مكالمة من \u{2068}(555) 867-5309\u{2069}")
        #expect(
            localizedPlural("arabic {count} call", "arabic {count} calls", 3)
                == "\u{200F}\u{2068}3\u{2069} مكالمات")
    }

    @Test func partsFormList() {
        #expect(localizedList([]) == "")
        #expect(localizedList(["Home"]) == "Home")
        #expect(localizedList(["Home", "Work", "Fax"]) == "Home, Work, Fax")
    }
}

/// A translator of a few texts that no other test uses, because all tests share it.
private struct Latin: Translator {
    func text(_ text: StaticString, context: StaticString?) -> String {
        switch (text.description, context?.description) {
        case ("latin hello", "latin farewell"): "vale"
        case ("latin hello", _): "salve"
        case ("latin {caller} on {line}", nil): "{line}: {caller}"
        case ("arabic call from {caller}", nil): "مكالمة من {caller}"
        default: text.description
        }
    }

    func text(_ text: StaticString, plural: StaticString, count: Int) -> String {
        switch plural.description {
        case "latin {count} stars": "stellae {count}"
        case "arabic {count} calls": "{count} مكالمات"
        default: (count == 1 ? text : plural).description
        }
    }

    func number(_ number: Int) -> String? { number == 50_505 ? "L.DV" : nil }
}
