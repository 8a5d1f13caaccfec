// SPDX-License-Identifier: GPL-3.0-or-later

/// An address that can be called in place of a number: a SIP address, or a person’s Jabber address.
///
///     CallAddress("xmpp:Grace@Example.org/phone")?.shown   // "grace@example.org"
public enum CallAddress: Hashable, Sendable {
    case sip(SIPURI)
    /// The person, and the user’s account that calls; nil is an account that has the person among its buddies.
    case jabber(ChatAddress, account: ChatAddress? = nil)

    /// Reads the address of a far end, or a link; nil if it is no address with a known scheme.
    public init?(_ text: String) {
        if XMPPURI.hasScheme(text) {
            guard let link = try? XMPPURI(text) else { return nil }
            self.init(link)
        } else {
            guard let address = try? SIPURI(text) else { return nil }
            self = .sip(address)
        }
    }

    /// Takes the person, and the account if there is one, from a link; its action does not matter.
    public init(_ link: XMPPURI) {
        // The service of the account normalizes addresses; a far end is compared without regard to case.
        self = .jabber(
            ChatAddress(link.address.lowercased()), account: link.account.map { ChatAddress($0.lowercased()) }
        )
    }

    /// The address of the far end: a SIP URI, or an `xmpp:` URI without the account.
    public var text: String {
        switch self {
        case .sip(let uri): uri.text
        case .jabber(let person, _): XMPPURI(person.text, .open).text
        }
    }

    /// The address without its scheme and escapes, as people write it.
    public var shown: String {
        switch self {
        case .sip(let uri): uri.shown
        case .jabber(let person, _): person.text
        }
    }

    /// The text for the clipboard: Jabber addresses are pasted without a scheme.
    public var copied: String { if case .jabber = self { shown } else { text } }

    /// Returns how an address is shown, and others as they are.
    public static func shown(_ text: String) -> String { CallAddress(text)?.shown ?? text }

    /// Returns the form of an address in which it is compared and searched; nil if it is none.
    static func key(_ text: String) -> String? {
        guard XMPPURI.hasScheme(text) else { return sipKey(text) }
        return CallAddress(text)?.text
    }

    /// Returns the user and the host of a SIP address, without its scheme and parameters; nil if it is not an address.
    public static func sipKey(_ address: String) -> String? {
        var rest = address.lowercased()[...]
        for scheme in ["sips:", "sip:"] where rest.hasPrefix(scheme) { rest = rest.dropFirst(scheme.count) }
        rest = rest.prefix { $0 != ";" && $0 != "?" }
        return rest.contains("@") ? String(rest) : nil
    }
}
