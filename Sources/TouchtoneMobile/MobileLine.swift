// SPDX-License-Identifier: GPL-3.0-or-later

import GLibBridge
import TouchtoneCore

/// The line of a phone, which may be connected or not.
@MainActor
final class MobileLine: Line {
    let id: String
    let isMobile = true
    var onEvent: ((LineEvent) -> Void)?
    var rules: DialRules { makeRules() }

    /// The name that the user has given the phone, or that it has itself; empty if it is not known.
    var ownName = "" { didSet { if ownName != oldValue { onEvent?(.stateChanged) } } }
    var name: String {
        let line = PlainText.line(ownName, maximum: Self.maximumName)
        return line.isEmpty ? localized("Mobile Phone") : line
    }
    var label: String { state.label(ownName, or: localizedIn("segment display", "MOBILE")) }
    var state: LineState {
        calls == nil ? .unavailable(reason: localized("The phone is not connected.")) : .available
    }

    private let clock: any Scheduler
    private let limit: ReportLimit
    private let makeRules: @MainActor () -> DialRules
    private(set) var calls: PhoneCalls?

    private static let maximumName = 60

    init(
        _ id: String, clock: any Scheduler, limit: ReportLimit,
        makeRules: @escaping @MainActor () -> DialRules
    ) {
        (self.id, self.clock, self.limit, self.makeRules) = (id, clock, limit, makeRules)
    }

    /// Connects the phone, whose calls are then told to the returned object.
    func connect(_ control: any PhoneControl) -> PhoneCalls {
        disconnect()
        let calls = PhoneCalls(control, clock: clock, limit: limit)
        calls.onEvent = { [weak self] in self?.onEvent?($0) }
        self.calls = calls
        onEvent?(.stateChanged)
        return calls
    }

    /// Ends the phone's calls here.
    func disconnect() {
        guard let calls else { return }
        self.calls = nil
        calls.end()
        onEvent?(.stateChanged)
    }

    func dial(_ remote: RemoteParty) -> any LineCall {
        let call = MobileCall(to: remote)
        guard let calls, remote.number.isDialable else {
            let reason = state.refusal ?? .noSuchNumber
            // No event may arrive before this returns.
            MainLoop.soon { call.end(reason) }
            return call
        }
        calls.dial(call)
        return call
    }
}
