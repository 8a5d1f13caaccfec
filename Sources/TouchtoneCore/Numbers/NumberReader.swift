// SPDX-License-Identifier: GPL-3.0-or-later

extension DialledNumber {
    public enum Reading: Hashable, Sendable {
        case number(DialledNumber)
        /// The text contains no digit, or is an invalid `tel:` link.
        case noDigits
        /// The text contains a number that is too long; a shortened number would reach someone else.
        case tooLong
    }

    /// The greatest length of a text that is read, in bytes of UTF-8, which bounds the work; longer is
    /// `tooLong`.
    public static let readingLimit = 4096

    /// Reads a number leniently from text that was pasted, dropped or received over D-Bus.
    ///
    /// Decimal digits of any script are accepted, letters A to Z become the digits that carry them, full-width forms
    /// become their ASCII equivalents, and `+` is accepted before all other characters. `*`, `#`, `,` and `;` are
    /// accepted, and all other characters are ignored. The text must contain a digit: letters alone are not a number.
    ///
    /// An extension (`ext. 42`, `x42`) is dialled after a wait, and `p` and `w` between digits are a pause and a wait.
    /// A zero in brackets behind a country code, `+44 (0)20`, is not dialled. Text that begins with `tel:` or `callto:`
    /// is parsed as a link (`TelURI`).
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
        return NumberReader.reading(of: start)
    }
}

/// A reader that collects a number from characters of any kind, as `DialledNumber.read(_:)` describes.
struct NumberReader {
    private var number = DialledNumber()
    private var hasDigit = false
    private var isTooLong = false

    /// Returns the number in a text that is not a link.
    static func reading(of text: some Sequence<Unicode.Scalar>) -> DialledNumber.Reading {
        let written = WrittenNumber(text)
        var reader = NumberReader()
        reader.read(written.main)
        if !written.extension.isEmpty {
            // An extension alone is an internal number.
            if reader.number.isDialable { reader.append(";") }
            reader.read(written.extension)
        }
        guard reader.hasDigit else { return .noDigits }
        return reader.isTooLong ? .tooLong : .number(reader.number)
    }

    /// Appends those of the characters that can be part of a number.
    private mutating func read(_ scalars: ArraySlice<Unicode.Scalar>) {
        var rest = scalars
        let hasWords = scalars.contains { Phonewords.key(for: Character($0)) != nil && !$0.isPause }
        while let scalar = rest.first {
            if let end = trunkZeroEnd(in: rest) {
                rest = rest[end...]
            } else if !hasWords, let pauses = pauses(in: rest) {
                for pause in pauses { append(pause) }
                rest = rest.dropFirst(pauses.count)
            } else {
                if let character = dialled(scalar) { append(character) }
                rest = rest.dropFirst()
            }
        }
    }

    private mutating func append(_ character: Character) {
        // A misplaced plus is ignored; any other character is refused only because the number is full.
        if !number.append(character), character != "+" { isTooLong = true }
    }

    /// Returns the character that `scalar` enters, and records whether it is a digit.
    private mutating func dialled(_ scalar: Unicode.Scalar) -> Character? {
        if scalar.isDigit { hasDigit = true }
        let character = Character(scalar)
        if let key = Phonewords.key(for: character) { return key.character }
        return scalar.isDigit || "+*#,;".unicodeScalars.contains(scalar) ? character : nil
    }
}

// MARK: - Pauses

extension NumberReader {
    /// The digits before a letter that is a pause; shorter numbers end in words.
    private static let digitsBeforePause = 7

    /// Returns the pauses at the start of the characters, if they are the letters p and w between digits.
    private func pauses(in rest: ArraySlice<Unicode.Scalar>) -> [Character]? {
        let run = rest.prefix(DialledNumber.capacity).prefix(while: \.isPause)
        guard !run.isEmpty, number.text.count(where: \.isNumber) >= Self.digitsBeforePause,
            let next = rest.dropFirst(run.count).first, next.isDigit || next == "*" || next == "#"
        else { return nil }
        return run.map { $0 == "p" || $0 == "P" ? "," : ";" }
    }
}

// MARK: - Trunk Prefix

extension NumberReader {
    /// The countries whose numbers begin with a zero abroad, too, instead of a trunk prefix (ITU-T E.123,
    /// 7.3): Italy with the Vatican, San Marino, Côte d’Ivoire, Gabon and Congo.
    private static let countriesWithZero: Set<Substring> = ["39", "378", "225", "241", "242"]
    private static let internationalPrefixes = ["+", "0011", "011", "00"]

    /// Returns the index behind the zero that is not dialled after a country code: `+44 (0)20`, `+44 (020)`.
    private func trunkZeroEnd(in rest: ArraySlice<Unicode.Scalar>) -> Int? {
        guard let bracket = rest.first, bracket == "(" || bracket == "[", isCountryCode else { return nil }
        let inside = rest.dropFirst().drop { $0 == " " }
        guard inside.first == "0" else { return nil }
        let end = inside.drop { $0.isDigit || $0 == " " }
        guard let last = end.first, last == ")" || last == "]" else { return nil }
        return inside.startIndex + 1
    }

    /// Whether the number so far is the code of a country whose numbers have no zero of their own.
    private var isCountryCode: Bool {
        guard let prefix = Self.internationalPrefixes.first(where: { number.text.hasPrefix($0) }) else {
            return false
        }
        let code = number.text.dropFirst(prefix.count)
        return (1...3).contains(code.count) && code.allSatisfy(\.isNumber)
            && !Self.countriesWithZero.contains(code)
    }
}

extension Unicode.Scalar {
    var isDigit: Bool { ("0"..."9").contains(self) }

    /// Whether the scalar is a letter that stands for a pause between digits.
    fileprivate var isPause: Bool { "pPwW".unicodeScalars.contains(self) }

    /// Whether the scalar is invisible: white space, a control character or a formatting character.
    var isInvisible: Bool {
        properties.isWhitespace || properties.generalCategory == .control
            || properties.generalCategory == .format
    }
}
