// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing

@testable import TouchtoneCore

/// Tests of the level of the microphone in a call.
@Suite @MainActor struct CallMicrophoneTests {
    private let fixture = CallManagerFixture()
    private var microphone: CallMicrophone { fixture.keeper.microphone }

    init() { fixture.line.features.insert(.microphoneLevel) }

    @Test func microphoneIsMeasuredOnlyWhileSomebodyLooks() {
        fixture.talk("1")
        #expect(fixture.line.calls[0].orders == [])
        microphone.isWatched = true
        #expect(fixture.line.calls[0].orders == ["watch"])
        microphone.isWatched = false
        #expect(fixture.line.calls[0].orders == ["watch", "unwatch"])
        #expect(fixture.clock.pending == 1, "only the seconds are counted")
    }

    @Test func callIsNotMeasuredBeforeAnswerOrOnHold() {
        microphone.isWatched = true
        fixture.dial("1")
        #expect(fixture.line.calls[0].orders == [])
        fixture.line.calls[0].tell(.answered)
        #expect(fixture.line.calls[0].orders == ["watch"])
        fixture.keeper.setHeld(true)
        #expect(fixture.line.calls[0].orders == ["watch", "hold", "unwatch"])
    }

    @Test func meterFollowsCallThatIsHeard() {
        microphone.isWatched = true
        fixture.talk("1")
        fixture.keeper.flash()
        fixture.talk("2")
        #expect(fixture.line.calls[0].orders == ["watch", "hold", "unwatch"])
        #expect(fixture.line.calls[1].orders == ["watch"])
        fixture.line.calls[1].tell(.microphoneLevel(-20))
        #expect(microphone.level == -20)
        fixture.line.calls[0].tell(.microphoneLevel(-10))
        #expect(microphone.level == -20, "nobody listens to the call on hold")
    }

    @Test func levelIsReportedOnceAndDoesNotChangeCalls() {
        microphone.isWatched = true
        fixture.talk("1")
        var (levels, changes): ([Double], Int) = ([], 0)
        microphone.onLevel = { [microphone] in levels.append(microphone.level) }
        fixture.keeper.observe(by: fixture) { _ in changes += 1 }
        for level in [-20.0, -20, -10] { fixture.line.calls[0].tell(.microphoneLevel(level)) }
        #expect(levels == [-20, -10])
        #expect(changes == 0)
        fixture.keeper.hangUp()
        #expect(levels == [-20, -10, CallMicrophone.silence])
    }

    @Test(arguments: [(5.0, 0.0), (.infinity, 0), (-.infinity, -90), (.nan, -90), (-500, -90)])
    func levelIsBounded(told: Double, shown: Double) {
        microphone.isWatched = true
        fixture.talk("1")
        fixture.line.calls[0].tell(.microphoneLevel(told))
        #expect(microphone.level == shown)
    }

    @Test func lineWithoutMeterIsNotAsked() {
        fixture.line.features.remove(.microphoneLevel)
        microphone.isWatched = true
        fixture.talk("1")
        #expect(fixture.line.calls[0].orders == [])
    }

    @Test func echoOfPracticeExchangeIsMeasured() async {
        let (clock, echo) = (ManualScheduler(), FakeEcho())
        let exchange = PracticeExchange(clock: clock, sounds: FakeTones(), echo: echo, plan: { .test }) {
            TimeOfDay(hour: 12, minute: 0, second: .zero)
        }
        let calls = CallManager(sounds: FakeTones(), clock: clock)
        calls.dial(RemoteParty(DialledNumber("5551234") ?? DialledNumber()), on: exchange)
        clock.advance(by: .seconds(20))
        #expect(calls.current?.state == .connected)
        #expect(echo.heard == nil)
        calls.microphone.isWatched = true
        await withCheckedContinuation { continuation in
            calls.microphone.onLevel = { continuation.resume() }
            echo.heard?(-12)
        }
        #expect(calls.microphone.level == -12)
        calls.microphone.onLevel = nil
        calls.microphone.isWatched = false
        #expect(echo.heard == nil)
    }
}
