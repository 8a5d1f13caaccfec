// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The sessions of an account with other devices (XEP-0166), which are found by the device and the identifier.
///
/// A new session belongs to the kind of its first content, such as files. The other module that has registered the kind
/// decides whether there is a session.
@MainActor
final class JingleSessions: StreamModule {
    nonisolated static let features = [Jingle.namespace]

    struct Offer {
        let request: Jingle
        let peer: JID
        let iq: IQ
        /// The first content, with its name and the description of what it is.
        let content: XMLElement
        let name: String
        let description: XMLElement
    }

    private struct Key: Hashable {
        let peer: JID
        let sid: String
    }

    let client: XMPPClient
    private let refuses: @MainActor (IQ) -> Bool
    private var sessions: [Key: any JingleSession] = [:]
    /// The receivers of offers, by the namespaces of their descriptions.
    private var kinds: [String: @MainActor (Offer) -> Void] = [:]

    /// - Parameter refuses: A closure that returns whether it has refused a request, for want of permission.
    init(_ client: XMPPClient, refuses: @escaping @MainActor (IQ) -> Bool) {
        (self.client, self.refuses) = (client, refuses)
    }

    /// Registers the receiver of offers of a kind, which answers each.
    func register(_ namespace: String, _ receive: @escaping @MainActor (Offer) -> Void) {
        kinds[namespace] = receive
    }

    func add(_ session: any JingleSession) { sessions[key(session)] = session }

    func remove(_ session: any JingleSession) { sessions[key(session)] = nil }

    private func key(_ session: any JingleSession) -> Key { Key(peer: session.peer, sid: session.sid) }

    func handle(_ stanza: InboundStanza) -> Bool {
        guard case .request(let iq) = stanza, iq.payload?.namespace == Jingle.namespace else { return false }
        // A session of a stranger’s exists if the user has agreed to it.
        if isOfSession(iq) || !refuses(iq) { handle(iq) }
        return true
    }

    private func isOfSession(_ iq: IQ) -> Bool {
        guard let peer = iq.from, let sid = iq.payload?["sid"] else { return false }
        return sessions[Key(peer: peer, sid: sid)] != nil
    }

    func handle(_ iq: IQ) {
        guard let peer = iq.from, let request = iq.payload.flatMap({ Jingle($0) }) else {
            return client.refuse(iq, .modify, "bad-request")
        }
        guard let session = sessions[Key(peer: peer, sid: request.sid)] else {
            guard request.action == .initiate else {
                return client.refuse(iq, .cancel, "item-not-found", .unknownSession)
            }
            return offered(request, by: peer, in: iq)
        }
        switch request.action {
        case .initiate where session.awaitsOffer: offered(request, by: peer, in: iq)
        case .initiate: client.refuse(iq, .wait, "unexpected-request", .outOfOrder)
        case .accept: session.accept(request, in: iq)
        case .info:
            // Without a message, the other device asks whether the session still exists.
            guard let message = request.messages.first else { return client.acknowledge(iq) }
            if !session.handle(message, in: iq) {
                client.refuse(iq, .cancel, "feature-not-implemented", .unsupportedInfo)
            }
        case .transportInfo:
            if !session.handle(request, as: .transportInfo, in: iq) { client.acknowledge(iq) }
        case .terminate:
            client.acknowledge(iq)
            session.terminate(for: request.reason)
        case .contentAdd, .contentModify, .contentReject, .descriptionInfo:
            if let action = request.action, session.handle(request, as: action, in: iq) { return }
            client.refuse(iq, .cancel, "feature-not-implemented")
        case nil: client.refuse(iq, .cancel, "feature-not-implemented")
        }
    }

    private func offered(_ request: Jingle, by peer: JID, in iq: IQ) {
        guard let content = request.contents.first, let name = content["name"].flatMap(Jingle.bounded) else {
            return client.refuse(iq, .modify, "bad-request")
        }
        guard let description = content.children.first(where: { $0.name == "description" }),
            let receive = kinds[description.namespace]
        else { return reject(request, in: iq, .unsupportedApplications) }
        receive(
            Offer(
                request: request, peer: peer, iq: iq, content: content, name: name, description: description))
    }

    /// Acknowledges an offer, and ends its session.
    func reject(_ offer: Offer, _ reason: Jingle.Reason) { reject(offer.request, in: offer.iq, reason) }

    private func reject(_ request: Jingle, in iq: IQ, _ reason: Jingle.Reason) {
        client.acknowledge(iq)
        if let peer = iq.from { client.terminate(request.sid, with: peer, reason) }
    }
}

extension XMPPClient {
    func acknowledge(_ iq: IQ) { send(iq.result().element) }

    func refuse(_ iq: IQ, _ kind: StanzaError.Kind, _ condition: String, _ problem: Jingle.Problem? = nil) {
        send(iq.refusal(StanzaError(kind, condition, detail: problem?.element)).element)
    }

    /// Ends a session, without waiting for the answer.
    func terminate(_ sid: String, with peer: JID, _ reason: Jingle.Reason) {
        requestWithoutWaiting(Jingle.terminate(reason, sid: sid), to: peer)
    }
}
