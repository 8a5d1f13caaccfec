// SPDX-License-Identifier: GPL-3.0-or-later

internal import TouchtoneCore

extension StoreDatabase {
    /// Forgets what was deleted while the file was last open.
    ///
    /// Where that is not possible now, on a full disk for one, it is not the time to say so.
    ///
    /// - Parameter endedBadly: whether the log may still have what was forgotten.
    /// - Throws: damage alone.
    func forgetAtOpening(endedBadly: Bool) throws(StoreError) {
        do throws(StoreError) {
            let (calls, contacts) = (try has(.hasDeleted), try hasDeletedContacts())
            let isLeft = calls || contacts
            if isLeft {
                try transaction { () throws(StoreError) in
                    try forgetCalls()
                    try forgetContacts()
                }
            }
            if isLeft || endedBadly, let error = emptyLog() { throw error }
        } catch  where !error.isDamage {
            return
        }
    }
}
