// SPDX-License-Identifier: GPL-3.0-or-later

extension DialledNumber {
    /// What a text from outside turned out to hold.
    public enum Reading: Hashable, Sendable {
        /// A number.
        case number(DialledNumber)
        /// Not one digit, or a `tel:` link that can't be understood.
        case noDigits
        /// More than a number can hold. It is refused whole: a number cut short would call somebody else.
        case tooLong
    }

    /// The longest text that is read, in bytes of UTF-8; what is longer is `tooLong` unseen.
    ///
    /// A number with all its brackets and invisible characters stays far below. The limit bounds the work that a
    /// clipboard can cause, whatever it holds.
    public static let readingLimit = 4096

    /// Reads a number generously from text that was pasted, dropped or sent over the bus.
    ///
    /// Any Unicode decimal digit counts, letters A to Z count as the digit that carries them, full-width forms
    /// count as their ASCII ones, and a `+` counts before everything else. `*`, `#`, `,` and `;` stay, and all
    /// the rest is passed over. Letters alone are no number: there must be a digit in the text. What begins with
    /// `tel:` is read as a link (`TelURI`).
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

/// Gathers a number from characters of any kind, as `DialledNumber.read(_:)` describes.
struct NumberReader {
    private var number = DialledNumber()
    private var hasDigit = false
    private var isTooLong = false

    /// The number gathered so far.
    var reading: DialledNumber.Reading {
        guard hasDigit else { return .noDigits }
        return isTooLong ? .tooLong : .number(number)
    }

    /// Takes what can stand in a number from these characters, in their order.
    mutating func read(_ scalars: some Sequence<Unicode.Scalar>) {
        for scalar in scalars {
            guard let character = dialled(scalar) else { continue }
            // A plus that is refused is out of place and ignored; anything else is refused for want of room.
            if !number.append(character), character != "+" { isTooLong = true }
        }
    }

    /// The character that `scalar` enters, and note of its being a digit of whatever script.
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
    /// The ASCII form of a decimal digit of any script; nil for all else, such as `²` and `Ⅷ`.
    fileprivate var decimalDigit: Character? {
        guard properties.numericType == .decimal, let value = properties.numericValue else { return nil }
        return Character(Unicode.Scalar(UInt8(ascii: "0") + UInt8(value)))
    }

    /// The ASCII character that this is the full-width form of (U+FF01…U+FF5E), otherwise itself.
    fileprivate var withoutFullWidth: Unicode.Scalar {
        guard (0xFF01...0xFF5E).contains(value) else { return self }
        return Unicode.Scalar(value - 0xFEE0) ?? self
    }

    /// Whether it leaves no mark of its own: white space, a control or a formatting character.
    fileprivate var isInvisible: Bool {
        properties.isWhitespace || properties.generalCategory == .control
            || properties.generalCategory == .format
    }
}
