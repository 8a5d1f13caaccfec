// SPDX-License-Identifier: GPL-3.0-or-later

import CXTest
import GtkBridge
import GtkTestSupport
import XCTest

@testable import TouchtoneUI

/// The number pad under the fields that take a number.
final class NumberPadTests: GtkTestCase {
    func testItOpensAtANumberFieldAndIsGoneAtATextField() throws {
        try onMainActor {
            let desk = try FieldsWindow([.number(.number), .text, .number(.number)])
            XCTAssertEqual(desk.padPlaces, [])
            desk.click(desk.fields[0])
            XCTAssertEqual(desk.padPlaces, [0])
            desk.type(GDK_KEY_Tab)
            XCTAssertEqual(desk.focusPlace, 1)
            XCTAssertEqual(desk.padPlaces, [])
            desk.type("42")
            XCTAssertEqual(desk.text(1), "42")
            desk.type(GDK_KEY_Tab)
            XCTAssertEqual(desk.padPlaces, [2])
            desk.click(desk.fields[0])
            XCTAssertEqual(desk.padPlaces, [0])
            desk.clear()
        }
    }

    func testItsKeysHaveTheContractsNamesAndTypeIntoTheField() throws {
        try onMainActor {
            let desk = try FieldsWindow([.number(.number), .text])
            desk.click(desk.fields[0])
            for name in ["1", "2", "3", "4", "5", "6", "7", "8", "9", "star", "0", "pound"] {
                desk.clickPad(name)
                XCTAssertEqual(desk.focusPlace, 0, "the field keeps the focus")
            }
            XCTAssertEqual(desk.text(0), "123456789*0#")
            desk.clickPad("Delete")
            desk.type("7")
            desk.clickPad("8")
            XCTAssertEqual(desk.text(0), "123456789*078")
            desk.clear()
        }
    }

    func testItTypesAtTheCaretAndReplacesTheSelection() throws {
        try onMainActor {
            let desk = try FieldsWindow([.number(.number)])
            desk.click(desk.fields[0])
            desk.setText("5551212", in: 0)
            gtk_editable_set_position(OpaquePointer(desk.fields[0]), 3)
            desk.clickPad("0")
            XCTAssertEqual(desk.text(0), "55501212")
            XCTAssertEqual(desk.selection(in: 0), 4..<4)
            gtk_editable_select_region(OpaquePointer(desk.fields[0]), 1, 6)
            desk.clickPad("9")
            XCTAssertEqual(desk.text(0), "5912")
            gtk_editable_select_region(OpaquePointer(desk.fields[0]), 0, 2)
            desk.clickPad("Delete")
            XCTAssertEqual(desk.text(0), "12")
            desk.clickPad("Delete")
            XCTAssertEqual(desk.text(0), "12", "nothing is before the caret")
            desk.clear()
        }
    }

    func testUndoTakesBackWhatWasTypedOnEither() throws {
        try onMainActor {
            let desk = try FieldsWindow([.number(.number)])
            desk.click(desk.fields[0])
            desk.clickPad("5")
            desk.type("5")
            desk.clickPad("5")
            gtk_editable_select_region(OpaquePointer(desk.fields[0]), 0, 3)
            desk.clickPad("1")
            XCTAssertEqual(desk.text(0), "1")
            desk.type(GDK_KEY_z, with: Modifier.control)
            XCTAssertEqual(desk.text(0), "555")
            desk.type(GDK_KEY_z, with: Modifier.control)
            XCTAssertEqual(desk.text(0), "")
            desk.type(GDK_KEY_z, with: Modifier.control)
            XCTAssertEqual(desk.text(0), "")
            desk.key(Modifier.shift, down: true)
            desk.type(GDK_KEY_z, with: Modifier.control)
            desk.type(GDK_KEY_z, with: Modifier.control)
            desk.type(GDK_KEY_z, with: Modifier.control)
            desk.key(Modifier.shift, down: false)
            XCTAssertEqual(desk.text(0), "1")
            desk.type(GDK_KEY_Caps_Lock)
            desk.type(GDK_KEY_z, with: Modifier.control)
            desk.type(GDK_KEY_Caps_Lock)
            XCTAssertEqual(desk.text(0), "555", "capitals are no other key")
            desk.clear()
        }
    }

    func testDoneAndEscapePutItAwayAndTheNextFieldHasTheFocus() throws {
        try onMainActor {
            let desk = try FieldsWindow([.number(.number), .number(.number), .text])
            for done in [{ desk.clickPad("Done") }, { desk.type(GDK_KEY_Escape) }] {
                desk.click(desk.fields[0])
                XCTAssertEqual(desk.padPlaces, [0])
                done()
                XCTAssertEqual(desk.padPlaces, [])
                XCTAssertEqual(desk.focusPlace, 1)
                desk.type("4")
                XCTAssertEqual(desk.padPlaces, [], "typing does not bring it back")
                desk.click(desk.fields[1])
                XCTAssertEqual(desk.padPlaces, [1], "a press in the field does")
                done()
                XCTAssertEqual(desk.focusPlace, 2)
                desk.click(desk.fields[2])
            }
            XCTAssertEqual(desk.text(1), "4", "what the field had was selected as it got the focus")
            desk.clear()
        }
    }

    func testAFieldThatIsAloneMayKeepTheFocusWithoutItsPad() throws {
        try onMainActor {
            let desk = try FieldsWindow([.number(.number)])
            desk.click(desk.fields[0])
            desk.clickPad("Done")
            XCTAssertEqual(desk.padPlaces, [])
            desk.click(desk.fields[0])
            XCTAssertEqual(desk.padPlaces, [0])
            desk.clear()
        }
    }

    func testZeroHeldIsAZeroWhereThereCanBeNoPlus() throws {
        try onMainActor {
            let desk = try FieldsWindow([.number(.digits), .number(.number)])
            desk.click(desk.fields[0])
            desk.press(try XCTUnwrap(desk.padKey("0")))
            // Set after the key went down, it ends after the key's own half second.
            let isOver = Variable(false)
            let timer = MainLoop.after(milliseconds: 500) { isOver.value = true }
            waitUntil("the key has been held") { isOver.value }
            timer.cancel()
            desk.release()
            waitUntil("the 0 is typed") { desk.text(0) == "0" }
            desk.click(desk.fields[1])
            desk.press(try XCTUnwrap(desk.padKey("0")))
            waitUntil("the 0 is a +") { desk.text(1) == "+" }
            desk.release()
            desk.clear()
        }
    }

    func testZeroHeldIsAPlusAndDeleteHeldEmptiesTheField() throws {
        try onMainActor {
            let desk = try FieldsWindow([.number(.number), .number(.digits)])
            desk.click(desk.fields[0])
            desk.press(try XCTUnwrap(desk.padKey("0")))
            waitUntil("the 0 is a +") { desk.text(0) == "+" }
            desk.release()
            for digit in "442" { desk.clickPad(String(digit)) }
            XCTAssertEqual(desk.text(0), "+442")
            desk.press(try XCTUnwrap(desk.padKey("Delete")))
            waitUntil("the field is empty") { desk.text(0).isEmpty }
            desk.release()
            desk.clickPad("Delete")
            desk.clickPad("0")
            XCTAssertEqual(desk.text(0), "0")
            desk.clear()
        }
    }

    func testAFieldForDigitsTakesNothingElse() throws {
        try onMainActor {
            let desk = try FieldsWindow([.number(.digits), .number(.number)])
            desk.click(desk.fields[0])
            for name in ["star", "pound"] {
                XCTAssertEqual(gtk_widget_is_sensitive(desk.padKey(name)), 0)
                desk.clickPad(name)
            }
            desk.clickPad("1")
            desk.type("2a*#+b")
            XCTAssertEqual(desk.text(0), "12")
            var position: gint = 1
            gtk_editable_insert_text(OpaquePointer(desk.fields[0]), "٥-x６", -1, &position)
            XCTAssertEqual(desk.text(0), "1562")
            XCTAssertEqual(position, 3)
            desk.click(desk.fields[1])
            XCTAssertNotEqual(gtk_widget_is_sensitive(desk.padKey("star")), 0)
            desk.clear()
        }
    }

    func testAutomaticIsWithoutAPadWhereThereIsNoTouchScreenUntilSomebodyTouches() throws {
        try onMainActor {
            let desk = try FieldsWindow([.number(.number), .number(.number)], mode: "automatic")
            desk.click(desk.fields[0])
            XCTAssertEqual(desk.padPlaces, [])
            desk.touch(desk.fields[0])
            XCTAssertEqual(desk.padPlaces, [0])
            desk.type(GDK_KEY_Tab)
            XCTAssertEqual(desk.padPlaces, [1], "the screen is one that is touched")
            desk.settings[text: "number-pad"] = "never"
            XCTAssertEqual(desk.padPlaces, [])
            desk.click(desk.fields[0])
            desk.touch(desk.fields[0])
            XCTAssertEqual(desk.padPlaces, [])
            desk.settings[text: "number-pad"] = "always"
            XCTAssertEqual(desk.padPlaces, [0])
            desk.clear()
        }
    }

    func testItsKeysWorkByTouch() throws {
        try onMainActor {
            let desk = try FieldsWindow([.number(.number), .text])
            desk.click(desk.fields[0])
            for name in ["5", "5", "star"] { desk.touch(try XCTUnwrap(desk.padKey(name))) }
            XCTAssertEqual(desk.text(0), "55*")
            desk.touch(try XCTUnwrap(desk.padKey("Done")))
            XCTAssertEqual(desk.padPlaces, [])
            XCTAssertEqual(desk.focusPlace, 1)
            desk.clear()
        }
    }

    func testItsKeysWorkByAssistiveTools() throws {
        try onMainActor {
            let desk = try FieldsWindow([.number(.number), .text])
            desk.click(desk.fields[0])
            let key = OpaquePointer(gtk_widget_get_accessible(try XCTUnwrap(desk.padKey("7"))))
            atk_action_do_action(key, 0)
            waitUntil("the digit is there") { desk.text(0) == "7" }
            XCTAssertEqual(desk.focusPlace, 0)
            desk.clear()
        }
    }

    func testAFieldThatGoesTakesItsPadWithIt() throws {
        try onMainActor {
            for end in [gtk_widget_hide, gtk_widget_destroy] {
                let desk = try FieldsWindow([.number(.number), .number(.number), .text])
                desk.click(desk.fields[0])
                XCTAssertEqual(desk.padPlaces, [0])
                let before = middle(of: desk.fields[1])
                end(desk.fields[0])
                handleEvents()
                XCTAssertEqual(desk.pads, [])
                waitUntil("the others have its room") { middle(of: desk.fields[1]) != before }
                desk.click(desk.fields[1])
                desk.clickPad("5")
                XCTAssertEqual(desk.text(1), "5")
                desk.clear()
            }
        }
    }

    func testAWindowThatGoesTakesThePadWithItAndAnotherWindowHasOneAgain() throws {
        try onMainActor {
            let desk = try FieldsWindow([.number(.number)])
            desk.click(desk.fields[0])
            gtk_widget_destroy(desk.widget)
            desk.isDestroyed = true
            handleEvents()
            XCTAssertNil(desk.pad.field)
            let window = gtk_window_new(GTK_WINDOW_TOPLEVEL)
            let entry = gtk_entry_new()
            gtk_container_add(window?.cast(), entry)
            let field = desk.pad.attach(to: try XCTUnwrap(entry).cast(), taking: .number)
            gtk_widget_show_all(window)
            gdk_window_focus(gtk_widget_get_window(window), guint(GDK_CURRENT_TIME))
            waitUntil("the pad is under the other window's field") { desk.pad.field === field }
            gtk_widget_destroy(window)
            desk.clear()
        }
    }

    func testTheFieldEndsWithItsEntry() throws {
        try onMainActor {
            let desk = try FieldsWindow([.text])
            let entry = try XCTUnwrap(gtk_entry_new())
            weak let field = desk.pad.attach(to: entry.cast(), taking: .digits)
            g_object_ref_sink(entry)
            XCTAssertNotNil(field)
            gtk_widget_destroy(entry)
            g_object_unref(entry)
            XCTAssertNil(field)
            desk.clear()
        }
    }

    func testItStaysWithItsFieldWhenTheWindowIsResized() throws {
        try onMainActor {
            let desk = try FieldsWindow([.text, .number(.number)])
            desk.click(desk.fields[1])
            for width: gint in [900, 700] {
                gtk_window_resize(desk.widget.cast(), width, 400)
                waitUntil("the window has its size") { gtk_widget_get_allocated_width(desk.widget) == width }
                let pad = try XCTUnwrap(desk.pads.first)
                waitUntil("the pad is under the middle of its field") {
                    abs(middle(of: pad) - middle(of: desk.fields[1])) <= 2
                }
                XCTAssertEqual(desk.padPlaces, [1])
                desk.clickPad("3")
            }
            XCTAssertEqual(desk.text(1), "33")
            desk.clear()
        }
    }

    func testAWindowThatComesBackHasItsPadAgainUnlessItWasPutAway() throws {
        try onMainActor {
            let desk = try FieldsWindow([.number(.number), .number(.number)])
            for isPutAway in [false, true] {
                desk.click(desk.fields[0])
                if isPutAway { desk.clickPad("Done") }
                let other = gtk_window_new(GTK_WINDOW_TOPLEVEL)
                gtk_widget_show(other)
                gdk_window_focus(gtk_widget_get_window(other), guint(GDK_CURRENT_TIME))
                waitUntil("the other window is active") { gtk_window_is_active(other?.cast()) != 0 }
                XCTAssertEqual(desk.padPlaces, [])
                gtk_widget_destroy(other)
                desk.focus()
                XCTAssertEqual(desk.padPlaces, isPutAway ? [] : [0])
            }
            desk.clear()
        }
    }
}

/// How far the middle of a widget is from the left of the screen, in pixels.
@MainActor
private func middle(of widget: UnsafeMutablePointer<GtkWidget>) -> gint {
    let window = gtk_widget_get_window(widget)
    var (x, y): (gint, gint) = (0, 0)
    gdk_window_get_origin(window, &x, &y)
    // A pad has a window of its own; a field has that of what it is in.
    if gtk_widget_get_has_window(widget) != 0 { return x + gdk_window_get_width(window) / 2 }
    var allocation = GtkAllocation()
    gtk_widget_get_allocation(widget, &allocation)
    return x + allocation.x + allocation.width / 2
}
