// SPDX-License-Identifier: GPL-3.0-or-later

/// A `tel:` link (RFC 3966), read generously and written strictly.
///
///     try TelURI("tel:+44-20-7946-0958;ext=12").number.text   // "+442079460958,12"
///     TelURI(number).text                                     // "tel:+442079460958%2C12"
public struct TelURI: Hashable, Sendable {
    /// The number that the link calls.
    public let number: DialledNumber

    /// The link that calls a number.
    public init(_ number: DialledNumber) { self.number = number }

    /// Reads a link.
    ///
    /// The scheme is taken in either case and with the `//` that some browsers put after it. Of the parameters,
    /// `ext` (RFC 3966 section 5.3) and `postd` (RFC 2806 section 2.2, whose `p` and `w` are our `,` and `;`) are
    /// dialled after a pause; `phone-context` and all others are passed over. A bare `#` should be the fragment's
    /// mark, but pages write it for the key, so it is read as the key. From a `?` on, the text is no part of it.
    public init(_ text: String) throws(TelURIError) {
        guard text.utf8.count <= DialledNumber.readingLimit else { throw .tooLong }
        guard Self.hasScheme(text.unicodeScalars) else { throw .notATelLink }
        let link = text.utf8.dropFirst(Self.scheme.utf8.count).prefix { $0 != UInt8(ascii: "?") }
        // Split first: an escaped semicolon is a wait in the number, a bare one begins a parameter.
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

    /// The link as it is handed to another program: without separators, `#`, `,` and `;` escaped.
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

    /// Whether a text begins with `tel:`, in upper or lower case.
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

    /// What a parameter adds to the number: its tones after a pause; nil when it is none that is dialled.
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

    /// The pauses of RFC 2806: `p` lasts a second, `w` waits for a dial tone.
    private static let postDialPauses: [Character: Character] = ["p": ",", "P": ",", "w": ";", "W": ";"]

    /// The text with its percent escapes undone, once.
    ///
    /// What is not UTF-8 after that becomes replacement characters, which the reader passes over.
    private static func unescaped(_ text: Substring.UTF8View) throws(TelURIError) -> String {
        guard let bytes = PercentCoding.bytes(text) else { throw .malformedEscape }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// Why a link could not be read as a number.
public enum TelURIError: Error, Hashable, Sendable {
    /// It is a link of another kind.
    case notATelLink
    /// A percent sign is not followed by two hexadecimal digits.
    case malformedEscape
    /// No digit is in it.
    case noDigits
    /// The number is longer than `DialledNumber.capacity`, or the link than `DialledNumber.readingLimit`.
    case tooLong

    /// The reason in a sentence for people.
    public var message: String {
        switch self {
        case .notATelLink: localized("This is not a tel: link.")
        case .malformedEscape:
            localized("The link is damaged: a % in it is not followed by two hexadecimal digits.")
        case .noDigits: localized("There is no number in the link.")
        case .tooLong:
            localizedPlural(
                "The number in the link has more than {count} character.",
                "The number in the link has more than {count} characters.", DialledNumber.capacity)
        }
    }
}
