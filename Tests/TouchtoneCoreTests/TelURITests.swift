// SPDX-License-Identifier: GPL-3.0-or-later

import TestSupport
import Testing
import TouchtoneCore

@Suite struct TelURITests {
    @Test(arguments: [
        ("tel:5558675309", "5558675309"), ("TEL:+1-555-867.5309", "+15558675309"),
        ("tel:(555)8675309", "5558675309"),
        ("tel://5551234", "5551234"), ("tel://5551234/", "5551234"), ("tel:%2B44%2020", "+4420"),
        ("tel:*69%23", "*69#"), ("tel:*69#", "*69#"), ("tel:555%2C1%3b2", "555,1;2"),
        ("tel:555,,1", "555,,1"),
        ("tel:+442079460958;ext=12", "+442079460958;12"), ("tel:555;EXT=%31-2", "555;12"),
        ("tel:555;postd=22", "555,22"), ("tel:555;postd=pp22w3", "555,,22;3"), ("tel:555;ext=+1", "555;1"),
        ("tel:7042;phone-context=example.com", "7042"),
        ("tel:863;phone-context=+1-914;ext=3;isub=9", "863;3"),
        // A context of digits comes before a local number, whatever the order of the parameters.
        ("tel:5550136;phone-context=+1212", "+12125550136"),
        ("tel:555-0136;ext=42;phone-context=+1-212", "+12125550136;42"),
        ("tel:5550136,,5;phone-context=+1212", "+12125550136,,5"),
        ("tel:+442079460958;phone-context=+1212", "+442079460958"),
        ("tel:911;phone-context=+1", "911"), ("tel:112;phone-context=+49", "112"),
        ("tel:*69;phone-context=+1", "*69"), ("tel:5550136;phone-context=+", "5550136"),
        ("tel:5550136;phone-context=+1x", "5550136"), ("tel:5550136;phone-context=1212", "5550136"),
        ("tel:5550136;phone-context=+1212345678", "5550136"),
        ("tel:5550136;phone-context=%2B1212", "+12125550136"),
        ("tel:5550136;PHONE-CONTEXT=+1212;phone-context=+44", "+12125550136"),
        ("tel:+1-212-555-0136x42", "+12125550136;42"), ("tel:+44(0)2079460958", "+442079460958"),
        ("tel:+12125550136p55", "+12125550136,55"), ("tel:+12125550136%20ext.%2042", "+12125550136;42"),
        ("callto:+12125550136", "+12125550136"), ("CALLTO://555-0136/", "5550136"),
        ("callto:%2B1(212)555-0136;ext=7", "+12125550136;7"), ("callto:+12125550136 ext 4", "+12125550136;4"),
        ("tel:555;ext;;=;ext=;ext=p;postd=w", "555"), ("tel:555?subject=12", "555"),
        ("tel:1-800-FLOWERS", "18003569377"),
        ("tel:%D9%A35", "35"), ("tel:%FF%005", "5"), ("tel:%2535", "35"),
    ])
    func readsValidURIs(_ link: String, number: String) throws {
        #expect(try TelURI(link).number.text == number)
    }

    @Test(arguments: [
        ("callto:", .noDigits), ("callto:echo123", .noDigits), ("callto:user2@example.org", .noDigits),
        ("callto:1-800-FLOWERS", .noDigits), ("callto:sip:5550136@example.org", .noDigits),
        ("", TelURIError.notATelLink), ("5551234", .notATelLink), ("sip:5551234", .notATelLink),
        ("tel", .notATelLink), ("te\u{6C}\u{301}:5", .notATelLink), ("\u{1A}tel:5", .notATelLink),
        ("tel:", .noDigits), ("tel:+", .noDigits), ("tel:;ext=5", .noDigits), ("tel:HELLO", .noDigits),
        ("tel:555%", .malformedEscape), ("tel:555%2", .malformedEscape), ("tel:555%G1", .malformedEscape),
        ("tel:555;ext=%zz", .malformedEscape), ("tel:" + String(repeating: "1", count: 41), .tooLong),
        ("tel:\(String(repeating: "1", count: 39));ext=12", .tooLong),
    ])
    func refusesInvalidURIs(_ link: String, error: TelURIError) {
        #expect(throws: error) { try TelURI(link) }
        #expect(error.message.hasSuffix("."))
    }

    @Test(arguments: [
        ("+12125550136;42", "tel:+12125550136;ext=42"), ("555;1;2", "tel:555%3B1%3B2"), (";42", "tel:%3B42"),
        ("*69;1", "tel:*69%3B1"), ("555;", "tel:555%3B"), ("555;1,2", "tel:555%3B1%2C2"),
        ("5558675309", "tel:5558675309"), ("+442079460958", "tel:+442079460958"), ("*69#", "tel:*69%23"),
        ("555,1;2", "tel:555%2C1%3B2"),
    ])
    func writesURIs(_ number: String, link: String) {
        #expect(DialledNumber(number).map { TelURI($0).text } == link)
    }

    @Test(arguments: Seeds.all)
    func readsItsOwnOutput(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<500 {
            let number = randomNumber(&random, length: Int.random(in: 2...40, using: &random))
            guard number.text.contains(where: \.isNumber) else { continue }
            #expect(try TelURI(TelURI(number).text).number == number)
            #expect(DialledNumber.read(TelURI(number).text) == .number(number))
        }
    }
}
