// SPDX-License-Identifier: GPL-3.0-or-later

internal import TouchtoneCore

// What was deleted is overwritten in the file, and then in the log. A mark that is kept with the first says that the
// second is still to be done, whatever happens between.
extension StoreDatabase {
    private static let mark = "forgetting"

    /// Overwrites those of these calls that were deleted.
    func purgeCalls(_ ids: [Int64]) throws(StoreError) {
        var deleted: [Int64] = []
        for id in ids where try isDeletedCall(id) { deleted.append(id) }
        guard !deleted.isEmpty else { return }
        try setMark(Self.mark, "")
        try overwriteCalls(deleted)
    }

    /// Overwrites those of these contacts that were deleted.
    func purgeContacts(_ ids: [Int64]) throws(StoreError) {
        var deleted: [Int64] = []
        for id in ids where try isDeletedContact(id) { deleted.append(id) }
        guard !deleted.isEmpty else { return }
        try setMark(Self.mark, "")
        try overwriteContacts(deleted)
    }

    /// Has nothing be left in the log of what was forgotten.
    ///
    /// - Returns: why that was not possible.
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

    /// Forgets what was deleted while the file was last open.
    ///
    /// Where that is not possible now, on a full disk for one, it is not the time to say so.
    ///
    /// - Throws: damage alone.
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
