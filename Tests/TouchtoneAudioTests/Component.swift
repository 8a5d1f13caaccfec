// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation

/// A sine component of a sound, found independently of the synthesizer.
struct Component {
    /// The frequency, in hertz.
    let frequency: Double
    /// The peak amplitude, relative to full scale.
    let amplitude: Double
    /// The level of its peak, dBFS.
    var level: Double { 20 * log10(amplitude) }

    /// Finds the component near a frequency, within a quarter of the inverse of the sound's length.
    ///
    /// The two halves of the sound are compared: the phase difference between them gives the deviation from the
    /// expected frequency.
    init(near frequency: Double, in samples: some Collection<Int16>, rate: Int) {
        let values = samples.map { Double($0) / 32767 }
        let half = values.count / 2
        let step = 2 * Double.pi * frequency / Double(rate)
        func transform(_ first: Int, _ step: Double) -> (re: Double, im: Double) {
            var re = 0.0
            var im = 0.0
            var weight = 0.0
            for index in 0..<half {
                // The von Hann window, whose side lobes decrease fast enough for tones 100 Hz apart.
                let window = 1 - cos(2 * .pi * (Double(index) + 0.5) / Double(half))
                let angle = step * Double(first + index)
                re += window * values[first + index] * cos(angle)
                im -= window * values[first + index] * sin(angle)
                weight += window
            }
            return (2 * re / weight, 2 * im / weight)
        }
        let before = transform(0, step)
        let after = transform(half, step)
        let turn = atan2(
            after.im * before.re - after.re * before.im, after.re * before.re + after.im * before.im)
        let found = step + turn / Double(half)
        let sine = transform(0, found)
        self.frequency = found * Double(rate) / (2 * .pi)
        amplitude = hypot(sine.re, sine.im)
    }
}
