// SPDX-License-Identifier: GPL-3.0-or-later

/// An `xmpp:` link (RFC 5122) and what it asks for (XEP-0147).
///
///     try XMPPURI("xmpp:grace@example.org?message;body=See%20you").action   // .message(body: "See you")
public struct XMPPURI: Hashable, Sendable {
    /// What a link asks for.
    ///
    /// None of it is done before a person has looked at it.
    public enum Action: Hashable, Sendable {
        /// The conversation.
        case open
        /// The conversation, with something to send in its field.
        case message(body: String)
        /// The form that adds a buddy, with a name filled in; empty is none.
        case add(name: String)
    }

    /// Whom the link is about: a bare address that looks like one; whether it is one is for the service to say.
    public let address: String
    /// What it asks for.
    public let action: Action

    /// The most bytes of a link that are looked at.
    public static let readingLimit = 16 * 1024
    /// The most characters of a name.
    public static let maximumNameLength = 200
    private static let scheme = "xmpp:"

    /// Puts a link together.
    public init(_ address: String, _ action: Action = .open) {
        self.address = address
        self.action = action
    }

    /// Reads a link.
    ///
    /// A resource, the account that the link wants used (`//account/`) and the fragment are passed over. Of the
    /// queries, `message`, `roster` and `subscribe` are known; RFC 5122 has others opened as if they were not there. A
    /// link to a room is refused: who follows it means more than the person it would be taken for.
    public init(_ text: String) throws(XMPPURIError) {
        guard text.utf8.count <= Self.readingLimit else { throw .tooLong }
        guard Self.hasScheme(text) else { throw .notAnXMPPLink }
        let link = text.utf8.dropFirst(Self.scheme.utf8.count).prefix { $0 != UInt8(ascii: "#") }
        let halves = link.split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
        address = try Self.address(in: halves.first ?? link)
        action = try halves.count > 1 ? Self.action(in: halves[1]) : .open
    }

    /// Whether a text begins with `xmpp:`, in upper or lower case.
    public static func hasScheme(_ text: String) -> Bool {
        String(decoding: text.utf8.prefix(scheme.utf8.count), as: UTF8.self).lowercased() == scheme
    }

    /// The link in one form.
    public var text: String {
        let parts = address.utf8.split(
            separator: UInt8(ascii: "@"), maxSplits: 1, omittingEmptySubsequences: false)
        let path = parts.map { PercentCoding.encoded(String(decoding: $0, as: UTF8.self)) }
            .joined(separator: "@")
        switch action {
        case .open: return Self.scheme + path
        case .message(let body): return Self.scheme + path + "?message;body=" + PercentCoding.encoded(body)
        case .add(let name): return Self.scheme + path + "?roster;name=" + PercentCoding.encoded(name)
        }
    }
}

extension XMPPURI {
    private static func address(in part: Substring.UTF8View) throws(XMPPURIError) -> String {
        var path = part
        if path.starts(with: "//".utf8) {
            guard let end = path.dropFirst(2).firstIndex(of: UInt8(ascii: "/")) else { throw .noAddress }
            path = path[path.index(after: end)...]
        }
        // Split first: an escaped sign is none of those that hold an address together.
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
            // The first counts: a second one may be hidden behind what a person looks at.
            if values[key] == nil { values[key] = try decoded(halves[1]) }
        }
        switch try decoded(parts.first ?? query).lowercased() {
        case "message": return .message(body: lines(of: values["body"] ?? ""))
        case "roster", "subscribe": return .add(name: name(values["name"] ?? ""))
        case "join": throw .room
        default: return .open
        }
    }

    private static func decoded(_ part: Substring.UTF8View) throws(XMPPURIError) -> String {
        guard let text = PercentCoding.decoded(part) else { throw .malformedEscape }
        return text
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control
    }

    /// The text with line breaks of one kind, and without what steers a terminal or a field.
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

    private static func name(_ text: String) -> String {
        let words = text.unicodeScalars.split { $0.properties.isWhitespace || isControl($0) }
        return String(words.map { String($0) }.joined(separator: " ").prefix(maximumNameLength))
    }
}

/// Why a link could not be read as one to a person.
public enum XMPPURIError: Error, Hashable, Sendable {
    /// It is a link of another kind.
    case notAnXMPPLink
    /// A percent sign is not followed by two hexadecimal digits, or what it stands for is no text.
    case malformedEscape
    /// It names nobody.
    case noAddress
    /// It is one to a group chat.
    case room
    /// It is longer than `XMPPURI.readingLimit`.
    case tooLong

    /// The reason in a sentence for people.
    public var message: String {
        switch self {
        case .notAnXMPPLink: localized("This is not an xmpp: link.")
        case .malformedEscape: localized("The link is damaged: what follows a % in it makes no text.")
        case .noAddress: localized("There is no Jabber address in the link.")
        case .room: localized("The link leads to a group chat; this version talks with one person at a time.")
        case .tooLong: localized("The link is too long.")
        }
    }
}
