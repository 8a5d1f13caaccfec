// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// Plays a cadence, with levels in dBm0 according to `DigitalMilliwatt`.
///
/// Its timing is exact to the sample: a segment starts at the frame nearest to its time since the start of the cadence,
/// so that rounding does not accumulate if a millisecond is not a whole number of frames. A tone rises from the first
/// frame of its segment and has decayed at the last.
struct CadenceSource: SoundSource {
    let peak: Double

    private let parts: InlineArray<16, Part>
    private let partCount: Int
    private let cycles: Int
    private let rate: Int

    private var cycle = 0
    private var index = 0
    private var part: Part
    /// The end of the segment, in milliseconds since the start.
    private var time = 0
    private var framesLeft = 0
    private var envelope: Envelope

    private(set) var isOver = false

    private struct Part {
        var first = Voice()
        var second = Voice()
        var third = Voice()
        var fourth = Voice()
        var count = 0
        /// The length in milliseconds, or 0 for an endless segment.
        var milliseconds = 0
    }

    private struct Voice {
        var oscillator = Oscillator(frequency: 0, rate: 1)
        var amplitude = 0.0

        init() {}

        init(_ tones: [Cadence.Tone], _ index: Int, rate: Double) {
            guard index < tones.count else { return }
            oscillator = Oscillator(frequency: tones[index].frequency, rate: rate)
            amplitude = DigitalMilliwatt.amplitude(tones[index].level)
        }

        @inline(__always)
        @_noLocks @_noAllocation
        mutating func next() -> Double { amplitude * oscillator.next() }
    }

    init(_ cadence: Cadence, rate: Int) {
        let segments = cadence.segments
        parts = InlineArray { index in
            guard index < segments.count else { return Part() }
            let tones = segments[index].tones
            return Part(
                first: Voice(tones, 0, rate: Double(rate)), second: Voice(tones, 1, rate: Double(rate)),
                third: Voice(tones, 2, rate: Double(rate)), fourth: Voice(tones, 3, rate: Double(rate)),
                count: tones.count, milliseconds: segments[index].milliseconds ?? 0)
        }
        partCount = segments.count
        cycles = cadence.cycles ?? .max
        peak = segments.map { $0.tones.reduce(0) { $0 + DigitalMilliwatt.amplitude($1.level) } }.max() ?? 0
        self.rate = rate
        envelope = Envelope(rate: Double(rate))
        part = parts[0]
        isOver = segments.isEmpty
        if !isOver { enter() }
    }

    @inline(__always)
    @_noLocks @_noAllocation
    mutating func next() -> Double {
        while framesLeft == 0 {
            guard !isOver else { return 0 }
            advance()
        }
        if framesLeft == envelope.rampFrames { envelope.fall() }
        framesLeft -= 1
        guard part.count > 0 else { return 0 }
        var sum = part.first.next() + part.second.next()
        if part.count > 2 { sum += part.third.next() + part.fourth.next() }
        return sum * envelope.next()
    }

    @_noLocks @_noAllocation
    mutating func normalise() {
        part.first.oscillator.normalise()
        part.second.oscillator.normalise()
        part.third.oscillator.normalise()
        part.fourth.oscillator.normalise()
    }

    @_noLocks @_noAllocation
    private mutating func advance() {
        index += 1
        if index == partCount {
            index = 0
            cycle += 1
        }
        isOver = cycle == cycles
        guard !isOver else { return }
        enter()
    }

    @_noLocks @_noAllocation
    private mutating func enter() {
        part = parts[index]
        let begin = frame(at: time)
        time += part.milliseconds
        // An endless segment ends after a million years.
        framesLeft = part.milliseconds > 0 ? frame(at: time) - begin : .max
        envelope.rise()
    }

    /// Returns the frame nearest to a time in milliseconds.
    @_noLocks @_noAllocation
    private func frame(at milliseconds: Int) -> Int {
        // Convert seconds and remainder separately, since the product would overflow after some centuries.
        milliseconds / 1000 * rate + (milliseconds % 1000 * rate + 500) / 1000
    }
}
