// SPDX-License-Identifier: GPL-3.0-or-later

import SIPMessages
import TouchtoneCore
import TouchtoneEngine

@MainActor
final class SIPLine: Line {
    let id: String
    var onEvent: ((LineEvent) -> Void)?
    var rules: DialRules { makeRules() }

    /// The account's address; nil if the setting contains none.
    var uri: SIPURI? { didSet { if uri != oldValue { onEvent?(.stateChanged) } } }
    var state = LineState.connecting { didSet { if state != oldValue { stateChanged() } } }

    var voicemail = Voicemail.none { didSet { if voicemail != oldValue { onEvent?(.stateChanged) } } }

    var diversion: Diversion? { didSet { if diversion != oldValue { onEvent?(.stateChanged) } } }

    /// The extensions of the account's telephone system.
    var watched: SIPExtensions?
    var extensions: (any LineExtensions)? { watched }

    private let calls: EngineCalls
    private let clock: any Scheduler
    private let makeRules: @MainActor () -> DialRules
    /// The calls that wait for the registration.
    private var waiting: [SIPCall] = []

    init(
        _ id: String, calls: EngineCalls, clock: any Scheduler,
        makeRules: @escaping @MainActor () -> DialRules
    ) {
        (self.id, self.calls, self.clock, self.makeRules) = (id, calls, clock, makeRules)
    }

    var address: String { uri?.text ?? "" }

    var label: String { state.label(uri?.user ?? "", or: "SIP") }

    /// Calls the address, or the number at the account's own domain; during the registration, the call waits.
    func dial(_ remote: RemoteParty) -> any LineCall {
        let call = SIPCall(to: remote, calls: calls, clock: clock)
        call.line = self
        // No event may arrive before this returns.
        Task { [weak self] in self?.begin(call) }
        return call
    }

    /// Picks up the call that rings at an extension, from a caller if one is known.
    func pickUp(_ remote: RemoteParty, at address: String, from caller: RemoteParty?) -> any LineCall {
        let call = SIPCall(to: remote, calls: calls, clock: clock)
        call.line = self
        Task { [id] in if !call.hasEnded { call.pickUp(at: address, from: caller, on: id) } }
        return call
    }

    /// Offers an incoming call, and tells the caller that the phone rings unless it is declined at once.
    func offer(_ call: SIPCall) {
        guard let onEvent else { return call.hangUp() }
        call.line = self
        onEvent(.incoming(call))
        if call.isUndecided { call.ring() }
    }

    private func begin(_ call: SIPCall) {
        guard !call.hasEnded else { return }
        if let reason = state.refusal { return call.end(reason) }
        guard state == .available else { return waiting.append(call) }
        guard let address = address(of: call.remote) else { return call.end(.noSuchNumber) }
        call.dial(address, from: id)
    }

    /// Returns the SIP address of a far end, a number at the account's own domain; nil if it has none.
    func address(of remote: RemoteParty) -> String? {
        guard remote.address.isEmpty else { return (try? SIPURI(remote.address))?.text }
        return remote.number.isDialable ? uri?.address(of: remote.number) : nil
    }

    func isOwn(_ remote: RemoteParty) -> Bool {
        guard let key = CallAddress.sipKey(address) else { return false }
        return address(of: remote).flatMap { CallAddress.sipKey($0) } == key
    }

    private func stateChanged() {
        let begun = waiting
        waiting = []
        for call in begun { begin(call) }
        onEvent?(.stateChanged)
    }
}
