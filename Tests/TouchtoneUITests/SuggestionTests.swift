// SPDX-License-Identifier: GPL-3.0-or-later

import CXTest
import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of the suggestions for typed digits, in the caption and below the keypad.
final class SuggestionTests: GtkTestCase {
    func testNameDigitsOfferContactWithoutMovingAnything() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture(directory: People().directory)
            let (focus, keypad) = (fixture.focused, fixture.frame(of: fixture.find("5")))
            fixture.type("4")
            fixture.settle()
            XCTAssertEqual(fixture.suggestions, nil, "one key may mean anybody")
            fixture.type("7223")
            waitUntil("Grace is offered") {
                fixture.suggestions == [
                    "Grace Hopper, mobile, (555) 867-5309", "Grace Hopper, work, 555-0142",
                ]
            }
            XCTAssertEqual(fixture.display, "472-23")
            XCTAssertEqual(fixture.offer, "Grace Hopper, mobile, (555) 867-5309, and 1 more")
            XCTAssertEqual(fixture.caption, "GRACE HOPPER +1")
            XCTAssertEqual(fixture.focused, focus, "it takes no focus")
            XCTAssertEqual(fixture.frame(of: fixture.find("5")), keypad, "nothing moves")
            XCTAssertEqual(fixture.status, "READY")
            fixture.type("9")
            waitUntil("nobody is meant any more") { fixture.suggestions == nil }
            XCTAssertEqual(fixture.caption, "")
            fixture.clear()
        }
    }

    func testArrowsAndReturnChooseWithoutDialling() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture(directory: People().directory)
            fixture.type("47223")
            waitUntil("Grace is offered") { fixture.suggestions?.count == 2 }
            fixture.type(GDK_KEY_Down)
            fixture.type(GDK_KEY_Down)
            fixture.type(GDK_KEY_Down)
            XCTAssertEqual(fixture.selected, "Grace Hopper, work, 555-0142")
            fixture.type(GDK_KEY_Up)
            XCTAssertEqual(fixture.selected, "Grace Hopper, mobile, (555) 867-5309")
            XCTAssertEqual(fixture.caption, "GRACE HOPPER")
            fixture.type(GDK_KEY_Return)
            XCTAssertEqual(fixture.display, "(555) 867-5309")
            XCTAssertEqual([fixture.status, fixture.caption], ["READY", "GRACE HOPPER"])
            XCTAssertEqual(fixture.suggestions, nil)
            XCTAssertEqual(fixture.line.numbers, [])
            fixture.settle()
            XCTAssertEqual(fixture.suggestions, nil, "what was chosen is nobody's name")
            fixture.type(GDK_KEY_Return)
            XCTAssertEqual(fixture.line.numbers, ["5558675309"])
            fixture.clear()
        }
    }

    func testButtonsStayInStripWithLargeText() throws {
        try onMainActor {
            defer { setTextScale(1) }
            for scale: gint in [1, 2] {
                setTextScale(scale)
                let fixture = try PhoneWindowFixture(width: 360, panel: false, directory: People().directory)
                fixture.type("47223")
                waitUntil("Grace is offered") { fixture.suggestions?.count == 2 }
                fixture.settle()
                gtk_test_widget_wait_for_draw(fixture.widget)
                let hasClass = { (widget: Widget, name: String) in
                    gtk_style_context_has_class(gtk_widget_get_style_context(widget), name) != 0
                }
                let strip = try XCTUnwrap(descendants(of: fixture.widget).first { hasClass($0, "offers") })
                let buttons = descendants(of: strip).filter { hasClass($0, "offer-close") && $0.isVisible }
                XCTAssertEqual(buttons.count, 2)
                waitUntil("both fit at the scale \(scale)") {
                    buttons.allSatisfy { button in
                        var (x, y): (gint, gint) = (0, 0)
                        gtk_widget_translate_coordinates(button, strip, 0, 0, &x, &y)
                        return x + gtk_widget_get_allocated_width(button)
                            <= gtk_widget_get_allocated_width(strip)
                            && y + gtk_widget_get_allocated_height(button)
                                <= gtk_widget_get_allocated_height(strip)
                    }
                }
                fixture.clear()
            }
        }
    }

    func testPointerChooses() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture(directory: People().directory)
            fixture.type("47223")
            waitUntil("Grace is offered") { fixture.suggestions?.count == 2 }
            gtk_test_widget_wait_for_draw(fixture.widget)
            let row = try XCTUnwrap(fixture.row("Grace Hopper, work"))
            let focus = fixture.focused
            fixture.tap(row)
            XCTAssertEqual(fixture.display, "555-0142")
            XCTAssertEqual(fixture.focused, focus)
            XCTAssertEqual(fixture.line.numbers, [])
            fixture.clear()
        }
    }

    /// A key press that was meant for MEM would otherwise change the number that it stores.
    func testNoSuggestionLiesOverKey() throws {
        try onMainActor {
            defer { setTextScale(1) }
            for scale: gint in [1, 2] {
                setTextScale(scale)
                for height: gint in [1, 660, 1000] {
                    let fixture = try PhoneWindowFixture(
                        width: 360, panel: false, directory: People(People.many(10)).directory)
                    gtk_window_resize(fixture.window.window, 360, height)
                    fixture.settle()
                    fixture.type("47")
                    waitUntil("somebody is offered") { fixture.suggestions != nil }
                    fixture.settle()
                    gtk_test_widget_wait_for_draw(fixture.widget)
                    let strip = try XCTUnwrap(
                        descendants(of: fixture.widget).first {
                            gtk_style_context_has_class(gtk_widget_get_style_context($0), "offers") != 0
                        })
                    waitUntil("the list has its place at \(scale)x, \(height)") {
                        fixture.frame(of: strip)[3] > 20
                    }
                    let offers = fixture.frame(of: strip)
                    let digits = "0123456789".map { String($0) }
                    let keys = ["Redial", "Memory", "Messages", "Lock", "star", "pound", "Delete", "Dial"]
                    for name in digits + keys {
                        let key = fixture.frame(of: fixture.find(name))
                        let isApart =
                            key[0] + key[2] <= offers[0] || offers[0] + offers[2] <= key[0]
                            || key[1] + key[3] <= offers[1] || offers[1] + offers[3] <= key[1]
                        XCTAssert(isApart, "\(name) \(key) is below \(offers) at \(scale)x, \(height)")
                    }
                    let window = fixture.frame(of: gtk_bin_get_child(fixture.widget.cast()))
                    XCTAssertLessThanOrEqual(offers[1] + offers[3], window[1] + window[3])
                    let mem = try XCTUnwrap(fixture.find("Memory"))
                    fixture.press(mem)
                    waitUntil("MEM was held long enough") { fixture.phone.memoryQuestion == .store }
                    fixture.release()
                    XCTAssertEqual(fixture.display, "47")
                    fixture.clear()
                }
            }
        }
    }

    func testReturnDialsTypedNumberUnlessContactIsSelected() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture(directory: People().directory)
            fixture.type("47223")
            waitUntil("Grace is offered") { fixture.suggestions?.count == 2 }
            fixture.type(GDK_KEY_Down)
            fixture.type(GDK_KEY_Up)
            XCTAssertNil(fixture.selected)
            fixture.type(GDK_KEY_Return)
            XCTAssertEqual(fixture.line.numbers, ["47223"])
            fixture.clear()
        }
    }

    func testEscapeClosesUntilNextNumber() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture(directory: People().directory)
            fixture.type("47")
            waitUntil("Grace is offered") { fixture.suggestions != nil }
            fixture.type(GDK_KEY_Escape)
            XCTAssertNil(fixture.suggestions)
            fixture.type("22")
            fixture.settle()
            XCTAssertNil(fixture.suggestions)
            for _ in 0..<4 { fixture.type(GDK_KEY_BackSpace) }
            XCTAssertEqual(fixture.display, "")
            fixture.type("47")
            waitUntil("Grace is offered again") { fixture.suggestions != nil }
            let close = try XCTUnwrap(fixture.find("Close suggestions"))
            gtk_test_widget_wait_for_draw(fixture.widget)
            fixture.tap(close)
            XCTAssertNil(fixture.suggestions)
            fixture.clear()
        }
    }

    func testPastedNumberAndCallOfferNoSuggestions() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture(directory: People().directory)
            fixture.phone.paste("47223")
            fixture.settle()
            XCTAssertNil(fixture.suggestions)
            fixture.phone.clear()
            fixture.type("47")
            waitUntil("Grace is offered") { fixture.suggestions != nil }
            fixture.phone.dial()
            XCTAssertNil(fixture.suggestions)
            fixture.clear()
        }
    }

    func testLockHidesSuggestions() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture(passcode: "1234", directory: People().directory)
            fixture.type("1234")
            waitUntil("it opens") { !fixture.lock.isLocked }
            fixture.type("47")
            waitUntil("Grace is offered") { fixture.suggestions != nil }
            XCTAssert(fixture.lock.lock())
            XCTAssertNil(fixture.suggestions)
            XCTAssertFalse(
                descendants(of: fixture.widget).contains { accessibleName(of: $0) == "Suggestions" })
            fixture.clear()
        }
    }

    func testDigitIsShownBeforeLookup() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture(directory: People(People.many(10_000)).directory)
            fixture.type("4")
            fixture.key(gint(UnicodeScalar("7").value), down: true)
            XCTAssertEqual(fixture.display, "47")
            XCTAssertEqual(fixture.tones.tones.suffix(1), ["start 7"])
            waitUntil("somebody is offered") { fixture.suggestions?.count == 5 }
            fixture.key(gint(UnicodeScalar("7").value), down: false)
            fixture.clear()
        }
    }
}

/// Tests of the MEM key.
final class MemoryKeyTests: GtkTestCase {
    func testMemAndDigitDial() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture(
                directory: People(memory: [3: People.key("5558675309")]).directory)
            let mem = try XCTUnwrap(fixture.find("Memory"))
            fixture.press(mem)
            XCTAssertEqual(fixture.status, "MEMORY")
            XCTAssertEqual(fixture.caption, "PRESS A NAME")
            XCTAssertNil(fixture.memoryRows, "nothing comes up under the pointer")
            fixture.release()
            waitUntil("what they hold is shown") {
                fixture.memoryRows == ["3, Grace Hopper, (555) 867-5309"]
            }
            fixture.type("3")
            XCTAssertEqual(fixture.line.numbers, ["5558675309"])
            XCTAssertNil(fixture.memoryRows)
            fixture.clear()
        }
    }

    func testKeysNameWhatTheyHoldWhileMemWaits() throws {
        try onMainActor {
            let people = People(memory: [1: People.key("5550100"), 3: People.key("5558675309")])
            let fixture = try PhoneWindowFixture(directory: people.directory)
            let mem = try XCTUnwrap(fixture.find("Memory"))
            XCTAssertNil(gtk_widget_get_tooltip_text(mem), "it would cover the keys")
            let text: (String) -> [String]? = { name in fixture.find(name).map { fixture.labels(in: $0) } }
            let places = (1...9).map { fixture.place(of: String($0)) }
            XCTAssertEqual(text("3"), ["3", "DEF"])
            XCTAssertEqual(text("1"), ["1"])
            fixture.click("Memory")
            gtk_test_widget_wait_for_draw(fixture.widget)
            // Their names are those that assistive tools read.
            let names = (1...9).map { [1: "1, 555-0100", 3: "3, Grace Hopper"][$0] ?? "\($0), empty" }
            XCTAssertEqual(text("3, Grace Hopper"), ["3", "Grace Hopper"])
            XCTAssertEqual(text("1, 555-0100"), ["1", "555-0100"])
            XCTAssertEqual(text("2, empty"), ["2", "empty"])
            XCTAssertEqual(text("0"), ["0", "OPER"])
            XCTAssertEqual(names.map { fixture.place(of: $0) }, places, "no key moves")
            XCTAssertEqual(fixture.description(of: fixture.find("3, Grace Hopper")), "")
            people.book.setMemoryKey(3, nil)
            fixture.settle()
            XCTAssertEqual(text("3, empty"), ["3", "empty"])
            fixture.type(GDK_KEY_Escape)
            XCTAssertEqual(text("3"), ["3", "DEF"])
            XCTAssertEqual(text("1"), ["1"])
            XCTAssertEqual(fixture.description(of: fixture.find("3")), "")
            fixture.clear()
        }
    }

    /// The focus may be in the panel, where digits are searched for.
    func testMemTakesNextDigitWhereverFocusIs() throws {
        try onMainActor {
            let people = People(memory: [1: People.key("5550100")])
            let fixture = try PhoneWindowFixture(directory: people.directory)
            fixture.act("contacts")
            fixture.settle()
            fixture.type("5")
            XCTAssertEqual(fixture.display, "", "the digit went to the search")
            fixture.click("Memory")
            fixture.type("1")
            XCTAssertEqual(fixture.line.numbers, ["5550100"])
            fixture.settle()
            fixture.type("6")
            XCTAssertEqual(fixture.display, "555-0100", "the next digit is the panel's again")
            fixture.clear()
        }
    }

    func testHeldMemStores() throws {
        try onMainActor {
            let people = People()
            let fixture = try PhoneWindowFixture(directory: people.directory)
            fixture.phone.paste("555-0199")
            fixture.press(try XCTUnwrap(fixture.find("Memory")))
            let spoken = SpokenTexts(in: fixture.widget)
            waitUntil("it was held long enough") { fixture.phone.memoryQuestion == .store }
            XCTAssertEqual(fixture.status, "MEMORY")
            XCTAssertEqual(fixture.caption, "STORE HERE?")
            XCTAssertEqual(spoken.texts, ["waiting for a memory key to store the number in, 1 to 9"])
            fixture.release()
            waitUntil("all nine are shown") { fixture.memoryRows?.count == 9 }
            XCTAssertEqual(fixture.memoryRows?.first, "1, empty")
            fixture.click("5, empty")
            XCTAssertEqual(fixture.status, "STORED 5")
            waitUntil("it is kept") { people.store.memory[5]?.name == "Edsger Dijkstra" }
            XCTAssertEqual(fixture.display, "555-0199")
            fixture.clear()
        }
    }

    func testKeyboardDialsAndStores() throws {
        try onMainActor {
            let people = People(memory: [1: People.key("5550100")])
            let fixture = try PhoneWindowFixture(directory: people.directory)
            fixture.phone.paste("5550142")
            fixture.act("memory-store")
            fixture.type("2")
            waitUntil("it is kept") { people.book.memory[2]?.name == "Grace Hopper" }
            fixture.act("memory")
            waitUntil("what they hold is shown") { fixture.memoryRows?.count == 2 }
            fixture.type(GDK_KEY_Down)
            fixture.type(GDK_KEY_Down)
            fixture.type(GDK_KEY_Return)
            XCTAssertEqual(fixture.line.numbers, ["5550142"])
            fixture.clear()
        }
    }

    func testEscapeCancelsAndEmptyKeyIsReported() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture(directory: People().directory)
            fixture.click("Memory")
            XCTAssertEqual(fixture.status, "MEMORY")
            fixture.type(GDK_KEY_Escape)
            XCTAssertEqual(fixture.status, "READY")
            fixture.click("Memory")
            fixture.type("7")
            XCTAssertEqual(fixture.status, "MEM 7 EMPTY")
            XCTAssertEqual(fixture.line.numbers, [])
            fixture.clear()
        }
    }

    func testTouchDialsAndStores() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture(
                directory: People(memory: [3: People.key("5558675309")]).directory)
            fixture.touch(try XCTUnwrap(fixture.find("Memory")))
            XCTAssertEqual(fixture.status, "MEMORY")
            fixture.touch(try XCTUnwrap(fixture.find("3, Grace Hopper")))
            XCTAssertEqual(fixture.line.numbers, ["5558675309"])
            fixture.clear()
        }
    }
}

extension PhoneWindowFixture {
    /// Waits until all changes are drawn, and their consequences are handled.
    func settle() {
        waitUntilIdle(rounds: 3)
    }

    /// The names of the suggestions, as assistive tools find them; nil if nothing is offered.
    var suggestions: [String]? { rows(of: "Suggestions") }

    /// The text that a screen reader announces for the suggestions: the list's description, whose change is reported.
    var offer: String {
        let list = descendants(of: widget).first { accessibleName(of: $0) == "Suggestions" }
        return list.flatMap { atk_object_get_description(gtk_widget_get_accessible($0)) }.map {
            String(cString: $0)
        } ?? ""
    }

    /// The names of the offered memory keys.
    var memoryRows: [String]? { rows(of: "Memory keys") }

    /// The selected row.
    var selected: String? {
        offered.first {
            gtk_style_context_has_class(gtk_widget_get_style_context($0), "selected") != 0
        }.flatMap { accessibleName(of: $0) }
    }

    /// Returns the suggestion whose name starts with a text.
    func row(_ name: String) -> Widget? {
        offered.first { accessibleName(of: $0)?.hasPrefix(name) == true }
    }

    /// The focused widget.
    var focused: Widget? { gtk_window_get_focus(window.window) }

    /// Returns the position and size of a widget in the window: left, top, width, height.
    func frame(of widget: Widget?) -> [gint] {
        guard let widget else { return [] }
        var (x, y): (gint, gint) = (0, 0)
        gtk_widget_translate_coordinates(widget, self.widget, 0, 0, &x, &y)
        return [x, y, gtk_widget_get_allocated_width(widget), gtk_widget_get_allocated_height(widget)]
    }

    private func rows(of list: String) -> [String]? {
        guard
            let box = descendants(of: widget).first(where: {
                accessibleName(of: $0) == list && gtk_widget_get_mapped($0) != 0
                    && atk_object_get_role(gtk_widget_get_accessible($0)) == ATK_ROLE_LIST_BOX
            })
        else { return nil }
        return offered(in: box).compactMap { accessibleName(of: $0) }
    }

    private var offered: [Widget] { offered(in: widget) }

    private func offered(in widget: Widget) -> [Widget] {
        descendants(of: widget).filter {
            gtk_style_context_has_class(gtk_widget_get_style_context($0), "offer") != 0
                && gtk_widget_get_visible($0) != 0
        }
    }
}
