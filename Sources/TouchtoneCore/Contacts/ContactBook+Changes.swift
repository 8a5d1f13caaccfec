// SPDX-License-Identifier: GPL-3.0-or-later

// The user's changes to the contact book.

extension ContactBook {
    public func add(_ contact: NewContact) async throws(StoreError) -> Contact.ID {
        let added = try await add([contact])
        // The store returns each contact that it was given.
        return added.first?.id ?? .own(0)
    }

    /// Adds the contacts that the book does not have yet, in batches, and returns their number.
    ///
    /// - Parameter progress: Called with the number of contacts processed and their total number.
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

    private static let transaction = 250

    private func add(_ contacts: [NewContact]) async throws(StoreError) -> [Contact] {
        let added = try await tried { () throws(StoreError) in try await self.store.add(contacts) }
        take(.present(added[...]))
        await whenTakenIn()
        return added
    }

    /// Returns the contacts that are neither in the book nor among those before them.
    private func unknown(_ contacts: ArraySlice<NewContact>) async -> [NewContact] {
        var new: [NewContact] = []
        var names: [String: [ContactCard]] = [:]
        for (offset, contact) in contacts.enumerated() {
            if offset % 50 == 49 { await rest() }
            let name = contact.card.name
            let known = names[name] ?? index.own(named: name)
            guard !known.contains(where: { $0.includes(contact.card) }) else { continue }
            names[name] = known + [contact.card]
            new.append(contact)
        }
        return new
    }

    /// Changes a contact of the phone's own; does nothing for others.
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
        // The contact may have been deleted in the meantime.
        guard index[id] != nil else { return }
        take(.present([Contact(id: id, card: card)]))
        await whenTakenIn()
        if photo != .kept { notify(.photo(id)) }
    }

    /// Performs a store operation, and clears or records the store's error; other errors are left to the caller.
    private func tried<Value: Sendable>(_ body: () async throws(StoreError) -> Value)
        async throws(StoreError) -> Value
    {
        do throws(StoreError) {
            let value = try await body()
            health.recordSuccess()
            return value
        } catch {
            if case .damaged = error { record(error) }
            throw error
        }
    }

    /// Returns contacts with their pictures, for export: those with the ids, or for nil all of the phone's own.
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

    /// Assigns a number or an address to memory key 1-9, or clears the key if `key` is nil.
    public func setMemoryKey(_ digit: Int, _ key: MemoryKey?) {
        guard (1...9).contains(digit) else { return }
        inOrder { [self] () throws(StoreError) in
            try await store.setMemoryKey(digit, key)
            health.recordSuccess()
            memory[digit] = key
        }
    }
}

// MARK: - Deletion

extension ContactBook {
    /// Deletes contacts of the phone's own, unless they are being deleted.
    ///
    /// - Parameter completion: Called after the deletion, with the value that restores it, unless nothing was
    ///   deleted.
    public func delete(_ ids: [Contact.ID], completion: @escaping @MainActor (Deletion) -> Void = { _ in }) {
        let own = ids.compactMap { id in if case .own(let own) = id, index[id] != nil { own } else { nil } }
        guard !own.isEmpty else { return }
        inOrder { [self] () throws(StoreError) in
            let deleted = try await store.deleteContacts(own)
            health.recordSuccess()
            guard !deleted.isEmpty else { return }
            take(.gone(deleted.map { .own($0) }))
            completion(deletions.add(deleted.count, deleted))
        }
    }

    /// Restores deleted contacts; does nothing if the deletion was already restored or purged.
    ///
    /// - Parameter failed: Called if the contacts could not be restored; the call can be repeated.
    public func restore(_ deletion: Deletion, failed: @escaping @MainActor () -> Void = {}) {
        inOrder { [self] () throws(StoreError) in
            guard let ids = deletions.take(deletion) else { return }
            do throws(StoreError) {
                let contacts = try await store.restoreContacts(ids)
                health.recordSuccess()
                take(.present(contacts[...]))
            } catch {
                // A damaged store has lost the contacts.
                if case .damaged = error { throw error }
                deletions.put(deletion, ids)
                failed()
                throw error
            }
        }
    }

    /// Purges deleted contacts permanently.
    public func forget(_ deletion: Deletion) {
        inOrder { [self] () throws(StoreError) in
            guard let ids = deletions.take(deletion) else { return }
            try await store.purgeContacts(ids)
        }
    }
}

extension ContactCard {
    /// Whether the card has all details of another card of the same name.
    fileprivate func includes(_ other: ContactCard) -> Bool {
        name == other.name
            && (other.organization.isEmpty || organization == other.organization)
            && (other.note.isEmpty || note == other.note)
            && (hasPhoto || !other.hasPhoto)
            && other.methods.allSatisfy { method in methods.contains { $0.isSame(as: method) } }
            && other.significantRest.isSubset(of: significantRest)
    }

    /// The lines that describe the person rather than the card.
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
    /// Whether both methods are the same address; numbers may be written in different forms.
    fileprivate func isSame(as other: ContactMethod) -> Bool {
        guard kind == other.kind, label == other.label else { return false }
        guard kind == .number, let number, let otherNumber = other.number else { return text == other.text }
        return number == otherNumber
    }
}
