// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing

@testable import TouchtoneCore

/// A contact book on a store in memory and fake address books, with a record of its notifications.
@MainActor
final class ContactBookFixture {
    let store = MemoryContactStore()
    let books = FakeAddressBooks()
    let book: ContactBook
    private(set) var changes: [ContactBook.Change] = []
    private let count = Count()

    private final class Count { var rests = 0 }

    /// Creates a book that has read the contents of the store.
    init(_ cards: [ContactCard] = [], memory: [Int: MemoryKey] = [:]) async {
        store.fill(cards.map { NewContact($0) }, memory: memory)
        book = ContactBook(store: store, books: books) { [count] in
            count.rests += 1
            await Task.yield()
        }
        book.observe(by: self) { [weak self] in self?.changes.append($0) }
        book.start()
        await settle()
        _ = takeChanges()
    }

    func settle() async {
        for _ in 0..<5 {
            await store.idle()
            await book.whenTakenIn()
            for _ in 0..<20 { await Task.yield() }
        }
    }

    /// Deletes contacts, and returns the closure that undoes it.
    func delete(_ ids: Contact.ID...) async -> Deletion? {
        var deletion: Deletion?
        book.delete(ids) { deletion = $0 }
        await settle()
        return deletion
    }

    func takeChanges() -> [ContactBook.Change] {
        defer { changes = [] }
        return changes
    }

    /// The number of pauses.
    var pauses: Int { count.rests }

    /// The names of the rows.
    var names: [String] { book.rows.compactMap { book.contact($0)?.card.name } }

    /// Returns the names and numbers that match digits, with the matched part of the name in brackets.
    func suggested(_ typed: String, maximum: Int = 10) -> [String] {
        book.suggestions(for: DialledNumber(typed) ?? DialledNumber(), maximum: maximum).map { suggestion in
            let name = Array(suggestion.name)
            let (start, end) = (suggestion.inName.lowerBound, suggestion.inName.upperBound)
            let marked =
                suggestion.inName.isEmpty
                ? suggestion.name
                : String(name[..<start]) + "[" + String(name[start..<end]) + "]" + String(name[end...])
            return "\(marked) \(suggestion.number.text)"
        }
    }

    /// Returns the name of the contact that has a number.
    func name(_ number: String) -> String? { DialledNumber(number).flatMap { book.name(for: $0) } }

    nonisolated static func card(_ name: String, _ methods: ContactMethod..., company: String = "")
        -> ContactCard
    {
        ContactCard(name: name, organization: company, methods: methods)
    }

    nonisolated static func card(_ name: String, number: String) -> ContactCard {
        ContactCard(name: name, methods: [ContactMethod(.number, number)])
    }

    nonisolated static func desktop(_ uid: String, _ card: ContactCard, book: String = "b") -> Contact {
        Contact(id: .desktop(book: book, uid: uid), card: card)
    }
}
