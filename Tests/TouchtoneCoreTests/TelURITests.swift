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
        ("tel:+442079460958;ext=12", "+442079460958,12"), ("tel:555;EXT=%31-2", "555,12"),
        ("tel:555;postd=22", "555,22"), ("tel:555;postd=pp22w3", "555,,22;3"), ("tel:555;ext=+1", "555,1"),
        ("tel:7042;phone-context=example.com", "7042"),
        ("tel:863;phone-context=+1-914;ext=3;isub=9", "863,3"),
        ("tel:555;ext;;=;ext=;ext=p;postd=w", "555"), ("tel:555?subject=12", "555"),
        ("tel:1-800-FLOWERS", "18003569377"),
        ("tel:%D9%A35", "35"), ("tel:%FF%005", "5"), ("tel:%2535", "35"),
    ])
    func readsValidURIs(_ link: String, number: String) throws {
        #expect(try TelURI(link).number.text == number)
    }

    @Test(arguments: [
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
