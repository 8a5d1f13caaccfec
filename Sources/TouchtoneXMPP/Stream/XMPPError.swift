// SPDX-License-Identifier: GPL-3.0-or-later

/// Why there is no connection to the account's server.
public enum XMPPError: Error, Hashable, Sendable {
    /// The domain says that it has no such server.
    case noService(domain: String)
    /// Nothing answers there; the reason in the system's words.
    case unreachable(host: String, reason: String)
    /// The server did not answer in time: at which step.
    case silent(Step)
    /// The server has no TLS, or it failed; the reason in the library's words.
    case noSecrecy(host: String, reason: String)
    /// The server's certificate cannot be trusted.
    case certificate(CertificateProblem)
    /// What answers is no server of messages, or a broken one: what is wrong.
    case notXMPP(String)
    /// The server sends more than any honest one: of what.
    case tooLarge(String)
    /// The password, or the server's knowledge of it, was not proven.
    case signIn(SASLError)
    /// The server has no room for this device; the condition in its words.
    case noResource(String)
    /// The server ended the stream: a condition of RFC 6120 section 4.9.3, and its own words if it gave any.
    case ended(condition: String, text: String)
    /// Something on the way, or the server, ended the stream before it was secure.
    case interrupted
    /// Another device signed in by this one's name.
    case replaced
    /// The connection broke; the reason in the system's words.
    case lost(String)

    /// The steps that are waited for.
    public enum Step: String, Sendable {
        /// The connection of TCP.
        case connecting
        /// The secret connection, the password, the address.
        case signingIn
        /// A sign of life.
        case online
    }

    /// Whether trying again is of no use before the user has done something.
    public var needsUser: Bool {
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

    /// Whether the server refused the name and the password, so that the same again is of no use.
    var isOfPassword: Bool {
        switch self {
        case .signIn(.refused(let condition, _)): needsUser && condition != "account-disabled"
        case .signIn(.unusablePassword): true
        default: false
        }
    }

    /// Whether the server breaks the rules of streams: it can't be gone on with, and to come back at once helps nobody.
    var isViolation: Bool {
        switch self {
        case .notXMPP, .tooLarge: true
        default: false
        }
    }

    /// Whether the server ended the stream over something that we sent, and not over its own state.
    var isRefusal: Bool {
        guard case .ended(let condition, _) = self else { return false }
        return !["connection-timeout", "reset", "resource-constraint", "see-other-host", "system-shutdown"]
            .contains(condition)
    }

    /// Whether another server of the same domain may do better.
    var isOfThisServer: Bool {
        switch self {
        case .unreachable, .silent, .noSecrecy, .notXMPP, .tooLarge, .interrupted, .lost: true
        case .ended: !needsUser
        default: false
        }
    }
}
