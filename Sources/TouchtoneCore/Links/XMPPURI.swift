// SPDX-License-Identifier: GPL-3.0-or-later

/// An `xmpp:` link (RFC 5122) and its action (XEP-0147).
///
///     try XMPPURI("xmpp:grace@example.org?message;body=See%20you").action   // .message(body: "See you")
public struct XMPPURI: Hashable, Sendable {
    /// The action of a link, which is performed only after the user has confirmed it.
    public enum Action: Hashable, Sendable {
        case open
        /// Opens the conversation, with a text in its message field.
        case message(body: String)
        /// Opens the form that adds a buddy, with a name filled in; empty is no name.
        case add(name: String)
        /// Opens the form that enters a group chat.
        case join
        /// Opens the form for a new account on the address’s server (XEP-0077), with an invitation’s token (XEP-0445);
        /// an empty token is no invitation.
        case register(token: String)
        /// Opens the form that answers a person’s invitation (XEP-0379).
        ///
        /// With `canRegister`, the token also admits a new account on the person’s server (XEP-0401).
        case invitation(token: String, canRegister: Bool)
    }

    /// The bare address; its form is checked, but only its server can tell whether it exists.
    public let address: String
    public let action: Action
    /// Whether the link, which is otherwise one to open, asks for a call: the address is put on the display, and waits
    /// for Dial.
    public let isCall: Bool
    /// The user’s own bare address with which to open the link (RFC 5122 section 2.3); nil if it names none.
    public let account: String?
    /// The keys of the address’s devices, for their verification; empty if the link names none.
    public let keys: [LinkedKey]

    /// The greatest length of a link that is parsed, in bytes.
    public static let readingLimit = 16 * 1024
    public static let maximumNameLength = 200
    /// The greatest length of an invitation’s token, in bytes; a longer one is none.
    public static let maximumTokenLength = 512
    private static let scheme = "xmpp:"

    public init(_ address: String, _ action: Action = .open, keys: [LinkedKey] = []) {
        (self.address, self.action, self.keys) = (address, action, keys)
        (account, isCall) = (nil, false)
    }

    /// Parses a link.
    ///
    /// A resource, an account (`//account/`) that is no address, and a fragment are ignored. Of the queries, `message`, `roster`,
    /// `subscribe`, `join`, `register` and `call` are supported; others are ignored, as RFC 5122 requires.
    public init(_ text: String) throws(XMPPURIError) {
        guard text.utf8.count <= Self.readingLimit else { throw .tooLong }
        guard Self.hasScheme(text) else { throw .notAnXMPPLink }
        let link = text.utf8.dropFirst(Self.scheme.utf8.count).prefix { $0 != UInt8(ascii: "#") }
        let halves = link.split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
        let parts = try Self.parts(of: halves.first ?? link)
        address = try Self.address(in: parts.path)
        account = parts.account.flatMap { try? Self.address(in: $0) }
        keys = try halves.count > 1 ? Self.keys(in: halves[1]) : []
        action = try halves.count > 1 && keys.isEmpty ? Self.action(in: halves[1]) : .open
        isCall = halves.count > 1 && keys.isEmpty && Self.isCall(halves[1])
    }

    public static func hasScheme(_ text: String) -> Bool { text.begins(withScheme: scheme) }

    /// The normalized text of the link.
    public var text: String {
        let authority = account.map { "//\(Self.encoded($0))/" } ?? ""
        let start = Self.scheme + authority + Self.encoded(address)
        switch action {
        case .open where isCall: return start + "?call"
        case .open: return start + (keys.isEmpty ? "" : "?" + keys.map(\.text).joined(separator: ";"))
        case .message(let body): return start + "?message;body=" + PercentCoding.encoded(body)
        case .add(let name): return start + "?roster;name=" + PercentCoding.encoded(name)
        case .join: return start + "?join"
        case .register(let token):
            return start + "?register" + (token.isEmpty ? "" : ";preauth=" + PercentCoding.encoded(token))
        case .invitation(let token, let canRegister):
            return start + "?roster;preauth=" + PercentCoding.encoded(token) + (canRegister ? ";ibr=y" : "")
        }
    }

    private static func encoded(_ address: String) -> String {
        let parts = address.utf8.split(
            separator: UInt8(ascii: "@"), maxSplits: 1, omittingEmptySubsequences: false)
        return parts.map { PercentCoding.encoded(String(decoding: $0, as: UTF8.self)) }.joined(separator: "@")
    }
}

extension XMPPURI {
    /// Splits what is before the query into the account, if there is one, and the path.
    private static func parts(of text: Substring.UTF8View) throws(XMPPURIError)
        -> (account: Substring.UTF8View?, path: Substring.UTF8View)
    {
        guard text.starts(with: "//".utf8) else { return (nil, text) }
        let rest = text.dropFirst(2)
        guard let end = rest.firstIndex(of: UInt8(ascii: "/")) else { throw .noAddress }
        return (rest[..<end], rest[rest.index(after: end)...])
    }

    private static func address(in path: Substring.UTF8View) throws(XMPPURIError) -> String {
        // The path is split before it is decoded, because an escaped separator is part of the text.
        let bare = path.prefix { $0 != UInt8(ascii: "/") }
        var parts: [String] = []
        for piece in bare.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false) {
            parts.append(try decoded(piece))
        }
        guard (1...2).contains(parts.count),
            parts.allSatisfy({ part in
                !part.isEmpty
                    && part.unicodeScalars.allSatisfy {
                        $0 != "@" && $0 != "/" && !$0.properties.isWhitespace && !isControl($0)
                    }
            })
        else { throw .noAddress }
        return parts.joined(separator: "@")
    }

    private static func action(in query: Substring.UTF8View) throws(XMPPURIError) -> Action {
        let parts = query.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        var values: [String: String] = [:]
        for part in parts.dropFirst() {
            let halves = part.split(
                separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard halves.count == 2 else { continue }
            let key = try decoded(halves[0]).lowercased()
            // The first value counts, so that none can be hidden behind the one that the user sees.
            if values[key] == nil { values[key] = try decoded(halves[1]) }
        }
        switch try decoded(parts.first ?? query).lowercased() {
        case "message": return .message(body: lines(of: values["body"] ?? ""))
        case "roster", "subscribe":
            let token = token(values["preauth"] ?? "")
            guard token.isEmpty else { return .invitation(token: token, canRegister: values["ibr"] == "y") }
            return .add(name: name(values["name"] ?? ""))
        case "join": return .join
        case "register": return .register(token: token(values["preauth"] ?? ""))
        default: return .open
        }
    }

    private static func isCall(_ query: Substring.UTF8View) -> Bool {
        PercentCoding.decoded(query.prefix { $0 != UInt8(ascii: ";") })?.lowercased() == "call"
    }

    /// Returns the keys that a query names, whose parts some apps separate by `&`; none if it begins with something else.
    private static func keys(in query: Substring.UTF8View) throws(XMPPURIError) -> [LinkedKey] {
        let beginning = String(decoding: query.prefix(LinkedKey.name.utf8.count), as: UTF8.self)
        guard beginning.lowercased() == LinkedKey.name else { return [] }
        var parts: [(name: String, value: String)] = []
        for part in query.split(whereSeparator: { $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: "&") }) {
            let halves = part.split(
                separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard halves.count == 2 else { continue }
            parts.append((try decoded(halves[0]).lowercased(), try decoded(halves[1])))
        }
        return LinkedKey.keys(in: parts)
    }

    private static func decoded(_ part: Substring.UTF8View) throws(XMPPURIError) -> String {
        guard let text = PercentCoding.decoded(part) else { throw .malformedEscape }
        return text
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control
    }

    /// Returns the text with uniform line breaks and without control characters.
    private static func lines(of text: String) -> String {
        var result = String.UnicodeScalarView()
        var last: Unicode.Scalar = " "
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\r": result.append("\n")
            case "\n": if last != "\r" { result.append("\n") }
            case "\t": result.append(scalar)
            default: if !isControl(scalar) { result.append(scalar) }
            }
            last = scalar
        }
        return String(result)
    }

    /// Returns a token of visible ASCII characters; empty for any other.
    private static func token(_ text: String) -> String {
        let isToken =
            text.utf8.count <= maximumTokenLength && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        return isToken ? text : ""
    }

    private static func name(_ text: String) -> String {
        let words = text.unicodeScalars.split { $0.properties.isWhitespace || isControl($0) }
        return String(words.map { String($0) }.joined(separator: " ").prefix(maximumNameLength))
    }
}

public enum XMPPURIError: Error, Hashable, Sendable {
    case notAnXMPPLink
    /// A percent sign is not followed by two hexadecimal digits, or the escapes are not UTF-8.
    case malformedEscape
    case noAddress
    case tooLong

    /// The reason, as a sentence for the user.
    public var message: String {
        switch self {
        case .notAnXMPPLink: localized("This is not an xmpp: link.")
        case .malformedEscape: localized("The link contains an invalid % escape.")
        case .noAddress: localized("The link contains no Jabber address.")
        case .tooLong: localized("The link is too long.")
        }
    }
}
