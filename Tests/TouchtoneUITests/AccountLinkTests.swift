// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of the account with which a link is opened.
final class AccountLinkTests: GtkTestCase {
    private static let grace = MessagePanelFixture.grace

    /// Returns a phone with the account `me@example.org`, and the chat of a second one.
    @MainActor
    private static func fixture() throws -> (PhoneWindowFixture, Chat, FakeChatService) {
        let fixture = try PhoneWindowFixture(panel: false, account: FakeChatService())
        let service = FakeChatService()
        let work = Chat(
            store: MemoryMessageStore(), account: ChatAddress("ada@work.example"), services: [service],
            clock: MainLoopScheduler(), wall: FixedWallClock(), names: { "name" })
        work.accountLabel = "Work"
        fixture.window.panel.messages.messenger.setOthers([work])
        return (fixture, work, service)
    }

    func testLinkAsksForTheAccount() throws {
        try onMainActor {
            let (fixture, work, service) = try Self.fixture()
            let panel = fixture.window.panel
            panel.open(.xmpp("xmpp:grace@example.org?message;body=Hi"))
            waitUntil("it is asked") { fixture.button("Work") != nil }
            XCTAssertNotNil(fixture.button("me@example.org"))
            XCTAssertNil(fixture.chat.selected)
            fixture.click(fixture.button("Work"))
            waitUntil("the conversation is open") { work.selected?.buddy == Self.grace }
            XCTAssertEqual(work.selected?.draft, "Hi")
            XCTAssertNil(fixture.chat.selected)
            // It may be left without an answer.
            panel.open(.xmpp("xmpp:edsger@example.org"))
            waitUntil("it is asked") { fixture.button("Work") != nil }
            fixture.type(GDK_KEY_Escape)
            waitUntil("the question is gone") { fixture.button("Work") == nil }
            XCTAssertEqual(work.selected?.buddy, Self.grace)
            // Only one of the accounts knows her.
            service.tell(.buddies([BuddyRecord(Self.grace, name: "Grace", tellsMe: true)], version: nil))
            work.select(nil)
            panel.open(.xmpp("xmpp:grace@example.org"))
            XCTAssertEqual(work.selected?.buddy, Self.grace)
            // Even then, she may be added to the other one.
            panel.open(.xmpp("xmpp:grace@example.org?roster;name=Grace%20H."))
            waitUntil("it is asked") { fixture.button("Work") != nil }
            fixture.click(fixture.button("me@example.org"))
            waitUntil("the form is there") { fixture.button("Add") != nil }
            XCTAssert(fixture.labels(in: fixture.widget).contains("me@example.org"))
            fixture.click(fixture.button("Add"))
            waitUntil("she is added") {
                fixture.account?.calls.contains {
                    if case .add(Self.grace, "Grace H.") = $0 { true } else { false }
                }
                    == true
            }
            fixture.clear()
        }
    }

    func testLinkNamesTheAccount() throws {
        try onMainActor {
            let (fixture, work, _) = try Self.fixture()
            let panel = fixture.window.panel
            panel.open(link: "xmpp://ADA@work.example/grace@example.org")
            XCTAssertEqual(work.selected?.buddy, Self.grace)
            panel.open(link: "xmpp://me@example.org/grace@example.org?message;body=Hi")
            XCTAssertEqual(fixture.chat.selected?.draft, "Hi")
            panel.open(link: "xmpp://stranger@example.org/grace@example.org")
            waitUntil("it is asked") { fixture.button("Work") != nil }
            fixture.clear()
        }
    }

    func testRoomIsEnteredWithTheChosenAccount() throws {
        try onMainActor {
            let (fixture, work, service) = try Self.fixture()
            let panel = fixture.window.panel
            panel.open(.xmpp("xmpp:tea@rooms.example.org?join"))
            waitUntil("it is asked") { fixture.button("Work") != nil }
            fixture.click(fixture.button("Work"))
            waitUntil("the form is there") { fixture.find("Room", ATK_ROLE_TEXT) != nil }
            XCTAssert(fixture.labels(in: fixture.widget).contains("Work"))
            fixture.type(GDK_KEY_Escape)
            // A room of one account is opened there.
            let tea = ChatAddress("tea@rooms.example.org")
            service.tell(.room(Room(RoomRecord(tea, nickname: "ada"), standing: .joined)))
            panel.open(.xmpp("xmpp:tea@rooms.example.org"))
            XCTAssertEqual(work.selected?.buddy, tea)
            fixture.clear()
        }
    }

    func testFormsOfThePanelAskForTheAccount() throws {
        try onMainActor {
            let (fixture, work, service) = try Self.fixture()
            let messages = fixture.window.panel.messages
            fixture.window.panel.open(page: .messages)
            // The new account has no conversation that could be opened first.
            messages.askToAdd("grace@example.org", name: "Grace")
            waitUntil("it is asked") { fixture.button("Work") != nil }
            XCTAssert(gtk_window_get_focus(fixture.widget.cast()) == fixture.button("me@example.org"))
            fixture.click(fixture.button("Work"))
            waitUntil("the form is there") { fixture.button("Add") != nil }
            XCTAssert(fixture.labels(in: fixture.widget).contains("Work"))
            fixture.click(fixture.button("Add"))
            waitUntil("she is added") { service.calls.contains(.add(Self.grace, "Grace")) }
            XCTAssertEqual(fixture.account?.calls.contains(.add(Self.grace, "Grace")), false)
            // The account of the open conversation comes first.
            work.select(Self.grace)
            messages.askToJoin("")
            waitUntil("it is asked") { fixture.button("Work") != nil }
            XCTAssert(gtk_window_get_focus(fixture.widget.cast()) == fixture.button("Work"))
            fixture.type(GDK_KEY_Return)
            waitUntil("the form is there") { fixture.find("Room", ATK_ROLE_TEXT) != nil }
            fixture.clear()
        }
    }

    func testNamesOfAccountsFollowTheirLabels() throws {
        try onMainActor {
            let (fixture, work, service) = try Self.fixture()
            service.tell(.buddies([BuddyRecord(Self.grace, name: "Grace", tellsMe: true)], version: nil))
            fixture.window.panel.open(page: .messages)
            waitUntil("she is listed") { fixture.row("Buddies", "Grace") != nil }
            XCTAssert(fixture.labels(in: fixture.row("Buddies", "Grace")).contains("Work"))
            work.accountLabel = ""
            waitUntil("the address is shown") {
                fixture.labels(in: fixture.row("Buddies", "Grace")).contains("ada@work.example")
            }
            fixture.window.panel.messages.messenger.setOthers([])
            fixture.clear()
        }
    }
}
