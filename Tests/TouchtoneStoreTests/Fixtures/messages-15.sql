-- SPDX-License-Identifier: GPL-3.0-or-later
-- A file of version 5, as it was released. It stays as it is.
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

ALTER TABLE message ADD COLUMN correction TEXT;
CREATE INDEX message_correction ON message (conversation, place) WHERE correction IS NOT NULL;
ALTER TABLE buddy ADD COLUMN is_declined INTEGER NOT NULL DEFAULT 0;

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

ALTER TABLE message ADD COLUMN file_name TEXT;
ALTER TABLE message ADD COLUMN file_url TEXT;
ALTER TABLE message ADD COLUMN file_size INTEGER;
ALTER TABLE message ADD COLUMN file_type TEXT;
ALTER TABLE message ADD COLUMN file_path TEXT;

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

ALTER TABLE message ADD COLUMN parts TEXT;

CREATE TABLE outgoing (
    buddy TEXT NOT NULL,
    name TEXT NOT NULL,
    is_archived INTEGER NOT NULL,
    reference TEXT NOT NULL,
    time INTEGER NOT NULL,
    emoji TEXT,
    PRIMARY KEY (buddy, name)
) STRICT, WITHOUT ROWID;

ALTER TABLE correction ADD COLUMN original TEXT;

PRAGMA application_id = 1416908147;
ALTER TABLE conversation ADD COLUMN settings INTEGER NOT NULL DEFAULT 0;

ALTER TABLE message ADD COLUMN is_hidden INTEGER NOT NULL DEFAULT 0;

ALTER TABLE message ADD COLUMN protection INTEGER NOT NULL DEFAULT 0;

CREATE TABLE key_identity (
    owner TEXT PRIMARY KEY,
    device INTEGER NOT NULL,
    public BLOB NOT NULL,
    private BLOB NOT NULL,
    next_prekey INTEGER NOT NULL,
    signed INTEGER NOT NULL,
    signed_time INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE key_prekey (
    owner TEXT NOT NULL,
    is_signed INTEGER NOT NULL,
    id INTEGER NOT NULL,
    record BLOB NOT NULL,
    PRIMARY KEY (owner, is_signed, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE key_device (
    owner TEXT NOT NULL,
    account TEXT NOT NULL,
    device INTEGER NOT NULL,
    key BLOB,
    trust INTEGER NOT NULL,
    is_active INTEGER NOT NULL,
    first_seen INTEGER NOT NULL,
    last_seen INTEGER,
    -- The number of the device's messages since the last one to it.
    unanswered INTEGER NOT NULL DEFAULT 0,
    label TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (owner, account, device)
) STRICT, WITHOUT ROWID;

CREATE TABLE key_session (
    owner TEXT NOT NULL,
    account TEXT NOT NULL,
    device INTEGER NOT NULL,
    record BLOB NOT NULL,
    PRIMARY KEY (owner, account, device)
) STRICT, WITHOUT ROWID;

-- The keys of the texts that were opened, by what they were encrypted as: a message may come again before it is stored.
CREATE TABLE key_opened (
    owner TEXT NOT NULL,
    digest BLOB NOT NULL,
    account TEXT NOT NULL,
    device INTEGER NOT NULL,
    key BLOB,
    time INTEGER NOT NULL,
    PRIMARY KEY (owner, digest)
) STRICT, WITHOUT ROWID;
CREATE INDEX key_opened_time ON key_opened (time);

CREATE TABLE text_call (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    is_open INTEGER NOT NULL DEFAULT 1,
    call_number INTEGER NOT NULL,
    is_incoming INTEGER NOT NULL,
    began INTEGER NOT NULL,
    answered INTEGER,
    line TEXT NOT NULL,
    number TEXT NOT NULL,
    name TEXT NOT NULL,
    address TEXT NOT NULL
) STRICT;
CREATE INDEX text_call_open ON text_call (call_number) WHERE is_open = 1;

CREATE TABLE text_line (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    text_call INTEGER NOT NULL REFERENCES text_call (id),
    place INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    time INTEGER NOT NULL,
    text TEXT NOT NULL
) STRICT;
CREATE INDEX text_line_place ON text_line (text_call, place, id);

ALTER TABLE call ADD COLUMN text_call INTEGER;

-- A recording of a call, whose row in `text_call` it has before the call's own. `state` is 0 while it runs, 1
-- after its end, 2 for a deleted one that can be restored, and 3 for one that is gone. `kind` is 0 for a
-- message and 1 for a call, `length` in milliseconds, and `file` a name in the folder of recordings.
CREATE TABLE recording (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    state INTEGER NOT NULL DEFAULT 0,
    kind INTEGER NOT NULL,
    text_call INTEGER NOT NULL,
    call INTEGER,
    length INTEGER,
    is_heard INTEGER NOT NULL DEFAULT 0,
    file TEXT NOT NULL
) STRICT;
CREATE INDEX recording_kept ON recording (id) WHERE state < 3;
CREATE INDEX recording_running ON recording (id) WHERE state = 0;
CREATE INDEX recording_deleted ON recording (id) WHERE state = 2;
CREATE UNIQUE INDEX recording_file ON recording (file) WHERE state < 3;
CREATE INDEX recording_text ON recording (text_call);
CREATE INDEX recording_call ON recording (call, id) WHERE call IS NOT NULL;
ALTER TABLE correction ADD COLUMN archive_name TEXT;
CREATE UNIQUE INDEX correction_archive_name ON correction (conversation, archive_name)
    WHERE archive_name IS NOT NULL;
PRAGMA user_version = 15;

INSERT INTO conversation (id, buddy) VALUES (1, 'grace@example.org');
INSERT INTO message (id, conversation, place, time, sender, state, is_unread, is_corrected, wants, name, archive_name,
    reason, text)
VALUES (1, 1, -3, 1000, 1, 3, 0, 0, 0, 'name-1', 'archive-1', NULL, 'Hello Grace'),
    (2, 1, 1, 2000, 0, 5, 1, 0, 3, 'name-2', 'archive-2', NULL, 'Hello, who is it?'),
    (3, 1, 2, 3000, 1, 0, 0, 1, 0, 'name-3', NULL, 'no such user', 'corrected');
INSERT INTO conversation (id, buddy) VALUES (2, 'room@example.org');
INSERT INTO occupant (id, conversation, has_id, identity) VALUES (2, 2, 1, 'id-1'), (3, 2, 0, 'Alan');
INSERT INTO message (id, conversation, place, time, sender, nickname, sender_address, state, is_unread, is_corrected,
    wants, text)
VALUES (4, 2, 1, 1000, 2, 'Grace', 'grace@example.org', 5, 0, 0, 0, 'Hello all'),
    (5, 2, 2, 1001, 3, 'Alan', NULL, 5, 0, 0, 0, 'Hello'), (6, 2, 3, 1002, 1, NULL, NULL, 2, 0, 0, 0, 'Welcome'),
    (7, 2, 4, 1003, 0, NULL, NULL, 5, 0, 0, 0, 'This room is open');
INSERT INTO conversation (id, buddy) VALUES (3, 'files@example.org');
INSERT INTO message (id, conversation, place, time, sender, state, is_unread, is_corrected, wants, name, text, file_name,
    file_url, file_size, file_type, file_path)
VALUES (8, 3, 1, 1000, 0, 5, 0, 0, 0, 'name-8', 'photo.jpg', 'photo.jpg', 'https://files.example.org/1/photo.jpg', NULL,
        'image/jpeg', NULL),
    (9, 3, 2, 1001, 1, 1, 0, 0, 0, 'name-9', 'report.pdf', 'report.pdf', NULL, 2000, 'application/pdf',
        '/home/ada/report.pdf');
INSERT INTO conversation (id, buddy) VALUES (4, 'reactions@example.org');
INSERT INTO message (id, conversation, place, time, sender, state, is_unread, is_corrected, wants, name, text, has_reactions,
    retracted, moderation)
VALUES (10, 4, 1, 1000, 1, 2, 0, 0, 0, 'name-10', 'Tea?', 1, NULL, NULL),
    (11, 4, 2, 1001, 0, 5, 0, 0, 0, 'name-11', '', 0, 1500, NULL),
    (12, 4, 3, 1002, 0, 5, 0, 0, 0, 'name-12', '', 0, 1600, 'spam');
INSERT INTO reaction (message, sender, time, name, emoji, nickname, sender_address)
VALUES (10, 0, 2000, 'r1', '👍 🎉', NULL, NULL), (10, 1, 2001, 'r2', '', NULL, NULL);
INSERT INTO unresolved (id, buddy, is_archived, reference, sender, nickname, sender_address, has_id, identity, stay, time,
    name, emoji, reason)
VALUES (3, 'reactions@example.org', 0, 'name-13', 0, NULL, NULL, 0, NULL, NULL, 3000, 'r3', '👍', NULL),
    (4, 'reactions@example.org', 0, 'name-14', 0, NULL, NULL, 0, NULL, NULL, 3001, 'r4', NULL, NULL);
INSERT INTO conversation (id, buddy, settings) VALUES (5, 'parts@example.org', 3);
INSERT INTO message (id, conversation, place, time, sender, state, is_unread, is_corrected, wants, name, text, file_name,
    file_url, file_type, parts)
VALUES (13, 5, 1, 1000, 0, 5, 0, 0, 0, 'name-15', '> Tea?' || char(10) || 'Great', NULL, NULL, NULL,
        'reply' || char(9) || 'a\\b\tc' || char(9) || 'ada@example.org' || char(10) || 'fallback' || char(9) || '0'
            || char(9) || '7' || char(9) || 'urn:xmpp:reply:0'),
    (14, 5, 2, 1001, 0, 5, 0, 0, 0, 'name-16', '', NULL, NULL, NULL, 'encryption' || char(9) || 'OMEMO'),
    (15, 5, 3, 1002, 1, 1, 0, 0, 0, 'name-17', 'a.png', 'a.png', 'https://files.example.org/a.png', 'image/png',
        'archive-reply' || char(9) || 'archive-3' || char(9) || '\-' || char(10) || 'file' || char(9) || 'b.png'
            || char(9) || '\-' || char(9) || '2000' || char(9) || 'image/png' || char(9) || '/home/ada/b.png');
INSERT INTO message (id, conversation, place, time, sender, state, is_unread, is_corrected, wants, name, text, retracted,
    is_hidden)
VALUES (16, 5, 4, 1003, 0, 5, 0, 0, 0, 'a-name-that-nobody-gives-twice', '', 1004, 1);
INSERT INTO message_text (rowid, text) SELECT id, text FROM message;
INSERT INTO correction (conversation, sender, name, original, archive_name)
VALUES (1, 1, 'name-4', 'name-3', NULL), (5, 0, 'name-20', 'name-15', 'archive-20');
INSERT INTO buddy (address, name, tells_me, told_by_me, is_asked) VALUES ('grace@example.org', 'Grace', 1, 1, 0);
INSERT INTO draft (buddy, text) VALUES ('grace@example.org', 'And');
INSERT INTO mark (kind, value) VALUES ('archive', 'archive-2'), ('buddies', '7');

INSERT INTO call (id, state, is_missed, is_new, is_incoming, began, seconds, line, ending, ending_name, ending_reason,
    number, number_key, name, address, search)
VALUES (1, 0, 0, 0, 0, 60000, 42, 'practice', 2, NULL, NULL, '+15558675309', '8675309', 'Grace', '',
        'grace' || char(10) || '+15558675309' || char(10)),
    (2, 2, 0, 0, 0, 0, NULL, '', 0, NULL, NULL, '', NULL, '', '', ''),
    (3, 1, 0, 0, 0, 120000, NULL, 'tel', 8, 'Calls', NULL, '911', '911', '', '', char(10) || '911' || char(10)),
    (4, 0, 1, 1, 1, 180000, NULL, 'sip', 5, NULL, NULL, '*67#', '*67#', 'Ådå', 'sip:ada@example.org',
        'ada' || char(10) || '*67#' || char(10) || 'sip:ada@example.org');
INSERT INTO call_text SELECT 0, group_concat(search, char(10)) FROM call WHERE state < 2;
INSERT INTO missed_text SELECT 0, search FROM call WHERE is_missed = 1;
INSERT INTO contact (id, state, has_photo) VALUES (1, 0, 1), (2, 2, 0), (3, 1, 0);
INSERT INTO contact_card (id, contact, name, organization, note, rest)
VALUES (1, NULL, '', '', '', ''), (2, NULL, '', '', '', ''), (3, 3, 'Deleted', '', '', ''),
    (4, 1, 'Grace', 'Navy', 'a note', 'X-REST:1');
INSERT INTO contact_way (id, contact, kind, place, text)
VALUES (1, NULL, '', '', ''), (2, 1, 'tel', 'home', '867-5309'), (3, 1, 'xmpp', 'other', 'grace@example.org'),
    (4, 1, 'sip', 'work', 'sip:grace@example.org');
INSERT INTO contact_photo (id, contact, image) VALUES (1, NULL, x''), (2, 1, x'ffd8');
INSERT INTO memory_key (digit, number, name) VALUES (1, '911', ''), (9, '+15558675309', 'Grace');

INSERT INTO outgoing (buddy, name, is_archived, reference, time, emoji)
VALUES ('second@example.org' || char(10) || 'ada@example.org', 'name-18', 0, 'name-1', 4000, '👍 🎉'),
    ('second@example.org' || char(10) || 'room@example.org', 'name-19', 1, 'archive-4', 3000, NULL);

INSERT INTO key_device (owner, account, device, key, trust, is_active, first_seen, last_seen, label)
VALUES ('second@example.org' || char(10), 'ada@example.org', 27183,
    x'0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20', 2, 1, 5000, NULL, 'desk');

INSERT INTO text_call (id, is_open, call_number, is_incoming, began, answered, line, number, name, address)
VALUES (1, 0, 7, 0, 0, NULL, '', '', '', ''),
    (2, 1, 1, 1, 240000, 250000, 'sip', '911', 'Cut off', 'sip:cut@example.org');
INSERT INTO text_line (text_call, place, kind, time, text)
VALUES (1, 1, 0, 60500, ''), (1, 2, 1, 61000, 'Hi'), (1, 1, 0, 61500, 'Hello'), (1, 3, 0, 0, ''),
    (2, 1, 1, 262000, 'Are you there'), (1, 9223372036854775807, 2, 62000, '');
UPDATE call SET text_call = 1 WHERE id = 1;

INSERT INTO recording (id, state, kind, text_call, call, length, is_heard, file)
VALUES (1, 1, 0, 1, 1, 12500, 0, '60000-1.opus'), (2, 3, 0, 1, NULL, NULL, 0, ''), (3, 0, 0, 2, NULL, NULL, 0, '240000-1.opus');
