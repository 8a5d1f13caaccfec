// SPDX-License-Identifier: GPL-3.0-or-later

/// A number being dialled: what the keys entered, without any formatting.
///
/// It holds the digits `0`…`9`, the keys `*` and `#`, `,` (pause) and `;` (wait), and a leading `+` that makes it
/// international. Nothing else can get in, so whoever takes one need not look at its characters again.
///
///     var number = DialledNumber()
///     number.append("5")      // true
///     number.append("+")      // false: a plus stands first or nowhere
public struct DialledNumber: Hashable, Sendable {
    /// The most characters that a number holds, the `+` among them.
    public static let capacity = 40

    /// The characters, all of them ASCII.
    public private(set) var text = ""

    /// Creates an empty number.
    public init() {}

    /// Creates a number from exactly these characters; nil when they are not a number, or too many for one.
    ///
    /// This is for text that the program wrote itself. Text from outside is for `read(_:)`.
    public init?(_ text: String) {
        for character in text {
            guard append(character) else { return nil }
        }
    }
}

extension DialledNumber {
    /// Whether no key has been pressed yet.
    public var isEmpty: Bool { text.isEmpty }

    /// The number of characters, 0 to `capacity`.
    public var count: Int { text.utf8.count }

    /// Whether the number holds as much as it can.
    public var isFull: Bool { count == Self.capacity }

    /// Whether the number begins with `+`, and so means the same wherever it is dialled.
    public var isInternational: Bool { text.utf8.first == UInt8(ascii: "+") }

    /// Whether there is anything to dial: a lone `+`, or nothing but pauses, reaches nobody.
    public var isDialable: Bool { text.contains { DTMFKey($0) != nil } }

    /// Whether a numbering plan has anything to say about it: digits alone, with or without the leading `+`.
    public var isPlain: Bool { !text.utf8.contains { Self.keysAndPauses.contains($0) } }

    /// Adds a character at the end.
    ///
    /// - Returns: false, and nothing has changed, when the number is full or the character can't stand there.
    @discardableResult
    public mutating func append(_ character: Character) -> Bool {
        // By the ASCII value: "0"..."9" as a range of characters would also hold "1" with an accent on it.
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

    /// Takes the last character away.
    ///
    /// - Returns: false when there was none.
    @discardableResult
    public mutating func deleteLast() -> Bool { text.popLast() != nil }

    /// Takes all characters away.
    public mutating func clear() { text = "" }

    /// Makes the 0 just entered a `+`, as a long press of the key does.
    ///
    /// Only a 0 that is the whole number so far can become one: a `+` after other characters means nothing, so
    /// there the 0 stays what it is.
    ///
    /// - Returns: false when nothing has changed.
    @discardableResult
    public mutating func replaceLastZeroWithPlus() -> Bool {
        guard text == "0" else { return false }
        text = "+"
        return true
    }

    private static let keysAndPauses = Array("*#,;".utf8)
}
