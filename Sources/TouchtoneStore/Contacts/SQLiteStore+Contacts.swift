// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

extension SQLiteStore: ContactStore {
    /// All contacts, without their pictures.
    public func contacts() async throws(StoreError) -> [Contact] {
        try await ask(.contacts) { database throws(StoreError) in try database.contacts() }
    }

    /// Keeps new contacts, all of them or none.
    public func add(_ contacts: [NewContact]) async throws(StoreError) -> [Contact] {
        try await make(.contacts) { database throws(StoreError) in try database.add(contacts) }
    }

    /// Keeps a contact in place of what was known of it, unless it is gone.
    public func change(_ id: Int64, to card: ContactCard, photo: PhotoChange) async throws(StoreError) {
        try await make(.contacts) { database throws(StoreError) in
            try database.change(id, to: card, photo: photo)
        }
    }

    /// Takes contacts away, and says which of them were there.
    public func deleteContacts(_ ids: [Int64]) async throws(StoreError) -> [Int64] {
        try await make(.contacts) { database throws(StoreError) in try database.deleteContacts(ids) }
    }

    /// Brings back those of these contacts that were deleted and not forgotten, and gives them.
    public func restoreContacts(_ ids: [Int64]) async throws(StoreError) -> [Contact] {
        try await make(.contacts) { database throws(StoreError) in try database.restoreContacts(ids) }
    }

    /// Overwrites those of these contacts that were deleted, in the file and in its log.
    ///
    /// Where that fails for the log, they can't be brought back any more all the same; to ask again tries the log again.
    public func purgeContacts(_ ids: [Int64]) async throws(StoreError) {
        try await make(.contacts, isForgetting: true) { database throws(StoreError) in
            try database.purgeContacts(ids)
        }
    }

    /// The picture of a contact.
    public func photo(of id: Int64) async throws(StoreError) -> [UInt8]? {
        try await ask(.contacts) { database throws(StoreError) in try database.photo(of: id) }
    }

    /// What the memory keys hold.
    public func memoryKeys() async throws(StoreError) -> [Int: MemoryKey] {
        try await ask(.contacts) { database throws(StoreError) in try database.memoryKeys() }
    }

    /// Has a memory key hold that, or nothing; there are no others than 1 to 9.
    public func setMemoryKey(_ digit: Int, _ key: MemoryKey?) async throws(StoreError) {
        try await make(.contacts) { database throws(StoreError) in try database.setMemoryKey(digit, key) }
    }
}
