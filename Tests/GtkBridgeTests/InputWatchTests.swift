// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import GtkTestSupport
import XCTest

/// Tests of the events that count as input.
final class InputWatchTests: GtkTestCase {
    func testAssistiveActionCountsAsInput() {
        onMainActor {
            let (owner, inputs, clicks) = (Variable(0), Variable(0), Variable(0))
            let window = gtk_window_new(GTK_WINDOW_TOPLEVEL)
            let button = gtk_button_new_with_label("one")
            gtk_container_add(window?.cast(), button)
            gtk_widget_show_all(window)
            if let button { Signal.connect(button, "clicked") { clicks.value += 1 } }
            handleEvents()
            InputWatch.follow(owner) { inputs.value += 1 }
            atk_action_do_action(OpaquePointer(gtk_widget_get_accessible(button)), 0)
            waitUntil("it is clicked") { clicks.value == 1 }
            XCTAssertEqual(inputs.value, 1)
            gtk_button_set_label(button?.cast(), "two")
            handleEvents()
            XCTAssertEqual(inputs.value, 1, "what the program changes is no input")
            gtk_widget_destroy(window)
            withExtendedLifetime(owner) {}
        }
    }
}
