// SPDX-License-Identifier: GPL-3.0-or-later

/// The number, address and name of a call's far end, each of which may be missing.
public struct RemoteParty: Hashable, Sendable {
    /// The number; empty if there is none, or if it is withheld.
    public let number: DialledNumber
    /// The address on lines that have addresses, a SIP URI (RFC 3261, section 19.1) or an `xmpp:` URI of a bare address
    /// (RFC 5122); empty on others.
    public let address: String
    /// The name that arrived with the call; the far end chooses it, so that it may contain anything.
    public let displayName: String

    /// The greatest number of Unicode scalars that are stored of the address and of the display name during a call.
    public static let maximumLength = 1000

    public init(_ number: DialledNumber, address: String = "", displayName: String = "") {
        (self.number, self.address, self.displayName) = (number, address, displayName)
    }

    /// The party with its texts cut to `maximumLength`, because a line receives them from strangers.
    var bounded: RemoteParty {
        func cut(_ text: String) -> String {
            String(String.UnicodeScalarView(text.unicodeScalars.prefix(Self.maximumLength)))
        }
        return RemoteParty(number, address: cut(address), displayName: cut(displayName))
    }
}

extension DialRules {
    /// Writes the number of a remote party by these rules; its address and name do not change.
    func apply(to remote: RemoteParty) -> RemoteParty {
        RemoteParty(
            apply(to: remote.number), address: remote.address, displayName: remote.displayName)
    }
}

extension RemoteParty {
    /// Creates the far end of a call over Jabber.
    public init(_ person: ChatAddress, displayName: String = "") {
        self.init(
            DialledNumber(), address: CallAddress.jabber(person).text, displayName: displayName)
    }

    /// The Jabber address of the far end; nil if it has another one, or none.
    public var jabberAddress: ChatAddress? {
        guard XMPPURI.hasScheme(address), case .jabber(let person, _) = CallAddress(address) else {
            return nil
        }
        return person
    }

    /// Reads a number, or a SIP address with or without its scheme, as the user enters it; nil if it is neither.
    public init?(entered text: String) {
        if text.contains("@") || SIPURI.hasScheme(text) {
            guard let uri = try? SIPURI(entered: text) else { return nil }
            self.init(DialledNumber(), address: uri.text)
        } else {
            guard case .number(let number) = DialledNumber.read(text), number.isDialable else { return nil }
            self.init(number)
        }
    }

    /// Whether the caller withholds its number and its address.
    var isHidden: Bool { number.isEmpty && address.isEmpty }

    /// The number without the keys that follow it, which may be secret, or else the address; empty if there is none.
    public var called: String {
        number.isEmpty ? CallAddress(address)?.text ?? "" : String(number.main)
    }

    /// The address without its scheme; empty if there is none.
    public var shownAddress: String { CallAddress.shown(address) }
}
