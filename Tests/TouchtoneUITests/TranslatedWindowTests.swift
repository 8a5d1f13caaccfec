// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of the phone in each language that it is translated to.
final class TranslatedWindowTests: GtkTestCase {
    override func tearDown() {
        onMainActor { gtk_widget_set_default_direction(GTK_TEXT_DIR_LTR) }
        super.tearDown()
    }

    func testKeysAreInTheirPlacesAndShowTheirWholeWords() throws {
        try onMainActor {
            let english = try Self.places()
            XCTAssertEqual(english.keys.count, 6)
            for language in try TestLocale.languages {
                try TestLocale.run(language: language) {
                    XCTAssertNotEqual(localizedIn("key", "Dial"), "Dial")
                    let here = try Self.places { text in XCTFail("\(language): a key shows only “\(text)”") }
                    for (state, places) in english {
                        XCTAssertEqual(here[state], places, "\(language): \(state)")
                    }
                }
            }
        }
    }

    func testDisplayShowsWholeStatus() throws {
        try onMainActor {
            for language in try TestLocale.languages {
                try TestLocale.run(language: language) {
                    let fixture = try PhoneWindowFixture(width: 360, panel: false)
                    for text in PhoneStatus.examples.flatMap({ [$0.text, $0.prompt].compactMap(\.self) }) {
                        fixture.window.display.show(status: text)
                        handleEvents()
                        let label = try XCTUnwrap(
                            descendants(of: fixture.window.display.widget).first {
                                cgtk_instance_is_a($0, gtk_label_get_type()) != 0 && $0.text == text
                            })
                        let layout = try XCTUnwrap(gtk_label_get_layout(label.cast()))
                        XCTAssertEqual(pango_layout_is_ellipsized(layout), 0, "\(language): \(text)")
                    }
                    fixture.clear()
                }
            }
        }
    }

    func testWindowIsMirroredInArabic() throws {
        try onMainActor {
            let people = People().directory
            let places = { () throws -> [String: Bool] in
                let fixture = try PhoneWindowFixture(width: 1000, directory: people)
                let panel = fixture.window.panel.side.widget
                let set = try XCTUnwrap(fixture.set)
                let menu = descendants(of: fixture.widget).first {
                    cgtk_instance_is_a($0, gtk_menu_button_get_type()) != 0
                        && gtk_widget_is_ancestor($0, panel) == 0
                }
                let isLeft = { (one: Widget?, other: Widget) in
                    left(of: one, in: fixture.widget) < left(of: other, in: fixture.widget)
                }
                let found = [
                    "panel": isLeft(panel, set), "menu": isLeft(menu, fixture.window.display.widget),
                ]
                fixture.clear()
                return found
            }
            let english = try places()
            XCTAssertEqual(english["panel"], false)
            try TestLocale.run(language: "ar") {
                XCTAssertEqual(try places(), english.mapValues { !$0 })
            }
        }
    }

    func testNumbersAreNotReorderedInArabic() throws {
        try onMainActor {
            try TestLocale.run(language: "ar") {
                let fixture = try PhoneWindowFixture(directory: People([]).directory)
                Self.goThroughCalls(fixture) { Self.expectNumbers(in: fixture.widget, $0) }
                fixture.clear()
                let locked = try PhoneWindowFixture(panel: false, passcode: "1234")
                locked.talkingLine().offer("5558675309")
                handleEvents()
                Self.expectNumbers(in: locked.widget, "a call of the locked phone")
                locked.clear()
                let calls = try CallsPageFixture(PastCall.some, isRightToLeft: true)
                Self.expectNumbers(in: calls.widget, "the calls")
                calls.clear()
                let contacts = try ContactsPageFixture(isRightToLeft: true)
                contacts.page.show(contacts.people.book.rows[2])
                contacts.settle()
                Self.expectNumbers(in: contacts.widget, "a contact")
                contacts.clear()
            }
        }
    }

    func testLinesThatBeginWithLatinNameRunFromRightToLeftInArabic() throws {
        try onMainActor {
            try TestLocale.run(language: "ar") {
                let fixture = try MessagePanelFixture(isRightToLeft: true)
                fixture.meet()
                fixture.come("Are you there?")
                fixture.open()
                fixture.settle()
                let stamps = descendants(of: fixture.widget).filter {
                    gtk_style_context_has_class(gtk_widget_get_style_context($0), "stamp") != 0
                        && $0.text.contains("Grace")
                }
                XCTAssertFalse(stamps.isEmpty)
                for stamp in stamps {
                    let line = pango_layout_get_line_readonly(gtk_label_get_layout(stamp.cast()), 0)
                    XCTAssertEqual(
                        pango_layout_line_get_resolved_direction(line), PANGO_DIRECTION_RTL, stamp.text)
                }
                fixture.clear()
            }
        }
    }

    /// Tests that the check of the test above finds a number that is reordered.
    func testReorderedNumberIsFound() {
        onMainActor {
            gtk_widget_set_default_direction(GTK_TEXT_DIR_RTL)
            for (text, isReordered) in [
                ("(555) 867-5309", true), ("مكالمة من (555) 867-5309", true),
                (isolatedText("(555) 867-5309"), false),
                ("مكالمة من \(isolatedText("(555) 867-5309"))", false),
            ] {
                let label = GObjectRef(sinking: Widget.label(text))
                XCTAssertEqual(reorderedNumbers(in: label.cast()).count, isReordered ? 1 : 0, text)
            }
        }
    }
}

extension TranslatedWindowTests {
    /// Returns the places and sizes of all visible keys in each state of the phone, relative to the phone.
    ///
    /// - Parameter reportCut: Called with each text on a key that is not shown in full.
    @MainActor
    private static func places(_ reportCut: (String) -> Void = { _ in }) throws -> [String: [[gint]]] {
        var places: [String: [[gint]]] = [:]
        let fixture = try PhoneWindowFixture(width: 360, panel: false, directory: People([]).directory)
        let set = try XCTUnwrap(fixture.set)
        goThroughCalls(fixture) { state in
            let keys = descendants(of: set).filter {
                cgtk_instance_is_a($0, gtk_button_get_type()) != 0 && gtk_widget_get_mapped($0) != 0
            }
            places[state] = keys.map { key in
                var (x, y): (gint, gint) = (0, 0)
                gtk_widget_translate_coordinates(key, set, 0, 0, &x, &y)
                return [x, y, gtk_widget_get_allocated_width(key), gtk_widget_get_allocated_height(key)]
            }
            for label in keys.flatMap(descendants)
            where cgtk_instance_is_a(label, gtk_label_get_type()) != 0 && gtk_widget_get_mapped(label) != 0 {
                let layout = gtk_label_get_layout(label.cast())
                if layout.map(pango_layout_is_ellipsized) != 0 { reportCut(label.text) }
            }
        }
        fixture.clear()
        return places
    }

    /// Calls `look` in each state of the phone that has other keys or shows another number.
    @MainActor
    private static func goThroughCalls(_ fixture: PhoneWindowFixture, _ look: (String) -> Void) {
        func see(_ state: String) {
            handleEvents()
            gtk_test_widget_wait_for_draw(fixture.widget)
            handleEvents()
            look(state)
        }
        let (line, calls) = (fixture.talkingLine(), fixture.phone.calls)
        fixture.phone.paste("5558675309")
        see("a number")
        fixture.phone.dial()
        line.calls[0].onEvent?(.answered)
        see("a call")
        calls.hangUp()
        line.offer("5558675309")
        see("an incoming call")
        calls.answer()
        line.offer("5558675301")
        see("a call that waits")
        calls.answer()
        see("two calls")
        calls.hangUp()
        fixture.window.call.toggleKeypad()
        see("the card")
        calls.hangUpAll()
    }

    @MainActor
    private static func expectNumbers(in window: Widget, _ state: String) {
        let shown = descendants(of: window).contains { $0.digits > 6 && gtk_widget_get_mapped($0) != 0 }
        XCTAssert(shown, "\(state) shows no number")
        XCTAssertEqual(reorderedNumbers(in: window), [], state)
    }
}

/// Returns the texts in a widget whose numbers are not written from left to right.
@MainActor
private func reorderedNumbers(in root: Widget) -> [String] {
    descendants(of: root).compactMap { widget in
        guard widget.digits > 6, let layout = gtk_label_get_layout(widget.cast()),
            let shown = pango_layout_get_text(layout).map({ String(cString: $0) })
        else { return nil }
        for number in shown.matches(of: /[+(]?[0-9][0-9() \-]{5,}[0-9]/) {
            let places = number.range.lowerBound..<number.range.upperBound
            let lefts = shown.indices[places].map { index in
                var box = PangoRectangle()
                let offset = shown.utf8.distance(from: shown.startIndex, to: index)
                pango_layout_index_to_pos(layout, gint(offset), &box)
                return min(box.x, box.x + box.width)
            }
            if lefts != lefts.sorted() { return shown }
        }
        return nil
    }
}

extension Widget {
    /// The number of digits in a label; 0 for other widgets.
    @MainActor fileprivate var digits: Int {
        cgtk_instance_is_a(self, gtk_label_get_type()) != 0 ? text.count(where: \.isNumber) : 0
    }
}
