// SPDX-License-Identifier: GPL-3.0-or-later

import Testing
import TouchtoneCore

@testable import TouchtoneStore

/// Runs all operations of a store, and repeats those that fail.
@MainActor
struct DamagedUse {
    /// The reports of damage, in order.
    private(set) var damage: [String] = []
    private let fixture: MessageStoreFixture
    private let when: Comment
    private var told: Set<StorePart> = []
    private var store: SQLiteStore { fixture.store }

    init(_ fixture: MessageStoreFixture, _ when: Comment) { (self.fixture, self.when) = (fixture, when) }

    /// Runs all operations; the last one always stores and finds something new.
    mutating func everything() async {
        await messages()
        await history()
        await contacts()
        await new()
    }

    private mutating func attempt(_ part: StorePart, _ body: () async throws(StoreError) -> Void) async {
        for isLast in [false, true] {
            do throws(StoreError) {
                return try await body()
            } catch {
                guard case .damaged(let name) = error, !isLast else {
                    Issue.record("\(when): \(error)")
                    return
                }
                #expect(told.insert(part).inserted, "\(when): \(part) were told twice")
                damage.append(name)
            }
        }
    }

    private mutating func messages() async {
        let (fixture, store, ada) = (fixture, store, MessageStoreFixture.ada)
        await attempt(.messages) { () async throws(StoreError) in _ = try await store.summary() }
        for buddy in [MessageStoreFixture.grace, ada, ChatAddress("bob")] {
            await attempt(.messages) { () async throws(StoreError) in
                var facts: [MessageUpdate] = []
                for message in try await fixture.all(buddy) where message.state == .waiting {
                    guard let name = message.name else { continue }
                    facts += [
                        .corrected(buddy: buddy, name: name, text: "corrected", by: "c" + name),
                        .acknowledged(buddy: buddy, name: name),
                        .retried(buddy: buddy, name: name, newName: "\(name) again"),
                    ]
                }
                try await fixture.apply(facts + [.seen(buddy: buddy, upTo: .place(.max))])
                _ = try await store.firstUnread(of: buddy)
                _ = try await store.place(of: buddy, archiveName: "unknown")
                _ = try await store.lastMine(of: buddy)
            }
        }
        await attempt(.messages) { () async throws(StoreError) in _ = try await store.waiting() }
        for words in ["word", "word7", "corrected"] {
            await attempt(.messages) { () async throws(StoreError) in
                _ = try await store.search(words, of: nil, count: 1000)
            }
        }
        store.saveBuddies((10..<60).map { BuddyRecord(ChatAddress("buddy\($0)")) }, version: "2")
        store.saveDraft("", for: ada)
        store.saveDraft("new", for: MessageStoreFixture.grace)
    }

    private mutating func history() async {
        let (fixture, store) = (fixture, store)
        await attempt(.history) { () async throws(StoreError) in
            let keys = ["5550012", "911"].map(NumberKey.init(kept:))
            for isMissedOnly in [false, true] {
                for text in ["", "name 7", "5", "ж"] {
                    let query = HistoryQuery(text: text, numbers: keys, isMissedOnly: isMissedOnly)
                    let found = try await fixture.calls(query)
                    _ = try await store.entries(query, from: found.last?.id ?? 0, count: 10)
                }
            }
            _ = try await store.newMissedCalls()
            _ = try await fixture.told { $0.addInterrupted(reason: "", completion: $1) }
            for entry in try await fixture.calls().prefix(5) { _ = try await store.text(of: entry.id) }
        }
        await attempt(.history) { () async throws(StoreError) in
            try await fixture.told { $0.endInterrupted(completion: $1) }
            for recording in try await store.recordings() {
                try await fixture.told { $0.markHeard(recording.id, completion: $1) }
                try await fixture.told { $0.deleteRecording(recording.id, completion: $1) }
                try await fixture.told { $0.forgetRecording(recording.id, completion: $1) }
            }
            _ = try await store.unheardBytes()
            _ = try await store.trimRecordings(to: 0)
            try await fixture.told { $0.begin("new.opus", .message, of: talk(9), completion: $1) }
            try await fixture.told { $0.end("new.opus", .nothing, completion: $1) }
        }
        await attempt(.history) { () async throws(StoreError) in
            try await fixture.forget(
                try await fixture.delete(.entries(try await fixture.calls().prefix(70).map(\.id))))
        }
        await attempt(.history) { () async throws(StoreError) in
            try await fixture.restore(try await fixture.delete(.all))
            try await fixture.markSeen()
        }
    }

    private mutating func contacts() async {
        let store = store
        var deleted: [Int64] = []
        await attempt(.contacts) { () async throws(StoreError) in
            let ids = try await store.contacts().map(\.own)
            for id in ids.prefix(60).filter({ $0 % 5 == 1 }) { _ = try await store.photo(of: id) }
            for id in ids.prefix(60).filter({ $0 % 20 == 2 }) {
                try await store.change(id, to: ContactCard(name: "changed"), photo: .set([1]))
            }
            deleted = try await store.deleteContacts(ids.filter { $0 % 4 == 3 })
            _ = try await store.memoryKeys()
        }
        await attempt(.contacts) { () async throws(StoreError) in
            let restored = try await store.restoreContacts(deleted)
            try await store.purgeContacts(
                try await store.deleteContacts(restored.prefix(5).map(\.own)))
            try await store.setMemoryKey(5, nil)
            try await store.setMemoryKey(6, MemoryKey(DialledNumber(), name: "new"))
        }
    }

    private mutating func new() async {
        let (fixture, store, when) = (fixture, store, when)
        for round in 0..<3 {
            await attempt(.messages) { () async throws(StoreError) in
                try await fixture.apply(
                    .received(received("a new message \(round)", archiveName: "new\(round)")))
                #expect(try await fixture.texts().last == "a new message \(round)", when)
                for reference in [MessageReference.archive("new\(round)"), .stanza("unknown")] {
                    try await fixture.apply(
                        .annotated(
                            MessageAnnotation(
                                .reaction(["👍"]), of: reference, buddy: MessageStoreFixture.grace,
                                sender: .me, time: ChatTime(milliseconds: 1))))
                }
                let occupant = MessageSender.occupant(RoomOccupant(nickname: "Ada", id: "new\(round)"))
                try await fixture.apply(
                    .received(received("in a room", from: ChatAddress("room@example.org"), sender: occupant)))
            }
            await attempt(.history) { () async throws(StoreError) in
                let name = "a new call \(round)"
                try await fixture.add(missed("5559876543", name))
                #expect(try await fixture.names(HistoryQuery(text: name)) == [name], when)
            }
            await attempt(.contacts) { () async throws(StoreError) in
                let new = try await store.add([NewContact(ContactCard(name: "a new contact"), photo: [2])])
                #expect(try await store.contacts().contains(new[0]), when)
            }
        }
    }

    /// Stores data of each kind.
    static func fill(_ fixture: MessageStoreFixture) async throws(StoreError) {
        for number in 0..<200 {
            let digits = number % 9 == 0 ? "911" : "555001\(1000 + number)"
            // Some are longer than a page.
            let name = String(repeating: "name \(number) ", count: number % 50 == 7 ? 500 : number % 4)
            fixture.store.add(number % 3 == 0 ? missed(digits, name) : past(digits, name)) { _ in }
        }
        // The program ended during this call.
        try await fixture.keep([.init(.own, "a line"), .init(.farEnd, "another line")], of: talk(1))
        for number in 1...40 {
            let call = talk(100 + number)
            try await fixture.told { $0.begin("\(number).opus", .message, of: call, completion: $1) }
            try await fixture.told {
                $0.end("\(number).opus", .kept(length: .seconds(1), isHeard: number % 2 == 0), completion: $1)
            }
            if number % 3 > 0 { try await fixture.add(missed("911"), textOf: call) }
        }
        // The program ended during this recording.
        try await fixture.told { $0.begin("running.opus", .call, of: talk(1), completion: $1) }
        var new: [NewContact] = []
        for number in 0..<40 {
            let ways = (0..<(number % 4)).map { ContactMethod(.number, "555 \(number) \($0)") }
            let card = ContactCard(
                name: "contact \(number)", methods: ways,
                note: String(repeating: "note ", count: number % 10 * 100))
            let photo = number % 5 == 0 ? [UInt8](repeating: 7, count: number * 300) : nil
            new.append(NewContact(card, photo: photo))
        }
        let kept = try await fixture.store.add(new)
        try await fixture.store.change(kept[3].own, to: ContactCard(name: "changed"), photo: .removed)
        try await fixture.store.setMemoryKey(5, MemoryKey(DialledNumber()))
        // Both are purged at the next opening.
        _ = try await fixture.store.deleteContacts([kept[5].own])
        try await fixture.delete(.entries([20, 21, 150]))
    }
}
