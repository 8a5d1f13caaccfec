// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The keys of the keyboard in the window: which of them the phone, the panel or the lock gets.
@MainActor
final class WindowKeyboard {
    private let window: UnsafeMutablePointer<GtkWindow>
    private let phone: Phone
    private let keypad: KeypadView
    private let display: Widget
    private let panel: SidePanel
    private let cover: LockCover
    private let people: PhoneContactsController
    private var held = HeldKeys()

    init(
        of window: UnsafeMutablePointer<GtkWindow>, phone: Phone, keypad: KeypadView, display: Widget,
        panel: SidePanel, cover: LockCover, people: PhoneContactsController
    ) {
        (self.window, self.phone, self.keypad, self.display) = (window, phone, keypad, display)
        (self.panel, self.cover, self.people) = (panel, cover, people)
        Signal.connectEvent(window, "key-press-event") { [weak self] in self?.keyPressed($0) ?? false }
        Signal.connectEvent(window, "key-release-event") { [weak self] in self?.keyReleased($0) ?? false }
    }

    /// The phone locks or opens: the keys that are down mean neither of what is there now.
    func turnStale() { held.turnStale() }

    /// The window gets the focus or loses it.
    func activeChanged(_ isActive: Bool) { held.begin(with: isActive ? KeysDown.codes : []) }

    private func keyPressed(_ event: UnsafeMutablePointer<GdkEvent>) -> Bool {
        let press = held.press(UInt32(event.pointee.key.hardware_keycode))
        guard press != .stale else { return true }
        guard !cover.isOn else {
            return cover.screen?.keyPressed(event.pointee.key, isRepeat: press != .first) ?? true
        }
        // A digit is never entered twice, nor a number dialled by the Return that closed another window.
        guard press != .carried || focusTakesText else { return true }
        // What is typed in the panel is the panel's, before any shortcut of the phone's, and never the phone's.
        if panel.hasFocus { return gtk_window_propagate_key_event(window, &event.pointee.key) != 0 }
        if !focusTakesText, people.keyPressed(event.pointee.key) { return true }
        guard !focusTakesText, let key = phoneKey(for: event.pointee.key) else { return false }
        phone.press(key, by: .keyboard(code: UInt32(event.pointee.key.hardware_keycode)))
        // Whoever types a number means the keypad: Return then dials, whichever key had the focus before.
        if keypad.focusedKey == nil { gtk_widget_grab_focus(display) }
        return true
    }

    private func keyReleased(_ event: UnsafeMutablePointer<GdkEvent>) -> Bool {
        held.release(UInt32(event.pointee.key.hardware_keycode))
        // Whatever has the focus by now: a key that is down must come up.
        phone.release(by: .keyboard(code: UInt32(event.pointee.key.hardware_keycode)))
        return false
    }

    /// Return dials unless a key with a name of its own has the focus; Space presses the key of the phone that has it.
    private func phoneKey(for event: GdkEventKey) -> KeypadKey? {
        guard let key = Keyboard.key(for: event) else {
            return event.keyval == guint(GDK_KEY_space) ? keypad.focusedKey : nil
        }
        return key == .dial && focusIsOnAnotherButton ? nil : key
    }

    private var focus: Widget? { gtk_window_get_focus(window) }

    private var focusTakesText: Bool { focus?.takesText ?? false }

    private var focusIsOnAnotherButton: Bool {
        guard let focus else { return false }
        return cgtk_instance_is_a(focus, gtk_button_get_type()) != 0 && keypad.focusedKey == nil
    }
}
