// SPDX-License-Identifier: GPL-3.0-or-later

internal import TouchtoneCore

// Deleted entries are overwritten first in the file and then in the log. A mark that is written together with the first
// step records that the second is still pending, even after a crash in between.
extension StoreDatabase {
    private static let mark = "forgetting"

    func purgeCalls(_ ids: [Int64]) throws(StoreError) {
        var deleted: [Int64] = []
        for id in ids where try isDeletedCall(id) { deleted.append(id) }
        guard !deleted.isEmpty else { return }
        try setMark(Self.mark, "")
        try overwriteCalls(deleted)
    }

    func purgeContacts(_ ids: [Int64]) throws(StoreError) {
        var deleted: [Int64] = []
        for id in ids where try isDeletedContact(id) { deleted.append(id) }
        guard !deleted.isEmpty else { return }
        try setMark(Self.mark, "")
        try overwriteContacts(deleted)
    }

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
