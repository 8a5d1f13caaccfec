// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// The keypad by pointer.
final class KeypadTests: GtkTestCase {
    func testEachKeyEntersAndSoundsAtThePressAndStopsAtTheRelease() throws {
        try onMainActor {
            let desk = try Desk()
            let names = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "star", "0", "pound"]
            for (name, digit) in zip(names, "123456789*0#") {
                let key = try XCTUnwrap(desk.find(name))
                desk.tones.notes = []
                desk.press(key)
                XCTAssertEqual(desk.display, String(digit))
                XCTAssertEqual(desk.tones.tones, ["start \(digit)"])
                XCTAssert(isDown(key))
                desk.release()
                XCTAssertEqual(desk.tones.tones, ["start \(digit)", "stop"])
                XCTAssertFalse(isDown(key))
                desk.click("Delete")
                XCTAssertEqual(desk.display, "")
            }
            desk.clear()
        }
    }

    func testThePointersArrivalAtAKeyGetsTheDeviceReady() throws {
        try onMainActor {
            let desk = try Desk()
            desk.hover(try XCTUnwrap(desk.find("5")))
            waitUntil("the device is wanted") { desk.tones.notes.contains("ready") }
            desk.phone.setReady(false)
            desk.tones.notes = []
            desk.hover(try XCTUnwrap(desk.find("6")))
            desk.press(try XCTUnwrap(desk.find("6")))
            XCTAssertEqual(desk.tones.notes, ["start 6"], "a window that is not in use expects nothing")
            desk.clear()
        }
    }

    func testTheDisplayFormatsAsTheNumberGrows() throws {
        try onMainActor {
            let desk = try Desk()
            var shown: [String] = []
            for digit in "5558675309" {
                desk.click(String(digit))
                shown.append(desk.display)
            }
            XCTAssertEqual(shown[2...3], ["555", "555-8"])
            XCTAssertEqual(shown[6...7], ["555-8675", "(555) 867-53"])
            XCTAssertEqual(shown.last, "(555) 867-5309")
            for earlier in shown.dropLast().reversed() {
                desk.click("Delete")
                XCTAssertEqual(desk.display, earlier)
            }
            desk.clear()
        }
    }

    func testASecondClickSoonAfterIsADigitToo() throws {
        try onMainActor {
            let desk = try Desk()
            for _ in 0..<6 { desk.click("8") }
            XCTAssertEqual(desk.display, "888-888")
            desk.clear()
        }
    }

    func testOtherButtonsOfThePointerDoNothing() throws {
        try onMainActor {
            let desk = try Desk()
            let key = try XCTUnwrap(desk.find("5"))
            for button: UInt32 in [2, 3] {
                desk.tap(key, button: button)
            }
            XCTAssertEqual(desk.display, "")
            XCTAssertEqual(desk.tones.tones, [])
            desk.clear()
        }
    }

    func testThePointerSlidingOffEndsTheTone() throws {
        try onMainActor {
            let desk = try Desk()
            let key = try XCTUnwrap(desk.find("5"))
            desk.press(key)
            movePointerAway()
            XCTAssertEqual(desk.tones.tones, ["start 5", "stop"])
            XCTAssertFalse(isDown(key))
            desk.release()
            XCTAssertEqual(desk.tones.tones, ["start 5", "stop"])
            desk.clear()
        }
    }

    func testAKeyHiddenOrDestroyedWhileDownFallsSilent() throws {
        try onMainActor {
            for end in [gtk_widget_hide, gtk_widget_destroy] {
                let desk = try Desk()
                let key = try XCTUnwrap(desk.find("5"))
                desk.press(key)
                end(key)
                XCTAssertEqual(desk.tones.tones, ["start 5", "stop"])
                desk.clear()
            }
        }
    }

    func testTheWindowClosedWhileAKeyIsDownFallsSilent() throws {
        try onMainActor {
            let desk = try Desk()
            desk.press(try XCTUnwrap(desk.find("5")))
            desk.clear()
            XCTAssertEqual(desk.tones.tones, ["start 5", "stop"])
        }
    }

    func testZeroHeldBecomesPlusAndDeleteHeldClears() throws {
        try onMainActor {
            let desk = try Desk()
            let zero = try XCTUnwrap(desk.find("0"))
            desk.press(zero)
            XCTAssertEqual(desk.display, "0")
            waitUntil("the 0 is a +") { desk.display == "+" }
            desk.release()
            for digit in "4420" { desk.click(String(digit)) }
            let delete = try XCTUnwrap(desk.find("Delete"))
            desk.press(delete)
            XCTAssertEqual(desk.phone.number.text, "+442")
            waitUntil("the display is empty") { desk.display.isEmpty }
            desk.release()
            desk.clear()
        }
    }

    func testDialHandsTheNumberOverAndRecallsItOnAnEmptyDisplay() throws {
        try onMainActor {
            let desk = try Desk()
            for digit in "5558675309" { desk.click(String(digit)) }
            desk.click("Dial")
            waitUntil("the line has answered") { desk.status == "SENT TO CALLS" }
            XCTAssertEqual(desk.line.numbers, ["5558675309"])
            desk.phone.clear()
            desk.click("Dial")
            XCTAssertEqual(desk.display, "(555) 867-5309")
            XCTAssertEqual(desk.line.numbers, ["5558675309"])
            desk.clear()
        }
    }

    func testAnAssistiveToolsClickIsAPress() throws {
        try onMainActor {
            let desk = try Desk()
            let accessible = gtk_widget_get_accessible(try XCTUnwrap(desk.find("7")))
            atk_action_do_action(OpaquePointer(accessible), 0)
            waitUntil("the digit is there") { desk.display == "7" }
            XCTAssertEqual(desk.tones.tones, ["start 7", "stop"])
            desk.clear()
        }
    }
}

@MainActor
private func isDown(_ key: UnsafeMutablePointer<GtkWidget>) -> Bool {
    gtk_style_context_has_class(gtk_widget_get_style_context(key), "down") != 0
}
