// SPDX-License-Identifier: GPL-3.0-or-later

/// A sound of the telephone that is not a key's tone.
///
/// Each is made anew at every playing, the same to the bit. A cadence is as loud as its levels in dBm0 say, where a
/// sine at full scale has +3.14 dBm0 (ITU-T G.711); the peak of the others is at -9 dBFS.
public enum PhoneSound: Hashable, Sendable {
    /// A sound of the network, such as a `TonePlan` has.
    case cadence(Cadence)
    /// The mechanical bell with two gongs: 2 s, then 4 s of silence, for ever.
    case bell
    /// The bell struck once, both gongs one after the other: a message has come.
    case ding
    /// The electronic ringer: two notes in turns for 2 s, then 4 s of silence, for ever.
    case warble
    /// The click of a key.
    case keyClick
    /// Something cannot be done: three short beeps.
    case errorTone
    /// The clicks of pulse dialling: ten a second, 60 ms open and 40 ms closed, 0 is ten, 800 ms between two digits.
    ///
    /// Keys that are no digits are left out, and digits beyond the 64th.
    case pulses([DTMFKey])

    /// The most digits of `pulses`.
    public static let maximumPulseDigits = 64

    /// The beeps of `errorTone`: those of the reorder tone of North America, which need no explanation, but short.
    public static let errorCadence: Cadence = {
        let tones = [480.0, 620].compactMap { Cadence.Tone(frequency: $0, level: -19) }
        let parts = [Cadence.Segment(tones, milliseconds: 80), Cadence.Segment([], milliseconds: 60)]
        return Cadence(parts.compactMap { $0 }, cycles: 3) ?? .silence
    }()

    /// Whether it goes on until it is stopped.
    public var isEndless: Bool {
        switch self {
        case .cadence(let cadence): cadence.cycles == nil
        case .bell, .warble: true
        case .ding, .keyClick, .errorTone, .pulses: false
        }
    }
}
