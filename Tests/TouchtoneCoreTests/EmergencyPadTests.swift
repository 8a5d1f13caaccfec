// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing
import TouchtoneCore

/// Tests of the keypad for emergency numbers on the lock screen, on a line that only records.
@Suite @MainActor struct EmergencyPadTests {
    private let clock = ManualScheduler()
    private let line = FakeLine()
    private let pad: EmergencyPad

    init() {
        let phone = Phone(tones: FakeTones(), formatter: NumberFormatter(), clock: clock, line: line)
        line.features = [.conversation]
        pad = EmergencyPad(phone, clock: clock)
    }

    private func press(_ digits: Int...) { for digit in digits { pad.press(digit) } }

    @Test func closedPadTakesNoKeys() {
        press(9, 1, 1)
        pad.call()
        #expect(pad.number.isEmpty && line.dialled == [])
    }

    @Test func callsCompleteNumberAlone() {
        pad.open()
        press(9, 1)
        pad.call()
        #expect(line.dialled == [] && pad.message == .hint && pad.isOpen)
        press(1)
        #expect(pad.message == .complete)
        pad.call()
        #expect(line.dialled == ["911"] && !pad.isOpen && pad.number.isEmpty)
    }

    @Test func closesAfterRest() {
        pad.open()
        press(1)
        clock.advance(by: EmergencyPad.idleTime / 2)
        press(2)
        clock.advance(by: EmergencyPad.idleTime / 2)
        #expect(pad.number.text == "12")
        clock.advance(by: EmergencyPad.idleTime)
        #expect(!pad.isOpen && pad.number.isEmpty && clock.pending == 0)
    }

    @Test func digitsAreBounded() {
        pad.open()
        for _ in 0..<100 { press(1) }
        #expect(pad.number.count == 6)
        press(-1, 10, 255, 300)
        #expect(pad.number.count == 6)
        for _ in 0..<100 { pad.deleteLast() }
        #expect(pad.number.isEmpty)
    }
}
