// SPDX-License-Identifier: GPL-3.0-or-later

extension DialledNumber {
    /// The result of reading a number from a text.
    public enum Reading: Hashable, Sendable {
        /// The text contains a number.
        case number(DialledNumber)
        /// The text contains no digit, or is an invalid `tel:` link.
        case noDigits
        /// The text contains a number that is too long; a shortened number would reach someone else.
        case tooLong
    }

    /// The greatest length of a text that is read, in bytes of UTF-8; longer texts are `tooLong`.
    ///
    /// A number with brackets and invisible characters is much shorter. The limit bounds the work for a text from the
    /// clipboard.
    public static let readingLimit = 4096

    /// Reads a number leniently from text that was pasted, dropped or received over D-Bus.
    ///
    /// Decimal digits of any script are accepted, letters A to Z become the digits that carry them, full-width forms
    /// become their ASCII equivalents, and `+` is accepted before all other characters. `*`, `#`, `,` and `;` are
    /// accepted, and all other characters are ignored. The text must contain a digit: letters alone are not a number.
    /// Text that begins with `tel:` is parsed as a link (`TelURI`).
    public static func read(_ text: String) -> Reading {
        guard text.utf8.count <= readingLimit else { return .tooLong }
        let start = text.unicodeScalars.drop { $0.isInvisible }
        if TelURI.hasScheme(start) {
            do throws(TelURIError) {
                return .number(try TelURI(String(start)).number)
            } catch {
                return error == .tooLong ? .tooLong : .noDigits
            }
        }
        var reader = NumberReader()
        reader.read(start)
        return reader.reading
    }
}

/// A reader that collects a number from characters of any kind, as `DialledNumber.read(_:)` describes.
struct NumberReader {
    private var number = DialledNumber()
    private var hasDigit = false
    private var isTooLong = false

    /// The number collected so far.
    var reading: DialledNumber.Reading {
        guard hasDigit else { return .noDigits }
        return isTooLong ? .tooLong : .number(number)
    }

    /// Appends those of the characters that can be part of a number.
    mutating func read(_ scalars: some Sequence<Unicode.Scalar>) {
        for scalar in scalars {
            guard let character = dialled(scalar) else { continue }
            // A misplaced plus is ignored; any other character is refused only because the number is full.
            if !number.append(character), character != "+" { isTooLong = true }
        }
    }

    /// Returns the character that `scalar` enters, and records whether it is a digit.
    private mutating func dialled(_ scalar: Unicode.Scalar) -> Character? {
        if let digit = scalar.decimalDigit {
            hasDigit = true
            return digit
        }
        let character = Character(scalar.withoutFullWidth)
        if let key = Phonewords.key(for: character) { return key.character }
        return "+*#,;".contains(character) ? character : nil
    }
}

extension Unicode.Scalar {
    /// The ASCII form of a decimal digit of any script; nil for other characters, such as `²` and `Ⅷ`.
    fileprivate var decimalDigit: Character? {
        guard properties.numericType == .decimal, let value = properties.numericValue else { return nil }
        return Character(Unicode.Scalar(UInt8(ascii: "0") + UInt8(value)))
    }

    /// The ASCII equivalent of a full-width form (U+FF01…U+FF5E); the scalar itself for others.
    fileprivate var withoutFullWidth: Unicode.Scalar {
        guard (0xFF01...0xFF5E).contains(value) else { return self }
        return Unicode.Scalar(value - 0xFEE0) ?? self
    }

    /// Whether the scalar is invisible: white space, a control character or a formatting character.
    fileprivate var isInvisible: Bool {
        properties.isWhitespace || properties.generalCategory == .control
            || properties.generalCategory == .format
    }
}
