// SPDX-License-Identifier: GPL-3.0-or-later

import SIPMessages
import TouchtoneCore

/// The calls of one connection to the engine, by their ids.
@MainActor
final class SIPCalls {
    private let clock: any Scheduler
    private let send: @MainActor (SIPCommand) -> Void
    private var calls: [SIPCallID: SIPCall] = [:]
    private var lastID = 0

    init(clock: any Scheduler, send: @escaping @MainActor (SIPCommand) -> Void) {
        (self.clock, self.send) = (clock, send)
    }

    func makeOutgoing(_ remote: RemoteParty) -> SIPCall {
        SIPCall(remote, isIncoming: false, clock: clock, send: send)
    }

    func dial(_ call: SIPCall, from account: String, to address: String) {
        lastID += 2
        let id = SIPCallID(rawValue: lastID)
        call.id = id
        calls[id] = call
        send(.call(id, .dial(account: account, address: address)))
        if call.isMuted { call.setMuted(true) }
    }

    /// Whether the engine may use an id for a new call.
    func isFree(_ id: SIPCallID) -> Bool { id.rawValue % 2 == 1 && calls[id] == nil }

    /// Refuses an incoming call without keeping it: the engine may report any number, and the end of none.
    func refuse(_ id: SIPCallID, by command: SIPCallCommand) { send(.call(id, command)) }

    func addIncoming(_ id: SIPCallID, from caller: RemoteParty) -> SIPCall {
        let call = SIPCall(caller, isIncoming: true, clock: clock, send: send)
        call.id = id
        calls[id] = call
        return call
    }

    /// Passes an event to its call; one of an unknown call is ignored.
    func handle(_ event: SIPCallEvent, of id: SIPCallID) {
        let call = calls[id]
        if case .ended = event { calls[id] = nil }
        call?.handle(event)
    }

    /// Whether there is no call, also none that was hung up and whose end the engine has not reported.
    var isEmpty: Bool { calls.isEmpty }

    var isInCall: Bool { calls.values.contains { !$0.hasEnded } }

    /// Ends all calls, because the engine has ended.
    func endAll(_ reason: CallEndReason) {
        let ended = calls.values.sorted { ($0.id?.rawValue ?? 0) < ($1.id?.rawValue ?? 0) }
        calls = [:]
        for call in ended { call.end(reason) }
    }
}

extension RemoteParty {
    /// Creates a party from the engine's description, whose texts strangers choose.
    init(_ party: SIPParty) {
        let uri = try? SIPURI(party.address)
        let number = uri?.number ?? TelURI(subscriber: party.address)?.number ?? DialledNumber()
        guard uri?.isAnonymous != true, uri != nil || !number.isEmpty else {
            self.init(DialledNumber())
            return
        }
        var name = party.displayName
        // Many exchanges repeat the number as the name.
        if !number.isEmpty, DialledNumber.read(name) == .number(number) { name = "" }
        self.init(number, address: uri?.text ?? "", displayName: name)
    }
}

extension SIPURI {
    /// Whether the caller withholds the address (RFC 3323, section 4.1.1.3), with the exchange's domain or
    /// `anonymous.invalid`, or the network does not know it (3GPP TS 24.229, section 5.4.3.2).
    fileprivate var isAnonymous: Bool {
        user.lowercased() == "anonymous"
            || ["anonymous.invalid", "unknown.invalid"].contains { host == $0 || host.hasSuffix("." + $0) }
    }
}
