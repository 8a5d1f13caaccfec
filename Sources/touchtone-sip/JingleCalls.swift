// SPDX-License-Identifier: GPL-3.0-or-later

import CLinphone
import CSIPShims
import SIPMessages

// Calls whose signalling is the phone's (Jingle, XEP-0166): liblinphone has them with the endpoint of this process.
extension Calls {
    /// Executes a command for a call that liblinphone does not have; returns whether it was for such a call.
    func executeBefore(_ command: SIPCallCommand, for id: SIPCallID) -> Bool {
        if relayChecks[id] != nil {
            waitForRelay(command, id)
            return true
        }
        switch command {
        case .prepareOffer(let route) where route.usesRelayOnly,
            .prepareAnswer(_, let route) where route.usesRelayOnly:
            checkRelay(of: route, for: id, before: command)
        case .prepareOffer(let route): prepareOffer(id, route)
        case .prepareAnswer(let offer, let route): prepareAnswer(id, to: offer, route)
        default:
            guard let session = endpoint[id] else { return false }
            switch command {
            case .hangUp: abandon(session, SIPEnd(.phone))
            case .setMuted(let isMuted): session.isMuted = isMuted
            case .addCandidates(let candidates): session.add(candidates)
            case .setHeldByFarEnd(let isHeld): session.setHeld(isHeld)
            default: break
            }
        }
        return true
    }

    /// Executes a command that tells of the far end.
    func tell(_ command: SIPCallCommand, _ call: Call) {
        guard let session = endpoint[call.id] else { return }
        switch command {
        case .connect(let media):
            guard session.isOffer, !session.take(media) else { return }
            call.hasNoFormat = true
            linphone_call_terminate(call.handle)
        case .addCandidates(let candidates): session.add(candidates)
        case .setHeldByFarEnd(let isHeld): session.setHeld(isHeld)
        default: Log.warn("the phone used the number of a call twice")
        }
    }

    /// Prepares an offer; with a relay, that is the only way of the sound.
    func prepareOffer(_ id: SIPCallID, _ route: MediaRoute, through relay: MediaServer? = nil) {
        guard let session = begin(id, isOffer: true, isEncrypted: true, route, relay) else { return }
        let account = session.account
        let target = linphone_factory_create_address(
            linphone_factory_get(), "sip:\(session.token)@127.0.0.1:\(endpoint.port ?? 0)")
        defer { if let target { linphone_address_unref(target) } }
        prepareSound()
        guard let target, let handle = invite(target, from: account, encryption: account.mediaEncryption)
        else { return abandon(session, SIPEnd(.network)) }
        session.hasCall = true
        let call = Call(id: id, account: account, handle: handle)
        call.state = linphone_call_get_state(handle)
        add(call)
    }

    /// Prepares an answer; with a relay, that is the only way of the sound.
    func prepareAnswer(
        _ id: SIPCallID, to offer: MediaDescription, _ route: MediaRoute, through relay: MediaServer? = nil
    ) {
        guard let session = begin(id, isOffer: false, isEncrypted: offer.isEncrypted, route, relay) else {
            return
        }
        // The roles are chosen here (RFC 8842, section 5.3).
        guard offer.role == .either, session.take(offer) else {
            return abandon(session, SIPEnd(.phone, status: 488))
        }
    }

    private func begin(
        _ id: SIPCallID, isOffer: Bool, isEncrypted: Bool, _ route: MediaRoute, _ relay: MediaServer?
    ) -> JingleSession? {
        guard id.rawValue.isMultiple(of: 2), endpoint[id] == nil else { return nil }
        // Without a folder for the certificate, there is no DTLS.
        guard !isEncrypted || PrivateFolder.path != nil else {
            sounds.end(id, SIPEnd(.phone, status: 488))
            return nil
        }
        let servers = relay.map { [$0] } ?? route.servers
        let session = endpoint.begin(id, isOffer: isOffer, relay: relay) {
            Account(loopback: $0, port: $1, servers: servers, isEncrypted: isEncrypted, core: core)
        }
        guard let session else {
            sounds.end(id, SIPEnd(.network))
            return nil
        }
        session.onDescribed = { [unowned self] in send(.described($0), of: id) }
        session.onWithoutRelay = { [unowned self, unowned session] in
            endWithoutRelay(session, .refused(status: 0))
        }
        session.onRefused = { [unowned self, unowned session] status in
            if !session.hasCall { abandon(session, SIPEnd(.phone, status: status)) }
        }
        return session
    }

    /// Ends a call that liblinphone does not have.
    func abandon(_ session: JingleSession, _ end: SIPEnd) {
        guard endpoint.remove(session.id) != nil else { return }
        session.account.remove(from: core)
        sounds.end(session.id, end)
    }

    /// Answers a call of the endpoint; returns whether it was one.
    func receiveFromEndpoint(_ handle: OpaquePointer) -> Bool {
        let token = Texts.safe(linphone_address_get_username(linphone_call_get_to_address(handle)))
        guard let session = endpoint.session(called: token) else { return false }
        session.hasCall = true
        prepareSound()
        let call = Call(id: session.id, account: session.account, handle: handle)
        call.state = LinphoneCallStateIncomingReceived
        call.isMuted = session.isMuted
        add(call)
        accounts.take(session.account)
        guard keepToRelay(call, session) else {
            endWithoutRelay(session, .noAnswer)
            return true
        }
        answer(call)
        return true
    }

    /// Reports connections, ends calls that have found no way, and forgets those that liblinphone has forgotten.
    func continueEndpoint() {
        for call in endpointCalls {
            keepToRelay(call)
            addLateCandidates(to: call)
            watchConnection(of: call)
        }
        for session in endpoint.removeAll(where: { !isKept($0) }) { session.account.remove(from: core) }
    }

    /// Adds the far end's addresses that came while others are checked.
    private func addLateCandidates(to call: Call) {
        guard let session = endpoint[call.id], session.hasLateCandidates else { return }
        let checks = sipshims_checks(call.handle)
        guard checks != SIPSHIMS_CHECKS_TO_COME else { return }
        for candidate in session.takeLateCandidates() where checks == SIPSHIMS_CHECKS_RUNNING {
            sipshims_add_candidate(
                call.handle, candidate.kind.rawValue, candidate.address, candidate.port, candidate.priority,
                candidate.foundation)
        }
    }

    private func watchConnection(of call: Call) {
        guard let session = endpoint[call.id], let limit = session.connectBy, !call.hasNoWay else { return }
        if session.isConnected {
            let isHeld = call.isHeld || call.isHeldByFarEnd
            guard session.arrivals.hasLostWay(sipshims_received(call.handle), isHeld: isHeld) else { return }
            call.hasNoWay = true
            linphone_call_terminate(call.handle)
        } else if isConnected(call, session) {
            session.isConnected = true
            session.arrivals = Arrivals()
            send(.connected, of: call.id)
            if call.wayOfKeys == .none {
                call.losesKeys = true
                send(.keysRefused(true), of: call.id)
            }
        } else if limit <= Instant.now {
            call.hasNoWay = true
            linphone_call_terminate(call.handle)
        }
    }

    private func isConnected(_ call: Call, _ session: JingleSession) -> Bool {
        guard
            linphone_call_params_get_media_encryption(linphone_call_get_current_params(call.handle))
                == session.account.mediaEncryption, let stats = linphone_call_get_audio_stats(call.handle)
        else { return false }
        defer { linphone_call_stats_unref(stats) }
        let ways = [
            LinphoneIceStateHostConnection, LinphoneIceStateReflexiveConnection,
            LinphoneIceStateRelayConnection,
        ]
        return ways.contains(linphone_call_stats_get_ice_state(stats))
            && (!session.isEncrypted || sipshims_is_encrypted(call.handle))
    }
}
