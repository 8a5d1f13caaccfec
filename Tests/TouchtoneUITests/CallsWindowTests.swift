// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// The calls beside the phone: how one gets there, and what waits.
final class CallsWindowTests: GtkTestCase {
    func testAKeyLeadsToThePageAndAClickToTheDisplay() throws {
        try onMainActor {
            let (desk, _) = try Desk.withCalls(PastCall.some, panel: false)
            desk.act("calls")
            XCTAssert(desk.window.panel.folding.isOpen)
            XCTAssertEqual(desk.window.panel.side.shown, .calls)
            waitUntil("the calls are listed") { desk.rows("Calls").count == 5 }
            gtk_test_widget_wait_for_draw(desk.widget)
            desk.click(desk.row("Calls", "555-0100"))
            XCTAssertEqual(desk.display, "555-0100")
            XCTAssertEqual(desk.line.numbers, [])
            // Return is the row's, and fills in again; Dial calls.
            desk.type(GDK_KEY_Return)
            XCTAssertEqual(desk.line.numbers, [])
            desk.click("Dial")
            XCTAssertEqual(desk.line.numbers, ["5550100"])
            desk.act("messages")
            XCTAssertEqual(desk.window.panel.side.shown, .messages)
            desk.clear()
        }
    }

    func testDeleteOnARowIsTheRowsAndTextIsTheSearchs() throws {
        try onMainActor {
            let (desk, store) = try Desk.withCalls(PastCall.some)
            desk.type("123")
            desk.act("calls")
            waitUntil("the calls are listed") { desk.rows("Calls").count == 5 }
            desk.type("86")
            desk.type("7")
            let search = try XCTUnwrap(
                descendants(of: desk.widget).first { accessibleName(of: $0) == "Search calls" })
            XCTAssertEqual(String(cString: gtk_entry_get_text(search.cast())), "867")
            waitUntil("two calls are found") { desk.rows("Calls").count == 2 }
            // More is added to what is looked for already.
            desk.enter("Calls")
            desk.type("5")
            XCTAssertEqual(String(cString: gtk_entry_get_text(search.cast())), "8675")
            desk.type(GDK_KEY_Escape)
            waitUntil("all are listed again") { desk.rows("Calls").count == 5 }
            desk.enter("Calls")
            desk.type(GDK_KEY_Delete)
            waitUntil("the call is gone") { store.deleted.count == 1 }
            desk.type(GDK_KEY_BackSpace)
            XCTAssertEqual(desk.display, "123")
            desk.clear()
        }
    }

    func testWhatIsTypedOverAMenuOfThePanelIsNotThePhones() throws {
        try onMainActor {
            let (desk, _) = try Desk.withCalls(PastCall.some)
            desk.act("calls")
            waitUntil("the calls are listed") { desk.rows("Calls").count == 5 }
            gtk_test_widget_wait_for_draw(desk.widget)
            desk.click("Calls menu")
            waitUntil("the menu has the focus") {
                gtk_window_get_focus(desk.window.window).map {
                    gtk_widget_get_ancestor($0, gtk_popover_get_type()) != nil
                } ?? false
            }
            desk.type("5")
            desk.type(GDK_KEY_BackSpace)
            XCTAssertEqual(desk.display, "")
            XCTAssertEqual(desk.tones.tones, [])
            desk.clear()
        }
    }

    func testInANarrowWindowANumberLeadsToThePhone() throws {
        try onMainActor {
            let (desk, _) = try Desk.withCalls(PastCall.some, width: 380)
            waitUntil("the window is folded") { desk.window.panel.folding.isFolded }
            desk.act("calls")
            waitUntil("the page is shown") {
                desk.window.panel.folding.isOpen && desk.rows("Calls").count == 5
            }
            desk.type(GDK_KEY_Return)
            waitUntil("the phone is shown") { !desk.window.panel.folding.isOpen }
            XCTAssertEqual(desk.display, "(555) 867-5309")
            desk.clear()
        }
    }

    func testMissedCallsAreCountedOnThePhoneUntilTheyAreLookedAt() throws {
        try onMainActor {
            let (desk, store) = try Desk.withCalls(PastCall.some, panel: false, areNew: true)
            let key = try XCTUnwrap(desk.find("Messages"))
            waitUntil("it is told") { desk.description(of: key) == "1 missed call" }
            XCTAssertEqual(desk.status, "1 MISSED")
            XCTAssertNotEqual(gtk_style_context_has_class(gtk_widget_get_style_context(key), "unread"), 0)
            desk.act("panel")
            waitUntil("the page has its key") { desk.find("Calls page") != nil }
            XCTAssertEqual(desk.description(of: desk.find("Calls page")), "1 missed")
            XCTAssertEqual(store.seen, 0, "the messages are looked at")
            gtk_test_widget_wait_for_draw(desk.widget)
            desk.click("Calls page")
            waitUntil("they are seen") { desk.description(of: key) == "" }
            XCTAssertEqual(desk.status, "READY")
            XCTAssertEqual(store.seen, 1)
            desk.clear()
        }
    }

    func testACallLeadsToWhoIsKnownAndMakesOthersKnown() throws {
        try onMainActor {
            let grace = NewContact(ContactCard(name: "Grace", ways: [ContactWay(.number, "555-867-5309")]))
            let (desk, _) = try Desk.withCalls(PastCall.some, people: [grace])
            for (name, item) in [("Grace", "Show Contact"), ("555-0100", "Add to Contacts…")] {
                desk.act("calls")
                waitUntil("the call is listed") { desk.row("Calls", name) != nil }
                gtk_test_widget_wait_for_draw(desk.widget)
                desk.click(desk.row("Calls", name), button: 3)
                XCTAssertEqual(desk.menuItems.suffix(2), [item, "Delete"])
                desk.type(GDK_KEY_Up)
                desk.type(GDK_KEY_Up)
                desk.type(GDK_KEY_Return)
                waitUntil("the contacts are shown") { desk.window.panel.side.shown == .contacts }
            }
            desk.clear()
        }
    }

    func testALockedPhoneHasNoCalls() throws {
        try onMainActor {
            let (desk, _) = try Desk.withCalls(PastCall.some, passcode: "1234", areNew: true)
            XCTAssertEqual(desk.rows("Calls"), [])
            desk.act("calls")
            handleEvents()
            XCTAssertFalse(desk.labels(in: desk.widget).contains { $0.contains("555-0100") })
            XCTAssertNil(desk.find("Calls page"))
            desk.clear()
        }
    }

    func testThePageIsNotMadeBeforeItIsShown() throws {
        try onMainActor {
            let (desk, store) = try Desk.withCalls(PastCall.some)
            waitUntil("the panel is built") { desk.window.panel.messages.isBuilt }
            XCTAssertNil(desk.window.panel.side.page(.calls))
            XCTAssertEqual(store.queries.count, 0)
            desk.clear()
        }
    }
}

extension Desk {
    /// A phone with a history, and what keeps that.
    fileprivate static func withCalls(
        _ calls: [PastCall], people: [NewContact] = [], width: gint = 780, panel: Bool = true,
        passcode: String? = nil, areNew: Bool = false
    ) throws -> (Desk, MemoryHistoryStore) {
        let store = MemoryHistoryStore()
        store.fill(calls, areNew: areNew)
        let known = MemoryContactStore()
        known.fill(people)
        let contacts = ContactBook(store: known, books: nil)
        contacts.start()
        let history = CallHistory(store: store, contacts: contacts, wall: FixedWallClock())
        history.start()
        let directory = DirectoryParts(history: history, contacts: contacts, vCards: NoCards())
        return (
            try Desk(width: width, panel: panel, passcode: passcode, directory: directory), store
        )
    }
}

/// Reads and writes nothing.
private final class NoCards: VCardCoding {
    func read(_ bytes: [UInt8]) async throws(VCardError) -> VCardsRead { VCardsRead(contacts: []) }
    func write(_ contacts: [NewContact], version: VCardVersion) async -> [UInt8] { [] }
}
