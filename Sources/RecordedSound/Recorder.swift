// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc
import Synchronization

/// Records a call into an open file as Ogg Opus: the far end left and the near end right, or the far end alone.
///
/// Samples are taken on any thread, which never waits: a thread of the recorder compresses and writes them, because a disk may
/// be slow. That thread lives until `finish()`.
public final class Recorder: Sendable {
    public enum Side: Sendable { case far, near }

    /// The result of a recording.
    public struct Outcome: Hashable, Sendable {
        /// The length that was written, in seconds.
        public var seconds: Double
        /// Whether there was no sound.
        public var isSilent: Bool
        /// Whether the file could not be written, or not to the end.
        public var hasFailed: Bool

        public init(seconds: Double, isSilent: Bool, hasFailed: Bool) {
            (self.seconds, self.isSilent, self.hasFailed) = (seconds, isSilent, hasFailed)
        }
    }

    private struct State {
        var pairs: [SidePair] = []
        var isOver = false
        var hasFailed = false
        var outcome: Outcome?
        /// Take the outcome.
        var waiting: [@Sendable (Outcome) -> Void] = []
    }

    /// The most that waits for the disk, in seconds, and in changes of the rate.
    private static let mostWaiting = (seconds: 10, pairs: 8)
    /// The length that is written at once, in parts of a second.
    private static let partsOfSecond = 5

    private let state = Mutex(State())
    private let descriptor: Int32
    /// The ends of a pipe that wakes the thread.
    private let (sleeps, wakes): (Int32, Int32)
    private let isStereo: Bool

    /// Begins to record; nil if there is no thread or no descriptor left.
    ///
    /// - Parameter descriptor: An empty file, which is duplicated.
    public init?(descriptor: Int32, isStereo: Bool) {
        self.isStereo = isStereo
        self.descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        var ends: [Int32] = [-1, -1]
        _ = pipe(&ends)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (sleeps, wakes) = (ends[0], ends[1])
        // A full pipe wakes, too.
        _ = fcntl(wakes, F_SETFL, O_NONBLOCK)
        guard self.descriptor >= 0, sleeps >= 0, DetachedThread.start({ [self] in run() })
        else { return nil }
    }

    deinit { for one in [descriptor, sleeps, wakes] where one >= 0 { close(one) } }

    /// Whether the file cannot be written any further.
    public var hasFailed: Bool { state.withLock { $0.hasFailed } }

    /// The result; nil before the recording is over.
    public var outcome: Outcome? { state.withLock { $0.outcome } }

    /// Takes samples of one side; without the near end's, which also tell the time, a recording does not go on.
    public func add(_ samples: UnsafeBufferPointer<Int16>, of side: Side, rate: Int) {
        guard rate > 0, !samples.isEmpty else { return }
        let isEnough = state.withLock { state in
            guard !state.isOver, !state.hasFailed else { return false }
            if state.pairs.last?.rate != rate { state.pairs.append(SidePair(rate: rate)) }
            let last = state.pairs.count - 1
            state.pairs[last].add(samples, of: side)
            let waiting = state.pairs[last].count
            if waiting > Self.mostWaiting.seconds * rate || state.pairs.count > Self.mostWaiting.pairs {
                // Nothing was written for that time.
                (state.hasFailed, state.pairs) = (true, [])
                return true
            }
            return waiting * Self.partsOfSecond >= rate
        }
        if isEnough { signal() }
    }

    /// Ends the recording; `outcome` follows.
    public func finish() {
        state.withLock { $0.isOver = true }
        signal()
    }

    /// Ends the recording, and calls a function with the outcome, on any thread.
    public func finish(_ done: @escaping @Sendable (Outcome) -> Void) {
        let outcome = state.withLock { state in
            if state.outcome == nil { state.waiting.append(done) }
            return state.outcome
        }
        finish()
        if let outcome { done(outcome) }
    }

    private func signal() { _ = write(wakes, [1], 1) }

    private func sleep() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(sleeps, &bytes, bytes.count) < 0, errno == EINTR {}
    }

    private func run() {
        let file = OpusWriter(descriptor: descriptor, channels: isStereo ? 2 : 1)
        var track = Track(isStereo: isStereo)
        var isOver = false
        if file == nil { state.withLock { $0.hasFailed = true } }
        while !isOver {
            sleep()
            let parts = state.withLock { state in
                isOver = state.isOver
                let last = state.pairs.count - 1
                var parts: [(rate: Int, far: [Int16], near: [Int16])] = []
                for index in state.pairs.indices {
                    let (far, near) = state.pairs[index].take(all: isOver || index < last)
                    parts.append((state.pairs[index].rate, far, near))
                }
                state.pairs.removeFirst(max(0, last))
                return parts
            }
            var samples = parts.flatMap { track.add(far: $0.far, near: $0.near, rate: $0.rate) }
            if isOver { samples += track.finish() }
            if let file, !samples.isEmpty, !file.write(samples) {
                state.withLock { ($0.hasFailed, $0.pairs) = (true, []) }
            }
        }
        file?.finish()
        let seconds = Double(file?.count ?? 0) / Double(OpusWriter.rate)
        let (outcome, waiting) = state.withLock { state in
            let outcome = Outcome(
                seconds: seconds, isSilent: track.isSilent,
                hasFailed: state.hasFailed || file?.hasFailed != false)
            state.outcome = outcome
            defer { state.waiting = [] }
            return (outcome, state.waiting)
        }
        for done in waiting { done(outcome) }
    }
}

/// The sound of a recording at the rate of its file.
private struct Track {
    private let isStereo: Bool
    private var rate = 0
    private var resamplers: [StreamResampler] = []
    private var levels = (far: SoundLevel(), near: SoundLevel())

    init(isStereo: Bool) { self.isStereo = isStereo }

    var isSilent: Bool { !levels.far.hasHeard && !(isStereo && levels.near.hasHeard) }

    /// Returns the samples for the file after more of both sides, in turn if there are two.
    mutating func add(far: [Int16], near: [Int16], rate: Int) -> [Int16] {
        var result: [Int16] = []
        if rate != self.rate {
            result = finish()
            self.rate = rate
            resamplers = (0..<2).map { _ in StreamResampler(from: rate, to: OpusWriter.rate) }
        }
        _ = far.withUnsafeBufferPointer { levels.far.hears($0, rate: rate) }
        _ = near.withUnsafeBufferPointer { levels.near.hears($0, rate: rate) }
        return result
            + joined(
                resamplers[0].resample([Float](samples: far)),
                isStereo ? resamplers[1].resample([Float](samples: near)) : [])
    }

    /// Returns the rest.
    mutating func finish() -> [Int16] {
        guard !resamplers.isEmpty else { return [] }
        return joined(resamplers[0].finish(), isStereo ? resamplers[1].finish() : [])
    }

    private func joined(_ far: [Float], _ near: [Float]) -> [Int16] {
        let left = [Int16](values: far)
        guard isStereo else { return left }
        let right = [Int16](values: near)
        var both: [Int16] = []
        both.reserveCapacity(2 * left.count)
        for (left, right) in zip(left, right) {
            both.append(left)
            both.append(right)
        }
        return both
    }
}
