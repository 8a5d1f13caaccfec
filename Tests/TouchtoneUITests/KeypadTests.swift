// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of the keypad by pointer.
final class KeypadTests: GtkTestCase {
    func testEachKeyEntersAndSoundsUntilRelease() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            let names = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "star", "0", "pound"]
            for (name, digit) in zip(names, "123456789*0#") {
                let key = try XCTUnwrap(fixture.find(name))
                fixture.tones.notes = []
                fixture.press(key)
                XCTAssertEqual(fixture.display, String(digit))
                XCTAssertEqual(fixture.tones.tones, ["start \(digit)"])
                XCTAssert(isDown(key))
                fixture.release()
                XCTAssertEqual(fixture.tones.tones, ["start \(digit)", "stop"])
                XCTAssertFalse(isDown(key))
                fixture.click("Delete")
                XCTAssertEqual(fixture.display, "")
            }
            fixture.clear()
        }
    }

    func testPointerEnteringKeyPreparesDevice() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            fixture.hover(try XCTUnwrap(fixture.find("5")))
            waitUntil("the device is wanted") { fixture.tones.notes.contains("ready") }
            fixture.phone.setReady(false)
            fixture.tones.notes = []
            fixture.hover(try XCTUnwrap(fixture.find("6")))
            fixture.press(try XCTUnwrap(fixture.find("6")))
            XCTAssertEqual(fixture.tones.notes, ["start 6"], "a window that is not in use expects nothing")
            fixture.clear()
        }
    }

    func testDisplayFormatsGrowingNumber() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            var shown: [String] = []
            for digit in "5558675309" {
                fixture.click(String(digit))
                shown.append(fixture.display)
            }
            XCTAssertEqual(shown[2...3], ["555", "555-8"])
            XCTAssertEqual(shown[6...7], ["555-8675", "(555) 867-53"])
            XCTAssertEqual(shown.last, "(555) 867-5309")
            for earlier in shown.dropLast().reversed() {
                fixture.click("Delete")
                XCTAssertEqual(fixture.display, earlier)
            }
            fixture.clear()
        }
    }

    func testQuickSecondClickEntersDigit() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            for _ in 0..<6 { fixture.click("8") }
            XCTAssertEqual(fixture.display, "888-888")
            fixture.clear()
        }
    }

    func testOtherPointerButtonsDoNothing() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            let key = try XCTUnwrap(fixture.find("5"))
            for button: UInt32 in [2, 3] {
                fixture.tap(key, button: button)
            }
            XCTAssertEqual(fixture.display, "")
            XCTAssertEqual(fixture.tones.tones, [])
            fixture.clear()
        }
    }

    func testPointerLeavingKeyEndsTone() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            let key = try XCTUnwrap(fixture.find("5"))
            fixture.press(key)
            movePointerAway()
            XCTAssertEqual(fixture.tones.tones, ["start 5", "stop"])
            XCTAssertFalse(isDown(key))
            fixture.release()
            XCTAssertEqual(fixture.tones.tones, ["start 5", "stop"])
            fixture.clear()
        }
    }

    func testHiddenOrDestroyedKeyFallsSilent() throws {
        try onMainActor {
            for end in [gtk_widget_hide, gtk_widget_destroy] {
                let fixture = try PhoneWindowFixture()
                let key = try XCTUnwrap(fixture.find("5"))
                fixture.press(key)
                end(key)
                XCTAssertEqual(fixture.tones.tones, ["start 5", "stop"])
                fixture.clear()
            }
        }
    }

    func testClosingWindowSilencesHeldKey() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            fixture.press(try XCTUnwrap(fixture.find("5")))
            fixture.clear()
            XCTAssertEqual(fixture.tones.tones, ["start 5", "stop"])
        }
    }

    func testHeldZeroBecomesPlusAndHeldDeleteClears() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            let zero = try XCTUnwrap(fixture.find("0"))
            fixture.press(zero)
            XCTAssertEqual(fixture.display, "0")
            waitUntil("the 0 is a +") { fixture.display == "+" }
            fixture.release()
            for digit in "4420" { fixture.click(String(digit)) }
            let delete = try XCTUnwrap(fixture.find("Delete"))
            fixture.press(delete)
            XCTAssertEqual(fixture.phone.number.text, "+442")
            waitUntil("the display is empty") { fixture.display.isEmpty }
            fixture.release()
            fixture.clear()
        }
    }

    func testDialSendsNumberAndRecallsItOnEmptyDisplay() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            for digit in "5558675309" { fixture.click(String(digit)) }
            fixture.click("Dial")
            waitUntil("the line has answered") { fixture.status == "SENT TO CALLS" }
            XCTAssertEqual(fixture.line.numbers, ["5558675309"])
            fixture.phone.clear()
            fixture.click("Dial")
            XCTAssertEqual(fixture.display, "(555) 867-5309")
            XCTAssertEqual(fixture.line.numbers, ["5558675309"])
            fixture.clear()
        }
    }

    func testAssistiveClickIsPress() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            let accessible = gtk_widget_get_accessible(try XCTUnwrap(fixture.find("7")))
            atk_action_do_action(OpaquePointer(accessible), 0)
            waitUntil("the digit is there") { fixture.display == "7" }
            XCTAssertEqual(fixture.tones.tones, ["start 7", "stop"])
            fixture.clear()
        }
    }
}

@MainActor
private func isDown(_ key: UnsafeMutablePointer<GtkWidget>) -> Bool {
    gtk_style_context_has_class(gtk_widget_get_style_context(key), "down") != 0
}
