// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests that text typed while the focus is in the panel, but in none of its fields, never reaches the phone.
final class PanelTypingTests: GtkTestCase {
    func testTextTypedOnRowGoesToMessageField() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture.talking()
            var expected = ""
            for text in ["5", "a", "*", "#", "+", "x0"] {
                fixture.enter("Buddies")
                fixture.type(text)
                expected += text
                XCTAssertEqual(fixture.message, expected)
                XCTAssertNotEqual(gtk_widget_has_focus(fixture.field), 0)
            }
            fixture.enter("Buddies")
            fixture.type(GDK_KEY_KP_Add)
            XCTAssertEqual(fixture.message, expected + "+")
            XCTAssertEqual(fixture.display, "")
            XCTAssertEqual(fixture.tones.tones, [])
            fixture.clear()
        }
    }

    func testKeysWithoutTextDoNotReachPhone() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture.talking()
            fixture.phone.paste("123")
            for key in [GDK_KEY_BackSpace, GDK_KEY_Delete, GDK_KEY_Home, GDK_KEY_KP_Enter] {
                fixture.enter("Buddies")
                fixture.type(key)
                XCTAssertEqual(fixture.display, "123")
            }
            fixture.type(GDK_KEY_Return)
            XCTAssertEqual(fixture.line.numbers, [])
            XCTAssertEqual(fixture.message, "")
            fixture.clear()
        }
    }

    func testPanelButtonKeepsItsKeysAndForwardsText() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture.talking()
            gtk_widget_grab_focus(fixture.find("Messages menu"))
            fixture.type("7")
            XCTAssertEqual(fixture.message, "7")
            XCTAssertEqual(fixture.display, "")
            fixture.clear()
        }
    }

    func testSpacePressesPanelButton() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture.talking()
            let menu = try XCTUnwrap(fixture.find("Messages menu"))
            gtk_widget_grab_focus(menu)
            fixture.type(GDK_KEY_space)
            XCTAssertNotEqual(gtk_toggle_button_get_active(menu.cast()), 0)
            XCTAssertEqual(fixture.message, "")
            fixture.clear()
        }
    }

    func testDeadKeyAndLetterMakeOneCharacterOfMessage() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture.talking()
            fixture.enter("Buddies")
            fixture.send(GDK_KEY_dead_acute)
            XCTAssertNotEqual(gtk_widget_has_focus(fixture.field), 0)
            fixture.send(GDK_KEY_e)
            XCTAssertEqual(fixture.message, "é")
            XCTAssertEqual(fixture.display, "")
            fixture.clear()
        }
    }

    func testTextFindsBuddyWithoutConversation() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            waitUntil("the buddies are listed") { fixture.rows("Buddies").count == 1 }
            gtk_test_widget_wait_for_draw(fixture.widget)
            fixture.enter("Buddies")
            fixture.type("op")
            let search = try XCTUnwrap(fixture.find("Search people and messages", ATK_ROLE_TEXT))
            XCTAssertEqual(String(cString: gtk_entry_get_text(search.cast())), "op")
            XCTAssertEqual(fixture.display, "")
            fixture.clear()
        }
    }

    func testTextGoesToContactSearchButNotFromCard() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture(directory: People().directory)
            fixture.act("contacts")
            waitUntil("the contacts are listed") { fixture.rows("Contacts").count == 3 }
            fixture.enter("Contacts")
            fixture.type("ed")
            let search = try XCTUnwrap(fixture.find("Search contacts", ATK_ROLE_TEXT))
            XCTAssertEqual(String(cString: gtk_entry_get_text(search.cast())), "ed")
            fixture.type(GDK_KEY_Return)
            waitUntil("the card is shown") { fixture.button("Back to the contacts") != nil }
            gtk_widget_grab_focus(fixture.button("Back to the contacts"))
            fixture.type("5")
            fixture.type(GDK_KEY_BackSpace)
            XCTAssertEqual(fixture.display, "")
            XCTAssertEqual(fixture.tones.tones, [])
            fixture.clear()
        }
    }

    func testClickOnDisplayReturnsKeyboardToPhone() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture.talking()
            fixture.enter("Buddies")
            fixture.press(fixture.window.display.widget)
            fixture.release()
            fixture.type("5")
            XCTAssertEqual(fixture.display, "5")
            XCTAssertEqual(fixture.message, "")
            fixture.clear()
        }
    }
}

extension PhoneWindowFixture {
    /// Returns a phone with an open conversation beside it.
    fileprivate static func talking() throws -> PhoneWindowFixture {
        let fixture = try PhoneWindowFixture()
        fixture.chat.select(.operatorAddress)
        waitUntil("there is a field") { fixture.field != nil && fixture.rows("Buddies").count == 1 }
        gtk_test_widget_wait_for_draw(fixture.widget)
        return fixture
    }

    /// The message field.
    fileprivate var field: Widget? { find("Message", ATK_ROLE_TEXT) }

    /// The text of the message field.
    fileprivate var message: String {
        guard let field else { return "no field" }
        let buffer = gtk_text_view_get_buffer(field.cast())
        var (start, end) = (GtkTextIter(), GtkTextIter())
        gtk_text_buffer_get_bounds(buffer, &start, &end)
        guard let text = gtk_text_buffer_get_text(buffer, &start, &end, 0) else { return "" }
        defer { g_free(text) }
        return String(cString: text)
    }

    /// Sends a key that the test's keyboard does not have through GTK's event queue.
    fileprivate func send(_ value: gint) {
        for type in [GDK_KEY_PRESS, GDK_KEY_RELEASE] {
            guard let event = gdk_event_new(type), let window = gtk_widget_get_window(widget) else {
                continue
            }
            defer { gdk_event_free(event) }
            event.pointee.key.window = window
            g_object_ref(UnsafeMutableRawPointer(window))
            event.pointee.key.keyval = guint(value)
            event.pointee.key.time = guint32(truncatingIfNeeded: g_get_monotonic_time() / 1000)
            if let seat = gdk_display_get_default_seat(gdk_display_get_default()) {
                gdk_event_set_device(event, gdk_seat_get_keyboard(seat))
            }
            gtk_main_do_event(event)
            handleEvents()
        }
    }
}
