// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

/// A store of contacts that lives as long as the test; what it brings is told later, in order, as a disk's is.
@MainActor
public final class MemoryContactStore: ContactStore {
    /// What is kept.
    public private(set) var kept: [Int64: NewContact] = [:]
    /// What was deleted and not forgotten yet.
    public private(set) var deleted: [Int64: NewContact] = [:]
    /// What the memory keys hold.
    public private(set) var memory: [Int: MemoryKey] = [:]
    /// Why nothing can be kept or read now; nil for nothing in the way.
    ///
    /// Damage is told once, and all is lost by it.
    public var trouble: StoreError?
    /// Whether nothing is told for now, as with a slow disk; what was asked for comes when that ends.
    public var isHeld: Bool {
        get { work.isHeld }
        set { work.isHeld = newValue }
    }
    /// How many contacts each transaction added, and how often what was deleted was forgotten.
    public private(set) var (additions, forgotten): ([Int], Int) = ([], 0)

    private let work = MemoryWork()
    private var lastID: Int64 = 0

    /// Creates one that keeps nothing yet.
    public init() {}

    /// Puts contacts and memory keys there at the beginning, as if from a run before; the first has the id 1.
    public func fill(_ contacts: [NewContact], memory: [Int: MemoryKey] = [:]) {
        for contact in contacts { put(contact) }
        self.memory = memory
    }

    /// Returns when all that was asked for so far was told, and what was asked for because of it.
    public func idle() async { await work.idle() }

    @discardableResult
    private func put(_ contact: NewContact) -> Contact {
        lastID += 1
        kept[lastID] = contact
        return Contact(id: .own(lastID), card: contact.card)
    }

    private func takeTrouble() -> StoreError? {
        guard case .damaged = trouble else { return trouble }
        defer { trouble = nil }
        (kept, deleted, memory) = ([:], [:], [:])
        return trouble
    }

    private func tried<Value: Sendable>(_ body: @escaping @MainActor (MemoryContactStore) -> Value)
        async throws(StoreError) -> Value
    {
        try await work.answer { [self] in
            if let trouble = takeTrouble() { return .failure(trouble) }
            return .success(body(self))
        }
    }
}

extension MemoryContactStore {
    /// All contacts, without their pictures, in no order.
    public func contacts() async throws(StoreError) -> [Contact] {
        try await tried { store in store.kept.map { Contact(id: .own($0.key), card: $0.value.card) } }
    }

    /// Keeps new contacts, and gives them as they are kept, in the same order.
    public func add(_ contacts: [NewContact]) async throws(StoreError) -> [Contact] {
        try await tried { store in
            store.additions.append(contacts.count)
            return contacts.map { store.put($0) }
        }
    }

    /// Keeps a contact in place of what was known of it; nothing happens where it is gone.
    public func change(_ id: Int64, to card: ContactCard, photo: PhotoChange) async throws(StoreError) {
        try await tried { store in
            guard let old = store.kept[id] else { return }
            store.kept[id] =
                switch photo {
                case .kept: NewContact(card, photo: old.photo)
                case .removed: NewContact(card)
                case .set(let photo): NewContact(card, photo: photo)
                }
        }
    }

    /// Takes contacts away, and gives the ids of those that were there.
    public func deleteContacts(_ ids: [Int64]) async throws(StoreError) -> [Int64] {
        try await tried { store in
            ids.filter { id in
                guard let contact = store.kept.removeValue(forKey: id) else { return false }
                store.deleted[id] = contact
                return true
            }
        }
    }

    /// Brings back those of these contacts that were deleted and not forgotten yet, and gives them.
    public func restoreContacts(_ ids: [Int64]) async throws(StoreError) -> [Contact] {
        try await tried { store in
            Set(ids).compactMap { id in
                guard let contact = store.deleted.removeValue(forKey: id) else { return nil }
                store.kept[id] = contact
                return Contact(id: .own(id), card: contact.card)
            }
        }
    }

    /// Nothing is left of those of these contacts that were deleted.
    public func purgeContacts(_ ids: [Int64]) async throws(StoreError) {
        try await tried { store in
            store.forgotten += 1
            for id in ids { store.deleted[id] = nil }
        }
    }

    /// The picture of a contact, as it was given; nil where there is none.
    public func photo(of id: Int64) async throws(StoreError) -> [UInt8]? {
        try await tried { $0.kept[id]?.photo }
    }

    /// What the memory keys hold, by their digit, 1 to 9.
    public func memoryKeys() async throws(StoreError) -> [Int: MemoryKey] { try await tried { $0.memory } }

    /// Has a memory key, 1 to 9, hold that, or nothing.
    public func setMemoryKey(_ digit: Int, _ key: MemoryKey?) async throws(StoreError) {
        try await tried { $0.memory[digit] = key }
    }
}
