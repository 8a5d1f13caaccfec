// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

/// A contact store in memory that reports its results later and in order, like a store on disk.
@MainActor
public final class MemoryContactStore: ContactStore {
    /// The stored contacts.
    public private(set) var kept: [Int64: NewContact] = [:]
    /// The contacts that were deleted and not yet purged.
    public private(set) var deleted: [Int64: NewContact] = [:]
    /// The contents of the memory keys.
    public private(set) var memory: [Int: MemoryKey] = [:]
    /// The error that operations fail with, or nil.
    ///
    /// Damage is reported once, and loses all data.
    public var trouble: StoreError?
    /// Whether results are held back, as by a slow disk; they are delivered when this ends.
    public var isHeld: Bool {
        get { work.isHeld }
        set { work.isHeld = newValue }
    }
    /// The number of contacts that each transaction added, and the number of purges.
    public private(set) var (additions, forgotten): ([Int], Int) = ([], 0)

    /// The health of the store.
    public let health = StoreHealth()
    private let work = MemoryWork()
    private var lastID: Int64 = 0

    /// Creates an empty store.
    public init() {}

    /// Adds contacts and memory keys as if from an earlier run; the first contact has the id 1.
    public func fill(_ contacts: [NewContact], memory: [Int: MemoryKey] = [:]) {
        for contact in contacts { put(contact) }
        self.memory = memory
    }

    /// Returns when all requests so far, and those that followed from them, are answered.
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
    /// Returns all contacts, without their pictures, in no particular order.
    public func contacts() async throws(StoreError) -> [Contact] {
        try await tried { store in store.kept.map { Contact(id: .own($0.key), card: $0.value.card) } }
    }

    /// Stores new contacts, and returns them as stored, in the same order.
    public func add(_ contacts: [NewContact]) async throws(StoreError) -> [Contact] {
        try await tried { store in
            store.additions.append(contacts.count)
            return contacts.map { store.put($0) }
        }
    }

    /// Replaces a stored contact; does nothing if it no longer exists.
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

    /// Deletes contacts, and returns the ids of those that existed.
    public func deleteContacts(_ ids: [Int64]) async throws(StoreError) -> [Int64] {
        try await tried { store in
            ids.filter { id in
                guard let contact = store.kept.removeValue(forKey: id) else { return false }
                store.deleted[id] = contact
                return true
            }
        }
    }

    /// Restores those of the contacts that were deleted and not yet purged, and returns them.
    public func restoreContacts(_ ids: [Int64]) async throws(StoreError) -> [Contact] {
        try await tried { store in
            Set(ids).compactMap { id in
                guard let contact = store.deleted.removeValue(forKey: id) else { return nil }
                store.kept[id] = contact
                return Contact(id: .own(id), card: contact.card)
            }
        }
    }

    /// Purges those of the contacts that were deleted.
    public func purgeContacts(_ ids: [Int64]) async throws(StoreError) {
        try await tried { store in
            store.forgotten += 1
            for id in ids { store.deleted[id] = nil }
        }
    }

    /// Returns the picture of a contact as it was stored, or nil if there is none.
    public func photo(of id: Int64) async throws(StoreError) -> [UInt8]? {
        try await tried { $0.kept[id]?.photo }
    }

    /// Returns the contents of the memory keys by their digit, 1 to 9.
    public func memoryKeys() async throws(StoreError) -> [Int: MemoryKey] { try await tried { $0.memory } }

    /// Assigns a number to memory key 1 to 9, or clears the key if the value is nil.
    public func setMemoryKey(_ digit: Int, _ key: MemoryKey?) async throws(StoreError) {
        try await tried { $0.memory[digit] = key }
    }
}
