// SPDX-License-Identifier: GPL-3.0-or-later

import Testing
import TouchtoneCore

@testable import TouchtoneStore

/// Tests that contacts and memory keys are read as they were stored.
@MainActor
@Suite struct ContactStoreTests {
    private let fixture = MessageStoreFixture(Home(in: Home.memory))
    private var store: SQLiteStore { fixture.store }

    private func add(_ names: String...) async throws -> [Int64] {
        try await store.add(names.map { NewContact(ContactCard(name: $0)) }).map(\.own)
    }

    /// Returns the stored contacts by name, because the store has no order.
    private func names() async throws -> [String] { try await store.contacts().map(\.card.name).sorted() }

    @Test func contactRoundTrips() async throws {
        let hostile = "\u{0}'; DROP TABLE contact; -- \"%_*\n\u{202E}\u{301}🧑‍🚀"
        let methods = ContactMethod.Kind.allCases.flatMap { kind in
            ContactMethod.Label.allCases.map { ContactMethod(kind, "\(kind) \($0) " + hostile, label: $0) }
        }
        let new = [
            NewContact(
                ContactCard(
                    name: hostile, organization: hostile, methods: methods, note: hostile + "\n" + hostile,
                    rest: hostile),
                photo: (0..<70_000).map { UInt8(truncatingIfNeeded: $0) }),
            NewContact(ContactCard(name: "Grace")),
            NewContact(
                ContactCard(name: "", methods: [ContactMethod(.number, ""), ContactMethod(.number, "")]),
                photo: []),
            NewContact(
                ContactCard(
                    name: "Ada", note: String(repeating: "ü", count: ContactCard.maximumNoteLength),
                    rest: String(repeating: "r", count: ContactCard.maximumRestLength)),
                photo: [UInt8](repeating: 7, count: ContactCard.maximumPhotoSize)),
        ]
        let kept = try await store.add(new)
        #expect(kept.map(\.card) == new.map(\.card))
        await store.close()
        let found = try await store.contacts()
        #expect(found.sorted { $0.own < $1.own } == kept)
        for (contact, new) in zip(kept, new) { #expect(try await store.photo(of: contact.own) == new.photo) }
        #expect(try await store.photo(of: 77) == nil)
    }

    @Test func contactsKeepTheirOwnMethods() async throws {
        var all: [Contact] = []
        for piece in 0..<10 {
            all += try await store.add(
                (0..<50).map { number in
                    let methods = (0..<(number % 4)).map {
                        ContactMethod(.number, "\(piece) \(number) \($0)")
                    }
                    return NewContact(ContactCard(name: "\(piece) \(number)", methods: methods))
                })
        }
        #expect(try await store.contacts().sorted { $0.own < $1.own } == all)
        #expect(try await store.add([]) == [])
    }

    @Test func changedContactReplacesStoredOne() async throws {
        let photo: [UInt8] = [1, 2, 3]
        let card = ContactCard(
            name: "Grace", methods: [ContactMethod(.number, "1"), ContactMethod(.sip, "2")])
        let id = try #require(try await store.add([NewContact(card, photo: photo)]).first).own
        let others = try await add("Ada")
        func isNow(_ card: ContactCard, _ photo: [UInt8]?) async throws -> Bool {
            let kept = try await store.contacts().first { $0.own == id }
            let image = try await store.photo(of: id)
            return kept?.card == card && image == photo
        }
        var new = ContactCard(
            name: "Grace Hopper", organization: "Navy", methods: [ContactMethod(.xmpp, "3")], note: "n",
            hasPhoto: true,
            rest: "r")
        try await store.change(id, to: new, photo: .kept)
        #expect(try await isNow(new, photo))
        try await store.change(id, to: new, photo: .set([4]))
        #expect(try await isNow(new, [4]))
        new.methods = []
        new.hasPhoto = false
        try await store.change(id, to: new, photo: .removed)
        #expect(try await isNow(new, nil))
        // The flag in the card does not determine whether a picture is stored.
        new.hasPhoto = true
        try await store.change(id, to: new, photo: .kept)
        new.hasPhoto = false
        #expect(try await isNow(new, nil))
        new.hasPhoto = true
        try await store.change(id, to: new, photo: .set([5]))
        #expect(try await isNow(new, [5]))
        // The other contact is unchanged, and a deleted one is not restored.
        try await store.change(77, to: card, photo: .set([6]))
        #expect(try await store.deleteContacts([others[0]]) == [others[0]])
        try await store.change(others[0], to: card, photo: .set([6]))
        #expect(try await names() == ["Grace Hopper"])
        #expect(try await store.restoreContacts([others[0]]).map(\.card) == [ContactCard(name: "Ada")])
        await store.close()
        #expect(try await isNow(new, [5]))
        await store.close()
        #expect(try RawFile(fixture.home.messages).isSound())
    }

    @Test func deletedContactIsHiddenAndCanBeRestored() async throws {
        let new = NewContact(ContactCard(name: "b", methods: [ContactMethod(.number, "1")]), photo: [1])
        let deleted = try #require(try await store.add([new]).first)
        let ids = try await add("a", "c")
        #expect(try await store.deleteContacts([deleted.own, 77, -1, deleted.own]) == [deleted.own])
        #expect(try await names() == ["a", "c"])
        #expect(try await store.photo(of: deleted.own) == nil)
        #expect(try await store.restoreContacts([deleted.own, ids[0], 77]) == [deleted])
        #expect(try await store.restoreContacts([deleted.own]) == [])
        #expect(try await names() == ["a", "b", "c"])
        #expect(try await store.photo(of: deleted.own) == [1])
        // Each deletion is undone and purged separately.
        for id in [deleted.own, ids[0], ids[1]] { #expect(try await store.deleteContacts([id]) == [id]) }
        #expect(try await store.deleteContacts([deleted.own]) == [])
        #expect(try await store.restoreContacts([ids[0]]).map(\.card.name) == ["a"])
        try await store.purgeContacts([ids[1], ids[0]])
        #expect(try await store.restoreContacts([ids[1]]) == [])
        #expect(try await store.restoreContacts([deleted.own]) == [deleted])
        #expect(try await names() == ["a", "b"])
        #expect(try await store.photo(of: deleted.own) == [1])
    }

    @Test func purgedContactCannotBeRestored() async throws {
        let ids = try await add("a", "b")
        let deleted = try await store.deleteContacts([ids[1]])
        try await store.purgeContacts(deleted)
        try await store.purgeContacts(deleted)
        #expect(try await store.restoreContacts(deleted) == [])
        #expect(try await names() == ["a"])
        let next = try await add("c")
        #expect(!ids.contains(next[0]))
        // This also happens without a request.
        let last = try await store.deleteContacts([ids[0]])
        await store.close()
        #expect(try await store.restoreContacts(last) == [])
        #expect(try await names() == ["c"])
        await store.close()
        #expect(try RawFile(fixture.home.messages).isSound())
    }

    @Test func operationsApplyInOrder() async throws {
        let (store, home) = (store, fixture.home)
        let id = try await add("a")[0]
        // No operation waits for another. Tasks of the main actor start in order; `async let` starts on the thread
        // pool, in any order.
        let one = Task { _ = try await store.deleteContacts([id]) }
        let two = Task { _ = try await store.restoreContacts([id]) }
        let three = Task { try await store.change(id, to: ContactCard(name: "b"), photo: .kept) }
        for task in [one, two, three] { try await task.value }
        #expect(try await names() == ["b"])
        await store.close()
        #expect(try RawFile(home.messages).isSound())
    }

    @Test func memoryKeysRoundTrip() async throws {
        #expect(try await store.memoryKeys() == [:])
        let grace = MemoryKey(try #require(DialledNumber("+15558675309,,1")), name: "Grace\u{0}'\"")
        let nobody = MemoryKey(try #require(DialledNumber("*67#")))
        for digit in 1...9 { try await store.setMemoryKey(digit, nobody) }
        try await store.setMemoryKey(3, grace)
        try await store.setMemoryKey(4, nil)
        try await store.setMemoryKey(4, nil)
        let anna = MemoryKey(try #require(CallTarget(kept: "sip:anna%20b@office.example:5070")), name: "Anna")
        try await store.setMemoryKey(5, anna)
        for digit in [0, 10, -1, .max] { try await store.setMemoryKey(digit, grace) }
        await store.close()
        var expected = Dictionary(uniqueKeysWithValues: (1...9).map { ($0, nobody) })
        expected[3] = grace
        expected[4] = nil
        expected[5] = anna
        #expect(try await store.memoryKeys() == expected)
        await store.close()
        try RawFile(fixture.home.messages).run("UPDATE memory_key SET number = 'x' WHERE digit = 3")
        expected[3] = nil
        #expect(try await store.memoryKeys() == expected)
        await store.close()
        try RawFile(fixture.home.messages).run(
            "UPDATE memory_key SET number = 'sip:a%0D%0Ab@c.example' WHERE digit IN (5, 6)")
        (expected[5], expected[6]) = (nil, nil)
        #expect(try await store.memoryKeys() == expected)
    }

    @Test func damagedValuesAreReadAsFarAsPossible() async throws {
        let card = ContactCard(name: "Grace", methods: [ContactMethod(.sip, "1", label: .work)])
        _ = try await store.add([NewContact(card)])
        await store.close()
        try RawFile(fixture.home.messages).run("UPDATE contact_way SET kind = 'fax', place = 'moon'")
        #expect(try await store.contacts().first?.card.methods == [ContactMethod(.number, "1")])
    }
}

extension Contact {
    /// The id of one of the phone's own contacts.
    var own: Int64 { if case .own(let id) = id { id } else { -1 } }
}
