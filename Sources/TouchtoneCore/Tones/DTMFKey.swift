// SPDX-License-Identifier: GPL-3.0-or-later

/// One of the sixteen signals of push-button telephones (ITU-T Q.23); the raw value is the event code of RFC
/// 4733, section 3.2, which also names tones and files.
public enum DTMFKey: UInt8, CaseIterable, Hashable, Sendable {
    case zero, one, two, three, four, five, six, seven, eight, nine
    case star, pound
    case a, b, c, d
}

extension DTMFKey {
    /// The frequency of the row, in hertz (ITU-T Q.23).
    public var lowFrequency: Double {
        switch self {
        case .one, .two, .three, .a: 697
        case .four, .five, .six, .b: 770
        case .seven, .eight, .nine, .c: 852
        case .star, .zero, .pound, .d: 941
        }
    }

    /// The frequency of the column, in hertz (ITU-T Q.23).
    public var highFrequency: Double {
        switch self {
        case .one, .four, .seven, .star: 1209
        case .two, .five, .eight, .zero: 1336
        case .three, .six, .nine, .pound: 1477
        case .a, .b, .c, .d: 1633
        }
    }

    /// The character of the key in a number: `0`…`9`, `*`, `#`, `A`…`D`.
    public var character: Character {
        switch self {
        case .star: "*"
        case .pound: "#"
        case .a: "A"
        case .b: "B"
        case .c: "C"
        case .d: "D"
        default: Character(Unicode.Scalar(UInt8(ascii: "0") + rawValue))
        }
    }

    /// Creates the key for a character of a number; nil for any other character.
    public init?(_ character: Character) {
        guard let key = Self.allCases.first(where: { $0.character == character }) else { return nil }
        self = key
    }

    /// Whether telephones have the key; A to D are on none of their keypads.
    public var isOnKeypad: Bool { rawValue <= Self.pound.rawValue }

    /// The name of the key's file in a tone set, without its folder: `DTMF_05.wav`, `DTMF_star.wav`, `DTMF_A.wav`.
    public var fileName: String {
        switch self {
        case .star: "DTMF_star.wav"
        case .pound: "DTMF_pound.wav"
        case .a, .b, .c, .d: "DTMF_\(character).wav"
        default: "DTMF_0\(rawValue).wav"
        }
    }
}
