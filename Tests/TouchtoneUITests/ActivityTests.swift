// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of what the account's server is told about the use of the window (XEP-0352).
final class ActivityTests: GtkTestCase {
    func testAccountIsActiveWhileSomebodyUsesTheWindow() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            let account = FakeAccount(fixture.settings)
            let messenger = Messenger(fixture.chat)
            let controller = MessagingController(
                PhoneDependencies(
                    phone: fixture.phone, lines: fixture.lines, lock: fixture.lock,
                    settings: fixture.settings,
                    devices: nil, sounds: fixture.tones,
                    regions: RegionChoices(system: "GB") { [] },
                    messages: MessagingDependencies(
                        messenger: messenger, wall: FixedWallClock(),
                        accounts: try JabberAccounts.only(account.model, fixture.settings, messenger),
                        store: MemoryMessageStore()), directory: People([]).directory),
                window: fixture.window)
            waitUntil("the window is in use") { account.connection.isActive }
            messenger.isIdle = true
            XCTAssertFalse(account.connection.isActive, "nobody is at the computer")
            messenger.isIdle = false
            XCTAssert(account.connection.isActive)
            gtk_widget_hide(fixture.widget)
            waitUntil("the window is hidden") { !account.connection.isActive }
            controller.leave()
            fixture.clear()
        }
    }
}
