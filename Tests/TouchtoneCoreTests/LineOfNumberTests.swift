// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing

@testable import TouchtoneCore

/// Tests of the line that a number is dialled on.
@Suite @MainActor struct LineOfNumberTests {
    private let exchange = FakeLine(id: "practice")
    private let tel = FakeLine(id: "tel")
    private let lines: LineRegistry
    private let phone: Phone

    init() {
        lines = LineRegistry(fallback: exchange)
        lines.add(tel)
        exchange.features = [.conversation, .hold, .join, .transfer]
        phone = Phone(
            tones: FakeTones(), formatter: NumberFormatter(), clock: ManualScheduler(), line: exchange)
        phone.calls.acceptCalls(from: lines)
    }

    @Test func secondCallStaysOnLineOfFirst() {
        phone.paste("0")
        phone.dial()
        exchange.calls[0].tell(.answered)
        phone.line = tel
        phone.calls.flash()
        phone.paste("0")
        #expect(phone.lineShown === exchange)
        phone.dial()
        #expect(exchange.dialled == ["0", "0"] && tel.dialled == [])
        exchange.calls[1].tell(.answered)
        #expect(phone.calls.canJoin && phone.calls.canTransfer)
        phone.hangUp()
        phone.hangUp()
        #expect(phone.lineShown === tel)
        phone.dial()
        #expect(tel.dialled == ["0"], "the next call takes the chosen line")
    }

    @Test func firstDialAsksForLine() {
        phone.line = tel
        let settings = FakeSettings()
        phone.mustChooseLine = { !settings.hasLine }
        phone.paste("5551234")
        phone.dial()
        #expect(phone.status == .chooseLine && tel.dialled == [] && phone.displayText == "555-1234")
        phone.dial()
        #expect(phone.status == .chooseLine && tel.dialled == [], "no key but the answer chooses")
        settings.hasLine = true
        phone.lineChosen()
        #expect(phone.status == .ready && tel.dialled == [], "an answer does not dial")
        phone.dial()
        #expect(tel.dialled == ["5551234"])
    }

    @Test func emergencyCallIsNotAskedAbout() {
        phone.line = tel
        phone.mustChooseLine = { true }
        phone.findLineForHelp = { [tel] in tel }
        phone.paste("112")
        phone.dial()
        #expect(tel.dialled == ["112"])
    }
}

/// Settings in which a line can be chosen.
@MainActor
private final class FakeSettings {
    var hasLine = false
}
