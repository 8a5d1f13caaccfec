// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import GtkTestSupport
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of the window during a transfer to another party, the far end's hold, and the quality of a call.
final class CallTransferTests: GtkTestCase {
    func testFlashAndNumberTransferCall() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            let line = fixture.talkingLine()
            fixture.talk("5551234", on: line)
            XCTAssertNil(fixture.shown("Transfer"))
            fixture.tap("Flash")
            fixture.tap("Transfer")
            XCTAssertEqual(fixture.status, "ENTER A NUMBER")
            fixture.type("5550100")
            fixture.tap("Transfer")
            XCTAssertEqual(line.calls[0].targets.map(\.number.text), ["5550100"])
            XCTAssertEqual(fixture.status, "TRANSFERRING")
            XCTAssertEqual(fixture.display, "555-1234")
            XCTAssertEqual(fixture.callPanel, "transferring")
            line.calls[0].onEvent?(.transferRefused)
            handleEvents()
            XCTAssertEqual(fixture.status, "NOT TRANSFERRED")
            XCTAssertEqual(fixture.callPanel, "held, not transferred")
            // By the keyboard, and to an address.
            fixture.phone.lineForAddresses = { line }
            fixture.act("transfer")
            fixture.phone.paste(" grace@example.org\n")
            fixture.act("transfer")
            XCTAssertEqual(line.calls[0].targets.last?.address, "sip:grace@example.org")
            line.calls[0].onEvent?(.ended(.transferred))
            handleEvents()
            XCTAssertEqual(fixture.status, "TRANSFERRED")
            XCTAssertNil(fixture.callPanel)
            fixture.clear()
        }
    }

    func testCallIsTransferredWhileOtherPartyRings() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            let line = fixture.talkingLine()
            fixture.talk("5551234", on: line)
            fixture.tap("Flash")
            fixture.phone.paste("5550100")
            fixture.tap("Dial")
            line.calls[1].onEvent?(.ringing)
            handleEvents()
            fixture.tap("Transfer")
            XCTAssertEqual(line.calls[0].targets.map(\.number.text), ["5550100"])
            XCTAssertEqual(fixture.status, "TRANSFERRING")
            fixture.tap("Hang up")
            XCTAssertNil(fixture.callPanel)
            fixture.clear()
        }
    }

    func testHeldCallCanBeEndedWhileNumberIsEntered() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            let line = fixture.talkingLine()
            fixture.talk("5551234", on: line)
            fixture.act("transfer")
            fixture.tap("End the call with 555-1234")
            XCTAssertEqual(fixture.phone.calls.calls, [])
            XCTAssertNil(fixture.callPanel)
            fixture.clear()
        }
    }

    func testSilenceOfFarEndIsShown() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            let line = fixture.talkingLine()
            fixture.talk("5551234", on: line)
            line.calls[0].onEvent?(.silent(true))
            handleEvents()
            XCTAssert(fixture.status.hasSuffix("  NOTHING HEARD"), fixture.status)
            line.calls[0].onEvent?(.silent(false))
            handleEvents()
            XCTAssertFalse(fixture.status.contains("HEARD"), fixture.status)
            fixture.clear()
        }
    }

    func testLostKeysAreShownAndAnnouncedOnce() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            let line = fixture.talkingLine()
            fixture.talk("5551234", on: line)
            fixture.tap("Keypad")
            gtk_test_widget_wait_for_draw(fixture.widget)
            fixture.phone.calls.press(.five)
            XCTAssert(fixture.status.hasSuffix("  5"), fixture.status)
            let announced = try HoldAnnouncements()
            for key in [DTMFKey.five, .six] {
                line.calls[0].onEvent?(.keysRefused(true))
                fixture.phone.calls.press(key)
            }
            handleEvents()
            XCTAssert(fixture.status.hasSuffix("  KEYS NOT SENT"), fixture.status)
            XCTAssertFalse(fixture.status.contains("MUTE"))
            XCTAssert(fixture.seen.contains { $0.hasSuffix(", keys not sent") }, "\(fixture.seen)")
            fixture.phone.calls.setMuted(true)
            handleEvents()
            XCTAssertEqual(fixture.status, "MUTE  KEYS NOT SENT")
            XCTAssertEqual(announced.texts, ["The other party does not take keys: they are not sent."])
            fixture.phone.calls.setMuted(false)
            line.calls[0].onEvent?(.keysRefused(false))
            fixture.phone.calls.press(.seven)
            handleEvents()
            XCTAssert(fixture.status.hasSuffix("  7"), fixture.status)
            XCTAssertFalse(fixture.status.contains("NOT SENT"), fixture.status)
            XCTAssertEqual(announced.texts.count, 1)
            fixture.clear()
        }
    }

    func testHoldOfFarEndIsShownAndAnnouncedOnce() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            let line = fixture.talkingLine()
            fixture.talk("5551234", on: line)
            let announced = try HoldAnnouncements()
            for _ in 0..<3 { line.calls[0].onEvent?(.heldByFarEnd(true)) }
            handleEvents()
            XCTAssertEqual(fixture.status, "HELD BY OTHER PARTY")
            XCTAssertEqual(fixture.callPanel, "held by the other party, 0:00")
            XCTAssertEqual(announced.texts, ["The other party put the call on hold."])
            // Neither the other of two calls nor the user's own hold is announced.
            fixture.tap("Flash")
            fixture.talk("5550100", on: line)
            line.calls[0].onEvent?(.heldByFarEnd(false))
            line.calls[0].onEvent?(.heldByFarEnd(true))
            XCTAssertEqual(announced.texts.count, 1)
            // The state of the call that is shown now is.
            fixture.tap("Swap")
            XCTAssertEqual(announced.texts.count, 2)
            line.calls[0].onEvent?(.heldByFarEnd(false))
            XCTAssertEqual(announced.texts.last, "The other party resumed the call.")
            XCTAssert(fixture.callPanel?.hasPrefix("connected, ") == true)
            fixture.phone.hangUp()
            XCTAssertEqual(announced.texts.count, 3)
            fixture.clear()
        }
    }

    func testQualityIsMeasuredOnlyWhileItIsShown() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            let line = fixture.talkingLine()
            line.offer("5551234", displayName: "Grace")
            fixture.phone.answer()
            handleEvents()
            fixture.tap("Keypad")
            gtk_test_widget_wait_for_draw(fixture.widget)
            XCTAssertFalse(fixture.phone.calls.measuresQuality)
            let expander = try XCTUnwrap(fixture.qualityExpander)
            XCTAssert(fixture.seen.contains("G"), "the name’s first letter")
            gtk_expander_set_expanded(expander.cast(), 1)
            waitUntil("it is measured") { fixture.phone.calls.measuresQuality }
            XCTAssertFalse(fixture.seen.contains("G"), "the quality needs the room")
            XCTAssertEqual(line.calls[0].measurements, 1)
            line.calls[0].onEvent?(
                .quality(CallQuality(codec: "opus", encryption: "", loss: 0.4, jitter: 3.2, roundTrip: 24)))
            handleEvents()
            XCTAssertEqual(
                fixture.qualityValues,
                [
                    "Packet loss": "Below 1 %", "Jitter": "3 ms", "Round trip": "24 ms", "Codec": "opus",
                    "Encryption": "None",
                ])
            XCTAssert(line.calls[0].isWatched)
            let bar = try XCTUnwrap(fixture.microphoneBar)
            XCTAssertEqual(gtk_level_bar_get_value(bar.cast()), 0)
            line.calls[0].onEvent?(.microphoneLevel(-30))
            XCTAssertEqual(gtk_level_bar_get_value(bar.cast()), 0.5)
            fixture.tap("Keypad")
            XCTAssertFalse(fixture.phone.calls.measuresQuality)
            XCTAssertFalse(line.calls[0].isWatched, "nobody sees it")
            XCTAssertEqual(gtk_level_bar_get_value(bar.cast()), 0)
            fixture.tap("Keypad")
            waitUntil("it is measured again") { fixture.phone.calls.measuresQuality }
            fixture.tap("Hang up")
            XCTAssertFalse(fixture.phone.calls.measuresQuality)
            fixture.clear()
        }
    }
}

extension PhoneWindowFixture {
    fileprivate var qualityExpander: Widget? {
        descendants(of: widget).first {
            cgtk_instance_is_a($0, gtk_expander_get_type()) != 0 && gtk_widget_get_mapped($0) != 0
        }
    }

    fileprivate var microphoneBar: Widget? {
        descendants(of: widget).first { cgtk_instance_is_a($0, gtk_level_bar_get_type()) != 0 }
    }

    /// The values of the quality, by their accessible descriptions.
    fileprivate var qualityValues: [String: String] {
        let labels = qualityExpander.map(descendants) ?? []
        return Dictionary(
            labels.compactMap { label in
                atk_object_get_description(gtk_widget_get_accessible(label)).map {
                    (String(cString: $0), label.text)
                }
            }, uniquingKeysWith: { first, _ in first })
    }
}

/// The announcements of the far end's hold since this object exists.
@MainActor
private struct HoldAnnouncements {
    init() throws {
        guard g_signal_lookup("notification", atk_object_get_type()) == 0 else {
            throw XCTSkip("Since ATK 2.50, announcements are signals.")
        }
        Announcements.forget()
    }

    var texts: [String] {
        Announcements.labels.map { String(cString: gtk_label_get_text($0.cast())) }
            .filter { $0.hasPrefix("The other party") }
    }
}
