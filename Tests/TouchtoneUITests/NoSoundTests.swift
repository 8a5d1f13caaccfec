// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of the button that is visible while there is no sound device.
final class NoSoundTests: GtkTestCase {
    func testButtonLeadsToDevicesWhileThereIsNone() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture(width: 374, panel: false)
            let button = try XCTUnwrap(fixture.find("No Sound"))
            let width = gtk_widget_get_allocated_width(fixture.widget)
            XCTAssertFalse(button.isVisible)
            fixture.phone.soundNotice(.deviceLost(.ringer))
            fixture.phone.soundNotice(.deviceLost(.tones))
            handleEvents()
            XCTAssert(button.isVisible)
            XCTAssertEqual(gtk_widget_get_allocated_width(fixture.widget), width)
            fixture.type(GDK_KEY_5)
            XCTAssertEqual(fixture.status, "READY", "a key replaces the status")
            XCTAssert(button.isVisible)
            XCTAssertEqual(
                gtk_actionable_get_action_name(OpaquePointer(button)).map { String(cString: $0) },
                "app.preferences-page")
            fixture.phone.soundNotice(.deviceFound(.tones))
            XCTAssert(button.isVisible, "the ringer still has none")
            fixture.phone.soundNotice(.deviceFound(.ringer))
            XCTAssertFalse(button.isVisible)
            fixture.clear()
        }
    }
}
