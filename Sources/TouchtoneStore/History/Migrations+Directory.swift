// SPDX-License-Identifier: GPL-3.0-or-later

extension Migrations {
    /// The script that adds the call history, contacts and memory keys.
    ///
    /// Purged data must not remain in the file, and SQLite overwrites deleted content (`secure_delete`). However, when
    /// it moves rows between pages, it leaves copies in the unused part of a page. Private data is therefore in tables
    /// whose rows are only appended, only get shorter afterwards, and are deleted only all at once: such rows are never
    /// moved. The exception is `call_number`, which is rebuilt after each purge.
    static let directory = """
        -- `state` is 0 for a stored call, 1 for a deleted one that can be restored, and 2 for a purged one, whose other
        -- columns are empty. `ending`, `ending_name` and `ending_reason` are as in `StoredEndReason`.
        CREATE TABLE call (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            state INTEGER NOT NULL DEFAULT 0,
            is_missed INTEGER NOT NULL,
            is_new INTEGER NOT NULL,
            is_incoming INTEGER NOT NULL,
            began INTEGER NOT NULL,
            seconds INTEGER,
            line TEXT NOT NULL,
            ending INTEGER NOT NULL,
            ending_name TEXT,
            ending_reason TEXT,
            number TEXT NOT NULL,
            number_key TEXT,
            name TEXT NOT NULL,
            address TEXT NOT NULL,
            search TEXT NOT NULL
        ) STRICT;
        CREATE INDEX call_kept ON call (id) WHERE state = 0;
        CREATE INDEX call_missed ON call (id) WHERE state = 0 AND is_missed = 1;
        CREATE INDEX call_new ON call (state, is_new) WHERE is_new = 1;
        CREATE INDEX call_deleted ON call (id) WHERE state = 1;
        CREATE INDEX call_number ON call (number_key, id, state, is_missed)
            WHERE state = 0 AND number_key IS NOT NULL;

        -- The searchable text of 64 consecutive calls, starting with call 64 × `id`, and of the missed calls among
        -- them. Substrings are found faster in a few long texts than in many short ones, and no full-text index is
        -- needed.
        CREATE TABLE call_text (
            id INTEGER PRIMARY KEY,
            text TEXT NOT NULL
        ) STRICT;
        CREATE TABLE missed_text (
            id INTEGER PRIMARY KEY,
            text TEXT NOT NULL
        ) STRICT;

        -- The details of a contact are in rows of their own. When they change, the old rows are emptied and detached.
        CREATE TABLE contact (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            state INTEGER NOT NULL DEFAULT 0,
            has_photo INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX contact_deleted ON contact (id) WHERE state = 1;
        CREATE TABLE contact_card (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            contact INTEGER REFERENCES contact (id),
            name TEXT NOT NULL,
            organization TEXT NOT NULL,
            note TEXT NOT NULL,
            rest TEXT NOT NULL
        ) STRICT;
        CREATE UNIQUE INDEX contact_card_contact ON contact_card (contact) WHERE contact IS NOT NULL;
        CREATE TABLE contact_way (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            contact INTEGER REFERENCES contact (id),
            kind TEXT NOT NULL,
            place TEXT NOT NULL,
            text TEXT NOT NULL
        ) STRICT;
        CREATE INDEX contact_way_contact ON contact_way (contact, id) WHERE contact IS NOT NULL;
        CREATE TABLE contact_photo (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            contact INTEGER REFERENCES contact (id),
            image BLOB NOT NULL
        ) STRICT;
        CREATE UNIQUE INDEX contact_photo_contact ON contact_photo (contact) WHERE contact IS NOT NULL;

        CREATE TABLE memory_key (
            digit INTEGER PRIMARY KEY,
            number TEXT NOT NULL,
            name TEXT NOT NULL
        ) STRICT;
        """
}
