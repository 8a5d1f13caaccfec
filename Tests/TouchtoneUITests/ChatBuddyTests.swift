// SPDX-License-Identifier: GPL-3.0-or-later

import CXTest
import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of the buddy list, its search and its actions.
final class ChatBuddyTests: GtkTestCase {
    func testRowsAreNamedByStateAndUnreadCount() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.meet()
            XCTAssertEqual(fixture.rows("Buddies"), ["Grace, online", "Operator, online", "Edsger, away"])
            XCTAssert(fixture.labels(in: fixture.row("Buddies", "Edsger")).contains("at lunch"))
            fixture.come("one", from: MessagePanelFixture.edsger)
            fixture.come("two", from: MessagePanelFixture.edsger)
            fixture.settle()
            XCTAssert(fixture.rows("Buddies").contains("Edsger, away, 2 unread"))
            XCTAssert(fixture.labels(in: fixture.row("Buddies", "Edsger")).contains("2"))
            fixture.open(MessagePanelFixture.edsger)
            XCTAssert(fixture.rows("Buddies").contains("Edsger, away"))
            fixture.service.tell(
                .presence(MessagePanelFixture.edsger, device: "phone", DevicePresence(.busy)))
            fixture.service.tell(.presence(MessagePanelFixture.grace, device: "desk", nil))
            waitUntil("they are told") { fixture.rows("Buddies").contains("Grace, offline") }
            XCTAssert(fixture.rows("Buddies").contains("Edsger, busy"))
            fixture.clear()
        }
    }

    func testSearchFindsNameAddressAndDigits() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.meet()
            for (typed, found) in [
                ("gra", ["Grace, online"]), ("edsger@", ["Edsger, away"]), ("47223", ["Grace, online"]),
                ("zz", []),
            ] {
                fixture.click(fixture.button("Search people and messages"))
                fixture.type(typed.replacing("@", with: ""))
                waitUntil("they are found") {
                    fixture.rows("Buddies").isEmpty && fixture.rows("Search results") == found
                }
                if found.isEmpty {
                    waitUntil("nothing is found") {
                        fixture.labels(in: fixture.widget).contains("Nothing found.")
                    }
                }
                fixture.type(GDK_KEY_Escape)
                waitUntil("all are there again") { fixture.rows("Buddies").count == 3 }
            }
            fixture.click(fixture.button("Search people and messages"))
            fixture.type("ed")
            waitUntil("he is found") { fixture.rows("Search results").count == 1 }
            fixture.type(GDK_KEY_Return)
            fixture.settle()
            XCTAssertEqual(fixture.chat.selected?.buddy, MessagePanelFixture.edsger)
            XCTAssertEqual(fixture.rows("Buddies").count, 3, "the search is closed")
            fixture.clear()
        }
    }

    func testOnlyUserAnswersRequests() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            let ada = ChatAddress("ada@example.org")
            for (key, call) in [
                ("Accept", FakeChatService.Call.answer(ada, true)), ("Decline", .answer(ada, false)),
                ("Block", .block(ada, true)),
            ] {
                fixture.service.tell(.request(ada, text: "It is me"))
                fixture.settle()
                XCTAssert(
                    fixture.labels(in: fixture.widget).contains(
                        "ada@example.org wants to see when you are online"))
                XCTAssert(fixture.labels(in: fixture.widget).contains("“It is me”"))
                _ = fixture.service.takeCalls()
                fixture.click(fixture.button(key))
                fixture.settle()
                XCTAssertEqual(fixture.service.takeCalls(), [call])
                XCTAssertNil(fixture.button("Accept"))
            }
            fixture.service.error = .offline
            fixture.service.tell(.request(ada, text: ""))
            fixture.settle()
            fixture.click(fixture.button("Accept"))
            fixture.settle()
            XCTAssert(fixture.labels(in: fixture.widget).contains("You are not online."))
            XCTAssertNotNil(fixture.button("Accept"))
            fixture.clear()
        }
    }

    func testFocusGoesFromAnsweredRequestToNextOneAndThenToBuddies() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            for name in ["ada", "alan"] {
                fixture.service.tell(.request(ChatAddress("\(name)@example.org"), text: ""))
            }
            fixture.settle()
            gtk_widget_grab_focus(fixture.button("Accept"))
            fixture.type(GDK_KEY_Return)
            fixture.settle()
            XCTAssertEqual(
                fixture.description(of: gtk_window_get_focus(fixture.widget.cast())),
                "Accept alan@example.org")
            fixture.type(GDK_KEY_Return)
            fixture.settle()
            XCTAssert(fixture.list("Buddies")?.holdsFocus ?? false)
            fixture.clear()
        }
    }

    func testNarrowConversationHidesRequests() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture(width: 380)
            fixture.meet()
            let buddies = fixture.messenger.buddies
            XCTAssert(buddies.areRequestsInView)
            fixture.chat.select(MessagePanelFixture.grace)
            XCTAssertFalse(buddies.areRequestsInView)
            fixture.panel.showRequests()
            XCTAssert(buddies.areRequestsInView)
            XCTAssertNil(fixture.chat.selected)
            fixture.side.isInView = false
            XCTAssertFalse(buddies.areRequestsInView)
            fixture.clear()
        }
    }

    func testFloodOfRequestsLeavesRoomForBuddies() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            for number in 0..<100 {
                fixture.service.tell(.request(ChatAddress("s\(number)@x.example"), text: "hi"))
            }
            fixture.settle()
            XCTAssert(fixture.labels(in: fixture.widget).contains("and 97 more"))
            XCTAssertEqual(gtk_widget_get_allocated_height(fixture.widget), 640)
            fixture.clear()
        }
    }

    func testKeyboardRenamesAndRemovesBuddy() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.meet()
            let list = try XCTUnwrap(fixture.list("Buddies"))
            gtk_widget_child_focus(list, GTK_DIR_TAB_FORWARD)
            XCTAssertEqual(fixture.focusedName, "Grace, online")
            fixture.type(GDK_KEY_F2)
            fixture.settle()
            fixture.type("amazing")
            fixture.type(GDK_KEY_Return)
            fixture.settle()
            XCTAssert(fixture.service.takeCalls().contains(.rename(MessagePanelFixture.grace, "amazing")))
            waitUntil("it is closed") { fixture.find("Rename Grace", ATK_ROLE_PANEL) == nil }
            gtk_widget_child_focus(list, GTK_DIR_TAB_FORWARD)
            fixture.type(GDK_KEY_Delete)
            fixture.settle()
            fixture.type(GDK_KEY_Escape)
            fixture.settle()
            XCTAssertFalse(fixture.service.takeCalls().contains(.remove(MessagePanelFixture.grace)))
            gtk_widget_child_focus(list, GTK_DIR_TAB_FORWARD)
            fixture.type(GDK_KEY_Delete)
            fixture.settle()
            fixture.type(GDK_KEY_Return)
            fixture.settle()
            XCTAssert(fixture.service.takeCalls().contains(.remove(MessagePanelFixture.grace)))
            fixture.clear()
        }
    }

    func testEmptyPanelOffersToAddBuddy() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            XCTAssert(fixture.labels(in: fixture.widget).contains("No buddies yet"))
            fixture.click(fixture.button("Add Buddy…"))
            waitUntil("the form is open") { fixture.labels(in: fixture.widget).contains("Add Buddy") }
            fixture.type(GDK_KEY_Escape)
            fixture.meet()
            XCTAssertNil(fixture.button("Add Buddy…"))
            XCTAssert(fixture.labels(in: fixture.widget).contains("Choose a buddy to start a conversation."))
            fixture.clear()
        }
    }

    func testAccountCanBeAddedFromOneBar() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture(state: .signedOut)
            let bar = "Without an account, only the Operator answers."
            XCTAssert(fixture.labels(in: fixture.widget).contains(bar))
            fixture.chat.select(fixture.chat.buddies.rows.first?.id)
            fixture.settle()
            XCTAssert(fixture.labels(in: fixture.widget).contains(bar))
            XCTAssertEqual(fixture.labels(in: fixture.widget).count { $0 == "Add account" }, 1)
            fixture.click(fixture.button("Add account"))
            XCTAssertEqual(fixture.navigator.notes, ["account"])
            fixture.clear()
        }
    }

    func testOperatorOffersItsCommands() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture(state: .signedOut)
            fixture.chat.select(fixture.chat.buddies.rows.first?.id)
            fixture.chat.selected?.draft = "not sent"
            fixture.settle()
            fixture.click(fixture.button("call me"))
            waitUntil("the command is sent") { fixture.chat.selected?.window.last?.text == "call me" }
            XCTAssertEqual(fixture.chat.selected?.draft, "not sent")
            fixture.service.tell(.state(.online))
            fixture.meet()
            fixture.open()
            XCTAssertNil(fixture.button("call me"))
            fixture.clear()
        }
    }

    func testAccountStateIsShownWithRemedy() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture(state: .signedOut)
            fixture.click(fixture.button("Add account"))
            XCTAssertEqual(fixture.navigator.notes, ["account"])
            fixture.service.tell(.state(.connecting))
            fixture.settle()
            XCTAssertNil(fixture.button("Add account"))
            XCTAssert(fixture.labels(in: fixture.widget).contains("Connecting…"))
            fixture.service.tell(.state(.failed(.password("The password is wrong."))))
            fixture.settle()
            XCTAssert(fixture.labels(in: fixture.widget).contains("The password is wrong."))
            fixture.click(fixture.button("Account…"))
            XCTAssertEqual(fixture.navigator.notes, ["account", "account"])
            fixture.service.tell(.state(.online))
            fixture.settle()
            XCTAssertFalse(fixture.labels(in: fixture.widget).contains("The password is wrong."))
            fixture.store.trouble = .full
            fixture.open()
            fixture.chat.send("x", to: MessagePanelFixture.grace)
            fixture.settle()
            XCTAssert(fixture.labels(in: fixture.widget).contains { $0.hasPrefix("The disk is full") })
            fixture.clear()
        }
    }

    func testOperatorAnswersWithoutAccount() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture(state: .signedOut)
            fixture.click(fixture.row("Buddies", "Operator"))
            fixture.settle()
            fixture.type("hello")
            fixture.type(GDK_KEY_Return)
            waitUntil("the Operator types") {
                fixture.labels(in: fixture.widget).contains("Operator is typing…")
            }
            waitUntil("the Operator answers") { fixture.rows("Conversation").count == 2 }
            XCTAssert(fixture.rows("Conversation")[1].hasPrefix("Operator, \(fixture.time): "))
            XCTAssert(fixture.rows("Conversation")[1].contains("hello"))
            fixture.clear()
        }
    }

    func testPictureIsShownOnceLoaded() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.meet()
            fixture.service.tell(
                .picture(MessagePanelFixture.grace, try XCTUnwrap(png(width: 40, height: 30))))
            let row = try XCTUnwrap(fixture.row("Buddies", "Grace"))
            XCTAssertEqual(fixture.pictures(in: row), 1)
            let id = ConversationID(MessagePanelFixture.grace)
            let pictures = fixture.insides.buddies.pictures
            waitUntil("it is shown") { pictures.picture(of: id) != nil }
            fixture.service.tell(.picture(MessagePanelFixture.grace, nil))
            waitUntil("it is gone") { pictures.picture(of: id) == nil }
            fixture.clear()
        }
    }

    func testSearchFindsAndOpensMessages() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture { try $0.fill(facts: talk(1000)) }
            fixture.meet()
            fixture.open()
            fixture.click(fixture.field)
            fixture.key(Modifier.control, down: true)
            fixture.type("f")
            fixture.key(Modifier.control, down: false)
            fixture.settle()
            fixture.type("message 123")
            waitUntil("it is found") {
                fixture.rows("Found messages").contains { $0.contains("message 123 ") }
            }
            fixture.type(GDK_KEY_Return)
            fixture.type(GDK_KEY_Return)
            fixture.settle()
            let list = try XCTUnwrap(fixture.list("Conversation"))
            let found = try XCTUnwrap(fixture.row("Conversation", "Grace, \(fixture.time): message 123 "))
            XCTAssert(fixture.isSeen(found, in: list))
            XCTAssertNotNil(fixture.button("Last message"))
            // The end is far away, and one click leads there.
            fixture.click(fixture.button("Last message"))
            fixture.settle()
            XCTAssert(
                fixture.isSeen(fixture.row("Conversation", "Grace, \(fixture.time): message 999 "), in: list))
            fixture.clear()
        }
    }
}
