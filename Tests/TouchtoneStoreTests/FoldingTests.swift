// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing

@testable import TouchtoneCore
@testable import TouchtoneStore

/// Tests that all lists use the same folding: text found in one by some letters is found by them in the others.
@MainActor
@Suite struct FoldingTests {
    /// Names, and the queries that find them.
    private nonisolated static let names: [(name: String, typed: String, keys: String)] = [
        ("Nguyễn Văn Đức", "nguyen van duc", "648936"), ("Nguye\u{302}\u{303}n", "nguyen", "648936"),
        ("Łukasz Żółć", "lukasz zolc", "585279"), ("Åsa Øberg", "asa oberg", "272"),
        ("ＡＤＡ", "ada", "232"), ("Straße", "strasse", "7872773"), ("Ŏksun", "oksun", "65786"),
    ]

    @Test(arguments: names)
    func plainLettersFindName(name: String, typed: String, keys: String) async throws {
        // Contacts, by letters and by keys.
        let contacts = MemoryContactStore()
        contacts.fill([NewContact(ContactCard(name: name, methods: [ContactMethod(.number, "5550142")]))])
        let book = ContactBook(store: contacts, books: nil)
        book.folding = TextFolding.letters
        book.start()
        book.filter = typed
        while !book.isLoaded { await Task.yield() }
        for _ in 0..<50 { await Task.yield() }
        #expect(book.rows.count == 1)
        let offered = book.suggestions(for: try #require(DialledNumber(keys)), maximum: 5)
        #expect(offered.map(\.name) == [name])
        #expect(offered.first?.inName.isEmpty == false)
        #expect(book.numbers(ofPeople: typed).count == 1)
        // Buddies.
        let query = SearchQuery(typed, by: TextFolding.letters)
        let address = SearchText("a@b", by: TextFolding.letters)
        #expect(query.finds(SearchText(name, by: TextFolding.letters), address))
        let byKeys = SearchQuery(keys, by: TextFolding.letters)
        #expect(byKeys.finds(SearchText(name, by: TextFolding.letters), address))
        // Calls.
        let fixture = MessageStoreFixture(Home(in: Home.memory))
        try await fixture.add(past("1", name))
        #expect(try await fixture.names(HistoryQuery(text: typed)) == [name])
        await fixture.store.close()
    }

    @Test func typedAccentsFindSameName() async throws {
        for typed in ["Nguyễn", "NGUYỄN", "nguye\u{302}\u{303}n", "Nguyen"] {
            let query = SearchQuery(typed, by: TextFolding.letters)
            let person = IndexedContact(
                Contact(id: .own(1), card: ContactCard(name: "Nguyễn")), sortKey: { Array($0.utf8) },
                folding: TextFolding.letters)
            #expect(query.finds(person), "\(typed)")
        }
    }

    /// Messages are found with the word index, which folds Unicode's accents itself.
    @Test func messagesAreFoundWithoutAccents() async throws {
        let fixture = MessageStoreFixture(Home(in: Home.memory))
        try await fixture.apply(.received(received("Nguyễn was here")))
        #expect(
            try await fixture.store.search("nguyen", of: nil, count: 10).map(\.message.text)
                == ["Nguyễn was here"])
        await fixture.store.close()
    }

    /// Any text may be in a name, for example from a vCard.
    @Test(arguments: [
        "", "\u{0}", "a\u{0}b", "\u{301}\u{302}", String(repeating: "\u{301}", count: 5000), "ﷺ",
    ])
    func anyTextIsFolded(_ text: String) {
        let folded = SearchText.folded(text, by: TextFolding.letters)
        #expect(!folded.unicodeScalars.contains { $0.properties.generalCategory == .nonspacingMark })
        #expect(!folded.unicodeScalars.contains("\u{0}"))
    }
}
