// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of vCard import and export.
final class ContactImportExportTests: GtkTestCase {
    func testFileIsImportedAndResultReported() throws {
        try onMainActor {
            let fixture = try ContactsPageFixture()
            fixture.navigator.file = try file(
                Array("Barbara\nGrace Hopper\n!\nAlan\n!!\nAlan\n".utf8), "a.vcf")
            fixture.click("Contacts menu")
            fixture.choose("Import vCards…")
            waitUntil("they are there") { fixture.rows.count == 5 }
            waitUntil("it is said") {
                fixture.labels.contains(
                    "2 contacts imported, 2 could not be read, 2 were already there.")
            }
            fixture.clear()
        }
    }

    func testWindowRespondsDuringImportOfTenThousand() throws {
        try onMainActor {
            let fixture = try ContactsPageFixture([])
            let names = (0..<10_000).map { "Somebody \($0)\n" }.joined()
            fixture.navigator.file = try file(Array(names.utf8), "many.vcf")
            var shown: Set<String> = []
            fixture.page.importCards()
            waitUntil("all are kept") {
                shown.formUnion(fixture.labels.filter { $0.hasSuffix(" of 10,000 contacts") })
                return fixture.page.exchange.state == .idle && fixture.people.book.count == 10_000
            }
            XCTAssertGreaterThan(shown.count, 3, "how far it is was seen: \(shown)")
            XCTAssert(fixture.toast.isShown)
            waitUntil("it is said") { fixture.labels.contains("10,000 contacts imported.") }
            fixture.clear()
        }
    }

    func testImportCanBeCancelled() throws {
        try onMainActor {
            let fixture = try ContactsPageFixture([])
            let names = (0..<3_000).map { "Somebody \($0)\n" }.joined()
            fixture.navigator.file = try file(Array(names.utf8), "many.vcf")
            fixture.page.importCards()
            waitUntil("some are kept") {
                if case .adding(let done, _) = fixture.page.exchange.state { done > 0 } else { false }
            }
            let cancel = try XCTUnwrap(fixture.find("Cancel"))
            gtk_button_clicked(cancel.cast())
            waitUntil("it has ended") { fixture.page.exchange.state == .idle }
            let count = fixture.people.book.count
            XCTAssert((1..<3_000).contains(count), "what was kept stays")
            waitUntil("it is said") {
                fixture.labels.contains {
                    $0.hasPrefix(localizedNumber(count)) && $0.contains("because you cancelled")
                }
            }
            fixture.clear()
        }
    }

    func testUnreadableFileIsExplained() throws {
        try onMainActor {
            let fixture = try ContactsPageFixture()
            fixture.navigator.file = FileDialog.Answer(uri: "file:///nowhere/at/all.vcf")
            fixture.page.importCards()
            waitUntil("it is said") { fixture.labels.contains { $0.hasPrefix("The file can’t be read: ") } }
            fixture.navigator.file = try file([], "empty.vcf")
            fixture.page.importCards()
            waitUntil("it is said") { fixture.labels.contains("This file contains no vCards.") }
            fixture.people.store.trouble = .full
            fixture.navigator.file = try file(Array("Alan".utf8), "a.vcf")
            fixture.page.importCards()
            waitUntil("it is said") { fixture.labels.contains { $0.hasPrefix("The disk is full.") } }
            XCTAssertEqual(fixture.page.exchange.state, .idle)
            fixture.clear()
        }
    }

    func testAllContactsOrOneAreExported() throws {
        try onMainActor {
            let fixture = try ContactsPageFixture()
            fixture.navigator.file = try file([], "out.vcf", choice: "4.0")
            fixture.click("Contacts menu")
            fixture.choose("Export All…")
            waitUntil("it is said") { fixture.labels.contains("3 contacts exported.") }
            XCTAssertEqual(fixture.navigator.fileRequests.last?.newName, "contacts.vcf")
            XCTAssertEqual(fixture.people.vCards.versions, [.four])
            XCTAssertEqual(
                try String(
                    contentsOfFile: String(XCTUnwrap(fixture.navigator.file).uri.dropFirst("file://".count)),
                    encoding: .utf8
                )
                .split(separator: "\n").sorted(), ["Ada Lovelace", "Edsger Dijkstra", "Grace Hopper"])
            fixture.navigator.file = try file([], "one.vcf", choice: "3.0")
            fixture.click(fixture.row("Grace"))
            fixture.click("Contact menu")
            fixture.choose("Export…")
            waitUntil("it is said") { fixture.labels.contains("1 contact exported.") }
            XCTAssertEqual(fixture.navigator.fileRequests.last?.newName, "Grace Hopper.vcf")
            XCTAssertEqual(fixture.people.vCards.versions, [.four, .three])
            fixture.navigator.file = FileDialog.Answer(uri: "file:///nowhere/at/all.vcf")
            fixture.click("Contact menu")
            fixture.choose("Export…")
            waitUntil("it is said") {
                fixture.labels.contains { $0.hasPrefix("The file can’t be written: ") }
            }
            fixture.clear()
        }
    }

    func testResultTexts() {
        onMainActor {
            var result = ContactImportExport.Result()
            result.added = 9_998
            result.unreadable = 2
            result.known = 1
            XCTAssertEqual(
                result.text, "9,998 contacts imported, 2 could not be read, 1 was already there.")
            result = ContactImportExport.Result()
            result.known = 1
            XCTAssertEqual(result.text, "No contacts imported, 1 was already there.")
            result = ContactImportExport.Result()
            result.added = 1
            result.photosLeftOut = 1
            XCTAssertEqual(result.text, "1 contact imported, 1 picture skipped.")
            result = ContactImportExport.Result()
            result.added = 2
            result.lists = 2
            XCTAssert(result.text.contains("2 lists skipped"), result.text)
            result.lists = 0
            result.unknownCharsets = 1
            XCTAssertEqual(
                result.text,
                "2 contacts imported, 1 may have wrong letters because its character set is unknown.")
            XCTAssertEqual(
                [0, 999, 1_000, 1_234_567].map { localizedNumber($0) }, ["0", "999", "1,000", "1,234,567"])
        }
    }
}
