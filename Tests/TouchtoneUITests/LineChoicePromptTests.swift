// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of the question for a line before the first number is dialled.
final class LineChoicePromptTests: GtkTestCase {
    func testFirstDialAsksOnce() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            let (phone, settings) = (fixture.phone, fixture.settings)
            phone.mustChooseLine = { [settings] in settings[text: "dial-line"].isEmpty }
            fixture.type("5551234")
            fixture.type(GDK_KEY_Return)
            XCTAssertEqual([fixture.status, fixture.caption], ["READY", "CHOOSE A LINE"])
            waitUntil("the question is there") { fixture.shown("Use LINE 1") != nil }
            XCTAssertNotNil(fixture.find("Set Up an Account…"))
            fixture.type(GDK_KEY_Escape)
            waitUntil("it can be left") { fixture.shown("Use LINE 1") == nil }
            XCTAssertEqual(fixture.line.numbers, [])
            phone.dial()
            waitUntil("it is asked again") { fixture.shown("Use LINE 1") != nil }
            fixture.tap("Use LINE 1")
            XCTAssertEqual(settings[text: "dial-line"], fixture.line.id)
            XCTAssertEqual([fixture.status, fixture.caption], ["READY", ""])
            XCTAssertEqual(fixture.line.numbers, [], "an answer does not dial")
            waitUntil("the question is gone") { fixture.shown("Use LINE 1") == nil }
            fixture.type(GDK_KEY_Return)
            XCTAssertEqual(fixture.line.numbers, ["5551234"])
            settings.reset("dial-line")
            fixture.clear()
        }
    }
}
