// SPDX-License-Identifier: GPL-3.0-or-later

import CXTest
import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// The page of contacts: the list, the card, the memory keys.
final class ContactsPageTests: GtkTestCase {
    func testRowsHaveNamesAndCompaniesAndAFieldFindsThem() throws {
        try onMainActor {
            let desk = try ContactsDesk()
            XCTAssertEqual(desk.rows, ["Ada Lovelace", "Edsger Dijkstra", "Grace Hopper, Navy"])
            XCTAssertEqual(desk.page.title, "CONTACTS — 3")
            let search = try XCTUnwrap(desk.find("Search contacts", ATK_ROLE_TEXT))
            gtk_widget_grab_focus(search)
            for (typed, found) in [
                ("hop", ["Grace Hopper, Navy"]), ("47223", ["Grace Hopper, Navy"]),
                ("navy", ["Grace Hopper, Navy"]), ("0199", ["Edsger Dijkstra"]), ("zz", []),
            ] {
                desk.type(typed)
                waitUntil("they are found") { desk.rows == found }
                XCTAssertEqual(desk.labels.contains("Nobody is called that."), found.isEmpty)
                desk.type(GDK_KEY_Escape)
                waitUntil("all are there again") { desk.rows.count == 3 }
            }
            desk.type("eds")
            waitUntil("he is found") { desk.rows.count == 1 }
            desk.type(GDK_KEY_Down)
            XCTAssertEqual(desk.focusedName, "Edsger Dijkstra")
            desk.type(GDK_KEY_Return)
            desk.settle()
            XCTAssertNotNil(desk.find("Call 555-0199"))
            desk.type(GDK_KEY_Escape)
            desk.settle()
            XCTAssertEqual(desk.focusedName, "Edsger Dijkstra", "the keyboard is where it was")
            desk.clear()
        }
    }

    func testACardCallsWritesAndCopies() throws {
        try onMainActor {
            let desk = try ContactsDesk()
            desk.click(desk.row("Grace Hopper"))
            XCTAssert(desk.labels.contains("Grace Hopper"))
            XCTAssert(desk.labels.contains("Navy"))
            XCTAssert(desk.labels.contains("Asked for a manual of the desk phone."))
            XCTAssertEqual(desk.focusedName, "Call (555) 867-5309")
            desk.click("Call 555-0142")
            XCTAssertEqual(desk.line.numbers, ["5550142"])
            desk.click("Message grace@example.org")
            XCTAssertEqual(desk.messages, ["grace@example.org"])
            desk.click("Copy (555) 867-5309")
            let copied = Variable("")
            Clipboard.read { copied.value = $0 ?? "nothing" }
            waitUntil("it is copied") { copied.value == "(555) 867-5309" }
            desk.click("Back to the contacts")
            desk.click(desk.row("Ada"))
            XCTAssertNil(desk.find("Call sip:ada@example.org"), "there is no line for it yet")
            desk.clear()
        }
    }

    func testDeletingCanBeUndone() throws {
        try onMainActor {
            let desk = try ContactsDesk()
            try XCTUnwrap(desk.row("Grace")).grabFocus()
            desk.type(GDK_KEY_Delete)
            waitUntil("she is gone") { desk.rows.count == 2 }
            waitUntil("it is said") { desk.labels.contains("Grace Hopper was deleted.") }
            desk.undo()
            waitUntil("she is back") { desk.rows.count == 3 }
            desk.click(desk.row("Ada"))
            desk.click("Contact menu")
            desk.choose("Delete")
            waitUntil("the card goes with her") { desk.rows == ["Edsger Dijkstra", "Grace Hopper, Navy"] }
            desk.clock.pass(Toast.time)
            desk.settle()
            XCTAssertEqual(desk.people.store.forgotten, 1)
            desk.clear()
        }
    }

    func testEachDeletionHasAnUndoOfItsOwn() throws {
        try onMainActor {
            let desk = try ContactsDesk()
            for name in ["Grace", "Ada"] {
                try XCTUnwrap(desk.row(name)).grabFocus()
                // The second time she is being deleted already.
                desk.people.store.isHeld = true
                for _ in 0..<2 { desk.type(GDK_KEY_Delete) }
                desk.people.store.isHeld = false
                waitUntil("she is gone") { desk.row(name) == nil }
                waitUntil("it is said") {
                    desk.labels.contains { $0.hasPrefix(name) && $0.hasSuffix(" was deleted.") }
                }
            }
            XCTAssertEqual(desk.labels.filter { $0.hasSuffix(" was deleted.") }.count, 2)
            XCTAssertEqual(desk.rows, ["Edsger Dijkstra"])
            for count in [2, 3] {
                XCTAssertTrue(desk.toast.act())
                waitUntil("one is back") { desk.rows.count == count }
            }
            XCTAssertEqual(desk.people.store.forgotten, 0)
            desk.clear()
        }
    }

    func testWithoutContactsThereAreTwoWaysToBegin() throws {
        try onMainActor {
            let desk = try ContactsDesk([])
            XCTAssert(desk.labels.contains("No contacts yet"))
            XCTAssertNil(desk.find("Search contacts", ATK_ROLE_TEXT))
            desk.click("Import vCards…")
            XCTAssertEqual(desk.requests.map(\.title), ["Import vCards"])
            desk.click("New contact")
            XCTAssertEqual(desk.focusedName, "Name")
            desk.clear()
        }
    }

    func testMemoryKeysAreSeenSetAndEmptied() throws {
        try onMainActor {
            let desk = try ContactsDesk(memory: [2: People.key("5550199"), 3: People.key("999", "Old")])
            desk.page.showMemory()
            desk.settle()
            XCTAssertNotNil(desk.find("Memory key 1, empty"))
            XCTAssertNotNil(desk.find("Memory key 3, Old, 999"))
            desk.phone.paste("5558675309")
            desk.click("Memory key 1, empty")
            desk.choose("Store (555) 867-5309")
            waitUntil("it holds her") { desk.find("Memory key 1, Grace Hopper, (555) 867-5309") != nil }
            desk.click("Memory key 3, Old, 999")
            desk.choose("Empty It")
            waitUntil("it is empty") { desk.find("Memory key 3, empty") != nil }
            desk.click("Memory key 2, Edsger Dijkstra, 555-0199")
            desk.choose("Call")
            XCTAssertEqual(desk.line.numbers, ["5550199"])
            desk.page.focus()
            desk.type(GDK_KEY_Escape)
            desk.settle()
            desk.click(desk.row("Grace"))
            XCTAssert(desk.labels.contains("mobile · MEM 1"))
            desk.click("Memory key for 555-0142")
            desk.choose("4  empty")
            waitUntil("it is kept") { desk.people.store.memory[4]?.name == "Grace Hopper" }
            waitUntil("it is seen") { desk.labels.contains("work · MEM 4") }
            desk.clear()
        }
    }

    func testAPictureIsShownOnceItIsRead() throws {
        try onMainActor {
            let bytes = try XCTUnwrap(png(width: 40, height: 30))
            let desk = try ContactsDesk([NewContact(ContactCard(name: "Grace"), photo: bytes)])
            desk.click(desk.row("Grace"))
            desk.click("Edit")
            waitUntil("it can be taken away") { desk.find("Remove picture") != nil }
            desk.click("Remove picture")
            desk.click("Save")
            waitUntil("it is gone") { desk.people.store.kept[1]?.photo == nil }
            desk.clear()
        }
    }

    func testTenThousandAreShownAndFoundAtOnce() throws {
        try onMainActor {
            let desk = try ContactsDesk(People.many(10_000))
            XCTAssertEqual(desk.page.title, "CONTACTS — 10,000")
            XCTAssertLessThan(desk.rows.count, 60, "only what is seen is built")
            gtk_widget_grab_focus(try XCTUnwrap(desk.find("Search contacts", ATK_ROLE_TEXT)))
            desk.type("9999")
            waitUntil("the last one is found") { desk.rows.first?.hasSuffix(" 9999, Company 8") == true }
            desk.clear()
        }
    }
}

extension Widget {
    fileprivate func grabFocus() { gtk_widget_grab_focus(self) }
}

/// The contacts of the desktop's address books.
final class DesktopContactTests: GtkTestCase {
    func testTheyAreMarkedAndCannotBeChangedHere() throws {
        try onMainActor {
            let books = FakeBooks()
            let desk = try ContactsDesk(books: books)
            books.onChange?(
                .present([
                    Contact(
                        id: .desktop(book: "b1", uid: "u1"),
                        card: ContactCard(name: "Barbara", ways: [ContactWay(.number, "555-0177")])),
                    Contact(id: .desktop(book: "b2", uid: "u1"), card: ContactCard(name: "Carl")),
                ]))
            waitUntil("they are there") { desk.rows.count == 5 }
            XCTAssert(desk.rows.contains("Barbara, from Personal"))
            XCTAssert(desk.rows.contains("Carl, from the desktop’s contacts"))
            desk.click(desk.row("Barbara"))
            XCTAssert(desk.labels.contains("from Personal"))
            XCTAssertNil(desk.find("Edit"))
            desk.click("Contact menu")
            XCTAssertEqual(desk.menu, ["Export…"])
            desk.choose("Export…")
            desk.click("Back to the contacts")
            try XCTUnwrap(desk.row("Carl")).grabFocus()
            desk.type(GDK_KEY_Delete)
            desk.type(GDK_KEY_F2)
            desk.settle()
            XCTAssertEqual(desk.rows.count, 5)
            books.onChange?(.bookGone("b1"))
            waitUntil("it is gone") { desk.rows.count == 4 }
            desk.clear()
        }
    }
}

/// Books of the desktop's that tell what the test says.
@MainActor
final class FakeBooks: AddressBooks {
    var onChange: ((AddressBooksChange) -> Void)?
    func start() {}
    func photo(of id: Contact.ID) async -> [UInt8]? { nil }
    func name(ofBook id: String) -> String? { id == "b1" ? "Personal" : nil }
}
