// SPDX-License-Identifier: GPL-3.0-or-later

/// A `tel:` link (RFC 3966), parsed leniently and written strictly.
///
///     try TelURI("tel:+44-20-7946-0958;ext=12").number.text   // "+442079460958;12"
///     TelURI(number).text                                     // "tel:+442079460958;ext=12"
public struct TelURI: Hashable, Sendable {
    public let number: DialledNumber

    public init(_ number: DialledNumber) { self.number = number }

    /// Parses a link.
    ///
    /// The scheme may have either case, and the `//` that some browsers add; `callto:` links are read as well, if they
    /// have a number instead of a name. Of the parameters, `ext` (RFC 3966 section 5.3) is dialled after a wait, and
    /// `postd` (RFC 2806 section 2.2, whose `p` and `w` become `,` and `;`) after a pause. A `phone-context` of digits
    /// comes before a local number (RFC 3966 section 5.1.5); that of a domain and all other parameters are ignored. A
    /// bare `#` should begin a fragment, but web pages use it for the key, so it is read as the key. Text from a `?` on
    /// is ignored.
    public init(_ text: String) throws(TelURIError) {
        guard text.utf8.count <= DialledNumber.readingLimit else { throw .tooLong }
        guard let scheme = Self.scheme(of: text.unicodeScalars) else { throw .notATelLink }
        let link = text.utf8.dropFirst(scheme.utf8.count).prefix { $0 != UInt8(ascii: "?") }
        // The link is split before it is decoded: an escaped semicolon is a wait in the number, a bare one begins a
        // parameter.
        let parts = link.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        let main = try Self.unescaped(parts.first ?? link)
        // A name would be read as a phoneword, and call a stranger.
        if scheme != Self.scheme, !Self.isNumber(main) { throw .noDigits }
        var number = try Self.number(in: main)
        for parameter in parts.dropFirst() {
            guard let (name, value) = try Self.parameter(parameter) else { continue }
            if name == "phone-context" { number = Self.number(number, in: value) }
        }
        for parameter in parts.dropFirst() {
            guard let (name, value) = try Self.parameter(parameter),
                let tones = try Self.tones(name, value)
            else { continue }
            for character in tones {
                guard number.append(character) else { throw .tooLong }
            }
        }
        self.number = number
    }

    /// Parses the address of a caller (RFC 3966, telephone-subscriber), of whose parameters only
    /// `phone-context` counts; nil if it has a different form.
    public init?(subscriber text: String) {
        let parts = text.split(separator: ";", omittingEmptySubsequences: false)
        let context = parts.dropFirst().first { $0.lowercased().hasPrefix("phone-context=") }
        guard Self.scheme(of: text.unicodeScalars) == Self.scheme,
            let main = parts.first?.dropFirst(Self.scheme.count),
            parts.dropFirst().allSatisfy({ $0.first?.isLetter == true }), !main.isEmpty,
            main.allSatisfy({ "+0123456789*#-.() ".contains($0) }),
            let link = try? TelURI("tel:\(main)" + (context.map { ";\($0)" } ?? ""))
        else { return nil }
        self = link
    }

    /// The text of the link for another app: without separators, with digits behind a single wait as `ext`, and
    /// otherwise with `#`, `,` and `;` escaped.
    public var text: String {
        let parts = number.text.split(separator: ";", omittingEmptySubsequences: false)
        if parts.count == 2, !parts[1].isEmpty, DialledNumber(String(parts[0]))?.isPlain == true,
            parts[1].allSatisfy(\.isNumber), parts[0].contains(where: \.isNumber)
        {
            return "\(Self.scheme)\(parts[0]);ext=\(parts[1])"
        }
        return number.text.reduce(into: Self.scheme) { link, character in
            switch character {
            case "#": link += "%23"
            case ",": link += "%2C"
            case ";": link += "%3B"
            default: link.append(character)
            }
        }
    }

    static func hasScheme(_ text: some Sequence<Unicode.Scalar>) -> Bool { scheme(of: text) != nil }

    private static func scheme(of text: some Sequence<Unicode.Scalar>) -> String? {
        [scheme, "callto:"].first { scheme in
            var start = String.UnicodeScalarView()
            start.append(contentsOf: text.prefix(scheme.unicodeScalars.count))
            return String(start).lowercased() == scheme
        }
    }

    private static let scheme = "tel:"
}

extension TelURI {
    private static func number(in text: String) throws(TelURIError) -> DialledNumber {
        switch NumberReader.reading(of: text.unicodeScalars) {
        case .number(let number): return number
        case .noDigits: throw .noDigits
        case .tooLong: throw .tooLong
        }
    }

    /// Returns whether a text begins as a number does, and has no letters.
    private static func isNumber(_ text: String) -> Bool {
        let number = WrittenNumber(text.unicodeScalars).main
        return !number.contains { $0.properties.isAlphabetic || $0 == "@" }
    }

    private static func parameter(_ text: Substring.UTF8View) throws(TelURIError) -> (String, String)? {
        let halves = text.split(separator: UInt8(ascii: "="), maxSplits: 1)
        guard halves.count == 2 else { return nil }
        return (try unescaped(halves[0]).lowercased(), try unescaped(halves[1]))
    }

    /// Returns a local number after the digits of its context, or unchanged if it is a short number or service
    /// code, which are the same everywhere, or would exceed 15 digits (ITU-T E.164, section 6.1).
    private static func number(_ number: DialledNumber, in context: String) -> DialledNumber {
        let digits = context.filter { !"-.()".contains($0) }
        guard digits.first == "+", digits.dropFirst().allSatisfy({ $0.isASCII && $0.isNumber }),
            digits.utf8.count > 1, !number.isInternational
        else { return number }
        let main = number.main
        guard main.utf8.count > 3, main.allSatisfy(\.isNumber), digits.utf8.count - 1 + main.utf8.count <= 15
        else { return number }
        return DialledNumber(digits + number.text) ?? number
    }

    /// Returns the tones of a parameter, with the pause or wait before them; nil if the parameter is not dialled.
    private static func tones(_ name: String, _ value: String) throws(TelURIError) -> String? {
        let pause: Character
        var value = value
        switch name {
        case "ext": pause = ";"
        case "postd": (pause, value) = (",", String(value.map { postDialPauses[$0] ?? $0 }))
        default: return nil
        }
        let tones: DialledNumber
        do {
            tones = try number(in: value)
        } catch .noDigits {
            return nil
        }
        let dialled = tones.text.drop { $0 == "+" }
        return ",;".contains(tones.text.first ?? "+") ? tones.text : "\(pause)\(dialled)"
    }

    /// The pauses of RFC 2806: `p` lasts one second, and `w` waits for dial tone.
    private static let postDialPauses: [Character: Character] = ["p": ",", "P": ",", "w": ";", "W": ";"]

    /// Returns the text, decoded once; bytes that are not UTF-8 become characters that the reader ignores.
    private static func unescaped(_ text: Substring.UTF8View) throws(TelURIError) -> String {
        guard let bytes = PercentCoding.bytes(text) else { throw .malformedEscape }
        return String(decoding: bytes, as: UTF8.self)
    }
}

public enum TelURIError: Error, Hashable, Sendable {
    case notATelLink
    /// A percent sign is not followed by two hexadecimal digits.
    case malformedEscape
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
