// SPDX-License-Identifier: GPL-3.0-or-later

enum CallStatement: SQLStatement, CaseIterable {
    // Queries with the columns of `select`, from an id downwards or upwards: all calls, missed calls, and search
    // results.
    case below, from, missedBelow, missedFrom, foundBelow, foundFrom, foundMissedBelow, foundMissedFrom
    // Other queries.
    case newCount, lastDialled, isDeleted, allDeleted, deletedCount, hasKept
    // Changes.
    case add, addText, addMissedText, markSeen, delete, deleteAll, restore
    // Statements that overwrite.
    case forget, forgetText, forgetMissedText, reindexNumbers, clear, clearText, clearMissedText

    var sql: String {
        switch self {
        case .below: Self.select("call_kept", "id < ?1 ORDER BY id DESC LIMIT ?2")
        case .from: Self.select("call_kept", "id >= ?1 ORDER BY id LIMIT ?2")
        case .missedBelow: Self.select("call_missed", "is_missed = 1 AND id < ?1 ORDER BY id DESC LIMIT ?2")
        case .missedFrom: Self.select("call_missed", "is_missed = 1 AND id >= ?1 ORDER BY id LIMIT ?2")
        case .foundBelow: Self.find(.all, .below)
        case .foundFrom: Self.find(.all, .from)
        case .foundMissedBelow: Self.find(.missed, .below)
        case .foundMissedFrom: Self.find(.missed, .from)

        case .newCount: "SELECT count(*) FROM call INDEXED BY call_new WHERE is_new = 1 AND state = 0"
        case .isDeleted: "SELECT count(*) FROM call NOT INDEXED WHERE id = ?1 AND state = 1"
        case .allDeleted: "SELECT id FROM call INDEXED BY call_deleted WHERE state = 1"
        case .deletedCount: "SELECT count(*) FROM call INDEXED BY call_deleted WHERE state = 1"
        // The scan starts at the newest call and stops at the second outgoing one: a call that was dialled during
        // another one may have ended before it.
        case .lastDialled:
            """
            SELECT number, address, began FROM call INDEXED BY call_kept
            WHERE state = 0 AND id <= ?1 AND is_incoming = 0 AND (number <> '' OR address <> '')
            ORDER BY id DESC LIMIT 2
            """
        case .hasKept: "SELECT EXISTS (SELECT 1 FROM call INDEXED BY call_kept WHERE state = 0)"

        case .add:
            """
            INSERT INTO call (is_missed, is_new, is_incoming, began, seconds, line, ending, ending_name, ending_reason,
                number, number_key, name, address, search, text_call)
            VALUES (?1, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14) RETURNING id
            """
        case .addText: Self.addText("call_text")
        case .addMissedText: Self.addText("missed_text")
        case .markSeen: "UPDATE call INDEXED BY call_new SET is_new = 0 WHERE is_new = 1"
        case .delete: "UPDATE call NOT INDEXED SET state = 1 WHERE id = ?1 AND state = 0 RETURNING id"
        case .deleteAll: "UPDATE call INDEXED BY call_kept SET state = 1 WHERE state = 0 RETURNING id"
        case .restore: "UPDATE call NOT INDEXED SET state = 0 WHERE id = ?1 AND state = 1"

        case .forget:
            """
            UPDATE call NOT INDEXED SET state = 2, is_missed = 0, is_new = 0, is_incoming = 0, began = 0,
                seconds = NULL, line = '', ending = 0, ending_name = NULL, ending_reason = NULL, number = '',
                number_key = NULL, name = '', address = '', search = '', text_call = NULL
            WHERE id = ?1 AND state = 1
            """
        // Deleted calls in the same block can be restored, and must be searchable then.
        case .forgetText: Self.forgetText("call_text", "state < 2")
        case .forgetMissedText: Self.forgetText("missed_text", "state < 2 AND is_missed = 1")
        case .reindexNumbers: "REINDEX call_number"
        case .clear: "DELETE FROM call"
        case .clearText: "DELETE FROM call_text"
        case .clearMissedText: "DELETE FROM missed_text"
        }
    }

    /// Returns a query that must use the given index.
    private static func select(_ index: String, _ which: String) -> String {
        "SELECT \(columns) FROM call INDEXED BY \(index) WHERE state = 0 AND \(which)"
    }

    private static let columns = """
        id, is_new, is_incoming, began, seconds, line, ending, ending_name, ending_reason, number, name, address,
            text_call IS NOT NULL
        """

    private enum Kind { case all, missed }
    private enum Way { case below, from }

    /// Returns a query for the calls whose text contains one of two strings (`?3`, `?4`), or that have one of the
    /// numbers in `?5` (JSON); typed lines count only if `?6` is not 0.
    ///
    /// The texts are scanned from one end until enough calls match; the calls of a number are found by its index.
    private static func find(_ kind: Kind, _ way: Way) -> String {
        let table = kind == .all ? "call_text" : "missed_text"
        let isMissed = kind == .all ? "" : "AND is_missed = 1"
        let mark = "char(\(CallSearchText.linesMark))"
        let searched = "iif(?6, search, substr(search, 1, instr(search || \(mark), \(mark)) - 1))"
        let (compare, compareBlock, order) = way == .below ? ("<", "<=", "DESC") : (">=", ">=", "ASC")
        return """
            SELECT \(columns) FROM call WHERE id IN (
                SELECT id FROM (
                    SELECT call.id FROM \(table) AS block CROSS JOIN call NOT INDEXED
                    WHERE block.id \(compareBlock) ?1 >> 6 AND (instr(block.text, ?3) OR instr(block.text, ?4))
                        AND call.id BETWEEN block.id << 6 AND (block.id << 6) + 63 AND call.id \(compare) ?1
                        AND state = 0 \(isMissed) AND (instr(\(searched), ?3) OR instr(\(searched), ?4))
                    ORDER BY block.id \(order), call.id \(order) LIMIT ?2)
                UNION ALL
                SELECT id FROM (
                    SELECT call.id FROM json_each(?5) CROSS JOIN call INDEXED BY call_number ON number_key = value
                    WHERE state = 0 \(isMissed) AND call.id \(compare) ?1 ORDER BY call.id \(order) LIMIT ?2))
            ORDER BY id \(order) LIMIT ?2
            """
    }

    private static func addText(_ table: String) -> String {
        """
        INSERT INTO \(table) (id, text) VALUES (?1 >> 6, ?2)
        ON CONFLICT DO UPDATE SET text = iif(text = '', '', text || char(10)) || excluded.text
        """
    }

    private static func forgetText(_ table: String, _ which: String) -> String {
        """
        UPDATE \(table) SET text = (
            SELECT coalesce(group_concat(search, char(10)), '') FROM call NOT INDEXED
            WHERE call.id BETWEEN \(table).id << 6 AND (\(table).id << 6) + 63 AND \(which))
        WHERE id = ?1
        """
    }
}
