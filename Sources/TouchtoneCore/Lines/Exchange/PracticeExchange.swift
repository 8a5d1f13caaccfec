// SPDX-License-Identifier: GPL-3.0-or-later

/// A small telephone exchange inside the program: calls without an account, for practice, for showing, and for tests.
///
/// It never touches the network and keeps no file. `ExchangeDestination` has its numbers.
@MainActor
public final class PracticeExchange: Line {
    /// The setting's name for this line.
    public let id = "practice"
    /// What the display shows.
    public let label = "PRACTICE"
    /// It needs nothing.
    public let state = LineState.available
    /// How numbers are written on this line.
    public var rules: DialRules { makeRules() }
    /// Asked for the rules at each call.
    public var makeRules: @MainActor () -> DialRules = { DialRules() }
    /// Receives the calls of the exchange's own.
    public var onEvent: ((LineEvent) -> Void)?

    /// What the exchange works with.
    struct Dependencies {
        let clock: any Scheduler
        let sounds: any SoundOutput
        let echo: any EchoOutput
        let time: @MainActor () -> TimeOfDay
    }

    /// The operator's number, which is 0.
    public static let operatorNumber = DialledNumber("0") ?? DialledNumber()

    /// How long after its last call the number that calls back does so.
    static let callBackDelay = Duration.seconds(3)

    private let dependencies: Dependencies
    private let plan: @MainActor () -> TonePlan?
    private var callBack: (any ScheduledTimer)?

    /// Creates an exchange.
    ///
    /// - Parameters:
    ///   - plan: how ringing sounds, by which the far end answers between two rings.
    ///   - time: the time that POPCORN tells.
    public init(
        clock: any Scheduler, sounds: any SoundOutput, echo: any EchoOutput,
        plan: @escaping @MainActor () -> TonePlan?, time: @escaping @MainActor () -> TimeOfDay
    ) {
        dependencies = Dependencies(clock: clock, sounds: sounds, echo: echo, time: time)
        self.plan = plan
    }

    /// Begins a call to one of the exchange's numbers.
    public func dial(_ remote: RemoteParty) -> any LineCall {
        let number = remote.number
        let service = ExchangeDestination(number)
        let call = PracticeCall(number, dependencies) { [weak self] in
            if service == .callsBack { self?.callBack(from: number) }
        }
        call.run(ExchangeScript.steps(of: service, ringback: plan()?[.ringback] ?? .silence))
        return call
    }

    /// Has somebody of that number call, who talks back when answered; as the operator does on request.
    public func call(from number: DialledNumber) {
        let call = PracticeCall(number, dependencies)
        call.ring()
        if let onEvent { onEvent(.incoming(call)) } else { call.hangUp() }
    }

    private func callBack(from number: DialledNumber) {
        callBack?.cancel()
        callBack = dependencies.clock.schedule(after: Self.callBackDelay) { [weak self] in
            self?.callBack = nil
            self?.call(from: number)
        }
    }
}
