// SPDX-License-Identifier: GPL-3.0-or-later

/// Bytes as hexadecimal digits, two for each.
package enum Hexadecimal {
    private static let digits = Array("0123456789abcdef".utf8)

    /// Returns the lowercase digits of some bytes.
    package static func digits(of bytes: some Sequence<UInt8>) -> String {
        String(
            decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// Parses digits of either case; nil for any other character, or an odd number.
    package static func bytes(_ digits: some Collection<UInt8>) -> [UInt8]? {
        let values = digits.compactMap(\.hexDigit)
        guard values.count == digits.count, values.count.isMultiple(of: 2) else { return nil }
        return stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] }
    }
}
