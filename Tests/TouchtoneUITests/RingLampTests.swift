// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of the lamp for calls and messages.
final class RingLampTests: GtkTestCase {
    override func tearDown() {
        onMainActor { setAnimations(true) }
        super.tearDown()
    }

    func testFlashesWhileItRings() {
        onMainActor {
            let fixture = LampFixture()
            XCTAssertEqual(fixture.course(of: 2), "0000 0000")
            fixture.lamp.isRinging = true
            XCTAssertEqual(fixture.course(of: 2), "1010 1010")
            fixture.lamp.isRinging = false
            XCTAssertEqual(fixture.course(of: 1), "0000")
            XCTAssertEqual(fixture.clock.pending, 0, "nothing runs at rest")
            fixture.clear()
        }
    }

    func testShinesASecondInFourForWhatWaits() {
        onMainActor {
            let fixture = LampFixture()
            fixture.lamp.isWaiting = true
            XCTAssertEqual(fixture.course(of: 6), "1111 0000 0000 0000 1111 0000")
            fixture.lamp.isRinging = true
            XCTAssertEqual(fixture.course(of: 1), "1010", "a call comes first")
            fixture.lamp.isRinging = false
            XCTAssertEqual(fixture.course(of: 2), "1111 0000")
            fixture.lamp.isWaiting = false
            XCTAssertEqual(fixture.course(of: 4), "0000 0000 0000 0000")
            XCTAssertEqual(fixture.clock.pending, 0)
            fixture.clear()
        }
    }

    func testStaysLitAfterAWhileSoThatPhoneRests() {
        onMainActor {
            let fixture = LampFixture()
            fixture.lamp.isWaiting = true
            XCTAssertEqual(
                fixture.course(of: 18),
                String(repeating: "1111 0000 0000 0000 ", count: 4) + "1111 1111")
            XCTAssertEqual(fixture.clock.pending, 0)
            fixture.clear()
        }
    }

    func testIsSteadyWithoutAnimations() {
        onMainActor {
            setAnimations(false)
            let fixture = LampFixture()
            fixture.lamp.isRinging = true
            XCTAssertEqual(fixture.course(of: 1), "1111")
            fixture.lamp.isWaiting = true
            fixture.lamp.isRinging = false
            XCTAssertEqual(fixture.course(of: 1), "1111")
            XCTAssertEqual(fixture.clock.pending, 0)
            fixture.lamp.isWaiting = false
            XCTAssertEqual(fixture.course(of: 1), "0000")
            fixture.clear()
        }
    }

    func testNothingWakesWhileItIsOutOfSight() {
        onMainActor {
            let fixture = LampFixture()
            fixture.lamp.isWaiting = true
            gtk_widget_hide(fixture.window)
            XCTAssertEqual(fixture.clock.pending, 0)
            gtk_widget_show(fixture.window)
            XCTAssertEqual(fixture.course(of: 2), "1111 0000")
            fixture.clear()
        }
    }

    func testWindowLightsItForCallsAndMessages() throws {
        try onMainActor {
            setAnimations(false)
            let service = FakeChatService()
            let fixture = try PhoneWindowFixture(panel: false, account: service)
            let line = fixture.talkingLine()
            let lamp = try XCTUnwrap(fixture.lampWidget)
            let isLit = {
                gtk_style_context_has_class(gtk_widget_get_style_context(lamp), "lit") != 0
            }
            XCTAssertFalse(isLit())
            line.offer("5551234")
            handleEvents()
            XCTAssert(isLit())
            fixture.phone.answer()
            line.calls[0].onEvent?(.answered)
            handleEvents()
            XCTAssertFalse(isLit())
            let grace = ChatAddress("grace@example.org")
            service.tell(.buddies([BuddyRecord(grace, name: "Grace")], version: nil))
            service.tell(
                .updates([
                    .received(
                        ReceivedMessage(
                            buddy: grace, sender: .buddy, text: "Hello", time: ChatTime(milliseconds: 1),
                            name: "1"))
                ]))
            waitUntil("the message is stored") { isLit() }
            XCTAssertNil(atk_object_get_name(gtk_widget_get_accessible(lamp)), "MSGS says it in words")
            fixture.clear()
        }
    }

    func testNarrowestWindowHasRoomForIt() throws {
        try onMainActor {
            for direction in [GTK_TEXT_DIR_LTR, GTK_TEXT_DIR_RTL] {
                gtk_widget_set_default_direction(direction)
                defer { gtk_widget_set_default_direction(GTK_TEXT_DIR_LTR) }
                let fixture = try PhoneWindowFixture(width: 360, panel: false)
                let lamp = try XCTUnwrap(fixture.lampWidget)
                XCTAssertEqual(fixture.frame(of: lamp).suffix(2), [28, 12])
                XCTAssertLessThanOrEqual(fixture.minimumWidth, 360)
                fixture.clear()
            }
        }
    }
}

extension PhoneWindowFixture {
    fileprivate var lampWidget: Widget? {
        descendants(of: widget).first {
            gtk_style_context_has_class(gtk_widget_get_style_context($0), "ring-lamp") != 0
        }
    }
}

/// A lamp in a window, with a clock that the test moves.
@MainActor
private struct LampFixture {
    let window: Widget = gtk_window_new(GTK_WINDOW_TOPLEVEL)
    let clock = ManualScheduler()
    let lamp: RingLamp

    init() {
        let widget = Widget.box(GTK_ORIENTATION_HORIZONTAL)
        gtk_container_add(window.cast(), widget)
        lamp = RingLamp(widget, clock: clock)
        gtk_widget_show_all(window)
        gtk_test_widget_wait_for_draw(window)
    }

    func clear() { gtk_widget_destroy(window) }

    /// Returns whether the lamp is lit in each quarter of so many seconds.
    func course(of seconds: Int) -> String {
        (0..<seconds).map { _ in
            (0..<4).map { _ in
                let isLit = lamp.isLit
                clock.advance(by: .milliseconds(250))
                return isLit ? "1" : "0"
            }.joined()
        }.joined(separator: " ")
    }
}
