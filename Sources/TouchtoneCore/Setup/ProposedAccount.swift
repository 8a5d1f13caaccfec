// SPDX-License-Identifier: GPL-3.0-or-later

/// An account that somebody offers, for the user to decide on.
public enum ProposedAccount: Hashable, Sendable {
    case sip(TelephoneSetup)
    case jabber(JabberSetup)

    /// Reads an account; nil if anything in it cannot be used.
    init?(_ value: JSONValue) {
        guard case .object(let members) = value, case .text(let kind) = members["type"] else { return nil }
        let fields = SetupFields(members)
        switch kind {
        case "sip":
            guard let setup = TelephoneSetup(fields) else { return nil }
            self = .sip(setup)
        case "xmpp":
            guard let setup = JabberSetup(fields) else { return nil }
            self = .jabber(setup)
        default: return nil
        }
    }

    /// The address as people write it.
    public var address: String {
        switch self {
        case .sip(let setup): CallAddress.shown(setup.address)
        case .jabber(let setup): setup.details.address
        }
    }

    public var hasPassword: Bool {
        switch self {
        case .sip(let setup): !setup.password.isEmpty
        case .jabber(let setup): !setup.password.isEmpty
        }
    }
}

extension TelephoneSetup {
    /// Reads an account; nil if anything in it cannot be used.
    init?(_ fields: SetupFields) {
        guard let uri = fields.text("address").flatMap(Self.address),
            let password = fields.password, let user = fields.text("user"),
            let server = fields.text("server"),
            let transport = fields.text("transport", of: ["tls", "tcp", "udp"]),
            let encryption = fields.text("srtp", of: ["required", "offered", "off"]),
            let keys = fields.text("dtmf", of: ["automatic", "rfc4733", "info"]),
            let voicemail = fields.text("voicemail"), let expiry = fields.number("expiry", in: 60...86_400)
        else { return nil }
        guard server.isEmpty || Self.isServer(server),
            voicemail.isEmpty || RemoteParty(entered: voicemail) != nil
        else { return nil }
        self.init(address: uri.text)
        (self.password, self.user, self.server) = (password, user, server)
        (self.transport, self.encryption, self.keys) = (transport, encryption, keys)
        (self.voicemail, self.expiry) = (voicemail, expiry == 0 ? nil : expiry)
    }

    /// Returns an address with `sip:` or without a scheme; nil for others, which would be read as a user with a password.
    private static func address(_ text: String) -> SIPURI? {
        guard let uri = try? SIPURI(entered: text) else { return nil }
        let rest = SIPURI.hasScheme(text) ? text.drop { $0 != ":" }.dropFirst() : text[...]
        return rest.prefix { $0 != "@" }.contains(":") ? nil : uri
    }

    private static func isServer(_ text: String) -> Bool {
        let place = SIPURI.hasScheme(text) ? String(text.drop { $0 != ":" }.dropFirst()) : text
        return !place.contains("@") && (try? SIPURI("sip:server@" + place)) != nil
    }
}

extension JabberSetup {
    /// Reads an account; nil if anything in it cannot be used.
    init?(_ fields: SetupFields) {
        guard let address = fields.text("address").flatMap(Self.address),
            let password = fields.password, let host = fields.text("server"),
            let port = fields.number("port", in: 1...65_535),
            let security = fields.text("tls", of: AccountSecurity.allCases.map(\.rawValue)),
            let label = fields.text("label"), port == 0 || !host.isEmpty,
            host.allSatisfy({ $0.isLetter || $0.isNumber || "-.:[]".contains($0) })
        else { return nil }
        self.init(
            AccountDetails(
                address: address, host: host, port: UInt16(port),
                security: AccountSecurity(rawValue: security) ?? .automatic))
        (self.password, self.label) = (password, PlainText.line(label, maximum: 60))
    }

    /// Returns an address without its scheme; nil if it is no bare address of an account (RFC 7622 section 3.3.1).
    private static func address(_ text: String) -> String? {
        let scheme = "xmpp:"
        let address =
            XMPPURI.hasScheme(text)
            ? String(decoding: text.utf8.dropFirst(scheme.utf8.count), as: UTF8.self) : text
        let halves = address.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        guard halves.count == 2, halves.allSatisfy({ !$0.isEmpty }),
            !halves[0].contains(where: { "\"&'/:<>".utf8.contains($0) }),
            !halves[1].contains(UInt8(ascii: ":")) || halves[1].first == UInt8(ascii: "["),
            (try? XMPPURI(scheme + address))?.address == address
        else { return nil }
        return address
    }
}

/// The members of an account in a document, within bounds.
struct SetupFields {
    private let members: [String: JSONValue]

    init(_ members: [String: JSONValue]) { self.members = members }

    /// Returns a text in one line, empty if there is none; nil if it cannot be used.
    func text(_ name: String) -> String? {
        guard let value = members[name] else { return "" }
        guard case .text(let text) = value, text.utf8.count <= AccountSetup.maximumLength,
            PlainText.line(text, maximum: AccountSetup.maximumLength) == text, text.trimmed == text
        else { return nil }
        return text
    }

    /// Returns one of some words, empty if there is none; nil for another.
    func text(_ name: String, of words: [String]) -> String? {
        text(name).flatMap { $0.isEmpty || words.contains($0) ? $0 : nil }
    }

    /// The password, empty if there is none; nil if it cannot be used.
    var password: String? {
        guard let value = members["password"] else { return "" }
        guard case .text(let text) = value, text.utf8.count <= AccountSetup.maximumLength,
            text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7f })
        else { return nil }
        return text
    }

    /// Returns a whole number, 0 if there is none; nil if it is out of range.
    func number(_ name: String, in range: ClosedRange<UInt32>) -> UInt32? {
        guard let value = members[name] else { return 0 }
        guard case .number(let number) = value, let whole = UInt32(exactly: number), range.contains(whole)
        else { return nil }
        return whole
    }
}
