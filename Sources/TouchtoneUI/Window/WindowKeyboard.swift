// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// Routes keyboard events of the window to the phone, the panel or the lock screen.
@MainActor
final class WindowKeyboard {
    private let window: UnsafeMutablePointer<GtkWindow>
    private let phone: Phone
    private let keypad: KeypadView
    private let display: Widget
    private let panel: SidePanel
    private let cover: LockCover
    private let suggestions: SuggestionController
    private var held = HeldKeys()

    init(
        of window: UnsafeMutablePointer<GtkWindow>, phone: Phone, keypad: KeypadView, display: Widget,
        panel: SidePanel, cover: LockCover, suggestions: SuggestionController
    ) {
        (self.window, self.phone, self.keypad, self.display) = (window, phone, keypad, display)
        (self.panel, self.cover, self.suggestions) = (panel, cover, suggestions)
        Signal.connect(window, "realize") { KeysDown.track(window.cast()) }
        Signal.connectEvent(window, "key-press-event") { [weak self] in self?.keyPressed($0) ?? false }
        Signal.connectEvent(window, "key-release-event") { [weak self] in self?.keyReleased($0) ?? false }
        Signal.connectSetFocus(window) { [weak panel] widget in
            panel?.focusMoves(to: widget)
            // A key may come before the widget is drawn for the first time.
            if let widget, gtk_widget_get_realized(window.cast()) != 0 { gtk_widget_realize(widget) }
        }
    }

    /// Ignores the keys that are pressed now until they are released, when the phone is locked or unlocked.
    func turnStale() { held.turnStale() }

    func activeChanged(_ isActive: Bool) {
        let keys = isActive ? KeysDown.takeAtFocus() : []
        DebugLog.write("keyboard: \(isActive ? "\(keys.count) keys were pressed at the focus" : "no focus")")
        held.begin(with: keys)
    }

    private func keyPressed(_ event: UnsafeMutablePointer<GdkEvent>) -> Bool {
        let press = held.press(UInt32(event.pointee.key.hardware_keycode))
        if press == .stale || press == .carried { DebugLog.write("keyboard: a key is \(press)") }
        guard press != .stale else { return true }
        guard !cover.isOn else {
            return cover.screen?.keyPressed(event.pointee.key, isRepeat: press != .first) ?? true
        }
        // Ignore keys that were pressed in a different window, such as the Return that closed it, which would dial.
        guard press != .carried || focusTakesText else { return true }
        if press == .first, phone.calls.answerable != nil, Self.isAnswer(event.pointee.key) {
            phone.calls.answer()
            return true
        }
        if press == .first, takeForMemory(event.pointee.key) { return true }
        panel.keepFocus()
        // While the panel has the focus, it handles keys before any shortcut, and the phone receives none.
        if panel.keyComes(event.pointee.key) { return true }
        if panel.hasFocus { return gtk_window_propagate_key_event(window, &event.pointee.key) != 0 }
        if !focusTakesText, suggestions.keyPressed(event.pointee.key) { return true }
        guard !focusTakesText, let key = phoneKey(for: event.pointee.key) else { return false }
        phone.press(key, by: .keyboard(code: UInt32(event.pointee.key.hardware_keycode)))
        // Move the focus to the display, so that Return dials instead of pressing the focused button.
        if keypad.focusedKey == nil { gtk_widget_grab_focus(display) }
        return true
    }

    /// Gives a digit to MEM, which may have been pressed by the pointer, while it waits; the focus may be anywhere.
    private func takeForMemory(_ key: GdkEventKey) -> Bool {
        guard phone.memoryQuestion != nil, case .digit(let digit)? = Keyboard.lockKey(for: key), digit > 0,
            let tone = DTMFKey(Character(String(digit)))
        else { return false }
        phone.press(.tone(tone), by: .keyboard(code: UInt32(key.hardware_keycode)))
        return true
    }

    /// Whether a key is Ctrl+Return, which would be a new line in a message.
    private static func isAnswer(_ key: GdkEventKey) -> Bool {
        let modifiers = GDK_CONTROL_MASK.rawValue | GDK_SHIFT_MASK.rawValue | GDK_MOD1_MASK.rawValue
        guard key.state & modifiers == GDK_CONTROL_MASK.rawValue else { return false }
        return [GDK_KEY_Return, GDK_KEY_KP_Enter, GDK_KEY_ISO_Enter].contains(Int32(bitPattern: key.keyval))
    }

    private func keyReleased(_ event: UnsafeMutablePointer<GdkEvent>) -> Bool {
        held.release(UInt32(event.pointee.key.hardware_keycode))
        // Release the phone key even if the focus has moved since, because otherwise it would stay pressed.
        phone.release(by: .keyboard(code: UInt32(event.pointee.key.hardware_keycode)))
        return false
    }

    /// Returns the phone key for an event: Return dials unless a different button has the focus, and Space presses the
    /// focused key of the keypad.
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
