// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc
import TouchtoneAudio
import TouchtoneCore

/// Measures how fast the synthesizer generates 16-bit samples, on one core.
struct Bench {
    private static let rate = 48_000
    private static let seconds = 20
    private static let runs = 5

    func run() {
        var pair = KeyToneScore([.five])
        pair.tone = Double(Self.seconds)
        report(localized("key pair")) { pair.samples(rate: Self.rate).count }
        let tones = [1400.0, 2060, 2450, 2600].compactMap { Cadence.Tone(frequency: $0, level: -9) }
        let parts = [Cadence.Segment(tones, milliseconds: 100), Cadence.Segment([], milliseconds: 100)]
        let four = SoundScore(.cadence(Cadence(parts.compactMap { $0 }) ?? .silence))
        report(localized("cadence of four tones")) {
            four.samples(rate: Self.rate, seconds: Double(Self.seconds)).count
        }
        let bell = SoundScore(.bell)
        report(localizedIn("kind of ring", "bell")) {
            bell.samples(rate: Self.rate, seconds: Double(Self.seconds)).count
        }
    }

    /// Prints the best of several runs; other programs may have slowed down the rest.
    private func report(_ name: String, _ body: () -> Int) {
        var best = 0.0
        for _ in 0..<Self.runs {
            let begin = Self.now
            let count = body()
            best = max(best, Double(count) / max(Self.now - begin, 1e-9))
        }
        print(
            localized(
                "{sound}: {millions} million samples/s, {times} times real time",
                [
                    "sound": name, "millions": localizedNumber(Int(best / 1e6)),
                    "times": localizedNumber(Int(best / Double(Self.rate))),
                ]))
    }

    private static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
