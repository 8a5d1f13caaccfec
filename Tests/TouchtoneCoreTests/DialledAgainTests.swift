// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing
import TouchtoneCore

/// Tests of the number that stays on the display after it was dialled.
@Suite @MainActor struct DialledAgainTests {
    private let clock = ManualScheduler()
    private let line = FakeLine()
    private let lines: LineRegistry
    private let phone: Phone

    init() {
        phone = Phone(tones: FakeTones(), formatter: NumberFormatter(), clock: clock, line: line)
        line.features = [.conversation, .hold]
        lines = LineRegistry(fallback: line)
        phone.calls.acceptCalls(from: lines)
        phone.paste("5558675309")
        phone.dial()
    }

    private func tap(_ keys: KeypadKey...) {
        for key in keys {
            phone.press(key, by: .pointer)
            phone.release(by: .pointer)
        }
    }

    private func end(_ reason: CallEndReason?) {
        if let reason { line.answer(reason) } else { phone.hangUp() }
    }

    @Test(
        arguments: [
            nil, .busy, .declined, .noAnswer, .noSuchNumber, .network, .connectionLost, .failed(""), .farEnd,
            .noTelHandler,
            .handedOver(to: "Calls"), .handlerFailed(name: "Calls", reason: ""),
        ] as [CallEndReason?])
    func firstKeyReplacesDialledNumber(_ reason: CallEndReason?) {
        end(reason)
        #expect(phone.displayText == "(555) 867-5309", "it stays until then")
        tap(.tone(.four), .tone(.two))
        #expect(phone.number.text == "42")
        phone.dial()
        #expect(line.dialled == ["5558675309", "42"])
    }

    @Test(arguments: [KeypadKey.tone(.star), .tone(.pound), .plus])
    func everyKeyOfNumberReplacesIt(_ key: KeypadKey) {
        end(.busy)
        tap(key, .tone(.six), .tone(.nine))
        #expect(["*69", "#69", "+69"].contains(phone.number.text))
    }

    @Test func heldZeroBeginsInternationalNumber() {
        end(.farEnd)
        phone.press(.tone(.zero), by: .pointer)
        #expect(phone.number.text == "0")
        clock.advance(by: .milliseconds(500))
        phone.release(by: .pointer)
        tap(.tone(.four), .tone(.four))
        #expect(phone.number.text == "+44")
    }

    @Test func deleteKeepsNumberToEdit() {
        end(.noSuchNumber)
        tap(.delete, .tone(.eight))
        #expect(phone.number.text == "5558675308")
    }

    @Test func copyKeepsNumberUntilNextKey() {
        end(.busy)
        #expect(phone.copy() == "(555) 867-5309")
        #expect(phone.number.text == "5558675309")
        tap(.tone(.one))
        #expect(phone.number.text == "1")
    }

    /// Also one that came in; the reason stays in the place of the duration.
    @Test func lostCallIsCalledBackWithOneKey() {
        end(.farEnd)
        line.offer("5550100")
        phone.dial()
        line.calls.last?.tell(.answered)
        line.answer(.connectionLost)
        #expect(phone.status.text == "CONNECTION LOST")
        #expect(phone.displayText == "555-0100")
        phone.dial()
        #expect(line.dialled == ["5558675309", "5550100"])
        line.calls.last?.tell(.answered)
        line.answer(.connectionLost)
        #expect(phone.displayText == "555-0100")
        tap(.tone(.four))
        #expect(phone.number.text == "4")
    }

    @Test func lostCallOfAnAddressIsCalledBack() {
        end(.farEnd)
        line.offer("", address: "xmpp:grace@example.org")
        phone.dial()
        line.calls.last?.tell(.answered)
        line.answer(.connectionLost)
        #expect(phone.address == CallAddress("xmpp:grace@example.org"))
    }

    @Test func lostCallLeavesNumberThatWasBegun() {
        end(.farEnd)
        tap(.tone(.four), .tone(.two))
        line.offer("5550100")
        phone.answer()
        line.calls.last?.tell(.answered)
        line.answer(.connectionLost)
        #expect(phone.number.text == "42")
    }

    @Test func dialDialsItAgain() {
        end(.farEnd)
        phone.dial()
        #expect(line.dialled == ["5558675309", "5558675309"])
    }

    @Test func fullNumberMakesRoom() {
        end(.busy)
        phone.paste(String(repeating: "1", count: 40))
        phone.dial()
        end(.busy)
        tap(.tone(.four))
        #expect(phone.number.text == "4" && phone.status == .ready)
    }

    @Test func recalledAndPastedNumbersCanBeContinued() {
        end(.busy)
        phone.redial()
        tap(.tone(.one))
        #expect(phone.number.text == "55586753091")
        phone.paste("555")
        tap(.tone(.one))
        #expect(phone.number.text == "5551")
    }

    @Test func keysInCallBelongToCall() {
        line.calls[0].tell(.answered)
        tap(.tone(.four))
        #expect(line.calls[0].keys == "4" && phone.number.text == "5558675309")
        tap(.delete, .plus)
        #expect(phone.number.text == "5558675309")
    }

    @Test func secondNumberIsReplacedAfterBothCalls() {
        line.calls[0].tell(.answered)
        phone.calls.flash()
        tap(.tone(.five), .tone(.five))
        phone.dial()
        line.calls[1].tell(.answered)
        phone.hangUp()
        phone.hangUp()
        tap(.tone(.seven))
        #expect(phone.number.text == "7")
    }
}
