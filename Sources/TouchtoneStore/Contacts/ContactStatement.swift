// SPDX-License-Identifier: GPL-3.0-or-later

enum ContactStatement: SQLStatement, CaseIterable {
    // Queries on stored contacts, and on deleted ones.
    case cards, methods, deletedCards, deletedMethods, photo, isKept, isDeleted, allDeleted, memoryKeys
    // Changes.
    case add, addCard, addMethod, addPhoto, setHasPhoto, delete, restore, setMemoryKey, removeMemoryKey
    // Statements that overwrite a contact's details, and the fact that it existed.
    case emptyCard, emptyMethods, emptyPhoto, forget

    var sql: String {
        switch self {
        case .cards: Self.cards(0)
        case .methods: Self.methods(0)
        case .deletedCards: Self.cards(1)
        case .deletedMethods: Self.methods(1)
        case .photo:
            """
            SELECT image FROM contact_photo INDEXED BY contact_photo_contact
            WHERE contact = (SELECT id FROM contact WHERE id = ?1 AND state = 0)
            """
        case .isKept: "SELECT count(*) FROM contact WHERE id = ?1 AND state = 0"
        case .isDeleted: "SELECT count(*) FROM contact WHERE id = ?1 AND state = 1"
        case .allDeleted: "SELECT id FROM contact INDEXED BY contact_deleted WHERE state = 1"
        case .memoryKeys: "SELECT digit, number, name FROM memory_key"

        case .add: "INSERT INTO contact (has_photo) VALUES (?1) RETURNING id"
        case .addCard:
            "INSERT INTO contact_card (contact, name, organization, note, rest) VALUES (?1, ?2, ?3, ?4, ?5)"
        case .addMethod: "INSERT INTO contact_way (contact, kind, place, text) VALUES (?1, ?2, ?3, ?4)"
        case .addPhoto: "INSERT INTO contact_photo (contact, image) VALUES (?1, ?2)"
        case .setHasPhoto: "UPDATE contact SET has_photo = ?2 WHERE id = ?1"
        case .delete: "UPDATE contact SET state = 1 WHERE id = ?1 AND state = 0 RETURNING id"
        case .restore: "UPDATE contact SET state = 0 WHERE id = ?1 AND state = 1"
        case .setMemoryKey:
            """
            INSERT INTO memory_key (digit, number, name) VALUES (?1, ?2, ?3)
            ON CONFLICT DO UPDATE SET number = excluded.number, name = excluded.name
            """
        case .removeMemoryKey: "DELETE FROM memory_key WHERE digit = ?1"

        case .emptyCard:
            """
            UPDATE contact_card INDEXED BY contact_card_contact
            SET contact = NULL, name = '', organization = '', note = '', rest = '' WHERE contact = ?1
            """
        case .emptyMethods:
            """
            UPDATE contact_way INDEXED BY contact_way_contact SET contact = NULL, kind = '', place = '', text = ''
            WHERE contact = ?1
            """
        case .emptyPhoto:
            """
            UPDATE contact_photo INDEXED BY contact_photo_contact SET contact = NULL, image = x'' WHERE contact = ?1
            """
        case .forget: "UPDATE contact SET state = 2, has_photo = 0 WHERE id = ?1 AND state = 1"
        }
    }

    private static func cards(_ state: Int) -> String {
        """
        SELECT contact.id, has_photo, name, organization, note, rest
        FROM \(contacts(state)) CROSS JOIN contact_card INDEXED BY contact_card_contact ON contact_card.contact = contact.id
        WHERE contact.state = \(state)
        """
    }

    private static func methods(_ state: Int) -> String {
        """
        SELECT contact.id, kind, place, text
        FROM \(contacts(state)) CROSS JOIN contact_way INDEXED BY contact_way_contact ON contact_way.contact = contact.id
        WHERE contact.state = \(state) ORDER BY contact.id, contact_way.id
        """
    }

    private static func contacts(_ state: Int) -> String {
        state == 0 ? "contact NOT INDEXED" : "contact INDEXED BY contact_deleted"
    }
}
