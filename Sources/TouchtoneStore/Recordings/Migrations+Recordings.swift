// SPDX-License-Identifier: GPL-3.0-or-later

extension Migrations {
    /// The script that adds the recordings of calls.
    static let recordings = """
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
        """
}
