// SPDX-License-Identifier: GPL-3.0-or-later

/// The account’s address and server, as the user entered them.
public struct AccountDetails: Hashable, Sendable {
    /// The bare Jabber address; empty if there is no account.
    public var address: String
    /// The server’s host name or IP address, instead of the result of DNS; empty to use DNS.
    public var host: String
    /// The server’s port, if `host` is set; 0 for the default port.
    public var port: UInt16
    public var security: AccountSecurity

    public init(
        address: String = "", host: String = "", port: UInt16 = 0, security: AccountSecurity = .automatic
    ) {
        self.address = address
        self.host = host
        self.port = port
        self.security = security
    }

    public var isAccount: Bool { !address.isEmpty }

    /// Returns whether the details refer to the same server: trust in one server does not extend to another.
    func hasServer(of other: AccountDetails) -> Bool {
        address == other.address && host == other.host && port == other.port
    }
}

/// The ways in which a connection is encrypted, as in the setting; there is no unencrypted one.
public enum AccountSecurity: String, Hashable, Sendable, CaseIterable {
    /// As DNS specifies.
    case automatic
    /// STARTTLS (RFC 6120 section 5).
    case startTLS = "starttls"
    /// TLS from the first byte (XEP-0368).
    case direct
}

/// A server certificate that failed verification, for the user to check.
public struct CertificateReport: Hashable, Sendable {
    /// The reason why verification failed, in one or two sentences.
    public let reason: String
    /// SHA-256 in lower-case hex without separators, which is stored if the user trusts the certificate.
    public let fingerprint: String
    /// The subject; empty if the certificate has none.
    public let subject: String
    public let issuer: String
    /// The last day of validity, as `YYYY-MM-DD`; empty if the certificate does not state it.
    public let expiry: String

    public init(reason: String, fingerprint: String, subject: String, issuer: String, expiry: String) {
        self.reason = reason
        self.fingerprint = fingerprint
        self.subject = subject
        self.issuer = issuer
        self.expiry = expiry
    }
}

/// A sign-in that is only possible with a weaker mechanism than the account has used before, for the user to decide on.
public struct WeakerSignIn: Hashable, Sendable {
    /// The reason why the sign-in was stopped, in one or two sentences.
    public let reason: String
    /// The SASL name of the strongest mechanism that the server offers now.
    public let method: String
    /// Whether the mechanism sends the password itself to the server.
    public let tellsPassword: Bool

    public init(reason: String, method: String, tellsPassword: Bool) {
        self.reason = reason
        self.method = method
        self.tellsPassword = tellsPassword
    }
}

/// A problem with an account that the user must deal with.
public enum AccountProblem: Hashable, Sendable {
    case password(String)
    case certificate(CertificateReport)
    /// The server offers only weaker mechanisms than before; the password was not sent.
    case weakerSignIn(WeakerSignIn)
    case other(String)

    /// The description of the problem, in one or two sentences.
    public var text: String {
        switch self {
        case .password(let text), .other(let text): text
        case .certificate(let report): report.reason
        case .weakerSignIn(let offer): offer.reason
        }
    }
}
