// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import TestSupport
import Testing

@testable import TouchtoneCore

@MainActor
@Suite struct ContactBookTests {
    @Test func theDesktopsBooksAreReadOnceSomebodyIsLookedFor() async throws {
        let number = try #require(DialledNumber("47"))
        let ways: [@MainActor (ContactBook) -> Void] = [
            { $0.readDesktop() }, { _ = $0.name(for: number) }, { _ = $0.suggestions(for: number, most: 5) },
        ]
        for look in ways {
            let desk = await ContactDesk([])
            #expect(desk.books.starts == 0)
            for _ in 0..<2 { look(desk.book) }
            #expect(desk.books.starts == 1)
        }
    }

    // MARK: Rows

    @Test func ownContactsAndTheDesktopsStandInOneListByName() async {
        let desk = await ContactDesk([
            ContactDesk.card("grace"), ContactDesk.card("Édouard"), ContactDesk.card("Zoe"),
        ])
        #expect(desk.book.isLoaded)
        #expect(desk.names == ["Édouard", "grace", "Zoe"])
        desk.books.tell(
            .present([
                ContactDesk.desktop("1", ContactDesk.card("Frank")),
                ContactDesk.desktop("2", ContactDesk.card("Grace")),
            ]))
        await desk.settle()
        // Of one name the phone's own stands first.
        #expect(desk.names == ["Édouard", "Frank", "grace", "Grace", "Zoe"])
        #expect(desk.book.count == 5)
        desk.books.tell(.present([ContactDesk.desktop("1", ContactDesk.card("Ysolde"))]))
        desk.books.tell(.gone([.desktop(book: "b", uid: "2"), .desktop(book: "b", uid: "nobody")]))
        await desk.settle()
        #expect(desk.names == ["Édouard", "grace", "Ysolde", "Zoe"])
    }

    @Test func aBookThatIsGoneTakesItsContactsAlong() async {
        let desk = await ContactDesk([ContactDesk.card("Own")])
        desk.books.tell(
            .present([
                ContactDesk.desktop("1", ContactDesk.card("A", number: "5551234")),
                ContactDesk.desktop("1", ContactDesk.card("B"), book: "c"),
            ]))
        desk.books.tell(.bookGone("b"))
        await desk.settle()
        #expect(desk.names == ["B", "Own"])
        #expect(desk.name("5551234") == nil)
    }

    @Test func manyChangesAreToldOnce() async {
        let desk = await ContactDesk()
        for index in 0..<50 {
            desk.books.tell(.present([ContactDesk.desktop("\(index)", ContactDesk.card("N\(index)"))]))
        }
        desk.books.tell(.gone([.desktop(book: "b", uid: "7")]))
        await desk.settle()
        #expect(desk.peopleChanges == 1)
        #expect(desk.takeChanges() == [.rows])
        #expect(desk.names.count == 49)
    }

    @Test func tenThousandComeInPieces() async {
        let cards = (0..<10_000).map { ContactDesk.card("Name \($0)", number: HistoryDesk.number($0)) }
        let desk = await ContactDesk(cards.shuffled())
        #expect(desk.book.count == 10_000 && desk.names.count == 10_000)
        #expect(desk.names == desk.names.sorted())
        #expect(desk.pauses >= 99)
        #expect(desk.name(HistoryDesk.number(4711)) == "Name 4711")
    }

    @Test func namesAreSortedAsTheProgramSays() async {
        let store = MemoryContactStore()
        store.fill([NewContact(ContactDesk.card("a")), NewContact(ContactDesk.card("b"))])
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
    func whatIsTypedFinds(_ text: String, _ count: Int) async {
        let desk = await ContactDesk([
            ContactDesk.card(
                "Grace Hopper", ContactWay(.number, "+1 555 867 5309"),
                ContactWay(.xmpp, "grace@example.org"),
                company: "Navy"),
            ContactDesk.card("Ivy", ContactWay(.number, "1115309"), company: "Navy Yard"),
            ContactDesk.card("日本 太郎"), ContactDesk.card("Zoe"),
        ])
        desk.book.filter = text
        await desk.settle()
        #expect(desk.names.count == count)
        #expect(desk.book.count == 4)
    }

    @Test func aFilterHoldsForWhatComes() async {
        let desk = await ContactDesk([ContactDesk.card("Ada")])
        desk.book.filter = "gra"
        desk.books.tell(
            .present([
                ContactDesk.desktop("1", ContactDesk.card("Grace")),
                ContactDesk.desktop("2", ContactDesk.card("Bob")),
            ]))
        await desk.settle()
        #expect(desk.names == ["Grace"])
        desk.book.filter = ""
        await desk.settle()
        #expect(desk.names == ["Ada", "Bob", "Grace"])
    }

    // MARK: Who has a number or an address

    @Test func aNumberIsKnownInWhateverForm() async {
        let desk = await ContactDesk([
            ContactDesk.card(
                "Grace", ContactWay(.number, "(555) 867-5309"), ContactWay(.number, "020 7946 0958")),
            ContactDesk.card("Short", number: "110"),
        ])
        for number in ["5558675309", "+15558675309", "8675309", "+442079460958", "15558675309,,4"] {
            #expect(desk.name(number) == "Grace", "\(number)")
        }
        for number in ["5559675309", "75309", "+4930207946095", "", "*69"] {
            #expect(desk.name(number) == nil)
        }
        #expect(desk.name("110") == "Short" && desk.name("5550110") == nil)
    }

    @Test func ofManyWithANumberTheOwnAndTheNearestCounts() async {
        let desk = await ContactDesk()
        desk.books.tell(
            .present([
                ContactDesk.desktop("1", ContactDesk.card("London", number: "+44 20 8675 309")),
                ContactDesk.desktop("2", ContactDesk.card("Local", number: "867-5309")),
                ContactDesk.desktop("3", ContactDesk.card("Grace", number: "555 867 5309")),
                ContactDesk.desktop("4", ContactDesk.card("Other", number: "444 867 5309")),
            ]))
        await desk.settle()
        #expect(desk.name("+15558675309") == "Grace")
        #expect(desk.name("8675309") == "Local")
        #expect(desk.name("4448675309") == "Other")
        // The phone's own comes first, though less of it is the same.
        _ = try? await desk.book.add(NewContact(ContactDesk.card("Mine", number: "8675309")))
        #expect(desk.name("+15558675309") == "Mine")
    }

    @Test func addressesAreKnown() async {
        let desk = await ContactDesk([
            ContactDesk.card(
                "Grace", ContactWay(.xmpp, "Grace@Example.org"), ContactWay(.sip, "sip:grace@sip.example.org")
            )
        ])
        #expect(desk.book.contact(for: ChatAddress("grace@example.org"))?.card.name == "Grace")
        #expect(desk.book.contact(for: ChatAddress("ada@example.org")) == nil)
        #expect(desk.book.contact(forSIP: "sips:GRACE@sip.example.org;transport=tls")?.card.name == "Grace")
        #expect(desk.book.contact(forSIP: "") == nil)
    }

    @Test func theNumbersOfPeopleByTheirNames() async {
        let desk = await ContactDesk([
            ContactDesk.card(
                "Grace Hopper", ContactWay(.number, "5558675309"), ContactWay(.number, "+1 555 867 5309"),
                ContactWay(.number, "110")),
            ContactDesk.card("Ivy", ContactWay(.number, "5551111"), company: "Grace & Co"),
            ContactDesk.card("Zoe", number: "5552222"),
        ])
        #expect(desk.book.numbers(ofPeople: "grace").map(\.text) == ["8675309", "110", "5551111"])
        #expect(desk.book.numbers(ofPeople: "race hop").map(\.text) == ["8675309", "110"])
        #expect(desk.book.numbers(ofPeople: "").isEmpty && desk.book.numbers(ofPeople: " - ").isEmpty)
        #expect(desk.book.numbers(ofPeople: "555").isEmpty)
    }

    @Test func notMoreNumbersThanAQueryTakes() async {
        let desk = await ContactDesk(
            (0..<1500).map { ContactDesk.card("Name \($0)", number: HistoryDesk.number($0)) })
        #expect(desk.book.numbers(ofPeople: "name").count == 1000)
    }

    /// However contacts come, change and go: what is known of numbers, names and order is that of those that are there.
    @Test(arguments: 0..<20)
    func theBookIsThatOfThoseWhoAreThere(_ seed: UInt64) async {
        var random = SplitMix64(seed: seed)
        let desk = await ContactDesk()
        var truth: [Contact.ID: ContactCard] = [:]
        for _ in 0..<150 {
            let id = Contact.ID.desktop(
                book: ["a", "b"].randomElement(using: &random) ?? "",
                uid: "\(Int.random(in: 0..<30, using: &random))")
            switch Int.random(in: 0..<12, using: &random) {
            case 0..<8:
                let card = ContactDesk.card(
                    "N\(Int.random(in: 0..<20, using: &random))",
                    number: HistoryDesk.number(Int.random(in: 0..<15, using: &random)))
                truth[id] = card
                desk.books.tell(.present([Contact(id: id, card: card)]))
            case 8..<11:
                truth[id] = nil
                desk.books.tell(.gone([id]))
            default:
                if Int.random(in: 0..<6, using: &random) == 0 {
                    truth = truth.filter { if case .desktop("a", _) = $0.key { false } else { true } }
                    desk.books.tell(.bookGone("a"))
                }
            }
            if Int.random(in: 0..<10, using: &random) == 0 { await desk.settle() }
        }
        await desk.settle()
        #expect(Set(desk.book.rows) == Set(truth.keys) && desk.book.rows.count == truth.count)
        #expect(desk.names == desk.names.sorted { SearchText.folded($0) < SearchText.folded($1) })
        for index in 0..<15 {
            let number = HistoryDesk.number(index)
            let names = Set(truth.values.filter { $0.ways[0].text == number }.map(\.name))
            #expect(desk.name(number).map { names.contains($0) } ?? names.isEmpty)
            #expect(Set(desk.suggested(number).map { String($0.prefix { $0 != " " }) }) == names)
        }
    }
}
