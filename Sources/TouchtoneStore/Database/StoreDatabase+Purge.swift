// SPDX-License-Identifier: GPL-3.0-or-later

internal import TouchtoneCore

// Deleted entries and retracted messages are overwritten first in the file and then in the log. A mark that is written together with the first
// step records that the second is still pending, even after a crash in between.
extension StoreDatabase {
    private static let mark = "forgetting"

    func purgeCalls(_ ids: [Int64]) throws(StoreError) {
        try purge(ids, CallStatement.isDeleted, overwriting: overwriteCalls)
    }

    func purgeContacts(_ ids: [Int64]) throws(StoreError) {
        try purge(ids, ContactStatement.isDeleted, overwriting: overwriteContacts)
    }

    private func purge(
        _ ids: [Int64], _ isDeleted: some SQLStatement,
        overwriting overwrite: ([Int64]) throws(StoreError) -> Void
    ) throws(StoreError) {
        var deleted: [Int64] = []
        for id in ids where try isTrue(isDeleted, [.integer(id)]) { deleted.append(id) }
        guard !deleted.isEmpty else { return }
        try setMark(Self.mark, "")
        try overwrite(deleted)
    }

    /// Notes that a message was overwritten because it was retracted.
    func noteRetraction() throws(StoreError) {
        try setMark(Self.mark, "")
        hasRetractions = true
    }

    /// Notes that rows were deleted whose content must not remain in the log.
    func noteDeletion() throws(StoreError) { try setMark(Self.mark, "") }

    /// Overwrites the words of retracted messages in the full-text index.
    ///
    /// FTS5 only marks a removed entry, and drops it when it merges its segments. Merging all takes about 0.2 seconds
    /// with 100,000 messages. SQLite 3.42 can remove entries at once, but older versions cannot read the index then.
    func purgeTextIndex() throws(StoreError) { try run(MessageStatement.mergeTextIndex) }

    /// Truncates the log if a purge is pending, so that it has no purged data; returns the error, if any.
    func checkpointAfterPurge() -> StoreError? {
        do throws(StoreError) {
            guard try mark(Self.mark) != nil else { return nil }
            try check { () throws(SQLiteError) in try connection.checkpoint() }
            try setMark(Self.mark, nil)
            return nil
        } catch {
            return error
        }
    }

    /// Purges what was deleted while the file was last open; throws only damage, and tries again next time.
    func purgeAtOpening() throws(StoreError) {
        do throws(StoreError) {
            try forgetDeletedRecordings()
            let (calls, contacts) = (try deletedCalls(), try deletedContacts())
            if !calls.isEmpty || !contacts.isEmpty {
                try transaction { () throws(StoreError) in
                    try purgeCalls(calls)
                    try purgeContacts(contacts)
                }
            }
            if let error = checkpointAfterPurge() { throw error }
        } catch  where !error.isDamage {
            return
        }
    }
}
