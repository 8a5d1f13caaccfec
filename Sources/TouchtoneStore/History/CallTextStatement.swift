// SPDX-License-Identifier: GPL-3.0-or-later

/// The statements for the real-time text of calls.
enum CallTextStatement: SQLStatement, CaseIterable {
    case open, allOpen, hasOpen, ofCall, lines, lastTime
    // Changes.
    case begin, erase, addLine
    /// Closes a text, and empties what its call has now.
    case close
    // Statements that overwrite.
    case forgetLines, clearLines, clearCalls

    var sql: String {
        switch self {
        case .open:
            """
            SELECT id FROM text_call INDEXED BY text_call_open
            WHERE is_open = 1 AND call_number = ?1 AND began = ?2 ORDER BY id DESC LIMIT 1
            """
        case .allOpen:
            """
            SELECT id, call_number, is_incoming, began, answered, line, number, name, address
            FROM text_call INDEXED BY text_call_open WHERE is_open = 1
            """
        case .hasOpen: "SELECT EXISTS (SELECT 1 FROM text_call INDEXED BY text_call_open WHERE is_open = 1)"
        case .ofCall:
            "SELECT text_call FROM call NOT INDEXED WHERE id = ?1 AND state < 2 AND text_call IS NOT NULL"
        case .lines:
            """
            SELECT kind, text FROM text_line INDEXED BY text_line_place WHERE text_call = ?1 ORDER BY place, id
            """
        case .lastTime:
            "SELECT coalesce(max(time), 0) FROM text_line INDEXED BY text_line_place WHERE text_call = ?1"

        case .begin:
            """
            INSERT INTO text_call (call_number, is_incoming, began, answered, line, number, name, address)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) RETURNING id
            """
        case .erase:
            """
            UPDATE text_line INDEXED BY text_line_place SET text = '' WHERE text_call = ?1 AND place = ?2 AND text <> ''
            """
        case .addLine:
            "INSERT INTO text_line (text_call, place, kind, time, text) VALUES (?1, ?2, ?3, ?4, ?5)"
        case .close:
            """
            UPDATE text_call NOT INDEXED SET is_open = 0, began = 0, answered = NULL, is_incoming = 0, line = '',
                number = '', name = '', address = ''
            WHERE id = ?1
            """

        case .forgetLines:
            "UPDATE text_line INDEXED BY text_line_place SET kind = 0, time = 0, text = '' WHERE text_call = ?1"
        case .clearLines: "DELETE FROM text_line"
        case .clearCalls: "DELETE FROM text_call"
        }
    }
}

/// The stored form of a part's content; the numbers never change, and any other one is read as a line of the far end.
enum StoredTextKind: Int64 {
    case farEnd = 0
    case own = 1
    case cut = 2
}
