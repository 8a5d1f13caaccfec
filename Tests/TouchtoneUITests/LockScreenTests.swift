// SPDX-License-Identifier: GPL-3.0-or-later

import CXTest
import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of the lock screen by pointer and keyboard, and of the content behind it.
final class LockScreenTests: GtkTestCase {
    func testLockScreenAppearsAtOnceAndHidesTheRest() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture(passcode: "1234")
            XCTAssertEqual(fixture.row, "0 of 4 digits entered")
            XCTAssertNil(fixture.find("Dial"))
            XCTAssertNil(fixture.numberLabel)
            XCTAssertNil(fixture.find("Main menu"))
            for name in ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "Delete"] {
                XCTAssertNotNil(fixture.find(name), name)
            }
            fixture.clear()
        }
    }

    func testClicksFillDotsAndLastOneUnlocks() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture(passcode: "1234")
            for (index, digit) in ["1", "2", "3"].enumerated() {
                fixture.click(digit)
                XCTAssertEqual(fixture.row, "\(index + 1) of 4 digits entered")
            }
            fixture.click("Delete")
            XCTAssertEqual(fixture.row, "2 of 4 digits entered")
            fixture.click("3")
            fixture.click("4")
            waitUntil("the phone is open") { !fixture.lock.isLocked }
            XCTAssertNotNil(fixture.find("Dial"))
            XCTAssertNil(fixture.rowWidget)
            XCTAssertEqual(fixture.heard, "cccccc", "the same click for each key, and no tone")
            XCTAssertEqual(fixture.tones.tones, [])
            fixture.clear()
        }
    }

    func testBothDigitRowsTypeAndLettersDoNot() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture(passcode: "123450")
            fixture.type("abcxyz*#+")
            fixture.type(GDK_KEY_Return)
            XCTAssertEqual(fixture.row, "0 of 6 digits entered")
            fixture.type("12")
            fixture.type(GDK_KEY_KP_Page_Down)
            fixture.type(GDK_KEY_BackSpace)
            fixture.type("345")
            XCTAssertEqual(fixture.row, "5 of 6 digits entered")
            fixture.type("0")
            waitUntil("the phone is open") { !fixture.lock.isLocked }
            XCTAssertEqual(fixture.display, "", "no digit got through to the phone")
            XCTAssertEqual(fixture.tones.tones, [])
            fixture.clear()
        }
    }

    func testHeldKeyIsOneDigit() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture(passcode: "1234")
            let repeats = Variable(0)
            Signal.connectEvent(fixture.widget, "event") { event in
                if event.pointee.type == GDK_KEY_PRESS { repeats.value += 1 }
                return false
            }
            cxtest_set_auto_repeat(true)
            defer { cxtest_set_auto_repeat(false) }
            fixture.key(GDK_KEY_1, down: true)
            waitUntil("the server has repeated the key") { repeats.value > 4 }
            fixture.key(GDK_KEY_1, down: false)
            XCTAssertEqual(fixture.row, "1 of 4 digits entered")
            fixture.clear()
        }
    }

    func testLastDotIsShownDuringComparisonAndWindowResponds() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture(passcode: "1234")
            fixture.vault.isHeld = true
            fixture.type("9999")
            waitUntil("it is being compared") { fixture.vault.isAsked }
            XCTAssertEqual(fixture.row, "4 of 4 digits entered")
            let frames = Variable(0)
            Signal.connectDraw(fixture.widget) { _ in frames.value += 1 }
            for _ in 1...3 {
                let before = frames.value
                gtk_widget_queue_draw(fixture.widget)
                waitUntil("a frame is drawn meanwhile") { frames.value > before }
            }
            XCTAssertEqual(fixture.lock.state, .checking)
            fixture.vault.release()
            waitUntil("it is refused") { fixture.lock.state == .refused }
            XCTAssertEqual(fixture.row, "4 of 4 digits entered")
            XCTAssert(fixture.heard.hasSuffix("E"))
            waitUntil("the dots are empty") { fixture.row == "0 of 4 digits entered" }
            fixture.clear()
        }
    }

    func testWrongPasscodeShakesRowUnlessMotionIsReduced() throws {
        try onMainActor {
            for moves in [true, false] {
                Self.set(animations: moves)
                let fixture = try PhoneWindowFixture(passcode: "1234")
                let dot = try XCTUnwrap(fixture.dots.first)
                let rest = left(of: dot, in: fixture.widget)
                let places = Variable<[gint]>([])
                Signal.connectNotify(dot, "size-allocate") {
                    places.value.append(left(of: dot, in: fixture.widget) - rest)
                }
                let others = fixture.find("5").map { left(of: $0, in: fixture.widget) }
                fixture.type("9999")
                waitUntil("it is refused") { fixture.lock.state == .refused }
                waitUntil("it is over") { fixture.lock.state == .locked(entered: 0) }
                let (least, maximum) = (places.value.min() ?? 0, places.value.max() ?? 0)
                if moves {
                    XCTAssert((-15 ... -8).contains(least) && (8...15).contains(maximum), "\(places.value)")
                } else {
                    XCTAssertEqual([least, maximum], [0, 0])
                }
                XCTAssertEqual(left(of: dot, in: fixture.widget), rest)
                XCTAssertEqual(fixture.find("5").map { left(of: $0, in: fixture.widget) }, others)
                fixture.clear()
            }
            Self.set(animations: true)
        }
    }

    func testKeysRestAfterFiveFailuresAndWaitIsShown() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture(passcode: "1234")
            for attempt in 1...5 {
                fixture.type("0000")
                waitUntil("it is refused") { fixture.lock.state == .refused }
                waitUntil("it is over") { fixture.lock.state != .refused }
                if attempt < 5 { XCTAssertEqual(fixture.text(describedAs: "Lockout"), "") }
            }
            XCTAssertEqual(fixture.text(describedAs: "Lockout"), "5 failed attempts\nTry again in 10:00")
            for name in ["0", "5", "Delete"] {
                XCTAssertEqual(gtk_widget_is_sensitive(try XCTUnwrap(fixture.find(name))), 0, name)
            }
            fixture.type("1234")
            fixture.click("1")
            XCTAssertEqual(fixture.lock.state, .lockedOut(seconds: 600))
            fixture.clear()
        }
    }

    func testFailedCheckExplainsWhatToDo() throws {
        try onMainActor {
            let vault = FakePasscodeStore()
            vault.finding = .unusable(.missing)
            let fixture = try PhoneWindowFixture(vault: vault)
            XCTAssert(
                fixture.texts.contains {
                    $0.contains("missing") && $0.contains("delete") && $0.contains("~/")
                })
            XCTAssertEqual(gtk_widget_is_sensitive(try XCTUnwrap(fixture.find("5"))), 0)
            fixture.type("1234")
            XCTAssert(fixture.lock.isLocked)
            fixture.clear()
        }
    }

    // MARK: Content behind the lock screen

    func testUnlockingRestoresEarlierState() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture.opened("1234")
            fixture.type("5558675309")
            let key = try XCTUnwrap(fixture.find("Redial"))
            gtk_widget_grab_focus(key)
            fixture.lock.lock()
            handleEvents()
            XCTAssertNil(fixture.find("Dial"))
            XCTAssertFalse(fixture.texts.contains { $0.contains("555") }, "\(fixture.texts)")
            XCTAssertEqual(String(cString: gtk_window_get_title(fixture.window.window)), "Touchtone")
            fixture.phone.paste("5551212")  // This arrives meanwhile.
            fixture.type("1234")
            waitUntil("the phone is open") { !fixture.lock.isLocked }
            XCTAssertEqual(fixture.display, "555-1212")
            XCTAssertEqual(gtk_window_get_focus(fixture.window.window), key)
            fixture.clear()
        }
    }

    func testEarlierLabelRevealsNothing() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture.opened("1234")
            fixture.type("555")
            let label = try XCTUnwrap(fixture.numberLabel)
            let accessible = try XCTUnwrap(gtk_widget_get_accessible(label))
            fixture.lock.lock()
            fixture.phone.paste("5551212")
            XCTAssertEqual(String(cString: gtk_label_get_text(label.cast())), "")
            XCTAssertEqual(atk_object_get_name(accessible).map { String(cString: $0) } ?? "", "")
            fixture.clear()
        }
    }

    func testLockingReleasesHeldKey() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture.opened("1234")
            fixture.key(GDK_KEY_5, down: true)
            XCTAssertEqual(fixture.phone.keysDown, [.tone(.five)])
            fixture.lock.lock()
            XCTAssertEqual(fixture.phone.keysDown, [])
            XCTAssertEqual(fixture.tones.tones, ["start 5", "stop"])
            fixture.key(GDK_KEY_5, down: false)
            fixture.clear()
        }
    }

    func testLockingDisablesWindowActions() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture.opened("1234")
            fixture.type("555")
            fixture.lock.lock()
            Clipboard.write("nothing")
            for action in ["copy", "paste", "redial", "panel", "phone", "show-help-overlay"] {
                XCTAssertEqual(
                    g_action_group_get_action_enabled(OpaquePointer(fixture.window.window), action), 0, action
                )
                fixture.act(action)
            }
            let copied = Variable("")
            Clipboard.read { copied.value = $0 ?? "" }
            waitUntil("the clipboard is read") { !copied.value.isEmpty }
            XCTAssertEqual(copied.value, "nothing")
            XCTAssertEqual(fixture.phone.number.text, "555")
            fixture.type("1234")
            waitUntil("the phone is open") { !fixture.lock.isLocked }
            XCTAssertNotEqual(
                g_action_group_get_action_enabled(OpaquePointer(fixture.window.window), "copy"), 0)
            fixture.clear()
        }
    }

    func testLockingClosesOpenMenu() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture.opened("1234")
            fixture.tap(try XCTUnwrap(fixture.numberLabel), button: 3)
            waitUntil("the menu is open") { gtk_grab_get_current() != nil }
            fixture.lock.lock()
            XCTAssertNil(gtk_grab_get_current())
            handleEvents()
            fixture.clear()
        }
    }

    func testLockingHidesOtherWindowsUntilUnlocked() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture.opened("1234")
            let other = try XCTUnwrap(gtk_window_new(GTK_WINDOW_TOPLEVEL))
            gtk_widget_show(other)
            let before = Self.windows(besides: fixture.widget)
            XCTAssertEqual(before, [other])
            fixture.lock.lock()
            XCTAssertEqual(Self.windows(besides: fixture.widget).count, 0)
            fixture.focus()
            fixture.type("1234")
            waitUntil("the phone is open") { !fixture.lock.isLocked }
            XCTAssertEqual(Self.windows(besides: fixture.widget), before)
            gtk_widget_destroy(other)
            fixture.clear()
        }
    }

    func testNarrowWindowIsCoveredAndStaysNarrow() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture.opened("12345678", width: 360)
            waitUntil("the window is folded") { fixture.window.panel.folding.isFolded }
            let width = gtk_widget_get_allocated_width(fixture.widget)
            fixture.lock.lock()
            handleEvents()
            XCTAssertEqual(gtk_widget_get_allocated_width(fixture.widget), width)
            fixture.type("12345678")
            waitUntil("the phone is open") { !fixture.lock.isLocked }
            XCTAssert(fixture.window.panel.folding.isFolded)
            XCTAssertEqual(gtk_widget_get_allocated_width(fixture.widget), width)
            fixture.clear()
        }
    }

    func testLockingAndUnlockingLeavesNothingBehind() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture.opened("1234")
            let menu = try XCTUnwrap(fixture.find("Main menu"))
            waitUntil("the menu is made") { gtk_menu_button_get_popover(menu.cast()) != nil }
            var counts: [Int] = []
            for _ in 1...10 {
                fixture.lock.lock()
                fixture.type("1234")
                waitUntil("the phone is open") { !fixture.lock.isLocked }
                gtk_test_widget_wait_for_draw(fixture.widget)
                counts.append(descendants(of: fixture.widget).count)
            }
            XCTAssertEqual(Set(counts).count, 1, "\(counts)")
            XCTAssertNil(fixture.window.cover.screen)
            fixture.clear()
        }
    }

    @MainActor
    private static func set(animations: Bool) {
        guard let settings = gtk_settings_get_default() else { return }
        var value = GValue()
        g_value_init(&value, GType(5 << 2))  // G_TYPE_BOOLEAN
        g_value_set_boolean(&value, animations ? 1 : 0)
        g_object_set_property(
            UnsafeMutablePointer<GtkSettings>(settings).cast(), "gtk-enable-animations", &value)
    }

    @MainActor
    private static func windows(besides main: UnsafeMutablePointer<GtkWidget>) -> [UnsafeMutablePointer<
        GtkWidget
    >] {
        let list = gtk_window_list_toplevels()
        defer { g_list_free(list) }
        return sequence(first: list, next: { $0?.pointee.next }).prefix { $0 != nil }
            .compactMap { $0?.pointee.data?.assumingMemoryBound(to: GtkWidget.self) }
            .filter {
                $0 != main && gtk_widget_get_visible($0) != 0
                    && gtk_window_get_window_type($0.cast()) == GTK_WINDOW_TOPLEVEL
            }
    }
}

extension PhoneWindowFixture {
    /// Returns a phone with a passcode, unlocked.
    static func opened(_ passcode: String, width: gint = 804) throws -> PhoneWindowFixture {
        let fixture = try PhoneWindowFixture(width: width, passcode: passcode)
        fixture.type(passcode)
        waitUntil("the phone is open") { !fixture.lock.isLocked }
        gtk_test_widget_wait_for_draw(fixture.widget)
        return fixture
    }

    /// The row of dots, as assistive tools find it.
    var rowWidget: UnsafeMutablePointer<GtkWidget>? {
        descendants(of: widget).first { widget in
            let accessible = gtk_widget_get_accessible(widget)
            return atk_object_get_name(accessible).map { String(cString: $0) } == "Passcode"
                && atk_object_get_role(accessible) == ATK_ROLE_PANEL
        }
    }

    /// The accessible text of the row.
    var row: String {
        rowWidget.flatMap { atk_object_get_description(gtk_widget_get_accessible($0)) }.map {
            String(cString: $0)
        }
            ?? "no row"
    }

    /// The dots of the row.
    var dots: [UnsafeMutablePointer<GtkWidget>] {
        descendants(of: widget).filter {
            gtk_style_context_has_class(gtk_widget_get_style_context($0), "dot") != 0
        }
    }

    /// The texts of all labels in the window.
    var texts: [String] {
        descendants(of: widget).filter { cgtk_instance_is_a($0, gtk_label_get_type()) != 0 }
            .map { String(cString: gtk_label_get_text($0.cast())) }
    }

    /// Returns the text of the label with a description.
    func text(describedAs description: String) -> String {
        descendants(of: widget).first {
            atk_object_get_description(gtk_widget_get_accessible($0)).map { String(cString: $0) }
                == description
        }.map { String(cString: gtk_label_get_text($0.cast())) } ?? "no label"
    }
}
