// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of replies, reactions and deleted messages in a conversation.
final class ReplyTests: GtkTestCase {
    private static let grace = MessagePanelFixture.grace

    @MainActor
    private static func come(
        _ text: String, name: String, quoting quoted: String = "", to original: String? = nil,
        in fixture: MessagePanelFixture
    ) {
        let content =
            quoted.isEmpty ? MessageContent(text) : MessageContent(text, quoting: quoted)
        fixture.service.tell(
            .updates([
                .received(
                    ReceivedMessage(
                        buddy: grace, sender: .buddy, content: content, time: fixture.wall.now, name: name,
                        relation: original.map { .repliesTo(MessageReply(to: .stanza($0), by: grace)) }
                            ?? MessageRelation.none))
            ]))
    }

    @MainActor
    private static func note(
        _ kind: MessageAnnotation.Kind, of name: String, by sender: MessageSender = .buddy,
        in fixture: MessagePanelFixture
    ) {
        let time = ChatTime(milliseconds: fixture.wall.now.milliseconds + 1)
        fixture.service.tell(
            .updates([
                .annotated(
                    MessageAnnotation(kind, of: .stanza(name), buddy: grace, sender: sender, time: time))
            ]))
    }

    @MainActor
    private static func opened() throws -> MessagePanelFixture {
        let fixture = try MessagePanelFixture()
        fixture.meet()
        fixture.open()
        come("Tea?", name: "question", in: fixture)
        fixture.settle()
        return fixture
    }

    func testReplyIsWrittenByKeyboard() throws {
        try onMainActor {
            let fixture = try Self.opened()
            fixture.enter("Conversation")
            fixture.type("r", with: Modifier.control)
            XCTAssert(fixture.labels(in: fixture.widget).contains("Reply to Grace: Tea?"))
            XCTAssertNotNil(fixture.button("Cancel Reply"))
            // Escape cancels the reply, and keeps the text.
            fixture.type("Gladly")
            fixture.type(GDK_KEY_Escape)
            XCTAssertNil(fixture.button("Cancel Reply"))
            XCTAssertEqual(fixture.fieldText, "Gladly")
            fixture.enter("Conversation")
            fixture.type("r", with: Modifier.control)
            fixture.type(GDK_KEY_Return)
            fixture.settle()
            XCTAssertNil(fixture.button("Cancel Reply"), "the next message is no reply")
            let sent = try XCTUnwrap(fixture.store.table.messages(of: Self.grace).last)
            XCTAssertEqual(sent.text, "> Tea?\nGladly")
            XCTAssertEqual(sent.reply?.original, .stanza("question"))
            XCTAssertEqual(
                fixture.rows("Conversation").last,
                "you, \(fixture.time): Gladly (in reply to Grace: Tea?)")
            fixture.clear()
        }
    }

    /// The others read my name, so I do, too.
    func testOwnActionHasOwnName() throws {
        try onMainActor {
            let fixture = try Self.opened()
            fixture.chat.send("/me waves", to: Self.grace)
            fixture.settle()
            XCTAssertEqual(
                fixture.rows("Conversation").last, "you, \(fixture.time): you waves", "there is no account")
            let tea = ChatAddress("tea@rooms.example.org")
            fixture.service.tell(.room(Room(RoomRecord(tea, nickname: "ada"), standing: .joined)))
            fixture.open(tea)
            fixture.chat.send("/me dances", to: tea)
            fixture.settle()
            XCTAssertEqual(fixture.rows("Conversation").last, "you, \(fixture.time): ada dances")
            fixture.clear()
        }
    }

    func testReplyShowsItsOriginal() throws {
        try onMainActor {
            let fixture = try Self.opened()
            for number in 0..<40 { Self.come("\(number)", name: "n\(number)", in: fixture) }
            Self.come("Or coffee", name: "answer", quoting: "Tea?", to: "question", in: fixture)
            fixture.settle()
            let row = try XCTUnwrap(fixture.row("Conversation", "Grace, \(fixture.time): Or coffee"))
            XCTAssert(fixture.labels(in: row).contains("Tea?"))
            XCTAssertFalse(fixture.labels(in: row).contains { $0.contains(">") })
            fixture.click(fixture.button("Go to Original"))
            waitUntil("the original is in view") {
                fixture.row("Conversation", "Grace, \(fixture.time): Tea?").map {
                    gtk_widget_get_child_visible($0) != 0
                } ?? false
            }
            fixture.settle()
            fixture.clear()
        }
    }

    /// A reply to a message that the phone does not have shows what it quotes itself.
    func testReplyToUnknownMessageShowsItsQuotation() throws {
        try onMainActor {
            let fixture = try Self.opened()
            Self.come("No", name: "answer", quoting: "Milk?", to: "missing", in: fixture)
            fixture.settle()
            XCTAssertEqual(
                fixture.rows("Conversation").last,
                "Grace, \(fixture.time): No (in reply to Grace: Milk?)")
            fixture.click(fixture.button("Go to Original"))
            waitUntil("the reason is told") {
                fixture.labels(in: fixture.widget).contains("The original message was not found.")
            }
            fixture.settle()
            fixture.clear()
        }
    }

    /// Return on the quotation goes to a message that is far above.
    func testOriginalIsReachedByKeyboard() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.meet()
            Self.come("Milk?", name: "past", in: fixture)
            for number in 0..<120 { Self.come("\(number)", name: "n\(number)", in: fixture) }
            Self.come("No", name: "answer", to: "past", in: fixture)
            fixture.open()
            fixture.settle()
            XCTAssertFalse(
                fixture.rows("Conversation").contains { $0.hasSuffix("Milk?") }, "it is not loaded")
            fixture.enter("Conversation")
            fixture.type(GDK_KEY_End)
            fixture.type(GDK_KEY_Tab)
            XCTAssertEqual(fixture.focusedName, "Go to Original")
            fixture.type(GDK_KEY_Return)
            waitUntil("the original has the focus") {
                fixture.focusedName == "Grace, \(fixture.time): Milk?"
            }
            fixture.settle()
            fixture.clear()
        }
    }

    func testReactionsAreCountedUnderMessage() throws {
        try onMainActor {
            let fixture = try Self.opened()
            Self.note(.reaction(["👍", "🎉"]), of: "question", in: fixture)
            Self.note(.reaction(["👍"]), of: "question", by: .me, in: fixture)
            fixture.settle()
            let row = try XCTUnwrap(fixture.row("Conversation", "Grace"))
            XCTAssert(fixture.labels(in: row).contains("👍 2"))
            XCTAssertEqual(fixture.description(of: row), "reactions: 👍 2, 🎉")
            Self.note(.reaction([]), of: "question", by: .me, in: fixture)
            Self.note(.retraction, of: "question", in: fixture)
            fixture.settle()
            XCTAssertEqual(fixture.description(of: fixture.row("Conversation", "Grace")), "")
            fixture.clear()
        }
    }

    func testDeletedMessageIsReplacedByLine() throws {
        try onMainActor {
            let fixture = try Self.opened()
            Self.come("Or coffee", name: "answer", quoting: "Tea?", to: "question", in: fixture)
            fixture.settle()
            fixture.chat.send("mine", to: Self.grace)
            fixture.settle()
            let mine = try XCTUnwrap(fixture.store.table.messages(of: Self.grace).last?.name)
            // A reply to it, and the correction of mine, are being written.
            fixture.enter("Conversation")
            fixture.type(GDK_KEY_Home)
            fixture.type("r", with: Modifier.control)
            XCTAssertNotNil(fixture.button("Cancel Reply"))
            Self.note(.retraction, of: "question", in: fixture)
            Self.note(.retraction, of: mine, by: .me, in: fixture)
            fixture.settle()
            XCTAssertNil(fixture.button("Cancel Reply"))
            XCTAssertEqual(
                fixture.rows("Conversation"),
                [
                    "Grace, \(fixture.time): Grace deleted this message.",
                    "Grace, \(fixture.time): Or coffee (in reply to Grace: This message was deleted.)",
                    "you, \(fixture.time): You deleted this message.",
                ])
            // There is nothing to copy, to reply to or to edit.
            fixture.click(fixture.row("Conversation", "Grace, \(fixture.time): Grace"), button: 3)
            XCTAssertEqual(fixture.menuItems, ["Delete Here…", "Details…"])
            fixture.type(GDK_KEY_Escape)
            fixture.click(fixture.field)
            fixture.type(GDK_KEY_Up)
            fixture.settle()
            XCTAssertEqual(fixture.fieldText, "")
            fixture.clear()
        }
    }

    /// However many there are, and however wide: nothing is wider than the panel.
    func testManyReactionsFitNarrowPanel() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture(width: 340)
            fixture.meet()
            fixture.open()
            Self.come("Tea?", name: "question", in: fixture)
            let emoji = ["😀", "😃", "😄", "😁", "😆", "😅", "🤣", "😂", "🙂", "🙃", "🫠", "😉", "😊", "😇", "🥰", "😍"]
            Self.note(.reaction(emoji), of: "question", in: fixture)
            Self.note(.reaction(emoji), of: "question", by: .me, in: fixture)
            fixture.settle()
            XCTAssertEqual(gtk_widget_get_allocated_width(fixture.widget), 340)
            let row = try XCTUnwrap(fixture.row("Conversation", "Grace"))
            XCTAssertEqual(fixture.labels(in: row).count { $0.hasSuffix(" 2") }, 16)
            fixture.clear()
        }
    }

    func testChipFitsItsEmoji() throws {
        try onMainActor {
            let fixture = try Self.opened()
            Self.note(.reaction(["👍"]), of: "question", in: fixture)
            fixture.settle()
            let chip = try XCTUnwrap(fixture.button("👍"))
            var natural: gint = 0
            gtk_widget_get_preferred_width(chip, nil, &natural)
            XCTAssertEqual(gtk_widget_get_allocated_width(chip), natural)
            // GTK would sometimes give it another width.
            let flow = try XCTUnwrap(gtk_widget_get_ancestor(chip, gtk_flow_box_get_type()))
            XCTAssertNotEqual(gtk_widget_get_halign(flow), GTK_ALIGN_END)
            let row = try XCTUnwrap(fixture.row("Conversation", "Grace"))
            XCTAssertEqual(
                left(of: chip, in: row) + natural, gtk_widget_get_allocated_width(row) - 16,
                "it stands at the margin")
            fixture.clear()
        }
    }

    func testReactionIsChosenAndWithdrawn() throws {
        try onMainActor {
            let fixture = try Self.opened()
            Self.note(.reaction(["🎉"]), of: "question", in: fixture)
            fixture.settle()
            fixture.wall.now = ChatTime(milliseconds: fixture.wall.now.milliseconds + 1000)
            fixture.enter("Conversation")
            fixture.type(GDK_KEY_F10, with: Modifier.shift)
            XCTAssertEqual(
                fixture.menuItems, ["Reply", "React…", "Copy", "Forward…", "Delete Here…", "Details…"])
            fixture.type(GDK_KEY_Down)
            fixture.type(GDK_KEY_Return)
            waitUntil("the choice is open") { fixture.find("👍", ATK_ROLE_TOGGLE_BUTTON) != nil }
            fixture.settle()
            fixture.click(fixture.find("👍", ATK_ROLE_TOGGLE_BUTTON))
            waitUntil("it is closed") { fixture.find("👍", ATK_ROLE_TOGGLE_BUTTON) == nil }
            fixture.settle()
            let row = try XCTUnwrap(fixture.row("Conversation", "Grace"))
            XCTAssertEqual(fixture.description(of: row), "reactions: 🎉, 👍")
            // A click on a chip joins, and another one leaves.
            for expected in ["reactions: 🎉 2, 👍", "reactions: 🎉, 👍"] {
                fixture.click(fixture.button("🎉"))
                fixture.settle()
                XCTAssertEqual(fixture.description(of: row), expected)
            }
            let sent = fixture.service.calls.compactMap { call in
                if case .annotate(let annotation) = call { annotation.kind } else { nil }
            }
            XCTAssertEqual(sent, [.reaction(["👍"]), .reaction(["👍", "🎉"]), .reaction(["👍"])])
            fixture.clear()
        }
    }

    func testMessageIsDeletedForEveryoneAfterQuestion() throws {
        try onMainActor {
            let fixture = try Self.opened()
            fixture.chat.send("mine", to: Self.grace)
            fixture.settle()
            let name = fixture.sent[0]
            fixture.service.tell(.updates([.acknowledged(buddy: Self.grace, name: name)]))
            fixture.settle()
            fixture.click(fixture.row("Conversation", "you"), button: 3)
            XCTAssertEqual(fixture.menuItems.suffix(3), ["Delete for Everyone…", "Delete Here…", "Details…"])
            for _ in 0..<3 { fixture.type(GDK_KEY_Up) }
            fixture.type(GDK_KEY_Return)
            waitUntil("the question is asked") { fixture.button("Delete for Everyone") != nil }
            fixture.settle()
            XCTAssertEqual(fixture.rows("Conversation").last, "you, \(fixture.time): mine")
            fixture.click(fixture.button("Delete for Everyone"))
            waitUntil("it is deleted") {
                fixture.rows("Conversation").last == "you, \(fixture.time): You deleted this message."
            }
            fixture.clear()
        }
    }
}
