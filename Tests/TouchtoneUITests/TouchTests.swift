// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of lists with a finger: a tap activates a row, a long press opens its menu, and a swipe replies.
final class TouchTests: GtkTestCase {
    func testTapOpensConversationWhenFingerIsLifted() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.meet()
            let row = try XCTUnwrap(fixture.row("Buddies", "Grace"))
            // The touch begins a scroll.
            Finger(on: row).run([(20, 10), (20, 40), (20, 90)])
            XCTAssertNil(fixture.chat.selected)
            let finger = Finger(on: row)
            finger.touch(GDK_TOUCH_BEGIN, 20, 10)
            XCTAssertNil(fixture.chat.selected, "a touch may become a scroll")
            finger.touch(GDK_TOUCH_END, 22, 12)
            waitUntil("the conversation is open") {
                fixture.chat.selected?.buddy == MessagePanelFixture.grace
            }
            fixture.clear()
        }
    }

    func testSwipeReplies() throws {
        try onMainActor {
            let fixture = try Self.opened()
            let row = try XCTUnwrap(fixture.row("Conversation", "Grace"))
            Finger(on: row).run([(20, 10), (60, 40), (70, 70)])
            Finger(on: row).run([(20, 10), (40, 12), (60, 14)])
            XCTAssertFalse(fixture.labels(in: fixture.widget).contains("Reply to Grace: Tea?"))
            Finger(on: row).run([(20, 10), (60, 12), (110, 14)])
            waitUntil("a reply is begun") {
                fixture.labels(in: fixture.widget).contains("Reply to Grace: Tea?")
            }
            fixture.clear()
        }
    }

    func testLongPressOpensMenu() throws {
        try onMainActor {
            let fixture = try Self.opened()
            let finger = Finger(on: try XCTUnwrap(fixture.row("Conversation", "Grace")))
            finger.touch(GDK_TOUCH_BEGIN, 20, 10)
            waitUntil("the menu is open") { fixture.menuItems.contains("Details…") }
            finger.touch(GDK_TOUCH_END, 20, 10)
            fixture.type(GDK_KEY_Escape)
            waitUntil("the menu is closed") { fixture.menuItems.isEmpty }
            fixture.clear()
        }
    }

    @MainActor
    private static func opened() throws -> MessagePanelFixture {
        let fixture = try MessagePanelFixture()
        fixture.meet()
        fixture.open()
        fixture.come("Tea?")
        fixture.settle()
        return fixture
    }
}

/// A finger on a widget that has its own window.
@MainActor
private struct Finger {
    private let widget: Widget

    init(on widget: Widget) { self.widget = widget }

    /// Touches the first place, moves over the others, and leaves at the last one.
    func run(_ places: [(Double, Double)]) {
        for (index, place) in places.enumerated() {
            touch(index == 0 ? GDK_TOUCH_BEGIN : GDK_TOUCH_UPDATE, place.0, place.1)
        }
        if let last = places.last { touch(GDK_TOUCH_END, last.0, last.1) }
    }

    func touch(_ kind: GdkEventType, _ x: Double, _ y: Double) {
        guard let event = gdk_event_new(kind), let window = gtk_widget_get_window(widget) else {
            return XCTFail("the widget has no window")
        }
        let seat = gdk_display_get_default_seat(gdk_window_get_display(window))
        var (left, top): (gint, gint) = (0, 0)
        gdk_window_get_root_coords(window, 0, 0, &left, &top)
        // The event takes the reference.
        event.pointee.touch.window = g_object_ref(UnsafeMutableRawPointer(window)).map { OpaquePointer($0) }
        event.pointee.touch.sequence = OpaquePointer(bitPattern: 1)
        event.pointee.touch.emulating_pointer = 1
        (event.pointee.touch.x, event.pointee.touch.y) = (x, y)
        (event.pointee.touch.x_root, event.pointee.touch.y_root) = (Double(left) + x, Double(top) + y)
        gdk_event_set_device(event, gdk_seat_get_pointer(seat))
        gtk_main_do_event(event)
        gdk_event_free(event)
    }
}
