// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import GtkTestSupport
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of what the window draws again.
final class DrawingTests: GtkTestCase {
    /// The window would otherwise take many times as long for each new text.
    func testNewStatusIsDrawnWithoutTheKeypad() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            let line = fixture.talkingLine()
            fixture.talk("5551234", on: line)
            let key = try XCTUnwrap(fixture.find("5"))
            let frames = Variable(0)
            let keys = Variable(0)
            Signal.connectDraw(fixture.widget) { _ in frames.value += 1 }
            Signal.connectDraw(key) { _ in keys.value += 1 }
            gtk_widget_queue_draw(fixture.widget)
            waitUntil("everything is drawn") { keys.value > 0 }
            handleEvents()
            let (drawn, status) = (keys.value, fixture.status)
            let before = frames.value
            line.calls[0].onEvent?(.heldByFarEnd(true))
            waitUntil("the status is drawn") { frames.value > before }
            XCTAssertNotEqual(fixture.status, status)
            XCTAssertEqual(keys.value, drawn)
            fixture.clear()
        }
    }
}
