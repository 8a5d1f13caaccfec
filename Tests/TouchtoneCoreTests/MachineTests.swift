// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import TestSupport
import Testing

@testable import TouchtoneCore

/// Tests of which calls the answering machine takes, when, and what becomes of them.
@MainActor
@Suite struct MachineTests {
    private let fixture = CallManagerFixture()
    private let recorder = FakeRecorder()
    private var keeper: CallManager { fixture.keeper }

    init() {
        fixture.line.features.formUnion([.machine, .recording])
        keeper.recorder = recorder
        keeper.machineRules.isOn = true
    }

    private func wait(_ seconds: Int) { fixture.clock.advance(by: .seconds(seconds)) }

    /// Offers a call, and lets the machine record it.
    private func recordMessage(from number: String = "5551234") {
        fixture.line.offer(number)
        wait(20)
        fixture.line.calls.last?.tell(.machineRecords)
    }

    @Test(arguments: [5, 20, 60]) func itAnswersAfterSomeTime(_ seconds: Int) {
        keeper.machineRules.delay = .seconds(seconds)
        fixture.line.offer("5551234")
        wait(seconds - 1)
        #expect(keeper.incoming != nil && fixture.heard == ["bell"])
        wait(1)
        #expect(keeper.onMachine?.remote.number.text == "5551234" && keeper.incoming == nil)
        #expect(fixture.line.calls[0].orders == ["machine 180 aloud"] && fixture.heard.isEmpty)
        #expect(!keeper.hasLiveCall && keeper.current == nil)
    }

    @Test func callerWhoHangsUpLeavesMissedCallWithMessage() throws {
        recordMessage()
        #expect(keeper.onMachine?.isMessageBegun == true)
        let call = try #require(fixture.line.calls.last)
        call.tell(.recorded(seconds: 7.5, .ended, isSilent: false))
        call.tell(.ended(.farEnd))
        #expect(recorder.ended[1] == RecordingResult(seconds: 7.5, end: .ended, isSilent: false))
        #expect(fixture.records.map(\.isMissed) == [true] && fixture.records[0].duration == nil)
        fixture.expectNothingLeft()
    }

    @Test func userTakesItOver() throws {
        recordMessage()
        let call = try #require(fixture.line.calls.last)
        keeper.answer()
        #expect(call.orders.suffix(1) == ["take over"] && keeper.current?.state == .connected)
        call.tell(.recorded(seconds: 3, .stopped, isSilent: false))
        wait(30)
        keeper.hangUp()
        #expect(fixture.records.map(\.duration) == [.seconds(30)] && !fixture.records[0].isMissed)
        fixture.expectNothingLeft()
    }

    @Test func userEndsIt() {
        recordMessage()
        keeper.decline()
        #expect(fixture.line.calls[0].orders.last == "hang up")
        #expect(!fixture.records[0].isMissed && recorder.ended.isEmpty)
        fixture.line.calls[0].tell(.recorded(seconds: 2, .ended, isSilent: false))
        #expect(recorder.ended[1]?.seconds == 2)
        fixture.expectNothingLeft()
    }

    /// A line that reports nothing after the end leaves the length to the file.
    @Test func endOfRecordingIsNotWaitedForLong() {
        recordMessage()
        keeper.decline()
        wait(3)
        #expect(recorder.ended[1] == RecordingResult(seconds: nil, end: nil, isSilent: false))
        fixture.line.calls[0].tell(.recorded(seconds: 2, .ended, isSilent: true))
        #expect(recorder.ended[1]?.isSilent == false)
        fixture.expectNothingLeft()
    }

    @Test func callerWhoLeavesDuringGreetingLeavesNothing() {
        fixture.line.offer("5551234")
        wait(20)
        fixture.line.calls[0].tell(.ended(.farEnd))
        wait(3)
        #expect(recorder.ended[1]?.isSilent == true && fixture.records[0].isMissed)
    }

    @Test func itIsOffWithoutItsSwitchOrTheFeature() {
        keeper.machineRules.isOn = false
        fixture.line.offer("5551234")
        wait(60)
        #expect(keeper.incoming != nil)
        keeper.machineRules.isOn = true
        #expect(keeper.onMachine != nil, "the time has passed")
        keeper.decline()
        fixture.line.features.remove(.machine)
        fixture.line.offer("5551235")
        wait(60)
        #expect(keeper.incoming != nil)
    }

    @Test func quietPhoneAnswersAtOnceAndSilently() {
        keeper.quietness = .on
        fixture.line.offer("5551234")
        #expect(fixture.line.calls[0].orders == ["machine 180"])
        keeper.decline()
        keeper.quietness = .off
        fixture.line.offer("5551235")
        #expect(keeper.incoming != nil)
        keeper.quietness = .on
        #expect(keeper.onMachine?.remote.number.text == "5551235")
    }

    @Test func seventhCallerTalksToTheMachine() {
        fixture.fill()
        fixture.line.offer("7")
        #expect(fixture.line.calls[6].orders == ["machine 180"], "nobody is heard beside a call")
        fixture.line.offer("8")
        #expect(fixture.line.calls[7].orders == ["busy"], "there is one machine")
        keeper.answer()
        #expect(keeper.onMachine != nil, "there is no room to take it over")
        for id in 1...6 { keeper.hangUp(id) }
        #expect(fixture.line.calls[6].orders.last == "aloud")
        keeper.answer()
        #expect(keeper.current?.remote.number.text == "7")
    }

    @Test func onlyUnknownCallersAreScreened() async {
        keeper.machineRules.callers = .unknown
        keeper.callers.knows = { $0.number.text == "1" }
        for (number, isTaken) in [("1", false), ("2", true)] {
            fixture.line.offer(number)
            await Task.yield()
            await settle()
            wait(20)
            #expect((keeper.onMachine != nil) == isTaken, "\(number)")
            keeper.decline()
        }
        keeper.quietness = .on
        for (number, isTaken) in [("1", false), ("2", true)] {
            fixture.line.offer(number)
            await settle()
            #expect((keeper.onMachine != nil) == isTaken, "\(number)")
            keeper.decline()
        }
    }

    @Test func screenedCallersWithoutRoomAreLookedUpFirst() async {
        keeper.machineRules.callers = .unknown
        keeper.callers.knows = { $0.number.text == "7" }
        fixture.fill()
        fixture.line.offer("7")
        fixture.line.offer("8")
        await settle()
        #expect(fixture.line.calls[6].orders == ["busy"] && fixture.line.calls[7].orders == ["machine 180"])
        #expect(fixture.records.last?.endReason == .busy)
    }

    private func settle() async { for _ in 0..<20 { await Task.yield() } }

    @Test func hiddenCallersCanGoToTheMachine() {
        keeper.callers.hidden = .machine
        fixture.line.offer("")
        #expect(fixture.line.calls[0].orders == ["machine 180 aloud"] && fixture.heard.isEmpty)
        keeper.decline()
        keeper.machineRules.isOn = false
        fixture.line.offer("")
        #expect(keeper.incoming != nil, "without a machine, nothing is lost")
    }

    @Test func unknownCallersCanGoToTheMachineAtOnce() async {
        keeper.callers.unknown = .machine
        keeper.callers.knows = { $0.number.text == "1" }
        fixture.line.offer("1")
        #expect(fixture.heard.isEmpty, "it is not known yet whether it rings")
        await settle()
        #expect(keeper.incoming != nil && fixture.heard == ["bell"])
        keeper.decline()
        fixture.line.offer("2")
        await settle()
        #expect(fixture.line.calls[1].orders == ["machine 180 aloud"] && keeper.onMachine != nil)
        keeper.decline()
        keeper.machineRules.isOn = false
        fixture.line.offer("2")
        await settle()
        #expect(keeper.incoming != nil, "without a machine, nothing is lost")
    }

    @Test func blockedCallersAndEmergencyServicesNeverMeetIt() {
        keeper.blockList.entries = ["5551234"]
        keeper.emergency = EmergencyNumbers { $0 == "110" }
        keeper.quietness = .on
        fixture.line.offer("5551234")
        #expect(fixture.line.calls[0].orders == ["hang up"] && recorder.begun.isEmpty)
        fixture.line.offer("110")
        wait(60)
        #expect(keeper.incoming != nil)
        keeper.decline()
        // Help calls back from any number.
        fixture.talk("110")
        keeper.hangUp()
        fixture.line.offer("5559999")
        wait(60)
        #expect(keeper.incoming != nil)
        keeper.decline()
        wait(15 * 60)
        fixture.line.offer("5559999")
        #expect(keeper.onMachine != nil)
    }

    @Test func callRingsOnIfNothingCanBeRecorded() {
        recorder.isFull = true
        fixture.line.offer("5551234")
        wait(60)
        #expect(keeper.incoming != nil && fixture.heard == ["bell"])
        keeper.quietness = .on
        fixture.talk("1")
        keeper.decline()
        fixture.fill()
        fixture.line.offer("7")
        #expect(fixture.line.calls.last?.orders == ["busy"])
    }

    @Test func lockedPhoneIsSilent() {
        keeper.machineRules.isLocked = true
        fixture.line.offer("5551234")
        wait(20)
        #expect(fixture.line.calls[0].orders == ["machine 180"])
        keeper.machineRules.isLocked = false
        #expect(fixture.line.calls[0].orders.last == "aloud")
        fixture.talk("1")
        #expect(fixture.line.calls[0].orders.last == "silent")
    }

    @Test func lineThatReportsNothingDoesNotKeepTheMachine() {
        fixture.line.offer("5551234")
        wait(20)
        wait(12 * 60)
        #expect(keeper.calls.isEmpty && fixture.line.calls[0].orders.last == "hang up")
        wait(3)
        fixture.expectNothingLeft()
    }

    // MARK: - REC

    @Test func bothSidesAreRecorded() {
        #expect(!keeper.canRecord)
        fixture.talk("1")
        #expect(keeper.canRecord && keeper.setRecorded(true) && keeper.current?.isRecorded == true)
        #expect(keeper.setRecorded(true) && keeper.setRecorded(false) && !keeper.canRecord)
        #expect(fixture.line.calls[0].orders == ["record with tone", "stop recording"])
        fixture.line.calls[0].tell(.recorded(seconds: 4, .stopped, isSilent: false))
        #expect(recorder.ended[1]?.seconds == 4 && keeper.canRecord)
        keeper.machineRules.hasRecordingTone = false
        #expect(keeper.setRecorded(true) && fixture.line.calls[0].orders.last == "record")
        fixture.line.calls[0].tell(.recorded(seconds: 9, .ended, isSilent: false))
        fixture.line.calls[0].tell(.ended(.farEnd))
        #expect(recorder.ended[1]?.seconds == 9)
        fixture.expectNothingLeft()
    }

    @Test func nothingIsRecordedWithoutFileOrFeature() {
        fixture.talk("1")
        recorder.isFull = true
        #expect(!keeper.setRecorded(true) && keeper.current?.isRecorded == false)
        #expect(fixture.line.calls[0].orders.isEmpty)
        keeper.hangUp()
        fixture.line.features.remove(.recording)
        fixture.talk("2")
        #expect(!keeper.canRecord && !keeper.setRecorded(true))
    }

    // MARK: - Any order

    private static let events: [CallEvent] = [
        .machineRecords, .answered, .recorded(seconds: 1, .silence, isSilent: true),
        .recorded(seconds: 1, .ended, isSilent: false), .ended(.farEnd), .ended(.busy), .ended(.hungUp),
    ]

    /// Whatever happens in whatever order: one call is at the machine at most, and at the end nothing is left.
    @Test(arguments: Seeds.all) func anyOrderLeavesNothingBehind(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<200 {
            let fixture = CallManagerFixture()
            let (keeper, recorder) = (fixture.keeper, FakeRecorder())
            fixture.line.features.formUnion([.machine, .recording])
            keeper.recorder = recorder
            keeper.machineRules.isOn = true
            for _ in 0..<40 {
                switch Int.random(in: 0..<14, using: &random) {
                case 0, 1: fixture.line.offer("2")
                case 2: fixture.line.offer("")
                case 3: fixture.dial("1")
                case 4: keeper.answer()
                case 5: keeper.hangUp()
                case 6: keeper.decline()
                case 7: keeper.quietness = [.off, .exceptions, .on].randomElement(using: &random) ?? .off
                case 8: keeper.machineRules.isOn.toggle()
                case 9: keeper.setRecorded(Bool.random(using: &random))
                case 10: recorder.isFull.toggle()
                case 11: fixture.clock.advance(by: .seconds(21))
                case 12: keeper.callers.hidden = Bool.random(using: &random) ? .machine : .decline
                default:
                    if let event = Self.events.randomElement(using: &random) {
                        fixture.line.calls.randomElement(using: &random)?.tell(event)
                    }
                }
                let states = keeper.calls.map(\.state)
                #expect(states.count { $0 == .machine } <= 1 && !states.contains(.idle))
                #expect(states.count { $0 != .machine } <= CallManager.capacity)
            }
            keeper.hangUpAll()
            fixture.clock.advance(by: .seconds(4))
            fixture.expectNothingLeft("seed \(seed)")
            #expect(Set(recorder.begun) == Set(recorder.ended.keys))
        }
    }
}
