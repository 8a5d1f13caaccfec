// SPDX-License-Identifier: GPL-3.0-or-later

import CXTest
import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Whom typed digits may mean, under the display.
final class SuggestionTests: GtkTestCase {
    func testTheDigitsOfANameOfferItWithoutMovingAnything() throws {
        try onMainActor {
            let desk = try Desk(directory: People().directory)
            let (focus, keypad) = (desk.focused, desk.frame(of: desk.find("5")))
            desk.type("4")
            desk.settle()
            XCTAssertEqual(desk.suggestions, nil, "one key may mean anybody")
            desk.type("7223")
            waitUntil("Grace is offered") {
                desk.suggestions == [
                    "Grace Hopper, mobile, (555) 867-5309", "Grace Hopper, work, 555-0142",
                ]
            }
            XCTAssertEqual(desk.display, "472-23")
            XCTAssertEqual(desk.offer, "Grace Hopper, mobile, (555) 867-5309, and 1 more")
            XCTAssertEqual(desk.focused, focus, "it takes no focus")
            XCTAssertEqual(desk.frame(of: desk.find("5")), keypad, "nothing moves")
            XCTAssertEqual(desk.status, "READY")
            desk.type("9")
            waitUntil("nobody is meant any more") { desk.suggestions == nil }
            desk.clear()
        }
    }

    func testArrowsAndReturnChooseAndDoNotDial() throws {
        try onMainActor {
            let desk = try Desk(directory: People().directory)
            desk.type("47223")
            waitUntil("Grace is offered") { desk.suggestions?.count == 2 }
            desk.type(GDK_KEY_Down)
            desk.type(GDK_KEY_Down)
            desk.type(GDK_KEY_Down)
            XCTAssertEqual(desk.selected, "Grace Hopper, work, 555-0142")
            desk.type(GDK_KEY_Up)
            XCTAssertEqual(desk.selected, "Grace Hopper, mobile, (555) 867-5309")
            desk.type(GDK_KEY_Return)
            XCTAssertEqual(desk.display, "(555) 867-5309")
            XCTAssertEqual(desk.status, "GRACE HOPPER")
            XCTAssertEqual(desk.suggestions, nil)
            XCTAssertEqual(desk.line.numbers, [])
            desk.settle()
            XCTAssertEqual(desk.suggestions, nil, "what was chosen is nobody's name")
            desk.type(GDK_KEY_Return)
            XCTAssertEqual(desk.line.numbers, ["5558675309"])
            desk.clear()
        }
    }

    func testThePointerChooses() throws {
        try onMainActor {
            let desk = try Desk(directory: People().directory)
            desk.type("47223")
            waitUntil("Grace is offered") { desk.suggestions?.count == 2 }
            gtk_test_widget_wait_for_draw(desk.widget)
            let row = try XCTUnwrap(desk.row("Grace Hopper, work"))
            let focus = desk.focused
            desk.tap(row)
            XCTAssertEqual(desk.display, "555-0142")
            XCTAssertEqual(desk.focused, focus)
            XCTAssertEqual(desk.line.numbers, [])
            desk.clear()
        }
    }

    func testReturnDialsWhatIsTypedAsLongAsNobodyIsSelected() throws {
        try onMainActor {
            let desk = try Desk(directory: People().directory)
            desk.type("47223")
            waitUntil("Grace is offered") { desk.suggestions?.count == 2 }
            desk.type(GDK_KEY_Down)
            desk.type(GDK_KEY_Up)
            XCTAssertNil(desk.selected)
            desk.type(GDK_KEY_Return)
            XCTAssertEqual(desk.line.numbers, ["47223"])
            desk.clear()
        }
    }

    func testEscapeClosesUntilAnotherNumberIsBegun() throws {
        try onMainActor {
            let desk = try Desk(directory: People().directory)
            desk.type("47")
            waitUntil("Grace is offered") { desk.suggestions != nil }
            desk.type(GDK_KEY_Escape)
            XCTAssertNil(desk.suggestions)
            desk.type("22")
            desk.settle()
            XCTAssertNil(desk.suggestions)
            for _ in 0..<4 { desk.type(GDK_KEY_BackSpace) }
            XCTAssertEqual(desk.display, "")
            desk.type("47")
            waitUntil("Grace is offered again") { desk.suggestions != nil }
            let close = try XCTUnwrap(desk.find("Close suggestions"))
            gtk_test_widget_wait_for_draw(desk.widget)
            desk.tap(close)
            XCTAssertNil(desk.suggestions)
            desk.clear()
        }
    }

    func testAPastedNumberAndACallOfferNobody() throws {
        try onMainActor {
            let desk = try Desk(directory: People().directory)
            desk.phone.paste("47223")
            desk.settle()
            XCTAssertNil(desk.suggestions)
            desk.phone.clear()
            desk.type("47")
            waitUntil("Grace is offered") { desk.suggestions != nil }
            desk.phone.dial()
            XCTAssertNil(desk.suggestions)
            desk.clear()
        }
    }

    func testWhileLockedThereIsNone() throws {
        try onMainActor {
            let desk = try Desk(passcode: "1234", directory: People().directory)
            desk.type("1234")
            waitUntil("it opens") { !desk.lock.isLocked }
            desk.type("47")
            waitUntil("Grace is offered") { desk.suggestions != nil }
            XCTAssert(desk.lock.lock())
            XCTAssertNil(desk.suggestions)
            XCTAssertFalse(descendants(of: desk.widget).contains { accessibleName(of: $0) == "Suggestions" })
            desk.clear()
        }
    }

    func testADigitIsShownBeforeAnybodyIsLookedFor() throws {
        try onMainActor {
            let desk = try Desk(directory: People(People.many(10_000)).directory)
            desk.type("4")
            desk.key(gint(UnicodeScalar("7").value), down: true)
            XCTAssertEqual(desk.display, "47")
            XCTAssertEqual(desk.tones.tones.suffix(1), ["start 7"])
            waitUntil("somebody is offered") { desk.suggestions?.count == 5 }
            desk.key(gint(UnicodeScalar("7").value), down: false)
            desk.clear()
        }
    }
}

/// The MEM key.
final class MemoryKeyTests: GtkTestCase {
    func testMemAndADigitDial() throws {
        try onMainActor {
            let desk = try Desk(directory: People(memory: [3: People.key("5558675309")]).directory)
            let mem = try XCTUnwrap(desk.find("Memory"))
            desk.press(mem)
            XCTAssertEqual(desk.status, "MEM 1-9")
            XCTAssertNil(desk.memoryRows, "nothing comes up under the pointer")
            desk.release()
            waitUntil("what they hold is shown") {
                desk.memoryRows == ["3, Grace Hopper, (555) 867-5309"]
            }
            desk.type("3")
            XCTAssertEqual(desk.line.numbers, ["5558675309"])
            XCTAssertNil(desk.memoryRows)
            desk.clear()
        }
    }

    func testMemHeldStores() throws {
        try onMainActor {
            let people = People()
            let desk = try Desk(directory: people.directory)
            desk.phone.paste("555-0199")
            desk.press(try XCTUnwrap(desk.find("Memory")))
            waitUntil("it was held long enough") { desk.status == "STORE 1-9" }
            desk.release()
            waitUntil("all nine are shown") { desk.memoryRows?.count == 9 }
            XCTAssertEqual(desk.memoryRows?.first, "1, empty")
            desk.click("5")
            XCTAssertEqual(desk.status, "STORED 5")
            waitUntil("it is kept") { people.store.memory[5]?.name == "Edsger Dijkstra" }
            XCTAssertEqual(desk.display, "555-0199")
            desk.clear()
        }
    }

    func testTheKeyboardDoesBoth() throws {
        try onMainActor {
            let people = People(memory: [1: People.key("5550100")])
            let desk = try Desk(directory: people.directory)
            desk.phone.paste("5550142")
            desk.act("memory-store")
            desk.type("2")
            waitUntil("it is kept") { people.book.memory[2]?.name == "Grace Hopper" }
            desk.act("memory")
            waitUntil("what they hold is shown") { desk.memoryRows?.count == 2 }
            desk.type(GDK_KEY_Down)
            desk.type(GDK_KEY_Down)
            desk.type(GDK_KEY_Return)
            XCTAssertEqual(desk.line.numbers, ["5550142"])
            desk.clear()
        }
    }

    func testEscapeTakesItBackAndAnEmptyKeySaysSo() throws {
        try onMainActor {
            let desk = try Desk(directory: People().directory)
            desk.click("Memory")
            XCTAssertEqual(desk.status, "MEM 1-9")
            desk.type(GDK_KEY_Escape)
            XCTAssertEqual(desk.status, "READY")
            desk.click("Memory")
            desk.type("7")
            XCTAssertEqual(desk.status, "MEM 7 EMPTY")
            XCTAssertEqual(desk.line.numbers, [])
            desk.clear()
        }
    }

    func testAFingerDoesTheSame() throws {
        try onMainActor {
            let desk = try Desk(directory: People(memory: [3: People.key("5558675309")]).directory)
            desk.touch(try XCTUnwrap(desk.find("Memory")))
            XCTAssertEqual(desk.status, "MEM 1-9")
            desk.touch(try XCTUnwrap(desk.find("3")))
            XCTAssertEqual(desk.line.numbers, ["5558675309"])
            desk.clear()
        }
    }
}

extension Desk {
    /// Waits until what was done is drawn, and what comes after that is done.
    func settle() {
        let isIdle = Variable(false)
        for _ in 0..<3 {
            isIdle.value = false
            Task { @MainActor in MainLoop.afterFrame { isIdle.value = true } }
            waitUntil("all is done") { isIdle.value }
        }
    }

    /// The names of the suggestions, as assistive tools find them; nil where nothing is offered.
    var suggestions: [String]? { rows(of: "Suggestions") }

    /// What a screen reader hears of what is offered: the description of the list, whose change is told.
    var offer: String {
        let list = descendants(of: widget).first { accessibleName(of: $0) == "Suggestions" }
        return list.flatMap { atk_object_get_description(gtk_widget_get_accessible($0)) }.map {
            String(cString: $0)
        } ?? ""
    }

    /// The names of the memory keys that are offered.
    var memoryRows: [String]? { rows(of: "Memory keys") }

    /// The row that the keyboard is on.
    var selected: String? {
        offered.first {
            gtk_style_context_has_class(gtk_widget_get_style_context($0), "selected") != 0
        }.flatMap { accessibleName(of: $0) }
    }

    /// A row that is offered, by how its name begins.
    func row(_ name: String) -> Widget? {
        offered.first { accessibleName(of: $0)?.hasPrefix(name) == true }
    }

    /// The widget that has the keyboard.
    var focused: Widget? { gtk_window_get_focus(window.window) }

    /// Where a widget is in the window: left, top, width, height.
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
