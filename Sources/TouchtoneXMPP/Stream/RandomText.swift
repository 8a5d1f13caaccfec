// SPDX-License-Identifier: GPL-3.0-or-later

/// Text that cannot be guessed, for stanza ids, nonces and the ids of devices.
enum RandomText {
    /// Returns letters and digits, each of almost 6 bits, from the system's secure generator.
    static func make(_ length: Int) -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
        var random = SystemRandomNumberGenerator()
        return String((0..<length).map { _ in letters[Int.random(in: 0..<letters.count, using: &random)] })
    }

    /// Returns a random UUID (RFC 9562, version 4).
    static func uuid() -> String {
        var random = SystemRandomNumberGenerator()
        let high = (random.next() as UInt64) & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        let low = (random.next() as UInt64) & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        let digits = [high, low].map { number in
            let text = String(number, radix: 16)
            return String(repeating: "0", count: 16 - text.count) + text
        }.joined()
        var rest = digits[...]
        return [8, 4, 4, 4, 12].map { length in
            defer { rest = rest.dropFirst(length) }
            return String(rest.prefix(length))
        }.joined(separator: "-")
    }
}
