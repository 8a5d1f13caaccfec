// SPDX-License-Identifier: GPL-3.0-or-later

import CXTest
import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

private let url = "https://files.example.org/1/voice.ogg"

/// Tests of recording and playing voice messages in the panel.
final class VoiceMessageTests: GtkTestCase {
    func testHeldKeyRecordsAndReleaseSends() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture.connected()
            let key = try XCTUnwrap(fixture.button("Voice Message"))
            fixture.press(key)
            XCTAssert(fixture.labels(in: fixture.widget).contains("0:00"))
            fixture.voiceClock.advance(by: .seconds(2))
            fixture.settle()
            XCTAssert(fixture.labels(in: fixture.widget).contains("0:02"))
            fixture.release()
            waitUntil("the upload has begun") { !fixture.transfers.running.isEmpty }
            XCTAssertEqual(fixture.voice.log, "()")
            fixture.transfers.running[0].end()
            fixture.settle()
            XCTAssertEqual(fixture.rows("Conversation"), ["you, \(fixture.time): file Voice Message.ogg"])
            XCTAssertEqual(fixture.sent.count, 1)
            XCTAssertFalse(fixture.labels(in: fixture.widget).contains("0:02"))
            fixture.clear()
        }
    }

    func testPointerThatLeavesKeyDiscards() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture.connected()
            fixture.press(try XCTUnwrap(fixture.button("Voice Message")))
            fixture.voiceClock.advance(by: .seconds(2))
            movePointerAway()
            XCTAssertEqual(fixture.voice.log, "(")
            fixture.release()
            XCTAssertEqual(fixture.voice.log, "(x")
            fixture.settle()
            XCTAssertEqual(fixture.rows("Conversation"), [])
            fixture.clear()
        }
    }

    func testShortPressExplainsKey() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture.connected()
            fixture.tap(try XCTUnwrap(fixture.button("Voice Message")))
            fixture.settle()
            XCTAssertEqual(fixture.voice.log, "(x")
            XCTAssert(fixture.labels(in: fixture.widget).contains("Hold the key while you speak."))
            XCTAssertEqual(fixture.rows("Conversation"), [])
            fixture.clear()
        }
    }

    func testHeldSpaceRecordsAndEscapeDiscards() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture.connected()
            let key = try XCTUnwrap(fixture.button("Voice Message"))
            gtk_widget_grab_focus(key)
            for _ in 0..<2 {
                fixture.key(GDK_KEY_space, down: true)
                fixture.voiceClock.advance(by: .seconds(1))
                fixture.key(GDK_KEY_space, down: false)
                waitUntil("the upload has begun") { !fixture.transfers.running.isEmpty }
                fixture.transfers.running[0].end()
                fixture.settle()
            }
            XCTAssertEqual(fixture.voice.log, "()()")
            fixture.key(GDK_KEY_Return, down: true)
            fixture.voiceClock.advance(by: .seconds(1))
            fixture.type(GDK_KEY_Escape)
            fixture.key(GDK_KEY_Return, down: false)
            fixture.settle()
            XCTAssertEqual(fixture.voice.log, "()()(x")
            XCTAssertEqual(fixture.rows("Conversation").count, 2)
            fixture.clear()
        }
    }

    func testLostFocusAndOtherConversationDiscard() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture.connected()
            let key = try XCTUnwrap(fixture.button("Voice Message"))
            gtk_widget_grab_focus(key)
            fixture.key(GDK_KEY_space, down: true)
            fixture.insides.conversation.composer.focus()
            handleEvents()
            XCTAssertEqual(fixture.voice.log, "(x")
            fixture.key(GDK_KEY_space, down: false)
            fixture.press(key)
            fixture.insides.conversation.isCovered = true
            XCTAssertEqual(fixture.voice.log, "(x(x")
            fixture.insides.conversation.isCovered = false
            fixture.release()
            fixture.settle()
            XCTAssertEqual(fixture.voice.log, "(x(x")
            XCTAssertEqual(fixture.rows("Conversation"), [])
            fixture.clear()
        }
    }

    func testKeyThatBecomesInsensitiveDiscardsAndWorksAgain() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture.connected()
            let key = try XCTUnwrap(fixture.button("Voice Message"))
            fixture.press(key)
            gtk_widget_set_sensitive(key, 0)
            XCTAssertEqual(fixture.voice.log, "(x")
            fixture.release()
            gtk_widget_set_sensitive(key, 1)
            movePointerAway()
            fixture.press(key)
            fixture.voiceClock.advance(by: .seconds(1))
            fixture.release()
            waitUntil("the upload has begun") { !fixture.transfers.running.isEmpty }
            XCTAssertEqual(fixture.voice.log, "(x()")
            fixture.clear()
        }
    }

    /// A screen reader can only click.
    func testClickBeginsAndNextClickSends() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture.connected()
            let key = try XCTUnwrap(fixture.button("Voice Message"))
            XCTAssertNotEqual(atk_action_do_action(OpaquePointer(gtk_widget_get_accessible(key)), 0), 0)
            waitUntil("it records") { fixture.voice.log == "(" }
            fixture.voiceClock.advance(by: .seconds(1))
            atk_action_do_action(OpaquePointer(gtk_widget_get_accessible(key)), 0)
            waitUntil("the upload has begun") { !fixture.transfers.running.isEmpty }
            XCTAssertEqual(fixture.voice.log, "()")
            fixture.clear()
        }
    }

    func testMissingMicrophoneIsExplained() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture.connected()
            fixture.voice.loseMicrophone()
            fixture.press(try XCTUnwrap(fixture.button("Voice Message")))
            let text = "No microphone is available. Check the sound settings."
            waitUntil("the reason is shown") { fixture.labels(in: fixture.widget).contains(text) }
            fixture.release()
            fixture.settle()
            XCTAssertEqual(fixture.rows("Conversation"), [])
            fixture.clear()
        }
    }

    func testReceivedRecordingIsPlayedAndPaused() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture.connected()
            fixture.voice.setLength(.seconds(30))
            fixture.files.cache[url] = "/cache/voice.ogg"
            fixture.come(try XCTUnwrap(SharedFile(received: url)))
            waitUntil("its length is shown") { fixture.labels(in: fixture.widget).contains("0:30") }
            XCTAssertNil(fixture.button("Save…"), "the menu has it")
            fixture.click(fixture.button("Play"))
            waitUntil("it plays") { fixture.labels(in: fixture.widget).contains("0:00 / 0:30") }
            XCTAssertEqual(fixture.voice.played, ["/cache/voice.ogg"])
            XCTAssertNil(fixture.button("Play"))
            fixture.voiceClock.advance(by: .seconds(2))
            fixture.settle()
            XCTAssert(fixture.labels(in: fixture.widget).contains("0:02 / 0:30"))
            fixture.click(fixture.button("Pause"))
            fixture.settle()
            XCTAssertEqual(fixture.voice.log, ">.")
            XCTAssert(fixture.labels(in: fixture.widget).contains("0:02 / 0:30"), "it waits there")
            fixture.click(fixture.button("Play"))
            waitUntil("it goes on") { fixture.voice.log == ">.>2" }
            let spoken = SpokenTexts(in: fixture.widget)
            fixture.voiceClock.advance(by: .seconds(27))
            fixture.settle()
            XCTAssertEqual(spoken.texts, [], "the seconds are not told")
            fixture.voice.end()
            waitUntil("the end is told") { spoken.texts == ["0:29 played"] }
            fixture.clear()
        }
    }

    func testPositionIsMovedByPointerAndKeyboard() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture.connected()
            fixture.voice.setLength(.seconds(100))
            fixture.files.cache[url] = "/cache/voice.ogg"
            fixture.come(try XCTUnwrap(SharedFile(received: url)))
            waitUntil("its length is shown") { fixture.labels(in: fixture.widget).contains("1:40") }
            let scale = try XCTUnwrap(fixture.find("Position", ATK_ROLE_SLIDER))
            XCTAssertEqual(gtk_widget_get_sensitive(scale), 0, "there is no position before it plays")
            fixture.click(fixture.button("Play"))
            waitUntil("it plays") { fixture.voice.log == ">" }
            fixture.settle()
            fixture.tap(scale)
            waitUntil("it plays from its middle") { fixture.voice.log.hasPrefix(">.>") }
            fixture.settle()
            let middle = try XCTUnwrap(Int(fixture.voice.log.dropFirst(3)))
            XCTAssert((40...60).contains(middle), "\(middle)")
            fixture.voiceClock.advance(by: .seconds(4))
            gtk_widget_grab_focus(scale)
            fixture.type(GDK_KEY_Right)
            waitUntil("it goes on later") {
                fixture.voice.log.hasSuffix(">\(middle + 9)") || fixture.voice.log.hasSuffix(">\(middle + 8)")
            }
            fixture.clear()
        }
    }

    func testUnreadableRecordingIsExplained() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture.connected()
            fixture.voice.setLength(nil)
            fixture.files.cache[url] = "/cache/voice.ogg"
            fixture.come(try XCTUnwrap(SharedFile(received: url)))
            waitUntil("there is a key") { fixture.button("Play") != nil }
            fixture.click(fixture.button("Play"))
            waitUntil("the reason is shown") {
                fixture.labels(in: fixture.widget).contains("This recording can’t be played.")
            }
            XCTAssertNotNil(fixture.button("Play"))
            fixture.clear()
        }
    }
}
