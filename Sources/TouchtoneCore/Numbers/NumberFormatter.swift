// SPDX-License-Identifier: GPL-3.0-or-later

/// How the display groups the digits of a number.
public enum NumberFormat: Hashable, Sendable {
    /// As telephones of the 1980s did, by the count of digits alone: `555-8675`, `(555) 867-5309`.
    case classic
    /// By the numbering plan of a region (ISO 3166-1 alpha-2, upper case), as the digits come.
    case regional(region: String)

    /// Creates the format that the settings `number-format` and `region` describe.
    ///
    /// - Parameters:
    ///   - name: `classic` or `regional`; anything else is classic.
    ///   - region: two letters, or nothing for the locale's.
    ///   - locale: the user's locale, as for `Region.from(locale:)`.
    public init(named name: String, region: String, locale: String?) {
        guard name == "regional" else {
            self = .classic
            return
        }
        self = .regional(region: Region.checked(region) ?? Region.from(locale: locale))
    }
}

/// Writes a number as the display shows it.
///
/// Whatever is shown holds the number's characters, all of them, in their order: a library's answer that does not is
/// set aside, and the number is shown as typed.
public struct NumberFormatter {
    /// The grouping of numbers without a leading `+`.
    public var format: NumberFormat

    private let library: (any AsYouTypeFormatting)?

    /// Creates a formatter; without a library, what needs one is shown as typed.
    public init(format: NumberFormat = .classic, library: (any AsYouTypeFormatting)? = nil) {
        self.format = format
        self.library = library
    }

    /// The number as shown: printable ASCII, at most `maximumTextLength` characters.
    public func string(for number: DialledNumber) -> String {
        guard number.isPlain, !number.isEmpty else { return number.text }
        switch format {
        case .regional(let region): return asYouType(number, region: region)
        case .classic where number.isInternational: return asYouType(number, region: Region.standard)
        case .classic: return classic(number.text)
        }
    }

    /// The most characters that `string(for:)` returns: a number with a separator after each character.
    public static let maximumTextLength = 2 * DialledNumber.capacity

    private func classic(_ digits: String) -> String {
        switch digits.utf8.count {
        case 4...7: "\(digits.prefix(3))-\(digits.dropFirst(3))"
        case 8...10: "(\(digits.prefix(3))) \(digits.dropFirst(3).prefix(3))-\(digits.dropFirst(6))"
        default: digits
        }
    }

    private func asYouType(_ number: DialledNumber, region: String) -> String {
        guard let answer = library?.format(number.text, region: region),
            answer.utf8.count <= Self.maximumTextLength,
            answer.unicodeScalars.allSatisfy({
                ("0"..."9").contains($0) || "+ -./()".unicodeScalars.contains($0)
            }),
            String(answer.filter { $0 == "+" || $0.isNumber }) == number.text
        else { return number.text }
        // After a country's code comes a space for what is to follow; the display has no caret to set apart by it.
        return answer.last == " " ? String(answer.dropLast()) : answer
    }
}
