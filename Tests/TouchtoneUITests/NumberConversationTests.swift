// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of the ways to the conversation with a telephone number, and of what it says.
final class NumberConversationTests: GtkTestCase {
    func testHeldMessagesKeyOpensConversationOfNumber() throws {
        try onMainActor {
            let fixture = try fixture(panel: false)
            let key = try XCTUnwrap(fixture.find("Messages"))
            fixture.phone.paste("+15558675309")
            fixture.press(key)
            waitUntil("its conversation is open") { fixture.chat.selected?.buddy == grace }
            fixture.release()
            XCTAssertTrue(fixture.window.panel.folding.isOpen, "the release is not a click")
            fixture.tap(key)
            XCTAssertFalse(fixture.window.panel.folding.isOpen)
            fixture.tap(key)
            XCTAssertTrue(fixture.window.panel.folding.isOpen)
            XCTAssertEqual(sent(fixture), [])
            fixture.clear()
        }
    }

    func testConversationSaysWhereMessagesGo() throws {
        try onMainActor {
            let fixture = try fixture()
            fixture.phone.paste("+15558675309")
            fixture.act("message")
            waitUntil("its conversation is open") { fixture.chat.selected?.buddy == grace }
            waitUntil("it says so") {
                fixture.labels(in: fixture.widget).contains("+15558675309 — not encrypted")
            }
            let labels = fixture.labels(in: fixture.widget)
            XCTAssert(labels.contains("To +15558675309 — not encrypted"), "\(labels)")
            XCTAssertEqual(sent(fixture), [])
            // The contact’s name replaces the number.
            let people = People()
            fixture.chat.numbers.contacts = people.book
            fixture.chat.numbers.refresh()
            waitUntil("the row has the name") { fixture.rows("Buddies").contains("Grace Hopper, offline") }
            fixture.clear()
        }
    }

    func testWithoutGatewayReasonIsShown() throws {
        try onMainActor {
            let fixture = try fixture(gateway: nil)
            fixture.phone.paste("+15558675309")
            fixture.act("message")
            let text =
                "Your server has no gateway for phone numbers. Enter the address of one in Preferences."
            waitUntil("the reason is shown") { fixture.labels(in: fixture.widget).contains(text) }
            XCTAssertNil(fixture.chat.selected)
            gtk_button_clicked(try XCTUnwrap(fixture.button("Preferences")).cast())
            XCTAssertEqual(fixture.accounts.value, 1)
            fixture.phone.paste("8675309")
            fixture.act("message")
            waitUntil("it must be complete") {
                fixture.labels(in: fixture.widget).contains(
                    "8675309 is not a complete phone number. Add its area code or country code.")
            }
            fixture.phone.clear()
            fixture.act("message")
            waitUntil("there must be a number") {
                fixture.labels(in: fixture.widget).contains("Enter a phone number first.")
            }
            fixture.clear()
        }
    }

    func testSuggestionsOfferMessage() throws {
        try onMainActor {
            let fixture = try fixture(directory: People().directory)
            fixture.chat.numbers.international = { DialledNumber("+1\($0.text)") }
            fixture.type("47223")
            waitUntil("Grace is offered") { fixture.row("Suggestions", "Grace Hopper, mobile") != nil }
            fixture.type(GDK_KEY_Down)
            fixture.click(fixture.button("Message"))
            waitUntil("her conversation is open") { fixture.chat.selected?.buddy == grace }
            XCTAssertEqual(fixture.line.numbers, [])
            fixture.clear()
        }
    }

    func testBuddiesAndCallsAreSuggested() throws {
        try onMainActor {
            let people = People()
            let store = MemoryHistoryStore()
            store.fill(["5554722300", "5558675309"].map { past($0) })
            let history = CallHistory(store: store, contacts: people.book, wall: FixedWallClock())
            let directory = DirectoryDependencies(
                history: history, contacts: people.book, vCards: people.vCards)
            let service = FakeChatService()
            let fixture = try PhoneWindowFixture(directory: directory, account: service)
            service.tell(
                .buddies(
                    [
                        BuddyRecord(ChatAddress("gs@example.org"), name: "Grace Slick"),
                        BuddyRecord(ChatAddress("grace@example.org"), name: "Amazing Grace"),
                    ], version: nil))
            fixture.chat.numbers.contacts = people.book
            fixture.chat.numbers.refresh()
            fixture.type("4722")
            // The contact’s own Jabber address and call are not suggested again.
            waitUntil("all are offered") {
                fixture.suggestions == [
                    "Grace Hopper, mobile, (555) 867-5309", "Grace Hopper, work, 555-0142",
                    "Grace Slick, gs@example.org", "called before, (555) 472-2300",
                ]
            }
            for _ in 0..<3 { fixture.type(GDK_KEY_Down) }
            fixture.type(GDK_KEY_Return)
            XCTAssertEqual(fixture.chat.selected?.buddy, ChatAddress("gs@example.org"))
            XCTAssertEqual(fixture.line.numbers, [])
            fixture.clear()
        }
    }
}

private let grace = ChatAddress("+15558675309@sms.example.org")

/// Returns a phone whose account has a gateway.
@MainActor
private func fixture(
    panel: Bool = true, gateway: String? = "sms.example.org", directory: DirectoryDependencies? = nil
) throws -> PhoneWindowFixture {
    let service = FakeChatService()
    service.numbers.found = gateway.map { ChatAddress($0) }
    return try PhoneWindowFixture(panel: panel, directory: directory, account: service)
}

/// Returns the sent messages.
@MainActor
private func sent(_ fixture: PhoneWindowFixture) -> [FakeChatService.Call] {
    fixture.account?.calls.filter { if case .send = $0 { true } else { false } } ?? []
}

private func past(_ number: String) -> PastCall {
    PastCall(
        direction: .outgoing, remote: RemoteParty(DialledNumber(number) ?? DialledNumber()), line: "tel",
        began: ChatTime(milliseconds: 0), endReason: .hungUp, seconds: 3)
}
