// SPDX-License-Identifier: GPL-3.0-or-later

import SIPMessages
import TouchtoneCore

/// The course of one call over Jabber, from its proposal (XEP-0353) through its session (XEP-0166) to its end.
///
/// It is a value without a clock and without I/O: each event returns what is to be done, in order. After the end, it still
/// answers a device that takes the call too late.
struct CallCourse: Hashable, Sendable {
    enum State: Hashable, Sendable {
        /// The devices of the called party ring, or have not said so yet.
        case proposed
        /// A device of the called party has taken the call; the sound of this end is being prepared.
        case taken(by: JID)
        /// The session is offered to a device.
        case offered(to: JID)
        /// A device calls, and this end rings. The offer is there if the caller has proposed nothing before.
        case ringing(from: JID, MediaDescription?)
        /// The user has answered, and the caller’s offer is awaited.
        case awaited(from: JID)
        /// The caller’s offer has come; the sound of this end is being prepared.
        case answering(JID)
        /// Both ends know how to reach each other, and try.
        case connecting(JID)
        case connected(JID)
        case ended
    }

    enum Event: Hashable, Sendable {
        /// A message about the call, by a device of the other party.
        case received(CallMessage.Content, from: JID)
        /// A message about the call, by another device of the user.
        case sentElsewhere(CallMessage.Content)
        /// The proposal has reached a device of the called party, or none of them.
        case delivered
        case undeliverable
        case offer(MediaDescription, from: JID)
        case answer(MediaDescription, from: JID)
        /// The session’s device rings: a gateway says so after it has taken the call.
        case rings(JID)
        case held(Bool, by: JID)
        case terminated(Jingle.Reason?, by: JID)
        /// The other device did not accept the offer or the answer, or it is not known whether it did.
        case refused(by: JID)
        /// The sound of this end is prepared.
        case prepared(MediaDescription)
        case mediaConnected
        case mediaFailed(Failure)
        case expired(Limit)
        // The user’s commands.
        case answered
        case hungUp
        case declined(isBusy: Bool)
    }

    enum Failure: Hashable, Sendable {
        /// No way between the ends was found, or it was lost.
        case network
        /// The keys could not be agreed on, or the other end has another certificate than it has told.
        case encryption
        /// The engine cannot make the call.
        case engine
    }

    /// A time after which something else happens.
    enum Limit: Hashable, Sendable, CaseIterable {
        /// Some programs never say that they ring.
        case ringback
        case ringing
        /// From the answer to the caller’s offer.
        case offer
        /// From the taking of the call to the other end’s answer to the offer.
        case acceptance
        /// From both ends’ answers to the sound.
        case connection

        var time: Duration {
            switch self {
            case .ringback: .seconds(2)
            case .ringing: .seconds(60)
            case .offer: .seconds(15)
            case .acceptance: .seconds(30)
            case .connection: .seconds(30)
            }
        }
    }

    enum Effect: Hashable, Sendable {
        /// Sends a message about the call to all devices of the other party, to one, or to the user’s own.
        case tellParty(CallMessage.Content)
        case tell(CallMessage.Content, JID)
        case tellOwn(CallMessage.Content)
        /// Prepares the sound, without an offer of the other end or with it.
        case prepare(MediaDescription?)
        case sendOffer(MediaDescription, to: JID)
        case sendAnswer(MediaDescription, to: JID)
        /// Gives the other end’s answer to the engine.
        case connect(MediaDescription)
        case terminate(Jingle.Reason, JID)
        case report(CallEvent)
        case start(Limit)
        case stop(Limit)
    }

    private(set) var state: State
    /// Whether the other party is a gateway to telephones, which takes a call before anyone answers it.
    let isGateway: Bool
    /// Whether the caller may learn that this device exists before the user has answered.
    private let tellsRinging: Bool
    /// Whether the caller has offered sound without encryption, as the user allows; all other sound is encrypted.
    private(set) var isPlain = false
    private var hasRung = false

    /// Begins a call to a party.
    static func calling(isGateway: Bool) -> (CallCourse, [Effect]) {
        let course = CallCourse(state: .proposed, isGateway: isGateway, tellsRinging: false)
        let wait: [Effect] = isGateway ? [.start(.ringing)] : [.start(.ringing), .start(.ringback)]
        return (course, [.tellParty(.propose(media: ["audio"]))] + wait)
    }

    /// Begins a call that a device makes.
    ///
    /// - Parameters:
    ///   - offer: The offer of a device that proposes nothing before.
    ///   - tellsRinging: Whether the caller may learn that this device exists before the user has answered.
    static func called(
        by device: JID, offer: MediaDescription? = nil, isGateway: Bool = false, tellsRinging: Bool
    ) -> (CallCourse, [Effect]) {
        let course = CallCourse(
            state: .ringing(from: device, offer), isGateway: isGateway, tellsRinging: tellsRinging,
            isPlain: offer?.isEncrypted == false)
        return (course, (tellsRinging && offer == nil ? [.tell(.ringing, device)] : []) + [.start(.ringing)])
    }

    /// Handles an event, and returns what is to be done, in order.
    ///
    /// Messages of another device than that of the session have no effect.
    mutating func handle(_ event: Event) -> [Effect] {
        switch event {
        case .received(let message, let device): return received(message, device)
        case .sentElsewhere(let message): return sentElsewhere(message)
        case .delivered, .expired(.ringback): return state == .proposed ? ring() : []
        case .undeliverable: return state == .proposed ? end(.notAvailable) : []
        case .offer(let media, let device):
            guard state == .awaited(from: device) else { return [] }
            state = .answering(device)
            // The user has answered without knowing that it would not be encrypted.
            guard media.isEncrypted else { return failed(.encryption) }
            return [.stop(.offer), .start(.connection), .prepare(media)]
        case .answer(let media, let device):
            guard state == .offered(to: device) else { return [] }
            guard media.isEncrypted else { return failed(.encryption) }
            return [.stop(.acceptance), .stop(.ringing), .start(.connection), .connect(media)]
                + connect(with: device)
        case .rings(let device): return state == .offered(to: device) ? ring() : []
        case .held(let isHeld, let device):
            return state == .connected(device) ? [.report(.heldByFarEnd(isHeld))] : []
        case .terminated(let reason, let device):
            return sessionDevice == device
                ? end(Self.reason(reason, isTalking: isTalking, isConnected: isConnected)) : []
        // A server that lost a device's stream refuses what the device has accepted already.
        case .refused(let device): return sessionDevice == device && !isConnected ? end(.notAvailable) : []
        case .prepared(let media): return prepared(media)
        case .mediaConnected:
            guard case .connecting(let device) = state else { return [] }
            state = .connected(device)
            return [.stop(.connection)]
        case .mediaFailed(let failure): return failed(failure)
        case .expired(let limit): return expired(limit)
        case .answered: return answered()
        case .hungUp: return hungUp()
        case .declined(let isBusy): return declined(isBusy: isBusy)
        }
    }

    /// The device with which there is a session; nil if there is none.
    var sessionDevice: JID? {
        switch state {
        case .offered(let device), .answering(let device), .connecting(let device), .connected(let device):
            device
        case .ringing(let device, let offer): offer == nil ? nil : device
        case .proposed, .taken, .awaited, .ended: nil
        }
    }

    /// Whether sound has come and gone.
    private var isConnected: Bool { if case .connected = state { true } else { false } }

    private var isTalking: Bool {
        switch state {
        case .connecting, .connected: true
        default: false
        }
    }
}

// MARK: - The other party

extension CallCourse {
    private mutating func received(_ message: CallMessage.Content, _ device: JID) -> [Effect] {
        switch (message, state) {
        case (.ringing, .proposed): return ring()
        case (.proceed, .proposed):
            state = .taken(by: device)
            // The party has answered; a gateway is about to let a telephone ring.
            return (isGateway ? [] : ring() + [.stop(.ringing), .start(.acceptance)]) + [.prepare(nil)]
        // It took a call that was given up, or that another device has taken.
        case (.proceed, .ended), (.proceed, .taken), (.proceed, .offered), (.proceed, .connecting),
            (.proceed, .connected):
            return takingDevice == device ? [] : [.tell(.retract(.cancel), device)]
        case (.reject(let reason), .proposed): return end(reason == .busy ? .busy : .declined)
        case (.reject(let reason), .taken(device)): return end(reason == .busy ? .busy : .declined)
        case (.retract, .ringing(device, nil)), (.retract, .awaited(device)), (.finish, .awaited(device)),
            (.finish, .ringing(device, nil)):
            return end(.farEnd)
        case (.finish, .taken(device)): return end(.farEnd)
        default: return []
        }
    }

    private var takingDevice: JID? {
        if case .taken(let device) = state { device } else { sessionDevice }
    }

    /// Another device of the user has answered or declined the call, or has called itself.
    private mutating func sentElsewhere(_ message: CallMessage.Content) -> [Effect] {
        guard case .ringing = state else { return [] }
        switch message {
        case .accept, .proceed: return end(.answeredElsewhere)
        case .reject: return end(.declined)
        case .propose, .ringing, .retract, .finish: return []
        }
    }

    private mutating func ring() -> [Effect] {
        guard !hasRung else { return [] }
        hasRung = true
        return [.stop(.ringback), .report(.ringing)]
    }

    private mutating func connect(with device: JID) -> [Effect] {
        state = .connecting(device)
        return [.report(.answered)]
    }

    /// Returns why a call has ended, in the words of the phone.
    private static func reason(
        _ reason: Jingle.Reason?, isTalking: Bool, isConnected: Bool
    ) -> CallEndReason {
        switch reason {
        case .connectivityError, .failedTransport: isConnected ? .connectionLost : .network
        case .securityError: .notEncrypted
        case .unsupportedApplications, .unsupportedTransports, .failedApplication, .incompatibleParameters,
            .mediaError:
            .noCommonFormat
        case _ where isTalking: .farEnd
        case .busy: .busy
        case .decline: .declined
        case .timeout, .expired: .noAnswer
        case .gone: .notAvailable
        case .cancel, .success, .alternativeSession, .generalError, nil: .farEnd
        }
    }
}

// MARK: - This end

extension CallCourse {
    private mutating func prepared(_ media: MediaDescription) -> [Effect] {
        switch state {
        case .taken(let device):
            guard media.isEncrypted else { return failed(.encryption) }
            state = .offered(to: device)
            return [.sendOffer(media, to: device)]
        case .answering(let device):
            guard media.isEncrypted != isPlain else { return failed(.encryption) }
            return [.sendAnswer(media, to: device)] + connect(with: device)
        default: return []
        }
    }

    private mutating func answered() -> [Effect] {
        guard case .ringing(let device, let offer) = state else { return [] }
        if let offer {
            state = .answering(device)
            return [.stop(.ringing), .start(.connection), .prepare(offer)]
        }
        state = .awaited(from: device)
        return [.stop(.ringing), .tellOwn(.accept), .tell(.proceed, device), .start(.offer)]
    }

    private mutating func declined(isBusy: Bool) -> [Effect] {
        guard case .ringing(let device, let offer) = state else { return hungUp() }
        let reason: Jingle.Reason = isBusy ? .busy : .decline
        // Other devices of the user see this one’s messages alone, and stop ringing.
        return offer == nil
            ? close([.tell(.reject(reason), device), .tellOwn(.reject(reason))])
            : close([.terminate(reason, device)])
    }

    private mutating func hungUp() -> [Effect] {
        switch state {
        case .proposed: return close([.tellParty(.retract(.cancel))])
        case .taken(let device):
            return close([.tellParty(.retract(.cancel)), .tell(.finish(.cancel), device)])
        case .offered(let device): return close([.terminate(.cancel, device)])
        case .ringing: return declined(isBusy: false)
        case .awaited(let device): return close([.tell(.finish(.cancel), device)])
        case .answering(let device): return close([.terminate(.decline, device)])
        case .connecting(let device), .connected(let device):
            return close([.terminate(.success, device), .tell(.finish(.success), device)])
        case .ended: return []
        }
    }

    private mutating func failed(_ failure: Failure) -> [Effect] {
        let (told, reason): (Jingle.Reason, CallEndReason) =
            switch failure {
            case .network: (.connectivityError, isConnected ? .connectionLost : .network)
            case .encryption: (.securityError, .notEncrypted)
            case .engine: (.failedApplication, .failed(""))
            }
        return giveUp(told, reason)
    }

    private mutating func expired(_ limit: Limit) -> [Effect] {
        switch (limit, state) {
        case (.ringing, .proposed), (.ringing, .taken), (.ringing, .offered), (.acceptance, .taken),
            (.acceptance, .offered):
            return giveUp(.timeout, .noAnswer)
        // The caller hears nothing: another device may still ring.
        case (.ringing, .ringing(_, nil)): return end(.farEnd)
        case (.ringing, .ringing): return giveUp(.timeout, .farEnd)
        case (.offer, .awaited), (.connection, .answering), (.connection, .connecting):
            return giveUp(.connectivityError, .network)
        default: return []
        }
    }

    /// Ends the call on both ends, for a reason that is not the user’s.
    private mutating func giveUp(_ told: Jingle.Reason, _ reason: CallEndReason) -> [Effect] {
        let words: [Effect] =
            switch state {
            case .proposed, .ringing(_, nil): [.tellParty(.retract(told))]
            case .taken(let device), .awaited(let device): [.tell(.finish(told), device)]
            case .ended: []
            case .offered, .ringing, .answering, .connecting, .connected:
                sessionDevice.map { [.terminate(told, $0)] } ?? []
            }
        return words + end(reason)
    }

    private mutating func end(_ reason: CallEndReason) -> [Effect] {
        state == .ended ? [] : close([.report(.ended(reason))])
    }

    private mutating func close(_ effects: [Effect]) -> [Effect] {
        state = .ended
        return effects + Limit.allCases.map { .stop($0) }
    }
}
