// SPDX-License-Identifier: GPL-3.0-or-later

/// What the same number written in different forms has in common: its last seven digits.
///
/// `+1 555 867 5309`, `(555) 867-5309` and `867-5309` have one key, so that a number is looked up without knowing the plan
/// of where it was written. Numbers with one key may still be others: `NumberKey.isSame(_:_:)` says whether they are.
public struct NumberKey: Hashable, Sendable {
    /// The digits: seven, or all there are of a shorter number; with its `*` and `#` where a code has such.
    public let text: String

    /// The key of a number; nil where nothing in it can be dialled.
    ///
    /// What comes after a pause is not part of it.
    public init?(_ number: DialledNumber) {
        let main = Self.main(number)
        guard !main.isEmpty else { return nil }
        text = main.utf8.contains(where: Self.isCode) ? main : String(main.suffix(Self.length))
    }

    /// Takes a key as it was kept.
    public init(kept text: String) { self.text = text }

    /// How many digits there are.
    public static let length = 7

    /// Whether two numbers are one, written in two forms: equal, or the one's digits, without what stands before a number
    /// within a country, are the end of the other's.
    public static func isSame(_ left: DialledNumber, _ right: DialledNumber) -> Bool {
        let (left, right) = (main(left), main(right))
        if left == right { return !left.isEmpty }
        guard !(left + right).utf8.contains(where: isCode) else { return false }
        // Of `020 7946 0958` and `+44 20 7946 0958` the 0 is only for callers from within; so are the 1 and the 00.
        let (long, short) = left.utf8.count >= right.utf8.count ? (left, right) : (right, left)
        let local = short.drop { $0 == "0" }
        return local.utf8.count >= length && long.hasSuffix(local)
    }

    private static func main(_ number: DialledNumber) -> String {
        String(number.text.prefix { $0 != "," && $0 != ";" }.filter { $0 != "+" })
    }

    private static func isCode(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "*") || byte == UInt8(ascii: "#")
    }
}
