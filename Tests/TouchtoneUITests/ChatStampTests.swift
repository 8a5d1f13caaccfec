// SPDX-License-Identifier: GPL-3.0-or-later

import CXTest
import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of the line with name and time above a message.
final class ChatStampTests: GtkTestCase {
    func testStampIsOnTheSideOfItsBalloonInWideColumn() throws {
        try onMainActor {
            for isRightToLeft in [false, true] {
                let fixture = try MessagePanelFixture(isRightToLeft: isRightToLeft)
                fixture.meet()
                fixture.open()
                fixture.chat.send("mine", to: MessagePanelFixture.grace)
                fixture.come("yours")
                fixture.settle()
                for (width, isWide): (gint, Bool) in [(406, false), (700, true), (406, false)] {
                    gtk_window_resize(fixture.widget.cast(), width, 640)
                    waitUntil("the window is as wide") {
                        gtk_widget_get_allocated_width(fixture.widget) == width
                    }
                    fixture.settle()
                    for name in ["you", "Grace"] {
                        let row = try XCTUnwrap(fixture.row("Conversation", name))
                        let line = try XCTUnwrap(
                            descendants(of: row).first { $0.has(style: "stamp-line") })
                        let start = left(of: line, in: row)
                        let end =
                            gtk_widget_get_allocated_width(row) - start - gtk_widget_get_allocated_width(line)
                        if !isWide {
                            XCTAssertLessThan(abs(start - end), 3, name)
                        } else if try XCTUnwrap(fixture.isAtLeft(name)) {
                            XCTAssertEqual(start, 20, name)
                        } else {
                            XCTAssertEqual(end, 20, name)
                        }
                    }
                }
                fixture.clear()
            }
        }
    }

    func testRunHasOneStamp() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.meet()
            fixture.open()
            let now = fixture.wall.now.milliseconds
            for (text, seconds): (String, Int64) in [("a", 0), ("b", 10), ("c", 300), ("d", 601)] {
                fixture.come(text, at: now + seconds * 1000)
            }
            fixture.settle()
            fixture.chat.send("mine", to: MessagePanelFixture.grace)
            fixture.settle()
            XCTAssertEqual(fixture.stamped, ["a", "b", "c", "d", "mine"])
            let names = fixture.rows("Conversation")
            fixture.settings[text: "stamp-lines"] = "runs"
            fixture.settle()
            XCTAssertEqual(fixture.stamped, ["a", "d", "mine"])
            XCTAssertEqual(fixture.rows("Conversation"), names, "a screen reader says the same")
            // A corrected message says that it is, also in a run.
            @MainActor func come(_ text: String, _ seconds: Int64, corrects original: String? = nil) {
                fixture.service.tell(
                    .updates([
                        .received(
                            ReceivedMessage(
                                buddy: MessagePanelFixture.grace, sender: .buddy, text: text,
                                time: ChatTime(milliseconds: now + seconds * 1000), name: text,
                                relation: original.map { .corrects($0, proof: .identity) } ?? .none))
                    ]))
                fixture.settle()
            }
            come("e", 602)
            come("f", 603)
            XCTAssertEqual(fixture.stamped, ["a", "d", "mine", "e"])
            come("g", 604, corrects: "f")
            XCTAssertEqual(fixture.stamped, ["a", "d", "mine", "e", "g"])
            fixture.clear()
        }
    }

    func testTypedTextContinuesRun() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.settings[text: "stamp-lines"] = "runs"
            fixture.meet()
            fixture.chat.setRealTimeText(true, MessagePanelFixture.grace)
            fixture.open()
            let tell = { (change: RealTimeTextChange) in
                fixture.service.tell(.realTimeText(MessagePanelFixture.grace, change))
                fixture.settle()
            }
            tell(.began)
            tell(.text("firs"))
            let list = try XCTUnwrap(fixture.list("Conversation"))
            let places = fixture.tops(in: list).values.sorted()
            fixture.come("first")
            tell(.sent)
            XCTAssertEqual(fixture.tops(in: list).values.sorted(), places)
            XCTAssertEqual(fixture.stamped, ["first"])
            tell(.text("secon"))
            XCTAssertEqual(fixture.stamped, ["first"], "it continues the run")
            XCTAssertEqual(fixture.rows("Conversation").last, "Grace is typing…: secon")
            fixture.chat.send("mine", to: MessagePanelFixture.grace)
            fixture.settle()
            XCTAssertEqual(fixture.stamped, ["first", "mine", "secon"], "the run has ended")
            fixture.clear()
        }
    }

    func testTimeInRunIsSeenOnHoverAndFocusAndNothingMoves() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.settings[text: "stamp-lines"] = "runs"
            fixture.meet()
            fixture.open()
            for text in ["a", "b"] { fixture.come(text) }
            fixture.settle()
            let row = try XCTUnwrap(fixture.row("Conversation", "Grace, \(fixture.time): b"))
            let time = try XCTUnwrap(
                descendants(of: row).first { $0.has(style: "stamp") && gtk_widget_get_mapped($0) != 0 })
            XCTAssertEqual(time.text, fixture.time)
            let list = try XCTUnwrap(fixture.list("Conversation"))
            let places = { fixture.tops(in: list) }
            let before = places()
            XCTAssertEqual(time.opacity, 0)
            fixture.hover(row)
            waitUntil("it is seen") { time.opacity == 1 }
            XCTAssertEqual(places(), before)
            movePointerAway()
            waitUntil("it is not seen") { time.opacity == 0 }
            gtk_widget_grab_focus(row)
            waitUntil("it is seen") { time.opacity == 1 }
            XCTAssertEqual(places(), before)
            let tip = gtk_widget_get_tooltip_text(try XCTUnwrap(gtk_widget_get_parent(time)))
            XCTAssertEqual(tip.map { String(cString: $0).hasPrefix("Grace Sep ") }, true)
            g_free(tip)
            fixture.clear()
        }
    }
}

extension MessagePanelFixture {
    /// The texts of the messages with a line.
    fileprivate var stamped: [String] {
        guard let list = panel.insides?.conversation.messages.list else { return [] }
        return list.builtRows.filter { row in
            descendants(of: row.box).contains {
                $0.has(style: "stamp-line") && gtk_widget_get_mapped($0) != 0
            }
        }.compactMap { $0.cell?.text }
    }
}

extension Widget {
    /// The opacity that the style gives.
    @MainActor fileprivate var opacity: Double {
        let style = gtk_widget_get_style_context(self)
        var value = GValue()
        gtk_style_context_get_property(style, "opacity", gtk_style_context_get_state(style), &value)
        defer { g_value_unset(&value) }
        return g_value_get_double(&value)
    }
}
