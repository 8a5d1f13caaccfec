// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

struct SignInResult {
    let stream: XMLStream
    /// The full address of this device.
    let jid: JID
    /// The new stanza counts; nil if the server has no stream management, or if the stream was resumed.
    let management: StreamManagement?
    let isResumed: Bool
    /// The features that the server offers after authentication.
    let features: StreamFeatures
    let mechanism: SASLMechanism
    let early: [XMLElement]
}

/// A stream to resume; stanzas sent in the meantime are added to the unacknowledged ones.
@MainActor
final class Resumption {
    var management: StreamManagement
    let jid: JID
    /// Whether the server violated the protocol or ended the stream over the request: it is not repeated.
    var isRefuted = false

    init(management: StreamManagement, jid: JID) {
        self.management = management
        self.jid = jid
    }
}

/// The steps from a connection to a full address: TLS, authentication, and a resumed or a new stream.
@MainActor
struct SignIn {
    let account: XMPPAccount
    let resource: String
    let stream: XMLStream
    let memory: SignInCache
    let resumption: Resumption?
    /// Called at once with the previous stream's stanzas that the server acknowledges, since later steps may fail.
    let acknowledged: @MainActor ([XMLElement]) -> Void

    func run(isDirectTLS: Bool) async throws(XMPPError) -> SignInResult {
        if isDirectTLS {
            try await stream.startTLS(account: account, announces: true)
        } else {
            try await startTLS()
        }
        let features = try await stream.open(limits: .beforeSignIn)
        let mechanism = try await SASLExchange(account: account, stream: stream, memory: memory).run(features)
        let offer = try await stream.open(limits: .session)
        if offer.hasManagement, let resumption, let request = resumption.management.resumption {
            let answer: XMLElement
            do throws(XMPPError) {
                answer = try await ask(request)
                if let count = answer["h"] { try acknowledge(count, resumption) }
            } catch {
                resumption.isRefuted = error.isViolation || error.isRefusal
                throw error
            }
            if answer.name == "resumed" {
                return SignInResult(
                    stream: stream, jid: resumption.jid, management: nil, isResumed: true,
                    features: offer, mechanism: mechanism, early: [])
            }
        }
        return try await bind(offer, mechanism)
    }

    private func startTLS() async throws(XMPPError) {
        let features = try await stream.open(limits: .beforeSignIn)
        let host = stream.transport.host
        guard features.hasTLS else {
            throw stream.fail(.noSecrecy(host: host, reason: localized("it doesn’t offer TLS")))
        }
        stream.send(XMLElement("starttls", Namespace.tls))
        guard try await stream.next().isNamed("proceed", Namespace.tls) else {
            throw stream.fail(.noSecrecy(host: host, reason: localized("it refused to start TLS")))
        }
        try await stream.startTLS(account: account, announces: false)
    }

    private func bind(
        _ offer: StreamFeatures, _ mechanism: SASLMechanism
    ) async throws(XMPPError) -> SignInResult {
        guard offer.hasBind else { throw stream.fail(.notXMPP(localized("no resource binding"))) }
        let id = RandomText.make(16)
        let wanted = account.jid.resource.isEmpty ? resource : account.jid.resource
        let request = XMLElement(
            "bind", Namespace.bind, [:], [XMLElement("resource", Namespace.bind, text: wanted)])
        stream.send(IQ(.set, id: id, request).element)
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
            stream.send(XMLElement("enable", Namespace.management, ["resume": "true"]))
            let answer = try await self.answer(&early) {
                $0.namespace == Namespace.management && $0.name != "r"
            }
            if answer.name == "enabled" { management = StreamManagement(enabled: answer) }
        }
        return SignInResult(
            stream: stream, jid: jid, management: management, isResumed: false,
            features: offer, mechanism: mechanism, early: early)
    }

    private func ask(_ request: XMLElement) async throws(XMPPError) -> XMLElement {
        stream.send(request)
        let answer = try await stream.next()
        guard answer.namespace == Namespace.management, ["resumed", "failed"].contains(answer.name),
            answer.name == "failed" || answer["previd"] == request["previd"] && answer["h"] != nil
        else { throw stream.fail(.notXMPP(localized("invalid resumption"))) }
        return answer
    }

    private func acknowledge(_ count: String, _ resumption: Resumption) throws(XMPPError) {
        do throws(XMPPError) {
            acknowledged(try resumption.management.acknowledge(count))
        } catch {
            throw stream.fail(error)
        }
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
