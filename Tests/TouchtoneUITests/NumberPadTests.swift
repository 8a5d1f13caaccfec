// SPDX-License-Identifier: GPL-3.0-or-later

import CXTest
import GtkBridge
import GtkTestSupport
import XCTest

@testable import TouchtoneUI

/// Tests of the number pad below number fields.
final class NumberPadTests: GtkTestCase {
    func testOpensAtNumberFieldAndClosesAtTextField() throws {
        try onMainActor {
            let fixture = try FieldsWindow([.number(.number), .text, .number(.number)])
            XCTAssertEqual(fixture.padPlaces, [])
            fixture.click(fixture.fields[0])
            XCTAssertEqual(fixture.padPlaces, [0])
            fixture.type(GDK_KEY_Tab)
            XCTAssertEqual(fixture.focusPlace, 1)
            XCTAssertEqual(fixture.padPlaces, [])
            fixture.type("42")
            XCTAssertEqual(fixture.text(1), "42")
            fixture.type(GDK_KEY_Tab)
            XCTAssertEqual(fixture.padPlaces, [2])
            fixture.click(fixture.fields[0])
            XCTAssertEqual(fixture.padPlaces, [0])
            fixture.clear()
        }
    }

    func testKeysHaveTheirAccessibleNamesAndTypeIntoField() throws {
        try onMainActor {
            let fixture = try FieldsWindow([.number(.number), .text])
            fixture.click(fixture.fields[0])
            for name in ["1", "2", "3", "4", "5", "6", "7", "8", "9", "star", "0", "pound"] {
                fixture.clickPad(name)
                XCTAssertEqual(fixture.focusPlace, 0, "the field keeps the focus")
            }
            XCTAssertEqual(fixture.text(0), "123456789*0#")
            fixture.clickPad("Delete")
            fixture.type("7")
            fixture.clickPad("8")
            XCTAssertEqual(fixture.text(0), "123456789*078")
            fixture.clear()
        }
    }

    func testTypesAtCaretAndReplacesSelection() throws {
        try onMainActor {
            let fixture = try FieldsWindow([.number(.number)])
            fixture.click(fixture.fields[0])
            fixture.setText("5551212", in: 0)
            gtk_editable_set_position(OpaquePointer(fixture.fields[0]), 3)
            fixture.clickPad("0")
            XCTAssertEqual(fixture.text(0), "55501212")
            XCTAssertEqual(fixture.selection(in: 0), 4..<4)
            gtk_editable_select_region(OpaquePointer(fixture.fields[0]), 1, 6)
            fixture.clickPad("9")
            XCTAssertEqual(fixture.text(0), "5912")
            gtk_editable_select_region(OpaquePointer(fixture.fields[0]), 0, 2)
            fixture.clickPad("Delete")
            XCTAssertEqual(fixture.text(0), "12")
            fixture.clickPad("Delete")
            XCTAssertEqual(fixture.text(0), "12", "nothing is before the caret")
            fixture.clear()
        }
    }

    func testUndoRevertsTypingOnPadAndKeyboard() throws {
        try onMainActor {
            let fixture = try FieldsWindow([.number(.number)])
            fixture.click(fixture.fields[0])
            fixture.clickPad("5")
            fixture.type("5")
            fixture.clickPad("5")
            gtk_editable_select_region(OpaquePointer(fixture.fields[0]), 0, 3)
            fixture.clickPad("1")
            XCTAssertEqual(fixture.text(0), "1")
            fixture.type(GDK_KEY_z, with: Modifier.control)
            XCTAssertEqual(fixture.text(0), "555")
            fixture.type(GDK_KEY_z, with: Modifier.control)
            XCTAssertEqual(fixture.text(0), "")
            fixture.type(GDK_KEY_z, with: Modifier.control)
            XCTAssertEqual(fixture.text(0), "")
            fixture.key(Modifier.shift, down: true)
            fixture.type(GDK_KEY_z, with: Modifier.control)
            fixture.type(GDK_KEY_z, with: Modifier.control)
            fixture.type(GDK_KEY_z, with: Modifier.control)
            fixture.key(Modifier.shift, down: false)
            XCTAssertEqual(fixture.text(0), "1")
            fixture.type(GDK_KEY_Caps_Lock)
            fixture.type(GDK_KEY_z, with: Modifier.control)
            fixture.type(GDK_KEY_Caps_Lock)
            XCTAssertEqual(fixture.text(0), "555", "capitals are no other key")
            fixture.clear()
        }
    }

    func testDoneAndEscapeCloseItAndNextFieldGetsFocus() throws {
        try onMainActor {
            let fixture = try FieldsWindow([.number(.number), .number(.number), .text])
            for done in [{ fixture.clickPad("Done") }, { fixture.type(GDK_KEY_Escape) }] {
                fixture.click(fixture.fields[0])
                XCTAssertEqual(fixture.padPlaces, [0])
                done()
                XCTAssertEqual(fixture.padPlaces, [])
                XCTAssertEqual(fixture.focusPlace, 1)
                fixture.type("4")
                XCTAssertEqual(fixture.padPlaces, [], "typing does not bring it back")
                fixture.click(fixture.fields[1])
                XCTAssertEqual(fixture.padPlaces, [1], "a press in the field does")
                done()
                XCTAssertEqual(fixture.focusPlace, 2)
                fixture.click(fixture.fields[2])
            }
            XCTAssertEqual(fixture.text(1), "4", "what the field had was selected as it got the focus")
            fixture.clear()
        }
    }

    func testLoneFieldMayKeepFocusWithoutPad() throws {
        try onMainActor {
            let fixture = try FieldsWindow([.number(.number)])
            fixture.click(fixture.fields[0])
            fixture.clickPad("Done")
            XCTAssertEqual(fixture.padPlaces, [])
            fixture.click(fixture.fields[0])
            XCTAssertEqual(fixture.padPlaces, [0])
            fixture.clear()
        }
    }

    func testHeldZeroIsZeroIfPlusIsNotAllowed() throws {
        try onMainActor {
            let fixture = try FieldsWindow([.number(.digits), .number(.number)])
            fixture.click(fixture.fields[0])
            fixture.press(try XCTUnwrap(fixture.padKey("0")))
            // This timer was set after the key press, so it ends after the key's own half second.
            let isOver = Variable(false)
            let timer = MainLoop.after(milliseconds: 500) { isOver.value = true }
            waitUntil("the key has been held") { isOver.value }
            timer.cancel()
            fixture.release()
            waitUntil("the 0 is typed") { fixture.text(0) == "0" }
            fixture.click(fixture.fields[1])
            fixture.press(try XCTUnwrap(fixture.padKey("0")))
            waitUntil("the 0 is a +") { fixture.text(1) == "+" }
            fixture.release()
            fixture.clear()
        }
    }

    func testHeldZeroIsPlusAndHeldDeleteClearsField() throws {
        try onMainActor {
            let fixture = try FieldsWindow([.number(.number), .number(.digits)])
            fixture.click(fixture.fields[0])
            fixture.press(try XCTUnwrap(fixture.padKey("0")))
            waitUntil("the 0 is a +") { fixture.text(0) == "+" }
            fixture.release()
            for digit in "442" { fixture.clickPad(String(digit)) }
            XCTAssertEqual(fixture.text(0), "+442")
            fixture.press(try XCTUnwrap(fixture.padKey("Delete")))
            waitUntil("the field is empty") { fixture.text(0).isEmpty }
            fixture.release()
            fixture.clickPad("Delete")
            fixture.clickPad("0")
            XCTAssertEqual(fixture.text(0), "0")
            fixture.clear()
        }
    }

    func testDigitFieldAcceptsOnlyDigits() throws {
        try onMainActor {
            let fixture = try FieldsWindow([.number(.digits), .number(.number)])
            fixture.click(fixture.fields[0])
            for name in ["star", "pound"] {
                XCTAssertEqual(gtk_widget_is_sensitive(fixture.padKey(name)), 0)
                fixture.clickPad(name)
            }
            fixture.clickPad("1")
            fixture.type("2a*#+b")
            XCTAssertEqual(fixture.text(0), "12")
            var position: gint = 1
            gtk_editable_insert_text(OpaquePointer(fixture.fields[0]), "٥-x６", -1, &position)
            XCTAssertEqual(fixture.text(0), "1562")
            XCTAssertEqual(position, 3)
            fixture.click(fixture.fields[1])
            XCTAssertNotEqual(gtk_widget_is_sensitive(fixture.padKey("star")), 0)
            fixture.clear()
        }
    }

    func testAutomaticModeShowsPadOnlyAfterTouchWithoutTouchScreen() throws {
        try onMainActor {
            let fixture = try FieldsWindow([.number(.number), .number(.number)], mode: "automatic")
            fixture.click(fixture.fields[0])
            XCTAssertEqual(fixture.padPlaces, [])
            fixture.touch(fixture.fields[0])
            XCTAssertEqual(fixture.padPlaces, [0])
            fixture.type(GDK_KEY_Tab)
            XCTAssertEqual(fixture.padPlaces, [1], "the screen is one that is touched")
            fixture.settings[text: "number-pad"] = "never"
            XCTAssertEqual(fixture.padPlaces, [])
            fixture.click(fixture.fields[0])
            fixture.touch(fixture.fields[0])
            XCTAssertEqual(fixture.padPlaces, [])
            fixture.settings[text: "number-pad"] = "always"
            XCTAssertEqual(fixture.padPlaces, [0])
            fixture.clear()
        }
    }

    func testKeysWorkByTouch() throws {
        try onMainActor {
            let fixture = try FieldsWindow([.number(.number), .text])
            fixture.click(fixture.fields[0])
            for name in ["5", "5", "star"] { fixture.touch(try XCTUnwrap(fixture.padKey(name))) }
            XCTAssertEqual(fixture.text(0), "55*")
            fixture.touch(try XCTUnwrap(fixture.padKey("Done")))
            XCTAssertEqual(fixture.padPlaces, [])
            XCTAssertEqual(fixture.focusPlace, 1)
            fixture.clear()
        }
    }

    func testKeysWorkByAssistiveTools() throws {
        try onMainActor {
            let fixture = try FieldsWindow([.number(.number), .text])
            fixture.click(fixture.fields[0])
            let key = OpaquePointer(gtk_widget_get_accessible(try XCTUnwrap(fixture.padKey("7"))))
            atk_action_do_action(key, 0)
            waitUntil("the digit is there") { fixture.text(0) == "7" }
            XCTAssertEqual(fixture.focusPlace, 0)
            fixture.clear()
        }
    }

    func testRemovedFieldClosesItsPad() throws {
        try onMainActor {
            for end in [gtk_widget_hide, gtk_widget_destroy] {
                let fixture = try FieldsWindow([.number(.number), .number(.number), .text])
                fixture.click(fixture.fields[0])
                XCTAssertEqual(fixture.padPlaces, [0])
                let before = middle(of: fixture.fields[1])
                end(fixture.fields[0])
                handleEvents()
                XCTAssertEqual(fixture.pads, [])
                waitUntil("the others have its room") { middle(of: fixture.fields[1]) != before }
                fixture.click(fixture.fields[1])
                fixture.clickPad("5")
                XCTAssertEqual(fixture.text(1), "5")
                fixture.clear()
            }
        }
    }

    func testClosedWindowClosesPadAndNextWindowGetsOne() throws {
        try onMainActor {
            let fixture = try FieldsWindow([.number(.number)])
            fixture.click(fixture.fields[0])
            gtk_widget_destroy(fixture.widget)
            fixture.isDestroyed = true
            handleEvents()
            XCTAssertNil(fixture.pad.field)
            let window = gtk_window_new(GTK_WINDOW_TOPLEVEL)
            let entry = gtk_entry_new()
            gtk_container_add(window?.cast(), entry)
            let field = fixture.pad.attach(to: try XCTUnwrap(entry).cast(), taking: .number)
            gtk_widget_show_all(window)
            gdk_window_focus(gtk_widget_get_window(window), guint(GDK_CURRENT_TIME))
            waitUntil("the pad is under the other window's field") { fixture.pad.field === field }
            gtk_widget_destroy(window)
            fixture.clear()
        }
    }

    func testFieldSessionEndsWithEntry() throws {
        try onMainActor {
            let fixture = try FieldsWindow([.text])
            let entry = try XCTUnwrap(gtk_entry_new())
            weak let field = fixture.pad.attach(to: entry.cast(), taking: .digits)
            g_object_ref_sink(entry)
            XCTAssertNotNil(field)
            gtk_widget_destroy(entry)
            g_object_unref(entry)
            XCTAssertNil(field)
            fixture.clear()
        }
    }

    func testStaysWithFieldWhenWindowIsResized() throws {
        try onMainActor {
            let fixture = try FieldsWindow([.text, .number(.number)])
            fixture.click(fixture.fields[1])
            for width: gint in [900, 700] {
                gtk_window_resize(fixture.widget.cast(), width, 400)
                waitUntil("the window has its size") {
                    gtk_widget_get_allocated_width(fixture.widget) == width
                }
                let pad = try XCTUnwrap(fixture.pads.first)
                waitUntil("the pad is under the middle of its field") {
                    abs(middle(of: pad) - middle(of: fixture.fields[1])) <= 2
                }
                XCTAssertEqual(fixture.padPlaces, [1])
                fixture.clickPad("3")
            }
            XCTAssertEqual(fixture.text(1), "33")
            fixture.clear()
        }
    }

    func testReturningWindowRestoresPadUnlessDismissed() throws {
        try onMainActor {
            let fixture = try FieldsWindow([.number(.number), .number(.number)])
            for isPutAway in [false, true] {
                fixture.click(fixture.fields[0])
                if isPutAway { fixture.clickPad("Done") }
                let other = gtk_window_new(GTK_WINDOW_TOPLEVEL)
                gtk_widget_show(other)
                gdk_window_focus(gtk_widget_get_window(other), guint(GDK_CURRENT_TIME))
                waitUntil("the other window is active") { gtk_window_is_active(other?.cast()) != 0 }
                XCTAssertEqual(fixture.padPlaces, [])
                gtk_widget_destroy(other)
                fixture.focus()
                XCTAssertEqual(fixture.padPlaces, isPutAway ? [] : [0])
            }
            fixture.clear()
        }
    }
}

/// Returns the distance of the middle of a widget from the left of the screen, in pixels.
@MainActor
private func middle(of widget: UnsafeMutablePointer<GtkWidget>) -> gint {
    let window = gtk_widget_get_window(widget)
    var (x, y): (gint, gint) = (0, 0)
    gdk_window_get_origin(window, &x, &y)
    // A pad has its own window; a field has that of its parent.
    if gtk_widget_get_has_window(widget) != 0 { return x + gdk_window_get_width(window) / 2 }
    var allocation = GtkAllocation()
    gtk_widget_get_allocation(widget, &allocation)
    return x + allocation.x + allocation.width / 2
}
