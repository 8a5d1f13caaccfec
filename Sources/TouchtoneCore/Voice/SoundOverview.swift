// SPDX-License-Identifier: GPL-3.0-or-later

/// The length of a sound file, and how loud its parts are.
public struct SoundOverview: Hashable, Sendable {
    /// The number of parts.
    public static let parts = 64

    public let length: Duration
    /// The levels of equal parts, in their order: 0 is silence (−48 dBFS or less), 255 full scale.
    public let levels: [UInt8]

    public init(length: Duration, levels: [UInt8]) { (self.length, self.levels) = (length, levels) }
}
