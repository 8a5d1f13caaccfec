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

    @MainActor
    private static func visibleButtons(in fixture: PhoneWindowFixture) -> [Widget] {
        descendants(of: fixture.widget).filter {
            gtk_widget_get_mapped($0) != 0 && cgtk_instance_is_a($0, gtk_button_get_type()) != 0
                && gtk_style_context_has_class(gtk_widget_get_style_context($0), "titlebutton") != 0
        }
    }
}
