// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The identity of this device at the server, with the token that may replace the password.
@MainActor
struct SignInDevice {
    /// A random UUID that this installation keeps for the account.
    let id: String
    /// The token; nil if tokens are not used.
    var tokens: SignInTokens?
    /// Whether the user is active.
    var isActive = true
}

/// The steps after TLS in one or two round trips: authentication, with a resumed or a new stream (XEP-0388).
///
/// Whatever the server does wrong, it is signed in to by RFC 6120 the next time.
@MainActor
struct ExtendedSignIn {
    let steps: SignIn
    let offer: SASL2Offer
    let features: StreamFeatures

    /// The greatest number of stanzas before the features.
    private static let maximumEarly = 100

    private var account: XMPPAccount { steps.account }
    private var stream: XMLStream { steps.stream }
    private var memory: SignInCache { steps.memory }
    private var tokens: SignInTokens? { steps.device.tokens }

    func run() async throws(XMPPError) -> SignInResult {
        let lessons = memory.lessons
        do throws(XMPPError) {
            let request = request
            let result: SignInResult
            if let (token, proof) = try await tokenAndProof() {
                send(request, with: token, proof)
                result = try await finish(request, with: token, proof)
            } else {
                result = try await signIn(request)
            }
            worked(offer, features, result)
            return result
        } catch {
            // What is wrong with a token is not wrong with the profile.
            if memory.lessons == lessons { memory.learn(fromExtended: error) }
            throw error
        }
    }

    /// Signs in with a token before the server's offer has arrived, which saves a round trip; returns nil without a token.
    func runAhead() async throws(XMPPError) -> SignInResult? {
        let request = request
        guard let (token, proof) = try await tokenAndProof() else { return nil }
        let lessons = memory.lessons
        do throws(XMPPError) {
            stream.start(limits: .beforeSignIn, from: account.jid.bare)
            send(request, with: token, proof)
            if request.binds, request.resumption == nil, let known = memory.known(at: stream.transport.host) {
                let hasCarbons = request.offers(Carbons.namespace)
                steps.opened(StreamOpening(stream, features: known.session, hasCarbons: hasCarbons))
            }
            let now = try await stream.features()
            let result = try await finish(request, with: token, proof)
            if let offer = now.extended { worked(offer, now, result) }
            return result
        } catch {
            // The offer may be another one now.
            if memory.lessons == lessons, memory.learn(fromAhead: error) { tokens?.keep(plan: nil) }
            throw error
        }
    }

    private func worked(_ offer: SASL2Offer, _ features: StreamFeatures, _ result: SignInResult) {
        let plan = SignInPlan(host: stream.transport.host, offer: offer, features: features)
        memory.extendedWorked(plan)
        if !result.isResumed {
            memory.worked(
                at: KnownServer(host: plan.host, offer: features, session: result.features))
        }
        tokens?.keep(plan: memory.plan(or: nil))
    }

    private var request: SASL2Request {
        var request = SASL2Request(offer: offer, deviceID: steps.device.id)
        // A resource that is bound takes the place of the stream.
        request.resumption = offer.resumes ? steps.wantedResumption?.management.resumption : nil
        request.binds =
            offer.bindFeatures != nil && account.jid.resource.isEmpty
            && (request.resumption != nil || steps.wantedResumption == nil)
        request.isActive = steps.device.isActive
        request.wanted = tokens == nil ? nil : tokenMechanism
        return request
    }

    private func signIn(_ request: SASL2Request) async throws(XMPPError) -> SignInResult {
        var exchange = SASLExchange(account: account, stream: stream, memory: memory)
        exchange.request = request
        let (mechanism, element) = try await exchange.run(features)
        return try await finish(request, element, mechanism, token: request.wanted)
    }

    // MARK: - Tokens

    /// The best mechanism for tokens; nil if there is none, or the server has refused its own tokens.
    private var tokenMechanism: TokenMechanism? {
        TokenMechanism.best(
            of: offer.tokenMechanisms.filter { name in
                !memory.refusedTokens.contains { $0.rawValue == name }
            }, bindings: features.bindings,
            available: memory.isBindingRefused ? [] : Set(stream.transport.bindings.keys),
            floor: memory.floor(of: account))
    }

    /// Returns the proof of a token; nil if it cannot be used on this connection.
    private func proof(of token: SignInToken) throws(XMPPError) -> TokenProof? {
        guard token.deviceID == steps.device.id,
            TokenMechanism.best(
                of: offer.tokenMechanisms.filter { $0 == token.mechanism.rawValue },
                bindings: features.bindings,
                available: Set(stream.transport.bindings.keys), floor: memory.floor(of: account)) != nil
        else { return nil }
        let data = token.mechanism.binding.flatMap { stream.transport.bindings[$0] } ?? []
        return try SASLExchange.sasl { () throws(SASLError) in
            try TokenProof(token.mechanism, name: account.jid.local, token: token.text, bindingData: data)
        }
    }

    /// Returns the token, if it can be used on this connection, and its proof.
    private func tokenAndProof() async throws(XMPPError) -> (SignInToken, TokenProof)? {
        guard let token = await tokens?.token(for: account), let proof = try proof(of: token) else {
            return nil
        }
        return (token, proof)
    }

    private func send(_ request: SASL2Request, with token: SignInToken, _ proof: TokenProof) {
        stream.send(
            request.element(
                mechanism: proof.mechanism.rawValue, initial: proof.message,
                tokenCount: tokens?.nextCount(of: token)))
    }

    private func finish(
        _ request: SASL2Request, with token: SignInToken, _ proof: TokenProof
    ) async throws(XMPPError) -> SignInResult {
        var exchange = SASLExchange(account: account, stream: stream, memory: memory)
        exchange.request = request
        let element: XMLElement
        do throws(XMPPError) {
            element = try await exchange.finish(proof)
        } catch {
            // Tokens expire, and are revoked: the password is tried, and only that can be wrong.
            if case .signIn(.refused(let condition, _)) = error, condition != "temporary-auth-failure" {
                memory.refuse(token.mechanism, isNew: tokens?.hasWorked == false)
                tokens?.forget(account.jid)
            }
            throw error
        }
        tokens?.hasWorked = true
        return try await finish(request, element, nil, token: token.mechanism)
    }

    // MARK: - The steps after authentication

    private func finish(
        _ request: SASL2Request, _ element: XMLElement, _ mechanism: SASLMechanism?, token: TokenMechanism?
    ) async throws(XMPPError) -> SignInResult {
        stream.limits = .session
        guard let success = SASL2Success(element), success.jid.bare == account.jid.bare else {
            if request.resumption != nil { steps.resumption?.isRefuted = true }
            throw stream.fail(.notXMPP(localized("a different account’s address")))
        }
        if let issued = success.token, let token {
            tokens?.keep(issued, for: token, deviceID: request.deviceID, of: account)
        }
        if let answer = success.resumed ?? success.notResumed { try handle(answer, request, success.jid) }
        if success.resumed != nil, let resumption = steps.resumption {
            return SignInResult(
                stream: stream, jid: resumption.jid, isResumed: true, features: resumption.features,
                mechanism: mechanism)
        }
        var later: [XMLStream.Item] = []
        let features = try await nextFeatures(&later)
        guard request.binds, let bound = success.bound else {
            // Without an address, the server may not send anything else yet.
            if later.isEmpty, success.bound == nil {
                let resumed = request.resumption == nil ? try await steps.resume(features, mechanism) : nil
                if let resumed { return resumed }
                return try await steps.bind(features, mechanism)
            }
            throw stream.fail(.notXMPP(localized("no resource binding")))
        }
        guard !success.jid.isBare else {
            throw stream.fail(.notXMPP(localized("a different account’s address")))
        }
        return SignInResult(
            stream: stream, jid: success.jid,
            management: bound.child("enabled", Namespace.management).map { StreamManagement(enabled: $0) },
            features: features, mechanism: mechanism, later: later,
            hasCarbons: request.offers(Carbons.namespace), isActive: !request.saysInactive)
    }

    private func handle(_ answer: XMLElement, _ request: SASL2Request, _ jid: JID) throws(XMPPError) {
        do throws(XMPPError) {
            guard request.resumption != nil, let resumption = steps.wantedResumption,
                answer.name == "failed" || jid.isBare || jid == resumption.jid
            else { throw stream.fail(.notXMPP(localized("invalid resumption"))) }
            try steps.handle(answer, resumption)
        } catch {
            steps.resumption?.isRefuted = true
            throw error
        }
    }

    /// Reads the features after authentication; Prosody may send waiting stanzas before them.
    private func nextFeatures(_ later: inout [XMLStream.Item]) async throws(XMPPError) -> StreamFeatures {
        while later.count < Self.maximumEarly {
            let item = try await stream.nextItem()
            if case .element(let element) = item, StreamFeatures.isNamed(element) {
                return StreamFeatures(element)
            }
            later.append(item)
        }
        throw stream.fail(.notXMPP(localized("no features")))
    }
}
