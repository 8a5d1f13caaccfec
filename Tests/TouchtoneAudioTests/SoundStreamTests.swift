// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Synchronization
import TestSupport
import RecordedSound
import Testing
import TouchtoneCore

@testable import TouchtoneAudio

/// Tests of sounds that are decoded while they play, and of their overviews.
@Suite struct SoundStreamTests {
    private static func tone(_ seconds: Double, rate: Int, amplitude: Double = 0.5) -> [Int16] {
        (0..<Int(seconds * Double(rate))).map {
            Int16(32_767 * amplitude * sin(2 * .pi * 440 * Double($0) / Double(rate)))
        }
    }

    /// Reads a stream to its end, as the audio thread does.
    private static func samples(of path: String, from start: Double = 0, rate: Int) -> [Float]? {
        let stream = SoundStream(rate: rate)
        let length = Mutex<Double??>(nil)
        let isOver = Atomic(false)
        stream.begin(
            path, from: start, ready: { value in length.withLock { $0 = .some(value) } },
            ended: { isOver.store(true, ordering: .releasing) })
        var taken: [Float] = []
        while !stream.queue.isOver {
            if stream.queue.count > 0 { taken.append(stream.queue.next()) } else { usleep(100) }
        }
        while length.withLock({ $0 == nil }) { usleep(1000) }
        guard length.withLock({ $0 }) != .some(nil) else { return nil }
        while !isOver.load(ordering: .acquiring) { usleep(1000) }
        return taken
    }

    @Test(arguments: [8000, 11_025, 22_050, 44_100, 48_000, 96_000])
    func streamIsWhatFileHas(rate: Int) throws {
        let tone = Self.tone(2.5, rate: rate)
        try TemporaryFolder.with { folder in
            let path = try folder.write(WAVFile(samples: tone, rate: rate), "tone.wav")
            let streamed = try #require(Self.samples(of: path, rate: 48_000))
            let whole = Resampler(from: rate, to: 48_000).resample(
                try SoundFile.read(path, limits: .voice).frames)
            #expect(abs(streamed.count - whole.count) <= 1)
            let difference = zip(streamed, whole).map { abs($0 - $1) }.max() ?? 1
            #expect(difference < 2e-3)
        }
    }

    @Test(arguments: [0, 0.1, 1.25, 2.4]) func streamBeginsWithinFile(start: Double) throws {
        try TemporaryFolder.with { folder in
            let tone = Self.tone(2.5, rate: 48_000)
            let path = try folder.write(WAVFile(samples: tone, rate: 48_000), "tone.wav")
            let whole = try #require(Self.samples(of: path, rate: 48_000))
            let part = try #require(Self.samples(of: path, from: start, rate: 48_000))
            #expect(part == Array(whole[Int(start * 48_000)...]))
        }
    }

    @Test func placeAfterEndLeavesLittle() throws {
        try TemporaryFolder.with { folder in
            let path = try folder.write(WAVFile(samples: Self.tone(1, rate: 8000), rate: 8000), "tone.wav")
            let rest = try #require(Self.samples(of: path, from: 1000, rate: 8000))
            #expect(rest.count <= SoundFileReader.block)
        }
    }

    @Test(arguments: [[], [0], Array("RIFF".utf8), [UInt8](repeating: 0xFF, count: 9999)])
    func fileWithoutSoundIsRefused(bytes: [UInt8]) throws {
        try TemporaryFolder.with { folder in
            let path = try folder.write(bytes, "none.wav")
            #expect(Self.samples(of: path, rate: 48_000) == nil)
            #expect(throws: SoundFile.Failure.self) { try SoundScan.overview(of: path) }
        }
    }

    @Test func overviewTellsLengthAndLevels() throws {
        let rate = 16_000
        let samples =
            [Int16](repeating: 0, count: rate) + Self.tone(1, rate: rate, amplitude: 0.05)
            + Self.tone(2, rate: rate, amplitude: 1)
        try TemporaryFolder.with { folder in
            let path = try folder.write(WAVFile(samples: samples, rate: rate), "steps.wav")
            let overview = try SoundScan.overview(of: path)
            #expect(overview.length == .seconds(4))
            #expect(overview.levels.count == 64)
            #expect(overview.levels[..<15].allSatisfy { $0 == 0 })
            // -29 dBFS of 48 below full scale.
            #expect(overview.levels[17..<31].allSatisfy { (95...110).contains($0) }, "\(overview.levels)")
            #expect(overview.levels[33...].allSatisfy { $0 > 230 })
        }
    }

    /// The last page of a stranger's file may claim any position, at which a length in milliseconds has no room.
    @Test(arguments: [Int64.max / 2, 1 << 54, 1 << 40]) func claimedLengthIsBounded(position: Int64) throws {
        // Longer than what is decoded for an overview.
        let writer = try #require(OpusWriter())
        let second = [Int16](repeating: 0, count: OpusWriter.rate)
        for _ in 0..<602 { writer.write(second) }
        var pages = OggPages(writer.finish())
        // At the lowest rate, it is decoded soonest.
        pages.change(0) { $0.replaceSubrange(40..<44, with: [0x40, 0x1F, 0, 0]) }
        pages.change(pages.count - 1) { page in
            for index in 0..<8 { page[6 + index] = UInt8(truncatingIfNeeded: position >> (8 * index)) }
        }
        try TemporaryFolder.with { folder in
            let path = try folder.write(pages.bytes, "claim.ogg")
            let length = try SoundScan.overview(of: path).length
            #expect(length >= .seconds(600) && length <= .seconds(86_400), "\(length)")
        }
    }

    @Test func shortSoundHasLevels() throws {
        try TemporaryFolder.with { folder in
            let path = try folder.write(WAVFile(samples: [16_000, -16_000], rate: 8000), "click.wav")
            let overview = try SoundScan.overview(of: path)
            #expect(overview.levels == [UInt8](repeating: overview.levels[0], count: 64))
            #expect(overview.levels[0] > 200)
        }
    }

    /// A file of which a place in the middle takes a while to be found: 3 GB that are not on the disk.
    @Test func searchForPlaceIsGivenUp() throws {
        try TemporaryFolder.with { folder in
            var header = Array(WAVFile(samples: [], rate: 8000).bytes.prefix(44))
            let size = UInt32(3_000_000_000)
            for (place, value) in [(4, size + 36), (40, size)] {
                header.replaceSubrange(
                    place..<place + 4, with: withUnsafeBytes(of: value.littleEndian) { Array($0) })
            }
            let path = try folder.write(header, "huge.wav")
            try #require(truncate(path, off_t(size) + 44) == 0)
            weak var thread: SoundStream?
            let lengths = Mutex<[Double?]>([])
            let ends = Atomic(0)
            do {
                let stream = SoundStream(rate: 8000)
                thread = stream
                stream.begin(
                    path, from: 86_000, ready: { length in lengths.withLock { $0.append(length) } },
                    ended: { ends.add(1, ordering: .relaxed) })
                stream.cancel()
            }
            while thread != nil { usleep(1000) }
            #expect(lengths.withLock { $0 } == [nil])
            #expect(ends.load(ordering: .relaxed) == 0)
        }
    }

    @Test func cancelledStreamEndsWithoutSayingSo() throws {
        try TemporaryFolder.with { folder in
            let path = try folder.write(WAVFile(samples: Self.tone(5, rate: 8000), rate: 8000), "long.wav")
            let ends = Atomic(0)
            weak var thread: SoundStream?
            do {
                let stream = SoundStream(rate: 8000)
                thread = stream
                let ready = DispatchSemaphore(value: 0)
                stream.begin(
                    path, from: 0, ready: { _ in ready.signal() },
                    ended: { ends.add(1, ordering: .relaxed) })
                ready.wait()
                stream.cancel()
            }
            while thread != nil { usleep(1000) }
            #expect(ends.load(ordering: .relaxed) == 0)
        }
    }
}

/// The pages of an Ogg file (RFC 3533), which a test may change.
private struct OggPages {
    private var pages: [[UInt8]] = []

    init(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while rest.count >= 27 {
            let segments = Int(rest[rest.startIndex + 26])
            let table = rest.dropFirst(27).prefix(segments)
            let size = 27 + segments + table.reduce(0) { $0 + Int($1) }
            pages.append(Array(rest.prefix(size)))
            rest = rest.dropFirst(size)
        }
    }

    var count: Int { pages.count }
    var bytes: [UInt8] { Array(pages.joined()) }

    /// Changes a page, and its checksum with it.
    mutating func change(_ index: Int, _ body: (inout [UInt8]) -> Void) {
        body(&pages[index])
        pages[index].replaceSubrange(22..<26, with: [0, 0, 0, 0])
        var sum: UInt32 = 0
        for byte in pages[index] {
            sum ^= UInt32(byte) << 24
            for _ in 0..<8 { sum = sum & 0x8000_0000 != 0 ? sum << 1 ^ 0x04C1_1DB7 : sum << 1 }
        }
        for place in 0..<4 {
            pages[index][22 + place] = UInt8(truncatingIfNeeded: sum >> (8 * UInt32(place)))
        }
    }
}
