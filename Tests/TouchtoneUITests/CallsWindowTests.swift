// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of the calls beside the phone: navigation and counters.
final class CallsWindowTests: GtkTestCase {
    func testShortcutOpensPageAndClickReturnsToDisplay() throws {
        try onMainActor {
            let (fixture, _) = try PhoneWindowFixture.withCalls(PastCall.some, panel: false)
            fixture.act("calls")
            XCTAssert(fixture.window.panel.folding.isOpen)
            XCTAssertEqual(fixture.window.panel.side.shown, .calls)
            waitUntil("the calls are listed") { fixture.rows("Calls").count == 5 }
            gtk_test_widget_wait_for_draw(fixture.widget)
            fixture.click(fixture.row("Calls", "555-0100"))
            XCTAssertEqual(fixture.display, "555-0100")
            XCTAssertEqual(fixture.line.numbers, [])
            // The row has put its number on the display, so Return calls it, as Dial does.
            fixture.type(GDK_KEY_Return)
            XCTAssertEqual(fixture.line.numbers, ["5550100"])
            fixture.settle()
            fixture.click("Dial")
            XCTAssertEqual(fixture.line.numbers, ["5550100", "5550100"])
            fixture.act("messages")
            XCTAssertEqual(fixture.window.panel.side.shown, .messages)
            fixture.clear()
        }
    }

    func testDeleteActsOnRowAndTextGoesToSearch() throws {
        try onMainActor {
            let (fixture, store) = try PhoneWindowFixture.withCalls(PastCall.some)
            fixture.type("123")
            fixture.act("calls")
            waitUntil("the calls are listed") { fixture.rows("Calls").count == 5 }
            fixture.type("86")
            fixture.type("7")
            let search = try XCTUnwrap(
                descendants(of: fixture.widget).first { accessibleName(of: $0) == "Search calls" })
            XCTAssertEqual(String(cString: gtk_entry_get_text(search.cast())), "867")
            waitUntil("two calls are found") { fixture.rows("Calls").count == 2 }
            // The text is appended to the current search.
            fixture.enter("Calls")
            fixture.type("5")
            XCTAssertEqual(String(cString: gtk_entry_get_text(search.cast())), "8675")
            fixture.type(GDK_KEY_Escape)
            waitUntil("all are listed again") { fixture.rows("Calls").count == 5 }
            fixture.enter("Calls")
            fixture.type(GDK_KEY_Delete)
            waitUntil("the call is gone") { store.deleted.count == 1 }
            fixture.type(GDK_KEY_BackSpace)
            XCTAssertEqual(fixture.display, "123")
            fixture.clear()
        }
    }

    func testTextTypedOverPanelMenuDoesNotReachPhone() throws {
        try onMainActor {
            let (fixture, _) = try PhoneWindowFixture.withCalls(PastCall.some)
            fixture.act("calls")
            waitUntil("the calls are listed") { fixture.rows("Calls").count == 5 }
            gtk_test_widget_wait_for_draw(fixture.widget)
            fixture.click("Calls menu")
            waitUntil("the menu has the focus") {
                gtk_window_get_focus(fixture.window.window).map {
                    gtk_widget_get_ancestor($0, gtk_popover_get_type()) != nil
                } ?? false
            }
            fixture.type("5")
            fixture.type(GDK_KEY_BackSpace)
            XCTAssertEqual(fixture.display, "")
            XCTAssertEqual(fixture.tones.tones, [])
            fixture.clear()
        }
    }

    func testNumberOpensPhoneInNarrowWindow() throws {
        try onMainActor {
            let (fixture, _) = try PhoneWindowFixture.withCalls(PastCall.some, width: 380)
            waitUntil("the window is folded") { fixture.window.panel.folding.isFolded }
            fixture.act("calls")
            waitUntil("the page is shown") {
                fixture.window.panel.folding.isOpen && fixture.rows("Calls").count == 5
            }
            waitUntil("a call has the focus") {
                gtk_window_get_focus(fixture.window.window).map {
                    atk_object_get_role(gtk_widget_get_accessible($0)) == ATK_ROLE_LIST_ITEM
                } ?? false
            }
            fixture.type(GDK_KEY_Return)
            waitUntil("the phone is shown") { !fixture.window.panel.folding.isOpen }
            XCTAssertEqual(fixture.display, "(555) 867-5309")
            fixture.clear()
        }
    }

    func testMissedCallsAreCountedOnPhoneUntilViewed() throws {
        try onMainActor {
            let (fixture, store) = try PhoneWindowFixture.withCalls(PastCall.some, panel: false, areNew: true)
            let key = try XCTUnwrap(fixture.find("Messages"))
            waitUntil("it is told") { fixture.description(of: key) == "1 missed call" }
            XCTAssertEqual(fixture.status, "1 MISSED")
            XCTAssertNotEqual(gtk_style_context_has_class(gtk_widget_get_style_context(key), "unread"), 0)
            fixture.act("panel")
            waitUntil("the page has its key") { fixture.find("Calls page") != nil }
            XCTAssertEqual(fixture.description(of: fixture.find("Calls page")), "1 missed")
            XCTAssertEqual(store.seen, 0, "the messages are looked at")
            gtk_test_widget_wait_for_draw(fixture.widget)
            fixture.click("Calls page")
            waitUntil("they are seen") { fixture.description(of: key) == "" }
            XCTAssertEqual(fixture.status, "READY")
            XCTAssertEqual(store.seen, 1)
            fixture.clear()
        }
    }

    func testCallOpensContactOrOffersToAddOne() throws {
        try onMainActor {
            let grace = NewContact(
                ContactCard(name: "Grace", methods: [ContactMethod(.number, "555-867-5309")]))
            let (fixture, _) = try PhoneWindowFixture.withCalls(PastCall.some, people: [grace])
            for (name, item) in [("Grace", "Show Contact"), ("555-0100", "Add to Contacts…")] {
                fixture.act("calls")
                waitUntil("the call is listed") { fixture.row("Calls", name) != nil }
                gtk_test_widget_wait_for_draw(fixture.widget)
                fixture.click(fixture.row("Calls", name), button: 3)
                XCTAssertEqual(fixture.menuItems.suffix(3), [item, "Block Calls", "Delete"])
                // Without a setting to save it, nobody can be blocked, and the item is passed over.
                fixture.type(GDK_KEY_Up)
                fixture.type(GDK_KEY_Up)
                fixture.type(GDK_KEY_Return)
                waitUntil("the contacts are shown") { fixture.window.panel.side.shown == .contacts }
            }
            fixture.clear()
        }
    }

    func testLockedPhoneHidesCalls() throws {
        try onMainActor {
            let (fixture, _) = try PhoneWindowFixture.withCalls(PastCall.some, passcode: "1234", areNew: true)
            XCTAssertEqual(fixture.rows("Calls"), [])
            fixture.act("calls")
            handleEvents()
            XCTAssertFalse(fixture.labels(in: fixture.widget).contains { $0.contains("555-0100") })
            XCTAssertNil(fixture.find("Calls page"))
            fixture.clear()
        }
    }

    func testPageIsNotBuiltBeforeItIsShown() throws {
        try onMainActor {
            let (fixture, store) = try PhoneWindowFixture.withCalls(PastCall.some)
            waitUntil("the panel is built") { fixture.window.panel.messages.insides != nil }
            XCTAssertNil(fixture.window.panel.side.page(.calls))
            XCTAssertEqual(store.queries.count, 0)
            fixture.clear()
        }
    }
}

extension PhoneWindowFixture {
    /// Returns a phone with a history, and the objects that keep it alive.
    fileprivate static func withCalls(
        _ calls: [PastCall], people: [NewContact] = [], width: gint = 804, panel: Bool = true,
        passcode: String? = nil, areNew: Bool = false
    ) throws -> (PhoneWindowFixture, MemoryHistoryStore) {
        let store = MemoryHistoryStore()
        store.fill(calls, areNew: areNew)
        let known = MemoryContactStore()
        known.fill(people)
        let contacts = ContactBook(store: known, books: nil)
        contacts.start()
        let history = CallHistory(store: store, contacts: contacts, wall: FixedWallClock())
        history.start()
        let directory = DirectoryDependencies(history: history, contacts: contacts, vCards: NoCards())
        return (
            try PhoneWindowFixture(width: width, panel: panel, passcode: passcode, directory: directory),
            store
        )
    }
}

/// A card reader that reads and writes nothing.
private final class NoCards: VCardCoding {
    func read(_ bytes: [UInt8]) async throws(VCardError) -> VCardReadResult { VCardReadResult(contacts: []) }
    func write(_ contacts: [NewContact], version: VCardVersion) async -> [UInt8] { [] }
}
