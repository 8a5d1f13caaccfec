// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing

@testable import TouchtoneCore

/// Runs the cases that hold on every line on the practice exchange.
@Suite @MainActor struct ExchangeCallCasesTests {
    @Test(arguments: CallCase.all.map(\.name)) func caseHoldsOnExchange(name: String) async throws {
        let line = TestedExchange()
        try await #require(CallCase.all.first { $0.name == name }).run(line)
    }
}

/// The practice exchange, with a clock that the test advances.
@MainActor
private final class TestedExchange: TestedLine {
    let calls: CallManager
    private(set) var ends: [CallEndReason] = []
    private let clock = ManualScheduler()
    private let exchange: PracticeExchange
    private let lines: LineRegistry

    init() {
        let tones = FakeTones()
        exchange = PracticeExchange(clock: clock, sounds: tones, echo: FakeEcho(), plan: { .test }) {
            TimeOfDay(hour: 1, minute: 2, second: .zero)
        }
        lines = LineRegistry(fallback: exchange)
        calls = CallManager(sounds: tones, clock: clock)
        calls.tonePlan = .test
        calls.acceptCalls(from: lines)
        calls.observe(by: self) { [weak self] in
            if case .ended(let record) = $0 { self?.ends.append(record.endReason) }
        }
    }

    func dial(_ farEnd: TestedFarEnd) throws {
        let text =
            switch farEnd {
            case .answers: "0"
            case .ringsOnly: "5550103"
            case .isBusy: "5550100"
            case .doesNotExist: "5550102"
            }
        let number = try #require(DialledNumber(text))
        calls.dial(RemoteParty(number), on: exchange)
        clock.advance(by: .seconds(5))
    }

    func offer() throws { exchange.call(from: try #require(DialledNumber("5551234"))) }
    func hangUpAtFarEnd() { calls.press(.pound) }
    func confirmTransfer() {}
}
