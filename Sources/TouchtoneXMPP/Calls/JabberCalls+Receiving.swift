// SPDX-License-Identifier: GPL-3.0-or-later

import SIPMessages
import TouchtoneCore
import TouchtoneEngine

// What comes from other devices: proposals, what they say of calls, and offers of sessions without a proposal.
extension JabberCalls {
    func receive(_ message: Message, _ stamp: Timestamp?) {
        guard let from = message.from, let own = ownAddress else { return }
        // A copy of a message to another device is not for this one.
        guard message.to.map({ $0 == own || $0 == client.address }) ?? true else { return }
        switch message.kind {
        case .groupchat, .headline: return
        case .error:
            if let id = message.id, let call = calls[id], from.bare == call.party {
                call.apply(.undeliverable)
            }
            return
        case .chat, .normal: break
        }
        guard !isInRoom(message, from) else { return }
        if let id = Receipts.received(in: message), let call = calls[id], from.bare == call.party {
            call.apply(.delivered)
        }
        guard let told = message.extensions.lazy.compactMap({ CallMessage($0) }).first else { return }
        if from.bare == own { return tookElsewhere(told, from) }
        if case .propose(let media) = told.content {
            return proposed(told.id, media, by: from, message, stamp)
        }
        guard !from.isBare, let call = calls[told.id], call.party == from.bare else { return }
        call.apply(.received(told.content, from: from))
    }

    func receiveSentElsewhere(_ message: Message) {
        guard message.kind == .chat || message.kind == .normal, let from = message.from,
            let told = message.extensions.lazy.compactMap({ CallMessage($0) }).first
        else { return }
        tookElsewhere(told, from)
    }

    private func tookElsewhere(_ told: CallMessage, _ device: JID) {
        guard device != client.address, let call = calls[told.id] else { return }
        call.apply(.sentElsewhere(told.content))
    }

    /// Returns whether somebody in a room says something, who must not learn of this device.
    private func isInRoom(_ message: Message, _ from: JID) -> Bool {
        isInRoom(from) || message.extension(MultiUserChat.user) != nil
    }

    /// Whether an address is that of a room or of somebody in it.
    private func isInRoom(_ jid: JID) -> Bool {
        rooms.session(jid) != nil || rooms.addresses.contains(jid.bare)
    }

    private func proposed(
        _ sid: String, _ media: Set<String>, by device: JID, _ message: Message, _ stamp: Timestamp?
    ) {
        let address = ChatAddress(device)
        guard !device.isBare, calls[sid] == nil, media.contains("audio") || media.contains("video"),
            !account.roster.blocked.contains(address), !missed.isKnown(sid)
        else { return }
        if let stamp, age(of: stamp) > Self.staleAge { return missed.read(message, stamp) }
        guard limit.admits(at: account.clock.now) else { return }
        missed.note(sid)
        let remote = remote(device)
        guard media == ["audio"] else { return decline(video: sid, of: device, remote) }
        if let own = calls.values.first(where: { $0.party == device.bare && $0.course?.state == .proposed }) {
            // Both call each other: the call with the lower identifier goes on.
            guard sid.utf8.lexicographicallyPrecedes(own.sid.utf8) else { return }
            let before = own.sid
            own.give(way: sid, of: device)
            return rename(own, from: before)
        }
        let call = JabberCall(
            remote, party: device.bare, sid: sid, isStranger: isStranger(device), device: device, calls: self)
        add(call)
        offer(call, nil)
    }

    func age(of stamp: Timestamp) -> Duration {
        .milliseconds(account.wall.now.milliseconds - stamp.microseconds / 1000)
    }

    /// Offers a call to the phone, unless the user does not want calls of strangers.
    private func offer(_ call: JabberCall, _ media: MediaDescription?) {
        guard call.isStranger, let callers = dependencies?.callers,
            callers.treatmentAtOnce(of: call.remote) == nil
        else { return ring(call, media) }
        Task { [weak self] in
            let treatment = await callers.treatment(of: call.remote)
            guard let self, !call.hasEnded else { return }
            guard treatment == .decline else { return ring(call, media) }
            // The caller learns nothing, also not that there is a device.
            call.hangUp()
            if media != nil, let device = call.device {
                client.terminate(call.sid, with: device, .decline)
            }
            line?.onEvent?(.declined(call.remote))
        }
    }

    private func ring(_ call: JabberCall, _ media: MediaDescription?) {
        guard let line, let onEvent = line.onEvent else { return call.hangUp() }
        startEngine()
        let mayKnow = account.roster.record(of: ChatAddress(call.party))?.toldByMe == true
        let isVisible = mayKnow && account.presence.availability != .offline
        call.ring(
            offer: media, isGateway: numbers.isOfGateway(call.party), tellsRinging: isVisible
        ) { onEvent(.incoming(call)) }
    }

    /// A call with video cannot be answered with sound alone: programs end it with an error.
    private func decline(video sid: String, of device: JID, _ remote: RemoteParty) {
        // Another device may have a camera. A stranger learns nothing.
        if !hasOtherDevices, !isStranger(device) {
            tell(.reject(.decline), of: sid, device)
        }
        line?.onEvent?(.missed(remote, age: .zero, .failed(Self.videoOffered)))
    }

    private static var videoOffered: String {
        localized("the caller offered video, which this phone does not take")
    }

    /// Receives the offer of a session: of a call that the user has answered, or without a proposal.
    func receive(_ offer: JingleSessions.Offer) {
        let sid = offer.request.sid
        if let call = calls[sid] {
            guard call.peer == offer.peer, call.awaitsOffer else {
                return client.refuse(offer.iq, .wait, "unexpected-request", .outOfOrder)
            }
            return call.take(offer)
        }
        guard dependencies?.engine.isAvailable == true else {
            return jingle.reject(offer, .unsupportedApplications)
        }
        guard !isInRoom(offer.peer), limit.admits(at: account.clock.now) else {
            return jingle.reject(offer, .busy)
        }
        guard offer.request.contents.count == 1 else {
            jingle.reject(offer, .unsupportedApplications)
            line?.onEvent?(.missed(remote(offer.peer), age: .zero, .failed(Self.videoOffered)))
            return
        }
        let media: MediaDescription
        do throws(AudioContent.Fault) {
            media = try AudioContent.read(
                offer.content, roles: [.either], allowsPlain: takesPlainCalls(of: offer.peer))
        } catch {
            jingle.reject(offer, error.reason)
            // The call would have no encryption, for example.
            if error == .notEncrypted {
                line?.onEvent?(.missed(remote(offer.peer), age: .zero, .notEncrypted))
            }
            return
        }
        client.acknowledge(offer.iq)
        let call = JabberCall(
            remote(offer.peer), party: offer.peer.bare, sid: sid, isStranger: isStranger(offer.peer),
            device: offer.peer, calls: self)
        call.session.content = offer.name
        add(call)
        jingle.add(call)
        self.offer(call, media)
        let ringing = XMLElement("ringing", CallSession.infoNamespace)
        if !call.hasEnded, !call.isStranger {
            client.requestWithoutWaiting(Jingle.request(.info, sid: sid, [ringing]), to: offer.peer)
        }
    }
}
