// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import GtkTestSupport
import XCTest

/// Tests that connections hold their objects, and only as long as necessary.
final class SignalTests: GtkTestCase {
    /// An object that counts its instances.
    @MainActor
    private final class Witness {
        static var alive = 0
        var calls = 0
        init() { Self.alive += 1 }
        isolated deinit { Self.alive -= 1 }
    }

    func testActionsOutliveTheirWidget() throws {
        try onMainActor {
            var count = 0
            var button: GObjectRef? = GObjectRef(sinking: UnsafeMutableRawPointer(gtk_button_new()))
            let widget: UnsafeMutablePointer<GtkWidget> = try XCTUnwrap(button).cast()
            let actions = ActionMap(of: widget, prefix: "test")
            actions.add("act") { count += 1 }
            let group = try XCTUnwrap(gtk_widget_get_action_group(widget, "test"))
            g_action_group_activate_action(group, "act", nil)
            gtk_widget_destroy(widget)
            button = nil
            actions.setEnabled("act", false)
            XCTAssertEqual(g_action_group_get_action_enabled(group, "act"), 0)
            g_action_group_activate_action(group, "act", nil)
            XCTAssertEqual(count, 1)
        }
    }

    func testTenThousandConnectedWidgetsAndTheirClosuresAreFinalized() {
        onMainActor {
            var finalised = 0
            Witness.alive = 0
            for _ in 0..<10_000 {
                let button = GObjectRef(sinking: UnsafeMutableRawPointer(gtk_button_new()))
                let witness = Witness()
                Signal.connect(button.object, "clicked") { witness.calls += 1 }
                Signal.connectEvent(button.object, "button-press-event") { _ in
                    witness.calls += 1
                    return false
                }
                Signal.connectNotify(button.object, "notify::label") { witness.calls += 1 }
                withUnsafeMutablePointer(to: &finalised) { count in
                    g_object_weak_ref(
                        button.object,
                        { data, _ in data?.assumingMemoryBound(to: Int.self).pointee += 1 }, count)
                }
                gtk_button_clicked(button.cast())
                XCTAssertEqual(witness.calls, 1)
            }
            XCTAssertEqual(finalised, 10_000)
            XCTAssertEqual(Witness.alive, 0)
        }
    }

    func testConnectionOutlivesItsOriginalReference() {
        onMainActor {
            let box = GObjectRef(sinking: UnsafeMutableRawPointer(gtk_event_box_new()))
            var clicks = 0
            do {
                let button = GObjectRef(sinking: UnsafeMutableRawPointer(gtk_button_new()))
                Signal.connect(button.object, "clicked") { clicks += 1 }
                gtk_container_add(box.cast(), button.cast())
            }
            gtk_button_clicked(gtk_bin_get_child(box.cast()).cast())
            XCTAssertEqual(clicks, 1)
        }
    }

    func testDisconnectedClosureIsReleasedAndNotCalled() {
        onMainActor {
            let button = GObjectRef(sinking: UnsafeMutableRawPointer(gtk_button_new()))
            Witness.alive = 0
            let connection = {
                let witness = Witness()
                return Signal.connect(button.object, "clicked") { witness.calls += 1 }
            }()
            XCTAssertEqual(Witness.alive, 1)
            Signal.disconnect(button.object, connection)
            XCTAssertEqual(Witness.alive, 0)
            gtk_button_clicked(button.cast())
        }
    }

    func testEventHandlerDecidesWhetherEventStops() {
        onMainActor {
            let widget = GObjectRef(sinking: UnsafeMutableRawPointer(gtk_event_box_new()))
            let answer = Variable(false)
            var later = 0
            Signal.connectEvent(widget.object, "focus-in-event") { _ in answer.value }
            Signal.connectEvent(widget.object, "focus-in-event") { _ in
                later += 1
                return false
            }
            let event = gdk_event_new(GDK_FOCUS_CHANGE)
            defer { gdk_event_free(event) }
            let window = GObjectRef(sinking: UnsafeMutableRawPointer(gtk_window_new(GTK_WINDOW_POPUP)))
            gtk_container_add(window.cast(), widget.cast())
            gtk_widget_realize(widget.cast())
            g_object_ref(UnsafeMutableRawPointer(gtk_widget_get_window(widget.cast())))
            event?.pointee.focus_change.window = gtk_widget_get_window(widget.cast())
            event?.pointee.focus_change.in = 1
            gtk_widget_event(widget.cast(), event)
            answer.value = true
            gtk_widget_event(widget.cast(), event)
            XCTAssertEqual(later, 1)
            gtk_widget_destroy(window.cast())
        }
    }
}
