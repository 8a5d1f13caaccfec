// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import GtkTestSupport
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// The window in a call, by pointer and keyboard.
final class CallWindowTests: GtkTestCase {
    private static let digits = ["1", "5", "9", "star", "0", "pound"]

    func testACallTakesThePlacesOfOtherKeysAndMovesNone() throws {
        try onMainActor {
            let desk = try Desk()
            let line = desk.talkingLine()
            let places = Self.digits.map(desk.place)
            let (soft, left) = (desk.place(of: "Redial"), desk.place(of: "Delete"))
            XCTAssertNil(desk.callPanel)
            desk.phone.paste("5551234")
            desk.tap("Dial")
            XCTAssertEqual(desk.callPanel, "dialling")
            line.calls[0].onEvent?(.ringing)
            XCTAssertEqual(desk.callPanel, "ringing")
            line.calls[0].onEvent?(.answered)
            XCTAssertEqual(desk.callPanel, "connected, 0:00")
            handleEvents()
            XCTAssertEqual(desk.place(of: "Flash"), soft)
            XCTAssertEqual(desk.place(of: "Keypad"), left)
            XCTAssertEqual(Self.digits.map(desk.place), places)
            for name in ["Redial", "Memory", "Messages", "Lock", "Delete", "Dial"] {
                XCTAssertNil(desk.shown(name), name)
            }
            desk.tap("Hang up")
            XCTAssertNil(desk.callPanel)
            XCTAssertNotNil(desk.shown("Redial"))
            XCTAssertNotNil(desk.shown("Delete"))
            XCTAssertNil(desk.shown("Mute"))
            desk.clear()
        }
    }

    func testANumberThatIsNotReachedSaysWhyAndLeavesTheSoftKeys() throws {
        try onMainActor {
            let desk = try Desk()
            let line = desk.talkingLine()
            desk.phone.paste("5551234")
            desk.phone.dial()
            line.calls[0].onEvent?(.ended(.busy))
            handleEvents()
            XCTAssertEqual(desk.callPanel, "busy")
            XCTAssertNotNil(desk.shown("Redial"))
            XCTAssertNotNil(desk.shown("Delete"))
            XCTAssertNotNil(desk.shown("Hang up"))
            desk.clear()
        }
    }

    func testKeysAreLitByWhatTheCallIsAt() throws {
        try onMainActor {
            let desk = try Desk()
            let line = desk.talkingLine()
            desk.phone.paste("5551234")
            desk.phone.dial()
            handleEvents()
            XCTAssertNil(desk.isLit("Hold"), "nobody has answered")
            line.calls[0].onEvent?(.answered)
            XCTAssertEqual(desk.isLit("Keypad"), true)
            desk.tap("Mute")
            XCTAssertEqual(desk.isLit("Mute"), true)
            XCTAssert(line.calls[0].isMuted)
            desk.act("mute")
            XCTAssertEqual(desk.isLit("Mute"), false)
            desk.tap("Hold")
            XCTAssertEqual(desk.isLit("Hold"), true)
            XCTAssertEqual(desk.callPanel, "held")
            desk.tap("Hold")
            XCTAssertEqual(desk.isLit("Hold"), false)
            desk.phone.hangUp()
            line.refusesHold = true
            desk.talk("5551234", on: line)
            desk.tap("Hold")
            XCTAssertNil(desk.isLit("Hold"), "it cannot be held, and is not lit")
            XCTAssertEqual(gtk_toggle_button_get_active(try XCTUnwrap(desk.shown("Hold")).cast()), 0)
            desk.clear()
        }
    }

    func testTheCardHasThePlaceOfTheDigitsAndKeysGoOutAsEver() throws {
        try onMainActor {
            let desk = try Desk()
            let line = desk.talkingLine()
            desk.talk("5551234", on: line)
            let (bottom, digits) = (desk.place(of: "Hang up"), desk.place(of: "5"))
            desk.tap("Keypad")
            gtk_test_widget_wait_for_draw(desk.widget)
            XCTAssertNil(desk.shown("5"))
            XCTAssertEqual(desk.isLit("Keypad"), false)
            XCTAssertEqual(desk.place(of: "Hang up"), bottom)
            desk.type("12")
            desk.tap("Mute")
            XCTAssert(desk.seen.contains("555-1234"))
            XCTAssert(desk.seen.contains("12"))
            XCTAssert(desk.seen.contains { $0.hasPrefix("Connected, 0:0") && $0.hasSuffix(", muted") })
            XCTAssertEqual(line.calls[0].keys, "12")
            desk.act("keypad")
            gtk_test_widget_wait_for_draw(desk.widget)
            XCTAssertEqual(desk.place(of: "5"), digits)
            desk.act("keypad")
            desk.tap("Hang up")
            XCTAssertNotNil(desk.shown("5"), "the next call begins with the keypad")
            desk.clear()
        }
    }

    func testFlashAsksForASecondNumberWhichIsJoinedAndTakenApart() throws {
        try onMainActor {
            let desk = try Desk()
            let line = desk.talkingLine()
            desk.talk("5551234", on: line)
            let places = Self.digits.map(desk.place)
            desk.tap("Flash")
            XCTAssertNotNil(desk.shown("Dial"))
            XCTAssertNotNil(desk.shown("Delete"))
            XCTAssert(desk.seen.contains("555-1234"), "who waits is still to be seen")
            desk.phone.clear()
            desk.type("5550100")
            XCTAssertEqual(desk.display, "555-0100")
            desk.tap("Dial")
            line.calls[1].onEvent?(.answered)
            handleEvents()
            XCTAssertEqual(Self.digits.map(desk.place), places)
            desk.tap("Join")
            XCTAssert(desk.callPanel?.hasPrefix("joined, 0:0") == true)
            desk.type("7")
            XCTAssertEqual(line.calls.map(\.keys), ["7", "7"])
            desk.act("flash")
            XCTAssertEqual(desk.phone.calls.calls.map(\.phase), [.connected, .held])
            desk.tap("Swap")
            XCTAssertEqual(desk.phone.calls.calls.map(\.phase), [.held, .connected])
            desk.tap("End the other call")
            XCTAssertEqual(desk.phone.calls.calls.map(\.remote.number.text), ["5550100"])
            desk.tap("Flash")
            desk.talk("5550101", on: line)
            desk.tap("Transfer")
            XCTAssertEqual(desk.phone.calls.calls, [])
            XCTAssertEqual(desk.status, "TRANSFERRED")
            desk.clear()
        }
    }

    func testOneThatWaitsIsGoneBackToWhereTheSecondIsBusy() throws {
        try onMainActor {
            let desk = try Desk()
            let line = desk.talkingLine()
            desk.talk("5551234", on: line)
            desk.tap("Flash")
            desk.phone.paste("5550100")
            desk.phone.dial()
            line.calls[1].onEvent?(.ended(.busy))
            handleEvents()
            XCTAssertEqual(desk.callPanel, "busy")
            XCTAssertNotNil(desk.shown("Delete"), "another number can be typed")
            XCTAssert(desk.seen.contains("555-1234"))
            desk.tap("Swap")
            XCTAssert(desk.callPanel?.hasPrefix("connected") == true)
            XCTAssertEqual(desk.display, "555-1234")
            desk.clear()
        }
    }

    func testWhoCallsMeanwhileIsTakenOrDeclinedBelowTheKeysWhichStay() throws {
        try onMainActor {
            let desk = try Desk()
            let line = desk.talkingLine()
            desk.talk("5551234", on: line)
            let places = (Self.digits + ["Hang up", "Keypad", "Flash"]).map(desk.place)
            line.offer("5550104")
            handleEvents()
            XCTAssert(desk.seen.contains("555-0104"))
            XCTAssertEqual((Self.digits + ["Hang up", "Keypad", "Flash"]).map(desk.place), places)
            desk.tap("Decline")
            XCTAssertEqual(desk.phone.calls.calls.map(\.phase), [.connected])
            line.offer("5550104")
            handleEvents()
            desk.tap("Answer")
            XCTAssertEqual(desk.phone.calls.calls.map(\.phase), [.held, .connected])
            XCTAssertEqual(desk.display, "555-0104")
            desk.clear()
        }
    }

    func testNoLengthOfANameMovesAKeyAndNothingIsMirrored() throws {
        try onMainActor {
            gtk_widget_set_default_direction(GTK_TEXT_DIR_RTL)
            defer { gtk_widget_set_default_direction(GTK_TEXT_DIR_LTR) }
            let desk = try Desk()
            let line = desk.talkingLine()
            let long = String(repeating: "8", count: DialledNumber.capacity)
            desk.talk(long, on: line)
            let keys = Self.digits + ["Flash", "Speaker", "Keypad", "Hang up"]
            let places = keys.map(desk.place)
            line.offer(long)
            handleEvents()
            XCTAssertEqual(keys.map(desk.place), places)
            for (left, right) in [("Flash", "Speaker"), ("Keypad", "Hang up"), ("Decline", "Answer")] {
                XCTAssertLessThan(desk.place(of: left)[0], desk.place(of: right)[0], left)
            }
            desk.phone.calls.decline()
            desk.act("keypad")
            handleEvents()
            XCTAssertEqual(keys.suffix(4).map(desk.place), Array(places.suffix(4)))
            desk.clear()
        }
    }

    func testAnIncomingCallIsAnsweredOrDeclinedInTheBottomRow() throws {
        try onMainActor {
            let desk = try Desk()
            let line = desk.talkingLine()
            line.offer("5550104")
            handleEvents()
            XCTAssertEqual(desk.callPanel, "incoming")
            XCTAssertEqual(desk.display, "555-0104")
            XCTAssertNotNil(desk.shown("Redial"), "there is nothing yet that could be muted")
            desk.tap("Decline")
            XCTAssertNil(desk.callPanel)
            line.offer("5550104")
            handleEvents()
            desk.tap("Answer")
            XCTAssertEqual(desk.callPanel, "connected, 0:00")
            desk.clear()
        }
    }

    func testWhoTypesANumberGoesOnTypingWhileSomebodyCalls() throws {
        try onMainActor {
            let desk = try Desk()
            let line = desk.talkingLine()
            desk.type("555")
            line.offer("5550104")
            desk.type("12")
            desk.type(GDK_KEY_BackSpace)
            XCTAssertEqual(desk.display, "555-1")
            XCTAssertNotNil(desk.phone.calls.incoming, "BackSpace deletes, and declines nobody")
            desk.clear()
        }
    }

    func testWhoWritesAMessageGoesOnWritingWhileSomebodyCallsAndIsAnswered() throws {
        try onMainActor {
            let desk = try Desk()
            let line = desk.talkingLine()
            desk.window.panel.showConversation(with: .exchange)
            let field = try XCTUnwrap(
                descendants(of: desk.widget).first { cgtk_instance_is_a($0, gtk_text_view_get_type()) != 0 })
            gtk_widget_grab_focus(field)
            desk.type("hello ")
            line.offer("5550104")
            desk.type("12")
            desk.phone.calls.answer()
            desk.type("3 b")
            line.calls[0].onEvent?(.ended(.farEnd))
            desk.type("ye")
            let window = desk.window.window
            XCTAssertEqual(gtk_window_get_focus(window), field)
            XCTAssertEqual(text(of: field), "hello 123 bye")
            XCTAssertEqual(line.calls[0].keys, "")
            XCTAssertEqual(desk.phone.number.text, "")
            desk.clear()
        }
    }

    func testAKeyThatGoesAwayGivesTheFocusToTheDisplay() throws {
        try onMainActor {
            let desk = try Desk()
            let line = desk.talkingLine()
            gtk_widget_grab_focus(try XCTUnwrap(desk.shown("Delete")))
            desk.talk("5551234", on: line)
            XCTAssertEqual(gtk_window_get_focus(desk.window.window), desk.window.display.widget)
            gtk_widget_grab_focus(try XCTUnwrap(desk.shown("Mute")))
            desk.phone.hangUp()
            handleEvents()
            XCTAssertEqual(gtk_window_get_focus(desk.window.window), desk.window.display.widget)
            desk.clear()
        }
    }

    func testTheRestOfTheNumberIsAskedForAndSent() throws {
        try onMainActor {
            let desk = try Desk()
            let line = desk.talkingLine()
            desk.talk("5551234;9", on: line)
            XCTAssertEqual(desk.status, "SEND 9 ?")
            XCTAssertNil(desk.shown("Keypad"))
            desk.tap("Send")
            waitUntil("the key is sent") { line.calls[0].keys == "9" }
            XCTAssertNotNil(desk.shown("Keypad"))
            desk.phone.hangUp()
            desk.talk("5551234;8", on: line)
            desk.act("take")
            waitUntil("the key is sent") { line.calls[1].keys == "8" }
            desk.clear()
        }
    }

    func testPeopleAreCalledByTheirNames() throws {
        try onMainActor {
            let desk = try Desk()
            let line = desk.talkingLine()
            let words = CallWords(number: desk.phone.text) {
                $0.number.text == "5551234" ? "Grace Hopper" : nil
            }
            desk.talk("5551234", on: line)
            line.offer("5551234")
            let strip = try XCTUnwrap(CallStrip.Shown(desk.phone.calls, words))
            XCTAssertEqual(strip.who, "Grace Hopper")
            let card = try CallCard(resources: Resources(folder: "\(Checkout.folder)/data"))
            card.show(try XCTUnwrap(desk.phone.calls.current), desk.phone.calls, words)
            let texts = descendants(of: card.widget).filter {
                cgtk_instance_is_a($0, gtk_label_get_type()) != 0
            }.map(\.text)
            XCTAssertEqual(Array(texts.prefix(3)), ["G", "Grace Hopper", "555-1234"])
            desk.clear()
        }
    }

    func testTheCardHasTheNameAndTheAddressThatComeWithACall() throws {
        try onMainActor {
            let desk = try Desk()
            let line = desk.talkingLine()
            let words = CallWords(number: desk.phone.text) { _ in nil }
            let card = try CallCard(resources: Resources(folder: "\(Checkout.folder)/data"))
            line.offer("", address: "sip:ada@example.org", displayName: "Ada\u{202E}")
            desk.tap("Answer")
            card.show(try XCTUnwrap(desk.phone.calls.current), desk.phone.calls, words)
            let texts = descendants(of: card.widget).filter {
                cgtk_instance_is_a($0, gtk_label_get_type()) != 0
            }.map(\.text)
            XCTAssertEqual(Array(texts.prefix(3)), ["A", "Ada", "sip:ada@example.org"])
            desk.clear()
        }
    }

    func testTheCardHasThePictureOfWhoIsKnown() throws {
        try onMainActor {
            let people = People([
                NewContact(
                    ContactCard(name: "Grace", ways: [ContactWay(.number, "555-1234")]),
                    photo: png(width: 40, height: 30)),
                NewContact(ContactCard(name: "Ada", ways: [ContactWay(.number, "555-5678")])),
            ])
            let desk = try Desk()
            let line = desk.talkingLine()
            let words = CallWords(number: desk.phone.text) { people.book.name(for: $0) }
            let card = try CallCard(
                resources: Resources(folder: "\(Checkout.folder)/data"), contacts: people.book)
            let avatar = try XCTUnwrap(
                descendants(of: card.widget).first {
                    cgtk_instance_is_a($0, gtk_drawing_area_get_type()) != 0
                })
            desk.talk("5551234", on: line)
            let call = try XCTUnwrap(desk.phone.calls.current)
            card.show(call, desk.phone.calls, words)
            waitUntil("the picture is read") { avatar.isVisible }
            line.offer("5555678")
            card.show(try XCTUnwrap(desk.phone.calls.incoming), desk.phone.calls, words)
            XCTAssertFalse(avatar.isVisible, "Ada has none")
            card.show(call, desk.phone.calls, words)
            XCTAssert(avatar.isVisible)
            desk.clear()
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
