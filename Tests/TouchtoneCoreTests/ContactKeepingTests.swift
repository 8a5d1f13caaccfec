// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing

@testable import TouchtoneCore

@MainActor
@Suite struct ContactKeepingTests {
    // MARK: Adding and changing

    @Test func whatIsAddedIsThereAtOnce() async throws {
        let desk = await ContactDesk()
        let id = try await desk.book.add(
            NewContact(ContactDesk.card("Grace", number: "5558675309"), photo: [1, 2]))
        #expect(desk.book.contact(id)?.card.hasPhoto == true && desk.name("5558675309") == "Grace")
        #expect(await desk.book.photo(of: id) == [1, 2])
        await desk.settle()
        #expect(desk.names == ["Grace"])
    }

    @Test func aChangeIsKeptAndShown() async throws {
        let desk = await ContactDesk([
            ContactDesk.card("Grace", number: "5558675309"), ContactDesk.card("Ada"),
        ])
        try await desk.book.change(.own(1), to: ContactDesk.card("Zoe", number: "5551111"), photo: .set([7]))
        await desk.settle()
        #expect(
            desk.names == ["Ada", "Zoe"] && desk.name("5558675309") == nil && desk.name("5551111") == "Zoe")
        #expect(Set(desk.takeChanges()) == [.rows, .photo(.own(1))])
        #expect(await desk.book.photo(of: .own(1)) == [7])
        try await desk.book.change(.own(1), to: ContactDesk.card("Zoe"), photo: .kept)
        #expect(desk.book.contact(.own(1))?.card.hasPhoto == true)
        try await desk.book.change(.own(1), to: ContactDesk.card("Zoe"), photo: .removed)
        #expect(desk.book.contact(.own(1))?.card.hasPhoto == false)
        #expect(await desk.book.photo(of: .own(1)) == nil)
        #expect(desk.store.kept[1]?.photo == nil)
    }

    @Test func theDesktopsAreNotChanged() async throws {
        let desk = await ContactDesk()
        desk.books.tell(.present([ContactDesk.desktop("1", ContactDesk.card("Grace"))]))
        let id = Contact.ID.desktop(book: "b", uid: "1")
        try await desk.book.change(id, to: ContactDesk.card("Ada"), photo: .kept)
        desk.book.delete([id])
        await desk.settle()
        #expect(desk.names == ["Grace"])
    }

    @Test func thePicturesOfTheDesktopsComeFromTheirBooks() async throws {
        let desk = await ContactDesk()
        var card = ContactDesk.card("Grace")
        card.hasPhoto = true
        let id = Contact.ID.desktop(book: "b", uid: "1")
        desk.books.photos[id] = [9]
        desk.books.tell(.present([Contact(id: id, card: card)]))
        await desk.settle()
        #expect(await desk.book.photo(of: id) == [9])
        _ = desk.takeChanges()
        desk.books.tell(.present([Contact(id: id, card: card)]))
        await desk.settle()
        #expect(desk.takeChanges() == [.photo(id), .rows])
    }

    // MARK: Import and export

    @Test func manyAreAddedInPieces() async throws {
        let desk = await ContactDesk()
        let contacts = (0..<1000).map { NewContact(ContactDesk.card("Name \($0)", number: "\($0)")) }
        var progress: [Int] = []
        let added = try await desk.book.add(contacts) { done, all in
            #expect(all == 1000)
            progress.append(done)
        }
        await desk.settle()
        #expect(added == 1000 && desk.names.count == 1000)
        #expect(progress == [250, 500, 750, 1000] && desk.store.additions == [250, 250, 250, 250])
    }

    @Test func whatIsThereAlreadyIsNotAddedAgain() async throws {
        let grace = ContactCard(
            name: "Grace", organization: "Navy",
            ways: [ContactWay(.number, "555-867-5309"), ContactWay(.xmpp, "g@example.org")],
            note: "COBOL", rest: "UID:1\r\nBDAY:19061209\r\n")
        let desk = await ContactDesk([grace])
        let less = ContactDesk.card("Grace", number: "(555) 867 5309")
        var others = [grace, grace, grace, grace, grace, grace]
        others[0].ways.append(ContactWay(.number, "1"))
        others[1].note = "Compilers"
        others[2].organization = "Army"
        others[3].name = "grace"
        others[4].rest = "UID:2\r\nBDAY:19061210\r\n"
        others[5].ways[0].place = .work
        var again = grace
        again.rest = "BDAY:19061209\r\nUID:2\r\nREV:2\r\n"
        let same = [less, again, grace].map { NewContact($0) }
        #expect(try await desk.book.add(same) { _, _ in } == 0)
        #expect(desk.store.additions.isEmpty)
        #expect(
            try await desk.book.add(same + others.map { NewContact($0) } + [NewContact(grace, photo: [1])]) {
                _, _ in
            } == 7)
        // Nor is what the same file has told already.
        let new = NewContact(ContactDesk.card("New", number: "2"))
        #expect(try await desk.book.add([new, new, new]) { _, _ in } == 1)
    }

    @Test func whatFailsInTheMiddleKeepsWhatWentWell() async {
        let desk = await ContactDesk()
        let contacts = (0..<1000).map { NewContact(ContactDesk.card("Name \($0)")) }
        await #expect(throws: StoreError.full) {
            _ = try await desk.book.add(contacts) { done, _ in if done == 500 { desk.store.trouble = .full } }
        }
        await desk.settle()
        #expect(desk.names.count == 500)
        // Who asked for it tells of it.
        #expect(desk.book.trouble == nil)
    }

    @Test func theOwnAreExportedOrThoseThatAreWanted() async throws {
        let desk = await ContactDesk([ContactDesk.card("Zoe"), ContactDesk.card("Ada")])
        try await desk.book.change(.own(2), to: ContactDesk.card("Ada"), photo: .set([1]))
        desk.books.tell(.present([ContactDesk.desktop("1", ContactDesk.card("Grace"))]))
        await desk.settle()
        let all = try await desk.book.exported(nil)
        #expect(
            all == [NewContact(ContactDesk.card("Ada"), photo: [1]), NewContact(ContactDesk.card("Zoe"))])
        let some = try await desk.book.exported([.own(1), .desktop(book: "b", uid: "1"), .own(99)])
        #expect(some.map(\.card.name) == ["Zoe", "Grace"])
    }

    // MARK: Deletion

    @Test func whatIsDeletedCanBeBroughtBack() async throws {
        let desk = await ContactDesk([
            ContactDesk.card("A", number: "5551234"), ContactDesk.card("B"), ContactDesk.card("C"),
        ])
        let deletion = try #require(await desk.delete(.own(1), .own(3)))
        #expect(desk.names == ["B"] && deletion.count == 2 && desk.name("5551234") == nil)
        desk.book.restore(deletion)
        await desk.settle()
        #expect(desk.names == ["A", "B", "C"] && desk.name("5551234") == "A")
        // Nothing comes twice.
        desk.book.restore(deletion)
        await desk.settle()
        #expect(desk.names == ["A", "B", "C"])
    }

    @Test func eachDeletionIsUndoneByItself() async throws {
        let desk = await ContactDesk([ContactDesk.card("A"), ContactDesk.card("B"), ContactDesk.card("C")])
        let (a, b) = (try #require(await desk.delete(.own(1))), try #require(await desk.delete(.own(2))))
        #expect(desk.store.forgotten == 0)
        desk.book.restore(b)
        await desk.settle()
        #expect(desk.names == ["B", "C"])
        desk.book.restore(a)
        await desk.settle()
        #expect(desk.names == ["A", "B", "C"])
        // Forgetting one leaves the others.
        let c = try #require(await desk.delete(.own(3)))
        let again = try #require(await desk.delete(.own(1)))
        desk.book.forget(c)
        desk.book.restore(c)
        desk.book.restore(again)
        await desk.settle()
        #expect(desk.names == ["A", "B"] && desk.store.deleted.isEmpty)
    }

    @Test func oneThatIsBeingDeletedIsLeftAlone() async throws {
        let desk = await ContactDesk([ContactDesk.card("A"), ContactDesk.card("B")])
        var deletions: [Deletion] = []
        desk.store.isHeld = true
        for _ in 0..<2 { desk.book.delete([.own(1)]) { deletions.append($0) } }
        await desk.settle()
        desk.store.isHeld = false
        await desk.settle()
        #expect(desk.names == ["B"] && deletions.count == 1)
        desk.book.restore(try #require(deletions.first))
        await desk.settle()
        #expect(desk.names == ["A", "B"])
    }

    @Test func whatCannotBeBroughtBackNowCanBeLater() async throws {
        let desk = await ContactDesk([ContactDesk.card("A")])
        let deletion = try #require(await desk.delete(.own(1)))
        desk.store.trouble = .full
        var failures = 0
        desk.book.restore(deletion) { failures += 1 }
        await desk.settle()
        #expect(failures == 1 && desk.names.isEmpty && desk.book.trouble == .full)
        desk.store.trouble = nil
        desk.book.restore(deletion)
        await desk.settle()
        #expect(desk.names == ["A"] && desk.book.trouble == nil)
    }

    @Test func whatIsImportedMeanwhileStays() async throws {
        let desk = await ContactDesk([ContactDesk.card("A"), ContactDesk.card("B")])
        let deletion = try #require(await desk.delete(.own(1)))
        #expect(try await desk.book.add([NewContact(ContactDesk.card("C"))], progress: { _, _ in }) == 1)
        desk.book.restore(deletion)
        await desk.settle()
        #expect(desk.names == ["A", "B", "C"])
    }

    // MARK: Memory keys

    @Test func memoryKeysHoldNumbers() async {
        let desk = await ContactDesk(memory: [
            3: MemoryKey(DialledNumber("110") ?? DialledNumber(), name: "Police")
        ])
        #expect(desk.book.memory.keys.sorted() == [3])
        let grace = MemoryKey(DialledNumber("5558675309") ?? DialledNumber())
        for digit in [0, 1, 9, 10, -1] { desk.book.setMemoryKey(digit, grace) }
        desk.book.setMemoryKey(3, nil)
        await desk.settle()
        #expect(desk.book.memory == [1: grace, 9: grace] && desk.store.memory == [1: grace, 9: grace])
        #expect(desk.takeChanges() == [.memory, .memory, .memory])
        #expect(desk.book.name(of: grace) == "")
        _ = try? await desk.book.add(NewContact(ContactDesk.card("Grace", number: "867-5309")))
        #expect(desk.book.name(of: grace) == "Grace")
    }

    // MARK: Trouble

    @Test func whatCannotBeKeptIsSaid() async {
        let desk = await ContactDesk([ContactDesk.card("A"), ContactDesk.card("B")])
        desk.store.trouble = .failed("no")
        desk.book.delete([.own(1)])
        await desk.settle()
        #expect(desk.book.trouble == .failed("no") && desk.names == ["A", "B"])
        await #expect(throws: StoreError.failed("no")) {
            try await desk.book.add(NewContact(ContactDesk.card("C")))
        }
        desk.store.trouble = nil
        _ = try? await desk.book.add(NewContact(ContactDesk.card("C")))
        #expect(desk.book.trouble == nil)
    }

    @Test func afterDamageOnlyTheDesktopsAreThere() async {
        let desk = await ContactDesk([ContactDesk.card("A")])
        desk.books.tell(.present([ContactDesk.desktop("1", ContactDesk.card("Grace"))]))
        desk.store.trouble = .damaged(setAside: "x")
        desk.book.setMemoryKey(1, MemoryKey(DialledNumber("1") ?? DialledNumber()))
        await desk.settle()
        #expect(desk.names == ["Grace"] && desk.book.isLoaded && desk.book.memory.isEmpty)
        #expect(desk.book.trouble == .damaged(setAside: "x"))
        desk.book.dismissTrouble()
        #expect(desk.book.trouble == nil)
    }
}
