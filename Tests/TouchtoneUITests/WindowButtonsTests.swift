// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import GtkTestSupport
import XCTest

@testable import TouchtoneUI

/// Tests of the buttons that close and resize the window.
final class WindowButtonsTests: GtkTestCase {
    func testWideWindowHasButtonsInPanelOnly() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            defer { fixture.clear() }
            XCTAssertEqual(Self.visibleButtons(in: fixture).count, 3)
            let panel = fixture.window.panel.side.widget
            for button in Self.visibleButtons(in: fixture) {
                XCTAssertNotEqual(gtk_widget_is_ancestor(button, panel), 0)
            }
        }
    }

    func testButtonsMoveToPhoneWithoutPanel() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture(width: 374, panel: false)
            defer { fixture.clear() }
            XCTAssertEqual(Self.visibleButtons(in: fixture).count, 3)
            fixture.settings[flag: "panel-visible"] = true
            waitUntil("the buttons are in the panel") {
                let buttons = Self.visibleButtons(in: fixture)
                return buttons.count == 3
                    && buttons.allSatisfy {
                        gtk_widget_is_ancestor($0, fixture.window.panel.side.widget) != 0
                    }
            }
        }
    }

    func testTopFitsNarrowWindow() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture(width: 1, panel: false)
            defer { fixture.clear() }
            let brand = try XCTUnwrap(descendants(of: fixture.widget).first { Self.hasClass("brand", $0) })
            XCTAssertNotEqual(gtk_widget_get_mapped(brand), 0)
            let width = gtk_widget_get_allocated_width(fixture.widget)
            let warnings = descendants(of: fixture.widget).filter { Self.hasClass("quiet", $0) }
            XCTAssertEqual(warnings.count, 3)
            for warning in warnings { gtk_widget_show(warning) }
            // What is more important than the name takes its place.
            waitUntil("the name gives way") { gtk_widget_get_child_visible(brand) == 0 }
            XCTAssertEqual(gtk_widget_get_allocated_width(fixture.widget), width)
            for button in warnings + Self.visibleButtons(in: fixture) {
                let end = gtk_widget_get_allocated_width(button) + left(of: button, in: fixture.widget)
                XCTAssertLessThanOrEqual(end, width)
            }
            for warning in warnings { gtk_widget_hide(warning) }
            waitUntil("the name is back") { gtk_widget_get_child_visible(brand) != 0 }
        }
    }

    @MainActor
    private static func hasClass(_ name: String, _ widget: Widget) -> Bool {
        gtk_style_context_has_class(gtk_widget_get_style_context(widget), name) != 0
    }

    @MainActor
    private static func visibleButtons(in fixture: PhoneWindowFixture) -> [Widget] {
        descendants(of: fixture.widget).filter {
            gtk_widget_get_mapped($0) != 0 && cgtk_instance_is_a($0, gtk_button_get_type()) != 0
                && hasClass("titlebutton", $0)
        }
    }
}
