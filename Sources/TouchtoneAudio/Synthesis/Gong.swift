// SPDX-License-Identifier: GPL-3.0-or-later

/// A brass gong of the bell, with the inharmonic partials of a thin bowl, the lower ones split into beating
/// pairs, because no gong is perfectly round.
struct Gong {
    /// The lowest partials of the two gongs of a bell, about a third apart, in hertz.
    static let lowest = [1240.0, 1560.0]

    /// The partials of a gong: frequency and amplitude relative to the lowest one, and decay in seconds.
    private static let partials = [
        (ratio: 1.0, amplitude: 1.0, decay: 0.22), (ratio: 1.004, amplitude: 0.4, decay: 0.20),
        (ratio: 2.63, amplitude: 0.5, decay: 0.10), (ratio: 2.65, amplitude: 0.2, decay: 0.09),
        (ratio: 4.72, amplitude: 0.3, decay: 0.05), (ratio: 7.1, amplitude: 0.15, decay: 0.02),
    ]

    private var partials: InlineArray<6, Resonance>

    init(_ lowest: Double, rate: Double) {
        partials = InlineArray { index in
            let partial = Self.partials[index]
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
