// SPDX-License-Identifier: GPL-3.0-or-later

import RecordedSound
import Synchronization
import TouchtoneCore

/// A store of what an echo hears and plays, for the recordings of its call.
///
/// The microphone's thread adds samples, and the recording takes them on another one.
final class EchoKeeper: Sendable {
    private let rate: Int
    /// The delay of the far end, in frames.
    private let delay: Int
    /// Used by the microphone's thread alone, because their weights take time.
    private let resamplers = Mutex<(near: StreamResampler, far: StreamResampler)?>(nil)
    /// Nil while nothing is kept.
    private let queue = Mutex<EchoQueue?>(nil)

    init(rate: Int, delay: Int) { (self.rate, self.delay) = (rate, delay) }

    func setKept(_ isKept: Bool) {
        queue.withLock { if isKept != ($0 != nil) { $0 = isKept ? EchoQueue() : nil } }
    }

    func take(_ count: Int) -> EchoSound {
        queue.withLock { $0?.take(count) }
            ?? EchoSound(
                near: [Int16](repeating: 0, count: count), far: [Int16](repeating: 0, count: count))
    }

    /// Adds samples that the line has got last.
    func add(_ samples: UnsafeBufferPointer<Int16>, on line: EchoRingBuffer) {
        guard queue.withLock({ $0 != nil }) else { return resamplers.withLock { $0 = nil } }
        let first = line.written - samples.count - delay
        let played = (first..<first + samples.count).map { index -> Float in
            index < 0 ? 0 : Float(line.sample(index)) / 32_768 * Float(EchoSource.gain)
        }
        let (near, far) = resamplers.withLock { resamplers in
            var both =
                resamplers
                ?? (
                    StreamResampler(from: rate, to: ExchangeSound.rate),
                    StreamResampler(from: rate, to: ExchangeSound.rate)
                )
            defer { resamplers = both }
            return (both.near.resample([Float](samples: samples)), both.far.resample(played))
        }
        queue.withLock { $0?.add(EchoSound(near: [Int16](values: near), far: [Int16](values: far))) }
    }
}

/// The last sound of an echo, which comes in parts, and is taken in others: a lead of silence makes up for late ones.
struct EchoQueue {
    /// The lead, the most that waits after some was taken, and the most that waits at all, in samples.
    static let lead = ExchangeSound.rate / 10
    private static let mostLeft = 4 * lead
    private static let longest = 10 * ExchangeSound.rate

    private var near: [Int16] = []
    private var far: [Int16] = []

    mutating func add(_ sound: EchoSound) {
        if near.isEmpty { fill(Self.lead) }
        near += sound.near
        far += sound.far
        drop(near.count - Self.longest)
    }

    /// Removes and returns a number of samples; silence stands for those that are missing.
    mutating func take(_ count: Int) -> EchoSound {
        fill(count - near.count)
        let sound = EchoSound(near: Array(near.prefix(count)), far: Array(far.prefix(count)))
        drop(count)
        if near.count > Self.mostLeft { drop(near.count - Self.lead) }
        return sound
    }

    private mutating func fill(_ count: Int) {
        guard count > 0 else { return }
        near += [Int16](repeating: 0, count: count)
        far += [Int16](repeating: 0, count: count)
    }

    private mutating func drop(_ count: Int) {
        guard count > 0 else { return }
        near.removeFirst(min(count, near.count))
        far.removeFirst(min(count, far.count))
    }
}
