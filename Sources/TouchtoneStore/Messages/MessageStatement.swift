// SPDX-License-Identifier: GPL-3.0-or-later

enum MessageStatement: SQLStatement, CaseIterable {
    // Queries with the columns of `select`.
    case before, from, last, firstUnread, lastMine, waiting, waitingOf, corrections, search, byArchiveName,
        byID, byName,
        byNameOfAnybody, byCorrection, lastArchived, unreadByBuddy, unreadByMe
    // Other queries.
    case lastTime, places, unreadCount, unreadCounts, settings, encryptionChoice, hasCorrection,
        originalOfCorrection, archivedCorrection, occupant
    // Changes.
    case addConversation, addOccupant, insert, updateState, update, remove, noteCorrection,
        noteArchiveName
    // Statements on reactions and retractions.
    case reactions, setReaction, markReactions, removeReactions, unresolved, addUnresolved, removeUnresolved,
        dropUnresolved, adoptUnresolved, outgoing, addOutgoing, removeOutgoing, outdateOutgoing
    // Statements on the full-text index.
    case textBefore, forgetText, indexText, rebuildTextIndex, mergeTextIndex, checkTextIndex
    // Statements that assign data without an account to an account.
    case common, distance, moveMessages, moveCorrections, countUnread, adoptConversations, adoptDrafts,
        adoptBuddies, adoptMarks
    // Other statements.
    case changeSettings, mark, setMark, removeMark, drafts, setDraft, removeDraft, buddies, setBuddy,
        removeBuddy,
        checkAll

    var sql: String {
        switch self {
        case .before:
            Self.select(
                "message_place", "buddy = ?1 AND place < ?2 AND is_hidden = 0 ORDER BY place DESC LIMIT ?3")
        case .from:
            Self.select(
                "message_place", "buddy = ?1 AND place >= ?2 AND is_hidden = 0 ORDER BY place LIMIT ?3")
        case .last:
            """
            SELECT \(Self.columns) FROM conversation JOIN message ON message.id = (
                SELECT id FROM message AS last INDEXED BY message_place
                WHERE last.conversation = conversation.id AND is_hidden = 0 ORDER BY place DESC LIMIT 1)
            LEFT JOIN occupant ON occupant.id = sender WHERE \(Self.isOfAccount("buddy"))
            """
        case .firstUnread:
            Self.select("message_unread_by_me", "buddy = ?1 AND is_unread = 1 ORDER BY place LIMIT 1")
        case .lastMine:
            Self.select(
                "message_mine", "buddy = ?1 AND sender = 1 AND is_hidden <= ?3 ORDER BY place DESC LIMIT ?2")
        case .waiting:
            Self.select(
                "message_waiting",
                "state = 1 AND \(Self.isOfAccount("buddy")) ORDER BY message.conversation, place")
        case .waitingOf: Self.select("message_waiting", "buddy = ?1 AND state = 1 ORDER BY place")
        case .corrections:
            Self.select(
                "message_correction",
                "correction IS NOT NULL AND \(Self.isOfAccount("buddy")) ORDER BY message.conversation, place"
            )
        case .search: Self.wordSearch
        case .byArchiveName: Self.select("message_archive_name", "buddy = ?1 AND archive_name = ?2")
        case .byID: "SELECT \(Self.columns) FROM message \(Self.joins) WHERE buddy = ?1 AND message.id = ?2"
        case .byName:
            Self.select(
                "message_name", "buddy = ?1 AND sender = ?2 AND name = ?3 ORDER BY place DESC LIMIT 1")
        case .byNameOfAnybody:
            Self.select(
                "message_name",
                """
                buddy = ?1 AND sender IN (SELECT 0 UNION ALL SELECT 1 UNION ALL SELECT id FROM occupant AS other
                    WHERE other.conversation = (SELECT id FROM conversation WHERE buddy = ?1))
                AND name = ?2 LIMIT 20
                """)
        case .byCorrection:
            Self.select("message_correction", "buddy = ?1 AND correction IS NOT NULL AND correction = ?2")
        case .lastArchived:
            Self.select(
                "message_archived",
                "buddy = ?1 AND place < ?2 AND archive_name IS NOT NULL ORDER BY place DESC LIMIT 1")
        case .unreadByBuddy:
            Self.select(
                "message_unread_by_buddy",
                "buddy = ?1 AND place <= ?2 AND state IN (1, 2, 3) ORDER BY place")
        case .unreadByMe:
            Self.select(
                "message_unread_by_me", "buddy = ?1 AND place <= ?2 AND is_unread = 1 ORDER BY place")

        case .lastTime:
            // What failed or waits has not been on the server.
            """
            SELECT max((SELECT time FROM message INDEXED BY message_place
                WHERE message.conversation = conversation.id AND state > 1 ORDER BY place DESC LIMIT 1))
            FROM conversation WHERE \(Self.isOfAccount("buddy")) AND buddy <> 'operator'
            """
        case .places:
            """
            SELECT (SELECT min(place) FROM message INDEXED BY message_place WHERE conversation = conversation.id),
                (SELECT max(place) FROM message INDEXED BY message_place WHERE conversation = conversation.id)
            FROM conversation WHERE buddy = ?1
            """
        case .unreadCount: "SELECT unread FROM conversation WHERE buddy = ?1"
        case .unreadCounts:
            "SELECT buddy, unread FROM conversation WHERE unread > 0 AND \(Self.isOfAccount("buddy"))"
        case .encryptionChoice: "SELECT settings FROM conversation WHERE buddy = ?1"
        case .settings:
            "SELECT buddy, settings FROM conversation WHERE settings <> 0 AND \(Self.isOfAccount("buddy"))"
        case .changeSettings:
            """
            INSERT INTO conversation (buddy, settings) VALUES (?1, ?2)
            ON CONFLICT DO UPDATE SET settings = (settings | ?2) & ~?3
            """
        case .hasCorrection:
            """
            SELECT count(*) FROM correction
            WHERE conversation = (SELECT id FROM conversation WHERE buddy = ?1) AND sender = ?2 AND name = ?3
            """

        case .originalOfCorrection:
            """
            SELECT original FROM correction
            WHERE conversation = (SELECT id FROM conversation WHERE buddy = ?1) AND sender = ?2 AND name = ?3
            """

        case .archivedCorrection:
            """
            SELECT sender, has_id, identity, original
            FROM correction INDEXED BY correction_archive_name LEFT JOIN occupant ON occupant.id = sender
            WHERE correction.conversation = (SELECT id FROM conversation WHERE buddy = ?1) AND archive_name = ?2
                AND original IS NOT NULL
            """

        case .occupant:
            """
            SELECT id FROM occupant
            WHERE conversation = (SELECT id FROM conversation WHERE buddy = ?1) AND has_id = ?2 AND identity = ?3
            """

        case .addOccupant:
            """
            INSERT INTO occupant (id, conversation, has_id, identity)
            VALUES (coalesce((SELECT max(id) FROM occupant), 1) + 1, (SELECT id FROM conversation WHERE buddy = ?1),
                ?2, ?3)
            RETURNING id
            """
        case .addConversation: "INSERT INTO conversation (buddy) VALUES (?1) ON CONFLICT DO NOTHING"
        case .insert:
            """
            INSERT INTO message (conversation, sender, text, time, place, state, reason, name, archive_name,
                is_corrected, is_unread, wants, correction, file_url, file_path, file_name, file_size, file_type,
                retracted, moderation, parts, is_hidden, protection, nickname, sender_address)
            VALUES ((SELECT id FROM conversation WHERE buddy = ?1), ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13,
                ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24, ?25)
            RETURNING id
            """
        case .update:
            """
            UPDATE message SET text = ?2, time = ?3, place = ?4, state = ?5, reason = ?6, name = ?7,
                archive_name = ?8, is_corrected = ?9, is_unread = ?10, wants = ?11, correction = ?12,
                file_url = ?13, file_path = ?14, file_name = ?15, file_size = ?16, file_type = ?17,
                retracted = ?18, moderation = ?19, parts = ?20, is_hidden = ?21, protection = ?22
            WHERE id = ?1
            """
        case .updateState:
            """
            UPDATE message SET state = ?5, reason = ?6, is_unread = ?10, wants = ?11, correction = ?12
            WHERE id = ?1 AND text = ?2 AND time = ?3 AND place = ?4 AND name IS ?7 AND archive_name IS ?8
                AND is_corrected = ?9 AND file_url IS ?13 AND file_path IS ?14 AND file_name IS ?15
                AND file_size IS ?16 AND file_type IS ?17 AND retracted IS ?18 AND moderation IS ?19
                AND parts IS ?20 AND is_hidden = ?21 AND protection = ?22
            RETURNING id
            """
        case .remove: "DELETE FROM message WHERE id = ?1"
        case .noteCorrection:
            """
            INSERT INTO correction (conversation, sender, name, original)
            VALUES ((SELECT id FROM conversation WHERE buddy = ?1), ?2, ?3, ?4) ON CONFLICT DO NOTHING
            """
        case .noteArchiveName:
            """
            UPDATE OR IGNORE correction SET archive_name = ?4
            WHERE conversation = (SELECT id FROM conversation WHERE buddy = ?1) AND sender = ?2 AND name = ?3
                AND archive_name IS NULL
            """
        case .reactions:
            """
            SELECT time, name, emoji, sender, nickname, sender_address, has_id, identity
            FROM reaction LEFT JOIN occupant ON occupant.id = sender WHERE message = ?1
            """
        case .setReaction:
            """
            INSERT INTO reaction (message, sender, time, name, emoji, nickname, sender_address)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
            ON CONFLICT DO UPDATE SET time = excluded.time, name = excluded.name, emoji = excluded.emoji,
                nickname = excluded.nickname, sender_address = excluded.sender_address
            """
        case .markReactions:
            "UPDATE message SET has_reactions = ?2 WHERE id = ?1 AND has_reactions <> ?2"
        case .removeReactions: "DELETE FROM reaction WHERE message = ?1"
        case .unresolved:
            """
            SELECT id, sender, nickname, sender_address, has_id, identity, is_archived, reference, stay, time, name,
                emoji, reason
            FROM unresolved INDEXED BY unresolved_buddy WHERE buddy = ?1 ORDER BY id
            """
        case .addUnresolved:
            """
            INSERT INTO unresolved (buddy, sender, nickname, sender_address, has_id, identity, is_archived, reference,
                stay, time, name, emoji, reason)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
            RETURNING id
            """
        case .removeUnresolved: "DELETE FROM unresolved WHERE id = ?1"
        case .dropUnresolved: "DELETE FROM unresolved WHERE id <= ?1"
        case .adoptUnresolved:
            "UPDATE unresolved SET buddy = ?1 || buddy WHERE \(Self.isNobodys("buddy"))"
        case .outgoing:
            """
            SELECT buddy, name, is_archived, reference, time, emoji FROM outgoing
            WHERE \(Self.isOfAccount("buddy"))
            """
        case .addOutgoing:
            """
            INSERT OR REPLACE INTO outgoing (buddy, is_archived, reference, time, name, emoji)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            """
        case .removeOutgoing:
            """
            DELETE FROM outgoing WHERE buddy = ?1 AND name = ?2
            RETURNING buddy, name, is_archived, reference, time, emoji
            """
        case .outdateOutgoing:
            """
            DELETE FROM outgoing
            WHERE buddy = ?1 AND is_archived = ?2 AND reference = ?3 AND (emoji IS NULL) = (?4 IS NULL)
            """
        case .textBefore: "SELECT text FROM message WHERE id = ?1 AND text <> ?2"
        case .forgetText: "INSERT INTO message_text (message_text, rowid, text) VALUES ('delete', ?1, ?2)"
        case .indexText: "INSERT INTO message_text (rowid, text) VALUES (?1, ?2)"
        case .rebuildTextIndex: "INSERT INTO message_text (message_text) VALUES ('rebuild')"
        case .mergeTextIndex: "INSERT INTO message_text (message_text) VALUES ('optimize')"
        case .checkTextIndex: "INSERT INTO message_text (message_text) VALUES ('integrity-check')"

        case .mark: "SELECT value FROM mark WHERE kind = ?1"
        case .setMark:
            "INSERT INTO mark (kind, value) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET value = excluded.value"
        case .removeMark: "DELETE FROM mark WHERE kind = ?1"
        case .drafts: "SELECT buddy, text FROM draft WHERE \(Self.isOfAccount("buddy"))"
        case .setDraft:
            "INSERT INTO draft (buddy, text) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET text = excluded.text"
        case .removeDraft: "DELETE FROM draft WHERE buddy = ?1"
        case .buddies:
            """
            SELECT address, name, tells_me, told_by_me, is_asked, is_declined FROM buddy
            WHERE \(Self.isOfAccount("address")) ORDER BY id
            """
        case .setBuddy:
            """
            INSERT INTO buddy (address, name, tells_me, told_by_me, is_asked, is_declined)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            ON CONFLICT DO UPDATE SET name = excluded.name, tells_me = excluded.tells_me,
                told_by_me = excluded.told_by_me, is_asked = excluded.is_asked, is_declined = excluded.is_declined
            """
        case .common:
            """
            SELECT old.id, new.id FROM conversation AS old JOIN conversation AS new ON new.buddy = ?1 || old.buddy
            WHERE \(Self.isNobodys("old.buddy"))
            """
        case .distance:
            """
            SELECT coalesce((SELECT max(place) FROM message INDEXED BY message_place WHERE conversation = ?2), 0)
                - coalesce((SELECT min(place) FROM message INDEXED BY message_place WHERE conversation = ?1), 0) + 1
            """
        case .moveMessages:
            "UPDATE OR IGNORE message SET conversation = ?2, place = place + ?3 WHERE conversation = ?1"
        case .moveCorrections: "UPDATE OR IGNORE correction SET conversation = ?2 WHERE conversation = ?1"
        case .countUnread:
            """
            UPDATE conversation SET unread = (SELECT count(*) FROM message INDEXED BY message_unread_by_me
                WHERE conversation = ?1 AND is_unread = 1)
            WHERE id = ?1
            """
        case .adoptConversations:
            "UPDATE OR IGNORE conversation SET buddy = ?1 || buddy WHERE \(Self.isNobodys("buddy"))"
        case .adoptDrafts: "UPDATE OR IGNORE draft SET buddy = ?1 || buddy WHERE \(Self.isNobodys("buddy"))"
        case .adoptBuddies:
            "UPDATE OR IGNORE buddy SET address = ?1 || address WHERE \(Self.isNobodys("address"))"
        case .adoptMarks: "UPDATE OR IGNORE mark SET kind = ?1 || kind WHERE kind IN ('archive', 'buddies')"
        case .removeBuddy: "DELETE FROM buddy WHERE address = ?1"
        case .checkAll: "PRAGMA integrity_check(1)"
        }
    }

    /// Returns a query that must use the given index: SQLite refuses a statement that the index cannot serve.
    private static func select(_ index: String, _ which: String) -> String {
        """
        SELECT \(columns) FROM message INDEXED BY \(index)
        \(joins) WHERE \(which)
        """
    }

    /// Returns the condition that a key belongs to the account with the given prefix, or to the Operator.
    private static func isOfAccount(_ key: String, at place: Int = 1) -> String {
        "(substr(\(key), 1, instr(\(key), char(10))) = ?\(place) OR \(key) = 'operator')"
    }

    /// Returns the condition that a key belongs to no account, and not to the Operator.
    private static func isNobodys(_ key: String) -> String {
        "(instr(\(key), char(10)) = 0 AND \(key) <> 'operator')"
    }

    private static let columns = """
        message.id, buddy, sender, text, time, place, state, reason, name, archive_name, is_corrected, is_unread,
        wants, correction, nickname, sender_address, has_id, identity,
        file_name, file_url, file_size, file_type, file_path, retracted, moderation, has_reactions,
        parts, is_hidden, protection
        """

    private static let joins = """
        JOIN conversation ON conversation.id = message.conversation LEFT JOIN occupant ON occupant.id = sender
        """

    /// The search, which reads the times of all matches, but the texts only of the ones it returns.
    private static var wordSearch: String {
        """
        SELECT \(columns) FROM message \(joins)
        WHERE message.id IN (
            SELECT message.id FROM message_text CROSS JOIN message ON message.id = message_text.rowid
            WHERE message_text MATCH ?1
                AND (?2 IS NULL OR conversation = (SELECT id FROM conversation WHERE buddy = ?2))
                AND conversation IN (SELECT id FROM conversation WHERE \(isOfAccount("buddy", at: 4)))
            ORDER BY time DESC, place DESC LIMIT ?3)
        ORDER BY time DESC, place DESC
        """
    }
}
