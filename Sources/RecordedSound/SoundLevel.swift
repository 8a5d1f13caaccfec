// SPDX-License-Identifier: GPL-3.0-or-later

/// Tells sound from silence, which on a line is not quite silent.
public struct SoundLevel: Sendable {
    /// The power of speech at least, of samples of 16 bits: 45 dB below full scale.
    private static let threshold = 184.0 * 184.0
    /// The blocks in a row that are sound; fewer are a click.
    private static let least = 3
    /// The blocks of a second.
    private static let blocks = 50

    private var power = 0.0
    private var count = 0
    private var loud = 0
    /// Whether any sound was heard.
    public private(set) var hasHeard = false

    public init() {}

    /// Returns whether there was sound at the end of a part, or within it.
    public mutating func hears(_ samples: UnsafeBufferPointer<Int16>, rate: Int) -> Bool {
        var result = false
        for sample in samples {
            power += Double(sample) * Double(sample)
            count += 1
            guard count * Self.blocks >= rate else { continue }
            loud = power / Double(count) >= Self.threshold ? loud + 1 : 0
            (power, count) = (0, 0)
            if loud >= Self.least { result = true }
        }
        if result { hasHeard = true }
        return result
    }
}
