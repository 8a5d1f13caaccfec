// SPDX-License-Identifier: GPL-3.0-or-later

internal import Dispatch
internal import GLibBridge
internal import TouchtoneCore

/// The handler of requests to the store, in order, on a file that it opens when a request first needs it.
///
/// Only one thread at a time may use it.
struct StoreSession {
    private let file: StoreFile
    private let protection: StoreProtection
    private let vault: any StoreKeyVault
    private var database: StoreDatabase?
    /// The key of the file, if that is encrypted; a file in its place is encrypted by it, too.
    private var key: StoreKey?
    /// The damage to report, for each part that has not been notified yet.
    private var owed: [StorePart: StoreError] = [:]
    /// The accounts whose catch-up has started since messages were lost that the archives still have; nil if none were
    /// lost.
    ///
    /// The archive cursor of each other account stays empty until its catch-up starts.
    private var caughtUp: Set<ChatAddress?>?

    /// The maximum number of changes in one transaction, so that the first of many does not wait for all.
    private static let maximum = 1000

    init(file: StoreFile, protection: StoreProtection, vault: any StoreKeyVault) {
        (self.file, self.protection, self.vault) = (file, protection, vault)
    }

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
            case .protect(let isOn, let completion):
                let result = Result { () throws(StoreProtectionFailure) in try protect(isOn) }
                Self.onMain { completion(result) }
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
        let database: StoreDatabase
        do throws(StoreError) {
            database = try open()
        } catch  where error.isDamage {
            try quarantine()
            database = try open()
        }
        let isOn = key != nil
        Self.onMain { [protection] in protection.opened(isOn: isOn) }
        return database
    }

    /// Opens the file, and waits for the user's decision as long as its key cannot be used.
    private mutating func open() throws(StoreError) -> StoreDatabase {
        while true {
            if let key, !file.exists, let library = try? SQLiteLibrary.encrypting() {
                try file.create(encryptedWith: key, of: library)
            }
            switch try file.open() {
            case .opened(let database):
                key = nil
                return database
            case .encrypted(let name):
                switch unlock(name) {
                case .success(let library):
                    guard let key else { continue }
                    return try file.open(with: key, of: library)
                case .failure(let problem):
                    guard protection.decision(on: problem) == .goOnWithout else { continue }
                    try goOnWithout()
                }
            }
        }
    }

    /// Sets the key with a name, and returns the library for it.
    private mutating func unlock(_ name: String) -> Result<SQLiteLibrary, StoreKeyProblem> {
        Result { () throws(StoreKeyProblem) in
            let library = try SQLiteLibrary.needed()
            if key?.name != name { key = try vault.key(name) }
            return library
        }
    }

    /// Keeps the encrypted file under another name, so that a new one takes its place.
    private mutating func goOnWithout() throws(StoreError) {
        (key, caughtUp) = (nil, [])
        let path = try file.setAside(as: "locked")
        Self.onMain { [protection] in protection.wentOn(without: path) }
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
        let error = StoreError.damaged(setAside: try file.setAside())
        for part in StorePart.allCases { owed[part] = error }
    }
}

// MARK: - Encryption

extension StoreSession {
    /// Encrypts or decrypts the file.
    ///
    /// The keyring has the new key before the encrypted file is in place, and the old one until the other file is.
    private mutating func protect(_ isOn: Bool) throws(StoreProtectionFailure) {
        let (library, new): (SQLiteLibrary, StoreKey?)
        do throws(StoreError) {
            try completeFile()
        } catch {
            throw .store(error)
        }
        guard (key != nil) != isOn else { return }
        do throws(StoreKeyProblem) {
            library = try SQLiteLibrary.needed()
            new = isOn ? StoreKey.random() : nil
            if let new { try vault.save(new.digits, name: new.name) }
        } catch {
            throw .key(error)
        }
        guard (new != nil) == isOn else { throw .store(.failed(localized("there is no key"))) }
        let (old, protection) = (key, protection)
        var last = 0
        do throws(StoreError) {
            let copy = StoreCopy(file: file, library: library, old: old, new: new)
            let isDurable = try copy.make { percent in
                guard percent > last else { return }
                last = percent
                Self.onMain { protection.progressed(percent: percent) }
            }
            key = new
            if let old, isDurable { vault.remove(old.name) }
        } catch {
            if let new { vault.remove(new.name) }
            throw .store(error)
        }
    }

    /// Closes the file, of which the log has no part any more.
    private mutating func completeFile() throws(StoreError) {
        let connection = try opened().connection
        try StoreError.catching { () throws(SQLiteError) in try connection.checkpoint() }
        close()
    }
}

extension SQLiteLibrary {
    /// Returns SQLCipher for a file that needs it.
    static func needed() throws(StoreKeyProblem) -> SQLiteLibrary {
        do throws(SharedLibrary.Failure) { return try encrypting() } catch { throw .noLibrary(error.reason) }
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
