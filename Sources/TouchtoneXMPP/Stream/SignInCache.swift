// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The state that an account's sign-ins share.
@MainActor
final class SignInCache {
    /// The password after PBKDF2, which is slow.
    var password: SaltedPassword?
    /// The mechanism of the last successful sign-in: weaker ones are no longer accepted.
    var mechanism: SASLMechanism?
    /// Whether the server has refused to bind a sign-in to its channel.
    private(set) var isBindingRefused = false
    /// Whether the server's offer of XEP-0388 is used: not after it has failed.
    private(set) var usesExtended = true
    /// The server's last offer, to which a token is sent before it arrives again; nil if there is none.
    private var plan: SignInPlan?
    /// The server of the last sign-in; nil if there is none, or it has refused what was sent before its offer.
    private(set) var known: KnownServer?
    /// The host that has offered STARTTLS, which is requested there before it is offered again; empty for none.
    var startTLSHost = ""
    /// The mechanisms for tokens that the server has refused right after it had issued one.
    private(set) var refusedTokens: Set<TokenMechanism> = []
    /// The number of things learned from failures, each of which is a reason to try again at once; there are few.
    private(set) var lessons = 0

    func floor(of account: XMPPAccount) -> SASLMechanism? {
        [account.weakestMechanism, mechanism].compactMap { $0 }.max()
    }

    /// Learns that the server refuses bindings; it is tried without, unless the account has used one before.
    ///
    /// Only the first sign-in can therefore be intercepted by someone who has a certificate for the server's name, as at
    /// a server without bindings.
    func refuseBinding(of account: XMPPAccount) {
        guard !isBindingRefused else { return }
        isBindingRefused = true
        if floor(of: account)?.isBound != true { lessons += 1 }
    }

    /// Takes the server that an earlier run of the program has kept.
    func recall(_ server: KnownServer?) {
        guard let server, known == nil, mayBeAhead else { return }
        (known, startTLSHost) = (server, server.host)
    }

    /// Returns what the server at a host offered last; nil if its offers have to be awaited.
    func known(at host: String) -> KnownServer? { known?.host == host ? known : nil }

    /// Learns what the server offers in a sign-in that worked.
    func worked(at server: KnownServer) {
        losses = 0
        if mayBeAhead { known = server }
    }

    /// Learns that the server keeps what it offered.
    func extendedWorked(_ plan: SignInPlan) {
        losses = 0
        if mayBeAhead { self.plan = plan }
    }

    /// Learns from a failure whether the server does not understand a request before its offer.
    ///
    /// - Returns: True if its offer is not to be kept.
    @discardableResult
    func learn(fromAhead error: XMPPError) -> Bool {
        if error.isCut { losses += 1 }
        guard Self.isFault(error) || losses > 1 else { return false }
        (plan, known, mayBeAhead, losses) = (nil, nil, false, 0)
        lessons += 1
        return true
    }

    /// Returns the offer to which a token is sent before it arrives again; nil if that has failed.
    ///
    /// - Parameter stored: The offer that an earlier run of the program has kept.
    func plan(or stored: SignInPlan?) -> SignInPlan? { mayBeAhead ? plan ?? stored : nil }

    private var mayBeAhead = true

    /// Learns from the failure of a sign-in by XEP-0388 whether the server does not really support it.
    func learn(fromExtended error: XMPPError) {
        guard usesExtended else { return }
        if error.isCut { losses += 1 }
        guard Self.isFault(error) || losses > 2 else { return }
        usesExtended = false
        lessons += 1
    }

    /// Returns whether the server did not understand, or did something else than what it is to do.
    static func isFault(_ error: XMPPError) -> Bool {
        switch error {
        case .signIn(.implausible), .notXMPP, .tooLarge: true
        case .signIn(.refused(let condition, _)): faults.contains(condition)
        case .ended: error.isRefusal
        default: false
        }
    }

    /// The conditions that concern the form of a request, not the password (RFC 6120 section 6.5).
    private static let faults = [
        "aborted", "incorrect-encoding", "invalid-authzid", "invalid-mechanism", "malformed-request",
    ]
    /// The number of connections in a row that were lost during such a sign-in.
    private var losses = 0

    /// Learns that the server does not accept a token, which is no longer used.
    func refuse(_ mechanism: TokenMechanism, isNew: Bool) {
        if isNew { refusedTokens.insert(mechanism) }
        lessons += 1
    }
}
