// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import GtkTestSupport
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of the window during a call, by pointer and keyboard.
final class CallWindowTests: GtkTestCase {
    private static let digits = ["1", "5", "9", "star", "0", "pound"]

    func testCallReplacesOtherKeysWithoutMovingAny() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            let line = fixture.talkingLine()
            let places = Self.digits.map(fixture.place)
            let (soft, left) = (fixture.place(of: "Redial"), fixture.place(of: "Delete"))
            XCTAssertNil(fixture.callPanel)
            fixture.phone.paste("5551234")
            fixture.tap("Dial")
            XCTAssertEqual(fixture.callPanel, "dialling")
            line.calls[0].onEvent?(.ringing)
            XCTAssertEqual(fixture.callPanel, "ringing")
            line.calls[0].onEvent?(.answered)
            XCTAssertEqual(fixture.callPanel, "connected, 0:00")
            handleEvents()
            XCTAssertEqual(fixture.place(of: "Flash"), soft)
            XCTAssertEqual(fixture.place(of: "Keypad"), left)
            XCTAssertEqual(Self.digits.map(fixture.place), places)
            for name in ["Redial", "Memory", "Messages", "Lock", "Delete", "Dial"] {
                XCTAssertNil(fixture.shown(name), name)
            }
            fixture.tap("Hang up")
            XCTAssertNil(fixture.callPanel)
            XCTAssertNotNil(fixture.shown("Redial"))
            XCTAssertNotNil(fixture.shown("Delete"))
            XCTAssertNil(fixture.shown("Mute"))
            fixture.clear()
        }
    }

    func testFailedNumberShowsReasonAndKeepsSoftKeys() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            let line = fixture.talkingLine()
            fixture.phone.paste("5551234")
            fixture.phone.dial()
            line.calls[0].onEvent?(.ended(.busy))
            handleEvents()
            XCTAssertEqual(fixture.callPanel, "busy")
            XCTAssertNotNil(fixture.shown("Redial"))
            XCTAssertNotNil(fixture.shown("Delete"))
            XCTAssertNotNil(fixture.shown("Hang up"))
            fixture.clear()
        }
    }

    func testKeysAreLitByCallState() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            let line = fixture.talkingLine()
            fixture.phone.paste("5551234")
            fixture.phone.dial()
            handleEvents()
            XCTAssertNil(fixture.isLit("Hold"), "nobody has answered")
            line.calls[0].onEvent?(.answered)
            XCTAssertEqual(fixture.isLit("Keypad"), true)
            fixture.tap("Mute")
            XCTAssertEqual(fixture.isLit("Mute"), true)
            XCTAssert(line.calls[0].isMuted)
            fixture.act("mute")
            XCTAssertEqual(fixture.isLit("Mute"), false)
            fixture.tap("Hold")
            XCTAssertEqual(fixture.isLit("Hold"), true)
            XCTAssertEqual(fixture.callPanel, "held")
            fixture.tap("Hold")
            XCTAssertEqual(fixture.isLit("Hold"), false)
            fixture.phone.hangUp()
            line.refusesHold = true
            fixture.talk("5551234", on: line)
            fixture.tap("Hold")
            XCTAssertNil(fixture.isLit("Hold"), "it cannot be held, and is not lit")
            XCTAssertEqual(gtk_toggle_button_get_active(try XCTUnwrap(fixture.shown("Hold")).cast()), 0)
            fixture.clear()
        }
    }

    func testCallCardReplacesDigitsAndKeysAreSent() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            let line = fixture.talkingLine()
            fixture.talk("5551234", on: line)
            let (bottom, digits) = (fixture.place(of: "Hang up"), fixture.place(of: "5"))
            fixture.tap("Keypad")
            gtk_test_widget_wait_for_draw(fixture.widget)
            XCTAssertNil(fixture.shown("5"))
            XCTAssertEqual(fixture.isLit("Keypad"), false)
            XCTAssertEqual(fixture.place(of: "Hang up"), bottom)
            fixture.type("12")
            fixture.tap("Mute")
            XCTAssert(fixture.seen.contains("555-1234"))
            XCTAssert(fixture.seen.contains("12"))
            XCTAssert(fixture.seen.contains { $0.hasPrefix("Connected, 0:0") && $0.hasSuffix(", muted") })
            XCTAssertEqual(line.calls[0].keys, "12")
            fixture.act("keypad")
            gtk_test_widget_wait_for_draw(fixture.widget)
            XCTAssertEqual(fixture.place(of: "5"), digits)
            fixture.act("keypad")
            fixture.tap("Hang up")
            XCTAssertNotNil(fixture.shown("5"), "the next call begins with the keypad")
            fixture.clear()
        }
    }

    func testFlashJoinsAndSeparatesSecondNumber() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            let line = fixture.talkingLine()
            fixture.talk("5551234", on: line)
            let places = Self.digits.map(fixture.place)
            fixture.tap("Flash")
            XCTAssertNotNil(fixture.shown("Dial"))
            XCTAssertNotNil(fixture.shown("Delete"))
            XCTAssert(fixture.seen.contains("555-1234"), "who waits is still to be seen")
            fixture.phone.clear()
            fixture.type("5550100")
            XCTAssertEqual(fixture.display, "555-0100")
            fixture.tap("Dial")
            line.calls[1].onEvent?(.answered)
            handleEvents()
            XCTAssertEqual(Self.digits.map(fixture.place), places)
            fixture.tap("Join")
            XCTAssert(fixture.callPanel?.hasPrefix("joined, 0:0") == true)
            fixture.type("7")
            XCTAssertEqual(line.calls.map(\.keys), ["7", "7"])
            fixture.act("flash")
            XCTAssertEqual(fixture.phone.calls.calls.map(\.state), [.connected, .held])
            fixture.tap("Swap")
            XCTAssertEqual(fixture.phone.calls.calls.map(\.state), [.held, .connected])
            fixture.tap("End the call with 555-1234")
            XCTAssertEqual(fixture.phone.calls.calls.map(\.remote.number.text), ["5550100"])
            fixture.tap("Flash")
            fixture.talk("5550101", on: line)
            fixture.tap("Transfer")
            XCTAssertEqual(fixture.phone.calls.calls, [])
            XCTAssertEqual(fixture.status, "TRANSFERRED")
            fixture.clear()
        }
    }

    /// Two keys of one colour side by side would be taken for one another.
    func testDeleteIsNotRedBesideHangUp() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            let line = fixture.talkingLine()
            let isPlain = {
                fixture.shown("Delete").map {
                    gtk_style_context_has_class(gtk_widget_get_style_context($0), "plain") != 0
                }
            }
            XCTAssertEqual(isPlain(), false)
            fixture.phone.paste("5550100")
            fixture.tap("Dial")
            line.calls[0].onEvent?(.ended(.busy))
            handleEvents()
            XCTAssertNotNil(fixture.shown("Hang up"))
            XCTAssertEqual(isPlain(), true)
            fixture.tap("Hang up")
            XCTAssertEqual(isPlain(), false)
            fixture.clear()
        }
    }

    func testOneHeldCallsVoicemail() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            let line = fixture.talkingLine()
            fixture.press(try XCTUnwrap(fixture.find("1")))
            waitUntil("the phone says that there is none") { fixture.status == "NO VOICEMAIL" }
            XCTAssertEqual(fixture.caption, "SEE PREFERENCES")
            fixture.release()
            line.voicemail = Voicemail(
                newMessages: 3, callee: RemoteParty(DialledNumber("*98") ?? DialledNumber()))
            fixture.phone.lineStateChanged()
            fixture.phone.clear()
            XCTAssertEqual(fixture.status, "VM 3")
            let announced = SpokenTexts(in: fixture.widget)
            for count in [4, 4, 2, nil, 0] {
                line.voicemail = Voicemail(newMessages: count, callee: line.voicemail.callee)
                fixture.phone.lineStateChanged()
                handleEvents()
            }
            XCTAssertEqual(announced.texts, ["4 new voicemail messages", "New voicemail messages"])
            fixture.key(gint(UnicodeScalar("1").value), down: true)
            waitUntil("it is called") { line.calls.last?.remote.number.text == "*98" }
            fixture.key(gint(UnicodeScalar("1").value), down: false)
            XCTAssertEqual(fixture.display, "*98")
            XCTAssertEqual(line.calls[0].keys, "")
            fixture.clear()
        }
    }

    func testHeldCallResumesIfSecondIsBusy() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            let line = fixture.talkingLine()
            fixture.talk("5551234", on: line)
            fixture.tap("Flash")
            fixture.phone.paste("5550100")
            fixture.phone.dial()
            line.calls[1].onEvent?(.ended(.busy))
            handleEvents()
            XCTAssertEqual(fixture.callPanel, "busy")
            XCTAssertNotNil(fixture.shown("Delete"), "another number can be typed")
            XCTAssert(fixture.seen.contains("555-1234"))
            fixture.tap("Swap")
            XCTAssert(fixture.callPanel?.hasPrefix("connected") == true)
            XCTAssertEqual(fixture.display, "555-1234")
            fixture.clear()
        }
    }

    func testWaitingCallIsAnsweredOrDeclinedBelowKeys() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            let line = fixture.talkingLine()
            fixture.talk("5551234", on: line)
            let places = (Self.digits + ["Hang up", "Keypad", "Flash"]).map(fixture.place)
            line.offer("5550104")
            handleEvents()
            XCTAssert(fixture.seen.contains("555-0104"))
            XCTAssertEqual((Self.digits + ["Hang up", "Keypad", "Flash"]).map(fixture.place), places)
            fixture.tap("Decline")
            XCTAssertEqual(fixture.phone.calls.calls.map(\.state), [.connected])
            line.offer("5550104")
            handleEvents()
            fixture.tap("Answer")
            XCTAssertEqual(fixture.phone.calls.calls.map(\.state), [.held, .connected])
            XCTAssertEqual(fixture.display, "555-0104")
            fixture.clear()
        }
    }

    func testLongNameMovesNoKeyAndNothingIsMirrored() throws {
        try onMainActor {
            gtk_widget_set_default_direction(GTK_TEXT_DIR_RTL)
            defer { gtk_widget_set_default_direction(GTK_TEXT_DIR_LTR) }
            let fixture = try PhoneWindowFixture()
            let line = fixture.talkingLine()
            let long = String(repeating: "8", count: DialledNumber.capacity)
            fixture.talk(long, on: line)
            let keys = Self.digits + ["Flash", "Speaker", "Keypad", "Hang up"]
            let places = keys.map(fixture.place)
            line.offer(long)
            handleEvents()
            XCTAssertEqual(keys.map(fixture.place), places)
            for (left, right) in [("Flash", "Speaker"), ("Keypad", "Hang up"), ("Decline", "Answer")] {
                XCTAssertLessThan(fixture.place(of: left)[0], fixture.place(of: right)[0], left)
            }
            fixture.phone.calls.decline()
            fixture.act("keypad")
            handleEvents()
            XCTAssertEqual(keys.suffix(4).map(fixture.place), Array(places.suffix(4)))
            fixture.clear()
        }
    }

    func testBottomRowAnswersOrDeclinesIncomingCall() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            let line = fixture.talkingLine()
            line.offer("5550104")
            handleEvents()
            XCTAssertEqual(fixture.callPanel, "incoming")
            XCTAssertEqual(fixture.display, "555-0104")
            XCTAssertNotNil(fixture.shown("Redial"), "there is nothing yet that could be muted")
            fixture.tap("Decline")
            XCTAssertNil(fixture.callPanel)
            line.offer("5550104")
            handleEvents()
            fixture.tap("Answer")
            XCTAssertEqual(fixture.callPanel, "connected, 0:00")
            fixture.clear()
        }
    }

    func testTypedNumberWaitsForEndOfIncomingCall() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            let line = fixture.talkingLine()
            fixture.type("555")
            line.offer("5550104")
            fixture.type("12")
            fixture.type(GDK_KEY_BackSpace)
            XCTAssertEqual(fixture.display, "555-0104")
            XCTAssertNotNil(fixture.phone.calls.incoming, "BackSpace declines nobody")
            line.calls[0].onEvent?(.ended(.farEnd))
            XCTAssertEqual(fixture.display, "555", "what nobody could see was not typed")
            fixture.clear()
        }
    }

    func testTypingMessageContinuesWhenCallIsAnswered() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            let line = fixture.talkingLine()
            fixture.window.panel.showConversation(with: .operatorAddress)
            let field = try XCTUnwrap(
                descendants(of: fixture.widget).first {
                    cgtk_instance_is_a($0, gtk_text_view_get_type()) != 0
                })
            gtk_widget_grab_focus(field)
            fixture.type("hello ")
            line.offer("5550104")
            fixture.type("12")
            fixture.phone.calls.answer()
            fixture.type("3 b")
            line.calls[0].onEvent?(.ended(.farEnd))
            fixture.type("ye")
            let window = fixture.window.window
            XCTAssertEqual(gtk_window_get_focus(window), field)
            XCTAssertEqual(text(of: field), "hello 123 bye")
            XCTAssertEqual(line.calls[0].keys, "")
            XCTAssertEqual(fixture.phone.number.text, "")
            fixture.clear()
        }
    }

    func testRemovedKeyReturnsFocusToDisplay() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            let line = fixture.talkingLine()
            gtk_widget_grab_focus(try XCTUnwrap(fixture.shown("Delete")))
            fixture.talk("5551234", on: line)
            XCTAssertEqual(gtk_window_get_focus(fixture.window.window), fixture.window.display.widget)
            gtk_widget_grab_focus(try XCTUnwrap(fixture.shown("Mute")))
            fixture.phone.hangUp()
            handleEvents()
            XCTAssertEqual(gtk_window_get_focus(fixture.window.window), fixture.window.display.widget)
            fixture.clear()
        }
    }

    func testRestOfNumberIsConfirmedAndSent() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            let line = fixture.talkingLine()
            fixture.talk("5551234;9", on: line)
            XCTAssertEqual(fixture.status, "SEND: 9")
            XCTAssertNil(fixture.shown("Keypad"))
            fixture.tap("Send")
            waitUntil("the key is sent") { line.calls[0].keys == "9" }
            XCTAssertNotNil(fixture.shown("Keypad"))
            fixture.phone.hangUp()
            fixture.talk("5551234;8", on: line)
            fixture.act("take")
            waitUntil("the key is sent") { line.calls[1].keys == "8" }
            fixture.clear()
        }
    }

    func testCallsShowContactNames() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            let line = fixture.talkingLine()
            let words = CallStrings(number: fixture.phone.text) {
                $0.number.text == "5551234" ? "Grace Hopper" : nil
            }
            fixture.talk("5551234", on: line)
            line.offer("5551234")
            let strip = try XCTUnwrap(CallStrip.Shown(fixture.phone.calls, words))
            XCTAssertEqual(strip.who, "Grace Hopper")
            let card = try CallCard(
                resources: Resources(folder: "\(Checkout.folder)/data"), calls: fixture.phone.calls)
            card.show(try XCTUnwrap(fixture.phone.calls.current), words)
            let texts = descendants(of: card.widget).filter {
                cgtk_instance_is_a($0, gtk_label_get_type()) != 0
            }.map(\.text)
            XCTAssertEqual(Array(texts.prefix(3)), ["G", "Grace Hopper", "555-1234"])
            fixture.clear()
        }
    }

    func testCardShowsNameAndAddressFromCall() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            let line = fixture.talkingLine()
            let words = CallStrings(number: fixture.phone.text) { _ in nil }
            let card = try CallCard(
                resources: Resources(folder: "\(Checkout.folder)/data"), calls: fixture.phone.calls)
            line.offer("", address: "sip:ada@example.org", displayName: "Ada\u{202E}")
            fixture.tap("Answer")
            card.show(try XCTUnwrap(fixture.phone.calls.current), words)
            let texts = descendants(of: card.widget).filter {
                cgtk_instance_is_a($0, gtk_label_get_type()) != 0
            }.map(\.text)
            XCTAssertEqual(Array(texts.prefix(3)), ["A", "Ada", "sip:ada@example.org"])
            fixture.clear()
        }
    }

    func testCardShowsContactPicture() throws {
        try onMainActor {
            let people = People([
                NewContact(
                    ContactCard(name: "Grace", methods: [ContactMethod(.number, "555-1234")]),
                    photo: png(width: 40, height: 30)),
                NewContact(ContactCard(name: "Ada", methods: [ContactMethod(.number, "555-5678")])),
            ])
            let fixture = try PhoneWindowFixture()
            let line = fixture.talkingLine()
            let words = CallStrings(number: fixture.phone.text) { people.book.name(for: $0) }
            let card = try CallCard(
                resources: Resources(folder: "\(Checkout.folder)/data"), calls: fixture.phone.calls,
                contacts: people.book)
            let avatar = try XCTUnwrap(
                descendants(of: card.widget).first {
                    cgtk_instance_is_a($0, gtk_drawing_area_get_type()) != 0
                })
            fixture.talk("5551234", on: line)
            let call = try XCTUnwrap(fixture.phone.calls.current)
            card.show(call, words)
            waitUntil("the picture is read") { avatar.isVisible }
            line.offer("5555678")
            card.show(try XCTUnwrap(fixture.phone.calls.incoming), words)
            XCTAssertFalse(avatar.isVisible, "Ada has none")
            card.show(call, words)
            XCTAssert(avatar.isVisible)
            fixture.clear()
        }
    }
}

@MainActor
private func text(of field: Widget) -> String {
    let buffer = gtk_text_view_get_buffer(field.cast())
    var (begin, end) = (GtkTextIter(), GtkTextIter())
    gtk_text_buffer_get_bounds(buffer, &begin, &end)
    guard let text = gtk_text_buffer_get_text(buffer, &begin, &end, 0) else { return "" }
    defer { g_free(text) }
    return String(cString: text)
}
