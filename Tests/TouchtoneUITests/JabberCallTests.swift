// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of the ways to call a buddy from the panel.
final class JabberCallTests: GtkTestCase {
    private static let grace = MessagePanelFixture.grace
    private static let conversation = ConversationID(grace, of: ChatAddress("me@example.org"))

    @MainActor
    private static func fixture(width: gint = 1200, _ people: People? = nil) throws -> (
        PhoneWindowFixture, ScriptedLine, FakeChatService
    ) {
        let service = FakeChatService()
        let fixture = try PhoneWindowFixture(
            width: width, directory: people?.directory, account: service)
        fixture.chat.numbers.contacts = people?.book
        let line = ScriptedLine(id: "jabber")
        line.features = [.conversation, .hold, .join, .quality]
        line.address = "xmpp:me@example.org"
        line.callsNumbers = false
        fixture.lines.add(line)
        let messages = fixture.window.panel.messages
        fixture.phone.jabber = JabberLines(fixture.lines, messages.messenger)
        service.tell(
            .buddies([BuddyRecord(grace, name: "Grace", tellsMe: true, toldByMe: true)], version: nil))
        waitUntil("she is listed") { messages.messenger.buddies.row(of: Self.conversation) != nil }
        return (fixture, line, service)
    }

    func testHeaderCallsBuddy() throws {
        try onMainActor {
            let (fixture, line, _) = try Self.fixture()
            fixture.window.panel.show(Self.conversation)
            waitUntil("she can be called") { fixture.button("Call").map(fixture.isShown) == true }
            XCTAssertEqual(fixture.description(of: fixture.button("Call")), "Call Grace")
            line.state = .unavailable(reason: "You are offline.")
            let key = try XCTUnwrap(fixture.button("Call"))
            waitUntil("she cannot") { gtk_widget_get_sensitive(key) == 0 }
            XCTAssertEqual(fixture.description(of: key), "You are offline.")
            line.state = .available
            waitUntil("she can again") { gtk_widget_get_sensitive(key) != 0 }
            fixture.click(key)
            waitUntil("she is called") { !line.calls.isEmpty }
            XCTAssertEqual(line.calls.map(\.remote.address), ["xmpp:grace@example.org"])
            XCTAssertEqual(fixture.line.numbers, [])
            fixture.phone.calls.hangUpAll()
            fixture.lines.remove("jabber")
            waitUntil("no line calls her") { !fixture.isShown(key) }
            fixture.clear()
        }
    }

    /// The tone of a refused call makes way; during another call, the display says why nothing is called.
    func testCallKeyFollowsRefusedCallAndSaysWhenLinesAreInUse() throws {
        try onMainActor {
            let (fixture, line, _) = try Self.fixture()
            fixture.window.panel.show(Self.conversation)
            waitUntil("she can be called") { fixture.button("Call").map(fixture.isShown) == true }
            let key = try XCTUnwrap(fixture.button("Call"))
            fixture.click(key)
            waitUntil("she is called") { line.calls.count == 1 }
            line.calls[0].onEvent?(.ended(.busy))
            handleEvents()
            XCTAssertEqual(fixture.status, "BUSY")
            fixture.click(key)
            waitUntil("she is called again") { line.calls.count == 2 }
            line.calls[1].onEvent?(.answered)
            handleEvents()
            fixture.click(key)
            waitUntil("the display says why not") { fixture.status == "LINES IN USE" }
            XCTAssertEqual(line.calls.count, 2)
            fixture.clear()
        }
    }

    /// The key is there, and says why it does nothing.
    func testCallOverJabberIsNotTransferred() throws {
        try onMainActor {
            let (fixture, line, _) = try Self.fixture()
            let other = fixture.talkingLine()
            fixture.window.panel.call(.address(.jabber(Self.grace)))
            line.calls[0].onEvent?(.answered)
            handleEvents()
            XCTAssertEqual(
                fixture.description(of: fixture.shown("Flash")),
                "Put the call on hold, to call another number (Ctrl+S)")
            fixture.act("transfer")
            XCTAssertEqual(fixture.phone.calls.calls.map(\.state), [.connected], "a shortcut does nothing")
            fixture.tap("Flash")
            let key = try XCTUnwrap(fixture.shown("Transfer"))
            XCTAssertEqual(gtk_widget_get_sensitive(key), 0)
            XCTAssertEqual(fixture.description(of: key), "Calls on this line can’t be transferred.")
            fixture.phone.paste("5550100")
            fixture.tap("Dial")
            other.calls[0].onEvent?(.answered)
            handleEvents()
            XCTAssertEqual(gtk_widget_get_sensitive(key), 0)
            XCTAssertEqual(fixture.description(of: key), "Calls on this line can’t be transferred.")
            fixture.clear()
        }
    }

    /// As in the list of buddies: the picture that she publishes.
    func testRingingDisplayHasBuddysNameAndPicture() throws {
        try onMainActor {
            let (fixture, line, service) = try Self.fixture()
            service.tell(.picture(Self.grace, png(width: 40, height: 30)))
            line.offer("", address: "xmpp:grace@example.org/phone")
            handleEvents()
            let portrait = try XCTUnwrap(fixture.portrait, "its place is there before the picture is read")
            gtk_test_widget_wait_for_draw(fixture.widget)
            waitUntil("the picture is drawn") { Ink(of: portrait).greatest > 60 }
            line.calls[0].onEvent?(.ended(.farEnd))
            handleEvents()
            line.offer("", address: "xmpp:stranger@example.org/phone")
            handleEvents()
            XCTAssertNil(fixture.portrait, "a stranger has none")
            fixture.clear()
        }
    }

    /// Calls stand in the conversation in the order of their times, from the history, and go with its entries.
    func testConversationShowsCalls() throws {
        try onMainActor {
            let people = People([])
            people.calls.fill([
                call(.outgoing, seconds: 42, minutes: 1), call(.incoming, minutes: 3),
                call(.incoming, minutes: 4, with: "xmpp:ada@example.org"),
            ])
            let (fixture, line, service) = try Self.fixture(people)
            for minute: Int64 in [0, 2] {
                service.tell(
                    .updates([
                        .received(
                            ReceivedMessage(
                                buddy: Self.grace, sender: .buddy, text: "after \(minute)",
                                time: time(minute), name: "n\(minute)"))
                    ]))
            }
            fixture.window.panel.show(Self.conversation)
            waitUntil("all is there") { fixture.rows("Conversation").count == 4 }
            let rows = fixture.rows("Conversation")
            XCTAssert(rows[0].hasSuffix("after 0") && rows[2].hasSuffix("after 2"), "\(rows)")
            XCTAssert(rows[1].hasPrefix("Outgoing call, 0:42"), rows[1])
            XCTAssert(rows[3].hasPrefix("Missed call"), rows[3])
            fixture.tap("Call Back")
            waitUntil("she is called") { line.calls.count == 1 }
            XCTAssertEqual(line.calls[0].remote.address, "xmpp:grace@example.org")
            fixture.phone.calls.hangUpAll()
            // By the keyboard: the menu of the row.
            let row = try XCTUnwrap(fixture.row("Conversation", "Outgoing call"))
            gtk_widget_grab_focus(row)
            fixture.type(GDK_KEY_Menu)
            waitUntil("its menu is open") { fixture.menuItems == ["Call"] }
            fixture.type(GDK_KEY_Escape)
            people.directory.history.delete(2)
            waitUntil("it is gone") { fixture.rows("Conversation").count == 3 }
            XCTAssertNil(fixture.shown("Call Back"))
            fixture.clear()
        }
    }

    func testConversationShowsTextOfCall() throws {
        try onMainActor {
            let people = People([])
            people.calls.fill(
                call(.outgoing, seconds: 42, minutes: 1),
                text: KeptCallText(lines: [.init(.own, "Hi"), .init(.farEnd, "Hello")]))
            people.calls.fill([call(.incoming, seconds: 3, minutes: 3)])
            let (fixture, _, _) = try Self.fixture(people)
            fixture.window.panel.show(Self.conversation)
            waitUntil("all is there") { fixture.rows("Conversation").count == 2 }
            let rows = fixture.rows("Conversation")
            XCTAssert(rows[0].hasSuffix("with text") && !rows[1].contains("with text"), "\(rows)")
            gtk_test_widget_wait_for_draw(fixture.widget)
            fixture.tap("Show Text")
            waitUntil("the text is shown") { fixture.rows("Text of the call").count == 2 }
            let lines = fixture.rows("Text of the call")
            XCTAssert(lines[0] == "you: Hi" && lines[1].hasSuffix(": Hello"), "\(lines)")
            fixture.type(GDK_KEY_Escape)
            waitUntil("it is closed") { fixture.rows("Text of the call").isEmpty }
            // By the keyboard.
            gtk_widget_grab_focus(try XCTUnwrap(fixture.row("Conversation", "Outgoing call")))
            fixture.type(GDK_KEY_Menu)
            waitUntil("its menu is open") { fixture.menuItems == ["Call", "Show Text"] }
            fixture.type(GDK_KEY_Up)
            fixture.type(GDK_KEY_Return)
            waitUntil("the text is shown again") { fixture.rows("Text of the call").count == 2 }
            fixture.clear()
        }
    }

    func testContactWithSeveralWaysOffersThemAllLastUsedFirst() throws {
        try onMainActor {
            let people = People([
                NewContact(
                    ContactCard(
                        name: "Grace Hopper",
                        methods: [
                            ContactMethod(.xmpp, "grace@example.org"), ContactMethod(.number, "555-0142"),
                            ContactMethod(.sip, "sip:nobody.can@example.org"),
                        ]))
            ])
            people.calls.fill([call(.outgoing, minutes: 1), call(.outgoing, minutes: 2, number: "5550142")])
            let (fixture, line, _) = try Self.fixture(people)
            fixture.window.panel.show(Self.conversation)
            waitUntil("she can be called") { fixture.button("Call").map(fixture.isShown) == true }
            fixture.click(try XCTUnwrap(fixture.button("Call")))
            waitUntil("the ways are offered") { !fixture.menuItems.isEmpty }
            XCTAssertEqual(fixture.menuItems, ["Call 555-0142", "Call grace@example.org (Jabber)"])
            for _ in 0..<2 where fixture.selectedMenuItem != "Call grace@example.org (Jabber)" {
                fixture.type(GDK_KEY_Down)
            }
            fixture.type(GDK_KEY_Return)
            waitUntil("she is called") { line.calls.count == 1 }
            fixture.clear()
        }
    }

    /// Offline, the contact’s numbers are left, and the menu says which way is not possible.
    func testHeaderCallsNumbersOfBuddyWhileJabberIsOffline() throws {
        try onMainActor {
            let people = People([
                NewContact(
                    ContactCard(
                        name: "Grace Hopper",
                        methods: [
                            ContactMethod(.xmpp, "grace@example.org"), ContactMethod(.number, "555-0142"),
                        ]))
            ])
            let (fixture, line, _) = try Self.fixture(people)
            line.state = .unavailable(reason: "You are offline.")
            fixture.window.panel.show(Self.conversation)
            waitUntil("she is shown") { fixture.button("Call").map(fixture.isShown) == true }
            let key = try XCTUnwrap(fixture.button("Call"))
            waitUntil("she can be called") { gtk_widget_get_sensitive(key) != 0 }
            XCTAssertEqual(fixture.description(of: key), "Call Grace Hopper")
            fixture.click(key)
            waitUntil("the ways are offered") { !fixture.menuItems.isEmpty }
            XCTAssertEqual(fixture.menuItems, ["Call grace@example.org (Jabber)", "Call 555-0142"])
            // The first that can be chosen.
            fixture.type(GDK_KEY_Down)
            XCTAssertEqual(fixture.selectedMenuItem, "Call 555-0142")
            fixture.type(GDK_KEY_Return)
            waitUntil("the number is called") { !fixture.line.numbers.isEmpty }
            XCTAssertEqual(fixture.line.numbers, ["5550142"])
            XCTAssert(line.calls.isEmpty)
            fixture.phone.calls.hangUpAll()
            // Without the number, no way is left.
            let id = try XCTUnwrap(people.book.rows.first)
            let alone = ContactCard(
                name: "Grace Hopper", methods: [ContactMethod(.xmpp, "grace@example.org")])
            Task { try await people.book.change(id, to: alone, photo: .kept) }
            waitUntil("she cannot be called") { gtk_widget_get_sensitive(key) == 0 }
            XCTAssertEqual(fixture.description(of: key), "You are offline.")
            line.state = .connecting
            waitUntil("a call waits for the account") { gtk_widget_get_sensitive(key) != 0 }
            fixture.click(key)
            waitUntil("her only way needs no menu") { line.calls.count == 1 }
            XCTAssertEqual(fixture.menuItems, [])
            fixture.clear()
        }
    }

    func testLineIsChosenByHandInMenuOfDial() throws {
        try onMainActor {
            let (fixture, line, _) = try Self.fixture()
            fixture.phone.paste("5550100")
            line.callsNumbers = true
            let key = try XCTUnwrap(fixture.shown("Dial"))
            gtk_widget_grab_focus(key)
            fixture.type(GDK_KEY_Menu)
            waitUntil("the lines are offered") { !fixture.menuItems.isEmpty }
            XCTAssertEqual(
                fixture.menuItems, ["Call with Jabber: me@example.org", "Call with \(fixture.line.label)"])
            fixture.type(GDK_KEY_Return)
            waitUntil("it is called") { line.calls.count == 1 }
            XCTAssertEqual(line.calls[0].remote.number.text, "5550100")
            XCTAssertEqual(fixture.line.numbers, [])
            fixture.clear()
        }
    }

    /// The header of the narrowest panel beside the phone leaves out what is elsewhere, too.
    func testHeaderFitsNarrowPanel() throws {
        try onMainActor {
            // The window folds when it is a little narrower than the first width.
            for width: gint in [660, 680, 700, 804] {
                let (fixture, _, _) = try Self.fixture(width: width)
                fixture.window.panel.show(Self.conversation)
                waitUntil("she is shown") { fixture.button("Menu").map(fixture.isShown) == true }
                for _ in 0..<2 { gtk_test_widget_wait_for_draw(fixture.widget) }
                XCTAssertFalse(fixture.window.panel.folding.isFolded)
                let panel = fixture.window.panel.side.widget
                let end = fixture.frame(of: panel)[0] + fixture.frame(of: panel)[2]
                let close = try XCTUnwrap(fixture.button("Close"))
                XCTAssertLessThanOrEqual(
                    fixture.frame(of: close)[0] + fixture.frame(of: close)[2], end, "\(width)")
                XCTAssertEqual(fixture.button("Call").map(fixture.isShown), true, "\(width)")
                fixture.clear()
            }
        }
    }

    func testOperatorHasNoCall() throws {
        try onMainActor {
            let (fixture, _, _) = try Self.fixture()
            fixture.window.panel.show(ConversationID(.operatorAddress))
            waitUntil("it is open") { fixture.chat.selected?.buddy == .operatorAddress }
            XCTAssertNotEqual(fixture.button("Call").map(fixture.isShown), true)
            fixture.clear()
        }
    }

    func testLinkToCallWaits() throws {
        try onMainActor {
            let (fixture, line, _) = try Self.fixture()
            fixture.window.panel.open(link: "xmpp:Grace@example.org?call")
            XCTAssertEqual(fixture.phone.copy(), "grace@example.org")
            XCTAssert(line.calls.isEmpty && fixture.chat.selected == nil, "nothing is dialled")
            fixture.clear()
        }
    }
}

extension PhoneWindowFixture {
    fileprivate func isShown(_ widget: UnsafeMutablePointer<GtkWidget>) -> Bool {
        gtk_widget_get_mapped(widget) != 0
    }
}

/// Returns the time so many minutes after a day began.
private func time(_ minutes: Int64) -> ChatTime {
    ChatTime(milliseconds: 1_315_870_461_000 + minutes * 60_000)
}

private func call(
    _ direction: Call.Direction, seconds: Int? = nil, minutes: Int64, number: String = "",
    with address: String = "xmpp:grace@example.org"
) -> PastCall {
    PastCall(
        direction: direction,
        remote: RemoteParty(
            DialledNumber(number) ?? DialledNumber(), address: number.isEmpty ? address : ""),
        line: "jabber", began: time(minutes), endReason: seconds == nil ? .noAnswer : .hungUp,
        seconds: seconds)
}
