// SPDX-License-Identifier: GPL-3.0-or-later

/// A sound of the telephone other than a key tone.
///
/// Each playback synthesizes it again, bit for bit the same. The level of a cadence follows from its tones' levels in
/// dBm0, where a full-scale sine wave has +3.14 dBm0 (ITU-T G.711); the other sounds peak at -9 dBFS.
public enum PhoneSound: Hashable, Sendable {
    /// A sound of the network, as in a `TonePlan`.
    case cadence(Cadence)
    /// The mechanical bell with two gongs: 2 s, then 4 s of silence, repeated for ever.
    case bell
    /// A single stroke of the bell, on both gongs in turn, for a new message.
    case ding
    /// The electronic ringer: two alternating notes for 2 s, then 4 s of silence, repeated for ever.
    case warble
    case keyClick
    /// Three short beeps for an action that is not possible.
    case errorTone
    /// The clicks of pulse dialling: ten per second, 60 ms open and 40 ms closed, ten for 0, and 800 ms between digits.
    ///
    /// Keys other than digits are omitted, as are digits after the 64th.
    case pulses([DTMFKey])

    public static let maximumPulseDigits = 64

    /// The beeps of `errorTone`: a short form of North America's reorder tone, which needs no explanation.
    public static let errorCadence: Cadence = {
        let tones = [480.0, 620].compactMap { Cadence.Tone(frequency: $0, level: -19) }
        let parts = [Cadence.Segment(tones, milliseconds: 80), Cadence.Segment([], milliseconds: 60)]
        return Cadence(parts.compactMap { $0 }, cycles: 3) ?? .silence
    }()

    /// Whether the sound continues until it is stopped.
    public var isEndless: Bool {
        switch self {
        case .cadence(let cadence): cadence.cycles == nil
        case .bell, .warble: true
        case .ding, .keyClick, .errorTone, .pulses: false
        }
    }
}
