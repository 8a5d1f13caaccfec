// SPDX-License-Identifier: GPL-3.0-or-later

/// The electronic ringer of a 1980s telephone: two rapidly alternating notes from a small loudspeaker.
///
/// The notes and their rate are those of ringer circuits of the time (Motorola MC34017: 808 and 1010 Hz, 12.5 times per
/// second each), for 2 s, followed by 4 s of silence. The circuit generates square waves, limited here to the harmonics
/// that a small loudspeaker and the sample rate can reproduce.
struct WarbleSource: SoundSource {
    /// The two notes, in hertz.
    static let notes = [1010.0, 808.0]
    /// The length of each note, in milliseconds.
    static var turn: Int { 40 }
    /// The milliseconds of sound, and of silence.
    static var ringing: Int { 2000 }
    static var resting: Int { 4000 }

    let peak = Level.standard.amplitude
    let isOver = false

    private let rate: Int
    private let high: Oscillator
    private let low: Oscillator
    /// The amplitudes of the third, fifth and seventh harmonic; 0 above the Nyquist frequency.
    private let third: Double
    private let fifth: Double
    private let seventh: Double
    private var scale = 1.0

    private var oscillator: Oscillator
    private var envelope: Envelope
    private var frame = 0
    private var turns = 0

    init(rate: Int) {
        func amplitude(_ harmonic: Double) -> Double {
            harmonic * Self.notes[0] < 0.45 * Double(rate) ? 1 / harmonic : 0
        }
        self.rate = rate
        high = Oscillator(frequency: Self.notes[0], rate: Double(rate))
        low = Oscillator(frequency: Self.notes[1], rate: Double(rate))
        third = amplitude(3)
        fifth = amplitude(5)
        seventh = amplitude(7)
        oscillator = high
        envelope = Envelope(rate: Double(rate))
        let greatest = (0...10_000).reduce(0.0) { max($0, abs(square(Double($1) / 10_000))) }
        scale = peak / greatest
    }

    @inline(__always)
    @_noLocks @_noAllocation
    mutating func next() -> Double {
        if frame == turns * Self.turn * rate / 1000 { takeTurn() }
        if frame == Self.ringing * rate / 1000 - envelope.rampFrames { envelope.fall() }
        frame += 1
        if frame == (Self.ringing + Self.resting) * rate / 1000 {
            frame = 0
            turns = 0
        }
        guard !envelope.isOver else { return 0 }
        return scale * square(oscillator.next()) * envelope.next()
    }

    @_noLocks @_noAllocation
    mutating func normalise() { oscillator.normalise() }

    private mutating func takeTurn() {
        if turns == 0 {
            oscillator = high
            envelope.rise()
        } else {
            // Continue at the current phase, since a jump would click.
            oscillator.follow(turns % 2 == 0 ? high : low)
        }
        turns += 1
    }

    /// Returns a square wave from a sine: the odd harmonics are its Chebyshev polynomials, with signs.
    @inline(__always)
    @_noLocks @_noAllocation
    private func square(_ sine: Double) -> Double {
        let power = sine * sine
        let three = sine * (3 - 4 * power)
        let five = sine * (5 - power * (20 - 16 * power))
        let seven = sine * (7 - power * (56 - power * (112 - 64 * power)))
        return sine + third * three + fifth * five + seventh * seven
    }
}
