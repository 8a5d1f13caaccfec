// SPDX-License-Identifier: GPL-3.0-or-later

import CXTest
import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of long conversations and lists: the rows built, their positions and scrolling.
final class ChatScrollTests: GtkTestCase {
    func testFiveThousandBuddiesBuildOnlyVisibleRows() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.service.tell(.buddies((0..<5000).map(buddy), version: "1"))
            for number in 0..<5000 where number % 2 == 0 {
                fixture.service.tell(.presence(buddy(number).address, device: "a", DevicePresence(.online)))
            }
            waitUntil("all are there") { fixture.chat.buddies.onlineCount == 2501 }
            fixture.settle()
            XCTAssertLessThan(fixture.rows("Buddies").count, 60)
            fixture.clear()
        }
    }

    func testKeyboardReachesEveryBuddy() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.service.tell(.buddies((0..<500).map(buddy), version: "1"))
            waitUntil("all are there") { fixture.chat.buddies.rows.count == 501 }
            fixture.settle()
            fixture.click(fixture.row("Buddies", "Operator"))
            fixture.settle()
            let list = try XCTUnwrap(fixture.list("Buddies"))
            gtk_widget_child_focus(list, GTK_DIR_TAB_FORWARD)
            XCTAssertEqual(fixture.focusedName, "Operator, online")
            fixture.type(GDK_KEY_Down)
            XCTAssertEqual(fixture.focusedName, "Buddy 0000, offline")
            fixture.type(GDK_KEY_End)
            fixture.settle()
            XCTAssertEqual(fixture.focusedName, "Buddy 0499, offline")
            XCTAssert(fixture.isSeen(fixture.row("Buddies", "Buddy 0499"), in: list))
            fixture.type(GDK_KEY_Page_Up)
            fixture.settle()
            let above = try XCTUnwrap(fixture.focusedName)
            XCTAssert(above < "Buddy 0499" && above > "Buddy 0470", above)
            XCTAssert(fixture.isSeen(fixture.row("Buddies", above), in: list))
            fixture.type(GDK_KEY_Home)
            fixture.settle()
            XCTAssertEqual(fixture.focusedName, "Operator, online")
            for _ in 0..<40 { fixture.type(GDK_KEY_Down) }
            fixture.settle()
            XCTAssertEqual(fixture.focusedName, "Buddy 0039, offline")
            XCTAssert(fixture.isSeen(fixture.row("Buddies", "Buddy 0039"), in: list))
            fixture.type(GDK_KEY_Return)
            fixture.settle()
            XCTAssertEqual(fixture.chat.selected?.buddy, buddy(39).address)
            XCTAssert(fixture.field.map { gtk_widget_has_focus($0) != 0 } == true)
            fixture.clear()
        }
    }

    func testFocusedRowSurvivesScrollingAndSorting() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.service.tell(.buddies((0..<500).map(buddy), version: "1"))
            waitUntil("all are there") { fixture.chat.buddies.rows.count == 501 }
            fixture.settle()
            let list = try XCTUnwrap(fixture.list("Buddies"))
            gtk_widget_child_focus(list, GTK_DIR_TAB_FORWARD)
            fixture.type(GDK_KEY_Down)
            fixture.hover(gtk_widget_get_parent(list))
            for _ in 0..<30 { fixture.wheel(down: true) }
            fixture.settle()
            XCTAssertEqual(fixture.focusedName, "Buddy 0000, offline")
            XCTAssertFalse(fixture.isSeen(fixture.row("Buddies", "Buddy 0000"), in: list))
            fixture.service.tell(.presence(buddy(300).address, device: "a", DevicePresence(.online)))
            waitUntil("it is sorted") {
                fixture.chat.buddies.rows[1].id == buddy(300).address
                    || fixture.chat.buddies.rows[0].id == buddy(300).address
            }
            fixture.settle()
            XCTAssertEqual(fixture.focusedName, "Buddy 0000, offline")
            fixture.type(GDK_KEY_Down)
            fixture.settle()
            XCTAssertEqual(fixture.focusedName, "Buddy 0001, offline")
            XCTAssert(fixture.isSeen(fixture.row("Buddies", "Buddy 0001"), in: list))
            fixture.clear()
        }
    }

    func testConversationOpensAtEndAndLoadsOlderMessagesWithoutJump() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture { try $0.fill(facts: talk(1000)) }
            fixture.meet()
            fixture.open()
            let list = try XCTUnwrap(fixture.list("Conversation"))
            XCTAssert(
                fixture.isSeen(fixture.row("Conversation", "Grace, \(fixture.time): message 999 "), in: list))
            XCTAssertLessThan(fixture.rows("Conversation").count, 60)
            fixture.hover(gtk_widget_get_parent(list))
            var oldest = 999
            for _ in 0..<250 {
                let before = fixture.tops(in: list)
                for _ in 0..<4 { fixture.wheel(down: false) }
                fixture.settle()
                let after = fixture.tops(in: list)
                // All rows visible before and after have moved down by the same distance.
                let moves = Set(
                    before.keys.compactMap { name in after[name].map { $0 - (before[name] ?? 0) } })
                XCTAssert(moves.count == 1 || after.isEmpty, "\(moves)")
                XCTAssert(moves.allSatisfy { $0 >= 0 && $0 < 500 }, "\(moves)")
                oldest = min(oldest, fixture.firstSeen(in: list) ?? oldest)
                if oldest < 770 { break }
            }
            XCTAssertLessThan(oldest, 770)
            XCTAssertLessThan(fixture.rows("Conversation").count, 60)
            fixture.clear()
        }
    }

    func testListFollowsOnlyAtEndAndKeyScrollsThere() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture { try $0.fill(facts: talk(200)) }
            fixture.meet()
            fixture.open()
            let list = try XCTUnwrap(fixture.list("Conversation"))
            fixture.come("at the end")
            fixture.settle()
            XCTAssert(
                fixture.isSeen(fixture.row("Conversation", "Grace, \(fixture.time): at the end"), in: list))
            XCTAssertNil(fixture.button("Last message"))
            fixture.hover(gtk_widget_get_parent(list))
            for _ in 0..<6 { fixture.wheel(down: false) }
            fixture.settle()
            let before = fixture.tops(in: list)
            XCTAssertNotNil(fixture.button("Last message"))
            fixture.come("below")
            fixture.come("below too")
            fixture.settle()
            XCTAssertEqual(fixture.tops(in: list), before)
            XCTAssertNotNil(fixture.button("Last message, 2 new"))
            fixture.click(fixture.button("Last message, 2 new"))
            fixture.settle()
            XCTAssert(
                fixture.isSeen(fixture.row("Conversation", "Grace, \(fixture.time): below too"), in: list))
            XCTAssertNil(fixture.button("Last message"))
            // The user's own messages are always scrolled to.
            for _ in 0..<6 { fixture.wheel(down: false) }
            fixture.settle()
            fixture.click(fixture.field)
            fixture.type("mine")
            fixture.type(GDK_KEY_Return)
            fixture.settle()
            XCTAssert(fixture.isSeen(fixture.row("Conversation", "you, \(fixture.time): mine"), in: list))
            fixture.clear()
        }
    }

    func testUnreadLinePrecedesFirstUnreadAndIsScrolledTo() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture { store in
                try store.fill(facts: talk(300, unread: 30))
            }
            fixture.meet()
            XCTAssertEqual(fixture.rows("Buddies").first, "Grace, online, 30 unread")
            fixture.open()
            let list = try XCTUnwrap(fixture.list("Conversation"))
            let row = try XCTUnwrap(fixture.row("Conversation", "Grace, \(fixture.time): message 270 "))
            XCTAssert(fixture.isSeen(row, in: list))
            XCTAssertEqual(fixture.labels(in: fixture.widget).count { $0 == "30 NEW MESSAGES" }, 1)
            XCTAssert(fixture.labels(in: row).contains("30 NEW MESSAGES"))
            XCTAssertEqual(fixture.description(of: row), "30 new messages")
            // Only visible messages are marked as read.
            XCTAssertNotEqual(fixture.rows("Buddies").first, "Grace, online")
            fixture.hover(gtk_widget_get_parent(list))
            for _ in 0..<120 { fixture.wheel(down: true) }
            waitUntil("all messages are read") { fixture.rows("Buddies").first == "Grace, online" }
            fixture.clear()
        }
    }

    /// Opened at its unread messages, all of which are in sight, a conversation stands at its end.
    func testConversationOpenedAtUnreadMessagesFollows() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.meet()
            fixture.open()
            for number in 0..<30 { fixture.come("message \(number)") }
            fixture.settle()
            fixture.open(MessagePanelFixture.edsger)
            for number in 30..<32 { fixture.come("message \(number)") }
            fixture.settle()
            fixture.open()
            let list = try XCTUnwrap(fixture.list("Conversation"))
            for number in 32..<44 {
                fixture.come("message \(number)")
                fixture.settle()
                XCTAssertEqual(
                    fixture.hidden(below: "Grace, \(fixture.time): message \(number)", in: list), 0,
                    "\(number)")
            }
            XCTAssertEqual(fixture.chat.buddies.row(of: MessagePanelFixture.grace)?.unread, 0)
            fixture.clear()
        }
    }

    func testKeyScrollsPastUnreadLineToEnd() throws {
        try onMainActor {
            for unread in [40, 400] {
                let fixture = try MessagePanelFixture { try $0.fill(facts: talk(600, unread: unread)) }
                fixture.meet()
                fixture.open()
                let list = try XCTUnwrap(fixture.list("Conversation"))
                XCTAssert(
                    fixture.isSeen(
                        fixture.row("Conversation", "Grace, \(fixture.time): message \(600 - unread) "),
                        in: list))
                fixture.click(
                    descendants(of: fixture.widget).first {
                        accessibleName(of: $0)?.hasPrefix("Last message, ") == true
                            && gtk_widget_is_visible($0) != 0
                    })
                fixture.settle()
                XCTAssert(
                    fixture.isSeen(
                        fixture.row("Conversation", "Grace, \(fixture.time): message 599 "), in: list))
                XCTAssertEqual(fixture.rows("Buddies").first, "Grace, online")
                fixture.clear()
            }
        }
    }

    func testResizingKeepsVisibleMessages() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture { try $0.fill(facts: talk(400)) }
            fixture.meet()
            fixture.open()
            let list = try XCTUnwrap(fixture.list("Conversation"))
            fixture.hover(gtk_widget_get_parent(list))
            for _ in 0..<20 { fixture.wheel(down: false) }
            fixture.settle()
            let first = try XCTUnwrap(fixture.firstSeen(in: list))
            for width: gint in [700, 340, 520] {
                gtk_window_resize(fixture.widget.cast(), width, 640)
                waitUntil("the window is as wide") { gtk_widget_get_allocated_width(fixture.widget) == width }
                fixture.settle()
                XCTAssertEqual(fixture.firstSeen(in: list), first)
            }
            fixture.click(fixture.button("Last message"))
            fixture.settle()
            for width: gint in [700, 340] {
                gtk_window_resize(fixture.widget.cast(), width, 640)
                waitUntil("the window is as wide") { gtk_widget_get_allocated_width(fixture.widget) == width }
                fixture.settle()
                XCTAssert(
                    fixture.isSeen(
                        fixture.row("Conversation", "Grace, \(fixture.time): message 399 "), in: list))
            }
            fixture.clear()
        }
    }
}

private func buddy(_ number: Int) -> BuddyRecord {
    let digits = String(number)
    let name = String(repeating: "0", count: 4 - digits.count) + digits
    return BuddyRecord(
        ChatAddress("b\(name)@example.org"), name: "Buddy \(name)", tellsMe: true, toldByMe: true)
}

/// Adds messages from Grace of one to six lines, the last of them unread.
func talk(_ count: Int, unread: Int = 0) -> [MessageUpdate] {
    (0..<count).map { number in
        .received(
            ReceivedMessage(
                buddy: MessagePanelFixture.grace, sender: .buddy,
                text: "message \(number) " + String(repeating: "and some words ", count: number * 7 % 17),
                time: ChatTime(milliseconds: 1_315_870_461_000), name: "n\(number)"))
    } + [.seen(buddy: MessagePanelFixture.grace, upTo: .name("n\(count - 1 - unread)"))]
}

extension MessagePanelFixture {
    /// The name of the focused row.
    var focusedName: String? {
        gtk_window_get_focus(widget.cast()).flatMap { accessibleName(of: $0) }
    }

    /// Turns the pointer's wheel by one notch.
    func wheel(down: Bool) {
        cxtest_button(down ? 5 : 4, true)
        cxtest_button(down ? 5 : 4, false)
        handleEvents()
    }

    /// Returns the tops of the visible rows of a list, in pixels from its top.
    func tops(in list: Widget) -> [String: gint] {
        var found: [String: gint] = [:]
        for row in descendants(of: list) where isSeen(row, in: list) {
            guard atk_object_get_role(gtk_widget_get_accessible(row)) == ATK_ROLE_LIST_ITEM,
                let name = accessibleName(of: row)
            else { continue }
            var (x, y): (gint, gint) = (0, 0)
            gtk_widget_translate_coordinates(row, gtk_widget_get_parent(list), 0, 0, &x, &y)
            found[name] = y
        }
        return found
    }

    /// Whether any part of a row is in the visible part of its list.
    func isSeen(_ row: Widget?, in list: Widget) -> Bool {
        guard let row, let view = gtk_widget_get_parent(list), gtk_widget_get_mapped(row) != 0 else {
            return false
        }
        var (x, y): (gint, gint) = (0, 0)
        gtk_widget_translate_coordinates(row, view, 0, 0, &x, &y)
        return y + gtk_widget_get_allocated_height(row) > 0 && y < gtk_widget_get_allocated_height(view)
    }

    /// Returns the number of the first visible message of those that `talk` creates.
    func firstSeen(in list: Widget) -> Int? {
        tops(in: list).min { $0.value < $1.value }?.key.split(separator: " ").dropFirst(3).first.flatMap {
            Int($0)
        }
    }
}
