// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import RecordedSound
import TestSupport
import Testing

@testable import TouchtoneAudio

/// Tests of the process that decodes a sound.
@Suite(.serialized) struct SoundDecoderTests {
    private static let maximumBytes = 1 << 20

    /// Calls `body` with a decoder of a sound that is longer than a pipe.
    private static func withDecoder(_ body: (SoundDecoder) throws -> Void) throws {
        try TemporaryFolder.with { folder in
            let samples = (0..<200_000).map { Int16(truncatingIfNeeded: $0) }
            let path = try folder.write(WAVFile(samples: samples, rate: 8000), "decoded.wav")
            try body(try SoundDecoder(path, maximumBytes: maximumBytes))
        }
    }

    /// Returns the process that decodes the sound: a child of this one, which has the file as its input.
    private static func decodingProcess() throws -> pid_t {
        let name = try #require(
            FileManager.default.contentsOfDirectory(atPath: "/proc").filter { Int32($0) != nil }.first {
                name in
                let status = (try? String(contentsOfFile: "/proc/\(name)/status", encoding: .utf8)) ?? ""
                let input = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(name)/fd/0")
                return status.contains("PPid:\t\(getpid())\n") && input?.hasSuffix("/decoded.wav") == true
            })
        return try #require(pid_t(name))
    }

    @Test func framesAreTheFilesOwn() throws {
        try Self.withDecoder { decoder in
            #expect(decoder.rate == 8000)
            #expect(decoder.claimedLength == 200_000)
            var frames: [Float] = []
            while case let block = decoder.next(), !block.isEmpty { frames += block }
            #expect(frames == (0..<200_000).map { Float(Int16(truncatingIfNeeded: $0)) / 32_768 })
            #expect(decoder.isIntact)
            #expect(decoder.next().isEmpty)
            #expect(decoder.isIntact)
        }
    }

    @Test func brokenDecoderEndsTheSoundOnly() throws {
        try Self.withDecoder { decoder in
            #expect(!decoder.next().isEmpty)
            kill(try Self.decodingProcess(), SIGKILL)
            var blocks = 0
            while !decoder.next().isEmpty { blocks += 1 }
            #expect(blocks < 200_000 / SoundFileReader.block)
            #expect(!decoder.isIntact)
        }
    }

    @Test func decoderEndsWithItsSound() throws {
        var process: pid_t = 0
        try Self.withDecoder { _ in process = try Self.decodingProcess() }
        #expect(kill(process, 0) == -1)
        #expect(errno == ESRCH)
    }

    @Test func decoderIsConfined() throws {
        try Self.withDecoder { decoder in
            let process = try Self.decodingProcess()
            let limits = try String(contentsOfFile: "/proc/\(process)/limits", encoding: .utf8)
            for limit in ["Max open files +0 +0", "Max file size +0 +0", "Max cpu time +900 +900"] {
                #expect(limits.contains(try Regex(limit)), "\(limits)")
            }
            #expect(!limits.contains(/Max address space +unlimited/), "\(limits)")
            let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
            #expect(status.contains("NoNewPrivs:\t1\n"))
            #expect(status.contains("Seccomp:\t2\n"))
        }
    }

    @Test func otherFilesAreRefused() throws {
        try TemporaryFolder.with { folder in
            let samples = [Int16](repeating: 1, count: 1000)
            let path = try folder.write(WAVFile(samples: samples, rate: 8000), "tone.wav")
            #expect(throws: SoundFile.Failure.self) { try SoundDecoder(path, maximumBytes: 1000) }
            #expect(throws: SoundFile.Failure.self) {
                try SoundDecoder(path + ".gone", maximumBytes: Self.maximumBytes)
            }
            let pipe = path + ".pipe"
            #expect(mkfifo(pipe, 0o600) == 0)
            for other in [pipe, "/dev/zero", "/proc/self/mem", "/"] {
                #expect(throws: SoundFile.Failure.self) {
                    try SoundDecoder(other, maximumBytes: Self.maximumBytes)
                }
            }
        }
    }
}
