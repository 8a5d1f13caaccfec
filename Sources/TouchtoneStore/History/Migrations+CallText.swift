// SPDX-License-Identifier: GPL-3.0-or-later

extension Migrations {
    /// The script that adds the real-time text of calls.
    ///
    /// Its rows are written while the call goes on, and appended and emptied as those of `directory`.
    static let callText = """
        -- A call in which there is text. It is open until the call has a row; until then, it has what that row needs.
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

        -- `kind` is as in `StoredTextKind`. A line that was changed or erased is empty, and a later row has its place.
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
        """
}
