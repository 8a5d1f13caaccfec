// SPDX-License-Identifier: GPL-3.0-or-later

/// The statements for the recordings of calls.
enum RecordingStatement: SQLStatement, CaseIterable {
    case all, running, deleted, ofCall, ofText, heard, unheard
    // Changes.
    case begin, end, bind, markHeard, delete, restore
    /// Notes that the file is gone.
    case forget

    var sql: String {
        switch self {
        case .all:
            """
            SELECT recording.id, recording.call, kind, length, is_heard, file, call.is_incoming, call.began, call.seconds,
                call.line, call.ending, call.ending_name, call.ending_reason, call.number, call.name, call.address
            FROM recording INDEXED BY recording_kept JOIN call NOT INDEXED ON call.id = recording.call
            WHERE recording.state < 3 AND recording.state = 1 AND call.state = 0 ORDER BY recording.id DESC LIMIT 2000
            """
        case .running: "SELECT id, file FROM recording INDEXED BY recording_running WHERE state = 0"
        case .deleted: "SELECT id, file FROM recording INDEXED BY recording_deleted WHERE state = 2"
        case .ofCall:
            "SELECT id, file FROM recording INDEXED BY recording_call WHERE call = ?1 AND state < 3"
        case .ofText:
            "SELECT id, file FROM recording INDEXED BY recording_text WHERE text_call = ?1 AND state < 3"
        case .heard:
            """
            SELECT id, file, state = 1 AND is_heard FROM recording INDEXED BY recording_kept
            WHERE state < 3 ORDER BY id
            """

        case .unheard:
            """
            SELECT id, file FROM recording INDEXED BY recording_kept
            WHERE state < 3 AND state < 2 AND NOT (state = 1 AND is_heard)
            """

        case .begin: "INSERT INTO recording (kind, text_call, file) VALUES (?1, ?2, ?3) RETURNING id"
        case .end:
            """
            UPDATE recording INDEXED BY recording_file SET state = 1, length = ?2, is_heard = ?3 OR kind = 1
            WHERE file = ?1 AND state < 3 AND state = 0
            """
        case .bind: "UPDATE recording INDEXED BY recording_text SET call = ?1 WHERE text_call = ?2"
        case .markHeard: "UPDATE recording NOT INDEXED SET is_heard = 1 WHERE id = ?1 AND state < 3"
        case .delete: "UPDATE recording NOT INDEXED SET state = 2 WHERE id = ?1 AND state = 1"
        case .restore: "UPDATE recording NOT INDEXED SET state = 1 WHERE id = ?1 AND state = 2"
        case .forget:
            """
            UPDATE recording NOT INDEXED SET state = 3, kind = 0, call = NULL, length = NULL, is_heard = 0, file = ''
            WHERE id = ?1
            """
        }
    }
}
