-- SPDX-License-Identifier: GPL-3.0-or-later
-- A file of version 1, as it was released. It stays as it is.
PRAGMA journal_mode = WAL;
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

PRAGMA application_id = 1416908147;
PRAGMA user_version = 1;

INSERT INTO conversation (id, buddy) VALUES (1, 'grace@example.org');
INSERT INTO message (id, conversation, place, time, is_mine, state, is_unread, is_corrected, wants, name, archive_name,
    reason, text)
VALUES (1, 1, -3, 1000, 1, 3, 0, 0, 0, 'name-1', 'archive-1', NULL, 'Hello Grace'),
    (2, 1, 1, 2000, 0, 5, 1, 0, 3, 'name-2', 'archive-2', NULL, 'Hello, who is it?'),
    (3, 1, 2, 3000, 1, 0, 0, 1, 0, 'name-3', NULL, 'no such user', 'corrected');
INSERT INTO message_text (rowid, text) SELECT id, text FROM message;
INSERT INTO correction (conversation, is_mine, name) VALUES (1, 1, 'name-4');
INSERT INTO buddy (address, name, tells_me, told_by_me, is_asked) VALUES ('grace@example.org', 'Grace', 1, 1, 0);
INSERT INTO draft (buddy, text) VALUES ('grace@example.org', 'And');
INSERT INTO mark (kind, value) VALUES ('archive', 'archive-2'), ('buddies', '7');
