// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of the lines across a conversation, above a new day and above new messages.
final class ChatDayTests: GtkTestCase {
    private static let day: Int64 = 86_400_000

    func testNewDayHasLine() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.meet()
            fixture.open()
            let now = fixture.wall.now.milliseconds
            for days: Int64 in [400, 400, 1, 1, 0, 0] { fixture.come("\(days)", at: now - days * Self.day) }
            fixture.settle()
            let old = ChatTime(milliseconds: now - 400 * Self.day)
            let date = try XCTUnwrap(LocaleTime(seconds: old.milliseconds / 1000)?.date)
            XCTAssertEqual(fixture.lines, [date.uppercased(), nil, "YESTERDAY", nil, "TODAY", nil])
            let line = descendants(of: fixture.widget).first {
                cgtk_instance_is_a($0, gtk_label_get_type()) != 0 && $0.text == "TODAY"
            }
            let label = try XCTUnwrap(line)
            XCTAssertEqual(accessibleName(of: label), "Today", "it is not spelled")
            XCTAssertEqual(pango_layout_is_ellipsized(gtk_label_get_layout(label.cast())), 0)
            XCTAssertEqual(fixture.rows("Conversation").last, "Grace, \(fixture.time): 0")
            // The day goes on to the next one while the conversation is open.
            fixture.wall.now = ChatTime(milliseconds: now + Self.day)
            fixture.panel.insides?.conversation.checkDay()
            fixture.come("next")
            fixture.settle()
            XCTAssertEqual(fixture.lines.suffix(3), ["YESTERDAY", nil, "TODAY"])
            fixture.clear()
        }
    }

    func testHeadingsChangeWithTheMessageBefore() {
        onMainActor {
            let stamps = LocaleStamps()
            func message(_ id: Int64, days: Int64) -> ChatMessage {
                ChatMessage(
                    id: id,
                    conversation: ConversationID(
                        MessagePanelFixture.grace, of: ChatAddress("ada@example.org")),
                    sender: .buddy, content: MessageContent("a"),
                    time: ChatTime(milliseconds: 1_315_870_461_000 + days * Self.day), place: id,
                    state: .received)
            }
            let later = [message(2, days: 1), message(3, days: 1)]
            let some = MessageHeadings(later.map { .message($0) }, stamps: stamps)
            XCTAssertEqual(
                [2, 3].map { some[$0].startsDay }, [false, false], "the message before is not known")
            let all = MessageHeadings(
                ([message(1, days: 0)] + later).map { .message($0) }, isFromBeginning: true, stamps: stamps)
            XCTAssertEqual([1, 2, 3].map { all[$0].startsDay }, [true, true, false])
            XCTAssertEqual(Set(all.changes(since: some)), [1, 2])
            XCTAssertEqual(some.changes(since: some), [])
            XCTAssertEqual(some[9], MessageHeadings.Heading())
        }
    }

    func testDaysAreThoseOfTheTimeZone() {
        onMainActor {
            let stamps = LocaleStamps()
            let moment = ChatTime(milliseconds: 1_315_870_461_000)
            XCTAssertEqual(
                stamps.day(of: ChatTime(milliseconds: -1)), stamps.day(of: ChatTime(milliseconds: -1000)))
            for start in [moment, ChatTime(milliseconds: -5_000_000_000), ChatTime(milliseconds: 0)] {
                guard let midnight = stamps.nextDay(after: start) else { return XCTFail("the calendar ends") }
                let before = ChatTime(milliseconds: midnight.milliseconds - 1)
                XCTAssertEqual(stamps.day(of: before), stamps.day(of: start))
                XCTAssertEqual(stamps.day(of: midnight), stamps.day(of: start) + 1)
                XCTAssertEqual(stamps.dayName(of: start, now: before), "Today")
                XCTAssertEqual(stamps.dayName(of: start, now: midnight), "Yesterday")
            }
        }
    }
}

extension MessagePanelFixture {
    /// The texts of the lines across the conversation, for each row.
    fileprivate var lines: [String?] {
        guard let list = panel.insides?.conversation.messages.list else { return [] }
        return list.builtRows.map { row in
            descendants(of: row.box).first {
                gtk_style_context_has_class(gtk_widget_get_style_context($0), "line-across") != 0
                    && gtk_widget_get_mapped($0) != 0
            }.flatMap { labels(in: $0).first }
        }
    }
}
