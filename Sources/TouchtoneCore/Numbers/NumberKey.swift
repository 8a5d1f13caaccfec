// SPDX-License-Identifier: GPL-3.0-or-later

/// The part that a number's different written forms have in common: its last seven digits.
///
/// `+1 555 867 5309`, `(555) 867-5309` and `867-5309` have the same key, so that a number is looked up without
/// knowledge of the local numbering plan. Numbers with the same key may differ: `NumberKey.isSame(_:_:)` compares them.
public struct NumberKey: Hashable, Sendable {
    /// The digits: the last seven, or all of a shorter number; a code with `*` or `#` is complete.
    public let text: String

    /// Creates a key without what follows a pause; nil if nothing can be dialled.
    public init?(_ number: DialledNumber) {
        let main = Self.main(number)
        guard !main.isEmpty else { return nil }
        text = main.utf8.contains(where: Self.isCode) ? main : String(main.suffix(Self.length))
    }

    public init(kept text: String) { self.text = text }

    /// The number of digits in a key.
    public static let length = 7

    /// Returns whether two numbers are the same in different forms: they are equal, or the digits of one, without its
    /// national prefix, are the end of the other's.
    public static func isSame(_ left: DialledNumber, _ right: DialledNumber) -> Bool {
        let (left, right) = (main(left), main(right))
        if left == right { return !left.isEmpty }
        guard !(left + right).utf8.contains(where: isCode) else { return false }
        // The 0 of `020 7946 0958` is only dialled within the country, unlike in `+44 20 7946 0958`; so are 1 and 00.
        let (long, short) = left.utf8.count >= right.utf8.count ? (left, right) : (right, left)
        let local = short.drop { $0 == "0" }
        return local.utf8.count >= length && long.hasSuffix(local)
    }

    private static func main(_ number: DialledNumber) -> String {
        String(number.main.filter { $0 != "+" })
    }

    private static func isCode(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "*") || byte == UInt8(ascii: "#")
    }
}
