// SPDX-License-Identifier: GPL-3.0-or-later

import CALSA  // poll.h, which Swift attributes to the first module that includes it
import GLibBridge
import RecordedSound
import Synchronization

/// A sound file that is decoded while it plays, so that hours of it take no more memory than seconds.
final class SoundStream: Sendable {
    /// The greatest length that is played, in seconds: a day.
    private static let longest = 86_400
    private static let maximumBytes = 4 << 30
    /// The time in which the place to begin at is to be found: a day of Opus takes less.
    private static let longestSearch = Duration.seconds(600)

    // One thread writes and another reads, which the queue allows.
    nonisolated(unsafe) let queue: SampleQueue
    private let rate: Int
    private let wake = WakeEvent()
    private let isCancelled = Atomic(false)

    /// - Parameter rate: The sample rate of the device, in hertz.
    init(rate: Int) {
        self.rate = rate
        queue = SampleQueue(capacity: rate)
    }

    deinit {
        wake.close()
        queue.deallocate()
    }

    /// Starts to decode a file on a thread of its own.
    ///
    /// - Parameters:
    ///   - start: The place to begin at, in seconds.
    ///   - ready: Called once, with the length in seconds that the file claims, or nil if it cannot be read, or if the sound was
    ///     cancelled meanwhile.
    ///   - ended: Called once after that, when all samples were taken; not after `cancel()`.
    func begin(
        _ path: String, from start: Double, ready: @escaping @Sendable (Double?) -> Void,
        ended: @escaping @Sendable () -> Void
    ) {
        let isStarted = BackgroundThread.start("touchtone-voice") { [self] in
            let decoder = try? SoundDecoder(path, maximumBytes: Self.maximumBytes, stop: wake.descriptor)
            guard let reader = decoder, let first = skip(Self.frame(at: start, reader.rate), of: reader)
            else {
                queue.close()
                return ready(nil)
            }
            decode(reader, first) { ready(Double(reader.claimedLength) / Double(reader.rate)) }
            if !isCancelled.load(ordering: .acquiring) { ended() }
        }
        if !isStarted {
            queue.close()
            ready(nil)
        }
    }

    /// Ends the sound, also while its beginning is searched for; its thread and its process end soon after that.
    func cancel() {
        isCancelled.store(true, ordering: .releasing)
        wake.signal()
    }

    private static func frame(at seconds: Double, _ rate: Int) -> Int {
        Int(max(0, min(seconds, Double(longest))) * Double(rate))
    }

    /// Returns the rest of the block in which a frame is; the last block if the file is shorter, nil if it has no sound, takes too
    /// long, or was cancelled.
    private func skip(_ frame: Int, of reader: SoundDecoder) -> [Float]? {
        let limit = ContinuousClock.now + Self.longestSearch
        var (left, last, block) = (frame, [Float](), reader.next())
        while !block.isEmpty, left >= block.count {
            (left, last, block) = (left - block.count, block, reader.next())
            guard ContinuousClock.now < limit else { return nil }
        }
        guard !isCancelled.load(ordering: .acquiring) else { return nil }
        guard block.isEmpty else { return Array(block[left...]) }
        return last.isEmpty ? nil : last
    }

    /// Decodes all blocks, never more than the queue ahead of the audio thread, and waits until all is taken.
    private func decode(_ reader: SoundDecoder, _ first: [Float], filled: () -> Void) {
        var resampler = StreamResampler(from: reader.rate, to: rate)
        var (block, blocks, isFilled) = (first, 0, false)
        while !block.isEmpty, blocks * SoundFileReader.block < Self.longest * reader.rate {
            var samples = resampler.resample(block)[...]
            while !samples.isEmpty {
                samples = samples.dropFirst(queue.write(samples))
                guard !samples.isEmpty else { break }
                if !isFilled { filled() }
                isFilled = true
                guard wait() else { return }
            }
            blocks += 1
            block = reader.next()
        }
        var rest = resampler.finish()[...]
        repeat {
            rest = rest.dropFirst(queue.write(rest))
            if rest.isEmpty { queue.close() }
            if !isFilled { filled() }
            isFilled = true
        } while !queue.isOver && wait()
    }

    /// Waits for the audio thread to take some samples; returns false if the sound was cancelled.
    private func wait() -> Bool {
        var descriptor = pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0)
        // The audio thread may not wake another one. A quarter of a second is a quarter of the queue.
        poll(&descriptor, 1, 250)
        return !isCancelled.load(ordering: .acquiring)
    }
}
