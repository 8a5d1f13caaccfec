// SPDX-License-Identifier: GPL-3.0-or-later

import CXTest
import GtkBridge
import GtkTestSupport
import XCTest

@testable import TouchtoneUI

/// Moves the pointer of the test screen to where no window is.
@MainActor
func movePointerAway() {
    cxtest_move(1590, 1390)
    handleEvents()
}

/// The keyboard's modifiers, by the key that has them.
enum Modifier {
    static let control = GDK_KEY_Control_L
    static let shift = GDK_KEY_Shift_L
}

extension Desk {
    /// Moves the pointer to the middle of a widget.
    func hover(_ widget: UnsafeMutablePointer<GtkWidget>) {
        let (x, y) = middle(of: widget)
        cxtest_move(Int32(x), Int32(y))
        handleEvents()
    }

    /// Moves the pointer to the middle of a widget and puts its button down there.
    func press(_ widget: UnsafeMutablePointer<GtkWidget>, button: UInt32 = 1) {
        hover(widget)
        cxtest_button(button, true)
        handleEvents()
    }

    /// Lets the pointer's button up, wherever it is.
    func release(button: UInt32 = 1) {
        cxtest_button(button, false)
        handleEvents()
    }

    /// Clicks a key by its accessible name.
    func click(_ name: String, file: StaticString = #filePath, line: UInt = #line) {
        guard let key = find(name) else { return XCTFail("no key \(name)", file: file, line: line) }
        press(key)
        release()
    }

    /// Puts a key of the keyboard down, or lets it up.
    func key(_ value: gint, down: Bool, file: StaticString = #filePath, line: UInt = #line) {
        XCTAssert(
            cxtest_key(UInt32(bitPattern: value), down), "no key types \(value)", file: file, line: line)
        handleEvents()
    }

    /// Presses and releases a key of the keyboard, with a modifier held or without.
    func type(_ value: gint, with modifier: gint? = nil) {
        if let modifier { key(modifier, down: true) }
        key(value, down: true)
        key(value, down: false)
        if let modifier { key(modifier, down: false) }
    }

    /// Types a text of digits and lower-case letters, and what shift makes of the digits of an American keyboard.
    func type(_ text: String) {
        let shifted: [Character: Character] = ["*": "8", "#": "3", "+": "="]
        for character in text {
            let isShifted = shifted[character] != nil || character.isUppercase
            let plain = shifted[character] ?? Character(character.lowercased())
            for scalar in plain.unicodeScalars {
                type(gint(scalar.value), with: isShifted ? Modifier.shift : nil)
            }
        }
    }

    /// Takes an action of the window, as its shortcut does in the program.
    func act(_ action: String) {
        g_action_group_activate_action(OpaquePointer(window.window), action, nil)
        handleEvents()
    }

    /// Makes the window the one that is worked in; there is no window manager to do it.
    func focus() {
        gdk_window_focus(gtk_widget_get_window(widget), guint(GDK_CURRENT_TIME))
        waitUntil("the window is active") { gtk_window_is_active(window.window) != 0 }
    }

    private func middle(of other: UnsafeMutablePointer<GtkWidget>) -> (gint, gint) {
        var (x, y, left, top): (gint, gint, gint, gint) = (0, 0, 0, 0)
        let (width, height) = (gtk_widget_get_allocated_width(other), gtk_widget_get_allocated_height(other))
        gtk_widget_translate_coordinates(other, widget, width / 2, height / 2, &x, &y)
        gdk_window_get_origin(gtk_widget_get_window(widget), &left, &top)
        return (left + x, top + y)
    }
}

/// How far a widget is from the left of the window, in pixels.
@MainActor
func left(of widget: UnsafeMutablePointer<GtkWidget>?, in window: UnsafeMutablePointer<GtkWidget>)
    -> gint
{
    var (x, y): (gint, gint) = (0, 0)
    gtk_widget_translate_coordinates(widget, window, 0, 0, &x, &y)
    return x
}
