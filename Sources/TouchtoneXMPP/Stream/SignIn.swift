// SPDX-License-Identifier: GPL-3.0-or-later

/// What a sign-in led to.
struct SignInResult {
    let stream: XMLStream
    /// The address of this device.
    let jid: JID
    /// The new counts of stanzas; nil if the server keeps none, or the old ones go on.
    let management: StreamManagement?
    /// Whether the stream before goes on, with nothing lost.
    let isResumed: Bool
    /// What the server offers besides.
    let features: StreamFeatures
    /// How the password was proven.
    let mechanism: SASLMechanism
    /// Stanzas that came before their time.
    let early: [XMLElement]
}

/// A stream that is to be gone on with; what is sent meanwhile joins what waits.
@MainActor
final class Resumption {
    var management: StreamManagement
    let jid: JID
    /// Whether the server answered the request to go on with what breaks the rules: it is not asked again.
    var isRefuted = false

    init(management: StreamManagement, jid: JID) {
        self.management = management
        self.jid = jid
    }
}

/// From a connection to an address of one's own: TLS, password, resumption or binding, counting.
@MainActor
struct SignIn {
    let account: XMPPAccount
    let resource: String
    let stream: XMLStream
    let memory: SignInCache
    let resumption: Resumption?
    /// Told at once of the stanzas of the stream before that the server turns out to have: what follows may still fail.
    let acknowledged: @MainActor ([XMLElement]) -> Void

    /// Signs in.
    func run(isDirectTLS: Bool) async throws(XMPPError) -> SignInResult {
        if isDirectTLS {
            try await stream.transport.startTLS(
                domain: account.jid.domain, trust: account.trust, pin: account.pinnedCertificate,
                announces: true)
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
        guard features.hasTLS else { throw stream.fail(.noSecrecy(host: host, reason: "it offers none")) }
        stream.send(XMLElement("starttls", Namespace.tls))
        guard try await stream.next().isNamed("proceed", Namespace.tls) else {
            throw stream.fail(.noSecrecy(host: host, reason: "it refuses"))
        }
        try await stream.startTLS(account: account)
    }

    private func bind(
        _ offer: StreamFeatures, _ mechanism: SASLMechanism
    ) async throws(XMPPError) -> SignInResult {
        guard offer.hasBind else { throw stream.fail(.notXMPP("no binding")) }
        let id = RandomText.make(16)
        let wanted = account.jid.resource.isEmpty ? resource : account.jid.resource
        let request = XMLElement(
            "bind", Namespace.bind, [:], [XMLElement("resource", Namespace.bind, text: wanted)])
        stream.send(IQ(.set, id: id, request).element)
        var early: [XMLElement] = []
        let answer = try await self.answer(&early) { $0.isNamed("iq", Namespace.client) && $0["id"] == id }
        guard answer["type"] == "result" else {
            throw stream.fail(.noResource(ServerText.shortened(StanzaError(in: answer).condition)))
        }
        let text = answer.child("bind", Namespace.bind)?.child("jid")?.text
        guard let jid = text.flatMap({ JID($0) }), jid.bare == account.jid.bare, !jid.isBare else {
            throw stream.fail(.notXMPP("another account's address"))
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

    /// The answer to a question of stream management.
    private func ask(_ request: XMLElement) async throws(XMPPError) -> XMLElement {
        stream.send(request)
        let answer = try await stream.next()
        guard answer.namespace == Namespace.management, ["resumed", "failed"].contains(answer.name),
            answer.name == "failed" || answer["previd"] == request["previd"] && answer["h"] != nil
        else { throw stream.fail(.notXMPP("a resumption of nothing")) }
        return answer
    }

    private func acknowledge(_ count: String, _ resumption: Resumption) throws(XMPPError) {
        do throws(XMPPError) {
            acknowledged(try resumption.management.acknowledge(count))
        } catch {
            throw stream.fail(error)
        }
    }

    /// The first element that is one, among a few that may come before it.
    private func answer(
        _ early: inout [XMLElement], _ isOne: (XMLElement) -> Bool
    ) async throws(XMPPError) -> XMLElement {
        while early.count < 100 {
            let element = try await stream.next()
            if isOne(element) { return element }
            early.append(element)
        }
        throw stream.fail(.notXMPP("no answer among a hundred stanzas"))
    }
}
