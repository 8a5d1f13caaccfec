// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The steps from a connection to a full address: TLS, authentication, and a resumed or a new stream.
@MainActor
struct SignIn {
    let account: XMPPAccount
    let resource: String
    let stream: XMLStream
    let memory: SignInCache
    let device: SignInDevice
    let resumption: Resumption?
    /// Called when an address has been requested from a known server: what is sent from now on follows the request.
    let opened: @MainActor (StreamOpening) -> Void
    /// Called at once with the previous stream's stanzas that the server acknowledges, since later steps may fail.
    let acknowledged: @MainActor ([XMLElement]) -> Void

    func run(isDirectTLS: Bool) async throws(XMPPError) -> SignInResult {
        try await secure(isDirectTLS: isDirectTLS)
        let stored = device.tokens?.plan(for: account)
        if let plan = memory.plan(or: stored), plan.host == stream.transport.host, memory.usesExtended {
            let ahead = ExtendedSignIn(steps: self, offer: plan.offer, features: plan.features)
            if let result = try await ahead.runAhead() { return result }
        }
        if let known = memory.known(at: stream.transport.host), known.offer.extended == nil {
            return try await QuickSignIn(steps: self, known: known).run()
        }
        let features = try await stream.open(limits: .beforeSignIn, from: account.jid.bare)
        if let offer = features.extended, memory.usesExtended, !offer.mechanisms.isEmpty {
            return try await ExtendedSignIn(steps: self, offer: offer, features: features).run()
        }
        let (mechanism, _) = try await SASLExchange(account: account, stream: stream, memory: memory).run(
            features)
        let offer = try await stream.open(limits: .session, from: account.jid.bare)
        if let result = try await resume(offer, mechanism) { return result }
        let result = try await bind(offer, mechanism)
        memory.worked(at: KnownServer(host: stream.transport.host, offer: features, session: offer))
        return result
    }

    /// Starts TLS, and verifies that the server is the account’s.
    func secure(isDirectTLS: Bool) async throws(XMPPError) {
        if isDirectTLS {
            try await stream.startTLS(account: account, announces: true)
        } else {
            try await startTLS()
        }
    }

    /// The stream to resume; nil if there is none, or the server has violated the protocol over it.
    var wantedResumption: Resumption? { resumption.flatMap { $0.isRefuted ? nil : $0 } }

    /// Resumes the stream; returns nil if there is none, or the server no longer has it.
    func resume(
        _ offer: StreamFeatures, _ mechanism: SASLMechanism?
    ) async throws(XMPPError) -> SignInResult? {
        guard offer.hasManagement, let resumption = wantedResumption,
            let request = resumption.management.resumption
        else { return nil }
        stream.send(request)
        return try await resumed(resumption, offer, mechanism)
    }

    /// Reads the answer to a request to resume; returns nil if the server no longer has the stream.
    func resumed(
        _ resumption: Resumption, _ offer: StreamFeatures, _ mechanism: SASLMechanism?
    ) async throws(XMPPError) -> SignInResult? {
        let answer: XMLElement
        do throws(XMPPError) {
            answer = try await stream.next()
            guard answer.namespace == Namespace.management, ["resumed", "failed"].contains(answer.name) else {
                throw stream.fail(.notXMPP(localized("invalid resumption")))
            }
            try handle(answer, resumption)
        } catch {
            resumption.isRefuted = error.isViolation || error.isRefusal
            throw error
        }
        guard answer.name == "resumed" else { return nil }
        return SignInResult(
            stream: stream, jid: resumption.jid, isResumed: true, features: offer, mechanism: mechanism)
    }

    /// Handles the answer to a request to resume, and the count in it.
    func handle(_ answer: XMLElement, _ resumption: Resumption) throws(XMPPError) {
        let isRight = answer["previd"] == resumption.management.id && answer["h"] != nil
        guard answer.name == "failed" || isRight else {
            throw stream.fail(.notXMPP(localized("invalid resumption")))
        }
        guard let count = answer["h"] else { return }
        do throws(XMPPError) {
            acknowledged(try resumption.management.acknowledge(count))
        } catch {
            throw stream.fail(error)
        }
    }

    private func startTLS() async throws(XMPPError) {
        let host = stream.transport.host
        let isAhead = memory.startTLSHost == host
        // It is set again once the server has accepted this.
        memory.startTLSHost = ""
        stream.start(limits: .beforeSignIn, from: nil)
        if isAhead { requestTLS() }
        let features = try await stream.features()
        guard features.hasTLS else {
            throw stream.fail(.noSecrecy(host: host, reason: localized("it doesn’t offer TLS")))
        }
        if !isAhead { requestTLS() }
        guard try await stream.next().isNamed("proceed", Namespace.tls) else {
            throw stream.fail(.noSecrecy(host: host, reason: localized("it refused to start TLS")))
        }
        try await stream.startTLS(account: account, announces: false)
        memory.startTLSHost = host
    }

    private func requestTLS() { stream.send(XMLElement("starttls", Namespace.tls)) }

    func bind(
        _ offer: StreamFeatures, _ mechanism: SASLMechanism?
    ) async throws(XMPPError) -> SignInResult {
        guard offer.hasBind else { throw stream.fail(.notXMPP(localized("no resource binding"))) }
        let id = requestAddress(enabling: offer.hasManagement)
        return try await bound(id, offer, mechanism)
    }

    /// Requests an address and, if the server counts stanzas, that it begins with that; returns the id of the request.
    ///
    /// A server handles what it reads in order, so that neither waits for the other's answer.
    func requestAddress(enabling isCounted: Bool) -> String {
        let id = RandomText.make(16)
        let wanted = account.jid.resource.isEmpty ? resource : account.jid.resource
        let request = XMLElement(
            "bind", Namespace.bind, [:], [XMLElement("resource", Namespace.bind, text: wanted)])
        stream.send(IQ(.set, id: id, request).element)
        if isCounted { stream.send(XMLElement("enable", Namespace.management, ["resume": "true"])) }
        return id
    }

    /// Reads the answers to a request for an address, which also enables the counts if the server has them.
    func bound(
        _ id: String, _ offer: StreamFeatures, _ mechanism: SASLMechanism?
    ) async throws(XMPPError) -> SignInResult {
        var early: [XMLElement] = []
        let answer = try await self.answer(&early) { $0.isNamed("iq", Namespace.client) && $0["id"] == id }
        guard answer["type"] == "result" else {
            throw stream.fail(.noResource(PlainText.line(StanzaError(in: answer).condition)))
        }
        let text = answer.child("bind", Namespace.bind)?.child("jid")?.text
        guard let jid = text.flatMap({ JID($0) }), jid.bare == account.jid.bare, !jid.isBare else {
            throw stream.fail(.notXMPP(localized("a different account’s address")))
        }
        var management: StreamManagement?
        if offer.hasManagement {
            let answer = try await self.answer(&early) {
                $0.namespace == Namespace.management && $0.name != "r"
            }
            if answer.name == "enabled" { management = StreamManagement(enabled: answer) }
        }
        return SignInResult(
            stream: stream, jid: jid, management: management, features: offer, mechanism: mechanism,
            early: early)
    }

    /// Returns the first element that matches; a few others may arrive before it.
    private func answer(
        _ early: inout [XMLElement], _ isOne: (XMLElement) -> Bool
    ) async throws(XMPPError) -> XMLElement {
        while early.count < 100 {
            let element = try await stream.next()
            if isOne(element) { return element }
            early.append(element)
        }
        throw stream.fail(.notXMPP(localized("no reply within 100 stanzas")))
    }
}
