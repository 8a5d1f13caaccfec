// SPDX-License-Identifier: GPL-3.0-or-later

extension Migrations {
    /// The migrations of the store's file.
    ///
    /// The application id, “TtMs”, is not in SQLite's list of assigned ids.
    static let messages = Migrations(
        steps: [
            first, directory, answers, senders, files, annotations, parts, outgoing, originals, settings,
            hidden, keys, callText, recordings, archivedCorrections,
        ],
        applicationID: 0x5474_4D73)

    /// The script that creates the message tables.
    ///
    /// Each query whose cost depends on the number of messages has an index, which `MessageStatement` names.
    private static let first = """
        CREATE TABLE conversation (
            id INTEGER PRIMARY KEY,
            buddy TEXT NOT NULL UNIQUE,
            unread INTEGER NOT NULL DEFAULT 0
        ) STRICT;

        -- Long columns come last, so that skipping them does not read them.
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

        -- The count is updated with each change: counting 100,000 messages for each new one would take most of the
        -- time.
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

        -- The full-text index. It is updated by statements, since triggers of an untrusted schema cannot write to it.
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

        -- How far something is known: the archive cursor, and the version of the roster.
        CREATE TABLE mark (
            kind TEXT PRIMARY KEY,
            value TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    /// The script that adds unsent corrections and declined requests.
    ///
    /// A waiting message that the archive already names was resent under its old name. It gets a new name, as every
    /// resent message does now, and the old name is recorded as a correction.
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

    /// The script that replaces the two sides of a conversation by senders.
    ///
    /// The numbers of the two sides remain: 0 is the buddy, 1 is the user. The occupants of rooms have higher numbers.
    /// The nickname is stored with each message, since an occupant with an identifier may change it.
    private static let senders = """
        ALTER TABLE message RENAME COLUMN is_mine TO sender;
        ALTER TABLE message ADD COLUMN nickname TEXT;
        ALTER TABLE message ADD COLUMN sender_address TEXT;
        ALTER TABLE correction RENAME COLUMN is_mine TO sender;

        -- An occupant is identified by the identifier that its room assigns or, if there is none, by its nickname.
        CREATE TABLE occupant (
            id INTEGER PRIMARY KEY CHECK (id > 1),
            conversation INTEGER NOT NULL REFERENCES conversation (id),
            has_id INTEGER NOT NULL,
            identity TEXT NOT NULL,
            UNIQUE (conversation, has_id, identity)
        ) STRICT;
        """

    /// The script that adds the files of messages.
    ///
    /// A message with a file has its name. The columns are of the message itself, because few rows would not save the
    /// time of a join for all others; an empty column takes one byte.
    private static let files = """
        ALTER TABLE message ADD COLUMN file_name TEXT;
        ALTER TABLE message ADD COLUMN file_url TEXT;
        ALTER TABLE message ADD COLUMN file_size INTEGER;
        ALTER TABLE message ADD COLUMN file_type TEXT;
        ALTER TABLE message ADD COLUMN file_path TEXT;
        """

    /// The script that adds reactions and retractions.
    ///
    /// A retracted message has the time of that; if a moderator of the room retracted it, it also has the reason. An
    /// annotation whose message is not known refers to no other row, because a stranger may send many of them: their
    /// number is limited.
    private static let annotations = """
        ALTER TABLE message ADD COLUMN retracted INTEGER;
        ALTER TABLE message ADD COLUMN moderation TEXT;
        ALTER TABLE message ADD COLUMN has_reactions INTEGER NOT NULL DEFAULT 0;

        CREATE TABLE reaction (
            message INTEGER NOT NULL REFERENCES message (id),
            sender INTEGER NOT NULL,
            time INTEGER NOT NULL,
            name TEXT NOT NULL,
            emoji TEXT NOT NULL,
            nickname TEXT,
            sender_address TEXT,
            PRIMARY KEY (message, sender)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE unresolved (
            id INTEGER PRIMARY KEY,
            buddy TEXT NOT NULL,
            is_archived INTEGER NOT NULL,
            reference TEXT NOT NULL,
            sender INTEGER NOT NULL,
            nickname TEXT,
            sender_address TEXT,
            has_id INTEGER NOT NULL,
            identity TEXT,
            stay INTEGER,
            time INTEGER NOT NULL,
            name TEXT NOT NULL,
            emoji TEXT,
            reason TEXT
        ) STRICT;
        CREATE INDEX unresolved_buddy ON unresolved (buddy);
        """

    /// The script that adds the parts that few messages have, such as what a message replies to.
    ///
    /// They are one text (`StoredPart`), which takes one byte in all other messages: they are read and written with their
    /// message, and nothing looks for them.
    private static let parts = """
        ALTER TABLE message ADD COLUMN parts TEXT;
        """

    /// The script that adds the reactions and retractions of the user's that the server has not acknowledged.
    private static let outgoing = """
        CREATE TABLE outgoing (
            buddy TEXT NOT NULL,
            name TEXT NOT NULL,
            is_archived INTEGER NOT NULL,
            reference TEXT NOT NULL,
            time INTEGER NOT NULL,
            emoji TEXT,
            PRIMARY KEY (buddy, name)
        ) STRICT, WITHOUT ROWID;
        """

    /// The script that adds to each correction the ID of the message that it names: another correction may name it
    /// instead of its original.
    private static let originals = """
        ALTER TABLE correction ADD COLUMN original TEXT;
        """

    /// The script that adds what the user has chosen for a conversation: the bits of `ConversationSettings`.
    private static let settings = """
        ALTER TABLE conversation ADD COLUMN settings INTEGER NOT NULL DEFAULT 0;
        """

    /// The script that adds the messages that the user deleted on this device alone.
    ///
    /// They stay without their content, as retracted ones do, so that the archive does not bring them back.
    private static let hidden = """
        ALTER TABLE message ADD COLUMN is_hidden INTEGER NOT NULL DEFAULT 0;
        """

    /// The script that adds the IDs in the archive of corrections, which others name instead of those of the originals.
    private static let archivedCorrections = """
        ALTER TABLE correction ADD COLUMN archive_name TEXT;
        CREATE UNIQUE INDEX correction_archive_name ON correction (conversation, archive_name)
            WHERE archive_name IS NOT NULL;
        """
}
