// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of styled texts in a conversation.
final class ChatStylingTests: GtkTestCase {
    func testMarksAreShownPaleAndCopied() {
        let body = MessageBody("*a* <b> `c` :)", emoticons: .none, styling: TextBlock())
        XCTAssertEqual(
            body.markup,
            "<span weight=\"bold\" alpha=\"80%\">*</span><span weight=\"bold\">a</span>"
                + "<span weight=\"bold\" alpha=\"80%\">*</span> &lt;b&gt; "
                + "<span font_family=\"monospace\" alpha=\"80%\">`</span>"
                + "<span font_family=\"monospace\">c</span>"
                + "<span font_family=\"monospace\" alpha=\"80%\">`</span> :)")
        XCTAssertEqual(body.shown, "*a* <b> `c` :)")
        XCTAssertEqual(body.typed(for: 0..<6), "*a* <b")
        XCTAssertEqual(MessageBody("*a*", emoticons: .none).markup, "*a*")
        let action = MessageBody("/me *waves*", emoticons: .none, actor: "Ada", styling: TextBlock())
        XCTAssertEqual(action.shown, "Ada *waves*")
        XCTAssertEqual(action.typed(for: 0..<100), "/me *waves*")
    }

    func testBlocksAreThoseOfTheShownText() {
        let body = MessageBody("a\n> é\n```\nb", emoticons: .none, styling: TextBlock())
        XCTAssertEqual(body.blocks.filter { !$0.isCode }.map(\.range), [2..<4, 4..<6, 6..<7])
        XCTAssertEqual(body.blocks.filter(\.isCode).map(\.range), [7..<10, 10..<11, 11..<12])
    }

    func testTextIsStyledUnlessTurnedOff() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.meet()
            fixture.open()
            let text = "*a* `http://a.example` _b_\n> c\n```\n555-0100\n```"
            fixture.come(text)
            fixture.settle()
            let name = "Grace, \(fixture.time): \(text)"
            XCTAssertEqual(fixture.rows("Conversation"), [name], "a screen reader says what was written")
            let row = try XCTUnwrap(fixture.row("Conversation", "Grace"))
            XCTAssert(fixture.labels(in: row).contains(text), "nothing is hidden")
            XCTAssert(fixture.markup(in: row).contains { $0.contains("<span weight=\"bold\">a</span>") })
            XCTAssertFalse(fixture.markup(in: row).contains { $0.contains("<a ") }, "code has no links")
            fixture.settings[flag: "message-styling"] = false
            fixture.settle()
            XCTAssertFalse(fixture.markup(in: row).contains { $0.contains("<span") })
            XCTAssert(fixture.markup(in: row).contains { $0.contains("<a ") })
            XCTAssertEqual(fixture.rows("Conversation"), [name])
            fixture.settings.reset("message-styling")
            fixture.settle()
            XCTAssert(fixture.markup(in: row).contains { $0.contains("<span") })
            fixture.clear()
        }
    }

    func testSenderCanTurnStylesOff() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.meet()
            fixture.open()
            fixture.service.tell(
                .updates([
                    .received(
                        ReceivedMessage(
                            buddy: MessagePanelFixture.grace, sender: .buddy,
                            content: MessageContent("*a*", isUnstyled: true), time: fixture.wall.now,
                            name: "unstyled"))
                ]))
            fixture.settle()
            let row = try XCTUnwrap(fixture.row("Conversation", "Grace, \(fixture.time): *a*"))
            XCTAssertFalse(fixture.markup(in: row).contains { $0.contains("<span") })
            fixture.clear()
        }
    }

    func testFewEmojiAloneAreLargeWithoutBalloon() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.meet()
            fixture.open()
            for text in ["😄👍🏽", "😄 ok", "❤️ 😄 👍🏽 😄"] { fixture.come(text) }
            fixture.settle()
            let large = try XCTUnwrap(fixture.balloon("Grace, \(fixture.time): 😄👍🏽"))
            let plain = try XCTUnwrap(fixture.balloon("Grace, \(fixture.time): 😄 ok"))
            let many = try XCTUnwrap(fixture.balloon("Grace, \(fixture.time): ❤️"))
            XCTAssert(large.has(style: "bare"))
            XCTAssertFalse(plain.has(style: "bare") || many.has(style: "bare"))
            let heights = { [large, plain].map { gtk_widget_get_allocated_height($0) } }
            XCTAssertGreaterThan(heights()[0], heights()[1] + 15)
            fixture.settings[flag: "message-styling"] = false
            fixture.settle()
            XCTAssertFalse(large.has(style: "bare"))
            XCTAssertLessThan(heights()[0], heights()[1] + 5)
            fixture.settings.reset("message-styling")
            fixture.clear()
        }
    }

    func testStyleOfLongCodeGoesOnInAllParts() {
        let code = "```\n" + String(repeating: "a *b*\n", count: 100) + "```\n*c*"
        let text = UnfoldedText(code, emoticons: .none)
        XCTAssertEqual(text.parts.joined(), code)
        XCTAssertGreaterThan(text.parts.count, 3)
        for (index, part) in text.parts.enumerated() {
            let body = MessageBody(String(part), emoticons: .none, styling: text.block(of: index))
            let bold = body.markup.contains("weight=\"bold\"")
            XCTAssertEqual(bold, index == text.parts.count - 1, "\(index)")
            XCTAssertEqual(body.blocks.first?.range.lowerBound, 0)
        }
        XCTAssertEqual(text.block(of: 1000), TextBlock())
    }
}

extension MessagePanelFixture {
    /// Returns the markup of the labels in a row.
    fileprivate func markup(in row: Widget) -> [String] {
        descendants(of: row).filter { cgtk_instance_is_a($0, gtk_label_get_type()) != 0 }
            .map { String(cString: gtk_label_get_label($0.cast())) }
    }
}

extension Widget {
    func has(style name: String) -> Bool {
        gtk_style_context_has_class(gtk_widget_get_style_context(self), name) != 0
    }
}
