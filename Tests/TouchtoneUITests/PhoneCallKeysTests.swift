// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of the keys during a call that another phone of the user has.
final class PhoneCallKeysTests: GtkTestCase {
    func testKeysOfWhatThePhoneDoesRest() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            let line = fixture.talkingLine()
            line.features = [.conversation, .hold, .join, .onPhone]
            fixture.talk("5550123", on: line)
            @MainActor func isUsable(_ name: String) throws -> Bool {
                gtk_widget_get_sensitive(try XCTUnwrap(fixture.button(name), name)) != 0
            }
            for name in ["Mute", "Hold", "Flash"] { XCTAssertFalse(try isUsable(name), name) }
            let number = try XCTUnwrap(DialledNumber("5550199"))
            XCTAssertTrue(fixture.phone.calls.dial(RemoteParty(number), on: line))
            line.calls.last?.onEvent?(.answered)
            handleEvents()
            XCTAssertTrue(try isUsable("Flash"))
            for name in ["Mute", "Hold"] { XCTAssertFalse(try isUsable(name), name) }
            fixture.tap("Flash")
            XCTAssertEqual(fixture.phone.calls.calls.map(\.state), [.connected, .held])
            fixture.tap("Join")
            XCTAssertEqual(fixture.phone.calls.calls.map(\.state), [.joined, .joined])
            fixture.clear()
        }
    }
}
