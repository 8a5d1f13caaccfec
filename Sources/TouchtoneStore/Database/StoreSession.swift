// SPDX-License-Identifier: GPL-3.0-or-later

internal import Dispatch
internal import TouchtoneCore

/// The handler of requests to the store, in order, on a file that it opens when a request first needs it.
///
/// Only one thread at a time may use it.
struct StoreSession {
    private let file: StoreFile
    private var database: StoreDatabase?
    /// The damage to report, for each part that has not been notified yet.
    private var owed: [StorePart: StoreError] = [:]
    /// The accounts whose catch-up has started since messages were lost that the archives still have; nil if none were
    /// lost.
    ///
    /// The archive cursor of each other account stays empty until its catch-up starts.
    private var caughtUp: Set<ChatAddress?>?

    /// The maximum number of changes in one transaction, so that the first of many does not wait for all.
    private static let maximum = 1000

    init(file: StoreFile) { self.file = file }

    /// Handles all requests; consecutive changes share a transaction.
    mutating func serve(_ requests: [StoreRequest]) {
        var writes: [StoreWrite] = []
        for request in requests {
            if case .write(let write) = request {
                writes.append(write)
                if writes.count < Self.maximum { continue }
            }
            commit(writes)
            writes = []
            switch request {
            case .write: break
            case .read(let read): answer(read)
            case .flush(let completion): Self.onMain { completion() }
            }
        }
        commit(writes)
    }

    /// Closes the file; the next request opens it again.
    mutating func close() { database = nil }

    private static func onMain(_ body: @escaping @MainActor @Sendable () -> Void) {
        DispatchQueue.main.async { MainActor.assumeIsolated { body() } }
    }

    // MARK: File

    /// Returns the open file; a damaged one is quarantined and replaced.
    private mutating func opened() throws(StoreError) -> StoreDatabase {
        if let database, database.connection.hasMoved {
            // The log goes with the file that was moved away, and must not affect a new file at the same path.
            database.connection.disableCheckpointOnClose()
            self.database = nil
            caughtUp = []
        }
        let database: StoreDatabase
        if let open = self.database { database = open } else { database = try openOrReplace() }
        database.caughtUp = caughtUp
        self.database = database
        return database
    }

    private mutating func openOrReplace() throws(StoreError) -> StoreDatabase {
        do throws(StoreError) {
            return try file.open()
        } catch  where error.isDamage {
            try quarantine()
            return try file.open()
        }
    }

    private func isDamage(_ error: StoreError) -> Bool {
        error == .foundDamaged || database?.isCorrupt() == true
    }

    /// Repairs or quarantines the open file after damage was found, so that requests work again.
    private mutating func repair() throws(StoreError) {
        // The full-text index can be rebuilt from the messages.
        if let database, database.isTextIndexDamaged, (try? database.rebuildTextIndex()) != nil { return }
        try quarantine()
    }

    private mutating func quarantine() throws(StoreError) {
        database?.connection.disableCheckpointOnClose()
        database = nil
        caughtUp = []
        let error = StoreError.damaged(setAside: try file.quarantine())
        for part in StorePart.allCases { owed[part] = error }
    }
}

// MARK: - Queries

extension StoreSession {
    private mutating func answer(_ read: StoreRead) {
        do throws(StoreError) {
            do throws(StoreError) {
                try attempt(read)
            } catch  where isDamage(error) {
                try repair()
                try attempt(read)
            }
            if read.beginsCatchUp, let database { caughtUp?.insert(database.account) }
        } catch {
            read.fail(error)
        }
    }

    private mutating func attempt(_ read: StoreRead) throws(StoreError) {
        let database = try opened()
        if let owed = owed.removeValue(forKey: read.part) { throw owed }
        try read.body(database)
    }
}

// MARK: - Changes

extension StoreSession {
    /// - Parameter again: Whether to repair damage and retry the changes.
    private mutating func commit(_ writes: [StoreWrite], again: Bool = true) {
        guard !writes.isEmpty else { return }
        do throws(StoreError) {
            let database = try opened()
            if let first = writes.firstIndex(where: { $0.fail != nil && owed[$0.part] != nil }),
                let owed = owed.removeValue(forKey: writes[first].part)
            {
                // The failure of one change reports the damage; the others continue.
                refuse([writes[first]], owed)
                return commit(Array(writes[..<first] + writes[(first + 1)...]))
            }
            let reports = try database.transaction { () throws(StoreError) in
                database.hasRetractions = false
                let reports = try writes.map { write throws(StoreError) in try write.body(database) }
                if database.hasRetractions { try database.purgeTextIndex() }
                return reports
            }
            let isForgetting = database.hasRetractions || writes.contains(where: \.isForgetting)
            let failure = isForgetting ? database.checkpointAfterPurge() : nil
            if let failure, failure.isDamage { throw failure }
            report(writes, reports, notPurged: failure)
        } catch {
            if again, isDamage(error) {
                do throws(StoreError) { try repair() } catch { return refuse(writes, error) }
                commit(writes, again: false)
            } else if database?.wasRefusedByRule == true, writes.count > 1 {
                // Retry the changes one by one, so that an invalid one does not make the others fail.
                for write in writes { commit([write]) }
            } else {
                refuse(writes, error)
            }
        }
    }

    /// - Parameter failure: The reason why overwritten data is still in the log, or nil.
    private func report(
        _ writes: [StoreWrite], _ reports: [StoreWrite.Report], notPurged failure: StoreError?
    ) {
        let callbacks = zip(writes, reports).compactMap { write, succeed -> StoreWrite.Report? in
            guard let fail = write.fail else { return nil }
            guard write.isForgetting, let failure else { return succeed }
            return { fail(failure) }
        }
        if !callbacks.isEmpty { Self.onMain { for callback in callbacks { callback() } } }
    }

    private func refuse(_ writes: [StoreWrite], _ error: StoreError) {
        let callbacks = writes.compactMap(\.fail)
        if !callbacks.isEmpty { Self.onMain { for fail in callbacks { fail(error) } } }
    }
}
