// SPDX-License-Identifier: GPL-3.0-or-later

/// The mechanical bell of a desk telephone: a clapper that moves between two gongs while the ringing current flows.
///
/// In each period of the 20 Hz current, the clapper strikes the gongs in turn, for 2 s. The gongs then ring out during
/// 4 s of silence (the ringing cadence of North America).
struct BellSource: SoundSource {
    static let strokesPerSecond = 20
    /// The seconds in which the clapper moves, and in which it rests.
    static let ringing = 2
    static let resting = 4

    private(set) var peak = 1.0
    let isOver = false

    private var first: Gong
    private var second: Gong
    private let rate: Int
    private var scale = 1.0
    private var frame = 0
    private var stroke = 0

    init(rate: Int) {
        self.rate = rate
        first = Gong(Gong.lowest[0], rate: Double(rate))
        second = Gong(Gong.lowest[1], rate: Double(rate))
        // All rings are identical, so the peak of the first is the peak of all.
        var trial = self
        var greatest = 0.0
        for _ in 0..<Self.ringing * rate { greatest = max(greatest, abs(trial.next())) }
        peak = Level.standard.amplitude
        scale = peak / greatest
    }

    @inline(__always)
    @_noLocks @_noAllocation
    mutating func next() -> Double {
        if frame == stroke * rate / Self.strokesPerSecond { strike() }
        frame += 1
        if frame == (Self.ringing + Self.resting) * rate {
            frame = 0
            stroke = 0
        }
        return scale * (first.next() + second.next())
    }

    @_noLocks @_noAllocation
    mutating func normalise() {}

    private mutating func strike() {
        guard stroke < Self.ringing * Self.strokesPerSecond else { return }
        if stroke == 0 {
            // After 4 s, the previous ring is inaudible.
            first.rest()
            second.rest()
        }
        if stroke % 2 == 0 { first.strike() } else { second.strike() }
        stroke += 1
    }
}
