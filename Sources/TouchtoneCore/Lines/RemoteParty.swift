// SPDX-License-Identifier: GPL-3.0-or-later

/// The far end of a call: its number, its address, and its name.
///
/// Any of the three can be missing: a line of the telephone network has numbers only, a SIP caller may have no number,
/// and a caller who withholds the number has none of them.
public struct RemoteParty: Hashable, Sendable {
    /// The number; empty where there is none, or where it is withheld.
    public let number: DialledNumber
    /// The address on lines that have such, a SIP URI (RFC 3261, section 19.1); empty on others.
    public let address: String
    /// The name that came with the call, or was known when it happened; empty where there is none.
    ///
    /// The far end chooses it, so that it may hold anything.
    public let displayName: String

    /// The most Unicode scalars that are kept of the address and of the display name of a call that is going on.
    public static let maximumLength = 1000

    /// Creates a remote party.
    public init(_ number: DialledNumber, address: String = "", displayName: String = "") {
        (self.number, self.address, self.displayName) = (number, address, displayName)
    }

    /// The party with its texts cut to `maximumLength`, as a line may have got them from anybody.
    var bounded: RemoteParty {
        func cut(_ text: String) -> String {
            String(String.UnicodeScalarView(text.unicodeScalars.prefix(Self.maximumLength)))
        }
        return RemoteParty(number, address: cut(address), displayName: cut(displayName))
    }
}

extension DialRules {
    /// Writes the number of a remote party by these rules; the rest of it stays.
    func apply(to remote: RemoteParty) -> RemoteParty {
        RemoteParty(
            apply(to: remote.number), address: remote.address, displayName: remote.displayName)
    }
}
