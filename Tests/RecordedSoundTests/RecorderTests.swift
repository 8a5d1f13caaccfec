// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import RecordedSound
import TestSupport
import Testing

/// Tests of recordings, which opusdec reads.
@Suite struct RecorderTests {
    private let folder: String

    init() throws { folder = try TemporaryFolders.make("touchtone-recordings") }

    /// Records with a body that adds sound.
    ///
    /// Returns what has become of the file.
    private func record(
        _ name: String = "call.ogg", isStereo: Bool, _ body: (Recorder) -> Void
    ) throws -> Recorder.Outcome {
        let file = open("\(folder)/\(name)", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        let recorder = try #require(Recorder(descriptor: file, isStereo: isStereo))
        close(file)
        body(recorder)
        recorder.finish()
        var outcome: Recorder.Outcome?
        let deadline = ContinuousClock.now + .seconds(20)
        while outcome == nil, ContinuousClock.now < deadline {
            outcome = recorder.outcome
            usleep(2_000)
        }
        return try #require(outcome)
    }

    private func decoded(_ name: String = "call.ogg") throws -> DecodedSound {
        try DecodedSound(opus: "\(folder)/\(name)")
    }

    /// Adds seconds of a tone, or of silence, to a side in parts of 10 ms.
    private func add(
        _ frequency: Double?, _ seconds: Double, to recorder: Recorder, _ side: Recorder.Side,
        rate: Int = 8_000
    ) {
        for part in 0..<Int((seconds * 100).rounded()) {
            let samples = (0..<rate / 100).map { index -> Int16 in
                guard let frequency else { return 0 }
                return Int16(
                    8_000 * sin(2 * .pi * frequency * Double(part * rate / 100 + index) / Double(rate)))
            }
            samples.withUnsafeBufferPointer { recorder.add($0, of: side, rate: rate) }
        }
    }

    /// Adds the same time to both sides in turn.
    private func addBoth(
        _ far: Double?, _ near: Double?, _ seconds: Double, to recorder: Recorder, rate: Int = 8_000
    ) {
        for _ in 0..<Int((seconds * 10).rounded()) {
            add(far, 0.1, to: recorder, .far, rate: rate)
            add(near, 0.1, to: recorder, .near, rate: rate)
        }
    }

    @Test func farEndAloneIsMono() throws {
        let outcome = try record(isStereo: false) {
            addBoth(nil, nil, 0.5, to: $0)
            addBoth(450, 1_000, 1, to: $0)
        }
        #expect(!outcome.hasFailed && !outcome.isSilent)
        #expect(abs(outcome.seconds - 1.5) < 0.02)
        let sound = try decoded()
        #expect(sound.channels.count == 1)
        #expect(abs(sound.length - 1.5) < 0.05)
        let parts = sound.parts(with: 450)
        #expect(parts.count == 1)
        #expect(abs((parts.first?.lowerBound ?? 0) - 0.5) < 0.05)
        #expect(sound.level(of: 1_000, from: 0.6, for: 0.8) < 0.002)
        let info = try output(of: ["opusinfo", "\(folder)/call.ogg"])
        #expect(!info.contains("WARNING"), "\(info)")
    }

    @Test(arguments: [8_000, 16_000, 24_000, 32_000, 44_100, 48_000])
    func sidesAreLeftAndRight(rate: Int) throws {
        _ = try record(isStereo: true) { addBoth(450, 1_000, 1, to: $0, rate: rate) }
        let sound = try decoded()
        #expect(sound.channels.count == 2)
        for (channel, own, other) in [(0, 450.0, 1_000.0), (1, 1_000, 450)] {
            #expect(abs(sound.level(of: own, from: 0.2, for: 0.6, channel: channel) - 0.244) < 0.03)
            #expect(sound.level(of: other, from: 0.2, for: 0.6, channel: channel) < 0.01)
        }
    }

    /// The rate changes with the format of the call.
    @Test func rateMayChange() throws {
        _ = try record(isStereo: true) {
            addBoth(450, 1_000, 1, to: $0, rate: 8_000)
            addBoth(450, 1_000, 1, to: $0, rate: 48_000)
            addBoth(450, 1_000, 1, to: $0, rate: 16_000)
        }
        let sound = try decoded()
        #expect(abs(sound.length - 3) < 0.1)
        for start in [0.3, 1.3, 2.3] {
            #expect(sound.level(of: 450, from: start, for: 0.5, channel: 0) > 0.2)
            #expect(sound.level(of: 1_000, from: start, for: 0.5, channel: 1) > 0.2)
        }
    }

    /// A far end that sends nothing while nobody speaks there stays in time.
    @Test func gapsBecomeSilence() throws {
        _ = try record(isStereo: true) {
            addBoth(450, 1_000, 1, to: $0)
            for _ in 0..<20 { add(1_000, 0.1, to: $0, .near) }
            addBoth(450, 1_000, 1, to: $0)
        }
        let sound = try decoded()
        #expect(abs(sound.length - 4) < 0.2)
        #expect(sound.level(of: 450, from: 1.2, for: 1.5, channel: 0) < 0.01)
        #expect(sound.level(of: 450, from: 2.9, for: 0.4, channel: 0) > 0.2)
    }

    @Test func silenceIsNoticed() throws {
        #expect(try record(isStereo: false) { addBoth(nil, 1_000, 1, to: $0) }.isSilent)
        #expect(try record("2.ogg", isStereo: true) { addBoth(nil, nil, 1, to: $0) }.isSilent)
        #expect(try !record("3.ogg", isStereo: true) { addBoth(nil, 1_000, 1, to: $0) }.isSilent)
    }

    @Test func recordingWithoutSoundIsShort() throws {
        let outcome = try record(isStereo: false) { _ in }
        #expect(outcome.seconds == 0 && outcome.isSilent && !outcome.hasFailed)
    }

    /// A disk that does not answer fills no memory, and nobody waits for it.
    @Test func stalledDiskEndsRecording() throws {
        var pipes: [Int32] = [-1, -1]
        #expect(pipe(&pipes) == 0)
        defer { pipes.forEach { close($0) } }
        let outcome = try record(isStereo: true) { recorder in
            // Nothing can be written at a position of a pipe.
            guard let other = Recorder(descriptor: pipes[1], isStereo: true) else { return }
            addBoth(450, 1_000, 20, to: other)
            while !other.hasFailed { usleep(1_000) }
            other.finish()
            while other.outcome == nil { usleep(1_000) }
            #expect(other.outcome?.hasFailed == true)
        }
        #expect(!outcome.hasFailed)
    }

    /// The recording until the process was killed is read, but for the last second.
    @Test(arguments: [1, 3, 6]) func killedProcessLeavesReadableFile(seconds: Int) throws {
        let path = "\(folder)/killed.ogg"
        let (process, lines) = try startSoundWriter([path])
        var second = 0
        while second < seconds, let line = readLine(from: lines) { second = Int(line) ?? second }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        let sound = try DecodedSound(opus: path)
        #expect(sound.length >= Double(seconds) - 1)
        #expect(abs(sound.level(of: 450, from: 0, for: sound.length) - 0.244) < 0.05)
        #expect(abs(sound.level(of: 1_000, from: 0, for: sound.length, channel: 1) - 0.244) < 0.05)
        // The phone reads it, too.
        let read = try SoundFile.read(path, limits: .voice)
        #expect(abs(Double(read.frames.count) / Double(read.rate) - sound.length) < 0.1)
    }

    /// A full disk ends the recording, and what fits remains.
    @Test(arguments: [0, 40, 5_000, 60_000]) func fullDiskKeepsWhatFits(bytes: Int) throws {
        let path = "\(folder)/full.ogg"
        let (process, lines) = try startSoundWriter([path, "\(bytes)"])
        var last = ""
        while let line = readLine(from: lines) { last = line }
        process.waitUntilExit()
        #expect(last.hasPrefix("failed true"))
        guard bytes > 1_000 else { return }
        let sound = try DecodedSound(opus: path)
        // Two channels take about 8 kB a second.
        #expect(sound.length > Double(bytes) / 16_000 - 1)
        #expect(sound.level(of: 450, from: 0, for: sound.length) > 0.2 || bytes < 10_000)
    }

    private func startSoundWriter(_ arguments: [String]) throws -> (Process, FileHandle) {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent("soundwriter")
        process.arguments = arguments
        process.standardOutput = output
        try process.run()
        return (process, output.fileHandleForReading)
    }

    private func readLine(from handle: FileHandle) -> String? {
        var line = Data()
        while let byte = try? handle.read(upToCount: 1), byte.count == 1 {
            if byte[0] == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
            line += byte
        }
        return nil
    }
}
