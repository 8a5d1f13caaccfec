// SPDX-License-Identifier: GPL-3.0-or-later

/// The reason why there is no connection to the account's server.
enum XMPPError: Error, Hashable, Sendable {
    /// The domain's DNS records declare that it has no XMPP server.
    case noService(domain: String)
    /// The server cannot be reached; the reason in the system's language.
    case unreachable(host: String, reason: String)
    /// The server did not respond in time, at this step.
    case silent(Step)
    /// The server has no TLS, or the handshake failed; the reason from the TLS library.
    case noSecrecy(host: String, reason: String)
    case certificate(CertificateProblem)
    /// The server violates XMPP, or is no XMPP server; the violation.
    case notXMPP(String)
    /// The server exceeded a limit; the limit.
    case tooLarge(String)
    case signIn(SASLError)
    /// The server did not bind a resource; the stanza error's condition.
    case noResource(String)
    /// The server ended the stream: a condition of RFC 6120 section 4.9.3, and the server's text if it sent one.
    case ended(condition: String, text: String)
    /// The server, or something on the network path, ended the stream before it was encrypted.
    case interrupted
    /// Another device signed in with this device's resource.
    case replaced
    /// The connection was lost; the reason in the system's language.
    case lost(String)

    enum Step: String, Sendable {
        case connecting
        /// TLS, authentication and resource binding.
        case signingIn
        case online
    }

    /// Whether trying again is useless until the user acts.
    var needsUser: Bool {
        switch self {
        case .certificate, .replaced: true
        case .signIn(.refused(let condition, _)): condition != "temporary-auth-failure"
        case .signIn(.unavailable): false
        case .signIn: true
        case .noService, .unreachable, .silent, .noSecrecy, .notXMPP, .tooLarge, .noResource, .interrupted,
            .lost:
            false
        case .ended(let condition, _):
            ["host-gone", "host-unknown", "not-authorized", "unsupported-version"].contains(condition)
        }
    }

    /// Whether the server refused the name and password, so that trying the same again is useless.
    var isOfPassword: Bool {
        switch self {
        case .signIn(.refused(let condition, _)): needsUser && condition != "account-disabled"
        case .signIn(.unusablePassword): true
        default: false
        }
    }

    /// Whether the server violates the protocol: the stream cannot be resumed, and reconnecting at once is useless.
    var isViolation: Bool {
        switch self {
        case .notXMPP, .tooLarge: true
        default: false
        }
    }

    /// Whether the connection broke, or its other end vanished, without a reason from the server.
    var isCut: Bool {
        switch self {
        case .lost, .silent: true
        default: false
        }
    }

    /// Whether the server ended the stream because of something that we sent, not because of its own state.
    var isRefusal: Bool {
        guard case .ended(let condition, _) = self else { return false }
        return !["connection-timeout", "reset", "resource-constraint", "see-other-host", "system-shutdown"]
            .contains(condition)
    }

    /// Whether a different server of the domain may succeed.
    var isOfThisServer: Bool {
        switch self {
        case .unreachable, .silent, .noSecrecy, .notXMPP, .tooLarge, .interrupted, .lost: true
        case .ended: !needsUser
        default: false
        }
    }
}
