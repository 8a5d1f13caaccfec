// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc

/// Brings a recording to another sample rate: band-limited interpolation by a windowed sinc, after Julius Smith.
///
/// What it adds lies 90 dB below the sound. It is for recordings of seconds, when they are loaded.
struct Resampler {
    /// Zero crossings of the sinc on either side of its middle.
    private static let crossings = 32
    /// Points of the table between two zero crossings; values between them are interpolated.
    private static let points = 512
    /// The Kaiser window's shape: side lobes 90 dB down.
    private static let beta = 9.0
    /// The part of the band that is kept; the rest is the filter's slope.
    private static let passband = 0.92

    private let table: [Float]
    private let ratio: Double

    /// From `source` to `target` hertz.
    init(from source: Int, to target: Int) {
        ratio = Double(target) / Double(source)
        table = ratio == 1 ? [] : Self.makeTable()
    }

    /// The sound at the other rate; it is as long in time.
    func resample(_ sound: [Float]) -> [Float] {
        guard ratio != 1 else { return sound }
        let count = max(1, Int((Double(sound.count) * ratio).rounded()))
        // Below the source's rate the filter has to cut at the target's band.
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

    /// The windowed sinc at `distance` zero crossings from its middle.
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

    /// The modified Bessel function of the first kind and order zero, by its series.
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
