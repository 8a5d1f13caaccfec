// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import GtkTestSupport
import TestSupport
import XCTest

/// Tests what follows each test: it fails for a critical warning, and what it left does not disturb the next one.
final class ClearScreenTests: GtkTestCase {
    func testWindowAndGrabAreGone() {
        onMainActor {
            let window: UnsafeMutablePointer<GtkWidget> = gtk_window_new(GTK_WINDOW_TOPLEVEL)
            let kept = GObjectRef(retaining: window)
            gtk_widget_show(window)
            gtk_grab_add(window)
            XCTAssertEqual(gtk_grab_get_current(), window)
            clearScreen()
            XCTAssertNil(gtk_grab_get_current())
            XCTAssertEqual(gtk_widget_get_realized(kept.cast()), 0)
        }
    }

    func testCriticalWarningsAreKnown() {
        onMainActor {
            XCTAssertEqual(CriticalWarnings.take(), [])
            gtk_widget_show(nil)
            let texts = CriticalWarnings.take()
            XCTAssertEqual(texts.count, 1)
            XCTAssert(texts.first?.contains("gtk_widget_show") == true, "\(texts)")
        }
    }
}
