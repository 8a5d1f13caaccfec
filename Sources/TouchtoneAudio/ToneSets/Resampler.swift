// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc

/// Converts the rate of a recording by band-limited interpolation with a windowed sinc
/// (Julius Smith); artefacts are 90 dB below the signal.
struct Resampler {
    /// The zero crossings of the sinc on each side.
    private static let crossings = 32
    /// The table points between two zero crossings; values between points are interpolated.
    private static let points = 512
    /// The shape of the Kaiser window: side lobes are 90 dB down.
    private static let beta = 9.0
    /// The passband as a fraction of the band; the rest is the transition band.
    private static let passband = 0.92

    private let table: [Float]
    /// The target rate by the source rate.
    let ratio: Double

    init(from source: Int, to target: Int) {
        ratio = Double(target) / Double(source)
        table = ratio == 1 ? [] : Self.makeTable()
    }

    /// Returns the recording at the target rate, with the same duration.
    func resample(_ sound: [Float]) -> [Float] {
        guard ratio != 1 else { return sound }
        return resample(sound, to: 0..<max(1, Int((Double(sound.count) * ratio).rounded())))
    }

    /// Returns a part of the recording at the target rate.
    ///
    /// - Parameters:
    ///   - window: A part of the recording, which is silent outside of it.
    ///   - range: The indices of the result since the beginning of the recording.
    ///   - origin: The index of the window's first frame since the beginning of the recording.
    func resample(_ window: [Float], to range: Range<Int>, origin: Int = 0) -> [Float] {
        let reach = Double(Self.crossings) / cutoff
        return range.map { index in
            let centre = Double(index) / ratio - Double(origin)
            let first = max(0, Int((centre - reach).rounded(.up)))
            let last = min(window.count - 1, Int((centre + reach).rounded(.down)))
            guard first <= last else { return 0 }
            var sum: Float = 0
            for tap in first...last { sum += window[tap] * weight(abs(Double(tap) - centre) * cutoff) }
            return sum * Float(cutoff)
        }
    }

    /// The number of source frames on each side that a frame of the result depends on.
    var reach: Int { ratio == 1 ? 0 : Int((Double(Self.crossings) / cutoff).rounded(.up)) }

    /// The edge of the filter: when downsampling, it must cut at the target's band.
    private var cutoff: Double { min(1, ratio) * Self.passband }

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
