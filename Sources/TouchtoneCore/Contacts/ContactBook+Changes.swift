// SPDX-License-Identifier: GPL-3.0-or-later

// What people change in the book of contacts.

extension ContactBook {
    /// Keeps a new contact.
    public func add(_ contact: NewContact) async throws(StoreError) -> Contact.ID {
        let added = try await add([contact])
        // The store gives what it was given.
        return added.first?.id ?? .own(0)
    }

    /// Keeps many new contacts, in pieces, as from a file.
    ///
    /// - Parameter progress: called with how many are kept, of how many.
    /// - Returns: how many were added; those that are there already, with all that the new one tells, are not.
    public func add(_ contacts: [NewContact], progress: @escaping @MainActor (Int, Int) -> Void)
        async throws(StoreError) -> Int
    {
        await whenTakenIn()
        var (done, added) = (0, 0)
        while done < contacts.count {
            let piece = contacts[done...].prefix(Self.transaction)
            let new = await unknown(piece)
            if !new.isEmpty { added += try await add(new).count }
            done += piece.count
            progress(done, contacts.count)
        }
        return added
    }

    /// So many contacts are kept in one transaction.
    private static let transaction = 250

    private func add(_ contacts: [NewContact]) async throws(StoreError) -> [Contact] {
        let added = try await tried { () throws(StoreError) in try await self.store.add(contacts) }
        take(.present(added[...]))
        await whenTakenIn()
        return added
    }

    /// Those that are not there already, nor among those before them.
    private func unknown(_ contacts: ArraySlice<NewContact>) async -> [NewContact] {
        var new: [NewContact] = []
        var names: [String: [ContactCard]] = [:]
        for (label, contact) in contacts.enumerated() {
            if label % 50 == 49 { await rest() }
            let name = contact.card.name
            let known = names[name] ?? index.own(named: name)
            guard !known.contains(where: { $0.tellsAll(of: contact.card) }) else { continue }
            names[name] = known + [contact.card]
            new.append(contact)
        }
        return new
    }

    /// Keeps a contact of the phone's own in place of what was known of it.
    public func change(_ id: Contact.ID, to card: ContactCard, photo: PhotoChange) async throws(StoreError) {
        guard case .own(let number) = id, let before = index[id] else { return }
        var card = card
        switch photo {
        case .kept: card.hasPhoto = before.card.hasPhoto
        case .removed: card.hasPhoto = false
        case .set: card.hasPhoto = true
        }
        let new = card
        try await tried { () throws(StoreError) in
            try await self.store.change(number, to: new, photo: photo)
        }
        // It may be gone meanwhile.
        guard index[id] != nil else { return }
        take(.present([Contact(id: id, card: card)]))
        await whenTakenIn()
        if photo != .kept { notify(.photo(id)) }
    }

    /// Does something with the store, and takes note of whether it went well; whoever asked for it tells of the error.
    private func tried<Value: Sendable>(_ body: () async throws(StoreError) -> Value)
        async throws(StoreError) -> Value
    {
        do throws(StoreError) {
            let value = try await body()
            kept()
            return value
        } catch {
            if case .damaged = error { record(error) }
            throw error
        }
    }

    /// Contacts with their pictures, to be written to a file: the phone's own, or only these.
    public func exported(_ ids: [Contact.ID]?) async throws(StoreError) -> [NewContact] {
        await whenTakenIn()
        let ids = ids ?? index.order.filter(\.contact.isOwn).map(\.contact.id)
        var contacts: [NewContact] = []
        for id in ids {
            guard let contact = index[id] else { continue }
            var photo: [UInt8]?
            if contact.card.hasPhoto {
                switch id {
                case .own(let number): photo = try await store.photo(of: number)
                case .desktop: photo = await books?.photo(of: id)
                }
            }
            contacts.append(NewContact(contact.card, photo: photo))
            if contacts.count % 500 == 0 { await rest() }
        }
        return contacts
    }

    /// Has a memory key, 1 to 9, hold that, or nothing.
    public func setMemoryKey(_ digit: Int, _ key: MemoryKey?) {
        guard (1...9).contains(digit) else { return }
        inOrder { [self] () throws(StoreError) in
            try await store.setMemoryKey(digit, key)
            kept()
            memory[digit] = key
        }
    }
}

// MARK: - Deletion

extension ContactBook {
    /// Deletes contacts of the phone's own.
    ///
    /// A contact that is being deleted, or is deleted already, is left alone.
    ///
    /// - Parameter then: called once they are deleted, with what undoes that; not called where none was there, or where
    ///   they could not be deleted, which `storeError` tells.
    public func delete(_ ids: [Contact.ID], completion: @escaping @MainActor (Deletion) -> Void = { _ in }) {
        let own = ids.compactMap { id in if case .own(let own) = id, index[id] != nil { own } else { nil } }
        guard !own.isEmpty else { return }
        inOrder { [self] () throws(StoreError) in
            let deleted = try await store.deleteContacts(own)
            kept()
            guard !deleted.isEmpty else { return }
            take(.gone(deleted.map { .own($0) }))
            completion(deletions.add(deleted.count, deleted))
        }
    }

    /// Brings back what a deletion took away; nothing happens where it has been undone or forgotten.
    ///
    /// - Parameter failed: called where it could not be brought back, which `storeError` tells; it can be tried again.
    public func restore(_ deletion: Deletion, failed: @escaping @MainActor () -> Void = {}) {
        inOrder { [self] () throws(StoreError) in
            guard let ids = deletions.take(deletion) else { return }
            do throws(StoreError) {
                let contacts = try await store.restoreContacts(ids)
                kept()
                take(.present(contacts[...]))
            } catch {
                // Damage has taken all.
                if case .damaged = error { throw error }
                deletions.put(deletion, ids)
                failed()
                throw error
            }
        }
    }

    /// Forgets for good what a deletion took away.
    public func forget(_ deletion: Deletion) {
        inOrder { [self] () throws(StoreError) in
            guard let ids = deletions.take(deletion) else { return }
            try await store.purgeContacts(ids)
        }
    }
}

extension ContactCard {
    /// Whether it tells all that another one of the same name does.
    fileprivate func tellsAll(of other: ContactCard) -> Bool {
        name == other.name
            && (other.organization.isEmpty || organization == other.organization)
            && (other.note.isEmpty || note == other.note)
            && (hasPhoto || !other.hasPhoto)
            && other.methods.allSatisfy { method in methods.contains { $0.isSame(as: method) } }
            && other.significantRest.isSubset(of: significantRest)
    }

    /// The lines that tell something of the person, rather than of the card.
    private var significantRest: Set<Substring> {
        let lines = rest.split(whereSeparator: \.isNewline)
        return Set(
            lines.filter { line in
                let name = line.prefix { $0 != ":" && $0 != ";" }.uppercased()
                return !["UID", "REV", "PRODID", "VERSION"].contains(name)
            })
    }
}

extension ContactMethod {
    /// Whether it reaches the same; a number may be written in another way.
    fileprivate func isSame(as other: ContactMethod) -> Bool {
        guard kind == other.kind, label == other.label else { return false }
        guard kind == .number, let number, let otherNumber = other.number else { return text == other.text }
        return number == otherNumber
    }
}
