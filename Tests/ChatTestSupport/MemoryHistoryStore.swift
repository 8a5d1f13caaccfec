// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

/// A history of calls that lives as long as the test; what it brings is told later, in order, as a disk's is.
@MainActor
public final class MemoryHistoryStore: HistoryStore {
    /// What a query finds from, the newest first.
    public private(set) var entries: [HistoryEntry] = []
    /// What was deleted and not forgotten yet, the newest first.
    public private(set) var deleted: [HistoryEntry] = []
    /// Why nothing can be kept or read now; nil for nothing in the way.
    ///
    /// Damage is told once, and all is lost by it.
    public var trouble: StoreError?
    /// Whether nothing is told for now, as with a slow disk; what was asked for comes when that ends.
    public var isHeld: Bool {
        get { work.isHeld }
        set { work.isHeld = newValue }
    }
    /// The queries that were asked, in order, and how many entries each was asked for.
    public private(set) var queries: [(query: HistoryQuery, count: Int)] = []
    /// How often what was missed was marked as seen, and how often what was deleted was forgotten.
    public private(set) var (seen, forgotten) = (0, 0)

    private let work = MemoryWork()
    private var lastID: Int64 = 0

    /// Creates one that keeps nothing yet.
    public init() {}

    /// Puts calls there at the beginning, the oldest first, as if from a run before.
    public func fill(_ calls: [PastCall], areNew: Bool = false) {
        for call in calls { put(call, isNew: areNew && call.isMissed) }
    }

    /// Returns when all that was asked for so far was told, and what was asked for because of it.
    public func idle() async { await work.idle() }

    @discardableResult
    private func put(_ call: PastCall, isNew: Bool) -> HistoryEntry {
        lastID += 1
        let entry = HistoryEntry(id: lastID, call: call, isNew: isNew)
        entries.insert(entry, at: 0)
        return entry
    }

    private func takeTrouble() -> StoreError? {
        guard case .damaged = trouble else { return trouble }
        defer { trouble = nil }
        (entries, deleted) = ([], [])
        return trouble
    }

    private func tried<Value>(_ body: () -> Value) -> Result<Value, StoreError> {
        if let trouble = takeTrouble() { return .failure(trouble) }
        return .success(body())
    }

    private func found(by query: HistoryQuery, count: Int) -> [HistoryEntry] {
        queries.append((query, count))
        let finder = HistoryFinder(query)
        return entries.filter { finder.finds($0.call) }
    }
}

extension MemoryHistoryStore {
    /// Keeps a call; a missed one is new.
    public func add(
        _ call: PastCall, completion: @escaping @MainActor (Result<HistoryEntry, StoreError>) -> Void
    ) {
        work.later { [self] in completion(tried { put(call, isNew: call.isMissed) }) }
    }

    /// Up to `count` of the entries that a query finds, from below an id on, the newest first.
    public func entries(_ query: HistoryQuery, below id: Int64?, count: Int) async throws(StoreError)
        -> [HistoryEntry]
    {
        try await work.answer { [self] in
            tried { Array(found(by: query, count: count).filter { $0.id < id ?? .max }.prefix(count)) }
        }
    }

    /// Up to `count` of the entries that a query finds, from an id upwards, the oldest first.
    public func entries(_ query: HistoryQuery, from id: Int64, count: Int) async throws(StoreError)
        -> [HistoryEntry]
    {
        try await work.answer { [self] in
            tried { Array(found(by: query, count: count).filter { $0.id >= id }.reversed().prefix(count)) }
        }
    }

    /// How many missed calls are new.
    public func newMissedCalls() async throws(StoreError) -> Int {
        try await work.answer { [self] in tried { entries.count(where: \.isNew) } }
    }

    /// The number of the newest outgoing call that has one.
    public func lastDialled() async throws(StoreError) -> DialledNumber? {
        try await work.answer { [self] in
            tried {
                entries.first { $0.call.direction == .outgoing && !$0.call.remote.number.isEmpty }?.call
                    .remote.number
            }
        }
    }

    /// No missed call is new any more.
    public func markSeen(completion: @escaping @MainActor (Result<Void, StoreError>) -> Void) {
        work.later { [self] in
            completion(
                tried {
                    seen += 1
                    entries = entries.map { HistoryEntry(id: $0.id, call: $0.call, isNew: false) }
                    deleted = deleted.map { HistoryEntry(id: $0.id, call: $0.call, isNew: false) }
                })
        }
    }

    /// Takes entries away, so that no query finds them.
    public func delete(
        _ which: HistorySelection, completion: @escaping @MainActor (Result<[Int64], StoreError>) -> Void
    ) {
        work.later { [self] in
            completion(
                tried {
                    let gone =
                        switch which {
                        case .all: entries
                        case .entries(let ids): entries.filter { ids.contains($0.id) }
                        }
                    deleted = (deleted + gone).sorted { $0.id > $1.id }
                    let ids = Set(gone.map(\.id))
                    entries.removeAll { ids.contains($0.id) }
                    return gone.map(\.id)
                })
        }
    }

    /// Brings back those of these entries that were deleted and not forgotten yet.
    public func restore(_ ids: [Int64], completion: @escaping @MainActor (Result<Void, StoreError>) -> Void) {
        work.later { [self] in
            completion(
                tried {
                    entries += deleted.filter { ids.contains($0.id) }
                    entries.sort { $0.id > $1.id }
                    deleted.removeAll { ids.contains($0.id) }
                })
        }
    }

    /// Nothing is left of those of these entries that were deleted.
    public func forget(_ ids: [Int64], completion: @escaping @MainActor (Result<Void, StoreError>) -> Void) {
        work.later { [self] in
            completion(
                tried {
                    forgotten += 1
                    deleted.removeAll { ids.contains($0.id) }
                })
        }
    }
}

/// Which calls a query finds, in the plainest way.
struct HistoryFinder {
    private let query: HistoryQuery
    private let text: String
    private let digits: String

    init(_ query: HistoryQuery) {
        self.query = query
        text = query.text.lowercased()
        let isNumber = query.text.unicodeScalars.allSatisfy {
            "0123456789*# +-()./".unicodeScalars.contains($0)
        }
        digits = isNumber ? query.text.filter { $0.isNumber || $0 == "*" || $0 == "#" } : ""
    }

    func finds(_ call: PastCall) -> Bool {
        if query.isMissedOnly, !call.isMissed { return false }
        if text.isEmpty { return true }
        if let key = NumberKey(call.remote.number), query.numbers.contains(key) { return true }
        if !digits.isEmpty, call.remote.number.text.contains(digits) { return true }
        return call.remote.displayName.lowercased().contains(text)
            || call.remote.address.lowercased().contains(text)
    }
}
