// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Contacts in memory for the window's tests.
@MainActor
final class People {
    let store = MemoryContactStore()
    let book: ContactBook
    let calls = MemoryHistoryStore()
    let vCards = FakeVCards()
    let directory: DirectoryDependencies

    init(
        _ contacts: [NewContact] = People.some, memory: [Int: MemoryKey] = [:],
        books: (any SystemAddressBooks)? = nil
    ) {
        store.fill(contacts, memory: memory)
        book = ContactBook(store: store, books: books)
        let history = CallHistory(store: calls, contacts: book, wall: FixedWallClock())
        directory = DirectoryDependencies(history: history, contacts: book, vCards: vCards)
        book.start()
        let book = book
        waitUntil("the contacts are read") { book.isLoaded && book.rows.count == contacts.count }
    }

    /// A few contacts.
    static let some = [
        NewContact(
            ContactCard(
                name: "Grace Hopper", organization: "Navy",
                methods: [
                    ContactMethod(.number, "(555) 867-5309", label: .mobile),
                    ContactMethod(.number, "555-0142", label: .work),
                    ContactMethod(.xmpp, "grace@example.org"),
                ], note: "Asked for a manual of the desk phone.")),
        NewContact(ContactCard(name: "Edsger Dijkstra", methods: [ContactMethod(.number, "555-0199")])),
        NewContact(ContactCard(name: "Ada Lovelace", methods: [ContactMethod(.sip, "sip:ada@example.org")])),
    ]

    /// Returns many contacts, each with its own number.
    static func many(_ count: Int) -> [NewContact] {
        let (first, last) = (
            ["Grace", "Edsger", "Ada", "Alan", "Barbara", "Donald", "Frances", "Niklaus", "Jean", "Tony"],
            [
                "Hopper", "Dijkstra", "Lovelace", "Turing", "Liskov", "Knuth", "Allen", "Wirth", "Bartik",
                "Hoare",
            ]
        )
        return (0..<count).map { number in
            NewContact(
                ContactCard(
                    name: "\(first[number % 10]) \(last[number / 10 % 10]) \(number)",
                    organization: number % 3 == 0 ? "Company \(number % 97)" : "",
                    methods: [ContactMethod(.number, "+1555\(1_000_000 + number)", label: .mobile)]))
        }
    }

    /// Returns the label of a memory key from its number and a name.
    static func key(_ number: String, _ name: String = "") -> MemoryKey {
        MemoryKey(DialledNumber(number) ?? DialledNumber(), name: name)
    }
}

/// A vCard format with one name per line; a line that starts with `!` is invalid.
final class FakeVCards: VCardCoding, @unchecked Sendable {  // Used only on the main thread.
    var versions: [VCardVersion] = []

    func read(_ bytes: [UInt8]) async throws(VCardError) -> VCardReadResult {
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        guard !lines.isEmpty else { throw .noVCard }
        let names = lines.filter { !$0.hasPrefix("!") }
        return VCardReadResult(
            contacts: names.map { NewContact(ContactCard(name: String($0))) },
            unreadable: lines.count - names.count)
    }

    func write(_ contacts: [NewContact], version: VCardVersion) async -> [UInt8] {
        versions.append(version)
        return Array(contacts.map { $0.card.name + "\n" }.joined().utf8)
    }
}
