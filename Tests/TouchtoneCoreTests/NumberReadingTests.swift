// SPDX-License-Identifier: GPL-3.0-or-later

import TestSupport
import Testing
import TouchtoneCore

@Suite struct NumberReadingTests {
    @Test(arguments: [
        ("1-800-FLOWERS", "18003569377"), ("1-800-flowers", "18003569377"),
        ("(555) 867-5309\n", "5558675309"),
        ("555.867/5309", "5558675309"), ("[555]\u{2013}867\u{A0}5309\r\n", "5558675309"),
        ("+44 20 7946 0958", "+442079460958"), ("(+44) 20", "+4420"), (" + 44", "+44"), ("＋４４", "+44"),
        ("++44", "+44"), ("44+20", "4420"), ("*+44", "*44"), ("＊６９＃", "*69#"), ("*69", "*69"),
        ("5551212#2,3;4", "5551212#2,3;4"), ("٠١٢٣٤٥٦٧٨٩", "0123456789"), ("०१२३४५६७८९", "0123456789"),
        ("𝟎𝟙𝟤𝟯𝟺", "01234"), ("\u{202A}555\u{200B}12\u{2066}34\u{FEFF}\u{202C}", "5551234"),
        ("5\u{0}05\u{7}5", "5055"), ("5️⃣5️⃣", "55"), ("*️⃣9", "*9"), ("📞 555 👩‍👩‍👧", "555"),
        ("1Ａｂ", "122"), ("1ßéд²①Ⅷ", "1"), ("e\u{301}5", "35"), ("tel:5551234", "5551234"),
        ("\u{FEFF} TEL:+1-555", "+1555"), ("tel:555%231", "555#1"), ("tel: 555", "555"),
    ])
    func readsNumbersWithSeparatorsAndLetters(_ text: String, number: String) {
        #expect(DialledNumber.read(text) == DialledNumber(number).map { .number($0) })
    }

    @Test(arguments: [
        "", " \n", "hello", "*#", "+", ",;", "📞", "½²①", "\0", "tel:", "tel:x", "tel:%", "tel:%zz5",
    ])
    func textWithoutDigitsIsNotNumber(_ text: String) {
        #expect(DialledNumber.read(text) == .noDigits)
    }

    @Test func tooLongNumberIsRefusedWhole() {
        let forty = String(repeating: "5", count: 40)
        #expect(DialledNumber.read("(\(forty))") == DialledNumber(forty).map { .number($0) })
        #expect(DialledNumber.read(forty + "5") == .tooLong)
        #expect(DialledNumber.read("+" + forty) == .tooLong)
        #expect(DialledNumber.read("tel:\(forty)5") == .tooLong)
        #expect(DialledNumber.read(String(repeating: "x", count: 41) + "5") == .tooLong)
    }

    @Test func everyLetterReadsAsItsKeypadDigit() {
        let keys = [
            "2": "ABC", "3": "DEF", "4": "GHI", "5": "JKL", "6": "MNO", "7": "PQRS", "8": "TUV", "9": "WXYZ",
        ]
        for (digit, letters) in keys {
            for letter in letters + letters.lowercased() {
                #expect(Phonewords.key(for: letter)?.character == Character(digit))
                #expect(DialledNumber.read("1\(letter)") == DialledNumber("1\(digit)").map { .number($0) })
            }
        }
        for other in "0129*é Ａß" { #expect(Phonewords.key(for: other) == nil) }
    }

    @Test(arguments: ["5", "x", " ", "\u{200B}", "tel:5", "👩‍👩‍👧", "\0", "%"])
    func tenMegabytesAreRefused(_ piece: String) {
        let text = String(repeating: piece, count: 10_000_000 / piece.utf8.count)
        #expect(DialledNumber.read(text) == .tooLong)
        #expect(throws: TelURIError.self) { try TelURI(text) }
    }

    @Test func longestAllowedTextIsRead() {
        let text = String(repeating: "\u{200B}", count: 1360) + "5551234"
        #expect(DialledNumber.read(text) == DialledNumber("5551234").map { .number($0) })
    }

    @Test(arguments: Seeds.all)
    func resultHasOnlyDigitsOfInput(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for round in 0..<400 {
            let text = round.isMultiple(of: 2) ? randomBytes(&random) : randomScalars(&random)
            for text in [text, "tel:" + text, "+" + text, text + "5"] {
                let reading = DialledNumber.read(text)
                if case .number(let number) = reading {
                    #expect(DialledNumber(number.text) == number)
                    #expect(number.text.contains { $0.isNumber })
                }
                if text.hasSuffix("5"), !text.lowercased().hasPrefix("tel:") { #expect(reading != .noDigits) }
            }
        }
    }

    private func randomBytes(_ random: inout SplitMix64) -> String {
        let count = Int.random(in: 0...80, using: &random)
        return String(
            decoding: (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }, as: UTF8.self)
    }

    private func randomScalars(_ random: inout SplitMix64) -> String {
        let favourites = Array(
            "0٣५５𝟗+＋*＊#＃,;()%=?\u{0}\u{202E}\u{200B}\u{20E3}\u{FE0F}👍tel:extpostd".unicodeScalars)
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...60, using: &random) {
            let any = Unicode.Scalar(UInt32.random(in: 0...0x10FFFF, using: &random))
            let favourite = favourites[Int.random(in: favourites.indices, using: &random)]
            text.append(Bool.random(using: &random) ? favourite : any ?? favourite)
        }
        return String(text)
    }
}
