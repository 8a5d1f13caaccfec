// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of the shortcuts of the message page, with real keys.
final class MessageKeyTests: GtkTestCase {
    private static let (grace, edsger) = (MessagePanelFixture.grace, MessagePanelFixture.edsger)

    @MainActor
    private static func opened() throws -> MessagePanelFixture {
        let fixture = try MessagePanelFixture()
        fixture.meet()
        fixture.come("from Edsger", from: edsger, at: 1_000)
        fixture.come("from Grace", from: grace, at: 2_000)
        fixture.open()
        waitUntil("both are conversations") {
            fixture.messenger.buddies.order.prefix(2).map(\.buddy) == [grace, edsger]
        }
        fixture.panel.focus()
        _ = fixture.panel.focusField()
        return fixture
    }

    /// Types a key with two modifiers.
    @MainActor
    private static func type(_ key: gint, with modifiers: [gint], in fixture: MessagePanelFixture) {
        for modifier in modifiers { fixture.key(modifier, down: true) }
        fixture.type(key)
        for modifier in modifiers { fixture.key(modifier, down: false) }
        fixture.settle()
    }

    func testKeysLeadFromConversationToConversation() throws {
        try onMainActor {
            let fixture = try Self.opened()
            let order = fixture.messenger.buddies.order.map(\.buddy)
            XCTAssertEqual(fixture.focusedName, "Message")
            for (key, modifiers, expected) in [
                (GDK_KEY_Page_Down, [Modifier.control], Self.edsger),
                (GDK_KEY_Page_Up, [Modifier.control], Self.grace),
                (GDK_KEY_Tab, [Modifier.control], Self.edsger),
                (GDK_KEY_Tab, [Modifier.control, Modifier.shift], Self.grace),
            ] {
                Self.type(key, with: modifiers, in: fixture)
                XCTAssertEqual(fixture.chat.selected?.buddy, expected)
                XCTAssertEqual(fixture.focusedName, "Message")
            }
            // From the list of messages, and over the ends.
            fixture.enter("Conversation")
            Self.type(GDK_KEY_Page_Up, with: [Modifier.control], in: fixture)
            XCTAssertNotEqual(fixture.chat.selected?.buddy, Self.grace)
            Self.type(GDK_KEY_Page_Down, with: [Modifier.control], in: fixture)
            XCTAssertEqual(fixture.chat.selected?.buddy, Self.grace, "\(order)")
            fixture.clear()
        }
    }

    func testKeyLeadsToUnreadMessages() throws {
        try onMainActor {
            let fixture = try Self.opened()
            Self.type(GDK_KEY_Down, with: [GDK_KEY_Alt_L, Modifier.shift], in: fixture)
            XCTAssertEqual(fixture.chat.selected?.buddy, Self.edsger)
            Self.type(GDK_KEY_Down, with: [GDK_KEY_Alt_L, Modifier.shift], in: fixture)
            XCTAssertEqual(fixture.chat.selected?.buddy, Self.edsger, "nothing else is unread")
            fixture.clear()
        }
    }

    func testRepliesAndReactionsBeginInField() throws {
        try onMainActor {
            let fixture = try Self.opened()
            fixture.come("second", at: 3_000)
            fixture.chat.send("mine", to: Self.grace)
            fixture.settle()
            for text in ["second", "from Grace", "from Grace"] {
                fixture.type("r", with: Modifier.control)
                XCTAssert(
                    fixture.labels(in: fixture.widget).contains("Reply to Grace: \(text)"), "\(text)")
            }
            fixture.type(GDK_KEY_Escape)
            Self.type(GDK_KEY_r, with: [Modifier.control, Modifier.shift], in: fixture)
            waitUntil("the choice has the focus") { fixture.focusedName == "👍" }
            fixture.type(GDK_KEY_Return)
            fixture.settle()
            let reacted = fixture.store.table.messages(of: Self.grace).filter { !$0.reactions.isEmpty }
            XCTAssertEqual(reacted.map(\.text), ["second"])
            fixture.clear()
        }
    }

    func testFilesAreAttachedByKey() throws {
        try onMainActor {
            let fixture = try Self.opened()
            fixture.type("u", with: Modifier.control)
            fixture.settle()
            XCTAssertEqual(fixture.navigator.fileRequests.count, 1)
            fixture.clear()
        }
    }

    func testUpGoesOnToOlderMessages() throws {
        try onMainActor {
            let fixture = try Self.opened()
            for text in ["one", "two\nlines", "three"] { fixture.chat.send(text, to: Self.grace) }
            fixture.settle()
            @MainActor func typed(_ key: gint) -> String {
                fixture.type(key)
                fixture.settle()
                return fixture.fieldText
            }
            XCTAssertEqual(typed(GDK_KEY_Up), "three")
            XCTAssertEqual(typed(GDK_KEY_Up), "two\nlines")
            XCTAssertEqual(typed(GDK_KEY_Up), "two\nlines", "the cursor is in the first line now")
            XCTAssertEqual(typed(GDK_KEY_Up), "one")
            XCTAssertEqual(typed(GDK_KEY_Up), "one", "there is no older one")
            XCTAssertEqual(typed(GDK_KEY_Down), "two\nlines")
            XCTAssertEqual(typed(GDK_KEY_Down), "three")
            XCTAssertEqual(typed(GDK_KEY_Down), "", "the draft is back")
            for _ in 0..<4 { _ = typed(GDK_KEY_Up) }
            fixture.type("s")
            XCTAssertEqual(typed(GDK_KEY_Up), "ones", "what is changed stays")
            fixture.type(GDK_KEY_Return)
            fixture.settle()
            XCTAssertEqual(
                fixture.store.table.messages(of: Self.grace).filter { $0.sender == .me }.map(\.text),
                ["ones", "two\nlines", "three"])
            fixture.clear()
        }
    }

    func testSearchIsInOneConversationOrInAll() throws {
        try onMainActor {
            let fixture = try Self.opened()
            fixture.type("f", with: Modifier.control)
            fixture.settle()
            XCTAssertEqual(fixture.focusedName, "Search in Grace")
            fixture.type("from")
            waitUntil("one is found") { fixture.rows("Found messages").count == 1 }
            fixture.click(fixture.button("Search All Conversations"))
            waitUntil("both are found") { fixture.rows("Search results").count == 2 }
            XCTAssertEqual(fixture.focusedName, "Search people and messages")
            XCTAssertFalse(fixture.panel.isSearchShown)
            fixture.type("f", with: Modifier.control)
            waitUntil("one is found again") { fixture.rows("Found messages").count == 1 }
            Self.type(GDK_KEY_f, with: [Modifier.control, Modifier.shift], in: fixture)
            XCTAssertEqual(fixture.focusedName, "Search people and messages")
            XCTAssertEqual(fixture.rows("Search results").count, 2)
            fixture.clear()
        }
    }

    func testTabCompletesNicknames() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.meet()
            let tea = RoomPanelTests.tea
            fixture.service.tell(.room(Room(RoomPanelTests.record, standing: .joined, rights: [.speak])))
            fixture.service.groups.people[tea] = ["ada", "grace", "Grete", "gr\nx"].map {
                RoomPerson(
                    nickname: $0, role: .participant, affiliation: .none, address: nil,
                    availability: .online, isMe: $0 == "ada")
            }
            fixture.service.tell(
                .updates([
                    .received(
                        ReceivedMessage(
                            buddy: tea, sender: .occupant(RoomOccupant(nickname: "grace")), text: "hello",
                            time: fixture.wall.now, name: "1"))
                ]))
            fixture.open(tea)
            fixture.click(fixture.field)
            fixture.type("gr")
            fixture.type(GDK_KEY_Tab)
            XCTAssertEqual(fixture.fieldText, "grace, ")
            fixture.type(GDK_KEY_Tab)
            XCTAssertEqual(fixture.fieldText, "Grete, ")
            XCTAssertEqual(fixture.focusedName, "Message")
            // Tab leaves the field if there is nothing to complete, and elsewhere.
            fixture.type("x")
            fixture.type(GDK_KEY_Tab)
            XCTAssertEqual(fixture.fieldText, "Grete, x")
            XCTAssertNotEqual(fixture.focusedName, "Message")
            fixture.open()
            fixture.click(fixture.field)
            fixture.type("gr")
            fixture.type(GDK_KEY_Tab)
            XCTAssertEqual(fixture.fieldText, "gr")
            fixture.clear()
        }
    }
}
