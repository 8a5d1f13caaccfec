// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing

@testable import TouchtoneCore

/// Tests of the answering machine with the practice exchange, whose 555-0104 leaves a message.
@MainActor
@Suite struct AnsweringMachineTests {
    private let clock = ManualScheduler()
    private let tones = FakeTones()
    private let memory = MemoryRecordings()
    private let sound = FakeExchangeMachine()
    private let exchange: PracticeExchange
    private let phone: Phone
    private let lines: LineRegistry
    private let history: CallHistory
    private let machine: AnsweringMachine
    private let store = MemoryHistoryStore()

    init() {
        exchange = PracticeExchange(
            clock: clock, sounds: tones, echo: FakeEcho(), plan: { .test },
            time: { TimeOfDay(hour: 12, minute: 0, second: .zero) }, machine: sound)
        phone = Phone(tones: tones, formatter: NumberFormatter(), clock: clock, line: exchange)
        phone.calls.tonePlan = .test
        lines = LineRegistry(fallback: exchange)
        phone.calls.acceptCalls(from: lines)
        history = CallHistory(store: store, contacts: nil, wall: FixedWallClock())
        let recordings = Recordings(store: memory, folder: memory, history: history)
        machine = AnsweringMachine(
            recordings: recordings, calls: phone.calls, history: history, wall: FixedWallClock())
        machine.openGreeting = { OpenFile(-1) { _ in } }
        machine.isOn = true
        phone.calls.observe(by: history) { [history] in
            if case .ended(let record) = $0 { history.note(record) }
        }
    }

    private func settle() async { for _ in 0..<20 { await Task.yield() } }

    /// Makes a number of the exchange call, and lets the machine answer.
    private func beCalled(by number: String = "5550104") {
        exchange.call(from: DialledNumber(number) ?? DialledNumber())
        clock.advance(by: .seconds(20))
    }

    @Test func callBackLeavesMessage() throws {
        beCalled()
        #expect(phone.status.text == "MACHINE ANSWERS" && phone.dialKey == .answer)
        #expect(phone.displayText == "555-0104" && phone.lineName == "ANS  PRACTICE")
        #expect(memory.begun == [1] && memory.files.count == 1)
        sound.message?.isRecording = true
        clock.advance(by: PracticeMessage.step)
        #expect(phone.status.text == "RECORDING" && machine.isRecording && machine.isAnswering)
        clock.advance(by: .seconds(1))
        #expect(tones.calls.contains("frequency: 392.0"), "the caller is heard")
        clock.advance(by: .seconds(10))
        #expect(phone.calls.calls.isEmpty && tones.playing.isEmpty && clock.pending == 0)
        #expect(memory.ends.values.first == .kept(length: .seconds(4), isHeard: false))
        #expect(phone.statusText.hasPrefix("MISSED"))
        phone.unheardMessages = 2
        #expect(phone.statusText == "2 MESSAGES")
        (phone.missedCalls, phone.unheardMessages) = (1, 1)
        #expect(phone.statusText == "1 MESSAGE  1 MISSED")
    }

    @Test func callerWhoSaysNothingLeavesNothing() {
        beCalled(by: "0")
        sound.message?.isRecording = true
        clock.advance(by: .seconds(2))
        #expect(phone.calls.calls.isEmpty && memory.ends.values.first == .nothing && memory.files.isEmpty)
        #expect(phone.calls.lastEnd?.isMissed == true)
    }

    @Test func messageEndsAtTheLimitOfTheMachine() {
        beCalled()
        sound.message?.isRecording = true
        clock.advance(by: .seconds(3))
        sound.message?.end = .limit
        clock.advance(by: .seconds(1))
        #expect(phone.calls.calls.isEmpty && tones.playing.isEmpty && clock.pending == 0)
        #expect(memory.ends.values.first == .kept(length: .seconds(4), isHeard: false))
    }

    @Test func userTakesTheCallOver() {
        beCalled()
        sound.message?.isRecording = true
        clock.advance(by: .seconds(3))
        phone.dial()
        #expect(phone.calls.current?.state == .connected && phone.calls.onMachine == nil)
        #expect(memory.ends.values.first == .kept(length: .seconds(4), isHeard: true))
        #expect(tones.isLastStopped)
        phone.hangUp()
        #expect(phone.calls.calls.isEmpty && tones.playing.isEmpty && clock.pending == 0)
    }

    @Test func hangingUpKeepsTheMessage() {
        beCalled()
        sound.message?.isRecording = true
        clock.advance(by: .seconds(3))
        phone.calls.decline()
        #expect(memory.ends.values.first == .kept(length: .seconds(4), isHeard: false) && clock.pending == 0)
    }

    @Test func fullDiskIsReportedOnceAndTheCallRingsOn() {
        memory.failure = .diskFull
        var reports = 0
        machine.observe(by: history) { reports += 1 }
        for _ in 0..<2 {
            beCalled()
            #expect(phone.calls.incoming != nil && machine.problem == .diskFull)
            phone.calls.decline()
        }
        #expect(reports == 1)
        memory.failure = nil
        beCalled()
        #expect(phone.calls.onMachine != nil && machine.problem == nil)
    }

    @Test func missingGreetingIsReported() {
        machine.openGreeting = { nil }
        beCalled()
        #expect(machine.problem == .noGreeting && phone.calls.incoming != nil && memory.files.isEmpty)
    }

    @Test func fullSpaceIsReported() async {
        memory.size = Recordings.maximumBytes + 1
        machine.recordings.start()
        await settle()
        beCalled()
        #expect(machine.problem == .tooManyUnheard && phone.calls.incoming != nil)
    }

    /// Once the user has heard the messages, or has deleted them, the machine answers again.
    @Test(arguments: [true, false]) func spaceIsFreeAgainAfterMessagesAreHeard(isDeleted: Bool) async {
        memory.size = Recordings.maximumBytes + 1
        memory.kept = [
            Recording(
                id: 7, entry: 1,
                call: PastCall(
                    direction: .incoming, remote: RemoteParty(DialledNumber("5550104") ?? DialledNumber()),
                    line: "practice", began: ChatTime(milliseconds: 0), endReason: .noAnswer, seconds: 20),
                kind: .message, length: .seconds(20), isHeard: false, file: "a.opus")
        ]
        machine.recordings.start()
        await settle()
        #expect(machine.recordings.isFull && machine.recordings.unheard == 1)
        beCalled()
        #expect(machine.problem == .tooManyUnheard)
        phone.calls.decline()
        if isDeleted { machine.recordings.delete(7) } else { machine.recordings.markHeard(7) }
        await settle()
        #expect(!machine.recordings.isFull && machine.problem == nil)
        beCalled()
        #expect(machine.problem == nil && phone.calls.onMachine != nil)
    }

    @Test func rowThatIsNotWrittenIsReported() async {
        memory.storeError = .full
        beCalled()
        await settle()
        #expect(machine.problem == .failed("") && memory.files.isEmpty)
    }

    @Test func recordedCallIsNoMessage() throws {
        phone.paste("5551234")
        phone.dial()
        let call = try #require(phone.calls.current)
        #expect(machine.beginRecording(of: call, at: clock.now) != nil)
        phone.hangUp()
        machine.endRecording(of: call.id, RecordingResult(seconds: 2, end: .ended, isSilent: false))
        #expect(memory.ends.values.first == .kept(length: .seconds(2), isHeard: true))
    }

    @Test func settingIsSaved() {
        var saved: [Bool] = []
        machine.save = { saved.append($0) }
        machine.isOn = false
        machine.isOn = false
        machine.isOn = true
        #expect(saved == [false, true] && phone.lineName == "ANS  PRACTICE")
    }

    // MARK: - Recordings

    private func recording(_ id: Int64, isHeard: Bool = false) -> Recording {
        Recording(
            id: id, entry: id, call: .made(), kind: .message, length: .seconds(3), isHeard: isHeard,
            file: "\(id)")
    }

    @Test func newMessagesAreReportedOnce() async {
        let recordings = machine.recordings
        var arrived: [Int64] = []
        recordings.observe(by: history) {
            if case .arrived(let recording) = $0 { arrived.append(recording.id) }
        }
        memory.kept = [recording(5), recording(3)]
        recordings.start()
        await settle()
        #expect(arrived.isEmpty && recordings.unheard == 2, "those of an earlier run are not new")
        memory.kept = [recording(6), recording(5), recording(4), recording(3)]
        recordings.trim()
        await settle()
        #expect(arrived.sorted() == [4, 6] && recordings.all.map(\.id) == [6, 5, 4, 3])
        recordings.delete(6)
        await settle()
        #expect(recordings.unheard == 3)
        recordings.restore(6)
        recordings.markHeard(5)
        await settle()
        #expect(
            arrived.count == 2 && recordings.unheard == 3
                && recordings.recordings(of: 5).first?.isHeard == true)
    }
}

extension PastCall {
    fileprivate static func made() -> PastCall {
        PastCall(
            direction: .incoming, remote: RemoteParty(DialledNumber("5550104") ?? DialledNumber()),
            line: "practice",
            began: ChatTime(milliseconds: 0), endReason: .farEnd, seconds: nil)
    }
}
