// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// Maps keyboard events to the keys of the phone.
@MainActor
enum Keyboard {
    /// Returns the phone key for a keyboard event, or nil if there is none or the event is a shortcut.
    static func key(for event: GdkEventKey) -> KeypadKey? {
        guard event.state & shortcutModifiers == 0 else { return nil }
        if let key = key(forValue: Int32(bitPattern: event.keyval)) { return key }
        // Layouts such as French have digits on the shifted level of the top row; accept them without Shift, too.
        guard event.state & GDK_SHIFT_MASK.rawValue == 0, let shifted = shiftedValue(of: event),
            case .tone(let tone)? = key(forValue: shifted), tone.character.isNumber
        else { return nil }
        return .tone(tone)
    }

    enum LockKey: Hashable {
        case digit(Int)
        case delete
    }

    /// Returns the lock screen key for an event; letters that stand for a digit are not accepted.
    static func lockKey(for event: GdkEventKey) -> LockKey? {
        switch key(for: event) {
        case .delete: return .delete
        case .tone(let tone):
            let typed = character(of: Int32(bitPattern: event.keyval))
            guard typed.flatMap(Phonewords.key(for:)) == nil else { return nil }
            return tone.character.wholeNumberValue.map { .digit($0) }
        case .plus, .dial, nil: return nil
        }
    }

    private static let shortcutModifiers =
        GDK_CONTROL_MASK.rawValue | GDK_MOD1_MASK.rawValue | GDK_SUPER_MASK.rawValue | GDK_META_MASK.rawValue

    private static func key(forValue value: Int32) -> KeypadKey? {
        switch value {
        case GDK_KEY_BackSpace, GDK_KEY_Delete: .delete
        case GDK_KEY_Return, GDK_KEY_KP_Enter, GDK_KEY_ISO_Enter: .dial
        default: keypadWithoutNumLock[value].map(KeypadKey.tone) ?? character(of: value).flatMap(key(for:))
        }
    }

    /// The digits of the numeric keypad by their key values while NumLock is off.
    private static let keypadWithoutNumLock: [Int32: DTMFKey] = [
        GDK_KEY_KP_Insert: .zero, GDK_KEY_KP_End: .one, GDK_KEY_KP_Down: .two, GDK_KEY_KP_Page_Down: .three,
        GDK_KEY_KP_Left: .four, GDK_KEY_KP_Begin: .five, GDK_KEY_KP_Right: .six, GDK_KEY_KP_Home: .seven,
        GDK_KEY_KP_Up: .eight, GDK_KEY_KP_Page_Up: .nine,
    ]

    private static func character(of value: Int32) -> Character? {
        Unicode.Scalar(gdk_keyval_to_unicode(guint(bitPattern: value))).map(Character.init)
    }

    private static func key(for character: Character) -> KeypadKey? {
        if character == "+" { return .plus }
        if character == "*" { return .tone(.star) }
        if character == "#" { return .tone(.pound) }
        // Accept the decimal digits of every script.
        if let digit = character.wholeNumberValue,
            character.unicodeScalars.first?.properties.numericType == .decimal
        {
            return DTMFKey(rawValue: UInt8(digit)).map(KeypadKey.tone)
        }
        return Phonewords.key(for: character).map(KeypadKey.tone)
    }

    /// Returns whether a keyboard event types text: a character, or a key that composes one, such as a dead key.
    static func isText(_ event: GdkEventKey) -> Bool {
        guard event.state & shortcutModifiers == 0 else { return false }
        switch Int32(bitPattern: event.keyval) {
        case GDK_KEY_Multi_key, GDK_KEY_dead_grave...GDK_KEY_dead_greek: return true
        default:
            let scalar = Unicode.Scalar(gdk_keyval_to_unicode(event.keyval))
            return scalar.map { $0.value != 0 && $0.properties.generalCategory != .control } ?? false
        }
    }

    /// Returns the lower-case Latin letter of a key in the active layout, or else in another one, so that
    /// Ctrl shortcuts work while a layout for a different script is active.
    static func latinLetter(of event: GdkEventKey) -> Character? {
        for group in [event.group, 0, 1, 2, 3] {
            let value = value(of: event, state: 0, group: group).flatMap { UInt32(exactly: $0) }
            if let letter = value.flatMap(Unicode.Scalar.init), ("a"..."z").contains(letter) {
                return Character(letter)
            }
        }
        return nil
    }

    private static func shiftedValue(of event: GdkEventKey) -> Int32? {
        value(of: event, state: event.state | GDK_SHIFT_MASK.rawValue, group: event.group)
    }

    private static func value(of event: GdkEventKey, state: guint, group: guint8) -> Int32? {
        guard let display = gdk_display_get_default(), let keymap = gdk_keymap_get_for_display(display)
        else { return nil }
        var value: guint = 0
        guard
            gdk_keymap_translate_keyboard_state(
                keymap, guint(event.hardware_keycode), GdkModifierType(rawValue: state), gint(group), &value,
                nil, nil, nil) != 0
        else { return nil }
        return Int32(bitPattern: value)
    }
}
