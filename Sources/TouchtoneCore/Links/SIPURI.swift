// SPDX-License-Identifier: GPL-3.0-or-later

/// A SIP address or link (RFC 3261, section 19.1), parsed with bounds and written in one form.
///
///     try SIPURI("SIP:Grace%20H@Example.org;transport=udp?subject=x").text   // "sip:Grace%20H@example.org"
public struct SIPURI: Hashable, Sendable {
    /// Whether every part of the way must be encrypted (`sips:`).
    public let isSecure: Bool
    /// The user, with escapes decoded.
    public let user: String
    /// The host name in lower case, or the IP address; an IPv6 address is in brackets.
    public let host: String
    /// The port; nil is the default.
    public let port: UInt16?

    /// The greatest length of a text that is parsed, in bytes.
    public static let readingLimit = 2048
    /// The greatest length of the user, in bytes.
    static let maximumUserLength = 200

    /// Parses a link.
    ///
    /// Parameters, headers and a password are ignored: they could lead a call elsewhere, which the user does not see
    /// (RFC 3261, section 19.1.5). The scheme may be followed by the `//` that some programs add.
    public init(_ text: String) throws(SIPURIError) {
        guard text.utf8.count <= Self.readingLimit else { throw .tooLong }
        guard let scheme = Self.scheme(of: text) else { throw .notASIPLink }
        isSecure = scheme == "sips:"
        var rest = text.utf8.dropFirst(scheme.utf8.count)
        if rest.starts(with: "//".utf8) { rest = rest.dropFirst(2) }
        // A user may contain escaped separators only, so the first `@` ends it.
        guard let at = rest.firstIndex(of: UInt8(ascii: "@")) else { throw .noAddress }
        user = try Self.user(in: rest[..<at])
        let place = rest[rest.index(after: at)...].prefix {
            $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: "?")
        }
        (host, port) = try Self.place(in: String(decoding: place, as: UTF8.self))
    }

    /// Parses an address that a user has entered, with or without `sip:` and surrounding blanks.
    public init(entered text: String) throws(SIPURIError) {
        guard text.utf8.count <= Self.readingLimit else { throw .tooLong }
        let address = text.trimmed
        self = try Self.hasScheme(address) ? SIPURI(address) : SIPURI("sip:" + address)
    }

    /// Returns a link without a host (`sip:5550199`) in one form, and the number that its user is, if any.
    static func user(inLink text: String) -> (link: String, number: DialledNumber?)? {
        guard text.utf8.count <= readingLimit, let scheme = scheme(of: text) else { return nil }
        var rest = text.utf8.dropFirst(scheme.utf8.count)
        if rest.starts(with: "//".utf8) { rest = rest.dropFirst(2) }
        let part = rest.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: "?") }
        // With a dot, and without being a number, it is a host without a user.
        guard !rest.contains(UInt8(ascii: "@")), let user = try? user(in: part) else { return nil }
        let number = number(of: user)
        guard number != nil || user.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" })
        else {
            return nil
        }
        return (scheme + PercentCoding.encoded(user, keeping: kept), number)
    }

    /// Returns the address at the same host for a link of `user(inLink:)`.
    func address(ofUserInLink link: String) -> SIPURI? { try? SIPURI("\(link)@\(place)") }

    /// The address in its canonical form, without parameters.
    public var text: String {
        (isSecure ? "sips:" : "sip:") + PercentCoding.encoded(user, keeping: Self.kept) + "@" + place
    }

    /// The address without its scheme and escapes, as people write it.
    public var shown: String { user + "@" + place }

    /// The number that the user part is; nil if it is a name.
    public var number: DialledNumber? { Self.number(of: user) }

    private static func number(of user: String) -> DialledNumber? {
        // RFC 3261, section 19.1.6: a telephone number keeps its parameters.
        if user.contains(";") { return TelURI(subscriber: "tel:" + user)?.number }
        let dialled = user.filter { !"-.() ".contains($0) }
        guard let first = dialled.first, "+0123456789*#".contains(first) else { return nil }
        return DialledNumber(dialled).flatMap {
            $0.isDialable && !dialled.contains { ",;".contains($0) } ? $0 : nil
        }
    }

    /// Returns the address of a number at the same host.
    public func address(of number: DialledNumber) -> String {
        // RFC 3261, section 19.1.6: a local number would need a context in addition.
        let kind = number.isInternational ? ";user=phone" : ""
        let user = PercentCoding.encoded(String(number.main), keeping: Self.kept)
        return (isSecure ? "sips:" : "sip:") + user + "@" + place + kind
    }

    /// Returns the address whose user has digits, `*` and `#` in front; nil if that is too long.
    public func address(prefixed code: String) -> SIPURI? {
        try? SIPURI(
            (isSecure ? "sips:" : "sip:") + PercentCoding.encoded(code + user, keeping: Self.kept) + "@"
                + place)
    }

    public static func hasScheme(_ text: String) -> Bool { scheme(of: text) != nil }

    private var place: String { port.map { "\(host):\($0)" } ?? host }

    /// The characters that a user may contain without an escape besides letters, digits and `-._~`.
    private static let kept = Set("!*'()&=+$,;?/".utf8)

    private static func scheme(of text: String) -> String? {
        ["sip:", "sips:"].first { text.begins(withScheme: $0) }
    }
}

extension SIPURI {
    private static func user(in part: Substring.UTF8View) throws(SIPURIError) -> String {
        let name = part.prefix { $0 != UInt8(ascii: ":") }
        guard let user = PercentCoding.decoded(name) else { throw .malformedEscape }
        guard !user.isEmpty, user.utf8.count <= maximumUserLength,
            user.unicodeScalars.allSatisfy({ isPrintable($0) })
        else { throw .noAddress }
        return user
    }

    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        // Invisible characters, and those that change the direction of text, would disguise the address.
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator:
            false
        default: true
        }
    }

    private static func place(in text: String) throws(SIPURIError) -> (host: String, port: UInt16?) {
        var (host, rest): (Substring, Substring)
        if text.first == "[" {
            guard let end = text.firstIndex(of: "]") else { throw .noAddress }
            (host, rest) = (text[...end], text[text.index(after: end)...])
            let address = host.dropFirst().dropLast()
            guard (2...45).contains(address.utf8.count), address.contains(":"),
                address.utf8.allSatisfy({
                    $0.hexDigit != nil || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".")
                })
            else { throw .noAddress }
        } else {
            host = text.prefix { $0 != ":" }
            rest = text[host.endIndex...]
            guard isHostName(host) else { throw .noAddress }
        }
        guard !rest.isEmpty else { return (host.lowercased(), nil) }
        guard rest.first == ":", rest.dropFirst().utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let port = UInt16(rest.dropFirst()), port > 0
        else { throw .noAddress }
        return (host.lowercased(), port)
    }

    private static func isHostName(_ host: Substring) -> Bool {
        guard (1...253).contains(host.utf8.count), host.first != "-" else { return false }
        let labels = host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return labels.allSatisfy { label in
            (1...63).contains(label.count)
                && label.allSatisfy { byte in
                    switch byte {
                    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                        true
                    default: false
                    }
                }
        }
    }
}

public enum SIPURIError: Error, Hashable, Sendable {
    case notASIPLink
    /// A percent sign is not followed by two hexadecimal digits, or the escapes are not UTF-8.
    case malformedEscape
    /// The link contains no user and host, or an invalid one.
    case noAddress
    case tooLong

    /// The reason, as a sentence for the user.
    public var message: String {
        switch self {
        case .notASIPLink: localized("This is not a sip: link.")
        case .malformedEscape: localized("The link contains an invalid % escape.")
        case .noAddress: localized("The link contains no SIP address.")
        case .tooLong: localized("The link is too long.")
        }
    }
}
