// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc

/// Converts the rate of a recording of some seconds by band-limited interpolation with a windowed sinc
/// (Julius Smith); artefacts are 90 dB below the signal.
public struct Resampler {
    /// The zero crossings of the sinc on each side.
    private static let crossings = 32
    /// The table points between two zero crossings; values between points are interpolated.
    private static let points = 512
    /// The shape of the Kaiser window: side lobes are 90 dB down.
    private static let beta = 9.0
    /// The passband as a fraction of the band; the rest is the transition band.
    private static let passband = 0.92

    private let table: [Float]
    private let ratio: Double

    public init(from source: Int, to target: Int) {
        ratio = Double(target) / Double(source)
        table = ratio == 1 ? [] : Self.makeTable()
    }

    /// Returns the recording at the target rate, with the same duration.
    public func resample(_ sound: [Float]) -> [Float] {
        guard ratio != 1 else { return sound }
        let count = max(1, Int((Double(sound.count) * ratio).rounded()))
        // When downsampling, the filter must cut at the target's band.
        let cutoff = min(1, ratio) * Self.passband
        let reach = Double(Self.crossings) / cutoff
        return (0..<count).map { index in
            let centre = Double(index) / ratio
            let first = max(0, Int((centre - reach).rounded(.up)))
            let last = min(sound.count - 1, Int((centre + reach).rounded(.down)))
            guard first <= last else { return 0 }
            var sum: Float = 0
            for tap in first...last { sum += sound[tap] * weight(abs(Double(tap) - centre) * cutoff) }
            return sum * Float(cutoff)
        }
    }

    /// The source's samples on each side of a place that its value depends on.
    var reach: Int {
        Int((Double(Self.crossings) / (min(1, ratio) * Self.passband)).rounded(.up)) + 1
    }

    /// Returns the factor of a sample at a distance from a place in the source, in samples.
    func factor(at distance: Double) -> Float {
        let cutoff = min(1, ratio) * Self.passband
        return weight(abs(distance) * cutoff) * Float(cutoff)
    }

    /// Returns the windowed sinc at `distance` zero crossings from its centre.
    private func weight(_ distance: Double) -> Float {
        let position = distance * Double(Self.points)
        let index = Int(position)
        guard index + 1 < table.count else { return 0 }
        return table[index] + (table[index + 1] - table[index]) * Float(position - Double(index))
    }

    private static func makeTable() -> [Float] {
        (0...crossings * points).map { index in
            let distance = Double(index) / Double(points)
            let angle = Double.pi * distance
            let sinc = index == 0 ? 1 : sin(angle) / angle
            let inside = 1 - (distance / Double(crossings)) * (distance / Double(crossings))
            return Float(sinc * bessel(beta * inside.squareRoot()) / bessel(beta))
        }
    }

    /// Returns the modified Bessel function of the first kind and order zero, from its series.
    private static func bessel(_ value: Double) -> Double {
        var term = 1.0
        var sum = 1.0
        var order = 1.0
        while term > sum * 1e-12 {
            term *= (value / (2 * order)) * (value / (2 * order))
            sum += term
            order += 1
        }
        return sum
    }
}
