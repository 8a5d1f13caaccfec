// SPDX-License-Identifier: GPL-3.0-or-later

/// A way to group the digits of a displayed number.
public enum NumberFormat: Hashable, Sendable {
    /// The format of telephones in the 1980s, by the number of digits alone: `555-8675`, `(555) 867-5309`.
    case classic
    /// The format of a region's numbering plan (ISO 3166-1 alpha-2, upper case), as the digits are typed.
    case regional(region: String)

    /// Creates the format from the settings; any name but `regional` is classic, and no region is the
    /// locale's.
    public init(named name: String, region: String, locale: String?) {
        guard name == "regional" else {
            self = .classic
            return
        }
        self = .regional(region: Region.checked(region) ?? Region.from(locale: locale))
    }
}

/// Formats the displayed number; a library’s result without all its characters in order is discarded.
public struct NumberFormatter {
    /// The grouping of numbers without a leading `+`.
    public var format: NumberFormat

    private let library: (any AsYouTypeFormatting)?

    /// Creates a formatter; without a library, formats that need one show the number as typed.
    public init(format: NumberFormat = .classic, library: (any AsYouTypeFormatting)? = nil) {
        self.format = format
        self.library = library
    }

    /// Returns the displayed text: printable ASCII, at most `maximumTextLength` characters.
    public func string(for number: DialledNumber) -> String {
        guard number.isPlain, !number.isEmpty else { return number.text }
        switch format {
        case .regional(let region): return asYouType(number, region: region)
        case .classic where number.isInternational: return asYouType(number, region: Region.standard)
        case .classic: return classic(number.text)
        }
    }

    /// The greatest length of a displayed text, in characters: a number with a separator after each character.
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
        // The library ends a country code with a space, which serves no purpose on a display without a caret.
        return answer.last == " " ? String(answer.dropLast()) : answer
    }
}
