// SPDX-License-Identifier: GPL-3.0-or-later

import CXTest
import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// The fields of a contact.
final class ContactEditorTests: GtkTestCase {
    func testANewContactIsTypedByKeyboardAlone() throws {
        try onMainActor {
            let desk = try ContactsDesk()
            desk.page.focus()
            desk.type(GDK_KEY_n, with: Modifier.control)
            desk.settle()
            XCTAssertEqual(desk.focusedName, "Name")
            desk.type("barbara")
            desk.type(GDK_KEY_Tab)
            XCTAssertEqual(desk.focusedName, "Company")
            desk.type("mit")
            desk.type(GDK_KEY_Tab)
            XCTAssertEqual(desk.focusedName, "Kind: mobile")
            desk.type(GDK_KEY_Tab)
            XCTAssertEqual(desk.focusedName, "Number")
            desk.type("5550123")
            desk.type(GDK_KEY_s, with: Modifier.control)
            waitUntil("she is kept") { desk.people.store.kept[4]?.card.name == "barbara" }
            XCTAssertEqual(
                desk.people.store.kept[4]?.card,
                ContactCard(
                    name: "barbara", organization: "mit",
                    ways: [ContactWay(.number, "5550123", place: .mobile)]))
            desk.settle()
            XCTAssertNotNil(desk.find("Call 555-0123"), "her card is shown")
            desk.clear()
        }
    }

    func testAnOldOneIsChanged() throws {
        try onMainActor {
            let desk = try ContactsDesk()
            desk.click(desk.row("Grace"))
            desk.click("Edit")
            XCTAssertEqual(desk.text("Name"), "Grace Hopper")
            XCTAssertEqual(desk.fields("Number").map(desk.text), ["(555) 867-5309", "555-0142"])
            desk.click("Remove Number")
            XCTAssertEqual(desk.fields("Number").map(desk.text), ["555-0142"])
            desk.click("Add SIP address")
            XCTAssertEqual(desk.focusedName, "SIP address")
            desk.fill(desk.fields("SIP address").first, "grace@example.org")
            desk.click("Kind: work")
            desk.choose("home")
            desk.click("Save")
            waitUntil("it is kept") {
                desk.people.store.kept[1]?.card.ways == [
                    ContactWay(.number, "555-0142", place: .home), ContactWay(.xmpp, "grace@example.org"),
                    ContactWay(.sip, "sip:grace@example.org"),
                ]
            }
            XCTAssertEqual(
                desk.people.store.kept[1]?.card.note, "Asked for a manual of the desk phone.")
            desk.clear()
        }
    }

    func testWhatIsNoContactIsSaidAndNothingIsLost() throws {
        try onMainActor {
            let desk = try ContactsDesk()
            desk.page.editNew()
            desk.settle()
            desk.click("Save")
            XCTAssert(desk.labels.contains("Give a name, or a number."))
            XCTAssertEqual(desk.focusedName, "Name")
            desk.fill(desk.fields("Name").first, "Ada")
            desk.fill(desk.fields("Number").first, "nobody")
            desk.click("Add Jabber address")
            desk.click("Save")
            XCTAssert(desk.labels.contains("There is no number in “nobody”."))
            XCTAssertEqual(desk.focusedName, "Number")
            desk.fill(desk.fields("Number").first, "5550123")
            desk.people.store.trouble = .full
            desk.click("Save")
            waitUntil("it is said") { desk.labels.contains { $0.hasPrefix("The disk is full.") } }
            XCTAssertEqual(desk.text("Name"), "Ada")
            XCTAssertEqual(desk.text("Number"), "5550123")
            desk.people.store.trouble = nil
            desk.click("Save")
            waitUntil("it is kept") { desk.people.store.kept[4]?.card.name == "Ada" }
            desk.clear()
        }
    }

    func testWhatWasTypedStaysUntilItIsKeptOrDiscarded() throws {
        try onMainActor {
            let desk = try ContactsDesk()
            desk.click(desk.row("Grace"))
            desk.click("Edit")
            desk.fill(desk.fields("Name").first, "Amazing Grace")
            desk.type(GDK_KEY_Escape)
            desk.settle()
            XCTAssertNotNil(desk.find("Call 555-0142"), "back on the card")
            desk.type(GDK_KEY_Escape)
            desk.settle()
            XCTAssert(desk.labels.contains("Amazing Grace is not saved yet."))
            desk.click("Go on")
            XCTAssertEqual(desk.text("Name"), "Amazing Grace")
            desk.click("Discard")
            XCTAssert(desk.labels.contains("Grace Hopper"))
            desk.type(GDK_KEY_Escape)
            desk.settle()
            XCTAssertFalse(desk.labels.contains { $0.hasSuffix("is not saved yet.") })
            // One in which nothing was typed is none.
            desk.page.editNew()
            desk.page.focus()
            desk.type(GDK_KEY_Escape)
            desk.settle()
            XCTAssertFalse(desk.labels.contains { $0.hasSuffix("is not saved yet.") })
            XCTAssertEqual(desk.rows.count, 3)
            desk.clear()
        }
    }

    func testANumberFieldOpensThePadAndATextFieldClosesIt() throws {
        try onMainActor {
            let desk = try ContactsDesk(pad: "always")
            desk.page.editNew()
            desk.settle()
            XCTAssertFalse(desk.hasPad)
            desk.click(desk.fields("Number").first)
            XCTAssert(desk.hasPad)
            desk.click(desk.fields("Name").first)
            XCTAssertFalse(desk.hasPad)
            desk.click("Add SIP address")
            XCTAssertFalse(desk.hasPad)
            desk.click(desk.fields("Number").first)
            desk.type(GDK_KEY_Escape)
            XCTAssertFalse(desk.hasPad, "the pad goes first")
            XCTAssertNotNil(desk.find("Save"))
            desk.clear()
        }
    }

    func testANumberOfTheHistoryBeginsAContact() throws {
        try onMainActor {
            let desk = try ContactsDesk()
            desk.page.edit(new: ContactCard(name: "", ways: [ContactWay(.number, "555-0177")]))
            desk.settle()
            XCTAssertEqual(desk.text("Number"), "555-0177")
            desk.type(GDK_KEY_Escape)
            desk.settle()
            XCTAssert(desk.labels.contains("A new contact is not saved yet."))
            desk.clear()
        }
    }

    func testAPictureIsMadeSmallAndKept() throws {
        try onMainActor {
            let desk = try ContactsDesk()
            let bytes = try XCTUnwrap(png(width: 1600, height: 1200))
            desk.file = try file(bytes, "face.png")
            desk.click(desk.row("Grace"))
            desk.click("Edit")
            desk.click("Choose picture…")
            waitUntil("it is there") { desk.find("Remove picture") != nil }
            desk.click("Save")
            waitUntil("it is kept") { desk.people.store.kept[1]?.photo != nil }
            let kept = try XCTUnwrap(desk.people.store.kept[1]?.photo)
            XCTAssertLessThan(kept.count, bytes.count)
            desk.click("Edit")
            desk.file = try file(Array("no picture".utf8), "text.png")
            desk.click("Choose picture…")
            waitUntil("it is said") { desk.labels.contains("That file is no picture that can be used.") }
            desk.clear()
        }
    }
}

extension ContactsDesk {
    /// Whether the number pad is shown.
    fileprivate var hasPad: Bool {
        gtk_test_widget_wait_for_draw(widget)
        return descendants(of: widget).contains {
            accessibleName(of: $0) == "Number pad" && gtk_widget_is_visible($0) != 0
        }
    }
}

/// A file of that content, as somebody would choose it.
@MainActor
func file(_ bytes: [UInt8], _ name: String, choice: String = "") throws -> FileDialog.Answer {
    let path = try TemporaryFolders.make("touchtone-contacts") + "/" + name
    var error: UnsafeMutablePointer<GError>?
    let isWritten = bytes.withUnsafeBytes {
        g_file_set_contents(path, $0.bindMemory(to: gchar.self).baseAddress, gssize($0.count), &error) != 0
    }
    XCTAssert(isWritten)
    return FileDialog.Answer(uri: "file://\(path)", choice: choice)
}
