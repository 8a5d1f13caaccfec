// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// What was typed of contacts, and neither kept nor discarded yet.
struct ContactDrafts {
    /// Which draft it is.
    typealias ID = Int

    /// A draft.
    struct Entry {
        let id: ID
        /// Of whom it is; nil for a new contact.
        let contact: Contact.ID?
        /// What is kept of the contact.
        let card: ContactCard
        var draft: ContactDraft
    }

    private var entries: [Entry] = []
    private var lastID = 0

    /// Begins a draft that says what a card does, or more, which is filled in already.
    mutating func begin(_ contact: Contact.ID?, _ card: ContactCard, filledIn: ContactCard? = nil) -> ID {
        lastID += 1
        entries.append(Entry(id: lastID, contact: contact, card: card, draft: ContactDraft(filledIn ?? card)))
        return lastID
    }

    /// A draft, if it is still there.
    subscript(id: ID) -> Entry? { entries.first { $0.id == id } }

    /// The draft that was left last.
    var last: Entry? { entries.last }

    /// The last draft of a contact; nil is a new one.
    func last(of contact: Contact.ID?) -> ID? { entries.last { $0.contact == contact }?.id }

    /// Keeps what was typed; what is no different from the card is no draft.
    mutating func keep(_ id: ID?, _ draft: ContactDraft) {
        guard let index = entries.firstIndex(where: { $0.id == id }) else { return }
        var entry = entries.remove(at: index)
        entry.draft = draft
        if draft.differs(from: entry.card) { entries.append(entry) }
    }

    /// Forgets a draft.
    mutating func forget(_ id: ID) { entries.removeAll { $0.id == id } }
}
