// SPDX-License-Identifier: GPL-3.0-or-later

/// The call history as a list shows it: a window of consecutive entries in memory.
@MainActor
public final class CallHistory {
    public enum Change: Hashable, Sendable {
        /// `window` changed, or `hasOlder` or `hasNewer`, or the name of an entry.
        case entries
        case missed
        /// Calls were saved, deleted or restored, which need not be in the window.
        case calls
    }

    /// The loaded entries that match the query, in the order in which the calls began, newest first; at most 300.
    public private(set) var window: [HistoryEntry] = []
    /// Whether older entries than those in the window match the query.
    public var hasOlder: Bool { entries.hasAfter }
    /// Whether newer entries than those in the window match the query.
    public var hasNewer: Bool { entries.hasBefore }
    /// Whether the first results were read; an empty window then means that no entry matches.
    public internal(set) var isLoaded = false
    /// The number of missed calls that the user has not seen.
    public private(set) var missed = 0 { didSet { if missed != oldValue { notify(.missed) } } }
    /// The number of calls that were saved since the start.
    public private(set) var arrivals = 0
    public var health: StoreHealth { store.health }

    /// The search text: a part of a name, a number or a line of a call's text; empty matches all.
    public var text = "" { didSet { if text != oldValue, isOpen { reload() } } }
    /// Whether only missed calls match.
    public var isMissedOnly = false { didSet { if isMissedOnly != oldValue, isOpen { reload() } } }
    /// Whether the list is in view: missed calls are then seen, and stay marked as new until it is not.
    public var isInView = false { didSet { if isInView != oldValue { viewChanged() } } }

    /// Whether the text of calls is kept; if not, that of calls that go on is overwritten.
    public var keepsText = true { didSet { if !keepsText, oldValue { forgetTexts() } } }

    let store: any HistoryStore
    let contacts: ContactBook?
    let wall: any WallClock
    let rest: @MainActor () async -> Void
    private let observers = Observers<Change>()

    // The state of loading; the rest is in `CallHistory+Loading.swift`.
    /// The window in the order of the store, in which calls end.
    var entries = PagedWindow<HistoryEntry>() { didSet { window = entries.items.newestFirst } }
    let loads = LoadQueue<Load>()
    /// The newest entry restored directly above the window, which then begins with it; nil if there is none.
    var firstRestored: Int64?

    /// The number of the last count of missed calls; the results of earlier ones are ignored.
    private var missedReading = 0
    /// The calls that go on and have text, by their ids, with the record of it; the rest is in `CallHistory+Text.swift`.
    var texts: [Call.ID: (call: TextCall, log: TextLog)] = [:]
    /// The calls that go on and have been recorded.
    var recorded: [Call.ID: TextCall] = [:]
    private var deletions = Deletions<Deleted>()

    /// The entries that a deletion removed, and the window's first entry before and after it.
    private struct Deleted {
        let ids: [Int64]
        let first: Int64?
        let next: Int64?
    }

    /// Creates an empty history.
    ///
    /// - Parameter rest: Returns when the window has been drawn; long work calls it between pieces.
    public init(
        store: any HistoryStore, contacts: ContactBook?, wall: any WallClock,
        rest: @escaping @MainActor () async -> Void = { await Task.yield() }
    ) {
        (self.store, self.contacts, self.wall, self.rest) = (store, contacts, wall, rest)
        health.observe(by: self) { [weak self] in if $0 == .damage { self?.reset() } }
        contacts?.observe(by: self) { [weak self] in if $0 == .rows { self?.peopleChanged() } }
    }

    public func observe(by owner: AnyObject, _ body: @escaping @MainActor (Change) -> Void) {
        observers.add(owner, body)
    }

    func notify(_ change: Change) { observers.notify(change) }

    /// Counts the missed calls, and saves those with text that the last run has not saved.
    ///
    /// The entries are read by `open`, when a list first requests them.
    public func start() {
        countMissed()
        addInterrupted()
    }
}

// MARK: - Calls

extension CallHistory {
    /// Saves a call that has ended.
    public func note(_ record: CallRecord) {
        let remote = record.remote
        let name = contacts?.name(for: remote) ?? remote.displayName
        let call = PastCall(
            direction: record.direction,
            remote: RemoteParty(remote.number, address: remote.address, displayName: name), line: record.line,
            began: wall.now - record.age, endReason: record.endReason,
            seconds: record.duration.map { Int($0.components.seconds) })
        let text = record.call.flatMap { endKept(of: $0, at: $0.began + record.age) }
        store.add(call, textOf: text) { [weak self] result in
            guard let self else { return }
            switch result {
            case .failure(let error): note(error)
            case .success(let entry):
                added(1)
                if entry.isNew { if isInView { markSeen() } else { countMissed() } }
            }
        }
    }

    /// Notes that calls were saved.
    func added(_ count: Int) {
        health.recordSuccess()
        arrivals += count
        if isOpen { load(.arrived) }
        notify(.calls)
    }

    /// Returns the name of a call's far end: that of the contact, or else the saved one; empty if neither is known.
    public func name(of call: PastCall) -> String {
        contacts?.name(for: call.remote) ?? call.remote.displayName
    }

    /// Returns the far end dialled last, in this or an earlier run; nil if none is saved or it cannot be read.
    public func lastDialled() async -> RemoteParty? {
        do throws(StoreError) {
            return try await store.lastDialled()
        } catch {
            note(error)
            return nil
        }
    }

    /// The query for the search text, with the numbers of the contacts that match it.
    var query: HistoryQuery {
        let text = String(text.prefix(200)).trimmed
        return HistoryQuery(
            text: text, numbers: contacts?.numbers(ofPeople: text) ?? [], isMissedOnly: isMissedOnly,
            findsLines: true)
    }

    private func peopleChanged() {
        guard isOpen else { return }
        // A contact that matches the search text may have been added, or have another number.
        if text.isEmpty { notify(.entries) } else { load(.again) }
    }
}

// MARK: - Missed Calls

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

    private func viewChanged() {
        if isInView {
            if missed > 0 || window.contains(where: \.isNew) { markSeen() }
        } else if missed == 0, window.contains(where: \.isNew) {
            entries.update { $0.seen }
            notify(.entries)
        }
    }

    private func markSeen() {
        missedReading += 1
        store.markSeen { [weak self] result in
            guard let self else { return }
            switch result {
            case .success: health.recordSuccess()
            case .failure(let error): note(error)
            }
            countMissed()
        }
    }
}

// MARK: - Deletion

extension CallHistory {
    /// Deletes an entry; one that is being deleted, or is already deleted, is ignored.
    ///
    /// - Parameter completion: A function that is called after the deletion, with the value that restores it. It is not
    ///   called if the entry did not exist; after an error, `health` has the reason.
    public func delete(_ id: Int64, completion: @escaping @MainActor (Deletion) -> Void = { _ in }) {
        delete(.entries([id]), completion)
    }

    /// Deletes all entries, including those that do not match the query.
    public func deleteAll(completion: @escaping @MainActor (Deletion) -> Void = { _ in }) {
        delete(.all, completion)
    }

    private func delete(_ which: HistorySelection, _ completion: @escaping @MainActor (Deletion) -> Void) {
        store.delete(which) { [weak self] result in
            guard let self else { return }
            switch result {
            case .failure(let error): note(error)
            case .success(let ids):
                health.recordSuccess()
                guard !ids.isEmpty else { return }
                let first = entries.items.first?.id
                switch which {
                case .all: entries = PagedWindow()
                case .entries: entries.remove(Set(ids))
                }
                let deletion = deletions.add(
                    ids.count, Deleted(ids: ids, first: first, next: entries.items.first?.id))
                notify(.entries)
                notify(.calls)
                countMissed()
                if window.count < PagedWindow<HistoryEntry>.Page.size / 2 {
                    if hasOlder { loadOlder() } else { loadNewer() }
                }
                completion(deletion)
            }
        }
    }

    /// Restores deleted entries; does nothing if the deletion was already restored or purged.
    ///
    /// - Parameter failed: Called if the entries could not be restored; the call can be repeated.
    public func restore(_ deletion: Deletion, failed: @escaping @MainActor () -> Void = {}) {
        guard let deleted = deletions.take(deletion) else { return }
        store.restore(deleted.ids) { [weak self] result in
            guard let self else { return }
            if case .failure(let error) = result {
                // A damaged store has lost the entries.
                if case .damaged = error { return note(error) }
                deletions.put(deletion, deleted)
                note(error)
                return failed()
            }
            health.recordSuccess()
            if deleted.next == entries.items.first?.id { firstRestored = deleted.first }
            if isOpen { load(.again) }
            notify(.calls)
            countMissed()
        }
    }

    public func forget(_ deletion: Deletion) {
        guard let deleted = deletions.take(deletion) else { return }
        store.forget(deleted.ids) { [weak self] in self?.recordFailure(of: $0) }
    }
}

// MARK: - Errors

extension CallHistory {
    func note(_ error: StoreError) { health.record(error, of: .calls) }

    func recordFailure(of result: Result<Void, StoreError>) {
        if case .failure(let error) = result { note(error) }
    }

    /// Reads all entries again, because the store has lost its contents and was reset.
    private func reset() {
        deletions.clear()
        entries = PagedWindow()
        notify(.entries)
        notify(.calls)
        if isOpen { load(.newest) }
        countMissed()
    }
}
