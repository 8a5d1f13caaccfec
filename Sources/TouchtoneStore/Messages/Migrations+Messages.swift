// SPDX-License-Identifier: GPL-3.0-or-later

extension Migrations {
    /// Those of the store's file.
    ///
    /// “TtMs” is in no list of SQLite's of whose files are whose.
    static let messages = Migrations(steps: [first, directory, answers, senders], applicationID: 0x5474_4D73)

    /// Messages.
    ///
    /// Each query that depends on how many messages there are has an index, by which it is named in `MessageStatement`.
    private static let first = """
        CREATE TABLE conversation (
            id INTEGER PRIMARY KEY,
            buddy TEXT NOT NULL UNIQUE,
            unread INTEGER NOT NULL DEFAULT 0
        ) STRICT;

        -- What is long comes last: to skip it is not to read it.
        CREATE TABLE message (
            id INTEGER PRIMARY KEY,
            conversation INTEGER NOT NULL REFERENCES conversation (id),
            place INTEGER NOT NULL,
            time INTEGER NOT NULL,
            is_mine INTEGER NOT NULL,
            state INTEGER NOT NULL,
            is_unread INTEGER NOT NULL,
            is_corrected INTEGER NOT NULL,
            wants INTEGER NOT NULL,
            name TEXT,
            archive_name TEXT,
            reason TEXT,
            text TEXT NOT NULL
        ) STRICT;
        CREATE UNIQUE INDEX message_place ON message (conversation, place);
        CREATE UNIQUE INDEX message_archive_name ON message (conversation, archive_name)
            WHERE archive_name IS NOT NULL;
        CREATE INDEX message_archived ON message (conversation, place) WHERE archive_name IS NOT NULL;
        CREATE INDEX message_name ON message (conversation, is_mine, name, place) WHERE name IS NOT NULL;
        CREATE INDEX message_mine ON message (conversation, place) WHERE is_mine = 1;
        CREATE INDEX message_waiting ON message (conversation, place) WHERE state = 1;
        CREATE INDEX message_unread_by_buddy ON message (conversation, place) WHERE state IN (1, 2, 3);
        CREATE INDEX message_unread_by_me ON message (conversation, place) WHERE is_unread = 1;

        -- Counted as it changes: to count 100,000 messages at each that comes would take longer than all the rest.
        CREATE TRIGGER message_insert AFTER INSERT ON message WHEN new.is_unread = 1 BEGIN
            UPDATE conversation SET unread = unread + 1 WHERE id = new.conversation;
        END;
        CREATE TRIGGER message_update AFTER UPDATE OF is_unread ON message WHEN old.is_unread <> new.is_unread BEGIN
            UPDATE conversation SET unread = unread + new.is_unread - old.is_unread WHERE id = new.conversation;
        END;
        CREATE TRIGGER message_delete AFTER DELETE ON message WHEN old.is_unread = 1 BEGIN
            UPDATE conversation SET unread = unread - 1 WHERE id = old.conversation;
        END;

        CREATE TABLE correction (
            conversation INTEGER NOT NULL REFERENCES conversation (id),
            is_mine INTEGER NOT NULL,
            name TEXT NOT NULL,
            PRIMARY KEY (conversation, is_mine, name)
        ) STRICT, WITHOUT ROWID;

        -- What words are where. It follows the texts by hand: triggers of a schema that is not trusted may not write it.
        CREATE VIRTUAL TABLE message_text USING fts5 (
            text, content = 'message', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2'
        );

        CREATE TABLE buddy (
            id INTEGER PRIMARY KEY,
            address TEXT NOT NULL UNIQUE,
            name TEXT NOT NULL,
            tells_me INTEGER NOT NULL,
            told_by_me INTEGER NOT NULL,
            is_asked INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE draft (
            buddy TEXT PRIMARY KEY,
            text TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;

        -- Up to where something is known: the archive, the list of buddies.
        CREATE TABLE mark (
            kind TEXT PRIMARY KEY,
            value TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    /// Which corrections wait for the server, and which requests were declined.
    ///
    /// A message that waits although the archive names it was tried again under its old name: it gets a new one, as each
    /// that is tried again does since, and the old one is noted.
    private static let answers = """
        ALTER TABLE message ADD COLUMN correction TEXT;
        CREATE INDEX message_correction ON message (conversation, place) WHERE correction IS NOT NULL;
        ALTER TABLE buddy ADD COLUMN is_declined INTEGER NOT NULL DEFAULT 0;

        INSERT OR IGNORE INTO correction (conversation, is_mine, name)
            SELECT conversation, 1, 'tried again: ' || name FROM message
            WHERE state = 1 AND archive_name IS NOT NULL AND name IS NOT NULL;
        UPDATE message SET name = lower(hex(randomblob(16))), archive_name = NULL
            WHERE state = 1 AND archive_name IS NOT NULL;
        """

    /// Senders in place of sides.
    ///
    /// The numbers of the two sides stay: 0 is the buddy, 1 is me. The occupants of rooms have the numbers after that. The
    /// nickname is kept with each message, since an occupant with an identifier may change it.
    private static let senders = """
        ALTER TABLE message RENAME COLUMN is_mine TO sender;
        ALTER TABLE message ADD COLUMN nickname TEXT;
        ALTER TABLE message ADD COLUMN sender_address TEXT;
        ALTER TABLE correction RENAME COLUMN is_mine TO sender;

        -- An occupant is known by the identifier that its room gives it or, where there is none, by its nickname.
        CREATE TABLE occupant (
            id INTEGER PRIMARY KEY CHECK (id > 1),
            conversation INTEGER NOT NULL REFERENCES conversation (id),
            has_id INTEGER NOT NULL,
            identity TEXT NOT NULL,
            UNIQUE (conversation, has_id, identity)
        ) STRICT;
        """
}
