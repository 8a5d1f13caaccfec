// SPDX-License-Identifier: GPL-3.0-or-later

/// The number or address that a text names to be called, or that a memory key holds.
public enum CallTarget: Hashable, Sendable {
    case number(DialledNumber)
    case address(CallAddress)

    /// The far end of a call to it.
    public var remote: RemoteParty {
        switch self {
        case .number(let number): RemoteParty(number)
        case .address(let address): RemoteParty(DialledNumber(), address: address.text)
        }
    }
}

// MARK: - Kept in Files

extension CallTarget {
    /// Reads what a file or the settings keep: a number, or a SIP address with or without its scheme; nil if it is neither.
    ///
    /// The text may be anything. Parameters and headers of an address are left out, as in a link.
    public init?(kept text: String) {
        guard text.contains("@") || SIPURI.hasScheme(text) else {
            guard let number = DialledNumber(text) else { return nil }
            self = .number(number)
            return
        }
        // The scheme of another link would become the user.
        guard SIPURI.hasScheme(text) || !text.prefix(while: { $0 != "@" }).contains(":"),
            let address = try? SIPURI(entered: text)
        else { return nil }
        self = .address(.sip(address))
    }

    /// The text that `init(kept:)` reads again.
    public var kept: String {
        switch self {
        case .number(let number): number.text
        case .address(let address): address.text
        }
    }

    /// The number that it is, or that the user of its SIP address is; nil if it is none.
    public var dialledNumber: DialledNumber? {
        switch self {
        case .number(let number): number
        case .address(.sip(let address)): address.number
        case .address(.jabber): nil
        }
    }
}
