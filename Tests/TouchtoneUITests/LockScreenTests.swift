// SPDX-License-Identifier: GPL-3.0-or-later

import CXTest
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// The lock screen by pointer and keyboard, and what is behind it.
final class LockScreenTests: GtkTestCase {
    func testItIsThereAtOnceAndNothingElseIs() throws {
        try onMainActor {
            let desk = try Desk(passcode: "1234")
            XCTAssertEqual(desk.row, "0 of 4 digits entered")
            XCTAssertNil(desk.find("Dial"))
            XCTAssertNil(desk.numberLabel)
            XCTAssertNil(desk.find("Main menu"))
            for name in ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "Delete"] {
                XCTAssertNotNil(desk.find(name), name)
            }
            desk.clear()
        }
    }

    func testClicksFillTheDotsAndTheLastOpens() throws {
        try onMainActor {
            let desk = try Desk(passcode: "1234")
            for (index, digit) in ["1", "2", "3"].enumerated() {
                desk.click(digit)
                XCTAssertEqual(desk.row, "\(index + 1) of 4 digits entered")
            }
            desk.click("Delete")
            XCTAssertEqual(desk.row, "2 of 4 digits entered")
            desk.click("3")
            desk.click("4")
            waitUntil("the phone is open") { !desk.lock.isLocked }
            XCTAssertNotNil(desk.find("Dial"))
            XCTAssertNil(desk.rowWidget)
            XCTAssertEqual(desk.heard, "cccccc", "the same click for each key, and no tone")
            XCTAssertEqual(desk.tones.tones, [])
            desk.clear()
        }
    }

    func testDigitsAreTypedOnBothRowsAndLettersAreNone() throws {
        try onMainActor {
            let desk = try Desk(passcode: "123450")
            desk.type("abcxyz*#+")
            desk.type(GDK_KEY_Return)
            XCTAssertEqual(desk.row, "0 of 6 digits entered")
            desk.type("12")
            desk.type(GDK_KEY_KP_Page_Down)
            desk.type(GDK_KEY_BackSpace)
            desk.type("345")
            XCTAssertEqual(desk.row, "5 of 6 digits entered")
            desk.type("0")
            waitUntil("the phone is open") { !desk.lock.isLocked }
            XCTAssertEqual(desk.display, "", "no digit got through to the phone")
            XCTAssertEqual(desk.tones.tones, [])
            desk.clear()
        }
    }

    func testAKeyThatIsHeldIsOneDigit() throws {
        try onMainActor {
            let desk = try Desk(passcode: "1234")
            let repeats = Variable(0)
            Signal.connectEvent(desk.widget, "event") { event in
                if event.pointee.type == GDK_KEY_PRESS { repeats.value += 1 }
                return false
            }
            cxtest_set_auto_repeat(true)
            defer { cxtest_set_auto_repeat(false) }
            desk.key(GDK_KEY_1, down: true)
            waitUntil("the server has repeated the key") { repeats.value > 4 }
            desk.key(GDK_KEY_1, down: false)
            XCTAssertEqual(desk.row, "1 of 4 digits entered")
            desk.clear()
        }
    }

    func testTheLastDotIsSeenWhileThePasscodeIsComparedAndTheWindowLives() throws {
        try onMainActor {
            let desk = try Desk(passcode: "1234")
            desk.vault.isHeld = true
            desk.type("9999")
            waitUntil("it is being compared") { desk.vault.isAsked }
            XCTAssertEqual(desk.row, "4 of 4 digits entered")
            let frames = Variable(0)
            Signal.connectDraw(desk.widget) { _ in frames.value += 1 }
            for _ in 1...3 {
                let before = frames.value
                gtk_widget_queue_draw(desk.widget)
                waitUntil("a frame is drawn meanwhile") { frames.value > before }
            }
            XCTAssertEqual(desk.lock.state, .checking)
            desk.vault.release()
            waitUntil("it is refused") { desk.lock.state == .refused }
            XCTAssertEqual(desk.row, "4 of 4 digits entered")
            XCTAssert(desk.heard.hasSuffix("E"))
            waitUntil("the dots are empty") { desk.row == "0 of 4 digits entered" }
            desk.clear()
        }
    }

    func testAWrongPasscodeShakesTheRowUnlessThereIsToBeNoMotion() throws {
        try onMainActor {
            for moves in [true, false] {
                Self.set(animations: moves)
                let desk = try Desk(passcode: "1234")
                let dot = try XCTUnwrap(desk.dots.first)
                let rest = left(of: dot, in: desk.widget)
                let places = Variable<[gint]>([])
                Signal.connectNotify(dot, "size-allocate") {
                    places.value.append(left(of: dot, in: desk.widget) - rest)
                }
                let others = desk.find("5").map { left(of: $0, in: desk.widget) }
                desk.type("9999")
                waitUntil("it is refused") { desk.lock.state == .refused }
                waitUntil("it is over") { desk.lock.state == .locked(entered: 0) }
                let (least, most) = (places.value.min() ?? 0, places.value.max() ?? 0)
                if moves {
                    XCTAssert((-15 ... -8).contains(least) && (8...15).contains(most), "\(places.value)")
                } else {
                    XCTAssertEqual([least, most], [0, 0])
                }
                XCTAssertEqual(left(of: dot, in: desk.widget), rest)
                XCTAssertEqual(desk.find("5").map { left(of: $0, in: desk.widget) }, others)
                desk.clear()
            }
            Self.set(animations: true)
        }
    }

    func testAfterFiveFailuresTheKeysRestAndItSaysHowLong() throws {
        try onMainActor {
            let desk = try Desk(passcode: "1234")
            for attempt in 1...5 {
                desk.type("0000")
                waitUntil("it is refused") { desk.lock.state == .refused }
                waitUntil("it is over") { desk.lock.state != .refused }
                if attempt < 5 { XCTAssertEqual(desk.text(describedAs: "Lockout"), "") }
            }
            XCTAssertEqual(desk.text(describedAs: "Lockout"), "5 failed attempts\nTry again in 10:00")
            for name in ["0", "5", "Delete"] {
                XCTAssertEqual(gtk_widget_is_sensitive(try XCTUnwrap(desk.find(name))), 0, name)
            }
            desk.type("1234")
            desk.click("1")
            XCTAssertEqual(desk.lock.state, .lockedOut(seconds: 600))
            desk.clear()
        }
    }

    func testWhatCannotBeCheckedSaysWhatToDo() throws {
        try onMainActor {
            let desk = try Desk(vault: MemoryVault(finding: .unusable(.missing)))
            XCTAssert(
                desk.texts.contains { $0.contains("missing") && $0.contains("delete") && $0.contains("~/") })
            XCTAssertEqual(gtk_widget_is_sensitive(try XCTUnwrap(desk.find("5"))), 0)
            desk.type("1234")
            XCTAssert(desk.lock.isLocked)
            desk.clear()
        }
    }

    // MARK: What is behind it

    func testWhatWasThereIsThereAgain() throws {
        try onMainActor {
            let desk = try Desk.opened("1234")
            desk.type("5558675309")
            let key = try XCTUnwrap(desk.find("Redial"))
            gtk_widget_grab_focus(key)
            desk.lock.lock()
            handleEvents()
            XCTAssertNil(desk.find("Dial"))
            XCTAssertFalse(desk.texts.contains { $0.contains("555") }, "\(desk.texts)")
            XCTAssertEqual(String(cString: gtk_window_get_title(desk.window.window)), "Touchtone")
            desk.phone.paste("5551212")  // what arrives meanwhile
            desk.type("1234")
            waitUntil("the phone is open") { !desk.lock.isLocked }
            XCTAssertEqual(desk.display, "555-1212")
            XCTAssertEqual(gtk_window_get_focus(desk.window.window), key)
            desk.clear()
        }
    }

    func testALabelThatWasLookedAtBeforeTellsNothing() throws {
        try onMainActor {
            let desk = try Desk.opened("1234")
            desk.type("555")
            let label = try XCTUnwrap(desk.numberLabel)
            let accessible = try XCTUnwrap(gtk_widget_get_accessible(label))
            desk.lock.lock()
            desk.phone.paste("5551212")
            XCTAssertEqual(String(cString: gtk_label_get_text(label.cast())), "")
            XCTAssertEqual(atk_object_get_name(accessible).map { String(cString: $0) } ?? "", "")
            desk.clear()
        }
    }

    func testAKeyThatIsHeldWhenItLocksIsLetGo() throws {
        try onMainActor {
            let desk = try Desk.opened("1234")
            desk.key(GDK_KEY_5, down: true)
            XCTAssertEqual(desk.phone.keysDown, [.tone(.five)])
            desk.lock.lock()
            XCTAssertEqual(desk.phone.keysDown, [])
            XCTAssertEqual(desk.tones.tones, ["start 5", "stop"])
            desk.key(GDK_KEY_5, down: false)
            desk.clear()
        }
    }

    func testNoActionOfTheWindowCanBeTaken() throws {
        try onMainActor {
            let desk = try Desk.opened("1234")
            desk.type("555")
            desk.lock.lock()
            Clipboard.write("nothing")
            for action in ["copy", "paste", "redial", "panel", "show-help-overlay"] {
                XCTAssertEqual(
                    g_action_group_get_action_enabled(OpaquePointer(desk.window.window), action), 0, action)
                desk.act(action)
            }
            let copied = Variable("")
            Clipboard.read { copied.value = $0 ?? "" }
            waitUntil("the clipboard is read") { !copied.value.isEmpty }
            XCTAssertEqual(copied.value, "nothing")
            XCTAssertEqual(desk.phone.number.text, "555")
            desk.type("1234")
            waitUntil("the phone is open") { !desk.lock.isLocked }
            XCTAssertNotEqual(g_action_group_get_action_enabled(OpaquePointer(desk.window.window), "copy"), 0)
            desk.clear()
        }
    }

    func testAnOpenMenuGoes() throws {
        try onMainActor {
            let desk = try Desk.opened("1234")
            desk.tap(try XCTUnwrap(desk.numberLabel), button: 3)
            waitUntil("the menu is open") { gtk_grab_get_current() != nil }
            desk.lock.lock()
            XCTAssertNil(gtk_grab_get_current())
            handleEvents()
            desk.clear()
        }
    }

    func testOtherWindowsGoAndComeBack() throws {
        try onMainActor {
            let desk = try Desk.opened("1234")
            let other = try XCTUnwrap(gtk_window_new(GTK_WINDOW_TOPLEVEL))
            gtk_widget_show(other)
            let before = Self.windows(besides: desk.widget)
            XCTAssertEqual(before, [other])
            desk.lock.lock()
            XCTAssertEqual(Self.windows(besides: desk.widget).count, 0)
            desk.focus()
            desk.type("1234")
            waitUntil("the phone is open") { !desk.lock.isLocked }
            XCTAssertEqual(Self.windows(besides: desk.widget), before)
            gtk_widget_destroy(other)
            desk.clear()
        }
    }

    func testANarrowWindowIsCoveredAndStaysNarrow() throws {
        try onMainActor {
            let desk = try Desk.opened("12345678", width: 360)
            waitUntil("the window is folded") { desk.window.panel.folding.isFolded }
            let width = gtk_widget_get_allocated_width(desk.widget)
            desk.lock.lock()
            handleEvents()
            XCTAssertEqual(gtk_widget_get_allocated_width(desk.widget), width)
            desk.type("12345678")
            waitUntil("the phone is open") { !desk.lock.isLocked }
            XCTAssert(desk.window.panel.folding.isFolded)
            XCTAssertEqual(gtk_widget_get_allocated_width(desk.widget), width)
            desk.clear()
        }
    }

    func testLockingAndOpeningAgainLeavesNothingBehind() throws {
        try onMainActor {
            let desk = try Desk.opened("1234")
            let menu = try XCTUnwrap(desk.find("Main menu"))
            waitUntil("the menu is made") { gtk_menu_button_get_popover(menu.cast()) != nil }
            var counts: [Int] = []
            for _ in 1...10 {
                desk.lock.lock()
                desk.type("1234")
                waitUntil("the phone is open") { !desk.lock.isLocked }
                gtk_test_widget_wait_for_draw(desk.widget)
                counts.append(descendants(of: desk.widget).count)
            }
            XCTAssertEqual(Set(counts).count, 1, "\(counts)")
            XCTAssertNil(desk.window.cover.screen)
            desk.clear()
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

extension Desk {
    /// A phone with a passcode that has been opened with it.
    static func opened(_ passcode: String, width: gint = 780) throws -> Desk {
        let desk = try Desk(width: width, passcode: passcode)
        desk.type(passcode)
        waitUntil("the phone is open") { !desk.lock.isLocked }
        gtk_test_widget_wait_for_draw(desk.widget)
        return desk
    }

    /// The row of dots, as assistive tools find it.
    var rowWidget: UnsafeMutablePointer<GtkWidget>? {
        descendants(of: widget).first { widget in
            let accessible = gtk_widget_get_accessible(widget)
            return atk_object_get_name(accessible).map { String(cString: $0) } == "Passcode"
                && atk_object_get_role(accessible) == ATK_ROLE_PANEL
        }
    }

    /// What the row says.
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

    /// Whatever the labels of the window say.
    var texts: [String] {
        descendants(of: widget).filter { cgtk_instance_is_a($0, gtk_label_get_type()) != 0 }
            .map { String(cString: gtk_label_get_text($0.cast())) }
    }

    /// The text of the label with the description.
    func text(describedAs description: String) -> String {
        descendants(of: widget).first {
            atk_object_get_description(gtk_widget_get_accessible($0)).map { String(cString: $0) }
                == description
        }.map { String(cString: gtk_label_get_text($0.cast())) } ?? "no label"
    }
}
