// SPDX-License-Identifier: GPL-3.0-or-later

/// The mechanical bell of a desk telephone: a clapper that goes between two gongs while the ringing current flows.
///
/// At each period of the current, which has 20 Hz, the clapper strikes one of the gongs, in turn: for 2 s, then the
/// gongs ring out in 4 s of silence (the ringing cadence of North America). Gongs are bowls of brass about a third
/// apart. Their partials are those of a thin bowl, which are not harmonic; the lower ones are split in two that beat,
/// for no gong is quite round.
struct BellSource: SoundSource {
    /// The strokes of the clapper a second.
    static let strokesPerSecond = 20
    /// The seconds in which the clapper moves, and those in which it rests.
    static let ringing = 2
    static let resting = 4

    /// The lowest partials of the gongs, in hertz.
    static let gongs = [1240.0, 1560.0]

    /// The partials of a gong: parts of the lowest one's frequency, amplitudes beside it, seconds of decay.
    private static let partials = [
        (ratio: 1.0, amplitude: 1.0, decay: 0.22), (ratio: 1.004, amplitude: 0.4, decay: 0.20),
        (ratio: 2.63, amplitude: 0.5, decay: 0.10), (ratio: 2.65, amplitude: 0.2, decay: 0.09),
        (ratio: 4.72, amplitude: 0.3, decay: 0.05), (ratio: 7.1, amplitude: 0.15, decay: 0.02),
    ]

    private(set) var peak = 1.0
    let isOver = false

    private var first: Gong
    private var second: Gong
    private let rate: Int
    private var scale = 1.0
    private var frame = 0
    private var stroke = 0

    /// The partials of a gong.
    private struct Gong {
        private var partials: InlineArray<6, Resonance>

        init(_ lowest: Double, rate: Double) {
            partials = InlineArray { index in
                let partial = BellSource.partials[index]
                return Resonance(
                    frequency: lowest * partial.ratio, amplitude: partial.amplitude, decay: partial.decay,
                    rate: rate)
            }
        }

        @_noLocks @_noAllocation
        mutating func strike() { for index in 0..<6 { partials[index].strike(1) } }

        @_noLocks @_noAllocation
        mutating func rest() { for index in 0..<6 { partials[index].rest() } }

        @inline(__always)
        @_noLocks @_noAllocation
        mutating func next() -> Double {
            var sum = 0.0
            for index in 0..<6 { sum += partials[index].next() }
            return sum
        }
    }

    /// Before the first stroke; `rate` in hertz.
    init(rate: Int) {
        self.rate = rate
        first = Gong(Self.gongs[0], rate: Double(rate))
        second = Gong(Self.gongs[1], rate: Double(rate))
        // Every ring is like the first, so its loudest sample is the loudest of all.
        var trial = self
        var greatest = 0.0
        for _ in 0..<Self.ringing * rate { greatest = max(greatest, abs(trial.next())) }
        peak = Level.standard.amplitude
        scale = peak / greatest
    }

    @inline(__always)
    @_noLocks @_noAllocation
    mutating func next() -> Double {
        if frame == stroke * rate / Self.strokesPerSecond { strike() }
        frame += 1
        if frame == (Self.ringing + Self.resting) * rate {
            frame = 0
            stroke = 0
        }
        return scale * (first.next() + second.next())
    }

    @_noLocks @_noAllocation
    mutating func normalise() {}

    private mutating func strike() {
        guard stroke < Self.ringing * Self.strokesPerSecond else { return }
        if stroke == 0 {
            // After 4 s nothing is left of the ring before that could be heard.
            first.rest()
            second.rest()
        }
        if stroke % 2 == 0 { first.strike() } else { second.strike() }
        stroke += 1
    }
}
