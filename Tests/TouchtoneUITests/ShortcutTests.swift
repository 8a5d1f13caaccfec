// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of the shortcuts and of the window that lists them.
final class ShortcutTests: GtkTestCase {
    /// Keys in the window that belong to no action: those of the phone, of number fields, of the panel, and of
    /// searches.
    private static let others: Set<String> = [
        "0–9", "1", "*", "#", "A–Z", "+", "BackSpace", "Delete", "Return", "Escape", "Ctrl+Z", "Shift+Ctrl+Z",
        "Ctrl+Y",
        "Ctrl+F", "Shift+Return", "Up", "Down", "Ctrl+.", "Menu", "Shift+F10", "F2", "Ctrl+Page Down",
        "Ctrl+Tab", "Ctrl+Page Up", "Shift+Ctrl+Tab", "Shift+Alt+Down", "Shift+Ctrl+F",
        "Ctrl+U", "Shift+Ctrl+K",
        "Tab",
    ]

    func testShortcutsWindowListsEveryShortcut() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            fixture.act("show-help-overlay")
            let window = try XCTUnwrap(fixture.shortcuts)
            let told = descendants(of: window).filter {
                gtk_style_context_has_class(gtk_widget_get_style_context($0), "keycap") != 0
            }.map { String(cString: gtk_label_get_text($0.cast())) }
            // They reply and react in a conversation, and are the phone's elsewhere.
            for key in ["Ctrl+R", "Shift+Ctrl+R"] {
                XCTAssertEqual(
                    told.filter { $0 == key }.count, 2, "it has a meaning in messages, and one in the phone")
            }
            XCTAssertEqual(told.count, Set(told).count + 2, "a key is told of twice")
            XCTAssertEqual(
                Set(told).subtracting(Self.others), Set(Shortcuts.table.map { label(of: $0.value) }))
            fixture.act("show-help-overlay")
            XCTAssertEqual(fixture.shortcuts, window, "there is one window")
            gtk_widget_destroy(window)
            fixture.act("show-help-overlay")
            XCTAssertNotNil(fixture.shortcuts)
            fixture.clear()
            XCTAssertNil(fixture.shortcuts, "it goes with the phone")
        }
    }

    func testKeysAreLabelledFromLeftToRightInEveryLanguage() throws {
        try onMainActor {
            gtk_widget_set_default_direction(GTK_TEXT_DIR_RTL)
            defer { gtk_widget_set_default_direction(GTK_TEXT_DIR_LTR) }
            let fixture = try PhoneWindowFixture()
            fixture.act("show-help-overlay")
            let window = try XCTUnwrap(fixture.shortcuts)
            XCTAssertEqual(gtk_widget_get_direction(window), GTK_TEXT_DIR_RTL)
            let key = descendants(of: window).first {
                cgtk_instance_is_a($0, gtk_label_get_type()) != 0
                    && String(cString: gtk_label_get_text($0.cast())) == "0–9"
            }
            XCTAssertEqual(try gtk_widget_get_direction(XCTUnwrap(key)), GTK_TEXT_DIR_LTR)
            fixture.clear()
        }
    }

    func testGtkKnowsEveryShortcut() {
        onMainActor {
            for (action, shortcut) in Shortcuts.table {
                var (key, modifiers) = (guint(0), GdkModifierType(rawValue: 0))
                gtk_accelerator_parse(shortcut, &key, &modifiers)
                XCTAssertNotEqual(key, 0, "\(action): \(shortcut)")
            }
        }
    }

    func testEveryWindowActionHasShortcut() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture(directory: People().directory)
            let named = Set(Shortcuts.table.map(\.key))
            for action in ["copy", "paste", "redial", "panel", "phone", "menu", "show-help-overlay"]
                + WindowActions.pages + WindowActions.people
            {
                XCTAssertNotEqual(
                    g_action_group_has_action(OpaquePointer(fixture.window.window), action), 0, action)
                XCTAssert(named.contains("win.\(action)"), action)
            }
            fixture.clear()
        }
    }
}

/// Returns the label that GTK gives a key in the C locale.
@MainActor
private func label(of shortcut: String) -> String {
    var (key, modifiers) = (guint(0), GdkModifierType(rawValue: 0))
    gtk_accelerator_parse(shortcut, &key, &modifiers)
    let text = gtk_accelerator_get_label(key, modifiers)
    defer { g_free(text) }
    return text.map { String(cString: $0) } ?? ""
}

extension PhoneWindowFixture {
    /// The shortcuts window, if it is open.
    var shortcuts: UnsafeMutablePointer<GtkWidget>? {
        let windows = gtk_window_list_toplevels()
        defer { g_list_free(windows) }
        var next = windows
        while let item = next {
            let window = item.pointee.data.assumingMemoryBound(to: GtkWidget.self)
            let title = gtk_window_get_title(window.cast()).map { String(cString: $0) }
            if title == localized("Keyboard Shortcuts"), gtk_widget_in_destruction(window) == 0 {
                return window
            }
            next = item.pointee.next
        }
        return nil
    }
}
