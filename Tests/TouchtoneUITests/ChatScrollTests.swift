// SPDX-License-Identifier: GPL-3.0-or-later

import CXTest
import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Long conversations and long lists: what is built, where they stand, and how they move.
final class ChatScrollTests: GtkTestCase {
    func testFiveThousandBuddiesBuildOnlyTheRowsThatAreSeen() throws {
        try onMainActor {
            let desk = try ChatDesk()
            desk.service.tell(.buddies((0..<5000).map(buddy), version: "1"))
            for number in 0..<5000 where number % 2 == 0 {
                desk.service.tell(.presence(buddy(number).address, device: "a", DevicePresence(.online)))
            }
            waitUntil("all are there") { desk.chat.buddies.onlineCount == 2501 }
            desk.settle()
            XCTAssertLessThan(desk.rows("Buddies").count, 60)
            XCTAssert(desk.labels(in: desk.widget).contains("BUDDIES — 2501 ONLINE"))
            desk.clear()
        }
    }

    func testTheKeyboardReachesEveryBuddy() throws {
        try onMainActor {
            let desk = try ChatDesk()
            desk.service.tell(.buddies((0..<500).map(buddy), version: "1"))
            waitUntil("all are there") { desk.chat.buddies.rows.count == 501 }
            desk.settle()
            desk.click(desk.row("Buddies", "Operator"))
            desk.settle()
            let list = try XCTUnwrap(desk.list("Buddies"))
            gtk_widget_child_focus(list, GTK_DIR_TAB_FORWARD)
            XCTAssertEqual(desk.focusedName, "Operator, online")
            desk.type(GDK_KEY_Down)
            XCTAssertEqual(desk.focusedName, "Buddy 0000, offline")
            desk.type(GDK_KEY_End)
            desk.settle()
            XCTAssertEqual(desk.focusedName, "Buddy 0499, offline")
            XCTAssert(desk.isSeen(desk.row("Buddies", "Buddy 0499"), in: list))
            desk.type(GDK_KEY_Page_Up)
            desk.settle()
            let above = try XCTUnwrap(desk.focusedName)
            XCTAssert(above < "Buddy 0497" && above > "Buddy 0470", above)
            XCTAssert(desk.isSeen(desk.row("Buddies", above), in: list))
            desk.type(GDK_KEY_Home)
            desk.settle()
            XCTAssertEqual(desk.focusedName, "Operator, online")
            for _ in 0..<40 { desk.type(GDK_KEY_Down) }
            desk.settle()
            XCTAssertEqual(desk.focusedName, "Buddy 0039, offline")
            XCTAssert(desk.isSeen(desk.row("Buddies", "Buddy 0039"), in: list))
            desk.type(GDK_KEY_Return)
            desk.settle()
            XCTAssertEqual(desk.chat.selected?.buddy, buddy(39).address)
            XCTAssert(desk.field.map { gtk_widget_has_focus($0) != 0 } == true)
            desk.clear()
        }
    }

    func testARowWithTheFocusStaysWhileTheListIsScrolledAwayAndSortedAnew() throws {
        try onMainActor {
            let desk = try ChatDesk()
            desk.service.tell(.buddies((0..<500).map(buddy), version: "1"))
            waitUntil("all are there") { desk.chat.buddies.rows.count == 501 }
            desk.settle()
            let list = try XCTUnwrap(desk.list("Buddies"))
            gtk_widget_child_focus(list, GTK_DIR_TAB_FORWARD)
            desk.type(GDK_KEY_Down)
            desk.hover(gtk_widget_get_parent(list))
            for _ in 0..<30 { desk.wheel(down: true) }
            desk.settle()
            XCTAssertEqual(desk.focusedName, "Buddy 0000, offline")
            XCTAssertFalse(desk.isSeen(desk.row("Buddies", "Buddy 0000"), in: list))
            desk.service.tell(.presence(buddy(300).address, device: "a", DevicePresence(.online)))
            waitUntil("it is sorted") {
                desk.chat.buddies.rows[1].id == buddy(300).address
                    || desk.chat.buddies.rows[0].id == buddy(300).address
            }
            desk.settle()
            XCTAssertEqual(desk.focusedName, "Buddy 0000, offline")
            desk.type(GDK_KEY_Down)
            desk.settle()
            XCTAssertEqual(desk.focusedName, "Buddy 0001, offline")
            XCTAssert(desk.isSeen(desk.row("Buddies", "Buddy 0001"), in: list))
            desk.clear()
        }
    }

    func testAConversationOpensAtItsEndAndOlderMessagesComeWithoutAJump() throws {
        try onMainActor {
            let desk = try ChatDesk { try $0.fill(facts: talk(1000)) }
            desk.meet()
            desk.open()
            let list = try XCTUnwrap(desk.list("Conversation"))
            XCTAssert(desk.isSeen(desk.row("Conversation", "Grace, \(desk.time): message 999 "), in: list))
            XCTAssertLessThan(desk.rows("Conversation").count, 60)
            desk.hover(gtk_widget_get_parent(list))
            var oldest = 999
            for _ in 0..<150 {
                let before = desk.tops(in: list)
                for _ in 0..<4 { desk.wheel(down: false) }
                desk.settle()
                let after = desk.tops(in: list)
                // All that is seen before and after has moved by the same distance, and down.
                let moves = Set(
                    before.keys.compactMap { name in after[name].map { $0 - (before[name] ?? 0) } })
                XCTAssert(moves.count == 1 || after.isEmpty, "\(moves)")
                XCTAssert(moves.allSatisfy { $0 >= 0 && $0 < 500 }, "\(moves)")
                oldest = min(oldest, desk.firstSeen(in: list) ?? oldest)
                if oldest < 770 { break }
            }
            XCTAssertLessThan(oldest, 770)
            XCTAssertLessThan(desk.rows("Conversation").count, 60)
            desk.clear()
        }
    }

    func testTheListFollowsOnlyAtItsEndAndAKeyLeadsThere() throws {
        try onMainActor {
            let desk = try ChatDesk { try $0.fill(facts: talk(200)) }
            desk.meet()
            desk.open()
            let list = try XCTUnwrap(desk.list("Conversation"))
            desk.come("at the end")
            desk.settle()
            XCTAssert(desk.isSeen(desk.row("Conversation", "Grace, \(desk.time): at the end"), in: list))
            XCTAssertNil(desk.button("Last message"))
            desk.hover(gtk_widget_get_parent(list))
            for _ in 0..<6 { desk.wheel(down: false) }
            desk.settle()
            let before = desk.tops(in: list)
            XCTAssertNotNil(desk.button("Last message"))
            desk.come("below")
            desk.come("below too")
            desk.settle()
            XCTAssertEqual(desk.tops(in: list), before)
            XCTAssertNotNil(desk.button("Last message, 2 new"))
            desk.click(desk.button("Last message, 2 new"))
            desk.settle()
            XCTAssert(desk.isSeen(desk.row("Conversation", "Grace, \(desk.time): below too"), in: list))
            XCTAssertNil(desk.button("Last message"))
            // What I send is always shown.
            for _ in 0..<6 { desk.wheel(down: false) }
            desk.settle()
            desk.click(desk.field)
            desk.type("mine")
            desk.type(GDK_KEY_Return)
            desk.settle()
            XCTAssert(desk.isSeen(desk.row("Conversation", "you, \(desk.time): mine"), in: list))
            desk.clear()
        }
    }

    func testTheUnreadLineStandsAboveTheFirstAndIsScrolledTo() throws {
        try onMainActor {
            let desk = try ChatDesk { store in
                try store.fill(facts: talk(300, unread: 30))
            }
            desk.meet()
            XCTAssertEqual(desk.rows("Buddies").first, "Grace, online, 30 unread")
            desk.open()
            let list = try XCTUnwrap(desk.list("Conversation"))
            let row = try XCTUnwrap(desk.row("Conversation", "Grace, \(desk.time): message 270 "))
            XCTAssert(desk.isSeen(row, in: list))
            XCTAssertEqual(desk.labels(in: desk.widget).count { $0 == "New messages" }, 1)
            XCTAssert(desk.labels(in: row).contains("New messages"))
            // Read as far as it is seen, and no further.
            XCTAssertNotEqual(desk.rows("Buddies").first, "Grace, online")
            desk.hover(gtk_widget_get_parent(list))
            for _ in 0..<60 { desk.wheel(down: true) }
            desk.settle()
            XCTAssertEqual(desk.rows("Buddies").first, "Grace, online")
            desk.clear()
        }
    }

    func testTheKeyLeadsToTheEndPastTheUnreadLine() throws {
        try onMainActor {
            for unread in [40, 400] {
                let desk = try ChatDesk { try $0.fill(facts: talk(600, unread: unread)) }
                desk.meet()
                desk.open()
                let list = try XCTUnwrap(desk.list("Conversation"))
                XCTAssert(
                    desk.isSeen(
                        desk.row("Conversation", "Grace, \(desk.time): message \(600 - unread) "), in: list))
                desk.click(
                    descendants(of: desk.widget).first {
                        accessibleName(of: $0)?.hasPrefix("Last message, ") == true
                            && gtk_widget_is_visible($0) != 0
                    })
                desk.settle()
                XCTAssert(
                    desk.isSeen(desk.row("Conversation", "Grace, \(desk.time): message 599 "), in: list))
                XCTAssertEqual(desk.rows("Buddies").first, "Grace, online")
                desk.clear()
            }
        }
    }

    func testResizingKeepsWhatIsLookedAt() throws {
        try onMainActor {
            let desk = try ChatDesk { try $0.fill(facts: talk(400)) }
            desk.meet()
            desk.open()
            let list = try XCTUnwrap(desk.list("Conversation"))
            desk.hover(gtk_widget_get_parent(list))
            for _ in 0..<20 { desk.wheel(down: false) }
            desk.settle()
            let first = try XCTUnwrap(desk.firstSeen(in: list))
            for width: gint in [700, 340, 520] {
                gtk_window_resize(desk.widget.cast(), width, 640)
                waitUntil("the window is as wide") { gtk_widget_get_allocated_width(desk.widget) == width }
                desk.settle()
                XCTAssertEqual(desk.firstSeen(in: list), first)
            }
            desk.click(desk.button("Last message"))
            desk.settle()
            for width: gint in [700, 340] {
                gtk_window_resize(desk.widget.cast(), width, 640)
                waitUntil("the window is as wide") { gtk_widget_get_allocated_width(desk.widget) == width }
                desk.settle()
                XCTAssert(
                    desk.isSeen(desk.row("Conversation", "Grace, \(desk.time): message 399 "), in: list))
            }
            desk.clear()
        }
    }
}

private func buddy(_ number: Int) -> BuddyRecord {
    let digits = String(number)
    let name = String(repeating: "0", count: 4 - digits.count) + digits
    return BuddyRecord(
        ChatAddress("b\(name)@example.org"), name: "Buddy \(name)", tellsMe: true, toldByMe: true)
}

/// Messages of Grace's, of one to six lines, the last of them unread.
func talk(_ count: Int, unread: Int = 0) -> [ChatFact] {
    (0..<count).map { number in
        .came(
            CameMessage(
                buddy: ChatDesk.grace, sender: .buddy,
                text: "message \(number) " + String(repeating: "and some words ", count: number * 7 % 17),
                time: ChatTime(milliseconds: 1_315_870_461_000), name: "n\(number)"))
    } + [.seen(buddy: ChatDesk.grace, upTo: .name("n\(count - 1 - unread)"))]
}

extension ChatDesk {
    /// The name of the row that has the focus.
    var focusedName: String? {
        gtk_window_get_focus(widget.cast()).flatMap { accessibleName(of: $0) }
    }

    /// Turns the pointer's wheel by a notch.
    func wheel(down: Bool) {
        cxtest_button(down ? 5 : 4, true)
        cxtest_button(down ? 5 : 4, false)
        handleEvents()
    }

    /// Where the rows are that are seen of a list, in pixels from its top.
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

    /// Whether something of a row is in the part of its list that is seen.
    func isSeen(_ row: Widget?, in list: Widget) -> Bool {
        guard let row, let view = gtk_widget_get_parent(list), gtk_widget_get_mapped(row) != 0 else {
            return false
        }
        var (x, y): (gint, gint) = (0, 0)
        gtk_widget_translate_coordinates(row, view, 0, 0, &x, &y)
        return y + gtk_widget_get_allocated_height(row) > 0 && y < gtk_widget_get_allocated_height(view)
    }

    /// The number of the first message that is seen of those that `talk` makes.
    func firstSeen(in list: Widget) -> Int? {
        tops(in: list).min { $0.value < $1.value }?.key.split(separator: " ").dropFirst(3).first.flatMap {
            Int($0)
        }
    }
}
