// SPDX-License-Identifier: GPL-3.0-or-later

/// The calls that were, as a list shows them: the run of entries in memory, around what is looked at.
@MainActor
public final class CallHistory {
    /// What has changed.
    public enum Change: Hashable, Sendable {
        /// `window` is another, or its ends are, or the name of somebody in it.
        case entries
        /// `missed` is another.
        case missed
        /// `storeError` is another.
        case storeError
    }

    /// A run of the entries that the query finds, the newest first; 300 at most.
    public var window: [HistoryEntry] { entries.entries }
    /// Whether the query finds older ones than the window has.
    public var hasOlder: Bool { entries.hasOlder }
    /// Whether the query finds newer ones than the window has.
    public var hasNewer: Bool { entries.hasNewer }
    /// Whether the first answer to the query has come: an empty window is an empty history then.
    public internal(set) var isLoaded = false
    /// How many missed calls nobody has looked at.
    public private(set) var missed = 0 { didSet { if missed != oldValue { notify(.missed) } } }
    /// What could not be kept or found, until it is dismissed; damage stays until then, and the rest until something
    /// can be kept again.
    ///
    /// `StoreError.text(of:)` has the words.
    public private(set) var storeError: StoreError? {
        didSet { if storeError != oldValue { notify(.storeError) } }
    }

    /// What is looked for: a part of a name or number; empty is all.
    public var text = "" { didSet { if text != oldValue, isOpen { reload() } } }
    /// Whether missed calls alone are shown.
    public var isMissedOnly = false { didSet { if isMissedOnly != oldValue, isOpen { reload() } } }
    /// Whether somebody looks at the list: what is missed is seen then, and stays marked as new in the window until
    /// nobody looks any more.
    public var isInView = false { didSet { if isInView != oldValue { lookChanged() } } }

    let store: any HistoryStore
    let contacts: ContactBook?
    private let wall: any WallClock
    let rest: @MainActor () async -> Void
    private let observers = Observers<Change>()

    // What is loading; `HistoryLoading` has the rest.
    var entries = LoadedHistory()
    var isLoading = false
    var wanted: Load?
    /// The newest entry that was brought back right above the window, which is to begin there again.
    var firstRestored: Int64?

    /// Which reading of the missed calls is the last.
    private var missedReading = 0
    private var deletions = Deletions<Deleted>()

    /// The entries that a deletion removed, and where the window began before and after it.
    private struct Deleted {
        let ids: [Int64]
        let first: Int64?
        let next: Int64?
    }

    /// Creates a history that has read nothing yet.
    ///
    /// - Parameter rest: returns when the window has drawn what it has to: what takes long is done in pieces, with that
    ///   between them.
    public init(
        store: any HistoryStore, contacts: ContactBook?, wall: any WallClock,
        rest: @escaping @MainActor () async -> Void = { await Task.yield() }
    ) {
        (self.store, self.contacts, self.wall, self.rest) = (store, contacts, wall, rest)
        contacts?.followPeople(self) { [weak self] in self?.peopleChanged() }
    }

    /// Has somebody told of changes, as long as they are there.
    public func observe(by owner: AnyObject, _ body: @escaping @MainActor (Change) -> Void) {
        observers.add(owner, body)
    }

    func notify(_ change: Change) { observers.notify(change) }

    /// Reads how many calls were missed; the entries are read when a list first asks, by `open`.
    public func start() { countMissed() }

    /// The entry, if the window has it.
    public func entry(_ id: Int64) -> HistoryEntry? { window.first { $0.id == id } }

    /// What was said of the last trouble was read.
    public func dismissStoreError() { storeError = nil }
}

// MARK: - Calls

extension CallHistory {
    /// Keeps a call that is over.
    public func note(_ record: CallRecord) {
        let remote = record.remote
        let name = contacts?.name(for: remote) ?? remote.displayName
        let call = PastCall(
            direction: record.direction,
            remote: RemoteParty(remote.number, address: remote.address, displayName: name), line: record.line,
            began: wall.now - record.age, endReason: record.endReason,
            seconds: record.duration.map { Int($0.components.seconds) })
        store.add(call) { [weak self] result in
            guard let self else { return }
            switch result {
            case .failure(let error): note(error)
            case .success(let entry):
                kept()
                if entry.isNew { if isInView { markSeen() } else { countMissed() } }
                if isOpen { load(.arrived) }
            }
        }
    }

    /// What the far end of a call is called now: as in the book of contacts, or as it was kept; empty where nobody knows.
    public func name(of call: PastCall) -> String {
        contacts?.name(for: call.remote) ?? call.remote.displayName
    }

    /// Returns the number that was dialled last, also by an earlier run; nil where none is kept, or can be read.
    public func lastDialled() async -> DialledNumber? {
        do throws(StoreError) {
            return try await store.lastDialled()
        } catch {
            note(error)
            return nil
        }
    }

    /// What is looked for, with the numbers of who is called so.
    var query: HistoryQuery {
        let words = text.prefix(200).drop { $0.isWhitespace }
        let text = String(words.prefix(words.count - words.reversed().prefix { $0.isWhitespace }.count))
        return HistoryQuery(
            text: text, numbers: contacts?.numbers(ofPeople: text) ?? [], isMissedOnly: isMissedOnly)
    }

    private func peopleChanged() {
        guard isOpen else { return }
        // Who is looked for may have come, or another number of theirs.
        if text.isEmpty { notify(.entries) } else { load(.again) }
    }
}

// MARK: - Missed calls

extension CallHistory {
    private func countMissed() {
        missedReading += 1
        let reading = missedReading
        Task {
            do throws(StoreError) {
                let count = try await store.newMissedCalls()
                if reading == missedReading { missed = count }
            } catch {
                note(error)
            }
        }
    }

    private func lookChanged() {
        if isInView {
            if missed > 0 || window.contains(where: \.isNew) { markSeen() }
        } else if missed == 0, entries.markSeen() {
            notify(.entries)
        }
    }

    private func markSeen() {
        missedReading += 1
        store.markSeen { [weak self] result in
            guard let self else { return }
            switch result {
            case .success: kept()
            case .failure(let error): note(error)
            }
            countMissed()
        }
    }
}

// MARK: - Deletion

extension CallHistory {
    /// Deletes an entry; one that is being deleted, or is deleted already, is left alone.
    ///
    /// - Parameter then: called once it is deleted, with what undoes that; not called where it was not there, or could not
    ///   be deleted, which `storeError` tells.
    public func delete(_ id: Int64, completion: @escaping @MainActor (Deletion) -> Void = { _ in }) {
        delete(.entries([id]), completion)
    }

    /// Deletes all entries, whatever is shown.
    ///
    /// - Parameter then: called once they are deleted, as for one of them.
    public func deleteAll(completion: @escaping @MainActor (Deletion) -> Void = { _ in }) {
        delete(.all, completion)
    }

    private func delete(_ which: HistorySelection, _ completion: @escaping @MainActor (Deletion) -> Void) {
        store.delete(which) { [weak self] result in
            guard let self else { return }
            switch result {
            case .failure(let error): note(error)
            case .success(let ids):
                kept()
                guard !ids.isEmpty else { return }
                let first = window.first?.id
                switch which {
                case .all: entries.clear()
                case .entries: entries.remove(Set(ids))
                }
                let deletion = deletions.add(
                    ids.count, Deleted(ids: ids, first: first, next: window.first?.id))
                notify(.entries)
                countMissed()
                if window.count < LoadedHistory.page / 2 { if hasOlder { loadOlder() } else { loadNewer() } }
                completion(deletion)
            }
        }
    }

    /// Brings back what a deletion took away; nothing happens where it has been undone or forgotten.
    ///
    /// - Parameter failed: called where it could not be brought back, which `storeError` tells; it can be tried again.
    public func restore(_ deletion: Deletion, failed: @escaping @MainActor () -> Void = {}) {
        guard let deleted = deletions.take(deletion) else { return }
        store.restore(deleted.ids) { [weak self] result in
            guard let self else { return }
            if case .failure(let error) = result {
                // Damage has taken all.
                if case .damaged = error { return note(error) }
                deletions.put(deletion, deleted)
                note(error)
                return failed()
            }
            kept()
            if deleted.next == window.first?.id { firstRestored = deleted.first }
            if isOpen { load(.again) }
            countMissed()
        }
    }

    /// Forgets for good what a deletion took away: nobody can bring it back any more.
    public func forget(_ deletion: Deletion) {
        guard let deleted = deletions.take(deletion) else { return }
        store.forget(deleted.ids) { [weak self] in self?.recordFailure(of: $0) }
    }
}

// MARK: - Trouble

extension CallHistory {
    /// Something could not be kept or read.
    func note(_ error: StoreError) {
        if case .damaged = error { reset(after: error) } else { storeError = error }
    }

    private func recordFailure(of result: Result<Void, StoreError>) {
        if case .failure(let error) = result { note(error) }
    }

    /// Something was kept: there is room again.
    private func kept() {
        switch storeError {
        case .full, .failed: storeError = nil
        case .damaged, .newer, nil: break
        }
    }

    /// The store has lost all, and has begun anew: what it has is read again.
    ///
    /// - Parameter error: what has happened to it.
    public func reset(after error: StoreError) {
        storeError = error
        deletions.clear()
        entries.clear()
        notify(.entries)
        if isOpen { load(.newest) }
        countMissed()
    }
}
