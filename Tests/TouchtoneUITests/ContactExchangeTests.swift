// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// vCards in and out.
final class ContactExchangeTests: GtkTestCase {
    func testAFileIsReadAndWhatCameOfItSaid() throws {
        try onMainActor {
            let desk = try ContactsDesk()
            desk.file = try file(Array("Barbara\nGrace Hopper\n!\nAlan\n!!\nAlan\n".utf8), "a.vcf")
            desk.click("Contacts menu")
            desk.choose("Import vCards…")
            waitUntil("they are there") { desk.rows.count == 5 }
            waitUntil("it is said") {
                desk.labels.contains(
                    "2 contacts imported, 2 could not be read, 2 were already there.")
            }
            desk.clear()
        }
    }

    func testTenThousandAreReadWithTheWindowAlive() throws {
        try onMainActor {
            let desk = try ContactsDesk([])
            let names = (0..<10_000).map { "Somebody \($0)\n" }.joined()
            desk.file = try file(Array(names.utf8), "many.vcf")
            var shown: Set<String> = []
            desk.page.importCards()
            waitUntil("all are kept") {
                shown.formUnion(desk.labels.filter { $0.hasSuffix(" of 10,000 contacts") })
                return desk.page.exchange.state == .idle && desk.people.book.count == 10_000
            }
            XCTAssertGreaterThan(shown.count, 3, "how far it is was seen: \(shown)")
            XCTAssert(desk.toast.isShown)
            waitUntil("it is said") { desk.labels.contains("10,000 contacts imported.") }
            desk.clear()
        }
    }

    func testAnImportCanBeStopped() throws {
        try onMainActor {
            let desk = try ContactsDesk([])
            let names = (0..<3_000).map { "Somebody \($0)\n" }.joined()
            desk.file = try file(Array(names.utf8), "many.vcf")
            desk.page.importCards()
            waitUntil("some are kept") {
                if case .adding(let done, _) = desk.page.exchange.state { done > 0 } else { false }
            }
            let cancel = try XCTUnwrap(desk.find("Cancel"))
            gtk_button_clicked(cancel.cast())
            waitUntil("it has ended") { desk.page.exchange.state == .idle }
            let count = desk.people.book.count
            XCTAssert((1..<3_000).contains(count), "what was kept stays")
            waitUntil("it is said") {
                desk.labels.contains {
                    $0.hasPrefix(ContactWords.count(count)) && $0.contains("as it was stopped")
                }
            }
            desk.clear()
        }
    }

    func testWhatCannotBeReadIsSaidInWords() throws {
        try onMainActor {
            let desk = try ContactsDesk()
            desk.file = FileDialog.Answer(uri: "file:///nowhere/at/all.vcf")
            desk.page.importCards()
            waitUntil("it is said") { desk.labels.contains { $0.hasPrefix("The file can't be read: ") } }
            desk.file = try file([], "empty.vcf")
            desk.page.importCards()
            waitUntil("it is said") { desk.labels.contains("There is no vCard in that file.") }
            desk.people.store.trouble = .full
            desk.file = try file(Array("Alan".utf8), "a.vcf")
            desk.page.importCards()
            waitUntil("it is said") { desk.labels.contains { $0.hasPrefix("The disk is full.") } }
            XCTAssertEqual(desk.page.exchange.state, .idle)
            desk.clear()
        }
    }

    func testAllOrOneAreWritten() throws {
        try onMainActor {
            let desk = try ContactsDesk()
            desk.file = try file([], "out.vcf", choice: "4.0")
            desk.click("Contacts menu")
            desk.choose("Export All…")
            waitUntil("it is said") { desk.labels.contains("3 contacts exported.") }
            XCTAssertEqual(desk.requests.last?.newName, "contacts.vcf")
            XCTAssertEqual(desk.people.vCards.versions, [.four])
            XCTAssertEqual(
                try String(
                    contentsOfFile: String(XCTUnwrap(desk.file).uri.dropFirst("file://".count)),
                    encoding: .utf8
                )
                .split(separator: "\n").sorted(), ["Ada Lovelace", "Edsger Dijkstra", "Grace Hopper"])
            desk.file = try file([], "one.vcf", choice: "3.0")
            desk.click(desk.row("Grace"))
            desk.click("Contact menu")
            desk.choose("Export…")
            waitUntil("it is said") { desk.labels.contains("1 contact exported.") }
            XCTAssertEqual(desk.requests.last?.newName, "Grace Hopper.vcf")
            XCTAssertEqual(desk.people.vCards.versions, [.four, .three])
            desk.file = FileDialog.Answer(uri: "file:///nowhere/at/all.vcf")
            desk.click("Contact menu")
            desk.choose("Export…")
            waitUntil("it is said") { desk.labels.contains { $0.hasPrefix("The file can't be written: ") } }
            desk.clear()
        }
    }

    func testWordsOfWhatCameOfIt() {
        // Another locale has separators in large numbers.
        setlocale(LC_NUMERIC, "C")
        onMainActor {
            var result = ContactExchange.Result()
            result.added = 9_998
            result.unreadable = 2
            result.known = 1
            XCTAssertEqual(
                result.words, "9998 contacts imported, 2 could not be read, 1 was already there.")
            result = ContactExchange.Result()
            result.known = 1
            XCTAssertEqual(result.words, "No contact imported, 1 was already there.")
            result = ContactExchange.Result()
            result.added = 1
            result.photosLeftOut = 1
            XCTAssertEqual(result.words, "1 contact imported, 1 picture was left out.")
            XCTAssertEqual(
                [0, 999, 1_000, 1_234_567].map(ContactWords.count), ["0", "999", "1000", "1234567"])
        }
    }
}
