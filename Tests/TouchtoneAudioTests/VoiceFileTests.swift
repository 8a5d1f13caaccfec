// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import RecordedSound
import TestSupport
import Testing

@testable import TouchtoneAudio

/// Tests of voice messages from hostile senders.
@Suite struct VoiceFileTests {
    /// Two seconds of a tone as Ogg Opus.
    private static let voice: [UInt8] = {
        let writer = OpusWriter()
        writer?.write((0..<96_000).map { Int16(9000 * sin(Double($0) / 20)) })
        return writer?.finish() ?? []
    }()

    @Test func recordingIsRead() throws {
        try TemporaryFolder.with { folder in
            let sound = try SoundFile.read(try folder.write(Self.voice, "voice.ogg"), limits: .voice)
            #expect(sound.rate == 48_000)
            #expect(abs(sound.frames.count - 96_000) < 2000)
            #expect(abs((sound.frames.max() ?? 0) - 9000 / 32_768) < 0.05)
        }
    }

    @Test func recordingThatIsCutOffIsReadToItsEnd() throws {
        try TemporaryFolder.with { folder in
            for length in stride(from: 0, to: Self.voice.count, by: 97) {
                let path = try folder.write(Array(Self.voice.prefix(length)), "cut.ogg")
                if let sound = try? SoundFile.read(path, limits: .voice) {
                    #expect(sound.frames.count <= 97_000)
                }
            }
        }
    }

    @Test func longRecordingIsTruncated() throws {
        let silence = [Int16](repeating: 0, count: 48_000)
        let writer = try #require(OpusWriter())
        for _ in 0..<603 { writer.write(silence) }
        try TemporaryFolder.with { folder in
            let sound = try SoundFile.read(try folder.write(writer.finish(), "long.ogg"), limits: .voice)
            #expect(sound.frames.count == 600 * 48_000)
        }
    }

    @Test(arguments: Seeds.all) func anyRecordingDoesNotCrashReader(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        try TemporaryFolder.with { folder in
            for _ in 0..<100 {
                var bytes = Self.voice
                for _ in 0..<Int.random(in: 1...8, using: &random) {
                    bytes[.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
                }
                let path = try folder.write(bytes, "mutant.ogg")
                if let sound = try? SoundFile.read(path, limits: .voice) {
                    #expect(sound.frames.count <= 600 * 48_000)
                }
            }
        }
    }
}
