// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of what the menu of a message does: forwarding, deleting on this device, and details.
final class MessageMenuTests: GtkTestCase {
    private static let (grace, edsger) = (MessagePanelFixture.grace, MessagePanelFixture.edsger)

    @MainActor
    private static func opened() throws -> MessagePanelFixture {
        let fixture = try MessagePanelFixture()
        fixture.meet()
        fixture.open()
        fixture.come("Tea?")
        fixture.settle()
        return fixture
    }

    /// Chooses an item of the last message’s menu by the keyboard.
    @MainActor
    private static func choose(_ item: String, in fixture: MessagePanelFixture) {
        fixture.enter("Conversation")
        fixture.type(GDK_KEY_F10, with: Modifier.shift)
        waitUntil("the menu is open") { fixture.menuItems.contains(item) }
        for _ in fixture.menuItems where fixture.selectedMenuItem != item { fixture.type(GDK_KEY_Down) }
        XCTAssertEqual(fixture.selectedMenuItem, item)
        fixture.type(GDK_KEY_Return)
    }

    func testMessageIsForwardedAsDraft() throws {
        try onMainActor {
            let fixture = try Self.opened()
            Self.choose("Forward…", in: fixture)
            waitUntil("the search has the focus") { fixture.focusedName == "Search conversations" }
            waitUntil("the conversations are there") {
                fixture.rows("Conversations").contains("Edsger, edsger@example.org")
            }
            let shown = fixture.rows("Conversations")
            XCTAssertFalse(shown.contains { $0.hasPrefix("Grace") }, "it is from there")
            fixture.type("nobody")
            XCTAssert(fixture.labels(in: fixture.widget).contains("No matching buddies."))
            for _ in 0..<6 { fixture.type(GDK_KEY_BackSpace) }
            fixture.type("eds")
            fixture.type(GDK_KEY_Down)
            waitUntil("the first one has the focus") {
                fixture.focusedName == "Edsger, edsger@example.org"
            }
            fixture.type(GDK_KEY_Return)
            waitUntil("the conversation is open") { fixture.chat.selected?.buddy == Self.edsger }
            fixture.settle()
            XCTAssertEqual(fixture.fieldText, "Tea?")
            XCTAssertEqual(fixture.focusedName, "Message")
            XCTAssertEqual(fixture.sent, [], "only the user sends it")
            fixture.type(GDK_KEY_Return)
            fixture.settle()
            XCTAssertEqual(fixture.store.table.messages(of: Self.edsger).map(\.text), ["Tea?"])
            fixture.clear()
        }
    }

    func testForwardedTextHasAddressesOfFiles() {
        let file = SharedFile(url: "https://example.org/a.png", name: "a.png", mediaType: "image/png")
        func text(_ content: MessageContent, _ retraction: MessageRetraction? = nil) -> String? {
            ChatMessage(
                id: 1, conversation: ConversationID(Self.grace), sender: .buddy, content: content,
                time: ChatTime(milliseconds: 0), place: 1, state: .received, retraction: retraction
            ).forwardedText
        }
        XCTAssertEqual(text(MessageContent(file: file)), "https://example.org/a.png")
        XCTAssertEqual(text(MessageContent("Look", files: [file])), "Look\nhttps://example.org/a.png")
        XCTAssertNil(text(MessageContent(file: SharedFile(offer: "1", name: "a.png", size: 1))))
        XCTAssertNil(text(MessageContent("?", encryption: "OMEMO")))
        // The link to an encrypted file has its key.
        let key = String(repeating: "a", count: 88)
        let secret = SharedFile(encrypted: "aesgcm://example.org/b.png#\(key)")
        XCTAssertNil(secret.flatMap { text(MessageContent(file: $0)) })
        XCTAssertEqual(secret.flatMap { text(MessageContent("Look", files: [$0])) }, "Look")
        XCTAssertNil(
            text(MessageContent(""), MessageRetraction(time: ChatTime(milliseconds: 0), moderation: nil)))
        XCTAssertEqual(text(MessageContent("No", quoting: "Tea?")), "No")
    }

    func testModeratorIsNamed() {
        let long = String(repeating: "long ", count: 100)
        for (reason, moderator, text) in [
            ("", nil, "A moderator deleted this message."),
            ("spam", "", "A moderator deleted this message: spam"),
            ("", "Grace", "Grace, a moderator, deleted this message."),
            ("spam", "Grace", "Grace, a moderator, deleted this message: spam"),
            ("", "a\nb\u{202E}", "a b, a moderator, deleted this message."),
        ] as [(String, String?, String)] {
            let retraction = MessageRetraction(
                time: ChatTime(milliseconds: 0), moderation: reason, moderator: moderator)
            XCTAssertEqual(retraction.text(sender: .buddy, name: "Alan"), text)
        }
        let retraction = MessageRetraction(time: ChatTime(milliseconds: 0), moderation: "", moderator: long)
        XCTAssertLessThan(retraction.text(sender: .me, name: "you").count, 110)
    }

    func testMessageIsDeletedHereAfterQuestion() throws {
        try onMainActor {
            let fixture = try Self.opened()
            fixture.come("Coffee?")
            fixture.settle()
            fixture.enter("Conversation")
            fixture.type("r", with: Modifier.control)
            XCTAssertNotNil(fixture.button("Cancel Reply"))
            Self.choose("Delete Here…", in: fixture)
            waitUntil("the question is asked") { fixture.focusedName == "Delete Here" }
            XCTAssertEqual(fixture.rows("Conversation").count, 2)
            fixture.type(GDK_KEY_Return)
            waitUntil("it is deleted") {
                fixture.rows("Conversation") == ["Grace, \(fixture.time): Tea?"]
            }
            XCTAssertNil(fixture.button("Cancel Reply"), "there is nothing to reply to")
            fixture.clear()
        }
    }

    func testDetailsAreShown() throws {
        try onMainActor {
            let fixture = try Self.opened()
            Self.choose("Details…", in: fixture)
            waitUntil("they are open") { fixture.find("Message Details", ATK_ROLE_PANEL) != nil }
            let labels = fixture.labels(in: fixture.find("Message Details", ATK_ROLE_PANEL))
            for text in ["Grace (grace@example.org)", "End-to-End Encryption", "None"] {
                XCTAssert(labels.contains(text), "\(text): \(labels)")
            }
            XCTAssert(labels.contains(LocaleStamps().dateAndTime(fixture.wall.now)), "\(labels)")
            XCTAssertFalse(labels.contains("State"), "it is not mine")
            fixture.type(GDK_KEY_Escape)
            fixture.settle()
            fixture.clear()
        }
    }

    func testDetailsTellStateAndVersion() {
        onMainActor {
            let stamps = LocaleStamps()
            @MainActor func values(
                _ state: MessageState, encryption: String? = nil, isCorrected: Bool = false,
                account: String = "",
                retraction: MessageRetraction? = nil
            ) -> [String] {
                let me = ChatAddress("ada@example.org")
                let message = ChatMessage(
                    id: 1, conversation: ConversationID(Self.grace, of: me), sender: .me,
                    content: MessageContent("", encryption: encryption), time: ChatTime(milliseconds: 0),
                    place: 1, state: state, isCorrected: isCorrected, retraction: retraction)
                return MessageDetails(message, buddyName: "Grace", account: account).entries.dropFirst(2).map
                {
                    "\($0.name): \($0.value)"
                }
            }
            XCTAssertEqual(
                values(.read, isCorrected: true, account: "Work"),
                [
                    "Account: Work", "State: read", "End-to-End Encryption: None",
                    "Edited: This is the latest version. Earlier ones are not kept.",
                ])
            XCTAssertEqual(
                values(.failed("No."), encryption: "OMEMO"),
                ["State: not sent: No.", "End-to-End Encryption: OMEMO"])
            let end = ChatTime(milliseconds: 1000)
            XCTAssertEqual(
                values(.sent, encryption: "", retraction: MessageRetraction(time: end, moderation: nil)),
                ["State: sent", "End-to-End Encryption: Encrypted", "Deleted: \(stamps.dateAndTime(end))"])
        }
    }
}
