// SPDX-License-Identifier: GPL-3.0-or-later

/// A number to dial, as entered with keys and without formatting.
///
/// It contains the digits `0`…`9`, the keys `*` and `#`, `,` (pause) and `;` (wait), and an optional leading `+` for an
/// international number. It cannot contain anything else, so that its users need not check its characters.
///
///     var number = DialledNumber()
///     number.append("5")      // true
///     number.append("+")      // false: a plus can only come first
public struct DialledNumber: Hashable, Sendable {
    /// The greatest number of characters, including the `+`.
    public static let capacity = 40

    /// The characters, all of them ASCII.
    public private(set) var text = ""

    public init() {}

    /// Creates a number from the app's own text (`read(_:)` is for other text); nil if it is none or too
    /// long.
    public init?(_ text: String) {
        for character in text {
            guard append(character) else { return nil }
        }
    }
}

extension DialledNumber {
    public var isEmpty: Bool { text.isEmpty }

    /// The number of characters, 0 to `capacity`.
    public var count: Int { text.utf8.count }

    public var isFull: Bool { count == Self.capacity }

    /// Whether the number begins with `+`, and so has the same meaning everywhere.
    public var isInternational: Bool { text.utf8.first == UInt8(ascii: "+") }

    /// The part before the first pause or wait; what follows is for the far end.
    var main: Substring {
        Substring(text.utf8.prefix { $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: ";") })
    }

    /// Whether the number can be dialled: a lone `+`, or only pauses, cannot.
    public var isDialable: Bool { text.contains { DTMFKey($0) != nil } }

    /// Whether a numbering plan applies to the number: it consists of digits and an optional leading `+`.
    public var isPlain: Bool { !text.utf8.contains { Self.keysAndPauses.contains($0) } }

    /// Appends a character; false, and nothing has changed, if the number is full or it is not allowed there.
    @discardableResult
    public mutating func append(_ character: Character) -> Bool {
        // The range "0"..."9" of characters would also contain "1" with an accent, so compare ASCII values.
        guard !isFull, character != "\r\n", let ascii = character.asciiValue else { return false }
        switch ascii {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): break
        case _ where Self.keysAndPauses.contains(ascii): break
        case UInt8(ascii: "+") where isEmpty: break
        default: return false
        }
        text.append(character)
        return true
    }

    /// Deletes the last character; false if the number was empty.
    @discardableResult
    public mutating func deleteLast() -> Bool { text.popLast() != nil }

    public mutating func clear() { text = "" }

    /// Replaces a lone 0 by `+`, as a long press does; after other characters, a `+` has no meaning.
    @discardableResult
    public mutating func replaceLastZeroWithPlus() -> Bool {
        guard text == "0" else { return false }
        text = "+"
        return true
    }

    private static let keysAndPauses = Array("*#,;".utf8)
}
