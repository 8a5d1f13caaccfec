// SPDX-License-Identifier: GPL-3.0-or-later

/// The account to sign in, with its server and credentials.
struct XMPPAccount: Hashable, Sendable {
    static let none = XMPPAccount(jid: .none, password: "")

    /// The account's address; a resource, if any, is requested from the server.
    var jid: JID
    /// The password, as typed.
    var password: String
    /// The server's host name or IP address, instead of the result of DNS; empty to use DNS.
    var host = ""
    /// The server's port, used only with `host`; 0 is the default port.
    var port: UInt16 = 0
    var tls = TLSMode.automatic
    /// The SHA-256 in hex of the one certificate that is trusted although it fails verification, or empty.
    var pinnedCertificate = ""
    var trust = TrustAnchors.system
    /// The weakest mechanism that is accepted: the one of the last sign-in; nil for any.
    var weakestMechanism: SASLMechanism?
}
