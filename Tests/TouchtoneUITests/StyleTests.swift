// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import GtkTestSupport
import TestSupport
import XCTest

@testable import TouchtoneUI

/// Tests of the screen's style while the phone exists.
final class StyleTests: GtkTestCase {
    func testLookIsRemovedWithItsStyle() throws {
        try onMainActor {
            let window = gtk_window_new(GTK_WINDOW_TOPLEVEL)!
            defer { gtk_widget_destroy(window) }
            XCTAssertFalse(knowsPalette(window), "a test before has left its look behind")
            var style: Style? = try Style(resources: Resources(folder: "\(Checkout.folder)/data"))
            XCTAssert(knowsPalette(window))
            withExtendedLifetime(style) {}
            style = nil
            XCTAssertFalse(knowsPalette(window))
        }
    }

    func testDemandedThemeDecidesOnPalette() {
        onMainActor {
            defer { g_unsetenv("GTK_THEME") }
            for (theme, isDark, isHighContrast) in [
                ("Adwaita:dark", true, false), ("HighContrast", false, true),
                ("HighContrastInverse", true, true), ("Adwaita", false, false), ("", false, false),
            ] {
                g_setenv("GTK_THEME", theme, 1)
                let manager = StyleManager()
                XCTAssertEqual(manager.isDark, isDark, theme)
                XCTAssertEqual(manager.isHighContrast, isHighContrast, theme)
            }
        }
    }
}

/// Whether the colours of a palette are defined for a widget.
@MainActor
private func knowsPalette(_ widget: UnsafeMutablePointer<GtkWidget>) -> Bool {
    var color = GdkRGBA()
    return gtk_style_context_lookup_color(gtk_widget_get_style_context(widget), "body_hi", &color) != 0
}
