// SPDX-License-Identifier: GPL-3.0-or-later

import CXTest
import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of the page of contacts: the list, the card and the memory keys.
final class ContactsPageTests: GtkTestCase {
    func testRowsShowNamesAndCompaniesAndSearchFindsThem() throws {
        try onMainActor {
            let fixture = try ContactsPageFixture()
            XCTAssertEqual(fixture.rows, ["Ada Lovelace", "Edsger Dijkstra", "Grace Hopper, Navy"])
            XCTAssertEqual(fixture.page.title, "CONTACTS — 3")
            let search = try XCTUnwrap(fixture.find("Search contacts", ATK_ROLE_TEXT))
            gtk_widget_grab_focus(search)
            for (typed, found) in [
                ("hop", ["Grace Hopper, Navy"]), ("47223", ["Grace Hopper, Navy"]),
                ("navy", ["Grace Hopper, Navy"]), ("0199", ["Edsger Dijkstra"]), ("zz", []),
            ] {
                fixture.type(typed)
                waitUntil("they are found") { fixture.rows == found }
                XCTAssertEqual(fixture.labels.contains("No matching contacts."), found.isEmpty)
                fixture.type(GDK_KEY_Escape)
                waitUntil("all are there again") { fixture.rows.count == 3 }
            }
            fixture.type("eds")
            waitUntil("he is found") { fixture.rows.count == 1 }
            fixture.type(GDK_KEY_Down)
            XCTAssertEqual(fixture.focusedName, "Edsger Dijkstra")
            fixture.type(GDK_KEY_Return)
            fixture.settle()
            XCTAssertNotNil(fixture.find("Call 555-0199"))
            fixture.type(GDK_KEY_Escape)
            fixture.settle()
            XCTAssertEqual(fixture.focusedName, "Edsger Dijkstra", "the keyboard is where it was")
            fixture.clear()
        }
    }

    func testCardCallsWritesAndCopies() throws {
        try onMainActor {
            let fixture = try ContactsPageFixture()
            fixture.click(fixture.row("Grace Hopper"))
            XCTAssert(fixture.labels.contains("Grace Hopper"))
            XCTAssert(fixture.labels.contains("Navy"))
            XCTAssert(fixture.labels.contains("Asked for a manual of the desk phone."))
            XCTAssertEqual(fixture.focusedName, "Call (555) 867-5309")
            fixture.click("Call 555-0142")
            XCTAssertEqual(fixture.navigator.notes, ["call 5550142"])
            fixture.click("Message grace@example.org")
            XCTAssertEqual(fixture.navigator.links, [.xmpp("xmpp:grace@example.org")])
            fixture.click("Copy (555) 867-5309")
            let copied = Variable("")
            Clipboard.read { copied.value = $0 ?? "nothing" }
            waitUntil("it is copied") { copied.value == "(555) 867-5309" }
            fixture.click("Back to the contacts")
            fixture.click(fixture.row("Ada"))
            XCTAssertNil(fixture.find("Call sip:ada@example.org"), "there is no line for it yet")
            let line = ScriptedLine()
            fixture.phone.lineForAddresses = { line }
            fixture.click("Back to the contacts")
            fixture.click(fixture.row("Ada"))
            fixture.click("Call sip:ada@example.org")
            XCTAssertEqual(fixture.navigator.notes.last, "call sip:ada@example.org")
            fixture.clear()
        }
    }

    func testMenuOffersWaysToCallLastUsedFirst() throws {
        try onMainActor {
            let fixture = try ContactsPageFixture()
            let last = RemoteParty(try XCTUnwrap(DialledNumber("5550142")))
            fixture.people.calls.fill([
                PastCall(
                    direction: .incoming, remote: last, line: "fake", began: ChatTime(milliseconds: 1),
                    endReason: .farEnd, seconds: 1)
            ])
            try XCTUnwrap(fixture.row("Grace")).grabFocus()
            fixture.type(GDK_KEY_Menu)
            waitUntil("the menu is open") { !fixture.menuItems.isEmpty }
            XCTAssertEqual(
                fixture.menuItems,
                [
                    "Open", "Call 555-0142", "Call (555) 867-5309", "Message (555) 867-5309",
                    "Message 555-0142", "Message grace@example.org", "Edit", "Export…", "Block Calls",
                    "Delete",
                ])
            fixture.type(GDK_KEY_Escape)
            fixture.clear()
        }
    }

    func testDeletingCanBeUndone() throws {
        try onMainActor {
            let fixture = try ContactsPageFixture()
            try XCTUnwrap(fixture.row("Grace")).grabFocus()
            fixture.type(GDK_KEY_Delete)
            waitUntil("she is gone") { fixture.rows.count == 2 }
            waitUntil("it is said") { fixture.labels.contains("Grace Hopper deleted.") }
            fixture.undo()
            waitUntil("she is back") { fixture.rows.count == 3 }
            fixture.click(fixture.row("Ada"))
            fixture.click("Contact menu")
            fixture.choose("Delete")
            waitUntil("the card goes with her") { fixture.rows == ["Edsger Dijkstra", "Grace Hopper, Navy"] }
            fixture.clock.advance(by: Toast.time)
            fixture.settle()
            XCTAssertEqual(fixture.people.store.forgotten, 1)
            fixture.clear()
        }
    }

    func testEachDeletionHasItsOwnUndo() throws {
        try onMainActor {
            let fixture = try ContactsPageFixture()
            for name in ["Grace", "Ada"] {
                try XCTUnwrap(fixture.row(name)).grabFocus()
                // The contact is already being deleted the second time.
                fixture.people.store.isHeld = true
                for _ in 0..<2 { fixture.type(GDK_KEY_Delete) }
                fixture.people.store.isHeld = false
                waitUntil("she is gone") { fixture.row(name) == nil }
                waitUntil("it is said") {
                    fixture.labels.contains { $0.hasPrefix(name) && $0.hasSuffix(" deleted.") }
                }
            }
            XCTAssertEqual(fixture.labels.filter { $0.hasSuffix(" deleted.") }.count, 2)
            XCTAssertEqual(fixture.rows, ["Edsger Dijkstra"])
            for count in [2, 3] {
                XCTAssertTrue(fixture.toast.act())
                waitUntil("one is back") { fixture.rows.count == count }
            }
            XCTAssertEqual(fixture.people.store.forgotten, 0)
            fixture.clear()
        }
    }

    func testEmptyBookOffersTwoWaysToBegin() throws {
        try onMainActor {
            let fixture = try ContactsPageFixture([])
            XCTAssert(fixture.labels.contains("No contacts yet"))
            XCTAssertNil(fixture.find("Search contacts", ATK_ROLE_TEXT))
            XCTAssertNil(fixture.find("Contacts", ATK_ROLE_LIST_BOX), "an empty list takes half the height")
            fixture.click("Import vCards…")
            XCTAssertEqual(fixture.navigator.fileRequests.map(\.title), ["Import vCards"])
            fixture.click("New Contact")
            XCTAssertEqual(fixture.focusedName, "Name")
            fixture.clear()
        }
    }

    func testMemoryKeysAreShownSetAndCleared() throws {
        try onMainActor {
            let fixture = try ContactsPageFixture(memory: [
                2: People.key("5550199"), 3: People.key("999", "Old"),
            ])
            fixture.page.showMemory()
            fixture.settle()
            XCTAssertNotNil(fixture.find("Memory key 1, empty"))
            XCTAssertNotNil(fixture.find("Memory key 3, Old, 999"))
            fixture.phone.paste("5558675309")
            fixture.click("Memory key 1, empty")
            fixture.choose("Store (555) 867-5309")
            waitUntil("it holds her") { fixture.find("Memory key 1, Grace Hopper, (555) 867-5309") != nil }
            fixture.click("Memory key 3, Old, 999")
            fixture.choose("Clear Memory Key")
            waitUntil("it is empty") { fixture.find("Memory key 3, empty") != nil }
            fixture.click("Memory key 2, Edsger Dijkstra, 555-0199")
            fixture.choose("Call")
            XCTAssertEqual(fixture.navigator.notes, ["call kept 5550199"])
            fixture.page.focus()
            fixture.type(GDK_KEY_Escape)
            fixture.settle()
            fixture.click(fixture.row("Grace"))
            XCTAssert(fixture.labels.contains("mobile · MEM 1"))
            fixture.click("Memory key for 555-0142")
            fixture.choose("4  empty")
            waitUntil("it is kept") { fixture.people.store.memory[4]?.name == "Grace Hopper" }
            waitUntil("it is seen") { fixture.labels.contains("work · MEM 4") }
            fixture.clear()
        }
    }

    func testPictureIsShownOnceLoaded() throws {
        try onMainActor {
            let bytes = try XCTUnwrap(png(width: 40, height: 30))
            let fixture = try ContactsPageFixture([NewContact(ContactCard(name: "Grace"), photo: bytes)])
            fixture.click(fixture.row("Grace"))
            fixture.click("Edit")
            waitUntil("it can be taken away") { fixture.find("Remove Picture") != nil }
            fixture.click("Remove Picture")
            fixture.click("Save")
            waitUntil("it is gone") { fixture.people.store.kept[1]?.photo == nil }
            fixture.clear()
        }
    }

    func testTenThousandContactsAreShownAndFoundAtOnce() throws {
        try onMainActor {
            let fixture = try ContactsPageFixture(People.many(10_000))
            XCTAssertEqual(fixture.page.title, "CONTACTS — 10,000")
            XCTAssertLessThan(fixture.rows.count, 60, "only what is seen is built")
            gtk_widget_grab_focus(try XCTUnwrap(fixture.find("Search contacts", ATK_ROLE_TEXT)))
            fixture.type("9999")
            waitUntil("the last one is found") { fixture.rows.first?.hasSuffix(" 9999, Company 8") == true }
            fixture.clear()
        }
    }
}

extension Widget {
    fileprivate func grabFocus() { gtk_widget_grab_focus(self) }
}

/// Tests of the contacts in the desktop's address books.
final class DesktopContactTests: GtkTestCase {
    func testDesktopContactsAreMarkedAndReadOnly() throws {
        try onMainActor {
            let books = FakeAddressBooks()
            books.names["b1"] = "Personal"
            let fixture = try ContactsPageFixture(books: books)
            books.tell(
                .present([
                    Contact(
                        id: .desktop(book: "b1", uid: "u1"),
                        card: ContactCard(name: "Barbara", methods: [ContactMethod(.number, "555-0177")])),
                    Contact(id: .desktop(book: "b2", uid: "u1"), card: ContactCard(name: "Carl")),
                ]))
            waitUntil("they are there") { fixture.rows.count == 5 }
            XCTAssert(fixture.rows.contains("Barbara, from Personal"))
            XCTAssert(fixture.rows.contains("Carl, from the desktop’s address book"))
            fixture.click(fixture.row("Barbara"))
            XCTAssert(fixture.labels.contains("from Personal"))
            XCTAssertNil(fixture.find("Edit"))
            fixture.click("Contact menu")
            XCTAssertEqual(fixture.menu, ["Export…", "Block Calls"])
            fixture.choose("Export…")
            fixture.click("Back to the contacts")
            try XCTUnwrap(fixture.row("Carl")).grabFocus()
            fixture.type(GDK_KEY_Delete)
            fixture.type(GDK_KEY_F2)
            fixture.settle()
            XCTAssertEqual(fixture.rows.count, 5)
            books.tell(.bookGone("b1"))
            waitUntil("it is gone") { fixture.rows.count == 4 }
            fixture.clear()
        }
    }
}
