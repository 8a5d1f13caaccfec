// SPDX-License-Identifier: GPL-3.0-or-later

/// A small telephone exchange inside the app: calls without an account, for practice, demonstrations and tests.
///
/// It never uses the network and stores no file. `ExchangeDestination` lists its numbers.
@MainActor
public final class PracticeExchange: Line {
    /// The id of the line in the setting `dial-line`.
    public let id = "practice"
    /// The text on the display.
    public var label: String { localizedIn("segment display", "PRACTICE") }
    /// The availability of the line; the exchange has no requirements.
    public let state = LineState.available
    /// False: nobody but the program answers.
    public let reachesHelp = false
    /// The way in which numbers are written on the line.
    public var rules: DialRules { makeRules() }
    /// A function that returns the rules for the next call.
    public var makeRules: @MainActor () -> DialRules = { DialRules() }
    /// The receiver of the exchange's incoming calls.
    public var onEvent: ((LineEvent) -> Void)?

    /// The services that the exchange uses.
    struct Dependencies {
        let clock: any Scheduler
        let sounds: any SoundOutput
        let echo: any EchoOutput
        let time: @MainActor () -> TimeOfDay
    }

    /// The operator's number, which is 0.
    public static let operatorNumber = DialledNumber("0") ?? DialledNumber()

    /// The delay before the number that calls back does so.
    static let callBackDelay = Duration.seconds(3)

    private let dependencies: Dependencies
    private let plan: @MainActor () -> TonePlan?
    private var callBack: (any ScheduledTimer)?

    /// Creates an exchange.
    ///
    /// - Parameters:
    ///   - plan: A function that returns the tone plan, so that the far end answers between two rings.
    ///   - time: A function that returns the time that POPCORN announces.
    public init(
        clock: any Scheduler, sounds: any SoundOutput, echo: any EchoOutput,
        plan: @escaping @MainActor () -> TonePlan?, time: @escaping @MainActor () -> TimeOfDay
    ) {
        dependencies = Dependencies(clock: clock, sounds: sounds, echo: echo, time: time)
        self.plan = plan
    }

    /// Begins a call to a number of the exchange.
    public func dial(_ remote: RemoteParty) -> any LineCall {
        let number = remote.number
        let service = ExchangeDestination(number)
        let call = PracticeCall(number, dependencies) { [weak self] in
            if service == .callsBack { self?.callBack(from: number) }
        }
        call.run(ExchangeScript.steps(of: service, ringback: plan()?[.ringback] ?? .silence))
        return call
    }

    /// Makes an incoming call from that number, which has an echo when answered; the Operator uses it on request.
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
