// SPDX-License-Identifier: GPL-3.0-or-later

import CXTest
import GtkBridge
import GtkTestSupport
import XCTest

@testable import TouchtoneUI

/// Moves the pointer of the test screen outside all windows.
@MainActor
func movePointerAway() {
    cxtest_move(1590, 1390)
    handleEvents()
}

/// The modifiers of the keyboard, by the key that sets them.
enum Modifier {
    static let control = GDK_KEY_Control_L
    static let shift = GDK_KEY_Shift_L
}

/// A window on the test screen that a test operates as a user does.
@MainActor
protocol WorkedIn {
    /// The window.
    var widget: UnsafeMutablePointer<GtkWidget> { get }
}

extension WorkedIn {
    /// Moves the pointer to the middle of a widget.
    func hover(_ widget: UnsafeMutablePointer<GtkWidget>) {
        let (x, y) = middle(of: widget)
        cxtest_move(Int32(x), Int32(y))
        handleEvents()
    }

    /// Moves the pointer to the middle of a widget and presses its button.
    func press(_ widget: UnsafeMutablePointer<GtkWidget>, button: UInt32 = 1) {
        hover(widget)
        cxtest_button(button, true)
        handleEvents()
    }

    /// Releases the pointer's button at the current position.
    func release(button: UInt32 = 1) {
        cxtest_button(button, false)
        handleEvents()
    }

    /// Clicks a widget with the pointer.
    ///
    /// Both events are sent before the first is handled, or the button would be held on a slow machine. A widget that
    /// still moves is followed.
    func tap(_ widget: UnsafeMutablePointer<GtkWidget>, button: UInt32 = 1) {
        var place: (gint, gint)
        repeat {
            gtk_test_widget_wait_for_draw(widget)
            place = middle(of: widget)
            hover(widget)
        } while middle(of: widget) != place
        cxtest_button(button, true)
        cxtest_button(button, false)
        handleEvents()
    }

    /// Presses or releases a key of the keyboard.
    func key(_ value: gint, down: Bool, file: StaticString = #filePath, line: UInt = #line) {
        XCTAssert(
            cxtest_key(UInt32(bitPattern: value), down), "no key types \(value)", file: file, line: line)
        handleEvents()
    }

    /// Types a key with or without a modifier; all events are sent before any is handled.
    func type(
        _ value: gint, with modifier: gint? = nil, file: StaticString = #filePath, line: UInt = #line
    ) {
        let order = [modifier, value].compactMap { $0 }
        let events = order.map { ($0, true) } + order.reversed().map { ($0, false) }
        for (key, down) in events {
            XCTAssert(
                cxtest_key(UInt32(bitPattern: key), down), "no key types \(key)", file: file, line: line)
        }
        handleEvents()
    }

    /// Types digits, lowercase letters, and the shifted digits of an American keyboard.
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

    /// Gives the window the focus, because there is no window manager to do it.
    func focus() {
        gdk_window_focus(gtk_widget_get_window(widget), guint(GDK_CURRENT_TIME))
        let window: UnsafeMutablePointer<GtkWindow> = widget.cast()
        waitUntil("the window is active") { gtk_window_is_active(window) != 0 }
    }

    private func middle(of other: UnsafeMutablePointer<GtkWidget>) -> (gint, gint) {
        var (x, y, left, top): (gint, gint, gint, gint) = (0, 0, 0, 0)
        let (width, height) = (gtk_widget_get_allocated_width(other), gtk_widget_get_allocated_height(other))
        gtk_widget_translate_coordinates(other, widget, width / 2, height / 2, &x, &y)
        gdk_window_get_origin(gtk_widget_get_window(widget), &left, &top)
        return (left + x, top + y)
    }
}

extension PhoneWindowFixture {
    /// Clicks a key by its accessible name.
    func click(_ name: String, file: StaticString = #filePath, line: UInt = #line) {
        guard let key = find(name) else { return XCTFail("no key \(name)", file: file, line: line) }
        tap(key)
    }

    /// Activates an action of the window, as its shortcut does in the program.
    func act(_ action: String) {
        g_action_group_activate_action(OpaquePointer(window.window), action, nil)
        handleEvents()
    }
}

/// Returns the distance of a widget from the left of the window, in pixels.
@MainActor
func left(of widget: UnsafeMutablePointer<GtkWidget>?, in window: UnsafeMutablePointer<GtkWidget>)
    -> gint
{
    var (x, y): (gint, gint) = (0, 0)
    gtk_widget_translate_coordinates(widget, window, 0, 0, &x, &y)
    return x
}

extension WorkedIn {
    /// Touches the middle of a widget.
    ///
    /// The test server has no touch screen, so the events are synthesized and put into GTK's event queue.
    func touch(_ target: UnsafeMutablePointer<GtkWidget>) {
        for type in [GDK_TOUCH_BEGIN, GDK_TOUCH_END] {
            guard let window = eventWindow(of: target), let event = gdk_event_new(type) else { continue }
            defer { gdk_event_free(event) }
            event.pointee.touch.window = window
            g_object_ref(UnsafeMutableRawPointer(window))
            event.pointee.touch.time = guint32(truncatingIfNeeded: g_get_monotonic_time() / 1000)
            event.pointee.touch.sequence = OpaquePointer(bitPattern: 0x1000)
            event.pointee.touch.emulating_pointer = 1
            event.pointee.touch.x = Double(gtk_widget_get_allocated_width(target)) / 2
            event.pointee.touch.y = Double(gtk_widget_get_allocated_height(target)) / 2
            if let seat = gdk_display_get_default_seat(gdk_display_get_default()) {
                gdk_event_set_device(event, gdk_seat_get_pointer(seat))
            }
            gtk_main_do_event(event)
        }
        handleEvents()
    }

    /// Returns the window from which a widget gets its input; buttons and entries have an input-only window.
    private func eventWindow(of target: UnsafeMutablePointer<GtkWidget>) -> OpaquePointer? {
        if cgtk_instance_is_a(target, gtk_button_get_type()) != 0 {
            return gtk_button_get_event_window(target.cast())
        }
        let children = gdk_window_peek_children(gtk_widget_get_window(target))
        var next = children
        while let item = next {
            let child = OpaquePointer(item.pointee.data)
            var owner: gpointer?
            gdk_window_get_user_data(child, &owner)
            if owner == UnsafeMutableRawPointer(target) { return child }
            next = item.pointee.next
        }
        return gtk_widget_get_window(target)
    }
}
