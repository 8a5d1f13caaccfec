// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import TestSupport
import Testing

@testable import TouchtoneCore

/// Tests of REC in calls of the practice exchange.
@MainActor
@Suite struct ExchangeRecordingTests {
    private let clock = ManualScheduler()
    private let tones = FakeTones()
    private let echo = FakeEcho()
    private let memory = MemoryRecordings()
    private let sound = FakeExchangeMachine()
    private let phone: Phone
    private let lines: LineRegistry
    private let machine: AnsweringMachine
    private let history = CallHistory(store: MemoryHistoryStore(), contacts: nil, wall: FixedWallClock())

    init() {
        let (clock, began) = (clock, clock.now)
        let exchange = PracticeExchange(
            clock: clock, sounds: tones, echo: echo, plan: { .test },
            time: { TimeOfDay(hour: 12, minute: 0, second: clock.now - began) }, machine: sound)
        phone = Phone(tones: tones, formatter: NumberFormatter(), clock: clock, line: exchange)
        phone.calls.tonePlan = .test
        lines = LineRegistry(fallback: exchange)
        phone.calls.acceptCalls(from: lines)
        let recordings = Recordings(store: memory, folder: memory, history: history)
        machine = AnsweringMachine(
            recordings: recordings, calls: phone.calls, history: history, wall: FixedWallClock())
        phone.calls.observe(by: history) { [history] in
            if case .ended(let record) = $0 { history.note(record) }
        }
    }

    private var calls: CallManager { phone.calls }
    private var recording: FakeExchangeMachine.Recording? { sound.recordings.last }
    private var seconds: Double { Double(recording?.count ?? 0) / Double(ExchangeSound.rate) }
    private var hasTone: Bool { tones.playing.contains(.cadence(ExchangeSounds.recording)) }

    private func wait(_ milliseconds: Int) { clock.advance(by: .milliseconds(milliseconds)) }

    /// Lets the exchange answer; an operator does after one ring of two seconds.
    private func dial(_ number: String) {
        phone.paste(number)
        phone.dial()
        wait(2600)
        while calls.current?.state != .connected { wait(100) }
    }

    /// Waits until the end of the last recording was reported.
    private func settle() async { for _ in 0..<20 { await Task.yield() } }

    private func expectNothingLeft(_ comment: Comment? = nil) {
        #expect(calls.calls.isEmpty && tones.playing.isEmpty && clock.pending == 0, comment)
        let areFinished = sound.recordings.allSatisfy(\.isFinished)
        #expect(areFinished, comment)
    }

    private func isNear(_ one: Double, _ other: Double) -> Bool { abs(one - other) < 0.01 }

    @Test func farEndsSoundIsRecordedAtItsTime() async throws {
        dial("7672676")
        #expect(calls.canRecord && calls.setRecorded(true) && calls.current?.isRecorded == true)
        #expect(phone.lineName == "REC  PRACTICE" && memory.files.count == 1)
        wait(20_000)
        calls.setRecorded(false)
        #expect(!calls.canRecord && isNear(seconds, 20))
        await settle()
        #expect(calls.canRecord && phone.lineName == "PRACTICE")
        #expect(memory.ends.values.first == .kept(length: .seconds(20), isHeard: true))
        let cadences = try #require(recording).cadences
        // The call was answered 2.6 s after the full minute.
        #expect(cadences.map { Int(($0.began / .milliseconds(1)).rounded()) } == [400, 7400, 17_400])
        phone.hangUp()
        expectNothingLeft()
    }

    @Test func microphoneIsNearAndItsEchoFar() async throws {
        echo.level = 100
        dial("0")
        calls.setRecorded(true)
        #expect(echo.log.isEmpty, "no microphone is opened for a recording")
        wait(7000)
        let sum = try #require(recording).echoes
        #expect(isNear(Double(sum.count) / Double(ExchangeSound.rate), 5.84), "three notes come first")
        #expect(sum.near == 100 * sum.count && sum.far == 50 * sum.count)
        phone.hangUp()
        await settle()
        #expect(memory.ends.values.first == .kept(length: .seconds(7), isHeard: true))
        let taken = echo.taken
        dial("0")
        wait(5000)
        #expect(echo.taken == taken, "nothing is kept for a call that is not recorded")
        phone.hangUp()
        expectNothingLeft()
    }

    @Test func recordingBeginsWhileTheEchoRuns() {
        echo.level = 100
        dial("0")
        wait(3000)
        calls.setRecorded(true)
        wait(1000)
        #expect(recording?.echoes.near == 100 * ExchangeSound.rate)
        phone.hangUp()
    }

    @Test func toneTellsBothSidesUnlessItIsOff() async {
        dial("0")
        calls.setRecorded(true)
        #expect(hasTone)
        wait(3000)
        phone.calls.setHeld(true)
        #expect(!hasTone)
        wait(5000)
        phone.calls.setHeld(false)
        #expect(hasTone)
        wait(1000)
        #expect(recording?.tones == [.zero, .seconds(3)], "it tells again that the recording goes on")
        phone.hangUp()
        #expect(!hasTone)
        machine.rules.hasRecordingTone = false
        dial("0")
        calls.setRecorded(true)
        wait(1000)
        #expect(!hasTone && recording?.tones == [] && isNear(seconds, 1))
        phone.hangUp()
        await settle()
        expectNothingLeft()
    }

    @Test func recordingPausesOnHold() async {
        dial("0")
        calls.setRecorded(true)
        wait(3000)
        calls.setHeld(true)
        wait(60_000)
        #expect(isNear(seconds, 3) && calls.current?.isRecorded == true)
        calls.setHeld(false)
        wait(2000)
        #expect(isNear(seconds, 5))
        calls.setHeld(true)
        phone.hangUp()
        await settle()
        #expect(memory.ends.values.first == .kept(length: .seconds(5), isHeard: true))
        expectNothingLeft()
    }

    @Test func joinedCallsAreRecordedTogether() async throws {
        echo.level = 100
        dial("7672676")
        calls.setRecorded(true)
        wait(3000)
        calls.flash()
        dial("0")
        wait(5000)
        #expect(isNear(seconds, 3), "the held call is not heard")
        #expect(sound.recordings.count == 1)
        calls.join()
        #expect(calls.calls.map(\.state) == [.joined, .joined])
        wait(20_000)
        let recording = try #require(recording)
        #expect(isNear(seconds, 23) && recording.cadences.count >= 3)
        #expect(recording.echoes.near == 100 * 20 * ExchangeSound.rate, "the operator is in it")
        phone.hangUp()
        await settle()
        #expect(memory.ends.values.first == .kept(length: .seconds(23), isHeard: true))
        expectNothingLeft()
    }

    /// Two calls that were recorded apart stay so once they are joined.
    @Test func eachOfJoinedCallsHasItsRecording() async {
        dial("0")
        calls.setRecorded(true)
        wait(1000)
        calls.flash()
        dial("5551234")
        calls.setRecorded(true)
        wait(2000)
        calls.join()
        wait(4000)
        let counts = sound.recordings.map { $0.count / ExchangeSound.rate }
        #expect(counts == [5, 6])
        #expect(tones.playing.count { $0 == .cadence(ExchangeSounds.recording) } == 1)
        phone.hangUp()
        await settle()
        #expect(
            Set(memory.ends.values) == [
                .kept(length: .seconds(5), isHeard: true), .kept(length: .seconds(6), isHeard: true),
            ])
        expectNothingLeft()
    }

    @Test(arguments: ["far end", "user", "transfer"]) func recordingEndsWithTheCall(by who: String) async {
        dial("0")
        calls.setRecorded(true)
        wait(4000)
        switch who {
        case "far end": phone.press(.tone(.pound), by: .pointer)
        case "user": phone.hangUp()
        default:
            calls.prepareTransfer()
            calls.transfer(to: RemoteParty(DialledNumber("5551234") ?? DialledNumber()))
        }
        await settle()
        #expect(memory.ends.values.first == .kept(length: .seconds(4), isHeard: true))
        expectNothingLeft()
    }

    @Test func fullDiskEndsTheRecordingAndNotTheCall() async {
        dial("0")
        calls.setRecorded(true)
        wait(4000)
        recording?.hasFailed = true
        wait(200)
        await settle()
        #expect(calls.current?.isRecorded == false && calls.current?.state == .connected && !hasTone)
        #expect(machine.problem == .failed("") && memory.ends.count == 1)
        phone.hangUp()
        expectNothingLeft()
    }

    @Test func nothingIsRecordedWithoutRoom() {
        memory.failure = .diskFull
        dial("0")
        #expect(!calls.setRecorded(true) && sound.recordings.isEmpty && !hasTone)
        #expect(machine.problem == .diskFull)
        phone.hangUp()
        expectNothingLeft()
    }

    /// Whatever is done in whatever order, each recording ends once, and nothing is left.
    @Test(arguments: Seeds.all) func anyOrderLeavesNothingBehind(seed: UInt64) async {
        var random = SplitMix64(seed: seed)
        for _ in 0..<60 {
            switch Int.random(in: 0..<9, using: &random) {
            case 0, 1:
                phone.paste(["0", "7672676", "5551234", "5550104"].randomElement(using: &random) ?? "0")
                phone.dial()
            case 2, 3: calls.setRecorded(Bool.random(using: &random))
            case 4: calls.flash()
            case 5: calls.join()
            case 6: calls.answer()
            case 7: phone.hangUp()
            default: recording?.hasFailed = Bool.random(using: &random)
            }
            wait(Int.random(in: 0...5000, using: &random))
            await settle()
            let recorded = calls.calls.contains { $0.isRecorded && $0.state != .held }
            #expect(hasTone == recorded, "seed \(seed)")
        }
        calls.hangUpAll()
        await settle()
        // 555-0104 calls back.
        wait(60_000)
        calls.hangUpAll()
        wait(60_000)
        expectNothingLeft("seed \(seed)")
        #expect(memory.ends.count == sound.recordings.count, "seed \(seed)")
    }
}
