// SPDX-License-Identifier: GPL-3.0-or-later

import SIPMessages
import TouchtoneCore

/// The words of the other device about its sound, before and after the answer.
struct CallSession {
    static let infoNamespace = "urn:xmpp:jingle:apps:rtp:info:1"

    /// The name of the content, which the initiator has chosen.
    var content = "0"
    /// The first certificate that the other device has told, before its answer.
    private(set) var certificate: (fingerprint: MediaDescription.Fingerprint, role: MediaDescription.Role)?
    /// The addresses that came before the description.
    private var early: [MediaDescription.Candidate] = []
    private var count = 0
    /// The name of the description's checks; nil before the engine has it.
    private var user: String?

    /// Returns a description with the addresses that came before it, for the engine.
    mutating func take(_ media: MediaDescription) -> MediaDescription {
        var media = media
        media.add(early)
        (early, user, count) = ([], media.user, media.candidates.count)
        return media
    }

    /// Returns those of later addresses that the engine is to get.
    mutating func add(_ candidates: [MediaDescription.Candidate]) -> [MediaDescription.Candidate] {
        let new = Array(candidates.prefix(MediaDescription.maximumCandidates - count))
        count += new.count
        guard user != nil else {
            early += new
            return []
        }
        return new
    }

    /// Whether addresses belong to the description: the checks of a later one have another name.
    func isCurrent(_ transport: XMLElement) -> Bool {
        guard let user, let other = transport["ufrag"] else { return true }
        return user == other
    }

    /// Notes a certificate that comes before the answer; the first one counts.
    mutating func note(_ told: (MediaDescription.Fingerprint, MediaDescription.Role)) {
        guard certificate == nil, user == nil else { return }
        // A gateway says of its answer what only an offer may say (RFC 8842).
        certificate = (told.0, told.1 == .either ? .client : told.1)
    }
}

// MARK: - Requests of the other device

extension JabberCall: JingleSession {
    /// The device, once there is one.
    var peer: JID { device ?? party }

    var awaitsOffer: Bool { if case .awaited = course?.state { true } else { false } }

    /// Takes the offer of a call that the user has answered.
    func take(_ offer: JingleSessions.Offer) {
        calls.client.acknowledge(offer.iq)
        guard offer.request.contents.count == 1 else { return refuse(.unsupportedApplications) }
        do throws(AudioContent.Fault) {
            let media = try AudioContent.read(offer.content, roles: [.either])
            session.content = offer.name
            apply(.offer(media, from: offer.peer))
        } catch {
            refuse(error.reason)
        }
    }

    /// Ends a call of whose offer nothing can be made.
    private func refuse(_ told: Jingle.Reason) {
        if let device { calls.client.terminate(sid, with: device, told) }
        end(telling: told)
    }

    private func end(telling told: Jingle.Reason) {
        fail(told.failure, told.failure == .engine ? .noCommonFormat : nil)
    }

    func accept(_ request: Jingle, in iq: IQ) {
        guard case .offered(let device) = course?.state, device == iq.from else {
            return calls.client.refuse(iq, .wait, "unexpected-request", .outOfOrder)
        }
        calls.client.acknowledge(iq)
        guard request.contents.count == 1, let content = request.contents.first,
            content["name"] == session.content
        else { return end(telling: .incompatibleParameters) }
        do throws(AudioContent.Fault) {
            let media = try AudioContent.read(
                content, roles: [.client, .server], known: session.certificate)
            apply(.answer(media, from: device))
        } catch {
            end(telling: error.reason)
        }
    }

    func handle(_ message: XMLElement, in iq: IQ) -> Bool {
        guard message.namespace == CallSession.infoNamespace, let device = iq.from else { return false }
        switch message.name {
        case "ringing": apply(.rings(device))
        case "hold", "unhold":
            guard case .connected = course?.state else { break }
            setHeldByFarEnd(message.name == "hold")
            apply(.held(message.name == "hold", by: device))
        case "active", "mute", "unmute": break
        default: return false
        }
        calls.client.acknowledge(iq)
        return true
    }

    func handle(_ request: Jingle, as action: Jingle.Action, in iq: IQ) -> Bool {
        switch action {
        case .transportInfo:
            calls.client.acknowledge(iq)
            takeTransport(of: request)
        case .contentAdd:
            calls.client.acknowledge(iq)
            refuseContents(of: request)
        // The sound goes on in both directions.
        case .contentModify, .contentReject, .descriptionInfo: calls.client.acknowledge(iq)
        case .initiate, .accept, .info, .terminate: return false
        }
        return true
    }

    private func takeTransport(of request: Jingle) {
        guard !hasEnded, let content = request.contents.first, content["name"] == session.content,
            let transport = content.child("transport", AudioContent.ice), session.isCurrent(transport)
        else { return }
        // A caller without encryption has no certificate: one of the two messages is not the caller’s.
        if course?.isPlain == true, AudioContent.hasCertificate(transport) {
            return end(telling: .securityError)
        }
        if let told = AudioContent.certificate(in: transport) { session.note(told) }
        add(AudioContent.candidates(in: transport))
    }

    /// Refuses to add a picture, which does not end the call.
    private func refuseContents(of request: Jingle) {
        guard let device else { return }
        let contents = request.contents.prefix(4).compactMap { content -> XMLElement? in
            guard let name = content["name"].flatMap(Jingle.bounded) else { return nil }
            return XMLElement(
                "content", Jingle.namespace,
                [
                    "creator": content["creator"] == "responder" ? "responder" : "initiator", "name": name,
                ])
        }
        let refusal = Jingle.request(
            .contentReject, sid: sid, contents + [Jingle.Reason.decline.element])
        calls.client.requestWithoutWaiting(refusal, to: device)
    }

    func terminate(for reason: Jingle.Reason?) {
        if let device { apply(.terminated(reason, by: device)) }
    }
}

extension AudioContent.Fault {
    /// The reason that the other device is told.
    var reason: Jingle.Reason {
        switch self {
        case .notSound: .failedApplication
        case .noTransport: .failedTransport
        case .notEncrypted: .securityError
        }
    }
}

extension Jingle.Reason {
    fileprivate var failure: CallCourse.Failure {
        switch self {
        case .securityError: .encryption
        case .failedTransport: .network
        default: .engine
        }
    }
}
