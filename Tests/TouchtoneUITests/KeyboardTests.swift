// SPDX-License-Identifier: GPL-3.0-or-later

import CXTest
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of the phone by keyboard alone.
final class KeyboardTests: GtkTestCase {
    func testTopRowTypesAndPressesKeysOnScreen() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            fixture.key(GDK_KEY_5, down: true)
            XCTAssertEqual(fixture.phone.keysDown, [.tone(.five)])
            XCTAssertEqual(fixture.tones.tones, ["start 5"])
            fixture.key(GDK_KEY_5, down: false)
            XCTAssertEqual(fixture.phone.keysDown, [])
            XCTAssertEqual(fixture.tones.tones, ["start 5", "stop"])
            fixture.type("558675309")
            XCTAssertEqual(fixture.display, "(555) 867-5309")
            fixture.clear()
        }
    }

    func testAutoRepeatDoesNotRepeatDigit() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            let repeats = Variable(0)
            Signal.connectEvent(fixture.widget, "event") { event in
                if event.pointee.type == GDK_KEY_PRESS { repeats.value += 1 }
                return false
            }
            cxtest_set_auto_repeat(true)
            defer { cxtest_set_auto_repeat(false) }
            fixture.key(GDK_KEY_5, down: true)
            waitUntil("the server has repeated the key") { repeats.value > 3 }
            fixture.key(GDK_KEY_5, down: false)
            XCTAssertEqual(fixture.display, "5")
            XCTAssertEqual(fixture.tones.tones, ["start 5", "stop"])
            fixture.clear()
        }
    }

    func testScreenReaderEndsWhileItIsAskedAboutKey() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            let asked = Variable(0)
            let listener = atk_add_key_event_listener(
                { _, data in
                    Unmanaged<Variable<Int>>.fromOpaque(data!).takeUnretainedValue().value += 1
                    atk_remove_key_event_listener(1)
                    // A list whose elements can't be read takes the place of what has been freed.
                    var list: UnsafeMutablePointer<GSList>?
                    for _ in 0..<64 { list = g_slist_prepend(list, gpointer(bitPattern: 1)) }
                    return 0
                }, Unmanaged.passUnretained(asked).toOpaque())
            XCTAssertEqual(listener, 1)
            fixture.type("555")
            XCTAssertEqual(asked.value, 1)
            XCTAssertEqual(fixture.display, "555")
            fixture.clear()
        }
    }

    func testLettersEnterPhonewordDigits() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            fixture.type("FLOWERS")
            XCTAssertEqual(fixture.phone.number.text, "3569377")
            fixture.phone.clear()
            fixture.type("flowers")
            XCTAssertEqual(fixture.phone.number.text, "3569377")
            fixture.clear()
        }
    }

    func testStarPoundAndPlus() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            fixture.type("+1")
            XCTAssertEqual(fixture.phone.number.text, "+1")
            fixture.phone.clear()
            fixture.type("*69#")
            XCTAssertEqual(fixture.display, "*69#")
            fixture.clear()
        }
    }

    func testNumberPadKeyValuesWithAndWithoutNumLock() {
        onMainActor {
            let locked = [
                GDK_KEY_KP_0, GDK_KEY_KP_1, GDK_KEY_KP_2, GDK_KEY_KP_3, GDK_KEY_KP_4, GDK_KEY_KP_5,
                GDK_KEY_KP_6,
                GDK_KEY_KP_7, GDK_KEY_KP_8, GDK_KEY_KP_9,
            ]
            let unlocked = [
                GDK_KEY_KP_Insert, GDK_KEY_KP_End, GDK_KEY_KP_Down, GDK_KEY_KP_Page_Down, GDK_KEY_KP_Left,
                GDK_KEY_KP_Begin, GDK_KEY_KP_Right, GDK_KEY_KP_Home, GDK_KEY_KP_Up, GDK_KEY_KP_Page_Up,
            ]
            for (digit, values) in zip(locked, unlocked).enumerated() {
                let key = KeypadKey.tone(DTMFKey.allCases[digit])
                XCTAssertEqual(phoneKey(values.0), key)
                XCTAssertEqual(phoneKey(values.1), key)
            }
            XCTAssertEqual(phoneKey(GDK_KEY_KP_Multiply), .tone(.star))
            XCTAssertEqual(phoneKey(GDK_KEY_KP_Add), .plus)
            XCTAssertEqual(phoneKey(GDK_KEY_KP_Enter), .dial)
            XCTAssertEqual(phoneKey(GDK_KEY_Return), .dial)
            XCTAssertEqual(phoneKey(GDK_KEY_BackSpace), .delete)
            XCTAssertEqual(phoneKey(GDK_KEY_Arabic_5), .tone(.five))
            for other in [
                GDK_KEY_Tab, GDK_KEY_Escape, GDK_KEY_F1, GDK_KEY_comma, GDK_KEY_Shift_L, GDK_KEY_Left, 0,
            ] {
                XCTAssertNil(phoneKey(other))
            }
        }
    }

    func testShortcutEntersNoDigit() {
        onMainActor {
            for modifier in [GDK_CONTROL_MASK, GDK_MOD1_MASK, GDK_SUPER_MASK] {
                XCTAssertNil(phoneKey(GDK_KEY_5, state: modifier.rawValue))
            }
        }
    }

    func testBackSpaceDeletesAndReturnDials() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            fixture.type(GDK_KEY_BackSpace)
            XCTAssertEqual(fixture.display, "")
            XCTAssertEqual(fixture.status, "READY")
            fixture.type("5550")
            fixture.type(GDK_KEY_BackSpace)
            XCTAssertEqual(fixture.display, "555")
            fixture.type(GDK_KEY_Return)
            waitUntil("the line has the number") { fixture.line.numbers == ["555"] }
            fixture.clear()
        }
    }

    func testSpacePressesFocusedKeyAndReturnStillDials() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            gtk_widget_grab_focus(fixture.find("4"))
            fixture.key(GDK_KEY_space, down: true)
            XCTAssertEqual(fixture.tones.tones, ["start 4"])
            fixture.key(GDK_KEY_space, down: false)
            XCTAssertEqual(fixture.tones.tones, ["start 4", "stop"])
            fixture.type(GDK_KEY_Return)
            waitUntil("the line has the number") { fixture.line.numbers == ["4"] }
            fixture.clear()
        }
    }

    func testReturnActivatesOtherFocusedKey() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            fixture.type("555")
            gtk_widget_grab_focus(fixture.find("Messages"))
            fixture.type(GDK_KEY_Return)
            waitUntil("the panel is closed") { !fixture.settings[flag: "panel-visible"] }
            XCTAssertEqual(fixture.line.numbers, [])
            fixture.clear()
        }
    }

    func testTwoKeysDown() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            fixture.key(GDK_KEY_1, down: true)
            fixture.key(GDK_KEY_2, down: true)
            fixture.key(GDK_KEY_2, down: false)
            fixture.key(GDK_KEY_1, down: false)
            XCTAssertEqual(fixture.tones.tones, ["start 1", "start 2", "start 1", "stop"])
            XCTAssertEqual(fixture.display, "12")
            fixture.clear()
        }
    }

    func testLostReleaseEndsWithFocus() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            fixture.key(GDK_KEY_5, down: true)
            let other = gtk_window_new(GTK_WINDOW_TOPLEVEL)
            gtk_widget_show(other)
            gdk_window_focus(gtk_widget_get_window(other), guint(GDK_CURRENT_TIME))
            waitUntil("the tone has stopped") { fixture.tones.tones == ["start 5", "stop"] }
            XCTAssertEqual(fixture.phone.keysDown, [])
            XCTAssert(fixture.tones.notes.contains("not ready"))
            fixture.key(GDK_KEY_5, down: false)
            gtk_widget_destroy(other)
            fixture.clear()
        }
    }

    func testKeyHeldAcrossFocusLossEntersDigitOnce() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            let presses = Variable(0)
            Signal.connectEvent(fixture.widget, "event") { event in
                if event.pointee.type == GDK_KEY_PRESS { presses.value += 1 }
                return false
            }
            cxtest_set_auto_repeat(true)
            defer { cxtest_set_auto_repeat(false) }
            fixture.key(GDK_KEY_5, down: true)
            waitUntil("the server repeats the key") { presses.value > 2 }
            let other = fixture.focusAnotherWindow()
            fixture.focus()
            let before = presses.value
            waitUntil("the server repeats the key in the window") { presses.value > before + 2 }
            XCTAssertEqual(fixture.display, "5")
            XCTAssertEqual(fixture.phone.keysDown, [])
            fixture.key(GDK_KEY_5, down: false)
            fixture.type("5")
            XCTAssertEqual(fixture.display, "55", "once it was let go it is a key like any other")
            gtk_widget_destroy(other)
            fixture.clear()
        }
    }

    func testKeyPressedInOtherWindowDialsNothing() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            fixture.type("555")
            let presses = Variable(0)
            Signal.connectEvent(fixture.widget, "event") { event in
                if event.pointee.type == GDK_KEY_PRESS { presses.value += 1 }
                return false
            }
            cxtest_set_auto_repeat(true)
            defer { cxtest_set_auto_repeat(false) }
            let other = fixture.focusAnotherWindow()
            fixture.key(GDK_KEY_Return, down: true)
            fixture.focus()
            waitUntil("the server repeats the key in the window") { presses.value > 2 }
            fixture.key(GDK_KEY_Return, down: false)
            XCTAssertEqual(fixture.line.numbers, [])
            fixture.type(GDK_KEY_Return)
            waitUntil("the line has the number") { fixture.line.numbers == ["555"] }
            gtk_widget_destroy(other)
            fixture.clear()
        }
    }

    func testKeyPressedBeforeFocusIsHandledCounts() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            let other = fixture.focusAnotherWindow()
            gdk_window_focus(gtk_widget_get_window(fixture.widget), guint(GDK_CURRENT_TIME))
            gdk_display_sync(gdk_display_get_default())
            XCTAssert(cxtest_key(UInt32(GDK_KEY_5), true))
            waitUntil("the digit is on the display") { fixture.display == "5" }
            fixture.key(GDK_KEY_5, down: false)
            gtk_widget_destroy(other)
            fixture.clear()
        }
    }

    func testFocusReachesAllUsableWidgets() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            fixture.type("5")
            fixture.type(GDK_KEY_Return)
            waitUntil("there is something to recall") { !fixture.line.numbers.isEmpty }
            var seen: [String] = []
            gtk_window_set_focus(fixture.window.window, nil)
            for _ in 0..<40 {
                gtk_widget_child_focus(fixture.widget, GTK_DIR_TAB_FORWARD)
                guard let focus = gtk_window_get_focus(fixture.window.window),
                    let name = atk_object_get_name(gtk_widget_get_accessible(focus))
                else { continue }
                seen.append(String(cString: name))
            }
            for name in ["Redial", "Messages", "1", "5", "star", "pound", "Delete", "Dial"] {
                XCTAssert(seen.contains(name), "\(name) in \(seen)")
            }
            fixture.clear()
        }
    }
}

extension PhoneWindowFixture {
    /// Opens another window, which takes the focus.
    fileprivate func focusAnotherWindow() -> Widget? {
        let other = gtk_window_new(GTK_WINDOW_TOPLEVEL)
        gtk_widget_show(other)
        gdk_window_focus(gtk_widget_get_window(other), guint(GDK_CURRENT_TIME))
        waitUntil("the other window has the focus") { gtk_window_is_active(window.window) == 0 }
        return other
    }
}

@MainActor
private func phoneKey(_ value: gint, state: UInt32 = 0) -> KeypadKey? {
    var event = GdkEventKey()
    event.keyval = guint(value)
    event.state = state
    return Keyboard.key(for: event)
}
