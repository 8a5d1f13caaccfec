// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of calls on the locked phone, which show the number and nothing else of the phone.
final class LockedCallTests: GtkTestCase {
    func testLockScreenDeclinesAnswersMutesAndHangsUp() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture(passcode: "1234")
            let line = fixture.talkingLine()
            let place = fixture.place(of: "5")
            XCTAssertNil(fixture.callPanel)
            line.offer("5550104")
            handleEvents()
            gtk_test_widget_wait_for_draw(fixture.widget)
            XCTAssertEqual(fixture.callPanel, "incoming")
            XCTAssertEqual(fixture.place(of: "5"), place, "no key moves under the finger")
            XCTAssert(fixture.seen.contains("555-0104"))
            XCTAssertNil(fixture.find("Dial"))
            XCTAssertNil(fixture.numberLabel)
            fixture.tap("Decline")
            XCTAssertNil(fixture.callPanel)
            line.offer("5550104")
            handleEvents()
            fixture.tap("Answer")
            XCTAssertEqual(fixture.callPanel, "connected, 0:00")
            XCTAssertNil(fixture.find("Flash"))
            fixture.tap("Mute")
            XCTAssert(line.calls[1].isMuted)
            XCTAssertEqual(fixture.isLit("Mute"), true)
            fixture.tap("Hang up")
            XCTAssertEqual(fixture.phone.calls.calls, [])
            XCTAssertNil(fixture.callPanel)
            XCTAssertFalse(fixture.seen.contains("555-0104"))
            XCTAssert(fixture.lock.isLocked)
            fixture.clear()
        }
    }

    func testCallContinuesThroughLockingAndUnlocking() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture.opened("1234")
            let line = fixture.talkingLine()
            fixture.talk("5551234", on: line)
            fixture.lock.lock()
            XCTAssertEqual(fixture.callPanel, "connected, 0:00")
            XCTAssertNotNil(fixture.shown("Hang up"))
            for action in ["flash", "hold", "keypad", "join", "transfer"] { fixture.act(action) }
            XCTAssertEqual(fixture.phone.calls.calls.map(\.state), [.connected])
            fixture.act("mute")
            XCTAssert(line.calls[0].isMuted)
            fixture.type("1234")
            waitUntil("the phone is open") { !fixture.lock.isLocked }
            XCTAssertEqual(line.calls[0].keys, "", "the passcode is not sent to the far end")
            XCTAssertEqual(fixture.isLit("Mute"), true)
            XCTAssertEqual(fixture.display, "555-1234")
            fixture.clear()
        }
    }

    func testLockScreenAnswersWaitingCall() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture.opened("1234")
            let line = fixture.talkingLine()
            fixture.talk("5551234", on: line)
            fixture.lock.lock()
            line.offer("5550104")
            handleEvents()
            XCTAssert(fixture.seen.contains("555-0104"))
            XCTAssertFalse(fixture.seen.contains("555-1234"))
            fixture.tap("Answer")
            XCTAssertEqual(fixture.phone.calls.calls.map(\.state), [.held, .connected])
            fixture.tap("Hang up")
            XCTAssert(fixture.seen.contains("555-1234"))
            fixture.tap("Hang up")
            XCTAssertEqual(fixture.phone.calls.calls, [])
            fixture.clear()
        }
    }
}
