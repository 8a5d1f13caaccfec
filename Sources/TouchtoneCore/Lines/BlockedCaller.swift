// SPDX-License-Identifier: GPL-3.0-or-later

/// A caller whose calls the user does not want: a number, or an address.
public enum BlockedCaller: Hashable, Sendable {
    case number(DialledNumber)
    /// The user and the host of a SIP or Jabber address, in lower case: `grace@example.org`.
    case address(String)

    /// The greatest length of an entry of the block list, in bytes of UTF-8.
    public static let maximumLength = 300

    /// Returns nil for a far end that shows neither a number nor an address.
    public init?(_ remote: RemoteParty) {
        // The address behind a number is that of a server or a gateway, which carries others, too.
        if remote.number.isDialable {
            self = .number(remote.number)
        } else if let address = Self.address(of: remote) {
            self = .address(address)
        } else {
            return nil
        }
    }

    /// Reads a number or an address as people write them, with or without a scheme; nil if it is neither.
    public init?(_ text: String) {
        let text = text.trimmed
        guard text.utf8.count <= Self.maximumLength else { return nil }
        if text.contains("@") {
            let address =
                XMPPURI.hasScheme(text)
                ? RemoteParty(DialledNumber(), address: text).jabberAddress?.text : nil
            guard let key = CallAddress.sipKey(address ?? text), Self.isAddress(key) else { return nil }
            self = .address(key)
        } else {
            // What follows a pause is dialled to the far end, and no caller shows it.
            guard case .number(let written) = DialledNumber.read(text),
                let number = DialledNumber(String(written.main)), number.isDialable
            else { return nil }
            self = .number(number)
        }
    }

    /// The form that is stored and exported.
    public var text: String {
        switch self {
        case .number(let number): number.text
        case .address(let address): address
        }
    }

    /// Returns the user and the host of the far end's address; nil if it has none.
    static func address(of remote: RemoteParty) -> String? {
        remote.jabberAddress?.text.lowercased() ?? CallAddress.sipKey(remote.address)
    }

    private static func isAddress(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { !$0.isEmpty }
            && !text.unicodeScalars.contains(where: \.isInvisible)
    }
}
