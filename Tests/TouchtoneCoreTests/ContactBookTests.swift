// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import TestSupport
import Testing

@testable import TouchtoneCore

@MainActor
@Suite struct ContactBookTests {
    @Test func desktopBooksAreReadOnFirstLookup() async throws {
        let number = try #require(DialledNumber("47"))
        let methods: [@MainActor (ContactBook) -> Void] = [
            { $0.readDesktop() }, { _ = $0.name(for: number) },
            { _ = $0.suggestions(for: number, maximum: 5) },
        ]
        for look in methods {
            let fixture = await ContactBookFixture([])
            #expect(fixture.books.starts == 0)
            for _ in 0..<2 { look(fixture.book) }
            #expect(fixture.books.starts == 1)
        }
    }

    @Test func callersOnMemoryKeysAreFavourites() async throws {
        func party(_ number: String, _ address: String = "") -> RemoteParty {
            RemoteParty(DialledNumber(number) ?? DialledNumber(), address: address)
        }
        let number = try #require(DialledNumber("5558675309"))
        let fixture = await ContactBookFixture(
            [
                ContactCard(
                    name: "Grace",
                    methods: [
                        ContactMethod(.number, "555-867-5309"), ContactMethod(.sip, "sip:grace@example.org"),
                    ]),
                ContactCard(name: "Eve", methods: [ContactMethod(.number, "555-0104")]),
            ], memory: [3: MemoryKey(number)])
        for favourite in [
            party("+15558675309"), party("5558675309"), party("", "sip:grace@example.org"),
        ] { #expect(fixture.book.isFavourite(favourite), "\(favourite)") }
        for other in [party("5550104"), party(""), party("", "sip:eve@example.org"), party("5558675308")] {
            #expect(!fixture.book.isFavourite(other), "\(other)")
        }
        fixture.book.setMemoryKey(4, MemoryKey(try #require(CallTarget(kept: "sip:eve@example.org"))))
        while fixture.book.memory[4] == nil { await Task.yield() }
        for favourite in [party("", "sip:eve@example.org;transport=udp"), party("", "sips:EVE@example.org")] {
            #expect(fixture.book.isFavourite(favourite), "\(favourite)")
        }
        #expect(!fixture.book.isFavourite(party("5550104")) && !fixture.book.isFavourite(party("")))
        #expect(!fixture.book.isFavourite(party("", "sip:eve@evil.example")))
    }

    // MARK: Rows

    @Test func ownAndDesktopContactsShareListSortedByName() async {
        let fixture = await ContactBookFixture([
            ContactBookFixture.card("grace"), ContactBookFixture.card("Édouard"),
            ContactBookFixture.card("Zoe"),
        ])
        #expect(fixture.book.isLoaded)
        #expect(fixture.names == ["Édouard", "grace", "Zoe"])
        fixture.books.tell(
            .present([
                ContactBookFixture.desktop("1", ContactBookFixture.card("Frank")),
                ContactBookFixture.desktop("2", ContactBookFixture.card("Grace")),
            ]))
        await fixture.settle()
        // Of equal names, the phone's own contact comes first.
        #expect(fixture.names == ["Édouard", "Frank", "grace", "Grace", "Zoe"])
        #expect(fixture.book.count == 5)
        fixture.books.tell(.present([ContactBookFixture.desktop("1", ContactBookFixture.card("Ysolde"))]))
        fixture.books.tell(.gone([.desktop(book: "b", uid: "2"), .desktop(book: "b", uid: "nobody")]))
        await fixture.settle()
        #expect(fixture.names == ["Édouard", "grace", "Ysolde", "Zoe"])
    }

    @Test func removedBookTakesItsContactsAlong() async {
        let fixture = await ContactBookFixture([ContactBookFixture.card("Own")])
        fixture.books.tell(
            .present([
                ContactBookFixture.desktop("1", ContactBookFixture.card("A", number: "5551234")),
                ContactBookFixture.desktop("1", ContactBookFixture.card("B"), book: "c"),
            ]))
        fixture.books.tell(.bookGone("b"))
        await fixture.settle()
        #expect(fixture.names == ["B", "Own"])
        #expect(fixture.name("5551234") == nil)
    }

    @Test func manyChangesAreReportedOnce() async {
        let fixture = await ContactBookFixture()
        for index in 0..<50 {
            fixture.books.tell(
                .present([ContactBookFixture.desktop("\(index)", ContactBookFixture.card("N\(index)"))]))
        }
        fixture.books.tell(.gone([.desktop(book: "b", uid: "7")]))
        await fixture.settle()
        #expect(fixture.takeChanges() == [.rows])
        #expect(fixture.names.count == 49)
    }

    @Test func tenThousandContactsArriveInBatches() async {
        let cards = (0..<10_000).map {
            ContactBookFixture.card("Name \($0)", number: CallHistoryFixture.number($0))
        }
        let fixture = await ContactBookFixture(cards.shuffled())
        #expect(fixture.book.count == 10_000 && fixture.names.count == 10_000)
        #expect(fixture.names == fixture.names.sorted())
        #expect(fixture.pauses >= 99)
        #expect(fixture.name(CallHistoryFixture.number(4711)) == "Name 4711")
    }

    @Test func namesAreSortedByGivenCollation() async {
        let store = MemoryContactStore()
        store.fill([NewContact(ContactBookFixture.card("a")), NewContact(ContactBookFixture.card("b"))])
        let book = ContactBook(store: store, books: nil)
        book.sortKey = { $0.utf8.map { 255 - $0 } }
        book.start()
        await store.idle()
        await book.whenTakenIn()
        await store.idle()
        #expect(book.rows == [.own(2), .own(1)])
    }

    @Test(arguments: [
        ("", 4), ("grace", 1), ("GRÂCE", 1), ("hop gra", 1), ("race hopp", 1), ("navy", 2), ("navy grace", 1),
        ("grace@ex", 1), ("47223", 1), ("4677", 1), ("5309", 2), ("(555) 867", 1), ("+1 555", 1),
        ("nobody", 0),
        ("---", 4), ("00000", 0),
    ])
    func contactsAreFoundByTypedText(_ text: String, _ count: Int) async {
        let fixture = await ContactBookFixture([
            ContactBookFixture.card(
                "Grace Hopper", ContactMethod(.number, "+1 555 867 5309"),
                ContactMethod(.xmpp, "grace@example.org"),
                company: "Navy"),
            ContactBookFixture.card("Ivy", ContactMethod(.number, "1115309"), company: "Navy Yard"),
            ContactBookFixture.card("日本 太郎"), ContactBookFixture.card("Zoe"),
        ])
        fixture.book.filter = text
        await fixture.settle()
        #expect(fixture.names.count == count)
        #expect(fixture.book.count == 4)
    }

    @Test func filterAppliesToNewContacts() async {
        let fixture = await ContactBookFixture([ContactBookFixture.card("Ada")])
        fixture.book.filter = "gra"
        fixture.books.tell(
            .present([
                ContactBookFixture.desktop("1", ContactBookFixture.card("Grace")),
                ContactBookFixture.desktop("2", ContactBookFixture.card("Bob")),
            ]))
        await fixture.settle()
        #expect(fixture.names == ["Grace"])
        fixture.book.filter = ""
        await fixture.settle()
        #expect(fixture.names == ["Ada", "Bob", "Grace"])
    }

    // MARK: Numbers and addresses

    @Test func numberIsRecognizedInAnyForm() async {
        let fixture = await ContactBookFixture([
            ContactBookFixture.card(
                "Grace", ContactMethod(.number, "(555) 867-5309"), ContactMethod(.number, "020 7946 0958")),
            ContactBookFixture.card("Short", number: "110"),
        ])
        for number in ["5558675309", "+15558675309", "8675309", "+442079460958", "15558675309,,4"] {
            #expect(fixture.name(number) == "Grace", "\(number)")
        }
        for number in ["5559675309", "75309", "+4930207946095", "", "*69"] {
            #expect(fixture.name(number) == nil)
        }
        #expect(fixture.name("110") == "Short" && fixture.name("5550110") == nil)
    }

    @Test func ownAndNearestContactWinsForSharedNumber() async {
        let fixture = await ContactBookFixture()
        fixture.books.tell(
            .present([
                ContactBookFixture.desktop("1", ContactBookFixture.card("London", number: "+44 20 8675 309")),
                ContactBookFixture.desktop("2", ContactBookFixture.card("Local", number: "867-5309")),
                ContactBookFixture.desktop("3", ContactBookFixture.card("Grace", number: "555 867 5309")),
                ContactBookFixture.desktop("4", ContactBookFixture.card("Other", number: "444 867 5309")),
            ]))
        await fixture.settle()
        #expect(fixture.name("+15558675309") == "Grace")
        #expect(fixture.name("8675309") == "Local")
        #expect(fixture.name("4448675309") == "Other")
        // The phone's own contact comes first, although fewer of its digits match.
        _ = try? await fixture.book.add(NewContact(ContactBookFixture.card("Mine", number: "8675309")))
        #expect(fixture.name("+15558675309") == "Mine")
    }

    @Test func addressesAreRecognized() async {
        let fixture = await ContactBookFixture([
            ContactBookFixture.card(
                "Grace", ContactMethod(.xmpp, "Grace@Example.org"),
                ContactMethod(.sip, "sip:grace@sip.example.org")
            )
        ])
        #expect(fixture.book.contact(for: ChatAddress("grace@example.org"))?.card.name == "Grace")
        #expect(fixture.book.contact(for: ChatAddress("ada@example.org")) == nil)
        #expect(
            fixture.book.contact(forSIP: "sips:GRACE@sip.example.org;transport=tls")?.card.name == "Grace")
        #expect(fixture.book.contact(forSIP: "") == nil)
    }

    @Test func numbersAreFoundByContactName() async {
        let fixture = await ContactBookFixture([
            ContactBookFixture.card(
                "Grace Hopper", ContactMethod(.number, "5558675309"),
                ContactMethod(.number, "+1 555 867 5309"),
                ContactMethod(.number, "110")),
            ContactBookFixture.card("Ivy", ContactMethod(.number, "5551111"), company: "Grace & Co"),
            ContactBookFixture.card("Zoe", number: "5552222"),
        ])
        #expect(fixture.book.numbers(ofPeople: "grace").map(\.text) == ["8675309", "110", "5551111"])
        #expect(fixture.book.numbers(ofPeople: "race hop").map(\.text) == ["8675309", "110"])
        #expect(fixture.book.numbers(ofPeople: "").isEmpty && fixture.book.numbers(ofPeople: " - ").isEmpty)
        #expect(fixture.book.numbers(ofPeople: "555").isEmpty)
    }

    @Test func foundNumbersAreLimitedToQueryLimit() async {
        let fixture = await ContactBookFixture(
            (0..<1500).map { ContactBookFixture.card("Name \($0)", number: CallHistoryFixture.number($0)) })
        #expect(fixture.book.numbers(ofPeople: "name").count == 1000)
    }

    /// After any additions, changes and removals, the known numbers, names and order are those of the existing
    /// contacts.
    @Test(arguments: 0..<20)
    func bookMatchesItsContactsAfterAnyChanges(_ seed: UInt64) async {
        var random = SplitMix64(seed: seed)
        let fixture = await ContactBookFixture()
        var truth: [Contact.ID: ContactCard] = [:]
        for _ in 0..<150 {
            let id = Contact.ID.desktop(
                book: ["a", "b"].randomElement(using: &random) ?? "",
                uid: "\(Int.random(in: 0..<30, using: &random))")
            switch Int.random(in: 0..<12, using: &random) {
            case 0..<8:
                let card = ContactBookFixture.card(
                    "N\(Int.random(in: 0..<20, using: &random))",
                    number: CallHistoryFixture.number(Int.random(in: 0..<15, using: &random)))
                truth[id] = card
                fixture.books.tell(.present([Contact(id: id, card: card)]))
            case 8..<11:
                truth[id] = nil
                fixture.books.tell(.gone([id]))
            default:
                if Int.random(in: 0..<6, using: &random) == 0 {
                    truth = truth.filter { if case .desktop("a", _) = $0.key { false } else { true } }
                    fixture.books.tell(.bookGone("a"))
                }
            }
            if Int.random(in: 0..<10, using: &random) == 0 { await fixture.settle() }
        }
        await fixture.settle()
        #expect(Set(fixture.book.rows) == Set(truth.keys) && fixture.book.rows.count == truth.count)
        #expect(fixture.names == fixture.names.sorted { SearchText.folded($0) < SearchText.folded($1) })
        for index in 0..<15 {
            let number = CallHistoryFixture.number(index)
            let names = Set(truth.values.filter { $0.methods[0].text == number }.map(\.name))
            #expect(fixture.name(number).map { names.contains($0) } ?? names.isEmpty)
            #expect(Set(fixture.suggested(number).map { String($0.prefix { $0 != " " }) }) == names)
        }
    }
}
