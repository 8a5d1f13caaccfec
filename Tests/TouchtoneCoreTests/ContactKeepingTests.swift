// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing

@testable import TouchtoneCore

@MainActor
@Suite struct ContactKeepingTests {
    // MARK: Adding and changing

    @Test func addedContactAppearsAtOnce() async throws {
        let fixture = await ContactBookFixture()
        let id = try await fixture.book.add(
            NewContact(ContactBookFixture.card("Grace", number: "5558675309"), photo: [1, 2]))
        #expect(fixture.book.contact(id)?.card.hasPhoto == true && fixture.name("5558675309") == "Grace")
        #expect(await fixture.book.photo(of: id) == [1, 2])
        await fixture.settle()
        #expect(fixture.names == ["Grace"])
    }

    @Test func changedContactIsSavedAndShown() async throws {
        let fixture = await ContactBookFixture([
            ContactBookFixture.card("Grace", number: "5558675309"), ContactBookFixture.card("Ada"),
        ])
        try await fixture.book.change(
            .own(1), to: ContactBookFixture.card("Zoe", number: "5551111"), photo: .set([7]))
        await fixture.settle()
        #expect(
            fixture.names == ["Ada", "Zoe"] && fixture.name("5558675309") == nil
                && fixture.name("5551111") == "Zoe")
        #expect(Set(fixture.takeChanges()) == [.rows, .photo(.own(1))])
        #expect(await fixture.book.photo(of: .own(1)) == [7])
        try await fixture.book.change(.own(1), to: ContactBookFixture.card("Zoe"), photo: .kept)
        #expect(fixture.book.contact(.own(1))?.card.hasPhoto == true)
        try await fixture.book.change(.own(1), to: ContactBookFixture.card("Zoe"), photo: .removed)
        #expect(fixture.book.contact(.own(1))?.card.hasPhoto == false)
        #expect(await fixture.book.photo(of: .own(1)) == nil)
        #expect(fixture.store.kept[1]?.photo == nil)
    }

    @Test func desktopContactsAreNotChanged() async throws {
        let fixture = await ContactBookFixture()
        fixture.books.tell(.present([ContactBookFixture.desktop("1", ContactBookFixture.card("Grace"))]))
        let id = Contact.ID.desktop(book: "b", uid: "1")
        try await fixture.book.change(id, to: ContactBookFixture.card("Ada"), photo: .kept)
        fixture.book.delete([id])
        await fixture.settle()
        #expect(fixture.names == ["Grace"])
    }

    @Test func desktopPicturesAreReadFromTheirBooks() async throws {
        let fixture = await ContactBookFixture()
        var card = ContactBookFixture.card("Grace")
        card.hasPhoto = true
        let id = Contact.ID.desktop(book: "b", uid: "1")
        fixture.books.photos[id] = [9]
        fixture.books.tell(.present([Contact(id: id, card: card)]))
        await fixture.settle()
        #expect(await fixture.book.photo(of: id) == [9])
        _ = fixture.takeChanges()
        fixture.books.tell(.present([Contact(id: id, card: card)]))
        await fixture.settle()
        #expect(fixture.takeChanges() == [.photo(id), .rows])
    }

    // MARK: Import and export

    @Test func manyContactsAreAddedInBatches() async throws {
        let fixture = await ContactBookFixture()
        let contacts = (0..<1000).map { NewContact(ContactBookFixture.card("Name \($0)", number: "\($0)")) }
        var progress: [Int] = []
        let added = try await fixture.book.add(contacts) { done, all in
            #expect(all == 1000)
            progress.append(done)
        }
        await fixture.settle()
        #expect(added == 1000 && fixture.names.count == 1000)
        #expect(progress == [250, 500, 750, 1000] && fixture.store.additions == [250, 250, 250, 250])
    }

    @Test func existingContactIsNotAddedAgain() async throws {
        let grace = ContactCard(
            name: "Grace", organization: "Navy",
            methods: [ContactMethod(.number, "555-867-5309"), ContactMethod(.xmpp, "g@example.org")],
            note: "COBOL", rest: "UID:1\r\nBDAY:19061209\r\n")
        let fixture = await ContactBookFixture([grace])
        let less = ContactBookFixture.card("Grace", number: "(555) 867 5309")
        var others = [grace, grace, grace, grace, grace, grace]
        others[0].methods.append(ContactMethod(.number, "1"))
        others[1].note = "Compilers"
        others[2].organization = "Army"
        others[3].name = "grace"
        others[4].rest = "UID:2\r\nBDAY:19061210\r\n"
        others[5].methods[0].label = .work
        var again = grace
        again.rest = "BDAY:19061209\r\nUID:2\r\nREV:2\r\n"
        let same = [less, again, grace].map { NewContact($0) }
        #expect(try await fixture.book.add(same) { _, _ in } == 0)
        #expect(fixture.store.additions.isEmpty)
        #expect(
            try await fixture.book.add(same + others.map { NewContact($0) } + [NewContact(grace, photo: [1])])
            {
                _, _ in
            } == 7)
        // Contacts repeated in the same file are not added either.
        let new = NewContact(ContactBookFixture.card("New", number: "2"))
        #expect(try await fixture.book.add([new, new, new]) { _, _ in } == 1)
    }

    @Test func failedImportKeepsEarlierContacts() async {
        let fixture = await ContactBookFixture()
        let contacts = (0..<1000).map { NewContact(ContactBookFixture.card("Name \($0)")) }
        await #expect(throws: StoreError.full) {
            _ = try await fixture.book.add(contacts) { done, _ in
                if done == 500 { fixture.store.trouble = .full }
            }
        }
        await fixture.settle()
        #expect(fixture.names.count == 500)
        // The caller reports the error.
        #expect(fixture.book.health.error(of: .contacts) == nil)
    }

    @Test func ownOrSelectedContactsAreExported() async throws {
        let fixture = await ContactBookFixture([
            ContactBookFixture.card("Zoe"), ContactBookFixture.card("Ada"),
        ])
        try await fixture.book.change(.own(2), to: ContactBookFixture.card("Ada"), photo: .set([1]))
        fixture.books.tell(.present([ContactBookFixture.desktop("1", ContactBookFixture.card("Grace"))]))
        await fixture.settle()
        let all = try await fixture.book.exported(nil)
        #expect(
            all == [
                NewContact(ContactBookFixture.card("Ada"), photo: [1]),
                NewContact(ContactBookFixture.card("Zoe")),
            ])
        let some = try await fixture.book.exported([.own(1), .desktop(book: "b", uid: "1"), .own(99)])
        #expect(some.map(\.card.name) == ["Zoe", "Grace"])
    }

    // MARK: Deletion

    @Test func deletedContactCanBeRestored() async throws {
        let fixture = await ContactBookFixture([
            ContactBookFixture.card("A", number: "5551234"), ContactBookFixture.card("B"),
            ContactBookFixture.card("C"),
        ])
        let deletion = try #require(await fixture.delete(.own(1), .own(3)))
        #expect(fixture.names == ["B"] && deletion.count == 2 && fixture.name("5551234") == nil)
        fixture.book.restore(deletion)
        await fixture.settle()
        #expect(fixture.names == ["A", "B", "C"] && fixture.name("5551234") == "A")
        // Nothing is restored twice.
        fixture.book.restore(deletion)
        await fixture.settle()
        #expect(fixture.names == ["A", "B", "C"])
    }

    @Test func eachDeletionIsUndoneSeparately() async throws {
        let fixture = await ContactBookFixture([
            ContactBookFixture.card("A"), ContactBookFixture.card("B"), ContactBookFixture.card("C"),
        ])
        let (a, b) = (
            try #require(await fixture.delete(.own(1))), try #require(await fixture.delete(.own(2)))
        )
        #expect(fixture.store.forgotten == 0)
        fixture.book.restore(b)
        await fixture.settle()
        #expect(fixture.names == ["B", "C"])
        fixture.book.restore(a)
        await fixture.settle()
        #expect(fixture.names == ["A", "B", "C"])
        // Purging one entry keeps the others.
        let c = try #require(await fixture.delete(.own(3)))
        let again = try #require(await fixture.delete(.own(1)))
        fixture.book.forget(c)
        fixture.book.restore(c)
        fixture.book.restore(again)
        await fixture.settle()
        #expect(fixture.names == ["A", "B"] && fixture.store.deleted.isEmpty)
    }

    @Test func contactBeingDeletedIsNotDeletedAgain() async throws {
        let fixture = await ContactBookFixture([ContactBookFixture.card("A"), ContactBookFixture.card("B")])
        var deletions: [Deletion] = []
        fixture.store.isHeld = true
        for _ in 0..<2 { fixture.book.delete([.own(1)]) { deletions.append($0) } }
        await fixture.settle()
        fixture.store.isHeld = false
        await fixture.settle()
        #expect(fixture.names == ["B"] && deletions.count == 1)
        fixture.book.restore(try #require(deletions.first))
        await fixture.settle()
        #expect(fixture.names == ["A", "B"])
    }

    @Test func failedRestoreCanBeRetried() async throws {
        let fixture = await ContactBookFixture([ContactBookFixture.card("A")])
        let deletion = try #require(await fixture.delete(.own(1)))
        fixture.store.trouble = .full
        var failures = 0
        fixture.book.restore(deletion) { failures += 1 }
        await fixture.settle()
        #expect(failures == 1 && fixture.names.isEmpty && fixture.book.health.error(of: .contacts) == .full)
        fixture.store.trouble = nil
        fixture.book.restore(deletion)
        await fixture.settle()
        #expect(fixture.names == ["A"] && fixture.book.health.error(of: .contacts) == nil)
    }

    @Test func contactImportedMeanwhileStays() async throws {
        let fixture = await ContactBookFixture([ContactBookFixture.card("A"), ContactBookFixture.card("B")])
        let deletion = try #require(await fixture.delete(.own(1)))
        #expect(
            try await fixture.book.add([NewContact(ContactBookFixture.card("C"))], progress: { _, _ in }) == 1
        )
        fixture.book.restore(deletion)
        await fixture.settle()
        #expect(fixture.names == ["A", "B", "C"])
    }

    // MARK: Memory keys

    @Test func memoryKeysStoreNumbers() async {
        let fixture = await ContactBookFixture(memory: [
            3: MemoryKey(DialledNumber("110") ?? DialledNumber(), name: "Police")
        ])
        #expect(fixture.book.memory.keys.sorted() == [3])
        let grace = MemoryKey(DialledNumber("5558675309") ?? DialledNumber())
        for digit in [0, 1, 9, 10, -1] { fixture.book.setMemoryKey(digit, grace) }
        fixture.book.setMemoryKey(3, nil)
        await fixture.settle()
        #expect(fixture.book.memory == [1: grace, 9: grace] && fixture.store.memory == [1: grace, 9: grace])
        #expect(fixture.takeChanges() == [.memory, .memory, .memory])
        #expect(fixture.book.name(of: grace) == "")
        _ = try? await fixture.book.add(NewContact(ContactBookFixture.card("Grace", number: "867-5309")))
        #expect(fixture.book.name(of: grace) == "Grace")
    }

    // MARK: Errors

    @Test func failedSaveIsReported() async {
        let fixture = await ContactBookFixture([ContactBookFixture.card("A"), ContactBookFixture.card("B")])
        fixture.store.trouble = .failed("no")
        fixture.book.delete([.own(1)])
        await fixture.settle()
        #expect(fixture.book.health.error(of: .contacts) == .failed("no") && fixture.names == ["A", "B"])
        await #expect(throws: StoreError.failed("no")) {
            try await fixture.book.add(NewContact(ContactBookFixture.card("C")))
        }
        fixture.store.trouble = nil
        _ = try? await fixture.book.add(NewContact(ContactBookFixture.card("C")))
        #expect(fixture.book.health.error(of: .contacts) == nil)
    }

    @Test func onlyDesktopContactsRemainAfterDamage() async {
        let fixture = await ContactBookFixture([ContactBookFixture.card("A")])
        fixture.books.tell(.present([ContactBookFixture.desktop("1", ContactBookFixture.card("Grace"))]))
        fixture.store.trouble = .damaged(setAside: "x")
        fixture.book.setMemoryKey(1, MemoryKey(DialledNumber("1") ?? DialledNumber()))
        await fixture.settle()
        #expect(fixture.names == ["Grace"] && fixture.book.isLoaded && fixture.book.memory.isEmpty)
        #expect(fixture.book.health.error(of: .contacts) == .damaged(setAside: "x"))
        fixture.book.health.dismiss(.contacts)
        #expect(fixture.book.health.error(of: .contacts) == nil)
    }
}
