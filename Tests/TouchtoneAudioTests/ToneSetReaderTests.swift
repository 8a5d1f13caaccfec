// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import RecordedSound
import TestSupport
import Testing
import TouchtoneCore

@testable import TouchtoneAudio

/// Tests of folders of recordings, most of them invalid.
@Suite struct ToneSetReaderTests {
    private static let tone = KeyToneScore([.five]).samples(rate: 48_000)

    @Test func readsBundledSet() {
        let reading = ToneSetReader(rate: 48_000).read("\(Checkout.folder)/data/tones")
        #expect(reading.missing.isEmpty)
        for key in DTMFKey.allCases {
            let frames = reading.recordings[key] ?? []
            #expect(frames.count == 14_400)
            #expect(abs((frames.map { abs($0) }.max() ?? 0) - 1) < 1e-4, "a peak is brought to the level set")
        }
    }

    @Test func missingFolderLacksEveryKeyOfThePhone() {
        let keys = DTMFKey.allCases.filter(\.isOnKeypad)
        #expect(keys.count == 12)
        #expect(ToneSetReader(rate: 48_000).read("/nonexistent").missing == keys)
    }

    @Test func twelveFilesAreAWholeSet() throws {
        try TemporaryFolder.with { folder in
            for key in DTMFKey.allCases where key.isOnKeypad {
                try folder.write(WAVFile(samples: Self.tone, rate: 48_000), key.fileName)
            }
            let reading = ToneSetReader(rate: 48_000).read(folder.path)
            #expect(reading.missing.isEmpty && reading.recordings.count == 12)
            try folder.write([], DTMFKey.a.fileName)
            #expect(
                ToneSetReader(rate: 48_000).read(folder.path).missing == [.a], "a broken file is reported")
        }
    }

    @Test func namesMatchInAnyCase() throws {
        try TemporaryFolder.with { folder in
            let tone = WAVFile(samples: Self.tone, rate: 48_000)
            try folder.write(tone, "DTMF_01.WAV")
            try folder.write(tone, "dtmf_Star.Wav")
            // Of several files for a key, the usual name counts, whatever order the folder has.
            try folder.write([], "DTMF_02.WAV")
            try folder.write(tone, "DTMF_02.wav")
            try folder.write([], "dtmf_02.wav")
            try folder.write([], "DTMF_03.wav.bak")
            let reading = ToneSetReader(rate: 48_000).read(folder.path)
            #expect(Set(reading.recordings.keys) == [.one, .two, .star])
        }
    }

    @Test func brokenFileAffectsOnlyItsKey() throws {
        try TemporaryFolder.with { folder in
            for key in DTMFKey.allCases {
                try folder.write(WAVFile(samples: Self.tone, rate: 48_000), key.fileName)
            }
            try folder.write([], DTMFKey.three.fileName)
            let reading = ToneSetReader(rate: 48_000).read(folder.path)
            #expect(reading.missing == [.three])
            #expect(reading.recordings.count == 15)
        }
    }

    @Test(arguments: HostileFile.all) func hostileFileIsRefused(_ file: HostileFile) throws {
        try TemporaryFolder.with { folder in
            let path = "\(folder.path)/\(DTMFKey.one.fileName)"
            try file.make(path)
            #expect(throws: SoundFile.Failure.self, "\(file.name)") { try SoundFile.read(path) }
        }
    }

    @Test func oversizedHeaderYieldsAvailableSamples() throws {
        var bytes = WAVFile(samples: Self.tone, rate: 48_000).bytes
        bytes.replaceSubrange(40..<44, with: [0xF0, 0xFF, 0xFF, 0x7F])
        try TemporaryFolder.with { folder in
            let sound = try SoundFile.read(try folder.write(bytes, "huge.wav"))
            #expect(sound.frames.count == Self.tone.count)
            let cut = try SoundFile.read(try folder.write(bytes.prefix(5000), "cut.wav"))
            #expect(cut.frames.count == (5000 - 44) / 2)
        }
    }

    @Test func longFileIsTruncated() throws {
        try TemporaryFolder.with { folder in
            let file = WAVFile(samples: [Int16](repeating: 100, count: 12 * 8000), rate: 8000)
            let sound = try SoundFile.read(try folder.write(file))
            #expect(sound.frames.count == 10 * 8000)
        }
    }

    @Test func stereoIsMixed() throws {
        // The same sound with opposite signs in the two channels cancels itself.
        var bytes = WAVFile(samples: [1000, -1000, 2000, -2000, 3000, -3000], rate: 8000).bytes
        bytes[22] = 2
        bytes[32] = 4
        try TemporaryFolder.with { folder in
            let sound = try SoundFile.read(try folder.write(bytes, "stereo.wav"))
            #expect(sound.frames == [0, 0, 0])
        }
    }

    @Test func quietRecordingIsRaisedByAtMostTwentyDecibels() throws {
        try TemporaryFolder.with { folder in
            let quiet = Self.tone.map { $0 / 1000 }
            try folder.write(WAVFile(samples: quiet, rate: 48_000), DTMFKey.five.fileName)
            let frames = ToneSetReader(rate: 48_000).read(folder.path).recordings[.five] ?? []
            let peak = frames.map { abs($0) }.max() ?? 0
            #expect(peak < 0.01 && peak > 0.002)
        }
    }

    @Test func brokenFileKeepsOtherDescriptorsOpen() throws {
        try TemporaryFolder.with { folder in
            let path = try folder.write(Array("RIFF nothing of the kind".utf8), "broken.wav")
            // The second time that a descriptor is closed, it may belong to another thread.
            DispatchQueue.concurrentPerform(iterations: 4) { worker in
                for _ in 0..<5000 {
                    if worker == 0 {
                        #expect(throws: SoundFile.Failure.self) { try SoundFile.read(path) }
                    } else {
                        #expect(close(open("/dev/null", O_RDONLY | O_CLOEXEC)) == 0)
                    }
                }
            }
        }
    }

    @Test(arguments: Seeds.all) func anyFileDoesNotCrashReader(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let good = WAVFile(samples: Array(Self.tone.prefix(400)), rate: 48_000).bytes
        try TemporaryFolder.with { folder in
            for _ in 0..<300 {
                var bytes = good
                for _ in 0..<Int.random(in: 1...6, using: &random) {
                    bytes[Int.random(in: 0..<60, using: &random)] = .random(in: 0...255, using: &random)
                }
                bytes.removeLast(.random(in: 0...bytes.count / 2, using: &random))
                let path = try folder.write(bytes, "mutant.wav")
                if let sound = try? SoundFile.read(path) {
                    #expect(!sound.frames.isEmpty)
                    #expect(SoundFile.rates.contains(sound.rate))
                    #expect(!Resampler(from: sound.rate, to: 8000).resample(sound.frames).isEmpty)
                }
            }
        }
    }
}

/// A file that is not a valid recording.
struct HostileFile: Sendable, CustomTestStringConvertible {
    let name: String
    let make: @Sendable (String) throws -> Void

    var testDescription: String { name }

    static let all: [HostileFile] = [
        HostileFile("empty", []),
        HostileFile("text", Array("This is not a sound.\n".utf8)),
        HostileFile("a header alone", Array(wav.prefix(44))),
        HostileFile("half a header", Array(wav.prefix(20))),
        HostileFile("no frames", WAVFile(samples: [], rate: 48_000).bytes),
        HostileFile("three channels", replacing(22, [3, 0])),
        HostileFile("no channel", replacing(22, [0, 0])),
        HostileFile("1 MHz", replacing(24, [0x40, 0x42, 0x0F, 0])),
        HostileFile("0 Hz", replacing(24, [0, 0, 0, 0])),
        HostileFile("not a number", float([.nan])),
        HostileFile("infinite", float([0.5, .infinity])),
        HostileFile(name: "a folder") {
            try FileManager.default.createDirectory(atPath: $0, withIntermediateDirectories: false)
        },
        HostileFile(name: "a FIFO that nobody writes") { mkfifo($0, 0o600) },
        HostileFile(name: "a device without an end") {
            try FileManager.default.createSymbolicLink(atPath: $0, withDestinationPath: "/dev/zero")
        },
        HostileFile(name: "4 GB") {
            _ = FileManager.default.createFile(atPath: $0, contents: Data(wav))
            truncate($0, 4 << 30)
        },
    ]

    private static let wav = WAVFile(samples: [Int16](repeating: 1000, count: 480), rate: 48_000).bytes

    private static func replacing(_ offset: Int, _ bytes: [UInt8]) -> [UInt8] {
        var file = wav
        file.replaceSubrange(offset..<offset + bytes.count, with: bytes)
        return file
    }

    /// Returns a file of 32-bit floats.
    private static func float(_ frames: [Float]) -> [UInt8] {
        var file = WAVFile(samples: [Int16](repeating: 0, count: 2 * frames.count), rate: 48_000).bytes
        file[20] = 3
        file[32] = 4
        file[34] = 32
        for (index, frame) in frames.enumerated() {
            withUnsafeBytes(of: frame.bitPattern.littleEndian) {
                file.replaceSubrange(44 + 4 * index..<48 + 4 * index, with: $0)
            }
        }
        return file
    }
}

extension HostileFile {
    private init(_ name: String, _ bytes: [UInt8]) {
        self.init(name: name) { try Data(bytes).write(to: URL(fileURLWithPath: $0)) }
    }
}

@Suite struct ResamplerTests {
    @Test(arguments: [(44_100, 48_000), (8000, 48_000), (192_000, 48_000), (48_000, 8000), (11_025, 48_000)])
    func resamplingKeepsTone(_ source: Int, _ target: Int) {
        let frequency = 1336.0
        let sound = (0..<source / 2).map {
            Float(0.5 * sin(2 * .pi * frequency * Double($0) / Double(source)))
        }
        let resampled = Resampler(from: source, to: target).resample(sound)
        #expect(abs(resampled.count - sound.count * target / source) <= 1)
        // The ends are omitted, because they cannot be interpolated.
        let greatest = resampled.indices.dropFirst(target / 50).dropLast(target / 50).map { index in
            abs(Double(resampled[index]) - 0.5 * sin(2 * .pi * frequency * Double(index) / Double(target)))
        }.max()
        #expect((greatest ?? 1) < 0.001)
    }

    @Test func resamplingRemovesFrequenciesAboveLimit() {
        let sound = (0..<48_000).map { Float(sin(2 * .pi * 6000 * Double($0) / 48_000)) }
        let resampled = Resampler(from: 48_000, to: 8000).resample(sound).dropFirst(200).dropLast(200)
        #expect((resampled.map { abs($0) }.max() ?? 1) < 0.001)
    }
}
