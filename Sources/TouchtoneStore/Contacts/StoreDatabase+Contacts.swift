// SPDX-License-Identifier: GPL-3.0-or-later

internal import TouchtoneCore

// Contacts and memory keys in the file.
extension StoreDatabase {
    func contacts() throws(StoreError) -> [Contact] { try contacts(.cards, .methods) }

    func add(_ contacts: [NewContact]) throws(StoreError) -> [Contact] {
        try contacts.map { new throws(StoreError) in
            let id = try insert(ContactStatement.add, [SQLValue(new.photo != nil)])
            try insertDetails(new.card, of: id)
            if let photo = new.photo { try run(ContactStatement.addPhoto, [.integer(id), .bytes(photo)]) }
            var card = new.card
            card.hasPhoto = new.photo != nil
            return Contact(id: .own(id), card: card)
        }
    }

    func change(_ id: Int64, to card: ContactCard, photo: PhotoChange) throws(StoreError) {
        guard try isTrue(ContactStatement.isKept, [.integer(id)]) else { return }
        try run(ContactStatement.emptyCard, [.integer(id)])
        try run(ContactStatement.emptyMethods, [.integer(id)])
        try insertDetails(card, of: id)
        guard photo != .kept else { return }
        try run(ContactStatement.emptyPhoto, [.integer(id)])
        var hasPhoto = false
        if case .set(let image) = photo {
            hasPhoto = true
            try run(ContactStatement.addPhoto, [.integer(id), .bytes(image)])
        }
        try run(ContactStatement.setHasPhoto, [.integer(id), SQLValue(hasPhoto)])
    }

    func deleteContacts(_ ids: [Int64]) throws(StoreError) -> [Int64] {
        try run(ContactStatement.delete, forEach: ids)
    }

    func restoreContacts(_ ids: [Int64]) throws(StoreError) -> [Contact] {
        let wanted = Set(ids)
        let restored = try contacts(.deletedCards, .deletedMethods).filter { contact in
            if case .own(let id) = contact.id { wanted.contains(id) } else { false }
        }
        for id in ids { try run(ContactStatement.restore, [.integer(id)]) }
        return restored
    }

    /// Returns the ids of all contacts that are deleted but not overwritten, whenever they were deleted.
    func deletedContacts() throws(StoreError) -> [Int64] { try integers(ContactStatement.allDeleted) }

    func overwriteContacts(_ ids: [Int64]) throws(StoreError) {
        for id in ids {
            for query: ContactStatement in [.emptyCard, .emptyMethods, .emptyPhoto, .forget] {
                try run(query, [.integer(id)])
            }
        }
    }

    func photo(of id: Int64) throws(StoreError) -> [UInt8]? {
        try rows(ContactStatement.photo, [.integer(id)]) { $0.bytes(0) }.first
    }

    func memoryKeys() throws(StoreError) -> [Int: MemoryKey] {
        var keys: [Int: MemoryKey] = [:]
        let kept = try rows(ContactStatement.memoryKeys, []) { row in
            (Int(row.integer(0)), CallTarget(kept: row.text(1)).map { MemoryKey($0, name: row.text(2)) })
        }
        for case (let digit, let key?) in kept { keys[digit] = key }
        return keys
    }

    func setMemoryKey(_ digit: Int, _ key: MemoryKey?) throws(StoreError) {
        guard (1...9).contains(digit) else { return }
        if let key {
            try run(
                ContactStatement.setMemoryKey, [SQLValue(digit), .text(key.target.kept), .text(key.name)])
        } else {
            try run(ContactStatement.removeMemoryKey, [SQLValue(digit)])
        }
    }

    /// Inserts the details of a contact, except for its picture.
    private func insertDetails(_ card: ContactCard, of id: Int64) throws(StoreError) {
        try run(
            ContactStatement.addCard,
            [.integer(id), .text(card.name), .text(card.organization), .text(card.note), .text(card.rest)])
        for method in card.methods {
            try run(
                ContactStatement.addMethod,
                [.integer(id), .text(method.kind.rawValue), .text(method.label.rawValue), .text(method.text)])
        }
    }

    private func contacts(_ cards: ContactStatement, _ methods: ContactStatement) throws(StoreError)
        -> [Contact]
    {
        // Both queries are ordered by contact id, and the methods also by their order within the contact.
        let all = try rows(methods, []) { row in (contact: row.integer(0), method: ContactMethod(row: row)) }
        var rest = all[...]
        return try rows(cards, []) { row in
            let id = row.integer(0)
            rest = rest.drop { $0.contact < id }
            let own = rest.prefix { $0.contact == id }
            rest = rest[own.endIndex...]
            return Contact(
                id: .own(id),
                card: ContactCard(
                    name: row.text(2), organization: row.text(3), methods: own.map(\.method),
                    note: row.text(4),
                    hasPhoto: row.bool(1), rest: row.text(5)))
        }
    }
}

extension ContactMethod {
    /// Creates a contact method from the columns after the contact's id.
    ///
    /// An unknown kind or label gets a default value, so that one flipped bit does not lose the method.
    fileprivate init(row: Statement.Row) {
        self.init(
            Kind(rawValue: row.text(1)) ?? .number, row.text(3), label: Label(rawValue: row.text(2)) ?? .other
        )
    }
}
