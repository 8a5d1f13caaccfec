// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc

/// A tone with soft edges.
struct Tone {
    let frequency: Double
    /// The length in seconds.
    let length: Double
    /// The amplitude, of samples of 16 bits: 12 dB below full scale.
    private static let amplitude = 8_192.0
    /// The time of rise and fall, in seconds.
    private static let edge = 0.005

    /// Returns the sample at a time after the tone's start, in seconds; 0 outside of the tone.
    func sample(at time: Double) -> Int16 {
        guard time >= 0, time < length else { return 0 }
        let edge = min(1, min(time, length - time) / Self.edge)
        return Int16(Self.amplitude * edge * sin(2 * .pi * frequency * time))
    }
}

/// The tone that tells both sides of a call that it is recorded.
public struct RecordingTone: Sendable {
    private static let tone = Tone(frequency: 1_400, length: 0.2)
    /// The time from one tone to the next, in seconds.
    private static let interval = 15.0

    private var time: Double

    /// Creates the tone at a time since the first one, in seconds.
    public init(at time: Double = 0) {
        self.time = max(0, time).truncatingRemainder(dividingBy: Self.interval)
    }

    /// Adds the tone to the next samples of a side; the first tone comes at once.
    public mutating func add(to samples: UnsafeMutableBufferPointer<Int16>, rate: Int) {
        guard rate > 0 else { return }
        for index in samples.indices {
            let sum = Int(samples[index]) + Int(Self.tone.sample(at: time))
            samples[index] = Int16(clamping: sum)
            time += 1 / Double(rate)
            if time >= Self.interval { time -= Self.interval }
        }
    }
}
