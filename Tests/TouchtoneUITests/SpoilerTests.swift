// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of texts that are hidden behind a hint, in a conversation.
final class SpoilerTests: GtkTestCase {
    private static let secret = "Rosebud is a sled"

    @MainActor
    private static func opened(_ text: String = secret, hint: String = "Citizen Kane") throws
        -> MessagePanelFixture
    {
        let fixture = try MessagePanelFixture()
        fixture.meet()
        fixture.open()
        fixture.service.tell(
            .updates([
                .received(
                    ReceivedMessage(
                        buddy: MessagePanelFixture.grace, sender: .buddy,
                        content: MessageContent(text, spoiler: hint), time: fixture.wall.now, name: "spoiler")
                )
            ]))
        fixture.settle()
        return fixture
    }

    @MainActor
    private static func shows(_ word: String, in fixture: MessagePanelFixture) -> Bool {
        (fixture.rows("Conversation") + fixture.labels(in: fixture.widget)).contains { $0.contains(word) }
    }

    func testOwnTextIsSentBehindAHint() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.meet()
            fixture.open()
            let composer = try XCTUnwrap(fixture.panel.insides?.conversation.composer)
            composer.focus()
            fixture.settle()
            fixture.type(GDK_KEY_Menu)
            waitUntil("the field's menu is open") { !fixture.menuItems.isEmpty }
            XCTAssertFalse(fixture.menuItems.contains("Send as Spoiler…"), "there is nothing to send")
            fixture.type(GDK_KEY_Escape)
            waitUntil("it is closed") { fixture.menuItems.isEmpty }
            composer.insert(Self.secret)
            fixture.type(GDK_KEY_Menu)
            waitUntil("it has the item") { fixture.menuItems.contains("Send as Spoiler…") }
            fixture.choose(itemWith: "Send as Spoiler…")
            waitUntil("it asks for the hint") { fixture.find("Hint", ATK_ROLE_TEXT) != nil }
            gtk_entry_set_text(try XCTUnwrap(fixture.find("Hint", ATK_ROLE_TEXT)).cast(), "Citizen Kane")
            fixture.type(GDK_KEY_Return)
            waitUntil("it is sent") { fixture.chat.selected?.window.count == 1 }
            XCTAssertEqual(
                fixture.chat.selected?.window[0].content, MessageContent(Self.secret, spoiler: "Citizen Kane")
            )
            XCTAssertEqual(composer.text, "")
            XCTAssertFalse(Self.shows("Rosebud", in: fixture))
            fixture.clear()
        }
    }

    func testTextIsHiddenUntilAskedFor() throws {
        try onMainActor {
            let fixture = try Self.opened()
            let hidden = ["Grace, \(fixture.time): Spoiler: Citizen Kane"]
            XCTAssertEqual(fixture.rows("Conversation"), hidden)
            XCTAssertFalse(Self.shows("Rosebud", in: fixture))
            fixture.click(fixture.button("Show"))
            fixture.settle()
            XCTAssertEqual(fixture.rows("Conversation"), ["Grace, \(fixture.time): \(Self.secret)"])
            fixture.click(fixture.button("Hide"))
            fixture.settle()
            XCTAssertEqual(fixture.rows("Conversation"), hidden)
            // By the keyboard, in the menu of the message.
            fixture.enter("Conversation")
            fixture.type(GDK_KEY_Return)
            XCTAssertEqual(fixture.menuItems.first, "Show")
            fixture.type(GDK_KEY_Return)
            fixture.settle()
            XCTAssertEqual(fixture.rows("Conversation"), ["Grace, \(fixture.time): \(Self.secret)"])
            // Another visit starts anew.
            fixture.open(MessagePanelFixture.edsger)
            fixture.open()
            XCTAssertEqual(fixture.rows("Conversation"), hidden)
            fixture.clear()
        }
    }

    func testReplyAndSearchDoNotTellTheText() throws {
        try onMainActor {
            let fixture = try Self.opened("/me dies", hint: "")
            fixture.enter("Conversation")
            fixture.type("r", with: Modifier.control)
            XCTAssert(fixture.labels(in: fixture.widget).contains("Reply to Grace: Spoiler"))
            fixture.type("Oh")
            fixture.type(GDK_KEY_Return)
            fixture.settle()
            XCTAssertEqual(
                fixture.store.table.messages(of: MessagePanelFixture.grace).last?.text, "> Spoiler\nOh")
            XCTAssertEqual(
                fixture.rows("Conversation").last,
                "you, \(fixture.time): Oh (in reply to Grace: Spoiler)")
            fixture.type("f", with: Modifier.control)
            fixture.settle()
            fixture.type("dies")
            waitUntil("it is not found") { fixture.labels(in: fixture.widget).contains("Nothing found.") }
            XCTAssertFalse(Self.shows("dies", in: fixture))
            fixture.clear()
        }
    }

    func testFileOfSpoilerIsHiddenAndNotFetched() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.meet()
            fixture.open()
            let file = SharedFile(url: "https://example.org/a.png", name: "a.png", mediaType: "image/png")
            fixture.service.tell(
                .updates([
                    .received(
                        ReceivedMessage(
                            buddy: MessagePanelFixture.grace, sender: .buddy,
                            content: MessageContent("a.png", files: [file], spoiler: "ending"),
                            time: fixture.wall.now, name: "spoiler"))
                ]))
            fixture.settle()
            XCTAssertEqual(fixture.rows("Conversation"), ["Grace, \(fixture.time): Spoiler: ending"])
            XCTAssertFalse(Self.shows("a.png", in: fixture))
            fixture.click(fixture.button("Show"))
            fixture.settle()
            XCTAssertEqual(fixture.rows("Conversation"), ["Grace, \(fixture.time): picture a.png"])
            fixture.clear()
        }
    }
}
