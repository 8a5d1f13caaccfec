// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of the deck of the answering machine on the calls page.
final class DeckTests: GtkTestCase {
    func testDeckIsFoldedUntilThereIsUseForIt() throws {
        try onMainActor {
            let fixture = try deckFixture([])
            let power = try XCTUnwrap(fixture.find("Answering Machine", ATK_ROLE_TOGGLE_BUTTON))
            XCTAssertNil(fixture.button("Erase"))
            XCTAssertTrue(fixture.texts.contains("OFF"))
            fixture.tap(power)
            // The slider of the switch moves first.
            waitUntil("it is on") { fixture.machine.isOn }
            fixture.settle()
            XCTAssertTrue(fixture.texts.contains("ON"))
            for key in ["Play", "Stop", "Erase"] {
                let widget = try XCTUnwrap(fixture.button(key), key)
                XCTAssertEqual(gtk_widget_get_sensitive(widget), 0, "there is nothing to \(key)")
            }
            fixture.machine.isOn = false
            fixture.settle()
            XCTAssertNil(fixture.button("Erase"))
            fixture.clear()
        }
    }

    func testFirstUnheardMessageIsPlayedPausedAndStopped() throws {
        try onMainActor {
            let fixture = try deckFixture([
                .made(3, isHeard: true), .made(2, isHeard: false), .made(1, isHeard: false),
            ])
            XCTAssertEqual(fixture.rows("Recordings").count, 3)
            XCTAssertTrue(fixture.texts.contains("02"), "two messages")
            XCTAssertTrue(fixture.texts.contains("of 0:12"))
            let spoken = SpokenTexts(in: fixture.widget)
            fixture.click(fixture.button("Play"))
            waitUntil("the oldest unheard one is played") { fixture.device.played == ["/recordings/1.opus"] }
            waitUntil("it was heard") { fixture.machine.recordings.unheard == 1 }
            fixture.clock.advance(by: .seconds(3))
            fixture.settle()
            XCTAssertTrue(fixture.texts.contains("0:03"))
            XCTAssertEqual(spoken.texts, [])
            fixture.click(fixture.button("Play"))
            fixture.settle()
            XCTAssertEqual(fixture.device.log, ">.")
            XCTAssertTrue(fixture.texts.contains("0:03"), "it waits there")
            fixture.click(fixture.button("Play"))
            waitUntil("it goes on") { fixture.device.log == ">.>3" }
            fixture.settle()
            fixture.click(fixture.button("Stop"))
            fixture.settle()
            XCTAssertEqual(fixture.device.log, ">.>3.")
            XCTAssertEqual(spoken.texts, ["0:03 played"])
            fixture.clear()
        }
    }

    func testMessageIsErasedAndComesBack() throws {
        try onMainActor {
            let fixture = try deckFixture([.made(1, isHeard: false)])
            fixture.click(fixture.button("Play"))
            waitUntil("it is played") { fixture.device.log == ">" }
            fixture.settle()
            fixture.click(fixture.button("Erase"))
            fixture.settle()
            XCTAssertEqual(fixture.device.log, ">.", "what is erased is not heard on")
            XCTAssertEqual(fixture.rows("Recordings"), [])
            XCTAssertEqual(fixture.notice, "Recording deleted.")
            fixture.clickNotice("Undo")
            XCTAssertEqual(fixture.rows("Recordings").count, 1)
            fixture.clear()
        }
    }

    func testRowPlaysWhatItSays() throws {
        try onMainActor {
            let fixture = try deckFixture([.made(2, isHeard: false), .made(1, isHeard: false)])
            let row = try XCTUnwrap(fixture.row("Recordings", "555-0104"))
            fixture.click(row)
            waitUntil("the newest one is played") { fixture.device.played == ["/recordings/2.opus"] }
            fixture.settle()
            XCTAssertTrue(fixture.rows("Recordings")[0].contains("Playing"), "\(fixture.rows("Recordings"))")
            gtk_widget_grab_focus(row)
            fixture.type(GDK_KEY_Delete)
            fixture.settle()
            XCTAssertEqual(fixture.rows("Recordings").count, 1)
            fixture.clear()
        }
    }

    func testManyRecordingsNeverCoverCalls() throws {
        try onMainActor {
            let fixture = try deckFixture((1...60).map { .made(Int64(61 - $0), isHeard: true) })
            let calls = try XCTUnwrap(fixture.row("Calls", "555-0104"))
            XCTAssertNotEqual(gtk_widget_get_mapped(calls), 0)
            let list = try XCTUnwrap(fixture.list("Recordings"))
            XCTAssertLessThan(fixture.rows("Recordings").count, 60, "only those in sight are built")
            XCTAssertNotEqual(gtk_widget_get_mapped(list), 0)
            fixture.clear()
        }
    }

    func testLockedPhoneShowsNoRecording() throws {
        try onMainActor {
            let fixture = try deckFixture([.made(1, isHeard: false)])
            let page = try XCTUnwrap(fixture.panel.page(.calls) as? CallsPage)
            page.setCovered(true)
            fixture.settle()
            XCTAssertEqual(fixture.rows("Recordings"), [])
            XCTAssertFalse(fixture.texts.contains { $0.contains("0104") }, "\(fixture.texts)")
            page.setCovered(false)
            fixture.settle()
            XCTAssertEqual(fixture.rows("Recordings").count, 1)
            fixture.clear()
        }
    }

    /// The reels turn while it plays; at rest nothing is drawn.
    func testRestingDeckDrawsNothing() throws {
        try onMainActor {
            let fixture = try deckFixture([.made(1, isHeard: true)])
            var frames = 0
            let clock = gtk_widget_get_frame_clock(fixture.widget)
            Signal.connect(UnsafeMutableRawPointer(try XCTUnwrap(clock)), "after-paint") { frames += 1 }
            /// Whether nothing is drawn for a while, once what the pointer and the start have begun is over.
            @MainActor func rests() -> Bool {
                for _ in 0..<20 {
                    frames = 0
                    MainLoop.run(upTo: 200) { false }
                    if frames == 0 { return true }
                }
                return false
            }
            XCTAssertTrue(rests())
            fixture.click(fixture.button("Play"))
            waitUntil("it turns") { frames > 20 }
            fixture.click(fixture.button("Stop"))
            fixture.settle()
            movePointerAway()
            fixture.settle()
            XCTAssertTrue(rests())
            fixture.clear()
        }
    }
}

@MainActor
private func deckFixture(_ recordings: [Recording], width: gint = 480) throws -> CallsPageFixture {
    let fixture = try CallsPageFixture(
        [.made(.incoming, "5550104", end: .farEnd)], width: width, recordings: recordings)
    fixture.device.setLength(.seconds(12))
    return fixture
}
