// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Foundation
import RecordedSound
import TestSupport
import Testing

@testable import TouchtoneAudio
@testable import TouchtoneCore

/// Tests of the files of recorded calls of the practice exchange, which opusdec reads.
@MainActor
@Suite struct PracticeRecordingTests {
    private let clock = ManualScheduler()
    private let echo = FakeEcho()
    private let path: String
    private let exchange: PracticeExchange
    private let keeper: CallManager
    private let recorder: FileRecorder

    init() throws {
        let (clock, began) = (clock, clock.now)
        path = "\(try TemporaryFolders.make("touchtone-practice"))/call.opus"
        exchange = PracticeExchange(
            clock: clock, sounds: Silence(), echo: echo, plan: { nil },
            time: { TimeOfDay(hour: 11, minute: 11, second: clock.now - began) }, machine: PracticeMachine())
        keeper = CallManager(sounds: Silence(), clock: clock)
        recorder = FileRecorder(path)
        keeper.recorder = recorder
    }

    private func dial(_ number: String) {
        keeper.dial(RemoteParty(DialledNumber(number) ?? DialledNumber()), on: exchange)
        while keeper.current?.state != .connected { clock.advance(by: .milliseconds(100)) }
    }

    private var size: Int {
        (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int ?? 0
    }

    /// Lets seconds pass, no faster than the recorder writes.
    private func wait(_ seconds: Int) async throws {
        for _ in 0..<seconds {
            let before = size
            clock.advance(by: .seconds(1))
            while size == before, !recorder.isOver { try await Task.sleep(for: .milliseconds(1)) }
        }
    }

    private func finish() async throws -> DecodedSound {
        keeper.hangUp()
        while !recorder.isOver { try await Task.sleep(for: .milliseconds(1)) }
        return try DecodedSound(opus: path)
    }

    private func starts(_ sound: DecodedSound, _ frequency: Double, _ channel: Int) -> [Double] {
        sound.parts(with: frequency, channel: channel).map { ($0.lowerBound * 10).rounded() / 10 }
    }

    @Test func timeIsLeftAndTheTonesAreOnBothSides() async throws {
        dial("7672676")
        #expect(keeper.setRecorded(true))
        try await wait(20)
        let sound = try await finish()
        #expect(sound.channels.count == 2 && abs(sound.length - 20) < 0.1)
        // The call was answered 4.6 s after the full minute.
        #expect(starts(sound, 1_000, 0) == [5.4, 15.4] && starts(sound, 1_000, 1) == [])
        // The digit 1 has 697 Hz.
        #expect(sound.level(of: 700, from: 0.4, for: 0.12) > 0.05)
        #expect(sound.level(of: 700, from: 0.4, for: 1.4, channel: 1) < 0.002)
        for channel in [0, 1] {
            #expect(starts(sound, 1_400, channel) == [0, 15])
            for tone in sound.parts(with: 1_400, channel: channel) {
                #expect(abs(tone.upperBound - tone.lowerBound - 0.2) < 0.05)
            }
        }
        #expect(recorder.result?.end == .ended && recorder.result?.isSilent == false)
        #expect(abs((recorder.result?.seconds ?? 0) - sound.length) < 0.1)
    }

    @Test func holdLeavesNoGapAndJoinedCallsAreMixed() async throws {
        keeper.machineRules.hasRecordingTone = false
        dial("7672676")
        #expect(keeper.setRecorded(true))
        try await wait(2)
        keeper.flash()
        // Three rising notes.
        dial("5551234")
        keeper.join()
        try await wait(10)
        let sound = try await finish()
        #expect(abs(sound.length - 12) < 0.1)
        #expect(starts(sound, 1_400, 0) == [])
        #expect(starts(sound, 800, 0) == [2.8], "the last note, 784 Hz")
        #expect(starts(sound, 1_000, 0).count == 1)
    }

    @Test func userIsRight() async throws {
        keeper.machineRules.hasRecordingTone = false
        echo.level = 8_000
        dial("0")
        #expect(keeper.setRecorded(true))
        try await wait(4)
        keeper.setMuted(true)
        let sound = try await finish()
        // Opus does not keep a constant level, but the step to it.
        let loudest = sound.channels.map { channel in channel.map { abs($0) }.max() ?? 0 }
        #expect(loudest[1] > 0.1 && loudest[0] > 0.1)
        #expect(sound.channels[1].prefix(sound.rate).allSatisfy { abs($0) < 0.01 })
    }

    @Test func silenceIsToldApart() async throws {
        keeper.machineRules.hasRecordingTone = false
        dial("0")
        try await Task.sleep(for: .milliseconds(1))
        clock.advance(by: .seconds(3))
        #expect(keeper.setRecorded(true))
        try await wait(2)
        keeper.setRecorded(false)
        while !recorder.isOver { try await Task.sleep(for: .milliseconds(1)) }
        #expect(recorder.result?.isSilent == true && recorder.result?.end == .stopped)
    }

    /// A file that cannot be written ends the recording, and not the call.
    @Test func fileThatIsNotWrittenEndsTheRecording() async throws {
        recorder.mode = O_RDONLY
        dial("0")
        #expect(keeper.setRecorded(true))
        while !recorder.isOver {
            clock.advance(by: .milliseconds(200))
            try await Task.sleep(for: .milliseconds(1))
        }
        #expect(recorder.result?.end == .failed && keeper.current?.state == .connected)
        keeper.hangUp()
        #expect(clock.pending == 0)
    }

    // MARK: - What an echo hears

    @Test(arguments: [16_000, 44_100, 48_000]) func echoIsKeptWithItsDelay(rate: Int) {
        let keeper = EchoKeeper(rate: rate, delay: rate / 2)
        let line = EchoRingBuffer(capacity: rate)
        defer { line.deallocate() }
        /// Adds a part of 10 ms.
        func add(_ index: Int) {
            let samples = [Int16](repeating: index == 50 ? 10_000 : 0, count: rate / 100)
            samples.withUnsafeBufferPointer {
                line.write($0)
                keeper.add($0, on: line)
            }
        }
        for index in 0..<10 { add(index) }
        keeper.setKept(true)
        for index in 10..<150 { add(index) }
        let sound = keeper.take(24_000)
        let (near, far) = (sound.near.firstIndex { $0 > 5_000 }, sound.far.firstIndex { $0 > 2_500 })
        // 40 parts of 160 samples after the lead.
        #expect(abs((near ?? 0) - EchoQueue.lead - 6_400) < 160)
        #expect(abs((far ?? 0) - (near ?? 0) - 8_000) < 10)
        #expect(abs(Double(sound.far.max() ?? 0) / Double(sound.near.max() ?? 1) - 0.5) < 0.01)
        keeper.setKept(false)
        #expect(
            keeper.take(10)
                == EchoSound(near: .init(repeating: 0, count: 10), far: .init(repeating: 0, count: 10)))
    }

    /// Parts that come late leave no gap, as long as the lead lasts; what has gathered is left out.
    @Test func lateSamplesLeaveNoGap() {
        var queue = EchoQueue()
        func add(_ count: Int) {
            queue.add(
                EchoSound(near: .init(repeating: 1, count: count), far: .init(repeating: 2, count: count)))
        }
        #expect(queue.take(100).near == .init(repeating: 0, count: 100))
        add(3_200)
        let first = queue.take(3_200)
        #expect(first.near.reduce(0) { $0 + Int($1) } == 3_200 - EchoQueue.lead)
        add(2_000)
        let second = queue.take(3_200)
        #expect(Set(second.near) == [1] && Set(second.far) == [2])
        add(16_000)
        _ = queue.take(1_000)
        #expect(queue.take(EchoQueue.lead + 1).near.reduce(0) { $0 + Int($1) } == EchoQueue.lead)
    }
}

/// An output without a device.
private final class Silence: SoundOutput {
    func play(_ sound: PhoneSound, on outlet: AudioRoute) -> PlayedSound { PlayedSound(number: 0) }
    func stop(_ sound: PlayedSound) {}
}

/// A recorder with one file, without a history.
@MainActor
private final class FileRecorder: CallRecorder {
    var mode = O_RDWR
    private(set) var result: RecordingResult?
    private let path: String

    init(_ path: String) { self.path = path }

    var isOver: Bool { result != nil }

    func beginMessage(of call: Call, at now: Duration, isAloud: Bool) -> MachineAnswer? { nil }

    func beginRecording(of call: Call, at now: Duration) -> OpenFile? {
        let descriptor = open(path, mode | O_CREAT | O_CLOEXEC, 0o600)
        return descriptor < 0 ? nil : OpenFile(descriptor) { close($0) }
    }

    func endRecording(of call: Call.ID, _ result: RecordingResult) { self.result = result }
}
