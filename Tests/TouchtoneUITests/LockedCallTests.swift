// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Calls while the phone is locked: they have the number, and nothing else of the phone.
final class LockedCallTests: GtkTestCase {
    func testWhoCallsIsDeclinedOrAnsweredMutedAndHungUpOnTheLockScreen() throws {
        try onMainActor {
            let desk = try Desk(passcode: "1234")
            let line = desk.talkingLine()
            let place = desk.place(of: "5")
            XCTAssertNil(desk.callPanel)
            line.offer("5550104")
            handleEvents()
            gtk_test_widget_wait_for_draw(desk.widget)
            XCTAssertEqual(desk.callPanel, "incoming")
            XCTAssertEqual(desk.place(of: "5"), place, "no key moves under the finger")
            XCTAssert(desk.seen.contains("555-0104"))
            XCTAssertNil(desk.find("Dial"))
            XCTAssertNil(desk.numberLabel)
            desk.tap("Decline")
            XCTAssertNil(desk.callPanel)
            line.offer("5550104")
            handleEvents()
            desk.tap("Answer")
            XCTAssertEqual(desk.callPanel, "connected, 0:00")
            XCTAssertNil(desk.find("Flash"))
            desk.tap("Mute")
            XCTAssert(line.calls[1].isMuted)
            XCTAssertEqual(desk.isLit("Mute"), true)
            desk.tap("Hang up")
            XCTAssertEqual(desk.phone.calls.calls, [])
            XCTAssertNil(desk.callPanel)
            XCTAssertFalse(desk.seen.contains("555-0104"))
            XCTAssert(desk.lock.isLocked)
            desk.clear()
        }
    }

    func testACallGoesOnThroughLockingAndOpening() throws {
        try onMainActor {
            let desk = try Desk.opened("1234")
            let line = desk.talkingLine()
            desk.talk("5551234", on: line)
            desk.lock.lock()
            XCTAssertEqual(desk.callPanel, "connected, 0:00")
            XCTAssertNotNil(desk.shown("Hang up"))
            for action in ["flash", "hold", "keypad", "join", "transfer"] { desk.act(action) }
            XCTAssertEqual(desk.phone.calls.calls.map(\.phase), [.connected])
            desk.act("mute")
            XCTAssert(line.calls[0].isMuted)
            desk.type("1234")
            waitUntil("the phone is open") { !desk.lock.isLocked }
            XCTAssertEqual(line.calls[0].keys, "", "the passcode is not sent to the far end")
            XCTAssertEqual(desk.isLit("Mute"), true)
            XCTAssertEqual(desk.display, "555-1234")
            desk.clear()
        }
    }

    func testWhoCallsInACallIsAnsweredFromTheLockScreenToo() throws {
        try onMainActor {
            let desk = try Desk.opened("1234")
            let line = desk.talkingLine()
            desk.talk("5551234", on: line)
            desk.lock.lock()
            line.offer("5550104")
            handleEvents()
            XCTAssert(desk.seen.contains("555-0104"))
            XCTAssertFalse(desk.seen.contains("555-1234"))
            desk.tap("Answer")
            XCTAssertEqual(desk.phone.calls.calls.map(\.phase), [.held, .connected])
            desk.tap("Hang up")
            XCTAssert(desk.seen.contains("555-1234"))
            desk.tap("Hang up")
            XCTAssertEqual(desk.phone.calls.calls, [])
            desk.clear()
        }
    }
}
