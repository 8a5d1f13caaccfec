// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

/// A sign-in that only shows whether it is possible: nothing is received, sent or kept.
@MainActor
public final class SignInTest {
    private let client: XMPPClient

    /// Returns a test of an account; nil if the details have no address.
    ///
    /// - Parameters:
    ///   - certificate: The SHA-256 fingerprint of a certificate to trust unverified; empty for none.
    ///   - method: The SASL name of the weakest permitted mechanism; empty for any.
    public convenience init?(
        _ details: AccountDetails, password: String, trusting certificate: String = "",
        atLeast method: String = "", clock: any Scheduler
    ) {
        guard let jid = JID(details.address) else { return nil }
        var account = XMPPAccount(jid: jid.bare, password: password)
        (account.host, account.port) = (details.host, details.port)
        account.tls = TLSMode(rawValue: details.security.rawValue) ?? .automatic
        account.pinnedCertificate = certificate
        account.weakestMechanism = SASLMechanism(rawValue: method)
        self.init(XMPPClient(account: account, clock: clock))
    }

    init(_ client: XMPPClient) { self.client = client }

    /// Signs in once and out again, and returns what is wrong, in sentences for the user; nil if nothing is.
    public func run() async -> String? {
        var waiting: CheckedContinuation<String?, Never>?
        client.onEvent = { event in
            guard case .state(let state) = event else { return }
            let problem: String?
            switch state {
            case .online: problem = nil
            case .waiting(let reason): problem = reason
            case .failed(let fault): problem = fault.text
            case .none, .disabled, .signedOut, .asking, .passwordWanted, .connecting: return
            }
            waiting?.resume(returning: problem)
            waiting = nil
        }
        let problem = await withCheckedContinuation {
            waiting = $0
            client.signIn()
        }
        client.signOut()
        return problem
    }

    /// Whether the stream is closed.
    public var isSettled: Bool { !client.isLeaving }

    /// Returns the canonical form of an address; nil if a text is none.
    public static func address(_ text: String) -> String? {
        guard let jid = JID(text), !jid.local.isEmpty, jid.isBare else { return nil }
        return jid.description
    }
}
