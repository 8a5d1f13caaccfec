// SPDX-License-Identifier: GPL-3.0-or-later

extension Migrations {
    /// The history of calls, contacts and memory keys.
    ///
    /// What is forgotten has to be gone from the file, and SQLite overwrites what is deleted (`secure_delete`). But where
    /// it moves rows from one page to another it leaves copies in the unused part of the page. So what is private is in
    /// tables whose rows are added at the end, only get shorter after that, and are not deleted unless all of them are:
    /// such rows are never moved. `call_number` is the exception, and is made anew when something is forgotten.
    static let directory = """
        -- `state` is 0 of what is kept, 1 of what is deleted and can be brought back, 2 of what is forgotten, with
        -- nothing left in it. `ending` and what belongs to it are as `KeptEnd` says.
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

        -- What is to be searched of 64 calls in a row, those from 64 times `id` on, and of the missed ones among them: a
        -- part of a name is sooner found in a few long texts than in many short ones, and needs no index of words then.
        CREATE TABLE call_text (
            id INTEGER PRIMARY KEY,
            text TEXT NOT NULL
        ) STRICT;
        CREATE TABLE missed_text (
            id INTEGER PRIMARY KEY,
            text TEXT NOT NULL
        ) STRICT;

        -- What is told of a contact is in rows that are emptied, and belong to none, once it is told otherwise.
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
