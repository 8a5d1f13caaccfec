// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The click of a key that reaches its stop, or the clicks of the contacts in pulse dialling.
///
/// A digit makes as many breaks as its value, and 0 makes ten, at ten per second: the line is open for 60 ms and closed
/// for 40 ms. The contacts click at both, more quietly when they close. The next digit starts 800 ms after the contacts
/// have closed.
struct ClickSource: SoundSource {
    /// The period of the breaks, in milliseconds.
    static let period = 100
    /// The length of a break in milliseconds, 60 % of the period.
    static let breakTime = 60
    /// The time between two digits, with the line closed, in milliseconds.
    static let digitPause = 800
    /// The silence after the pulses of a digit, in seconds.
    static var restAfterDigit: Double {
        @_noLocks @_noAllocation get { Double(digitPause - ringOut) / 1000 }
    }
    /// The amplitude of a closing contact relative to an opening one.
    private static let makeForce = 0.6
    /// The audible length of a click in milliseconds, until it is 80 dB down.
    private static let ringOut = 30

    let peak = Level.standard.amplitude
    private(set) var isOver = false

    private let pulses: InlineArray<64, UInt8>
    private let digitCount: Int
    private let rate: Int
    private var low: Resonance
    private var high: Resonance
    private var scale = 1.0

    private var frame = 0
    private var digit = 0
    private var pulse = 0
    private var isOpen = false
    /// The time of the next click or of the end, in milliseconds.
    private var nextTime = 0

    init(keyAt rate: Int) { self.init([], rate: rate) }

    /// Creates the pulses of keys, of which only digits have any; `rate` is in hertz.
    init(pulsing keys: [DTMFKey], rate: Int) {
        let counts = keys.compactMap(Self.pulses(of:)).prefix(PhoneSound.maximumPulseDigits)
        self.init(Array(counts), rate: rate)
        if counts.isEmpty { isOver = true }
    }

    /// Returns the number of pulses of a key, 1 to 10, or nil if it has none.
    static func pulses(of key: DTMFKey) -> UInt8? {
        guard key.rawValue <= 9 else { return nil }
        return key == .zero ? 10 : key.rawValue
    }

    private init(_ counts: [UInt8], rate: Int) {
        pulses = InlineArray { $0 < counts.count ? counts[$0] : 0 }
        digitCount = counts.count
        self.rate = rate
        low = Resonance(frequency: 1150, amplitude: 1, decay: 0.002_5, rate: Double(rate))
        high = Resonance(frequency: 3100, amplitude: 0.7, decay: 0.001_2, rate: Double(rate))
        var trial = self
        trial.strike(1)
        var greatest = 0.0
        for _ in 0..<rate / 50 { greatest = max(greatest, abs(trial.low.next() + trial.high.next())) }
        scale = peak / greatest
    }

    @inline(__always)
    @_noLocks @_noAllocation
    mutating func next() -> Double {
        if frame == nextTime * rate / 1000 { goOn() }
        frame += 1
        guard !isOver else { return 0 }
        return scale * (low.next() + high.next())
    }

    @_noLocks @_noAllocation
    mutating func normalise() {}

    /// Advances to the next event: a contact opens or closes, or the sound ends.
    @_noLocks @_noAllocation
    private mutating func goOn() {
        if digitCount == 0, frame == 0 {
            strike(1)
            nextTime += Self.ringOut
        } else if digit == digitCount {
            isOver = true
        } else if isOpen {
            strike(Self.makeForce)
            isOpen = false
            pulse += 1
            nextTime += Self.period - Self.breakTime
            guard pulse == pulses[digit] else { return }
            pulse = 0
            digit += 1
            nextTime +=
                (digit == digitCount ? Self.ringOut : Self.digitPause) - (Self.period - Self.breakTime)
        } else {
            strike(1)
            isOpen = true
            nextTime += Self.breakTime
        }
    }

    @_noLocks @_noAllocation
    private mutating func strike(_ force: Double) {
        low.strike(force)
        high.strike(force)
    }
}
