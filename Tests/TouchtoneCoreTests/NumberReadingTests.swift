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
        ("+12125550136 ext. 42", "+12125550136;42"), ("(212) 555-0136 x42", "2125550136;42"),
        ("212-555-0136x42", "2125550136;42"), ("2125550136 X 42", "2125550136;42"),
        ("2125550136, ext: 42", "2125550136;42"), ("2125550136 (ext 42)", "2125550136;42"),
        ("2125550136 Extension 42.", "2125550136;42"), ("2125550136 extn.42", "2125550136;42"),
        ("2125550136 ext. ٤٢", "2125550136;42"), ("2125550136 ｅｘｔ．４２", "2125550136;42"),
        ("2125550136 e\u{200B}xt 42\u{FEFF}\n", "2125550136;42"),
        ("+7 495 123-45-67 доб. 42", "+74951234567;42"),
        ("030 1234567 Durchwahl 42", "0301234567;42"), ("03-1234-5678（内線42）", "0312345678;42"),
        ("01 42 68 53 00 poste 42", "0142685300;42"), ("+55 11 3123-4567 ramal 42", "+551131234567;42"),
        ("1-800-FLOWERS ext. 42", "18003569377;42"), ("ext. 42", "42"),
        ("+12125550136;42", "+12125550136;42"),
        // These are words and keys, not extensions.
        ("1-800-FLEX 42", "1800353942"), ("1-800-TEXT42", "1800839842"), ("5551212#42", "5551212#42"),
        ("212 555 0136 ext", "2125550136398"),
        ("555x\(String(repeating: "1", count: 21))", "5559" + String(repeating: "1", count: 21)),
    ])
    func extensionIsDialledAfterWait(_ text: String, number: String) {
        #expect(DialledNumber.read(text) == DialledNumber(number).map { .number($0) })
    }

    @Test(arguments: [
        ("2125550136p55", "2125550136,55"), ("5551212pp22w3", "5551212,,22;3"),
        ("+12125550136W*1#", "+12125550136;*1#"), ("5551212p", "55512127"), ("555p1", "55571"),
        ("1-800-CALLUP2", "18002255872"), ("1-800-HELP4U5", "18004357485"),
    ])
    func pauseLettersStandBetweenDigits(_ text: String, number: String) {
        #expect(DialledNumber.read(text) == DialledNumber(number).map { .number($0) })
    }

    @Test(arguments: [
        ("+44 (0)20 7946 0958", "+442079460958"), ("+44(0)2079460958", "+442079460958"),
        ("+44 ( 0 ) 20 7946 0958", "+442079460958"), ("+44 [0] 20 7946 0958", "+442079460958"),
        ("（+44）（0）20 7946 0958", "+442079460958"), ("0044 (0)20 7946 0958", "00442079460958"),
        ("011 44 (0)20 7946 0958", "011442079460958"), ("+44 (020) 7946 0958", "+442079460958"),
        ("+49 (0)30 / 86 75 30 90 ext. 7", "+493086753090;7"), ("+٤٤ (٠)20 7946 0958", "+442079460958"),
        // The zero is part of the number.
        ("+39 (0)2 1234 5678", "+390212345678"), ("+378 (0)549 882914", "+3780549882914"),
        ("+39 (02) 1234 5678", "+390212345678"),
        // Not behind a country code, or not a bracket with a number.
        ("(0)20 7946 0958", "02079460958"), ("020 (0) 79", "020079"), ("+44 20 (0) 7946", "+442007946"),
        ("+1 (212) 555-0136", "+12125550136"), ("+44 (0", "+440"), ("+44 (0-1)", "+4401"),
        ("+(0)1", "+01"), ("(0)", "0"),
    ])
    func zeroBehindCountryCodeIsNotDialled(_ text: String, number: String) {
        #expect(DialledNumber.read(text) == DialledNumber(number).map { .number($0) })
    }

    /// Reading what was read changes nothing, and no digit is invented.
    @Test(arguments: Seeds.all)
    func readingIsStable(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let pieces = [
            "+", "00", "44", "(0)", "(", ")", " ", "20", "7946", "x", "ext.", "42", "p", "w", ",", ";", "#",
            "*", "доб", "A", "/", "-", "0", "tel:", "callto:", ";ext=", ";phone-context=+1", "\u{200B}",
            "内線", "１", "٣",
        ]
        for _ in 0..<2000 {
            let text = (0..<Int.random(in: 1...12, using: &random)).compactMap { _ in
                pieces.randomElement(using: &random)
            }.joined()
            guard case .number(let number) = DialledNumber.read(text) else { continue }
            #expect(DialledNumber.read(number.text) == .number(number), "\(text)")
            #expect(number.text.count(where: \.isNumber) <= text.count, "\(text)")
        }
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
