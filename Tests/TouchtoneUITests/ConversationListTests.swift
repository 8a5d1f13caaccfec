// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of the list of conversations: its previews and menu, and its place in panels of different widths.
final class ConversationListTests: GtkTestCase {
    func testRowShowsTheLastMessageAndItsTime() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.meet()
            fixture.come("see you", from: MessagePanelFixture.edsger)
            fixture.settle()
            waitUntil("he is first") { fixture.rows("Buddies").first == "Edsger, away, 1 unread" }
            let shown = fixture.labels(in: fixture.row("Buddies", "Edsger"))
            for text in ["Edsger", "see you", fixture.time, "1"] {
                XCTAssert(shown.contains(text), "\(text) is not among \(shown)")
            }
            XCTAssertFalse(shown.contains("@"))
            XCTAssertEqual(
                fixture.description(of: fixture.row("Buddies", "Edsger")), "see you, \(fixture.time)")
            // The people without a conversation are below, with their status.
            XCTAssert(fixture.labels(in: fixture.row("Buddies", "Grace")).contains("PEOPLE"))
            XCTAssertFalse(fixture.labels(in: fixture.row("Buddies", "Operator")).contains("PEOPLE"))
            fixture.open(MessagePanelFixture.edsger)
            fixture.type("So long")
            fixture.type(GDK_KEY_Return)
            fixture.settle()
            XCTAssert(fixture.labels(in: fixture.row("Buddies", "Edsger")).contains("You: So long"))
            fixture.come("/me waves", from: MessagePanelFixture.grace)
            fixture.settle()
            waitUntil("she is first") { fixture.rows("Buddies").first?.hasPrefix("Grace") == true }
            XCTAssert(fixture.labels(in: fixture.row("Buddies", "Grace")).contains("waves"))
            fixture.clear()
        }
    }

    func testRowShowsTheDraft() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.meet()
            fixture.come("see you", from: MessagePanelFixture.edsger)
            fixture.open(MessagePanelFixture.edsger)
            fixture.click(fixture.field)
            fixture.type("perhaps")
            fixture.settle()
            XCTAssert(fixture.labels(in: fixture.row("Buddies", "Edsger")).contains("see you"))
            fixture.open()
            let row = fixture.row("Buddies", "Edsger")
            XCTAssert(fixture.labels(in: row).contains("Draft: perhaps"))
            XCTAssert(fixture.description(of: row).hasPrefix("Draft: perhaps"))
            fixture.open(MessagePanelFixture.edsger)
            fixture.type(GDK_KEY_Return)
            fixture.settle()
            fixture.open()
            XCTAssert(fixture.labels(in: fixture.row("Buddies", "Edsger")).contains("You: perhaps"))
            fixture.clear()
        }
    }

    func testMenuPinsMutesAndHides() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.meet()
            fixture.come("one", from: MessagePanelFixture.edsger, at: 1000)
            fixture.come("two", from: MessagePanelFixture.grace, at: 2000)
            fixture.settle()
            waitUntil("the newest is first") { fixture.rows("Buddies").first?.hasPrefix("Grace") == true }
            @MainActor func choose(_ item: String) {
                fixture.click(fixture.row("Buddies", "Edsger"), button: 3)
                waitUntil("the menu is open") { fixture.menuItems.contains(item) }
                for _ in 0..<20 where fixture.selectedMenuItem != item { fixture.type(GDK_KEY_Down) }
                fixture.type(GDK_KEY_Return)
                movePointerAway()
                fixture.settle()
            }
            choose("Pin")
            waitUntil("he is first") { fixture.rows("Buddies").first?.hasPrefix("Edsger") == true }
            choose("Mute")
            XCTAssertEqual(fixture.chat.buddies.row(of: MessagePanelFixture.edsger)?.isMuted, true)
            XCTAssert(
                fixture.description(of: fixture.row("Buddies", "Edsger")).contains("pinned, muted"),
                fixture.description(of: fixture.row("Buddies", "Edsger")))
            choose("Unpin")
            waitUntil("she is first") { fixture.rows("Buddies").first?.hasPrefix("Grace") == true }
            fixture.open(MessagePanelFixture.edsger)
            choose("Hide Conversation")
            waitUntil("he is among the people") {
                fixture.rows("Buddies").last == "Edsger, away" && fixture.chat.selected == nil
            }
            fixture.clear()
        }
    }

    func testRowsKeepTheirPlacesUnderThePointer() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.meet()
            fixture.come("one", from: MessagePanelFixture.grace, at: 1000)
            fixture.settle()
            waitUntil("she is first") { fixture.rows("Buddies").first?.hasPrefix("Grace") == true }
            fixture.hover(try XCTUnwrap(fixture.row("Buddies", "Operator")))
            fixture.settle()
            fixture.come("two", from: MessagePanelFixture.edsger, at: 2000)
            waitUntil("it is counted") { fixture.rows("Buddies").contains("Edsger, away, 1 unread") }
            fixture.settle()
            waitUntil("the order is known") {
                fixture.chat.buddies.order.first == MessagePanelFixture.edsger
            }
            XCTAssertEqual(fixture.rows("Buddies").first?.hasPrefix("Grace"), true)
            movePointerAway()
            waitUntil("he is first") { fixture.rows("Buddies").first?.hasPrefix("Edsger") == true }
            fixture.clear()
        }
    }

    func testWidePanelHasTheConversationBesideTheList() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture(width: 900)
            fixture.meet()
            fixture.open()
            let (list, talk) = try (
                XCTUnwrap(fixture.list("Buddies")), XCTUnwrap(fixture.list("Conversation"))
            )
            waitUntil("it is beside the list") {
                left(of: talk, in: fixture.widget) >= 280 && left(of: list, in: fixture.widget) < 20
            }
            XCTAssertLessThanOrEqual(gtk_widget_get_allocated_width(list), 280)
            XCTAssertNil(fixture.button("Back"))
            fixture.clear()
        }
    }

    func testMiddlePanelHasWholeRowsInItsUpperThird() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture(width: 500) { store in
                try store.fill(
                    buddies: (0..<40).map { BuddyRecord(ChatAddress("b\($0)@example.org"), name: "B \($0)") })
            }
            fixture.open(ChatAddress("b7@example.org"))
            let list = try XCTUnwrap(fixture.list("Buddies"))
            waitUntil("it is a third of the panel") {
                (100...640 / 3).contains(fixture.viewHeight(of: list))
            }
            let rows = descendants(of: list).filter {
                atk_object_get_role(gtk_widget_get_accessible($0)) == ATK_ROLE_LIST_ITEM
            }
            let height = try XCTUnwrap(rows.map { gtk_widget_get_allocated_height($0) }.min())
            XCTAssertEqual(fixture.viewHeight(of: list) % height, 0, "the last row is cut")
            let chosen = try XCTUnwrap(fixture.row("Buddies", "B 7,"))
            waitUntil("the chosen row is in sight") {
                let start = top(of: chosen, in: gtk_widget_get_parent(list))
                return start >= 0 && start + height <= fixture.viewHeight(of: list)
            }
            fixture.clear()
        }
    }

    func testNarrowPanelShowsTheConversationInPlaceOfTheList() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture(width: 360)
            fixture.meet()
            fixture.open()
            let talk = try XCTUnwrap(fixture.list("Conversation"))
            waitUntil("the list is gone") {
                gtk_widget_get_mapped(talk) != 0 && fixture.list("Buddies") == nil
            }
            XCTAssertEqual(fixture.chat.selected?.buddy, MessagePanelFixture.grace)
            fixture.click(fixture.button("Back"))
            waitUntil("the list is there again") { fixture.list("Buddies") != nil }
            XCTAssertNil(fixture.chat.selected)
            fixture.open()
            waitUntil("the list is gone again") { fixture.list("Buddies") == nil }
            fixture.panel.focus()
            fixture.type(GDK_KEY_Escape)
            waitUntil("Escape leads back") { fixture.chat.selected == nil }
            fixture.clear()
        }
    }

    /// The contents are built after a frame, when the window may be gone.
    func testPanelMayBeFilledAfterItsWindowHasGone() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture(panel: false)
            let messages = fixture.window.panel.messages
            XCTAssert(messages.insides == nil)
            let detail: UnsafeMutablePointer<GObject> = try XCTUnwrap(messages.detail).cast()
            XCTAssertGreaterThan(detail.pointee.ref_count, 1, "only the window keeps it")
            fixture.clear()
            messages.build()
            XCTAssert(messages.insides != nil)
            messages.close()
        }
    }

    func testHeaderTellsWhomOneTalksTo() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture(width: 900)
            fixture.meet()
            fixture.open(MessagePanelFixture.edsger)
            let header = try XCTUnwrap(fixture.find("Conversation Header", ATK_ROLE_PANEL))
            XCTAssertEqual(fixture.description(of: header), "away · at lunch")
            XCTAssert(fixture.labels(in: header).contains("Edsger"))
            XCTAssertNil(fixture.button("Call"), "he has no number")
            fixture.service.tell(
                .presence(MessagePanelFixture.edsger, device: "phone", DevicePresence(.online)))
            waitUntil("his state is told") { fixture.description(of: header) == "online" }
            fixture.click(fixture.button("Menu"))
            waitUntil("the menu is open") { fixture.menuItems.contains("Profile…") }
            XCTAssertFalse(fixture.menuItems.contains("Open"))
            fixture.type(GDK_KEY_Escape)
            fixture.click(fixture.button("Search"))
            waitUntil("the search is open") { fixture.list("Found messages") != nil }
            fixture.clear()
        }
    }
}

@MainActor
private func top(of widget: Widget, in parent: Widget?) -> gint {
    var top: gint = 0
    gtk_widget_translate_coordinates(widget, parent, 0, 0, nil, &top)
    return top
}
