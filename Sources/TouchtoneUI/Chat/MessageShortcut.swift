// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// A shortcut of the message page, which counts wherever the focus is on the page.
enum MessageShortcut: Hashable {
    case next, previous, nextUnread
    case search, searchAll
    case encryption
    case attach, reply, react

    @MainActor
    init?(_ key: GdkEventKey) {
        let (control, shift, alt) = (
            GDK_CONTROL_MASK.rawValue, GDK_SHIFT_MASK.rawValue, GDK_MOD1_MASK.rawValue
        )
        let modifiers = key.state & gtk_accelerator_get_default_mod_mask().rawValue
        switch (Int32(bitPattern: key.keyval), modifiers) {
        case (GDK_KEY_Page_Down, control), (GDK_KEY_KP_Page_Down, control), (GDK_KEY_Tab, control),
            (GDK_KEY_KP_Tab, control):
            self = .next
        // Shift turns Tab into a key of its own.
        case (GDK_KEY_Page_Up, control), (GDK_KEY_KP_Page_Up, control),
            (GDK_KEY_ISO_Left_Tab, control | shift), (GDK_KEY_Tab, control | shift),
            (GDK_KEY_KP_Tab, control | shift):
            self = .previous
        case (GDK_KEY_Down, alt | shift), (GDK_KEY_KP_Down, alt | shift): self = .nextUnread
        default:
            guard modifiers & control != 0, modifiers & alt == 0, let letter = Keyboard.latinLetter(of: key)
            else { return nil }
            self.init(letter: letter, isShifted: modifiers & shift != 0)
        }
    }

    private init?(letter: Character, isShifted: Bool) {
        switch (letter, isShifted) {
        case ("f", false): self = .search
        case ("f", true): self = .searchAll
        case ("k", true): self = .encryption
        case ("u", false): self = .attach
        case ("r", false): self = .reply
        case ("r", true): self = .react
        default: return nil
        }
    }
}
