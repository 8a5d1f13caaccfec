// SPDX-License-Identifier: GPL-3.0-or-later

/// Whom to sign in, and where, as the user has it.
public struct AccountDetails: Hashable, Sendable {
    /// The bare Jabber address; empty is no account.
    public var address: String
    /// The server's name or number in place of what DNS says; empty is DNS.
    public var host: String
    /// The server's port in place of the usual one; 0 is the usual one.
    public var port: UInt16
    /// How the connection becomes a secret one.
    public var security: AccountSecurity

    /// Creates them.
    public init(
        address: String = "", host: String = "", port: UInt16 = 0, security: AccountSecurity = .automatic
    ) {
        self.address = address
        self.host = host
        self.port = port
        self.security = security
    }

    /// Whether there is an account.
    public var isAccount: Bool { !address.isEmpty }

    /// Whether the same server is meant: what is trusted of one is not trusted of another.
    func hasServer(of other: AccountDetails) -> Bool {
        address == other.address && host == other.host && port == other.port
    }
}

/// How a connection becomes a secret one; there is none that stays open.
///
/// The raw value is the setting's.
public enum AccountSecurity: String, Hashable, Sendable, CaseIterable {
    /// As DNS says.
    case automatic
    /// By STARTTLS (RFC 6120 section 5).
    case startTLS = "starttls"
    /// From the first byte (XEP-0368).
    case direct
}

/// A server's certificate that cannot be trusted, for the user to judge.
public struct CertificateReport: Hashable, Sendable {
    /// What is wrong with it, in a sentence or two.
    public let reason: String
    /// SHA-256 of it, in lower-case hex without separators: what is trusted, where the user wants that.
    public let fingerprint: String
    /// Whom it names; empty if it does not say.
    public let subject: String
    /// Who signed it; empty if it does not say.
    public let issuer: String
    /// The last day of its time, `YYYY-MM-DD`; empty if it does not say.
    public let expiry: String

    /// Creates it.
    public init(reason: String, fingerprint: String, subject: String, issuer: String, expiry: String) {
        self.reason = reason
        self.fingerprint = fingerprint
        self.subject = subject
        self.issuer = issuer
        self.expiry = expiry
    }
}

/// A server's offer of only weaker ways to sign in than the account was signed in by before, for the user to judge.
public struct WeakerSignIn: Hashable, Sendable {
    /// The reason why the sign-in was stopped, in a sentence or two.
    public let reason: String
    /// The SASL name of the strongest mechanism that the server offers now.
    public let method: String
    /// Whether it gives the server the password itself.
    public let tellsPassword: Bool

    /// Creates it.
    public init(reason: String, method: String, tellsPassword: Bool) {
        self.reason = reason
        self.method = method
        self.tellsPassword = tellsPassword
    }
}

/// What is wrong with an account, until the user has done something about it.
public enum AccountProblem: Hashable, Sendable {
    /// The server does not take the password: its reason, in a sentence or two.
    case password(String)
    /// The server's certificate cannot be trusted.
    case certificate(CertificateReport)
    /// The server offers only weaker ways to sign in than before; the password was not sent.
    case weakerSignIn(WeakerSignIn)
    /// Anything else, in a sentence or two.
    case other(String)

    /// What is wrong, in a sentence or two.
    public var text: String {
        switch self {
        case .password(let text), .other(let text): text
        case .certificate(let report): report.reason
        case .weakerSignIn(let offer): offer.reason
        }
    }
}
