// SPDX-License-Identifier: GPL-3.0-or-later

/// A `tel:` link (RFC 3966), parsed leniently and written strictly.
///
///     try TelURI("tel:+44-20-7946-0958;ext=12").number.text   // "+442079460958,12"
///     TelURI(number).text                                     // "tel:+442079460958%2C12"
public struct TelURI: Hashable, Sendable {
    /// The number of the link.
    public let number: DialledNumber

    /// Creates the link to a number.
    public init(_ number: DialledNumber) { self.number = number }

    /// Parses a link.
    ///
    /// The scheme may have either case, and the `//` that some browsers add. Of the parameters, `ext` (RFC 3966 section
    /// 5.3) and `postd` (RFC 2806 section 2.2, whose `p` and `w` become `,` and `;`) are dialled after a pause;
    /// `phone-context` and all others are ignored. A bare `#` should begin a fragment, but web pages use it for the
    /// key, so it is read as the key. Text from a `?` on is ignored.
    public init(_ text: String) throws(TelURIError) {
        guard text.utf8.count <= DialledNumber.readingLimit else { throw .tooLong }
        guard Self.hasScheme(text.unicodeScalars) else { throw .notATelLink }
        let link = text.utf8.dropFirst(Self.scheme.utf8.count).prefix { $0 != UInt8(ascii: "?") }
        // The link is split before it is decoded: an escaped semicolon is a wait in the number, a bare one begins a
        // parameter.
        let parts = link.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        var number = try Self.number(in: Self.unescaped(parts.first ?? link))
        for parameter in parts.dropFirst() {
            guard let tones = try Self.tones(of: parameter) else { continue }
            for character in tones {
                guard number.append(character) else { throw .tooLong }
            }
        }
        self.number = number
    }

    /// The text of the link for another app: without separators, and with `#`, `,` and `;` escaped.
    public var text: String {
        number.text.reduce(into: Self.scheme) { link, character in
            switch character {
            case "#": link += "%23"
            case ",": link += "%2C"
            case ";": link += "%3B"
            default: link.append(character)
            }
        }
    }

    /// Returns whether a text begins with `tel:`, ignoring case.
    static func hasScheme(_ text: some Sequence<Unicode.Scalar>) -> Bool {
        var start = String.UnicodeScalarView()
        start.append(contentsOf: text.prefix(scheme.unicodeScalars.count))
        return String(start).lowercased() == scheme
    }

    private static let scheme = "tel:"
}

extension TelURI {
    private static func number(in text: String) throws(TelURIError) -> DialledNumber {
        var reader = NumberReader()
        reader.read(text.unicodeScalars)
        switch reader.reading {
        case .number(let number): return number
        case .noDigits: throw .noDigits
        case .tooLong: throw .tooLong
        }
    }

    /// Returns the tones of a parameter, which follow a pause; nil if the parameter is not dialled.
    private static func tones(of parameter: Substring.UTF8View) throws(TelURIError) -> String? {
        let halves = parameter.split(separator: UInt8(ascii: "="), maxSplits: 1)
        guard halves.count == 2 else { return nil }
        var value = try unescaped(halves[1])
        switch try unescaped(halves[0]).lowercased() {
        case "ext": break
        case "postd": value = String(value.map { postDialPauses[$0] ?? $0 })
        default: return nil
        }
        let tones: DialledNumber
        do {
            tones = try number(in: value)
        } catch .noDigits {
            return nil
        }
        let dialled = tones.text.drop { $0 == "+" }
        return ",;".contains(tones.text.first ?? "+") ? tones.text : "," + dialled
    }

    /// The pauses of RFC 2806: `p` lasts one second, and `w` waits for dial tone.
    private static let postDialPauses: [Character: Character] = ["p": ",", "P": ",", "w": ";", "W": ";"]

    /// Returns the text with its percent escapes decoded once.
    ///
    /// Bytes that are not UTF-8 become replacement characters, which the reader ignores.
    private static func unescaped(_ text: Substring.UTF8View) throws(TelURIError) -> String {
        guard let bytes = PercentCoding.bytes(text) else { throw .malformedEscape }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// A reason why a text is not a link to a number.
public enum TelURIError: Error, Hashable, Sendable {
    /// The link has a different scheme.
    case notATelLink
    /// A percent sign is not followed by two hexadecimal digits.
    case malformedEscape
    /// The link contains no digit.
    case noDigits
    /// The number is longer than `DialledNumber.capacity`, or the link than `DialledNumber.readingLimit`.
    case tooLong

    /// The reason, as a sentence for the user.
    public var message: String {
        switch self {
        case .notATelLink: localized("This is not a tel: link.")
        case .malformedEscape: localized("The link contains an invalid % escape.")
        case .noDigits: localized("The link contains no number.")
        case .tooLong:
            localizedPlural(
                "The number in the link has more than {count} character.",
                "The number in the link has more than {count} characters.", DialledNumber.capacity)
        }
    }
}
