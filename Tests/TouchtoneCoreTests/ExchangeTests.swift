// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing

@testable import TouchtoneCore

/// Tests of the practice exchange with a whole phone, through its keys and display.
@Suite @MainActor struct ExchangeTests {
    private let tones = FakeTones()
    private let clock = ManualScheduler()
    private let echo = FakeEcho()
    private let phone: Phone
    private let exchange: PracticeExchange
    private let lines: LineRegistry

    init() {
        let clock = clock
        let began = clock.now
        exchange = PracticeExchange(clock: clock, sounds: tones, echo: echo, plan: { .test }) {
            // 17:42:03.5 at the start of the test.
            TimeOfDay(hour: 17, minute: 42, second: .milliseconds(3500) + clock.now - began)
        }
        phone = Phone(tones: tones, formatter: NumberFormatter(), clock: clock, line: exchange)
        phone.calls.tonePlan = .test
        lines = LineRegistry(fallback: exchange)
        phone.calls.acceptCalls(from: lines)
    }

    private func dial(_ number: String) {
        phone.paste(number)
        phone.dial()
        #expect(phone.status == .dialling)
    }

    private func tap(_ key: KeypadKey) {
        phone.press(key, by: .pointer)
        phone.release(by: .pointer)
    }

    private func expectNothingLeft() {
        #expect(phone.calls.calls.isEmpty)
        #expect(tones.playing.isEmpty)
        #expect(clock.pending == 0)
        #expect(echo.log.count { $0 == "(" } == echo.log.count { $0 == ")" })
    }

    @Test(arguments: [
        ("5551234", ExchangeDestination.echo), ("2125551234", .echo), ("5551234,12", .echo),
        ("0", .operatorDesk),
        ("7672676", .time), ("5550100", .busy), ("5550101", .reorder), ("5550102", .noSuchNumber),
        ("5550103", .noAnswer), ("5550104", .callsBack), ("1", .noSuchNumber), ("555123", .noSuchNumber),
        ("15558675309", .echo), ("+12025550143", .echo), ("+442079460958", .echo), ("+5551234", .echo),
        ("12345678", .echo), ("123456789012345", .echo), ("1234567890123456", .noSuchNumber),
        ("+123456789012345", .echo), ("+1234567890123456", .noSuchNumber), ("+555123", .noSuchNumber),
        ("+12025550143,9", .echo), ("555123#", .noSuchNumber), ("+555123#", .noSuchNumber),
        ("2125550100", .echo), ("00", .noSuchNumber), ("+", .noSuchNumber),
    ])
    func numbersMapToTheirServices(_ text: String, service: ExchangeDestination) throws {
        #expect(ExchangeDestination(try #require(DialledNumber(text))) == service)
    }

    @Test(arguments: ["+12025550143", "15558675309", "442079460958"])
    func numberOfAnyLengthIsAnswered(_ number: String) {
        dial(number)
        clock.advance(by: .milliseconds(8600))
        #expect(phone.status.text == "0:00")
        phone.hangUp()
        expectNothingLeft()
    }

    @Test func echoTestRingsTwiceAnswersAndHangsUpOnPound() {
        dial("5558675309")
        clock.advance(by: .milliseconds(600))
        #expect(phone.status.text == "RINGING")
        // Two rings: 2 s on, 4 s off, 2 s on.
        clock.advance(by: .milliseconds(7999))
        #expect(phone.status.text == "RINGING")
        clock.advance(by: .milliseconds(1))
        #expect(phone.status.text == "0:00")
        clock.advance(by: .milliseconds(1160))
        #expect(echo.log == "(0.5 seconds")
        #expect(phone.displayText == "(555) 867-5309")
        clock.advance(by: .seconds(41))
        for key in [DTMFKey.one, .two] { tap(.tone(key)) }
        #expect(phone.status.text == "0:42  12")
        #expect(phone.number.text == "5558675309", "keys go to the far end")
        #expect(tones.calls.hasSuffix("1.2."))
        tap(.tone(.pound))
        #expect(phone.status.text == "ENDED 0:42")
        #expect(echo.log == "(0.5 seconds)")
        expectNothingLeft()
    }

    @Test func practiceCallEndsWithTheWayToRealOnes() {
        phone.isPracticeAlone = { $0 == "practice" }
        for expected in ["REAL CALLS: PREFERENCES", ""] {
            dial("5558675309")
            clock.advance(by: .seconds(10))
            #expect(phone.caption == "")
            phone.hangUp()
            #expect(phone.status.text == "ENDED 0:01")
            #expect(phone.caption == expected)
            tap(.tone(.one))
            #expect(phone.caption == "", "the next number is in its place")
            phone.clear()
            // Another line makes real calls.
            phone.isPracticeAlone = { _ in false }
        }
        expectNothingLeft()
    }

    @Test func missingMicrophoneIsReportedAndSilent() async {
        echo.hasMicrophone = false
        dial("0")
        clock.advance(by: .seconds(5))
        while phone.status.text != "0:02  NO MIC" {
            await Task.yield()
        }
        phone.hangUp()
        expectNothingLeft()
    }

    @Test(arguments: [
        ("5550100", "BUSY", NetworkSound.busy), ("5550101", "NETWORK BUSY", .reorder),
        ("5550102", "NO SUCH NUMBER", .specialInformation), ("42", "NO SUCH NUMBER", .specialInformation),
    ])
    func unreachableNumbersGetTheirToneAndReason(_ number: String, status: String, sound: NetworkSound) throws
    {
        dial(number)
        clock.advance(by: .seconds(1))
        #expect(phone.status.text == status)
        let cadence = try #require(TonePlan.test)[sound]
        #expect(tones.playing == [.cadence(cadence)])
        tap(.dial)
        #expect(phone.status == .ready)
        expectNothingLeft()
        #expect(phone.number.text == number)
        dial(number)
        clock.advance(by: .seconds(12))
        #expect(phone.status.text == status, "it stays until the next key")
        expectNothingLeft()
    }

    @Test func typingEndsBusyTone() {
        dial("5550100")
        clock.advance(by: .seconds(1))
        tap(.delete)
        #expect(phone.displayText == "555-010")
        #expect(phone.status == .ready)
        expectNothingLeft()
    }

    @Test func unansweredNumberRingsUntilHangUp() {
        dial("5550103")
        clock.advance(by: .seconds(170))
        #expect(phone.status.text == "RINGING")
        tap(.dial)
        #expect(phone.status == .ready)
        expectNothingLeft()
        dial("5550103")
        clock.advance(by: .seconds(181))
        #expect(phone.status.text == "NO ANSWER")
        expectNothingLeft()
    }

    @Test func timeIsSentAsKeysThenBeepEveryTenSeconds() {
        dial("767-2676")
        // 17:42:06.5 when the digits start.
        clock.advance(by: .milliseconds(600 + 2000 + 400))
        let digits = ExchangeSounds.time(TimeOfDay(hour: 17, minute: 42, second: .zero))
        #expect(tones.calls.hasSuffix("<\(PhoneSound.cadence(digits))>"))
        let frequencies = digits.segments.filter { !$0.tones.isEmpty }.map { $0.tones.map(\.frequency) }
        #expect(
            frequencies
                == [DTMFKey.one, .seven, .four, .two].map { [$0.lowFrequency, $0.highFrequency] })
        let beep = "<\(PhoneSound.cadence(ExchangeSounds.beep))>"
        func beeps() -> Int { tones.calls.split(separator: beep, omittingEmptySubsequences: false).count - 1 }
        clock.advance(by: .milliseconds(3499))
        #expect(beeps() == 0)
        clock.advance(by: .milliseconds(1))
        #expect(beeps() == 1, "17:42:10")
        clock.advance(by: .seconds(30))
        #expect(beeps() == 4)
        phone.calls.setHeld(true)
        #expect(phone.status.text == "ON HOLD")
        clock.advance(by: .seconds(30))
        #expect(beeps() == 4)
        phone.calls.setHeld(false)
        clock.advance(by: .seconds(10))
        #expect(beeps() == 5)
        phone.hangUp()
        expectNothingLeft()
    }

    @Test(arguments: [1, 5]) func exchangeCallsBackThreeSecondsAfterHangUp(seconds: Int) {
        dial("5550104")
        clock.advance(by: .seconds(seconds))
        phone.hangUp()
        clock.advance(by: .milliseconds(2999))
        #expect(tones.playing.isEmpty)
        clock.advance(by: .milliseconds(1))
        #expect(tones.playing == [.bell])
        #expect(phone.status.text == "CALL ON PRACTICE" && phone.displayText == "555-0104")
        tap(.dial)
        #expect(phone.status.text == "0:00")
        #expect(phone.displayText == "555-0104")
        clock.advance(by: .seconds(2))
        #expect(echo.log == "(0.5 seconds", "it talks back")
        tap(.dial)
        #expect(phone.status.text == "ENDED 0:02")
        clock.advance(by: .seconds(10))
        expectNothingLeft()
    }

    @Test func unansweredCallIsAbandonedAndMissed() {
        exchange.call(from: DialledNumber("5550104") ?? DialledNumber())
        phone.paste("5551212")
        #expect(phone.displayText == "555-0104", "ANSWER would not call the pasted number")
        clock.advance(by: .seconds(45))
        #expect(phone.status.text == "MISSED FROM 555-0104" && phone.displayText == "555-1212")
        expectNothingLeft()
    }

    @Test func keysDoNotReplaceCaller() {
        exchange.call(from: DialledNumber("5550104") ?? DialledNumber())
        #expect(phone.displayText == "555-0104")
        tap(.tone(.seven))
        #expect(phone.displayText == "555-0104" && phone.number.isEmpty)
        phone.hangUp()
        #expect(phone.status == .ready && phone.displayText.isEmpty)
        expectNothingLeft()
    }

    @Test(arguments: [
        ("555-0104", "CALL FROM 555-0104"), ("+44 20 7946 0958", "CALL +44 20 7946 0958"),
        ("1234567890123456789012345", "CALL 7890123456789012345"),
    ])
    func tooLongNumberKeepsItsEnd(_ number: String, text: String) {
        #expect(PhoneStatus.waiting(from: number).text == text)
    }

    @Test func callDurationIsWrittenInUsualForm() {
        func text(_ seconds: Int, _ digits: String = "", muted: Bool = false) -> String {
            PhoneStatus.connected(
                seconds: seconds, digits: digits, isMuted: muted, lacksMicrophone: false
            ).text
        }
        #expect(text(0) == "0:00")
        #expect(text(42, muted: true) == "0:42  MUTE")
        #expect(text(3723) == "1:02:03")
        #expect(text(42, String(repeating: "1", count: 39) + "#").utf8.count == PhoneStatus.maximumTextLength)
        #expect(text(42, String(repeating: "1", count: 39) + "#").hasSuffix("#"))
    }

    /// Makes two calls to the echo test; the first is on hold.
    private func talkToTwo() {
        dial("0")
        clock.advance(by: .seconds(5))
        phone.calls.flash()
        dial("5551234")
        clock.advance(by: .seconds(12))
        #expect(echo.log == "(0.5 seconds)(0.5 seconds")
    }

    @Test func joinedFarEndsAreBothHeardUntilSeparated() {
        talkToTwo()
        phone.calls.join()
        #expect(echo.log == "(0.5 seconds)(0.5 seconds(0.5 seconds")
        #expect(phone.status.text == "0:14  JOINED")
        phone.calls.flash()
        #expect(echo.log == "(0.5 seconds)(0.5 seconds(0.5 seconds)")
        phone.hangUp()
        phone.calls.flash()
        phone.hangUp()
        expectNothingLeft()
    }

    @Test func transferredFarEndsTalkToEachOther() {
        talkToTwo()
        phone.calls.transfer()
        #expect(phone.status.text == "TRANSFERRED")
        expectNothingLeft()
    }

    @Test func callIsTransferredToNumberOnDisplay() {
        dial("0")
        clock.advance(by: .seconds(5))
        phone.transfer()
        #expect(phone.status.text == "ON HOLD")
        phone.transfer()
        #expect(phone.status.text == "ENTER A NUMBER")
        phone.paste("5550102")
        phone.transfer()
        #expect(phone.status.text == "NOT TRANSFERRED")
        #expect(phone.dialKey == .hangUp && phone.displayText == "0")
        phone.transfer()
        phone.paste("5551234")
        phone.transfer()
        #expect(phone.status.text == "TRANSFERRED")
        #expect(phone.displayText.isEmpty, "DIAL would call the target")
        expectNothingLeft()
    }

    @Test func callIsTransferredToNumberThatRings() {
        dial("0")
        clock.advance(by: .seconds(5))
        phone.calls.flash()
        dial("5551234")
        clock.advance(by: .seconds(1))
        #expect(phone.status == .ringing)
        phone.transfer()
        #expect(phone.status.text == "TRANSFERRED")
        expectNothingLeft()
    }

    @Test func postDialDigitsGoToAnsweringParty() {
        dial("0,12#")
        clock.advance(by: .seconds(5))
        #expect(phone.status.text == "0:02")
        clock.advance(by: .seconds(1))
        #expect(phone.status.text == "ENDED 0:03", "# hangs up")
        #expect(phone.calls.lastEnd?.endReason == .farEnd)
        expectNothingLeft()
    }

    @Test func holdEndsEchoAndMuteSilencesIt() {
        dial("0")
        clock.advance(by: .seconds(5))
        phone.calls.setHeld(true)
        #expect(echo.log == "(0.5 seconds)")
        phone.calls.setMuted(true)
        phone.calls.setHeld(false)
        #expect(echo.log == "(0.5 seconds)(0.5 secondsm")
        phone.hangUp()
        expectNothingLeft()
    }

    @Test func callDoesNotChangeNumberUnnoticed() {
        dial("0")
        clock.advance(by: .seconds(5))
        for key in [KeypadKey.delete, .plus] { tap(key) }
        phone.press(.tone(.zero), by: .pointer)
        clock.advance(by: .seconds(1))
        phone.releaseAll()
        #expect(phone.number.text == "0")
        #expect(phone.displayText == "0")
        phone.hangUp()
        expectNothingLeft()
    }

    @Test func calleeAnswersBetweenTwoRingsWithAnyPlan() throws {
        func plan(_ text: String) throws -> Cadence {
            try TonePlanReader.cadence(text[...])
        }
        #expect(try plan("400 @ -19 on 400 off 200 on 400 off 2000").end(ofRing: 2) == .milliseconds(4000))
        #expect(try plan("425 @ -19 on 1000 off 4000").end(ofRing: 1) == .seconds(1))
        #expect(try plan("425 @ -19 continuous").end(ofRing: 2) == .seconds(8))
        #expect(Cadence.silence.end(ofRing: 1) == .seconds(4))
    }

    @Test func beepComesWithinTenSecondsButNeverAtOnce() {
        for (milliseconds, left) in [(0, 10_000), (1, 9999), (9999, 1), (10_000, 10_000), (59_999, 1)] {
            let time = TimeOfDay(hour: 0, minute: 0, second: .milliseconds(milliseconds))
            #expect(time.untilTenSeconds == .milliseconds(left))
        }
    }
}
