// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import RecordedSound
import TestSupport
import Testing

@testable import TouchtoneAudio
@testable import TouchtoneCore

/// Tests of the greetings, and of the messages that the practice exchange leaves.
@MainActor
@Suite struct PracticeMachineTests {
    private nonisolated static let languages = ["ar", "de", "en", "es", "fr", "ja"]

    /// Each greeting is short, small and audible.
    @Test(arguments: languages) func greetingIsAudible(_ language: String) throws {
        let path = "\(Checkout.folder)/data/greetings/\(language).opus"
        let sound = try SoundFile.read(path, limits: .greeting)
        let seconds = Double(sound.frames.count) / Double(sound.rate)
        #expect((3...15).contains(seconds), "\(seconds) s")
        let power = sound.frames.reduce(0) { $0 + $1 * $1 } / Float(sound.frames.count)
        #expect((0.001...0.5).contains(power), "its power is \(power)")
        let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? .max
        #expect(size < 50_000)
    }

    private func open(_ path: String, _ flags: Int32) throws -> OpenFile {
        let descriptor = Glibc.open(path, flags | O_CLOEXEC, 0o600)
        try #require(descriptor >= 0)
        return OpenFile(descriptor) { close($0) }
    }

    /// Opens a file that is gone when it is closed.
    private func openNameless() throws -> OpenFile {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("touchtone-\(UUID())").path
        defer { unlink(path) }
        return try open(path, O_RDWR | O_CREAT | O_EXCL)
    }

    /// The greeting is played to its end, and what is said after the tone is in the file.
    @Test func messageIsRecorded() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("touchtone-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let answer = MachineAnswer(
            greeting: try open("\(Checkout.folder)/data/greetings/en.opus", O_RDONLY),
            recording: try open("\(folder)/message.opus", O_RDWR | O_CREAT), limit: .seconds(60),
            isAloud: false)
        let message = PracticeMachine().begin(answer)
        var before = Duration.zero
        // Many other tests use the same thread.
        let deadline = ContinuousClock.now + .seconds(600)
        // The greeting is read on another thread; until then, no time passes.
        while !message.isRecording, ContinuousClock.now < deadline {
            message.advance(by: .milliseconds(200), saying: nil, from: .zero)
            before += .milliseconds(200)
            await Task.yield()
        }
        #expect(message.isRecording && before > .seconds(6), "the greeting takes 6.5 s")
        let sine = try #require(Cadence.Tone(frequency: 800, level: -12))
        let segment = try #require(Cadence.Segment([sine], milliseconds: 2000))
        let tone = try #require(Cadence([segment], cycles: 1))
        for step in 0..<10 {
            message.advance(by: .milliseconds(200), saying: tone, from: .milliseconds(200) * step)
        }
        #expect(message.end == nil)
        #expect((2.0...2.2).contains(message.finish()))
        // The file is finished on the recorder's thread.
        var sound: SoundFile.Sound?
        while sound == nil, ContinuousClock.now < deadline {
            await Task.yield()
            let read = try? SoundFile.read("\(folder)/message.opus", limits: .voice)
            if let read, Double(read.frames.count) / Double(read.rate) > 1.9 { sound = read }
        }
        let frames = try #require(sound).frames
        #expect(frames.contains { abs($0) > 0.1 })
    }

    @Test func silenceEndsTheRecording() async throws {
        let answer = MachineAnswer(
            greeting: OpenFile(-1) { _ in }, recording: try openNameless(),
            limit: .seconds(60),
            isAloud: false)
        let message = PracticeMachine().begin(answer)
        // Many other tests use the same thread.
        let deadline = ContinuousClock.now + .seconds(600)
        while message.end == nil, ContinuousClock.now < deadline {
            message.advance(by: .milliseconds(200), saying: nil, from: .zero)
            await Task.yield()
        }
        #expect(message.end == .silence)
        #expect((9.5...11).contains(message.finish()))
    }
}
