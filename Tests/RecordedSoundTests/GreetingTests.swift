// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import RecordedSound
import TestSupport
import Testing

/// Tests of greetings, which may be any file of the user's.
@Suite struct GreetingTests {
    private let folder: String

    init() throws {
        folder = try TemporaryFolders.make("touchtone-greetings")
        try Peer.require("sox", package: "sox")
        try Peer.require("opusenc", package: "opus-tools")
    }

    /// Writes two seconds of 440 Hz in a format.
    ///
    /// Returns the path.
    private func write(_ format: String, rate: Int = 44_100, channels: Int = 1) throws -> String {
        let wave = "\(folder)/greeting.wav"
        _ = try output(of: [
            "sox", "-n", "-r", "\(rate)", "-c", "\(channels)", "-b", "16", wave, "synth", "2", "sine", "440",
            "vol", "0.5",
        ])
        if format == "wav" { return wave }
        let path = "\(folder)/greeting.\(format)"
        _ = try output(of: format == "opus" ? ["opusenc", "--quiet", wave, path] : ["sox", wave, path])
        return path
    }

    private func read(_ path: String) throws -> SoundFile.Sound {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        defer { close(file) }
        return try SoundFile.read(descriptor: file, limits: .greeting)
    }

    @Test(arguments: ["wav", "flac", "ogg", "opus"], [1, 2])
    func formatIsRead(_ format: String, channels: Int) throws {
        let sound = try read(try write(format, channels: channels))
        #expect(abs(Double(sound.frames.count) / Double(sound.rate) - 2) < 0.1)
        #expect(abs((sound.frames.max() ?? 0) - 0.5) < 0.05)
        #expect(try read("\(folder)/greeting.wav").rate == 44_100)
    }

    /// Its length and pitch stay at the rate of a call.
    @Test(arguments: [8_000, 11_025, 22_050, 44_100, 48_000, 96_000], [8_000, 16_000, 48_000])
    func rateIsConverted(from source: Int, to target: Int) throws {
        let tone = (0..<source).map { 0.5 * sin(2 * .pi * 440 * Float($0) / Float(source)) }
        var resampler = StreamResampler(from: source, to: target)
        var result: [Float] = []
        for start in stride(from: 0, to: source, by: 441) {
            result += resampler.resample(Array(tone[start..<min(source, start + 441)]))
        }
        result += resampler.finish()
        #expect(abs(result.count - target) <= 2)
        let middle = result[target / 10..<target * 9 / 10]
        var worst: Float = 0
        for index in middle.indices {
            let expected = 0.5 * sin(2 * .pi * 440 * Float(index) / Float(target))
            worst = max(worst, abs(result[index] - expected))
        }
        #expect(worst < 0.005)
    }

    @Test func longGreetingIsTruncated() throws {
        let path = "\(folder)/long.flac"
        _ = try output(of: ["sox", "-n", "-r", "8000", "-c", "1", path, "synth", "70", "sine", "440"])
        #expect(try read(path).frames.count == 60 * 8_000)
    }

    @Test func otherFilesAreRefused() throws {
        try Data().write(to: URL(fileURLWithPath: "\(folder)/empty"))
        try Data("RIFF".utf8).write(to: URL(fileURLWithPath: "\(folder)/short"))
        try Data(repeating: 0x41, count: 100_000).write(to: URL(fileURLWithPath: "\(folder)/text"))
        #expect(mkfifo("\(folder)/pipe", 0o600) == 0)
        let huge = open("\(folder)/huge.wav", O_RDWR | O_CREAT, 0o600)
        ftruncate(huge, 100 << 20)
        close(huge)
        for name in ["empty", "short", "text", "pipe", "huge.wav", "missing", "."] {
            #expect(throws: SoundFile.Failure.self, "\(name)") { try read("\(folder)/\(name)") }
        }
        let wave = try write("wav")
        #expect(throws: SoundFile.Failure.self) {
            let file = open(wave, O_WRONLY | O_CLOEXEC)
            defer { close(file) }
            return try SoundFile.read(descriptor: file, limits: .greeting)
        }
    }

    /// A header may claim any length.
    @Test func wrongLengthIsNotBelieved() throws {
        let path = try write("wav")
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        for place in [4, 40] { for index in 0..<4 { bytes[place + index] = 0xFF } }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        #expect(try read(path).frames.count <= 2 * 44_100)
    }

    @Test(arguments: ["wav", "flac", "ogg", "opus"]) func cutGreetingIsReadToItsEnd(_ format: String) throws {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: try write(format, rate: 8_000)))
        for length in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 60)) {
            let path = "\(folder)/cut"
            try bytes.prefix(length).write(to: URL(fileURLWithPath: path))
            if let sound = try? read(path) {
                #expect(sound.frames.count <= 2 * sound.rate + sound.rate / 10)
            }
        }
    }

    @Test(arguments: ["wav", "flac", "ogg", "opus"], Seeds.all)
    func changedGreetingDoesNoHarm(_ format: String, seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let good = [UInt8](try Data(contentsOf: URL(fileURLWithPath: try write(format, rate: 8_000))))
        for _ in 0..<25 {
            var bytes = good
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                // Headers are at the start.
                let end = Bool.random(using: &random) ? min(200, bytes.count) : bytes.count
                bytes[.random(in: 0..<end, using: &random)] = .random(in: 0...255, using: &random)
            }
            try Data(bytes).write(to: URL(fileURLWithPath: "\(folder)/mutant"))
            if let sound = try? read("\(folder)/mutant") {
                #expect(sound.frames.count <= 60 * sound.rate)
                #expect(SoundFile.rates.contains(sound.rate))
            }
        }
    }
}
