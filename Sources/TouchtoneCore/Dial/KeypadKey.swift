// SPDX-License-Identifier: GPL-3.0-or-later

/// A key of the phone, on the screen or on the keyboard.
public enum KeypadKey: Hashable, Sendable {
    /// A key that enters its character and sounds its tone.
    case tone(DTMFKey)
    /// The `+` of the keyboard, which is on the key of 0 on the screen.
    case plus
    case delete
    case dial
}

extension KeypadKey {
    /// The keys on the screen, row by row, the first row at the top; `dial` is as wide as two keys.
    public static let rows: [[KeypadKey]] = [
        [.tone(.one), .tone(.two), .tone(.three)],
        [.tone(.four), .tone(.five), .tone(.six)],
        [.tone(.seven), .tone(.eight), .tone(.nine)],
        [.tone(.star), .tone(.zero), .tone(.pound)],
        [.delete, .dial],
    ]

    /// The key on the screen that goes down with this one.
    public var onScreen: KeypadKey { self == .plus ? .tone(.zero) : self }

    /// The tone of the key: `+` is the upper character of the 0 key and has its tone; `delete` and `dial` have none.
    public var tone: DTMFKey? {
        switch self {
        case .tone(let key): key
        case .plus: .zero
        case .delete, .dial: nil
        }
    }

    /// The key's name for assistive tools; it is a contract, so it is never translated here.
    public var accessibleName: String {
        switch self {
        case .tone(.star): "star"
        case .tone(.pound): "pound"
        case .tone(let key): String(key.character)
        case .plus: "plus"
        case .delete: "Delete"
        case .dial: "Dial"
        }
    }
}

/// A source of key presses; each holds at most one key.
public enum KeySource: Hashable, Sendable {
    /// The mouse's first button.
    case pointer
    /// A finger on the screen, by the number of its touch sequence.
    case touch(sequence: UInt)
    /// A key of the keyboard, by its hardware code, which the shift key does not change.
    case keyboard(code: UInt32)
    /// A click by an assistive tool, which has no duration.
    case accessibility
}
