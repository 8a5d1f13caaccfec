// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// Clicks: of a key that reaches its stop, or of the contacts by which a line is pulsed.
///
/// A digit is as many breaks of the line as it says, 0 is ten, as of a dial: ten a second, the line open for 60 ms
/// and closed for 40. The contacts click at both, less when they close. The first break of the next digit comes
/// 800 ms after the last digit's contacts closed.
struct ClickSource: SoundSource {
    /// From break to break, in milliseconds.
    static let period = 100
    /// How long a break is, in milliseconds: 60 % of the period.
    static let breakTime = 60
    /// The line is closed between two digits for so long, in milliseconds.
    static let digitPause = 800
    /// What is to be silent after the end of a digit's pulses, in seconds.
    static var restAfterDigit: Double {
        @_noLocks @_noAllocation get { Double(digitPause - ringOut) / 1000 }
    }
    /// How loud a contact closes beside how loud it opens.
    private static let makeForce = 0.6
    /// How long a click can be heard, in milliseconds: until it is 80 dB down.
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
    /// The time of the next click, or of the end, in milliseconds.
    private var nextTime = 0

    /// The click of a key; `rate` in hertz.
    init(keyAt rate: Int) { self.init([], rate: rate) }

    /// The pulses of the keys, of which only digits have any; `rate` in hertz.
    init(pulsing keys: [DTMFKey], rate: Int) {
        let counts = keys.compactMap(Self.pulses(of:)).prefix(PhoneSound.maximumPulseDigits)
        self.init(Array(counts), rate: rate)
        if counts.isEmpty { isOver = true }
    }

    /// The pulses of a digit, 1 to 10; nil for a key that has none.
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

    /// The next event: a contact that opens or closes, or the end.
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
