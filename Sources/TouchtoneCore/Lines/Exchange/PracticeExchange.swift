// SPDX-License-Identifier: GPL-3.0-or-later

/// Calls without an account, a network and files, for practice and tests; `ExchangeDestination` has the
/// numbers.
@MainActor
public final class PracticeExchange: Line {
    public let id = "practice"
    public var label: String { localizedIn("segment display", "PRACTICE") }
    public let state = LineState.available
    /// False: nobody but the program answers.
    public let reachesHelp = false
    public var rules: DialRules { makeRules() }
    public var makeRules: @MainActor () -> DialRules = { DialRules() }
    public var onEvent: ((LineEvent) -> Void)?

    struct Dependencies {
        let clock: any Scheduler
        let sounds: any SoundOutput
        let echo: any EchoOutput
        let time: @MainActor () -> TimeOfDay
        let machine: (any ExchangeMachine)?
        let conversation: PracticeConversation
    }

    public static let operatorNumber = DialledNumber("0") ?? DialledNumber()

    static let callBackDelay = Duration.seconds(3)

    private let dependencies: Dependencies
    private let plan: @MainActor () -> TonePlan?
    private var callBack: (any ScheduledTimer)?

    /// Creates an exchange; `machine` records messages for the answering machine, and calls; `plan` lets the far end answer between two rings, and POPCORN announces `time`.
    public init(
        clock: any Scheduler, sounds: any SoundOutput, echo: any EchoOutput,
        plan: @escaping @MainActor () -> TonePlan?, time: @escaping @MainActor () -> TimeOfDay,
        machine: (any ExchangeMachine)? = nil
    ) {
        dependencies = Dependencies(
            clock: clock, sounds: sounds, echo: echo, time: time, machine: machine,
            conversation: PracticeConversation(clock: clock, sounds: sounds))
        self.plan = plan
    }

    public func dial(_ remote: RemoteParty) -> any LineCall {
        let number = remote.number
        let service = ExchangeDestination(number)
        let call = PracticeCall(number, dependencies) { [weak self] _ in
            if service == .callsBack { self?.callBack(from: number) }
        }
        call.run(ExchangeScript.steps(of: service, ringback: plan()?[.ringback] ?? .silence))
        return call
    }

    /// Makes an incoming call from that number, which has an echo when answered; the Operator uses it on request.
    ///
    /// Far ends that call back leave a message on the answering machine; others say nothing.
    ///
    /// - Parameter ended: Called after the call, if it was answered.
    public func call(from number: DialledNumber, ended: @escaping @MainActor () -> Void = {}) {
        let call = PracticeCall(number, dependencies) { wasAnswered in if wasAnswered { ended() } }
        if ExchangeDestination(number) == .callsBack { call.message = ExchangeSounds.message }
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
