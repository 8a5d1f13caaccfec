// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of the search in people and messages, which is in the list’s place.
final class SearchTests: GtkTestCase {
    private static let results = "Search results"

    /// Opens the search with a text, in a panel with Grace and Edsger.
    @MainActor
    private static func searching(
        _ text: String, width: gint = 900, clock: any Scheduler = MainLoopScheduler(),
        messages: [(text: String, buddy: ChatAddress)]
    ) throws -> MessagePanelFixture {
        let fixture = try MessagePanelFixture(width: width)
        fixture.meet()
        for (number, message) in messages.enumerated() {
            fixture.come(message.text, from: message.buddy, at: Int64(number + 1) * 1_000)
        }
        fixture.settle()
        fixture.click(fixture.button("Search people and messages"))
        fixture.type(text)
        return fixture
    }

    func testPeopleAndMessagesAreTwoGroups() throws {
        try onMainActor {
            let fixture = try Self.searching(
                "gra",
                messages: [
                    ("Who is Grace?", MessagePanelFixture.edsger), ("Gray skies", MessagePanelFixture.grace),
                    ("Nothing", MessagePanelFixture.grace),
                ])
            waitUntil("all are found") { fixture.rows(Self.results).count == 3 }
            let rows = fixture.rows(Self.results)
            XCTAssert(rows[0].hasPrefix("Grace, online"), rows[0])
            XCTAssert(rows[1].hasPrefix("Grace, ") && rows[1].hasSuffix(": Gray skies"), rows[1])
            XCTAssert(rows[2].hasPrefix("Edsger, ") && rows[2].hasSuffix(": Who is Grace?"), rows[2])
            let list = fixture.list(Self.results)
            XCTAssertEqual(
                fixture.labels(in: list).filter { ["PEOPLE", "MESSAGES"].contains($0) },
                ["PEOPLE", "MESSAGES"])
            let markup = descendants(of: try XCTUnwrap(list)).filter {
                cgtk_instance_is_a($0, gtk_label_get_type()) != 0
            }.map { String(cString: gtk_label_get_label($0.cast())) }
            XCTAssert(markup.contains { $0.contains("<b>Gra</b>") }, "\(markup)")
            fixture.clear()
        }
    }

    func testKeyboardLeadsToTheMessageAndBack() throws {
        try onMainActor {
            let fixture = try Self.searching(
                "needle",
                messages: [("A needle", MessagePanelFixture.edsger)]
                    + (0..<120).map { ("Hay \($0)", MessagePanelFixture.edsger) })
            waitUntil("it is found") { fixture.rows(Self.results).count == 1 }
            fixture.type(GDK_KEY_Return)
            XCTAssert(fixture.focusedName?.hasSuffix(": A needle") == true, "\(fixture.focusedName ?? "")")
            fixture.type(GDK_KEY_Return)
            waitUntil("the message is there, and has the focus") {
                fixture.chat.selected?.buddy == MessagePanelFixture.edsger
                    && fixture.list("Conversation")?.holdsFocus == true
                    && fixture.focusedName?.hasSuffix(": A needle") == true
            }
            XCTAssertEqual(fixture.rows(Self.results).count, 1, "the other results are still there")
            fixture.type("y")
            XCTAssertEqual(fixture.fieldText, "y", "what is typed goes to the field")
            fixture.key(Modifier.control, down: true)
            fixture.type("F", with: Modifier.shift)
            fixture.key(Modifier.control, down: false)
            fixture.settle()
            XCTAssertEqual(fixture.focusedName, "Search people and messages")
            fixture.type(GDK_KEY_Down)
            fixture.type(GDK_KEY_Escape)
            waitUntil("the list is back") { fixture.rows("Buddies").count == 3 }
            XCTAssertNil(fixture.list(Self.results))
            fixture.clear()
        }
    }

    func testNarrowPanelReturnsToTheResults() throws {
        try onMainActor {
            let fixture = try Self.searching(
                "tea", width: 360, messages: [("Tea?", MessagePanelFixture.grace)])
            waitUntil("it is found") { fixture.rows(Self.results).count == 1 }
            fixture.type(GDK_KEY_Down)
            fixture.type(GDK_KEY_Return)
            waitUntil("the conversation is there") { fixture.list("Conversation")?.holdsFocus == true }
            fixture.type(GDK_KEY_Escape)
            waitUntil("the results are there") { fixture.list(Self.results)?.holdsFocus == true }
            XCTAssertNil(fixture.chat.selected)
            fixture.clear()
        }
    }

    func testOnlyTheLastTextIsSearched() throws {
        try onMainActor {
            let fixture = try Self.searching(
                "te", messages: [("Ten", MessagePanelFixture.grace), ("Tea", MessagePanelFixture.edsger)])
            fixture.store.isHeld = true
            fixture.type("n")
            waitUntil("it is searched") { fixture.store.searches.last == "ten" }
            fixture.type(GDK_KEY_BackSpace)
            fixture.type("a")
            waitUntil("it is searched") { fixture.store.searches.last == "tea" }
            fixture.store.isHeld = false
            waitUntil("it is found, and nothing else") {
                let rows = fixture.rows(Self.results)
                return rows.count == 1 && rows[0].hasSuffix(": Tea")
            }
            fixture.clear()
        }
    }

    func testMessageThatIsGoneIsNoResult() throws {
        try onMainActor {
            let fixture = try Self.searching(
                "tea",
                messages: [
                    ("Tea 1", MessagePanelFixture.grace), ("Tea 2", MessagePanelFixture.grace),
                    ("Tea 3", MessagePanelFixture.grace),
                ])
            waitUntil("all are found") { fixture.rows(Self.results).count == 3 }
            let list = try XCTUnwrap(fixture.panel.insides).buddies.results.list
            let message = { (text: String) in fixture.chat.selected?.window.first { $0.text == text } }
            fixture.open()
            fixture.chat.deleteHere(try XCTUnwrap(message("Tea 3")))
            waitUntil("it is gone") { fixture.rows(Self.results).count == 2 }
            let labels = fixture.labels(in: fixture.list(Self.results))
            XCTAssertEqual(labels.count { $0 == "MESSAGES" }, 1)
            // Grace takes the others back.
            let names = ["Tea 1", "Tea 2"].compactMap { message($0)?.name }
            for name in names {
                fixture.service.tell(
                    .updates([
                        .annotated(
                            MessageAnnotation(
                                .retraction, of: .stanza(name), buddy: MessagePanelFixture.grace,
                                sender: .buddy, time: fixture.wall.now))
                    ]))
            }
            waitUntil("all are gone") { list.ids.isEmpty }
            XCTAssert(fixture.labels(in: fixture.widget).contains("Nothing found."))
            fixture.clear()
        }
    }

    func testManyResultsComeStepByStep() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture(width: 900) { store in
                try store.fill(
                    buddies: (0..<9).map {
                        BuddyRecord(ChatAddress("tea\($0)@example.org"), name: "Tea \($0)")
                    },
                    facts: (0..<70).map { number in
                        .received(
                            ReceivedMessage(
                                buddy: MessagePanelFixture.grace, sender: .buddy, text: "Tea \(number)",
                                time: ChatTime(milliseconds: Int64(number) * 1_000), name: "n\(number)"))
                    })
            }
            fixture.settle()
            fixture.click(fixture.button("Search people and messages"))
            fixture.type("tea")
            let list = try XCTUnwrap(fixture.panel.insides).buddies.results.list
            waitUntil("some are found") { list.ids.count == 5 + 1 + 50 + 1 }
            XCTAssertEqual(list.ids[5], .morePeople)
            list.onActivate?(.morePeople, true)
            waitUntil("all people are shown") { list.ids.count == 9 + 50 + 1 }
            XCTAssertEqual(list.ids.last, .moreMessages)
            list.onActivate?(.moreMessages, true)
            waitUntil("all messages are found") { list.ids.count == 9 + 70 }
            XCTAssertFalse(list.ids.contains(.moreMessages))
            fixture.clear()
        }
    }

    func testLockedPhoneForgetsResults() throws {
        try onMainActor {
            let fixture = try Self.searching("tea", messages: [("Tea?", MessagePanelFixture.grace)])
            waitUntil("it is found") { fixture.rows(Self.results).count == 1 }
            fixture.panel.setCovered(true)
            fixture.settle()
            XCTAssertEqual(fixture.rows(Self.results), [])
            XCTAssertFalse(fixture.labels(in: fixture.widget).contains { $0.contains("Tea") })
            fixture.panel.setCovered(false)
            waitUntil("it is found again") { fixture.rows(Self.results).count == 1 }
            fixture.clear()
        }
    }
}
