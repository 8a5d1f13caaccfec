// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// Edits to contacts that are neither saved nor discarded, the most recently left one last.
struct ContactDrafts {
    typealias ID = Int

    /// A draft, with the card that it started from.
    struct Entry {
        let id: ID
        /// The contact being edited; nil for a new one.
        let contact: Contact.ID?
        let card: ContactCard
        var draft: ContactDraft
    }

    private var entries: [Entry] = []
    private var lastID = 0

    /// Adds a draft of a contact, nil for a new one; it begins as `filledIn`, and `card` is the saved one.
    mutating func begin(_ contact: Contact.ID?, _ card: ContactCard, filledIn: ContactCard? = nil) -> ID {
        lastID += 1
        entries.append(Entry(id: lastID, contact: contact, card: card, draft: ContactDraft(filledIn ?? card)))
        return lastID
    }

    subscript(id: ID) -> Entry? { entries.first { $0.id == id } }

    /// The draft that was left most recently.
    var last: Entry? { entries.last }

    /// Returns the latest draft of a contact, or of a new contact if `contact` is nil.
    func last(of contact: Contact.ID?) -> ID? { entries.last { $0.contact == contact }?.id }

    /// Stores the content of the fields, and removes the draft if it does not differ from the saved card.
    mutating func keep(_ id: ID?, _ draft: ContactDraft) {
        guard let index = entries.firstIndex(where: { $0.id == id }) else { return }
        var entry = entries.remove(at: index)
        entry.draft = draft
        if draft.differs(from: entry.card) { entries.append(entry) }
    }

    mutating func forget(_ id: ID) { entries.removeAll { $0.id == id } }
}
