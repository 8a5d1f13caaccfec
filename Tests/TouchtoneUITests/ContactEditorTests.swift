// SPDX-License-Identifier: GPL-3.0-or-later

import CXTest
import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of the fields of the contact editor.
final class ContactEditorTests: GtkTestCase {
    func testKeyboardCreatesContact() throws {
        try onMainActor {
            let fixture = try ContactsPageFixture()
            fixture.page.focus()
            fixture.type(GDK_KEY_n, with: Modifier.control)
            fixture.settle()
            XCTAssertEqual(fixture.focusedName, "Name")
            fixture.type("barbara")
            fixture.type(GDK_KEY_Tab)
            XCTAssertEqual(fixture.focusedName, "Company")
            fixture.type("mit")
            fixture.type(GDK_KEY_Tab)
            XCTAssertEqual(fixture.focusedName, "Type: mobile")
            fixture.type(GDK_KEY_Tab)
            XCTAssertEqual(fixture.focusedName, "Number")
            fixture.type("5550123")
            fixture.type(GDK_KEY_s, with: Modifier.control)
            waitUntil("she is kept") { fixture.people.store.kept[4]?.card.name == "barbara" }
            XCTAssertEqual(
                fixture.people.store.kept[4]?.card,
                ContactCard(
                    name: "barbara", organization: "mit",
                    methods: [ContactMethod(.number, "5550123", label: .mobile)]))
            fixture.settle()
            XCTAssertNotNil(fixture.find("Call 555-0123"), "her card is shown")
            fixture.clear()
        }
    }

    func testNewContactHasDisplayedNumberWhileCardIsOpen() throws {
        try onMainActor {
            let fixture = try ContactsPageFixture()
            fixture.phone.paste("5550123")
            fixture.click(fixture.row("Grace"))
            fixture.type(GDK_KEY_n, with: Modifier.control)
            fixture.settle()
            XCTAssertEqual(fixture.focusedName, "Name")
            XCTAssertEqual(fixture.fields("Number").map(fixture.text), ["555-0123"])
            // The number of a contact shows that contact.
            fixture.phone.clear()
            fixture.phone.paste("5550199")
            fixture.type(GDK_KEY_n, with: Modifier.control)
            fixture.settle()
            XCTAssert(fixture.labels.contains("Edsger Dijkstra"), "\(fixture.labels)")
            fixture.clear()
        }
    }

    func testExistingContactIsChanged() throws {
        try onMainActor {
            let fixture = try ContactsPageFixture()
            fixture.click(fixture.row("Grace"))
            fixture.click("Edit")
            XCTAssertEqual(fixture.text("Name"), "Grace Hopper")
            XCTAssertEqual(fixture.fields("Number").map(fixture.text), ["(555) 867-5309", "555-0142"])
            fixture.click("Remove Number")
            XCTAssertEqual(fixture.fields("Number").map(fixture.text), ["555-0142"])
            fixture.click("Add SIP address")
            XCTAssertEqual(fixture.focusedName, "SIP address")
            fixture.fill(fixture.fields("SIP address").first, "grace@example.org")
            fixture.click("Type: work")
            fixture.choose("home")
            fixture.click("Save")
            waitUntil("it is kept") {
                fixture.people.store.kept[1]?.card.methods == [
                    ContactMethod(.number, "555-0142", label: .home),
                    ContactMethod(.xmpp, "grace@example.org"),
                    ContactMethod(.sip, "sip:grace@example.org"),
                ]
            }
            XCTAssertEqual(
                fixture.people.store.kept[1]?.card.note, "Asked for a manual of the desk phone.")
            fixture.clear()
        }
    }

    func testInvalidContactIsReportedWithoutLosingInput() throws {
        try onMainActor {
            let fixture = try ContactsPageFixture()
            fixture.page.editNew()
            fixture.settle()
            fixture.click("Save")
            XCTAssert(fixture.labels.contains("Enter a name or a number."))
            XCTAssertEqual(fixture.focusedName, "Name")
            fixture.fill(fixture.fields("Name").first, "Ada")
            fixture.fill(fixture.fields("Number").first, "nobody")
            fixture.click("Add Jabber address")
            fixture.click("Save")
            XCTAssert(fixture.labels.contains("“nobody” is not a phone number."))
            XCTAssertEqual(fixture.focusedName, "Number")
            fixture.fill(fixture.fields("Number").first, "5550123")
            fixture.people.store.trouble = .full
            fixture.click("Save")
            waitUntil("it is said") { fixture.labels.contains { $0.hasPrefix("The disk is full.") } }
            XCTAssertEqual(fixture.text("Name"), "Ada")
            XCTAssertEqual(fixture.text("Number"), "5550123")
            fixture.people.store.trouble = nil
            fixture.click("Save")
            waitUntil("it is kept") { fixture.people.store.kept[4]?.card.name == "Ada" }
            fixture.clear()
        }
    }

    func testDraftStaysUntilSavedOrDiscarded() throws {
        try onMainActor {
            let fixture = try ContactsPageFixture()
            fixture.click(fixture.row("Grace"))
            fixture.click("Edit")
            fixture.fill(fixture.fields("Name").first, "Amazing Grace")
            fixture.type(GDK_KEY_Escape)
            fixture.settle()
            XCTAssertNotNil(fixture.find("Call 555-0142"), "back on the card")
            fixture.type(GDK_KEY_Escape)
            fixture.settle()
            XCTAssert(fixture.labels.contains("Amazing Grace is not saved yet."))
            fixture.click("Continue")
            XCTAssertEqual(fixture.text("Name"), "Amazing Grace")
            fixture.click("Discard")
            XCTAssert(fixture.labels.contains("Grace Hopper"))
            fixture.type(GDK_KEY_Escape)
            fixture.settle()
            XCTAssertFalse(fixture.labels.contains { $0.hasSuffix("is not saved yet.") })
            // An editor without input saves nothing.
            fixture.page.editNew()
            fixture.page.focus()
            fixture.type(GDK_KEY_Escape)
            fixture.settle()
            XCTAssertFalse(fixture.labels.contains { $0.hasSuffix("is not saved yet.") })
            XCTAssertEqual(fixture.rows.count, 3)
            fixture.clear()
        }
    }

    func testNumberFieldOpensPadAndTextFieldClosesIt() throws {
        try onMainActor {
            let fixture = try ContactsPageFixture(pad: "always")
            fixture.page.editNew()
            fixture.settle()
            XCTAssertFalse(fixture.hasPad)
            fixture.click(fixture.fields("Number").first)
            XCTAssert(fixture.hasPad)
            fixture.click(fixture.fields("Name").first)
            XCTAssertFalse(fixture.hasPad)
            fixture.click("Add SIP address")
            XCTAssertFalse(fixture.hasPad)
            fixture.click(fixture.fields("Number").first)
            fixture.type(GDK_KEY_Escape)
            XCTAssertFalse(fixture.hasPad, "the pad goes first")
            XCTAssertNotNil(fixture.find("Save"))
            fixture.clear()
        }
    }

    func testNumberOfHistoryStartsContact() throws {
        try onMainActor {
            let fixture = try ContactsPageFixture()
            fixture.page.edit(new: ContactCard(name: "", methods: [ContactMethod(.number, "555-0177")]))
            fixture.settle()
            XCTAssertEqual(fixture.text("Number"), "555-0177")
            fixture.type(GDK_KEY_Escape)
            fixture.settle()
            XCTAssert(fixture.labels.contains("A new contact is not saved yet."))
            fixture.clear()
        }
    }

    func testPictureIsScaledDownAndSaved() throws {
        try onMainActor {
            let fixture = try ContactsPageFixture()
            let bytes = try XCTUnwrap(png(width: 1600, height: 1200))
            fixture.navigator.file = try file(bytes, "face.png")
            fixture.click(fixture.row("Grace"))
            fixture.click("Edit")
            fixture.click("Choose Picture…")
            waitUntil("it is there") { fixture.find("Remove Picture") != nil }
            fixture.click("Save")
            waitUntil("it is kept") { fixture.people.store.kept[1]?.photo != nil }
            let kept = try XCTUnwrap(fixture.people.store.kept[1]?.photo)
            XCTAssertLessThan(kept.count, bytes.count)
            fixture.click("Edit")
            fixture.navigator.file = try file(Array("no picture".utf8), "text.png")
            fixture.click("Choose Picture…")
            waitUntil("it is said") {
                fixture.labels.contains("This file isn’t a picture that Touchtone can use.")
            }
            fixture.clear()
        }
    }
}

extension ContactsPageFixture {
    /// Whether the number pad is shown.
    fileprivate var hasPad: Bool {
        gtk_test_widget_wait_for_draw(widget)
        return descendants(of: widget).contains {
            accessibleName(of: $0) == "Number pad" && gtk_widget_is_visible($0) != 0
        }
    }
}

/// Returns a file with the given content, as chosen by a user.
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
