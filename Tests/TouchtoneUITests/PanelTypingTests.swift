// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Text typed with the focus in the panel, but in none of its fields, never reaches the phone.
final class PanelTypingTests: GtkTestCase {
    func testTextTypedOnARowGoesToTheMessageField() throws {
        try onMainActor {
            let desk = try Desk.talking()
            var expected = ""
            for text in ["5", "a", "*", "#", "+", "x0"] {
                desk.enter("Buddies")
                desk.type(text)
                expected += text
                XCTAssertEqual(desk.message, expected)
                XCTAssertNotEqual(gtk_widget_has_focus(desk.field), 0)
            }
            desk.enter("Buddies")
            desk.type(GDK_KEY_KP_Add)
            XCTAssertEqual(desk.message, expected + "+")
            XCTAssertEqual(desk.display, "")
            XCTAssertEqual(desk.tones.tones, [])
            desk.clear()
        }
    }

    func testKeysWithoutATextDoNothingToThePhone() throws {
        try onMainActor {
            let desk = try Desk.talking()
            desk.phone.paste("123")
            for key in [GDK_KEY_BackSpace, GDK_KEY_Delete, GDK_KEY_Home, GDK_KEY_KP_Enter] {
                desk.enter("Buddies")
                desk.type(key)
                XCTAssertEqual(desk.display, "123")
            }
            desk.type(GDK_KEY_Return)
            XCTAssertEqual(desk.line.numbers, [])
            XCTAssertEqual(desk.message, "")
            desk.clear()
        }
    }

    func testAButtonOfThePanelKeepsItsKeysAndPassesText() throws {
        try onMainActor {
            let desk = try Desk.talking()
            gtk_widget_grab_focus(desk.find("Messages menu"))
            desk.type("7")
            XCTAssertEqual(desk.message, "7")
            XCTAssertEqual(desk.display, "")
            desk.clear()
        }
    }

    func testADeadKeyAndItsLetterMakeOneCharacterOfTheMessage() throws {
        try onMainActor {
            let desk = try Desk.talking()
            desk.enter("Buddies")
            desk.send(GDK_KEY_dead_acute)
            XCTAssertNotEqual(gtk_widget_has_focus(desk.field), 0)
            desk.send(GDK_KEY_e)
            XCTAssertEqual(desk.message, "é")
            XCTAssertEqual(desk.display, "")
            desk.clear()
        }
    }

    func testWithoutAConversationTextFindsABuddy() throws {
        try onMainActor {
            let desk = try Desk()
            waitUntil("the buddies are listed") { desk.rows("Buddies").count == 1 }
            gtk_test_widget_wait_for_draw(desk.widget)
            desk.enter("Buddies")
            desk.type("op")
            let search = try XCTUnwrap(desk.find("Search buddies", ATK_ROLE_TEXT))
            XCTAssertEqual(String(cString: gtk_entry_get_text(search.cast())), "op")
            XCTAssertEqual(desk.display, "")
            desk.clear()
        }
    }

    func testOnThePageOfContactsTextIsTheSearchsAndOnACardNobodys() throws {
        try onMainActor {
            let desk = try Desk(directory: People().directory)
            desk.act("contacts")
            waitUntil("the contacts are listed") { desk.rows("Contacts").count == 3 }
            desk.enter("Contacts")
            desk.type("ed")
            let search = try XCTUnwrap(desk.find("Search contacts", ATK_ROLE_TEXT))
            XCTAssertEqual(String(cString: gtk_entry_get_text(search.cast())), "ed")
            desk.type(GDK_KEY_Return)
            waitUntil("the card is shown") { desk.button("Back to the contacts") != nil }
            gtk_widget_grab_focus(desk.button("Back to the contacts"))
            desk.type("5")
            desk.type(GDK_KEY_BackSpace)
            XCTAssertEqual(desk.display, "")
            XCTAssertEqual(desk.tones.tones, [])
            desk.clear()
        }
    }

    func testAClickOnTheDisplayBringsTheKeyboardBackToThePhone() throws {
        try onMainActor {
            let desk = try Desk.talking()
            desk.enter("Buddies")
            desk.press(desk.window.display.widget)
            desk.release()
            desk.type("5")
            XCTAssertEqual(desk.display, "5")
            XCTAssertEqual(desk.message, "")
            desk.clear()
        }
    }
}

extension Desk {
    /// A phone with an open conversation beside it.
    fileprivate static func talking() throws -> Desk {
        let desk = try Desk()
        desk.chat.select(.exchange)
        waitUntil("there is a field") { desk.field != nil && desk.rows("Buddies").count == 1 }
        gtk_test_widget_wait_for_draw(desk.widget)
        return desk
    }

    /// The field that messages are written in.
    fileprivate var field: Widget? { find("Message", ATK_ROLE_TEXT) }

    /// Its text.
    fileprivate var message: String {
        guard let field else { return "no field" }
        let buffer = gtk_text_view_get_buffer(field.cast())
        var (start, end) = (GtkTextIter(), GtkTextIter())
        gtk_text_buffer_get_bounds(buffer, &start, &end)
        guard let text = gtk_text_buffer_get_text(buffer, &start, &end, 0) else { return "" }
        defer { g_free(text) }
        return String(cString: text)
    }

    /// Sends a key that the test's keyboard does not have; it goes GTK's whole way.
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
