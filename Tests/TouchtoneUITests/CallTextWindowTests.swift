// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of the real-time text of calls in the window.
final class CallTextWindowTests: GtkTestCase {
    func testUserAddsTextAndTypesIt() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            let line = fixture.talkingLine()
            fixture.talk("5551234", on: line)
            fixture.tap("Keypad")
            fixture.tap("Text")
            XCTAssertEqual(line.calls[0].startsOfText, 1)
            XCTAssert(fixture.seen.contains("Waiting for 555-1234 to take the text…"), "\(fixture.seen)")
            XCTAssertEqual(gtk_widget_get_sensitive(try fixture.entry), 0)
            let announced = SpokenTexts(in: fixture.widget)
            line.calls[0].onEvent?(.text(.runs(true)))
            handleEvents()
            XCTAssertEqual(announced.texts, ["555-1234 can see what you type."])
            XCTAssertNotEqual(gtk_widget_has_focus(try fixture.entry), 0, "the user can type at once")
            fixture.type("hi 5")
            XCTAssertEqual(line.calls[0].text, "hi 5")
            XCTAssertEqual(line.calls[0].keys, "", "a digit in the field is no key")
            fixture.type(GDK_KEY_BackSpace)
            fixture.type(GDK_KEY_Return)
            handleEvents()
            XCTAssertEqual(line.calls[0].text, "hi 5\u{8}\u{2028}")
            XCTAssertEqual(try fixture.typed, "")
            line.calls[0].onEvent?(.text(.received("Yes")))
            handleEvents()
            XCTAssertEqual(fixture.textLines, ["you: hi ", "555-1234: Yes"])
            XCTAssert(fixture.seen.contains("you") && fixture.seen.contains("Yes"))
            // The keypad is one key away, and so is the caller.
            fixture.tap("Keypad")
            XCTAssertNotNil(fixture.shown("5"))
            fixture.tap("Keypad")
            XCTAssertEqual(fixture.textLines, ["you: hi ", "555-1234: Yes"])
            fixture.tap("Text")
            XCTAssertEqual(fixture.textLines, [])
            XCTAssert(fixture.seen.contains("555-1234"))
            fixture.clear()
        }
    }

    func testKeyIsOffIfTheUserNeverWantsText() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            let line = fixture.talkingLine()
            fixture.talk("5551234", on: line)
            fixture.tap("Keypad")
            let key = try XCTUnwrap(fixture.shown("Text"))
            XCTAssertNotEqual(gtk_widget_get_sensitive(key), 0)
            fixture.phone.calls.textUse = .never
            handleEvents()
            XCTAssertEqual(gtk_widget_get_sensitive(key), 0)
            let tip = gtk_widget_get_tooltip_text(key)
            defer { g_free(tip) }
            XCTAssertEqual(
                tip.map { String(cString: $0) }, "Real-time text is turned off in Preferences.")
            fixture.phone.calls.textUse = .ask
            handleEvents()
            XCTAssertNotEqual(gtk_widget_get_sensitive(key), 0)
            fixture.clear()
        }
    }

    func testTextOfOtherPartyAppearsAndIsSpokenByWord() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            let line = fixture.talkingLine()
            fixture.talk("5551234", on: line)
            let announced = SpokenTexts(in: fixture.widget)
            let focus = gtk_window_get_focus(fixture.widget.cast())
            line.calls[0].onEvent?(.text(.runs(true)))
            handleEvents()
            XCTAssertNotNil(try? fixture.entry, "text that the other party adds is shown")
            XCTAssertEqual(gtk_window_get_focus(fixture.widget.cast()), focus)
            for part in ["H", "ell", "o wor", "ld\u{8}", "d ", "again\u{2028}", "ne", "w\u{2028}"] {
                line.calls[0].onEvent?(.text(.received(part)))
                handleEvents()
            }
            XCTAssertEqual(
                announced.texts, ["555-1234 can see what you type.", "Hello", "world", "again", "new"])
            XCTAssertEqual(fixture.textLines, ["555-1234: Hello world again", "555-1234: new"])
            fixture.clear()
        }
    }

    func testHostileTextStaysInItsPlace() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            let line = fixture.talkWithText()
            handleEvents()
            let (place, height) = (
                fixture.place(of: "Hang up"), gtk_widget_get_allocated_height(fixture.widget)
            )
            line.calls[0].onEvent?(.text(.received("<b>\u{202E}x\u{2066}&amp;\u{2028}")))
            handleEvents()
            XCTAssertEqual(fixture.textLines, ["555-1234: <b>x\u{2066}&amp;\u{2069}"])
            for _ in 0..<300 {
                line.calls[0].onEvent?(.text(.received(String(repeating: "W", count: 300) + "\u{2028}")))
            }
            handleEvents()
            for _ in 0..<100 {
                line.calls[0].onEvent?(.text(.received(String(repeating: "x", count: 10))))
                handleEvents()
            }
            gtk_test_widget_wait_for_draw(fixture.widget)
            XCTAssertEqual(fixture.textLines.count, 50)
            XCTAssertEqual(fixture.place(of: "Hang up"), place)
            XCTAssertEqual(gtk_widget_get_allocated_height(fixture.widget), height)
            fixture.clear()
        }
    }

    func testRefusalAndEndAreTold() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            let line = fixture.talkingLine()
            fixture.talk("5551234", on: line)
            fixture.tap("Keypad")
            fixture.tap("Text")
            let announced = SpokenTexts(in: fixture.widget)
            line.calls[0].onEvent?(.text(.refused))
            handleEvents()
            XCTAssert(fixture.seen.contains("555-1234 does not take text in this call."))
            XCTAssertEqual(announced.texts, ["555-1234 does not take text in this call."])
            line.calls[0].onEvent?(.text(.runs(true)))
            line.calls[0].onEvent?(.text(.received("secret\u{2028}")))
            line.calls[0].onEvent?(.text(.runs(false)))
            handleEvents()
            XCTAssertEqual(announced.texts.last, "555-1234 can no longer see what you type.")
            XCTAssertEqual(gtk_widget_get_sensitive(try fixture.entry), 0)
            fixture.tap("Hang up")
            handleEvents()
            XCTAssertFalse(
                descendants(of: fixture.widget).contains {
                    cgtk_instance_is_a($0, gtk_label_get_type()) != 0 && $0.text.contains("secret")
                }, "nothing is left of it")
            fixture.clear()
        }
    }

    func testLockedPhoneShowsAndSpeaksNoText() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture.opened("1234")
            let line = fixture.talkWithText()
            line.calls[0].onEvent?(.text(.received("before\u{2028}")))
            handleEvents()
            let spoken = SpokenTexts(in: fixture.widget)
            fixture.lock.lock()
            line.calls[0].onEvent?(.text(.received("secret\u{2028}")))
            handleEvents()
            let texts = descendants(of: fixture.widget).filter {
                cgtk_instance_is_a($0, gtk_label_get_type()) != 0
            }.map(\.text)
            XCTAssertFalse(texts.contains { $0.contains("before") || $0.contains("secret") }, "\(texts)")
            XCTAssertFalse(spoken.texts.contains { $0.contains("secret") }, "\(spoken.texts)")
            fixture.type("1234")
            waitUntil("the phone is open") { !fixture.lock.isLocked }
            handleEvents()
            XCTAssertEqual(fixture.textLines, ["555-1234: before", "555-1234: secret"])
            fixture.clear()
        }
    }

    func testOfferShowsBeforeTheAnswer() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            let line = fixture.talkingLine()
            line.offersText = true
            line.offer("5551234")
            handleEvents()
            XCTAssertEqual(fixture.callPanel, "incoming, with text")
            XCTAssert(fixture.status.contains("TEXT"), fixture.status)
            fixture.phone.calls.decline()
            fixture.talk("5550104", on: line)
            line.offer("5551234")
            handleEvents()
            XCTAssert(fixture.seen.contains("is calling, with text"), "\(fixture.seen)")
            fixture.clear()
        }
    }

    func testTextIsTypedIntoTheCurrentCall() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            let line = fixture.talkWithText()
            fixture.phone.calls.type("one")
            handleEvents()
            XCTAssertEqual(try fixture.typed, "one")
            fixture.phone.calls.flash()
            fixture.talk("5550104", on: line)
            line.calls[1].onEvent?(.text(.runs(true)))
            handleEvents()
            XCTAssertEqual(try fixture.typed, "")
            fixture.phone.calls.flash()
            handleEvents()
            XCTAssertEqual(try fixture.typed, "one")
            XCTAssertEqual(line.calls.map(\.text), ["one", ""])
            fixture.clear()
        }
    }
}

extension PhoneWindowFixture {
    /// Talks on a line, in a call with text.
    fileprivate func talkWithText() -> ScriptedLine {
        let line = talkingLine()
        talk("5551234", on: line)
        line.calls[0].onEvent?(.text(.runs(true)))
        return line
    }

    /// The visible field for the user's text.
    fileprivate var entry: Widget {
        get throws {
            try XCTUnwrap(
                descendants(of: widget).first {
                    cgtk_instance_is_a($0, gtk_entry_get_type()) != 0 && gtk_widget_get_mapped($0) != 0
                        && Self.name(of: $0) == "Your text"
                })
        }
    }

    fileprivate var typed: String {
        get throws { String(cString: gtk_entry_get_text(try entry.cast())) }
    }

    /// The visible lines of the text as assistive tools read them.
    fileprivate var textLines: [String] {
        descendants(of: widget).filter {
            cgtk_instance_is_a($0, gtk_label_get_type()) != 0 && gtk_widget_get_mapped($0) != 0
                && gtk_style_context_has_class(gtk_widget_get_style_context($0), "text-line") != 0
        }.map(Self.name)
    }

    private static func name(of widget: Widget) -> String {
        atk_object_get_name(gtk_widget_get_accessible(widget)).map { String(cString: $0) } ?? ""
    }
}
