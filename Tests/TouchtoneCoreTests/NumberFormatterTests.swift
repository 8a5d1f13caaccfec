// SPDX-License-Identifier: GPL-3.0-or-later

import TestSupport
import Testing
import TouchtoneCore

@Suite struct NumberFormatterTests {
    @Test(arguments: [
        "", "5", "55", "555", "555-8", "555-86", "555-867", "555-8675", "(555) 867-53", "(555) 867-530",
        "(555) 867-5309", "55586753091",
    ])
    func classicFormatFollowsDigitCount(_ shown: String) {
        let digits = shown.filter(\.isNumber)
        #expect(DialledNumber(digits).map(NumberFormatter().string) == shown)
    }

    @Test(arguments: ["15558675309", "*69", "5551212#2", "5551234,1", "5551234;1", "+442079460958"])
    func otherNumbersStayAsTyped(_ text: String) {
        #expect(DialledNumber(text).map(NumberFormatter().string) == text)
    }

    @Test func libraryFormatsNumbersWithPlus() {
        let library = FakeLibrary { number, region in number == "+4420" ? "+44 20" : "\(region)?" }
        let formatter = NumberFormatter(library: library)
        #expect(DialledNumber("+4420").map(formatter.string) == "+44 20")
        #expect(DialledNumber("5558675").map(formatter.string) == "555-8675")
        #expect(DialledNumber("+44*").map(formatter.string) == "+44*")
        #expect(library.calls == 1)
    }

    @Test func libraryFormatsAllNumbersInRegion() {
        let library = FakeLibrary { number, region in region == "DE" ? "030 12" : nil }
        let formatter = NumberFormatter(format: .regional(region: "DE"), library: library)
        #expect(DialledNumber("03012").map(formatter.string) == "030 12")
        #expect(DialledNumber("030#").map(formatter.string) == "030#")
        #expect(DialledNumber("").map(formatter.string) == "")
    }

    @Test(arguments: [
        "", "5558", "555867", "5558657", "555 86a75", "555\u{A0}8675", "+5558675", "555*8675", "５558675",
        "555\n8675",
        "5558675" + String(repeating: " ", count: 74),
    ])
    func libraryResultWithOtherDigitsIsDiscarded(_ answer: String) {
        let formatter = NumberFormatter(
            format: .regional(region: "US"), library: FakeLibrary { _, _ in answer })
        #expect(DialledNumber("5558675").map(formatter.string) == "5558675")
    }

    @Test(arguments: Seeds.all)
    func classicNeverLosesAddsOrReordersDigits(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for length in 0...40 {
            for characters in ["0123456789", "0123456789*#,;"] {
                let number = randomNumber(&random, length: length, of: characters)
                let shown = NumberFormatter().string(for: number)
                #expect(shown.filter { !" -()".contains($0) } == number.text)
                #expect(shown.count <= NumberFormatter.maximumTextLength)
            }
        }
    }

    @Test func readsSettings() {
        #expect(NumberFormat(named: "classic", region: "DE", locale: "fr_FR") == .classic)
        #expect(NumberFormat(named: "?", region: "DE", locale: nil) == .classic)
        #expect(NumberFormat(named: "regional", region: "de", locale: "fr_FR") == .regional(region: "DE"))
        #expect(NumberFormat(named: "regional", region: "", locale: "fr_FR") == .regional(region: "FR"))
    }

    @Test(arguments: [
        ("de_DE.UTF-8", "DE"), ("en_GB", "GB"), ("sr_RS@latin", "RS"), ("de_AT.UTF-8@euro", "AT"),
        ("zh_Hant_TW", "TW"),
        ("pt-br", "BR"), ("C", "US"), ("POSIX", "US"), ("C.UTF-8", "US"), ("", "US"), ("de", "US"),
        ("es_419", "US"),
        ("xx_1A", "US"), ("xx_ÄÖ", "US"), ("de.x_FR", "US"),
    ])
    func regionIsReadFromLocale(_ locale: String, region: String) {
        #expect(Region.from(locale: locale) == region)
    }

    @Test func localeMayBeMissingOrHuge() {
        #expect(Region.from(locale: nil) == "US")
        let huge = String(repeating: "x", count: 10_000_000)
        #expect(Region.from(locale: huge) == "US")
        #expect(Region.checked("gb") == "GB")
        #expect(Region.checked("GBR") == nil)
    }
}

/// A library whose results the test sets.
private final class FakeLibrary: AsYouTypeFormatting {
    private(set) var calls = 0
    private let answer: (String, String) -> String?

    init(answer: @escaping (String, String) -> String?) { self.answer = answer }

    func format(_ number: String, region: String) -> String? {
        calls += 1
        return answer(number, region)
    }
}
