// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The steps after TLS by RFC 6120 at a known server, which is expected to offer what it offered last.
///
/// Each request goes with the start of its stream, and does not wait for the offer: three round trips instead of six. What was
/// sent counts only if the offer that comes leads to the same choice. Otherwise, the sign-in is repeated at once without this.
@MainActor
struct QuickSignIn {
    let steps: SignIn
    let known: KnownServer

    private var account: XMPPAccount { steps.account }
    private var stream: XMLStream { steps.stream }
    private var memory: SignInCache { steps.memory }

    func run() async throws(XMPPError) -> SignInResult {
        let lessons = memory.lessons
        do throws(XMPPError) {
            return try await signIn()
        } catch {
            // What is wrong with the earlier stream is not wrong with the order: the stream is not asked for again.
            if memory.lessons == lessons, steps.resumption?.isRefuted != true {
                memory.learn(fromAhead: error)
            }
            throw error
        }
    }

    private func signIn() async throws(XMPPError) -> SignInResult {
        stream.start(limits: .beforeSignIn, from: account.jid.bare)
        let exchange = SASLExchange(account: account, stream: stream, memory: memory)
        let begun = exchange.begin(known.offer)
        let offer = try await stream.features()
        let (mechanism, _) = try await exchange.run(offer, after: begun)

        stream.start(limits: .session, from: account.jid.bare)
        if let resumption = steps.wantedResumption, let request = resumption.management.resumption {
            stream.send(request)
            let session = try await expected()
            if let result = try await steps.resumed(resumption, session, mechanism) { return result }
            return try await steps.bind(session, mechanism)
        }
        let id = steps.requestAddress(enabling: known.session.hasManagement)
        steps.opened(StreamOpening(stream, features: known.session))
        let session = try await expected()
        let result = try await steps.bound(id, session, mechanism)
        memory.worked(at: KnownServer(host: stream.transport.host, offer: offer, session: session))
        return result
    }

    /// Reads what the server offers after authentication, for which the request was made.
    private func expected() async throws(XMPPError) -> StreamFeatures {
        let features = try await stream.features()
        guard features.hasBind, features.hasManagement == known.session.hasManagement else {
            throw stream.fail(.notXMPP(localized("no resource binding")))
        }
        return features
    }
}
