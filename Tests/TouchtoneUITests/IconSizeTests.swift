// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests that icons grow with the desktop's text, at the start and while the windows are open, and leave room for it.
final class IconSizeTests: GtkTestCase {
    override func tearDown() {
        onMainActor { setTextScale(1) }
        super.tearDown()
    }

    func testCalls() throws {
        try Self.check {
            try CallsPageFixture(PastCall.some)
        } settle: {
            $0.settle()
        } clear: {
            $0.clear()
        }
    }

    func testContacts() throws {
        try Self.check {
            let fixture = try ContactsPageFixture()
            fixture.click(fixture.row("Grace Hopper"))
            return fixture
        } settle: {
            $0.settle()
        } clear: {
            $0.clear()
        }
    }

    func testContactList() throws {
        try Self.check {
            try ContactsPageFixture()
        } settle: {
            $0.settle()
        } clear: {
            $0.clear()
        }
    }

    func testMessages() throws {
        try Self.check {
            // With either scale, the panel has room for the list and the conversation.
            let fixture = try MessagePanelFixture(width: 1000)
            fixture.meet()
            fixture.open()
            fixture.chat.send("hello", to: MessagePanelFixture.grace)
            fixture.settle()
            return fixture
        } settle: {
            $0.settle()
        } clear: {
            $0.clear()
        }
    }

    func testPhone() throws {
        try Self.check {
            // Wide enough for the panel with large text.
            try PhoneWindowFixture(width: 1200)
        } settle: { fixture in
            // The panel is built after the first frame.
            waitUntil("the panel is built") { Self.icons(in: fixture.widget)["light"] != nil }
            gtk_test_widget_wait_for_draw(fixture.widget)
        } clear: {
            $0.clear()
        }
    }

    func testNumberOfContactIsWholeWithLargeText() throws {
        try onMainActor {
            setTextScale(2)
            let fixture = try ContactsPageFixture(width: 360)
            fixture.click(fixture.row("Grace Hopper"))
            fixture.settle()
            let number = try XCTUnwrap(
                descendants(of: fixture.widget).first {
                    cgtk_instance_is_a($0, gtk_label_get_type()) != 0
                        && String(cString: gtk_label_get_text($0.cast())) == "(555) 867-5309"
                })
            XCTAssertEqual(pango_layout_is_ellipsized(gtk_label_get_layout(number.cast())), 0)
            fixture.clear()
        }
    }

    func testBannerIsNoHigherThanPanelWithLargeText() throws {
        try onMainActor {
            setTextScale(2)
            let reason = "The server jabber.example.org can’t be reached: Connection refused."
            let fixture = try MessagePanelFixture(width: 360, state: .failed(.other(reason)))
            fixture.settle()
            let text = try XCTUnwrap(
                descendants(of: fixture.widget).first {
                    cgtk_instance_is_a($0, gtk_label_get_type()) != 0
                        && String(cString: gtk_label_get_text($0.cast())) == reason
                })
            XCTAssertGreaterThan(gtk_widget_get_allocated_width(text), 240)
            XCTAssertEqual(gtk_widget_get_allocated_height(fixture.widget), 640)
            fixture.clear()
        }
    }

    func testRequestOfStrangerDoesNotWidenPanel() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.meet()
            var (before, after): (gint, gint) = (0, 0)
            gtk_widget_get_preferred_width(fixture.side.widget, nil, &before)
            let stranger = ChatAddress(String(repeating: "stranger.", count: 20) + "@example.org")
            fixture.service.tell(.request(stranger, text: String(repeating: "Hello ", count: 50)))
            waitUntil("the request is shown") {
                fixture.labels(in: fixture.widget).contains { $0.contains("stranger.") }
            }
            gtk_widget_get_preferred_width(fixture.side.widget, nil, &after)
            XCTAssertLessThanOrEqual(after, before)
            fixture.clear()
        }
    }

    /// Checks that all icons of a window are twice as large with a text scale of 2, and have their size again after it.
    private static func check<Fixture: WorkedIn>(
        _ make: @MainActor () throws -> Fixture, settle: @MainActor (Fixture) -> Void,
        clear: @MainActor (Fixture) -> Void
    ) throws {
        try onMainActor {
            let fixture = try make()
            settle(fixture)
            let before = icons(in: fixture.widget)
            XCTAssertFalse(before.isEmpty)
            setTextScale(2)
            settle(fixture)
            let doubled = before.mapValues { sizes in Set(sizes.map { $0 * 2 }) }
            XCTAssertEqual(icons(in: fixture.widget), doubled, "in an open window")
            clear(fixture)
            let next = try make()
            settle(next)
            XCTAssertEqual(icons(in: next.widget), doubled, "in a new window")
            setTextScale(1)
            settle(next)
            XCTAssertEqual(icons(in: next.widget), before)
            clear(next)
        }
    }

    /// Returns the widths of the visible icons of each name.
    @MainActor
    private static func icons(in window: Widget) -> [String: Set<gint>] {
        var found: [String: Set<gint>] = [:]
        for widget in descendants(of: window) where gtk_widget_get_mapped(widget) != 0 {
            guard let name = name(of: widget) else { continue }
            var width: gint = 0
            gtk_widget_get_preferred_width(widget, nil, &width)
            found[name, default: []].insert(width)
        }
        return found
    }

    /// Returns the name of an icon; nil for other widgets, the buttons of the window's frame, and large pictures.
    @MainActor
    private static func name(of widget: Widget) -> String? {
        let style = gtk_widget_get_style_context(widget)
        if cgtk_instance_is_a(widget, gtk_image_get_type()) != 0 {
            let button = gtk_widget_get_ancestor(widget, gtk_button_get_type())
            let isOfFrame = button.map {
                gtk_style_context_has_class(gtk_widget_get_style_context($0), "titlebutton") != 0
            }
            guard isOfFrame != true else { return nil }
            var name: UnsafePointer<CChar>?
            gtk_image_get_icon_name(widget.cast(), &name, nil)
            return name.map { String(cString: $0) } ?? "image"
        }
        if gtk_style_context_has_class(style, "avatar") != 0 {
            var width: gint = 0
            gtk_widget_get_size_request(widget, &width, nil)
            return width < 60 ? "avatar" : nil
        }
        return ["call-mark", "state-mark", "light"].first { gtk_style_context_has_class(style, $0) != 0 }
    }
}
