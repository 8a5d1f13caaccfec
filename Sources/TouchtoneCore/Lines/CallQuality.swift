// SPDX-License-Identifier: GPL-3.0-or-later

/// The quality of a call, as its line measures it.
public struct CallQuality: Hashable, Sendable {
    /// The name of the codec, such as `opus`; empty if unknown.
    public let codec: String
    /// The encryption of the media, such as `SRTP`; empty if there is none.
    public let encryption: String
    /// The packets that were lost on the way here, in per cent, 0 to 100.
    public let loss: Double
    /// The variation of the packets' delay, in milliseconds.
    public let jitter: Double
    /// The time to the far end and back, in milliseconds; nil if unknown.
    public let roundTrip: Double?

    /// The greatest time that is shown, in milliseconds.
    private static let maximumTime = 60_000.0

    /// Creates a description of a call's quality; values out of range become the nearest valid ones.
    public init(codec: String, encryption: String, loss: Double, jitter: Double, roundTrip: Double?) {
        func bounded(_ value: Double, _ maximum: Double) -> Double {
            value.isNaN ? 0 : min(max(value, 0), maximum)
        }
        (self.codec, self.encryption) = (codec, encryption)
        self.loss = bounded(loss, 100)
        self.jitter = bounded(jitter, Self.maximumTime)
        self.roundTrip = roundTrip.map { bounded($0, Self.maximumTime) }
    }
}
