// SPDX-License-Identifier: GPL-3.0-or-later

import Testing
import TouchtoneCore

/// Tests of bytes as hexadecimal digits.
@Suite struct HexadecimalTests {
    @Test func allBytesComeBack() {
        let bytes = (UInt8.min...UInt8.max).map(\.self)
        let digits = Hexadecimal.digits(of: bytes)
        #expect(digits.hasPrefix("000102") && digits.hasSuffix("fdfeff"))
        #expect(Hexadecimal.bytes(digits.utf8) == bytes)
        #expect(Hexadecimal.bytes(digits.uppercased().utf8) == bytes)
        #expect(Hexadecimal.bytes("".utf8) == [])
    }

    @Test(arguments: ["0", "000", "0g", "g0", "+1", "-1", " 1", "0x", "é", "\u{661}1", "00\n"])
    func otherTextIsNone(_ text: String) {
        #expect(Hexadecimal.bytes(text.utf8) == nil)
    }
}
