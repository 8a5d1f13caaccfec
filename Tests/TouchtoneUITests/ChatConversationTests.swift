// SPDX-License-Identifier: GPL-3.0-or-later

import CXTest
import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// The conversation: what is written, what comes, and what is shown of it.
final class ChatConversationTests: GtkTestCase {
    func testReturnSendsAndShiftReturnBreaksTheLine() throws {
        try onMainActor {
            let desk = try ChatDesk()
            desk.meet()
            desk.click(desk.row("Buddies", "Grace"))
            desk.settle()
            desk.type("hello")
            desk.type(GDK_KEY_Return, with: Modifier.shift)
            desk.type("world")
            desk.type(GDK_KEY_Return)
            desk.settle()
            XCTAssertEqual(desk.rows("Conversation"), ["you, \(desk.time): hello\nworld"])
            XCTAssertEqual(desk.fieldText, "")
            XCTAssertEqual(desk.sent.count, 1)
            // A field of blanks sends nothing.
            desk.type("  ")
            desk.type(GDK_KEY_Return)
            desk.settle()
            XCTAssertEqual(desk.sent.count, 1)
            desk.clear()
        }
    }

    func testATextThatIsTooLongStaysInTheField() throws {
        try onMainActor {
            let desk = try ChatDesk()
            desk.meet()
            desk.service.longestText = 150_000
            desk.open()
            desk.click(desk.field)
            let line = String(repeating: "a", count: 99) + "\n"
            let text = String(repeating: line, count: 1500) + "a"
            Clipboard.write(text)
            desk.type("v", with: Modifier.control)
            waitUntil("it is pasted") { desk.fieldText.utf8.count == 150_001 }
            desk.type(GDK_KEY_Return)
            desk.settle()
            XCTAssertEqual(desk.fieldText, text)
            XCTAssertEqual(desk.rows("Conversation"), [])
            XCTAssert(desk.labels(in: desk.widget).contains(Conversation.tooLong))
            desk.type(GDK_KEY_BackSpace)
            desk.settle()
            XCTAssertFalse(
                desk.labels(in: desk.widget).contains(Conversation.tooLong), "it may not be too long any more"
            )
            desk.type(GDK_KEY_Return)
            desk.settle()
            XCTAssertEqual(desk.fieldText, "")
            XCTAssertEqual(
                desk.store.table.messages(of: ChatDesk.grace).map(\.text.utf8.count), [150_000], "all of it")
            // A correction is refused in the same way.
            desk.service.longestText = 3
            desk.type(GDK_KEY_Up)
            desk.settle()
            desk.type("b")
            desk.type(GDK_KEY_Return)
            desk.settle()
            XCTAssertEqual(desk.fieldText.utf8.count, 150_001)
            XCTAssert(desk.labels(in: desk.widget).contains(Conversation.tooLong))
            desk.clear()
        }
    }

    func testOverMidnightTodaysMessagesGetTheirDate() throws {
        try onMainActor {
            let clock = HandClock()
            let desk = try ChatDesk(clock: clock)
            let stamps = LocaleStamps()
            desk.meet()
            desk.open()
            desk.come("hi")
            desk.settle()
            var written = desk.wall.now
            XCTAssertEqual(desk.rows("Conversation"), ["Grace, \(stamps.time(written)): hi"])
            // Two nights: each sets the timer for the next.
            for night in 1...2 {
                let midnight = try XCTUnwrap(stamps.nextDay(after: written))
                let rest = midnight.milliseconds - written.milliseconds
                clock.pass(.milliseconds(rest - 1))
                XCTAssertEqual(desk.rows("Conversation").last, "Grace, \(stamps.time(written)): hi")
                desk.wall.now = midnight
                clock.pass(.milliseconds(1))
                desk.settle()
                XCTAssertEqual(
                    desk.rows("Conversation").last, "Grace, \(stamps.dateAndTime(written)): hi", "\(night)")
                written = midnight
                desk.come("hi")
                desk.settle()
            }
            XCTAssertEqual(desk.rows("Conversation").last, "Grace, \(stamps.time(written)): hi")
            // Nothing wakes the machine for what nobody sees; whoever looks again sees the right day.
            desk.side.isLookedAt = false
            gtk_widget_hide(desk.widget)
            handleEvents()
            XCTAssert(clock.isIdle)
            desk.wall.now = ChatTime(milliseconds: written.milliseconds + 86_400_000)
            gtk_widget_show(desk.widget)
            desk.settle()
            XCTAssertEqual(
                desk.rows("Conversation").last, "Grace, \(stamps.dateAndTime(written)): hi")
            XCTAssertFalse(clock.isIdle)
            desk.clear()
        }
    }

    func testTheSendKeySendsAndTheFieldKeepsTheFocus() throws {
        try onMainActor {
            let desk = try ChatDesk()
            desk.meet()
            desk.open()
            desk.click(desk.field)
            desk.type("5")
            desk.click(desk.button("Send"))
            desk.settle()
            XCTAssertEqual(desk.rows("Conversation"), ["you, \(desk.time): 5"])
            desk.type("6")
            XCTAssertEqual(desk.fieldText, "6")
            desk.clear()
        }
    }

    func testTheFieldGrowsToFiveLinesAndNoFurther() throws {
        try onMainActor {
            let desk = try ChatDesk()
            desk.meet()
            desk.open()
            desk.click(desk.field)
            let list = try XCTUnwrap(desk.list("Conversation"))
            var heights: [gint] = []
            for _ in 0..<8 {
                desk.type("a")
                heights.append(desk.viewHeight(of: list))
                desk.type(GDK_KEY_Return, with: Modifier.shift)
                desk.settle()
            }
            // The messages give way to the second line up to the fifth.
            let steps = zip(heights, heights.dropFirst()).map { $0 - $1 }
            XCTAssertEqual(steps.count { $0 > 8 }, 4, "\(heights)")
            XCTAssertEqual(steps.last, 0)
            desk.clear()
        }
    }

    func testTheLastMessageStaysInSightWhileTheFieldGrows() throws {
        try onMainActor {
            let desk = try ChatDesk()
            desk.meet()
            desk.open()
            for number in 0..<30 { desk.come("message \(number)") }
            desk.settle()
            let list = try XCTUnwrap(desk.list("Conversation"))
            XCTAssertEqual(desk.hidden(below: "Grace, \(desk.time): message 29", in: list), 0)
            desk.click(desk.field)
            for _ in 0..<4 {
                desk.type("a")
                desk.type(GDK_KEY_Return, with: Modifier.shift)
                desk.settle()
                XCTAssertEqual(desk.hidden(below: "Grace, \(desk.time): message 29", in: list), 0)
            }
            desk.clear()
        }
    }

    func testEachBuddyHasADraft() throws {
        try onMainActor {
            let desk = try ChatDesk()
            desk.meet()
            desk.click(desk.row("Buddies", "Grace"))
            desk.settle()
            desk.type("to grace")
            desk.click(desk.row("Buddies", "Edsger"))
            desk.settle()
            XCTAssertEqual(desk.fieldText, "")
            desk.type("to edsger")
            desk.click(desk.row("Buddies", "Grace"))
            desk.settle()
            XCTAssertEqual(desk.fieldText, "to grace")
            XCTAssert(desk.service.calls.contains(.tell(.composing, ChatDesk.grace)))
            desk.clear()
        }
    }

    func testTheUpArrowCorrectsMyLastMessageAndEscapeLeavesIt() throws {
        try onMainActor {
            let desk = try ChatDesk()
            desk.meet()
            desk.open()
            desk.click(desk.field)
            desk.type("helo")
            desk.type(GDK_KEY_Return)
            desk.settle()
            desk.type(GDK_KEY_Up)
            XCTAssertEqual(desk.fieldText, "helo")
            XCTAssertNotNil(desk.button("Stop correcting"))
            desk.type(GDK_KEY_Escape)
            XCTAssertEqual(desk.fieldText, "")
            XCTAssertNil(desk.button("Stop correcting"))
            desk.type(GDK_KEY_Up)
            desk.type("o")
            desk.type(GDK_KEY_Return)
            desk.settle()
            XCTAssertEqual(desk.rows("Conversation"), ["you, \(desk.time): heloo"])
            XCTAssertEqual(
                desk.description(of: desk.row("Conversation", "you")), "edited, waiting for a connection")
            XCTAssert(desk.labels(in: desk.row("Conversation", "you")).contains { $0.hasSuffix("· edited") })
            // In a field with something in it the arrow is the field's.
            desk.type("x")
            desk.type(GDK_KEY_Up)
            XCTAssertEqual(desk.fieldText, "x")
            desk.clear()
        }
    }

    func testStatesOfMyMessageAreToldAndWhatFailedIsTriedAgain() throws {
        try onMainActor {
            let desk = try ChatDesk()
            desk.meet()
            desk.open()
            desk.chat.send("hello", to: ChatDesk.grace)
            desk.settle()
            let name = desk.sent[0]
            for (fact, word) in [
                (ChatFact.acknowledged(buddy: ChatDesk.grace, name: name), "sent"),
                (.delivered(buddy: ChatDesk.grace, name: name), "delivered"),
                (.read(buddy: ChatDesk.grace, name: name), "read"),
            ] {
                desk.service.tell(.facts([fact]))
                desk.settle()
                XCTAssertEqual(desk.description(of: desk.row("Conversation", "you")), word)
            }
            desk.chat.send("lost", to: ChatDesk.grace)
            desk.settle()
            desk.service.tell(
                .facts([.failed(buddy: ChatDesk.grace, name: desk.sent[1], reason: "Nobody is there.")]))
            desk.settle()
            let row = desk.row("Conversation", "you, \(desk.time): lost")
            XCTAssert(desk.labels(in: row).contains("Nobody is there."))
            desk.click(desk.button("Retry"))
            desk.settle()
            XCTAssertEqual(desk.sent.count, 3)
            XCTAssertNil(desk.button("Retry"))
            desk.clear()
        }
    }

    func testTypingIsToldAndEnds() throws {
        try onMainActor {
            let desk = try ChatDesk()
            desk.meet()
            desk.open()
            desk.service.tell(.typing(ChatDesk.grace, .composing))
            desk.settle()
            XCTAssert(desk.labels(in: desk.widget).contains("Grace is typing…"))
            desk.service.tell(.typing(ChatDesk.grace, .paused))
            desk.settle()
            XCTAssertFalse(desk.labels(in: desk.widget).contains("Grace is typing…"))
            desk.clear()
        }
    }

    func testMySideFollowsTheSettingAndTheDirectionOfWriting() throws {
        try onMainActor {
            for isRightToLeft in [false, true] {
                let desk = try ChatDesk(isRightToLeft: isRightToLeft)
                desk.meet()
                desk.open()
                desk.chat.send("mine", to: ChatDesk.grace)
                desk.come("yours")
                desk.settle()
                XCTAssertEqual(desk.isAtLeft("you"), !isRightToLeft)
                XCTAssertEqual(desk.isAtLeft("Grace"), isRightToLeft)
                desk.settings[text: "my-messages-side"] = "right"
                desk.settle()
                XCTAssertEqual(desk.isAtLeft("you"), isRightToLeft)
                XCTAssertEqual(desk.isAtLeft("Grace"), !isRightToLeft)
                desk.clear()
            }
        }
    }

    func testABalloonFitsItsTextAndIsAtMostThreeQuartersWide() throws {
        try onMainActor {
            let desk = try ChatDesk()
            desk.meet()
            desk.open()
            desk.come("ok")
            desk.come(String(repeating: "many words of a long message ", count: 12))
            desk.settle()
            let (short, long) = (
                try XCTUnwrap(desk.balloon("Grace, \(desk.time): ok")),
                try XCTUnwrap(desk.balloon("Grace, \(desk.time): many"))
            )
            for width: gint in [406, 700, 340] {
                gtk_window_resize(desk.widget.cast(), width, 640)
                waitUntil("the window is as wide") { gtk_widget_get_allocated_width(desk.widget) == width }
                desk.settle()
                let list = gtk_widget_get_allocated_width(desk.list("Conversation"))
                XCTAssertEqual(gtk_widget_get_allocated_width(long), list * 3 / 4)
                XCTAssertLessThan(gtk_widget_get_allocated_width(short), 70)
                XCTAssertEqual(gtk_widget_get_allocated_height(short), desk.oneLine)
                let lines = desk.lines(of: long)
                XCTAssertGreaterThan(lines, 2)
                XCTAssertEqual(gtk_widget_get_allocated_height(long), desk.height(ofLines: lines, in: long))
            }
            desk.clear()
        }
    }

    func testAnEmptyConversationSaysSoOnceThatIsKnown() throws {
        try onMainActor {
            let desk = try ChatDesk()
            desk.meet()
            XCTAssert(desk.labels(in: desk.widget).contains("Choose a buddy to talk with."))
            desk.store.isHeld = true
            desk.chat.select(ChatDesk.grace)
            handleEvents()
            let words = "Nothing said yet. Say hello to Grace."
            XCTAssertFalse(desk.labels(in: desk.widget).contains(words))
            desk.store.isHeld = false
            desk.settle()
            XCTAssert(desk.labels(in: desk.widget).contains(words))
            desk.come("hello")
            desk.settle()
            XCTAssertFalse(desk.labels(in: desk.widget).contains(words))
            desk.clear()
        }
    }

    func testLargerTextMakesLargerBalloons() throws {
        try onMainActor {
            let desk = try ChatDesk()
            desk.meet()
            desk.open()
            desk.come("ok")
            desk.settle()
            let balloon = try XCTUnwrap(desk.balloon("Grace, \(desk.time): ok"))
            let before = gtk_widget_get_allocated_height(balloon)
            setResolution(144)
            desk.settle()
            XCTAssertGreaterThan(gtk_widget_get_allocated_height(balloon), before + 5)
            XCTAssertEqual(gtk_widget_get_allocated_height(balloon), desk.oneLine)
            setResolution(96)
            desk.settle()
            XCTAssertEqual(gtk_widget_get_allocated_height(balloon), before)
            desk.clear()
        }
    }

    func testTodaysMessagesShowTheTimeAloneAndOthersTheDate() throws {
        try onMainActor {
            let desk = try ChatDesk()
            desk.meet()
            desk.open()
            desk.come("old", at: desk.wall.now.milliseconds - 400 * 86_400_000)
            desk.come("new")
            desk.settle()
            let old = try XCTUnwrap(desk.row("Conversation", "Grace, Aug"))
            XCTAssert(desk.labels(in: old).contains { $0.hasPrefix("Grace Aug ") })
            let stamp = descendants(of: try XCTUnwrap(desk.row("Conversation", "Grace, \(desk.time): new")))
                .first {
                    gtk_widget_get_tooltip_text($0) != nil
                }
            let tip = gtk_widget_get_tooltip_text(stamp)
            XCTAssertEqual(tip.map { String(cString: $0).hasPrefix("Grace Sep ") }, true)
            g_free(tip)
            desk.clear()
        }
    }
}

/// Sets how many dots an inch has for text: what the desktop's text scale changes.
@MainActor
private func setResolution(_ dots: gint) {
    var value = GValue()
    g_value_init(&value, g_type_from_name("gint"))
    g_value_set_int(&value, dots * 1024)
    guard let settings = gtk_settings_get_default() else { return }
    g_object_set_property(settings.cast(), "gtk-xft-dpi", &value)
    g_value_unset(&value)
}
