// SPDX-License-Identifier: GPL-3.0-or-later

/// A single stroke of the bell: the higher gong, then the lower one, which ring out.
struct DingSource: SoundSource {
    /// The time between the strokes, in milliseconds.
    static let interval = 140
    /// The audible length in milliseconds, until it is 70 dB down.
    static let length = 2000

    private(set) var peak = 1.0
    private(set) var isOver = false

    private var first: Gong
    private var second: Gong
    private let rate: Int
    private var scale = 1.0
    private var frame = 0

    init(rate: Int) {
        self.rate = rate
        first = Gong(Gong.lowest[1], rate: Double(rate))
        second = Gong(Gong.lowest[0], rate: Double(rate))
        var trial = self
        var greatest = 0.0
        for _ in 0..<rate * 2 * Self.interval / 1000 { greatest = max(greatest, abs(trial.next())) }
        peak = Level.standard.amplitude
        scale = peak / greatest
    }

    @inline(__always)
    @_noLocks @_noAllocation
    mutating func next() -> Double {
        if frame == 0 { first.strike() }
        if frame == rate * Self.interval / 1000 { second.strike() }
        if frame == rate * Self.length / 1000 { isOver = true }
        guard !isOver else { return 0 }
        frame += 1
        return scale * (first.next() + second.next())
    }

    @_noLocks @_noAllocation
    mutating func normalise() {}
}
