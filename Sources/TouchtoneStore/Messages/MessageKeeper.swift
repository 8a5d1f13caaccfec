// SPDX-License-Identifier: GPL-3.0-or-later

internal import Dispatch
internal import TouchtoneCore

/// Does what is asked of the store, in order, with the file that it opens when that is first needed.
///
/// One thread at a time may use it.
struct MessageKeeper {
    private let file: MessageFile
    private var database: MessageDatabase?
    /// Damage that nobody has been told of.
    private var owed: StoreError?
    /// Whether messages were lost that the archive has: its mark stays empty until somebody begins to catch up.
    private var holdsArchiveMark = false

    /// The most that one transaction has: who waits for the first of many does not wait for all.
    private static let most = 1000

    init(file: MessageFile) { self.file = file }

    /// Does all of it.
    ///
    /// Changes that follow one another are one transaction.
    mutating func serve(_ requests: [StoreRequest]) {
        var writes: [StoreWrite] = []
        for request in requests {
            if case .write(let write) = request {
                writes.append(write)
                if writes.count < Self.most { continue }
            }
            keep(writes)
            writes = []
            switch request {
            case .write: break
            case .read(let read): answer(read)
            case .flush(let then): Self.onMain { then() }
            }
        }
        keep(writes)
    }

    /// Closes the file; it is opened again when it is needed.
    mutating func close() { database = nil }

    private static func onMain(_ body: @escaping @MainActor @Sendable () -> Void) {
        DispatchQueue.main.async { MainActor.assumeIsolated { body() } }
    }

    // MARK: The file

    /// The file, open.
    ///
    /// Where it is damaged it is set aside, and a new one begun.
    private mutating func opened() throws(StoreError) -> MessageDatabase {
        if let database, database.connection.hasMoved {
            // Whoever took it away has taken the messages with it.
            database.connection.leaveAsIs()
            self.database = nil
            holdsArchiveMark = true
        }
        let database: MessageDatabase
        if let open = self.database { database = open } else { database = try begun() }
        database.holdsArchiveMark = holdsArchiveMark
        self.database = database
        return database
    }

    private mutating func begun() throws(StoreError) -> MessageDatabase {
        do throws(StoreError) {
            return try file.open()
        } catch  where error.isDamage {
            try setAside()
            return try file.open()
        }
    }

    private func isDamage(_ error: StoreError) -> Bool {
        error == .foundDamaged || database?.isAtFault() == true
    }

    /// Does away with damage that was found in the open file, after which all works again.
    private mutating func repair() throws(StoreError) {
        // What words are where can be found out again from the messages.
        if let database, database.isTextIndexDamaged, (try? database.indexTextAnew()) != nil { return }
        try setAside()
    }

    private mutating func setAside() throws(StoreError) {
        database?.connection.leaveAsIs()
        database = nil
        holdsArchiveMark = true
        owed = .damaged(setAside: try file.setAside())
    }
}

// MARK: - Reading

extension MessageKeeper {
    private mutating func answer(_ read: StoreRead) {
        do throws(StoreError) {
            do throws(StoreError) {
                try attempt(read)
            } catch  where isDamage(error) {
                try repair()
                try attempt(read)
            }
            if read.beginsCatchUp { holdsArchiveMark = false }
        } catch {
            read.fail(error)
        }
    }

    private mutating func attempt(_ read: StoreRead) throws(StoreError) {
        let database = try opened()
        if let owed {
            self.owed = nil
            throw owed
        }
        try read.body(database)
    }
}

// MARK: - Writing

extension MessageKeeper {
    /// - Parameter again: whether damage is repaired, and what was to be kept tried again.
    private mutating func keep(_ writes: [StoreWrite], again: Bool = true) {
        guard !writes.isEmpty else { return }
        do throws(StoreError) {
            let database = try opened()
            if let owed, let first = writes.firstIndex(where: { $0.then != nil }) {
                // One is told, by not being kept; the others go on.
                self.owed = nil
                refuse([writes[first]], owed)
                return keep(Array(writes[..<first] + writes[(first + 1)...]))
            }
            let changes = try database.transaction { () throws(StoreError) in
                try writes.map { write throws(StoreError) in try write.body(database) }
            }
            tell(zip(writes, changes).map { ($0, .success($1)) })
        } catch {
            if again, isDamage(error) {
                do throws(StoreError) { try repair() } catch { return refuse(writes, error) }
                keep(writes, again: false)
            } else if database?.wasRefusedByRule == true, writes.count > 1 {
                // The others are not to suffer for the one that is at fault.
                for write in writes { keep([write]) }
            } else {
                refuse(writes, error)
            }
        }
    }

    private func refuse(_ writes: [StoreWrite], _ error: StoreError) {
        tell(writes.map { ($0, .failure(error)) })
    }

    private func tell(_ results: [(StoreWrite, Result<ChatChanges, StoreError>)]) {
        let told = results.compactMap { write, result in write.then.map { ($0, result) } }
        if !told.isEmpty { Self.onMain { for (then, result) in told { then(result) } } }
    }
}
