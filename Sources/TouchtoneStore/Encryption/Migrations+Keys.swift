// SPDX-License-Identifier: GPL-3.0-or-later

extension Migrations {
    /// The script that adds how each message was protected, as the number of its `Protection`, and the keys of devices and
    /// their sessions, each of an account.
    ///
    /// The identity, the sessions and the other keys are what libomemo-c makes of them. They lie beside the messages, because
    /// a session and the message that has changed it must reach the disk together.
    static let keys = """
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
        """
}
