// SPDX-License-Identifier: GPL-3.0-or-later

import CXTest
import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of a conversation: writing, receiving and display.
final class ChatConversationTests: GtkTestCase {
    func testReturnSendsAndShiftReturnBreaksLine() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.meet()
            fixture.click(fixture.row("Buddies", "Grace"))
            fixture.settle()
            fixture.type("hello")
            fixture.type(GDK_KEY_Return, with: Modifier.shift)
            fixture.type("world")
            fixture.type(GDK_KEY_Return)
            fixture.settle()
            XCTAssertEqual(fixture.rows("Conversation"), ["you, \(fixture.time): hello\nworld"])
            XCTAssertEqual(fixture.fieldText, "")
            XCTAssertEqual(fixture.sent.count, 1)
            fixture.type("  ")
            fixture.type(GDK_KEY_Return)
            fixture.settle()
            XCTAssertEqual(fixture.sent.count, 1)
            fixture.clear()
        }
    }

    func testTooLongTextStaysInField() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.meet()
            fixture.service.maximumTextLength = 15_000
            fixture.open()
            fixture.click(fixture.field)
            let line = String(repeating: "a", count: 99) + "\n"
            let text = String(repeating: line, count: 150) + "a"
            Clipboard.write(text)
            fixture.type("v", with: Modifier.control)
            waitUntil("it is pasted") { fixture.fieldText.utf8.count == 15_001 }
            fixture.type(GDK_KEY_Return)
            fixture.settle()
            XCTAssertEqual(fixture.fieldText, text)
            XCTAssertEqual(fixture.rows("Conversation"), [])
            XCTAssert(fixture.labels(in: fixture.widget).contains(Conversation.tooLong))
            fixture.type(GDK_KEY_BackSpace)
            fixture.settle()
            XCTAssertFalse(
                fixture.labels(in: fixture.widget).contains(Conversation.tooLong),
                "it may not be too long any more"
            )
            fixture.type(GDK_KEY_Return)
            fixture.settle()
            XCTAssertEqual(fixture.fieldText, "")
            XCTAssertEqual(
                fixture.store.table.messages(of: MessagePanelFixture.grace).map(\.text.utf8.count), [15_000],
                "all of it")
            // A correction is refused in the same way.
            fixture.service.maximumTextLength = 3
            fixture.type(GDK_KEY_Up)
            fixture.settle()
            fixture.type("b")
            fixture.type(GDK_KEY_Return)
            fixture.settle()
            XCTAssertEqual(fixture.fieldText.utf8.count, 15_001)
            XCTAssert(fixture.labels(in: fixture.widget).contains(Conversation.tooLong))
            fixture.clear()
        }
    }

    func testTimestampsGainDateAtMidnight() throws {
        try onMainActor {
            let clock = ManualScheduler()
            let fixture = try MessagePanelFixture(clock: clock)
            let stamps = LocaleStamps()
            fixture.meet()
            fixture.open()
            fixture.come("hi")
            fixture.settle()
            var written = fixture.wall.now
            XCTAssertEqual(fixture.rows("Conversation"), ["Grace, \(stamps.time(written)): hi"])
            // Two midnights, because each sets the timer for the next.
            for night in 1...2 {
                let midnight = try XCTUnwrap(stamps.nextDay(after: written))
                let rest = midnight.milliseconds - written.milliseconds
                clock.advance(by: .milliseconds(rest - 1))
                XCTAssertEqual(fixture.rows("Conversation").last, "Grace, \(stamps.time(written)): hi")
                fixture.wall.now = midnight
                clock.advance(by: .milliseconds(1))
                fixture.settle()
                XCTAssertEqual(
                    fixture.rows("Conversation").last, "Grace, \(stamps.dateAndTime(written)): hi", "\(night)"
                )
                written = midnight
                fixture.come("hi")
                fixture.settle()
            }
            XCTAssertEqual(fixture.rows("Conversation").last, "Grace, \(stamps.time(written)): hi")
            // A hidden view sets no timer, and shows the right day when it is visible again.
            fixture.side.isInView = false
            gtk_widget_hide(fixture.widget)
            handleEvents()
            XCTAssert((clock.pending == 0))
            fixture.wall.now = ChatTime(milliseconds: written.milliseconds + 86_400_000)
            gtk_widget_show(fixture.widget)
            fixture.settle()
            XCTAssertEqual(
                fixture.rows("Conversation").last, "Grace, \(stamps.dateAndTime(written)): hi")
            XCTAssertFalse((clock.pending == 0))
            fixture.clear()
        }
    }

    func testSendKeySendsAndFieldKeepsFocus() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.meet()
            fixture.open()
            fixture.click(fixture.field)
            fixture.type("5")
            fixture.click(fixture.button("Send"))
            fixture.settle()
            XCTAssertEqual(fixture.rows("Conversation"), ["you, \(fixture.time): 5"])
            fixture.type("6")
            XCTAssertEqual(fixture.fieldText, "6")
            fixture.clear()
        }
    }

    func testFieldGrowsToFiveLines() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.meet()
            fixture.open()
            fixture.click(fixture.field)
            let list = try XCTUnwrap(fixture.list("Conversation"))
            var heights: [gint] = []
            for _ in 0..<8 {
                fixture.type("a")
                heights.append(fixture.viewHeight(of: list))
                fixture.type(GDK_KEY_Return, with: Modifier.shift)
                fixture.settle()
            }
            // The list of messages shrinks from the second line to the fifth.
            let steps = zip(heights, heights.dropFirst()).map { $0 - $1 }
            XCTAssertEqual(steps.count { $0 > 8 }, 4, "\(heights)")
            XCTAssertEqual(steps.last, 0)
            fixture.clear()
        }
    }

    func testLastMessageStaysVisibleWhileFieldGrows() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.meet()
            fixture.open()
            for number in 0..<30 { fixture.come("message \(number)") }
            fixture.settle()
            let list = try XCTUnwrap(fixture.list("Conversation"))
            XCTAssertEqual(fixture.hidden(below: "Grace, \(fixture.time): message 29", in: list), 0)
            fixture.click(fixture.field)
            for _ in 0..<4 {
                fixture.type("a")
                fixture.type(GDK_KEY_Return, with: Modifier.shift)
                fixture.settle()
                XCTAssertEqual(fixture.hidden(below: "Grace, \(fixture.time): message 29", in: list), 0)
            }
            fixture.clear()
        }
    }

    func testEachBuddyHasDraft() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.meet()
            fixture.click(fixture.row("Buddies", "Grace"))
            fixture.settle()
            fixture.type("to grace")
            fixture.click(fixture.row("Buddies", "Edsger"))
            fixture.settle()
            XCTAssertEqual(fixture.fieldText, "")
            fixture.type("to edsger")
            fixture.click(fixture.row("Buddies", "Grace"))
            fixture.settle()
            XCTAssertEqual(fixture.fieldText, "to grace")
            XCTAssert(fixture.service.calls.contains(.tell(.composing, MessagePanelFixture.grace)))
            fixture.clear()
        }
    }

    func testUpArrowCorrectsLastMessageAndEscapeCancels() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.meet()
            fixture.open()
            fixture.click(fixture.field)
            fixture.type("helo")
            fixture.type(GDK_KEY_Return)
            fixture.settle()
            fixture.type(GDK_KEY_Up)
            XCTAssertEqual(fixture.fieldText, "helo")
            XCTAssertNotNil(fixture.button("Cancel Editing"))
            fixture.type(GDK_KEY_Escape)
            XCTAssertEqual(fixture.fieldText, "")
            XCTAssertNil(fixture.button("Cancel Editing"))
            fixture.type(GDK_KEY_Up)
            fixture.type("o")
            fixture.type(GDK_KEY_Return)
            fixture.settle()
            XCTAssertEqual(fixture.rows("Conversation"), ["you, \(fixture.time): heloo"])
            XCTAssertEqual(
                fixture.description(of: fixture.row("Conversation", "you")),
                "edited, waiting for a connection")
            XCTAssert(
                fixture.labels(in: fixture.row("Conversation", "you")).contains { $0.hasSuffix("· edited") })
            // In a field with text, the arrow moves the caret.
            fixture.type("x")
            fixture.type(GDK_KEY_Up)
            XCTAssertEqual(fixture.fieldText, "x")
            fixture.clear()
        }
    }

    func testRetractedMessageCannotBeEdited() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.meet()
            fixture.open()
            fixture.click(fixture.field)
            fixture.type("helo")
            fixture.type(GDK_KEY_Return)
            fixture.settle()
            fixture.type(GDK_KEY_Up)
            XCTAssertNotNil(fixture.button("Cancel Editing"))
            // Another device of the user retracts it meanwhile.
            fixture.service.tell(
                .updates([
                    .annotated(
                        MessageAnnotation(
                            .retraction, of: .stanza(fixture.sent[0]), buddy: MessagePanelFixture.grace,
                            sender: .me, time: fixture.wall.now))
                ]))
            fixture.settle()
            XCTAssertNil(fixture.button("Cancel Editing"))
            XCTAssertEqual(fixture.fieldText, "")
            fixture.type(GDK_KEY_Up)
            XCTAssertNil(fixture.button("Cancel Editing"))
            fixture.click(fixture.row("Conversation", "you"), button: 3)
            XCTAssertEqual(fixture.menuItems, ["Details…"])
            fixture.type(GDK_KEY_Escape)
            fixture.clear()
        }
    }

    func testMessageStatesAreShownAndFailedMessageIsRetried() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.meet()
            fixture.open()
            fixture.chat.send("hello", to: MessagePanelFixture.grace)
            fixture.settle()
            let name = fixture.sent[0]
            for (fact, word) in [
                (MessageUpdate.acknowledged(buddy: MessagePanelFixture.grace, name: name), "sent"),
                (.delivered(buddy: MessagePanelFixture.grace, name: name), "delivered"),
                (.read(buddy: MessagePanelFixture.grace, name: name), "read"),
            ] {
                fixture.service.tell(.updates([fact]))
                fixture.settle()
                XCTAssertEqual(fixture.description(of: fixture.row("Conversation", "you")), word)
            }
            fixture.chat.send("lost", to: MessagePanelFixture.grace)
            fixture.settle()
            fixture.service.tell(
                .updates([
                    .failed(
                        buddy: MessagePanelFixture.grace, name: fixture.sent[1], reason: "Nobody is there.")
                ]))
            fixture.settle()
            let row = fixture.row("Conversation", "you, \(fixture.time): lost")
            XCTAssert(fixture.labels(in: row).contains("Nobody is there."))
            fixture.click(fixture.button("Retry"))
            fixture.settle()
            XCTAssertEqual(fixture.sent.count, 3)
            XCTAssertNil(fixture.button("Retry"))
            fixture.clear()
        }
    }

    func testTypingIsReportedAndEnds() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.meet()
            fixture.open()
            fixture.service.tell(.typing(MessagePanelFixture.grace, .composing))
            fixture.settle()
            XCTAssert(fixture.labels(in: fixture.widget).contains("Grace is typing…"))
            fixture.service.tell(.typing(MessagePanelFixture.grace, .paused))
            fixture.settle()
            XCTAssertFalse(fixture.labels(in: fixture.widget).contains("Grace is typing…"))
            fixture.clear()
        }
    }

    func testOwnSideFollowsSettingAndTextDirection() throws {
        try onMainActor {
            for isRightToLeft in [false, true] {
                let fixture = try MessagePanelFixture(isRightToLeft: isRightToLeft)
                fixture.meet()
                fixture.open()
                fixture.chat.send("mine", to: MessagePanelFixture.grace)
                fixture.come("yours")
                fixture.settle()
                XCTAssertEqual(fixture.isAtLeft("you"), !isRightToLeft)
                XCTAssertEqual(fixture.isAtLeft("Grace"), isRightToLeft)
                fixture.settings[text: "my-messages-side"] = "right"
                fixture.settle()
                XCTAssertEqual(fixture.isAtLeft("you"), isRightToLeft)
                XCTAssertEqual(fixture.isAtLeft("Grace"), !isRightToLeft)
                fixture.clear()
            }
        }
    }

    func testBalloonFitsTextUpToThreeQuartersOfWidth() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.meet()
            fixture.open()
            fixture.come("ok")
            fixture.come(String(repeating: "many words of a long message ", count: 12))
            fixture.settle()
            let (short, long) = (
                try XCTUnwrap(fixture.balloon("Grace, \(fixture.time): ok")),
                try XCTUnwrap(fixture.balloon("Grace, \(fixture.time): many"))
            )
            for width: gint in [406, 800, 340] {
                gtk_window_resize(fixture.widget.cast(), width, 640)
                waitUntil("the window is as wide") { gtk_widget_get_allocated_width(fixture.widget) == width }
                fixture.settle()
                let list = gtk_widget_get_allocated_width(fixture.list("Conversation"))
                XCTAssertEqual(gtk_widget_get_allocated_width(long), min(list * 3 / 4, 520))
                XCTAssertLessThan(gtk_widget_get_allocated_width(short), 70)
                XCTAssertEqual(gtk_widget_get_allocated_height(short), fixture.oneLine)
                let lines = fixture.lines(of: long)
                XCTAssertGreaterThan(lines, 2)
                XCTAssertEqual(
                    gtk_widget_get_allocated_height(long), fixture.height(ofLines: lines, in: long))
            }
            fixture.clear()
        }
    }

    func testEmptyConversationIsExplainedOnceLoaded() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.meet()
            XCTAssert(fixture.labels(in: fixture.widget).contains("Choose a buddy to start a conversation."))
            fixture.store.isHeld = true
            fixture.chat.select(MessagePanelFixture.grace)
            handleEvents()
            let words = "No messages yet. Say hello to Grace."
            XCTAssertFalse(fixture.labels(in: fixture.widget).contains(words))
            fixture.store.isHeld = false
            fixture.settle()
            XCTAssert(fixture.labels(in: fixture.widget).contains(words))
            fixture.come("hello")
            fixture.settle()
            XCTAssertFalse(fixture.labels(in: fixture.widget).contains(words))
            fixture.clear()
        }
    }

    func testLargerTextMakesLargerBalloons() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.meet()
            fixture.open()
            fixture.come("ok")
            fixture.settle()
            let balloon = try XCTUnwrap(fixture.balloon("Grace, \(fixture.time): ok"))
            let before = gtk_widget_get_allocated_height(balloon)
            setResolution(144)
            fixture.settle()
            XCTAssertGreaterThan(gtk_widget_get_allocated_height(balloon), before + 5)
            XCTAssertEqual(gtk_widget_get_allocated_height(balloon), fixture.oneLine)
            setResolution(96)
            fixture.settle()
            XCTAssertEqual(gtk_widget_get_allocated_height(balloon), before)
            fixture.clear()
        }
    }

    func testTimestampsShowDateExceptForToday() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.meet()
            fixture.open()
            fixture.come("old", at: fixture.wall.now.milliseconds - 400 * 86_400_000)
            fixture.come("new")
            fixture.settle()
            let old = try XCTUnwrap(fixture.row("Conversation", "Grace, Aug"))
            XCTAssert(fixture.labels(in: old).contains { $0.hasPrefix("Grace Aug ") })
            let row = try XCTUnwrap(fixture.row("Conversation", "Grace, \(fixture.time): new"))
            let stamp = descendants(of: row).first { gtk_widget_get_tooltip_text($0) != nil }
            let tip = gtk_widget_get_tooltip_text(stamp)
            XCTAssertEqual(tip.map { String(cString: $0).hasPrefix("Grace Sep ") }, true)
            g_free(tip)
            fixture.clear()
        }
    }
}

/// Sets the dots per inch of text, which the desktop's text scale changes.
@MainActor
private func setResolution(_ dots: gint) {
    var value = GValue()
    g_value_init(&value, g_type_from_name("gint"))
    g_value_set_int(&value, dots * 1024)
    guard let settings = gtk_settings_get_default() else { return }
    g_object_set_property(settings.cast(), "gtk-xft-dpi", &value)
    g_value_unset(&value)
}
