// SPDX-License-Identifier: GPL-3.0-or-later

/// Whom to sign in, where, and by what.
public struct XMPPAccount: Hashable, Sendable {
    /// The account; a resource asks the server for that one.
    public var jid: JID
    /// The password, as typed.
    public var password: String
    /// The server's name or number, in place of what DNS says; empty is DNS.
    public var host = ""
    /// The server's port, in place of the usual one; only with `host`.
    public var port: UInt16 = 0
    /// How the connection becomes a secret one.
    public var tls = TLSMode.automatic
    /// SHA-256 in hex of the one certificate that is trusted though it fails the check; empty is none.
    public var pinnedCertificate = ""
    /// Whose certificates are trusted.
    public var trust = TrustAnchors.system
    /// The weakest way to sign in that is accepted: the one that worked before.
    ///
    /// Nil is any.
    public var weakestMechanism: SASLMechanism?

    /// Creates an account.
    public init(jid: JID, password: String) {
        self.jid = jid
        self.password = password
    }
}
