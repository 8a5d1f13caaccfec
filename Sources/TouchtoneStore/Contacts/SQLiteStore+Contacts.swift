// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

extension SQLiteStore: ContactStore {
    public func contacts() async throws(StoreError) -> [Contact] {
        try await ask(.contacts) { database throws(StoreError) in try database.contacts() }
    }

    public func add(_ contacts: [NewContact]) async throws(StoreError) -> [Contact] {
        try await make(.contacts) { database throws(StoreError) in try database.add(contacts) }
    }

    public func change(_ id: Int64, to card: ContactCard, photo: PhotoChange) async throws(StoreError) {
        try await make(.contacts) { database throws(StoreError) in
            try database.change(id, to: card, photo: photo)
        }
    }

    public func deleteContacts(_ ids: [Int64]) async throws(StoreError) -> [Int64] {
        try await make(.contacts) { database throws(StoreError) in try database.deleteContacts(ids) }
    }

    public func restoreContacts(_ ids: [Int64]) async throws(StoreError) -> [Contact] {
        try await make(.contacts) { database throws(StoreError) in try database.restoreContacts(ids) }
    }

    /// Overwrites the contacts in the file and in its log; if the log fails, calling this again retries it.
    public func purgeContacts(_ ids: [Int64]) async throws(StoreError) {
        try await make(.contacts, isForgetting: true) { database throws(StoreError) in
            try database.purgeContacts(ids)
        }
    }

    public func photo(of id: Int64) async throws(StoreError) -> [UInt8]? {
        try await ask(.contacts) { database throws(StoreError) in try database.photo(of: id) }
    }

    public func memoryKeys() async throws(StoreError) -> [Int: MemoryKey] {
        try await ask(.contacts) { database throws(StoreError) in try database.memoryKeys() }
    }

    /// Assigns a number or an address to memory key 1–9, or clears it if `key` is nil; any other digit is ignored.
    public func setMemoryKey(_ digit: Int, _ key: MemoryKey?) async throws(StoreError) {
        try await make(.contacts) { database throws(StoreError) in try database.setMemoryKey(digit, key) }
    }
}
