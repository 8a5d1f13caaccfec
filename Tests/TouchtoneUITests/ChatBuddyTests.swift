// SPDX-License-Identifier: GPL-3.0-or-later

import CXTest
import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// The buddies: who there is, how they are found, and what is done with them.
final class ChatBuddyTests: GtkTestCase {
    func testRowsAreNamedByStateAndUnreadCount() throws {
        try onMainActor {
            let desk = try ChatDesk()
            desk.meet()
            XCTAssertEqual(desk.rows("Buddies"), ["Grace, online", "Operator, online", "Edsger, away"])
            XCTAssert(desk.labels(in: desk.widget).contains("BUDDIES — 3 ONLINE"))
            XCTAssert(desk.labels(in: desk.row("Buddies", "Edsger")).contains("at lunch"))
            desk.come("one", from: ChatDesk.edsger)
            desk.come("two", from: ChatDesk.edsger)
            desk.settle()
            XCTAssert(desk.rows("Buddies").contains("Edsger, away, 2 unread"))
            XCTAssert(desk.labels(in: desk.row("Buddies", "Edsger")).contains("2"))
            desk.open(ChatDesk.edsger)
            XCTAssert(desk.rows("Buddies").contains("Edsger, away"))
            desk.service.tell(.presence(ChatDesk.edsger, device: "phone", DevicePresence(.busy)))
            desk.service.tell(.presence(ChatDesk.grace, device: "desk", nil))
            waitUntil("they are told") { desk.rows("Buddies").contains("Grace, offline") }
            XCTAssert(desk.rows("Buddies").contains("Edsger, busy"))
            desk.clear()
        }
    }

    func testAFieldFindsThemByNameAddressAndDigits() throws {
        try onMainActor {
            let desk = try ChatDesk()
            desk.meet()
            for (typed, found) in [
                ("gra", ["Grace, online"]), ("edsger@", ["Edsger, away"]), ("47223", ["Grace, online"]),
                ("zz", []),
            ] {
                desk.click(desk.button("Find a buddy"))
                desk.type(typed.replacing("@", with: ""))
                waitUntil("they are found") { desk.rows("Buddies") == found }
                if found.isEmpty {
                    XCTAssert(desk.labels(in: desk.widget).contains("Nobody is called that."))
                }
                desk.type(GDK_KEY_Escape)
                waitUntil("all are there again") { desk.rows("Buddies").count == 3 }
            }
            desk.click(desk.button("Find a buddy"))
            desk.type("ed")
            waitUntil("he is found") { desk.rows("Buddies").count == 1 }
            desk.type(GDK_KEY_Return)
            desk.settle()
            XCTAssertEqual(desk.chat.selected?.buddy, ChatDesk.edsger)
            desk.clear()
        }
    }

    func testRequestsAreAnsweredByMeAlone() throws {
        try onMainActor {
            let desk = try ChatDesk()
            let ada = ChatAddress("ada@example.org")
            for (key, call) in [
                ("Accept", FakeChatService.Call.answer(ada, true)), ("Decline", .answer(ada, false)),
                ("Block", .block(ada, true)),
            ] {
                desk.service.tell(.request(ada, text: "It is me"))
                desk.settle()
                XCTAssert(
                    desk.labels(in: desk.widget).contains("ada@example.org asks to see when you are online"))
                XCTAssert(desk.labels(in: desk.widget).contains("“It is me”"))
                _ = desk.service.takeCalls()
                desk.click(desk.button(key))
                desk.settle()
                XCTAssertEqual(desk.service.takeCalls(), [call])
                XCTAssertNil(desk.button("Accept"))
            }
            desk.service.error = .offline
            desk.service.tell(.request(ada, text: ""))
            desk.settle()
            desk.click(desk.button("Accept"))
            desk.settle()
            XCTAssert(desk.labels(in: desk.widget).contains("You are not online."))
            XCTAssertNotNil(desk.button("Accept"))
            desk.clear()
        }
    }

    func testAFloodOfRequestsLeavesRoomForTheRest() throws {
        try onMainActor {
            let desk = try ChatDesk()
            for number in 0..<100 {
                desk.service.tell(.request(ChatAddress("s\(number)@x.example"), text: "hi"))
            }
            desk.settle()
            XCTAssert(desk.labels(in: desk.widget).contains("and 97 more"))
            XCTAssertEqual(gtk_widget_get_allocated_height(desk.widget), 640)
            desk.clear()
        }
    }

    func testTheKeyboardRenamesAndRemoves() throws {
        try onMainActor {
            let desk = try ChatDesk()
            desk.meet()
            let list = try XCTUnwrap(desk.list("Buddies"))
            gtk_widget_child_focus(list, GTK_DIR_TAB_FORWARD)
            XCTAssertEqual(desk.focusedName, "Grace, online")
            desk.type(GDK_KEY_F2)
            desk.settle()
            desk.type("amazing")
            desk.type(GDK_KEY_Return)
            desk.settle()
            XCTAssert(desk.service.takeCalls().contains(.rename(ChatDesk.grace, "amazing")))
            waitUntil("it is closed") { desk.find("Rename Grace", ATK_ROLE_PANEL) == nil }
            gtk_widget_child_focus(list, GTK_DIR_TAB_FORWARD)
            desk.type(GDK_KEY_Delete)
            desk.settle()
            desk.type(GDK_KEY_Escape)
            desk.settle()
            XCTAssertFalse(desk.service.takeCalls().contains(.remove(ChatDesk.grace)))
            gtk_widget_child_focus(list, GTK_DIR_TAB_FORWARD)
            desk.type(GDK_KEY_Delete)
            desk.settle()
            desk.type(GDK_KEY_Return)
            desk.settle()
            XCTAssert(desk.service.takeCalls().contains(.remove(ChatDesk.grace)))
            desk.clear()
        }
    }

    func testTheAccountsStateIsSaidWithAWayToMendIt() throws {
        try onMainActor {
            let desk = try ChatDesk(state: .off)
            desk.click(desk.button("Add account"))
            XCTAssertEqual(desk.accountOpenings, 1)
            desk.service.tell(.state(.connecting))
            desk.settle()
            XCTAssertNil(desk.button("Add account"))
            XCTAssert(desk.labels(in: desk.widget).contains("Connecting…"))
            desk.service.tell(.state(.failed(.password("The password is wrong."))))
            desk.settle()
            XCTAssert(desk.labels(in: desk.widget).contains("The password is wrong."))
            desk.click(desk.button("Account…"))
            XCTAssertEqual(desk.accountOpenings, 2)
            desk.service.tell(.state(.online))
            desk.settle()
            XCTAssertFalse(desk.labels(in: desk.widget).contains("The password is wrong."))
            desk.store.trouble = .full
            desk.open()
            desk.chat.send("x", to: ChatDesk.grace)
            desk.settle()
            XCTAssert(desk.labels(in: desk.widget).contains { $0.hasPrefix("The disk is full") })
            desk.clear()
        }
    }

    func testTheOperatorAnswersWithoutAnAccount() throws {
        try onMainActor {
            let desk = try ChatDesk(state: .off)
            desk.click(desk.row("Buddies", "Operator"))
            desk.settle()
            desk.type("hello")
            desk.type(GDK_KEY_Return)
            waitUntil("the Operator types") { desk.labels(in: desk.widget).contains("Operator is typing…") }
            waitUntil("the Operator answers") { desk.rows("Conversation").count == 2 }
            XCTAssert(desk.rows("Conversation")[1].hasPrefix("Operator, \(desk.time): "))
            XCTAssert(desk.rows("Conversation")[1].contains("hello"))
            desk.clear()
        }
    }

    func testAPictureIsShownOnceItIsRead() throws {
        try onMainActor {
            let desk = try ChatDesk()
            desk.meet()
            desk.service.tell(.picture(ChatDesk.grace, try XCTUnwrap(png(width: 40, height: 30))))
            let row = try XCTUnwrap(desk.row("Buddies", "Grace"))
            waitUntil("it is shown") { desk.pictures(in: row) == 1 }
            desk.service.tell(.picture(ChatDesk.grace, nil))
            waitUntil("it is gone") { desk.pictures(in: row) == 0 }
            desk.clear()
        }
    }

    func testSearchFindsMessagesAndLeadsThere() throws {
        try onMainActor {
            let desk = try ChatDesk { try $0.fill(facts: talk(1000)) }
            desk.meet()
            desk.open()
            desk.click(desk.field)
            desk.key(Modifier.control, down: true)
            desk.type("f")
            desk.key(Modifier.control, down: false)
            desk.settle()
            desk.type("message 123")
            waitUntil("it is found") { desk.rows("Found messages").contains { $0.contains("message 123 ") } }
            desk.type(GDK_KEY_Return)
            desk.type(GDK_KEY_Return)
            desk.settle()
            let list = try XCTUnwrap(desk.list("Conversation"))
            let found = try XCTUnwrap(desk.row("Conversation", "Grace, \(desk.time): message 123 "))
            XCTAssert(desk.isSeen(found, in: list))
            XCTAssertNotNil(desk.button("Last message"))
            // The end is far away, and one click.
            desk.click(desk.button("Last message"))
            desk.settle()
            XCTAssert(desk.isSeen(desk.row("Conversation", "Grace, \(desk.time): message 999 "), in: list))
            desk.clear()
        }
    }
}
