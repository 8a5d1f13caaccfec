// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

/// A call history in memory that reports its results later and in order, like a store on disk.
@MainActor
public final class MemoryHistoryStore: HistoryStore {
    /// The entries that queries search, newest first.
    public private(set) var entries: [HistoryEntry] = []
    /// The entries that were deleted and not yet purged, newest first.
    public private(set) var deleted: [HistoryEntry] = []
    /// The error that operations fail with, or nil.
    ///
    /// Damage is reported once, and loses all data.
    public var trouble: StoreError?
    /// Whether results are held back, as by a slow disk; they are delivered when this ends.
    public var isHeld: Bool {
        get { work.isHeld }
        set { work.isHeld = newValue }
    }
    /// The queries so far, in order, with the number of entries that each requested.
    public private(set) var queries: [(query: HistoryQuery, count: Int)] = []
    /// The number of times that missed calls were marked as seen, and the number of purges.
    public private(set) var (seen, forgotten) = (0, 0)

    /// The text of entries, by their ids.
    public private(set) var texts: [Int64: KeptCallText] = [:]
    /// The text of calls that go on, by the calls' numbers.
    public private(set) var openTexts: [Int: (call: TextCall, parts: [TextPart])] = [:]
    /// The number of times that parts of a text were kept.
    public private(set) var textWrites = 0

    /// The health of the store.
    public let health = StoreHealth()
    private let work = MemoryWork()
    private var lastID: Int64 = 0

    /// Creates an empty history.
    public init() {}

    /// Adds calls, oldest first, as if from an earlier run.
    public func fill(_ calls: [PastCall], areNew: Bool = false) {
        for call in calls { put(call, isNew: areNew && call.isMissed) }
    }

    /// Adds a call with text, as if from an earlier run.
    public func fill(_ call: PastCall, text: KeptCallText) { put(call, isNew: false, text: text) }

    /// Returns when all requests so far, and those that followed from them, are answered.
    public func idle() async { await work.idle() }

    @discardableResult
    private func put(_ call: PastCall, isNew: Bool, text: KeptCallText = KeptCallText()) -> HistoryEntry {
        lastID += 1
        let entry = HistoryEntry(id: lastID, call: call, isNew: isNew, hasText: !text.lines.isEmpty)
        if entry.hasText { texts[lastID] = text }
        entries.insert(entry, at: 0)
        return entry
    }

    private static func seen(_ entry: HistoryEntry) -> HistoryEntry {
        HistoryEntry(id: entry.id, call: entry.call, isNew: false, hasText: entry.hasText)
    }

    private func takeTrouble() -> StoreError? {
        guard case .damaged = trouble else { return trouble }
        defer { trouble = nil }
        (entries, deleted, texts, openTexts) = ([], [], [:], [:])
        return trouble
    }

    private func tried<Value>(_ body: () -> Value) -> Result<Value, StoreError> {
        if let trouble = takeTrouble() { return .failure(trouble) }
        return .success(body())
    }

    private func found(by query: HistoryQuery, count: Int) -> [HistoryEntry] {
        queries.append((query, count))
        let finder = HistoryFinder(query)
        return entries.filter { finder.finds($0.call, texts[$0.id] ?? KeptCallText()) }
    }

    private func takeText(of call: TextCall?) -> KeptCallText {
        guard let call, let parts = openTexts.removeValue(forKey: call.number)?.parts else {
            return KeptCallText()
        }
        let lines = parts.sorted { $0.place < $1.place }.compactMap { part -> KeptCallText.Line? in
            guard case .line(let side, let text) = part.content, !text.isEmpty else { return nil }
            return .init(side, text)
        }
        return KeptCallText(lines: lines, isCut: parts.contains { $0.content == .cut })
    }
}

extension MemoryHistoryStore {
    /// Stores a call; a missed one is new.
    public func add(
        _ call: PastCall, textOf text: TextCall?,
        completion: @escaping @MainActor (Result<HistoryEntry, StoreError>) -> Void
    ) {
        work.later { [self] in
            completion(tried { put(call, isNew: call.isMissed, text: takeText(of: text)) })
        }
    }

    /// Keeps parts of the text of a call that goes on.
    public func keep(
        _ parts: [TextPart], of call: TextCall,
        completion: @escaping @MainActor (Result<Void, StoreError>) -> Void
    ) {
        work.later { [self] in
            completion(
                tried {
                    textWrites += 1
                    var all = openTexts[call.number]?.parts ?? []
                    all.removeAll { old in parts.contains { $0.place == old.place } }
                    openTexts[call.number] = (call, all + parts)
                })
        }
    }

    /// Forgets the text of a call that goes on.
    public func forgetText(
        of call: TextCall, completion: @escaping @MainActor (Result<Void, StoreError>) -> Void
    ) {
        work.later { [self] in completion(tried { openTexts[call.number] = nil }) }
    }

    /// Stores the calls with text that were not stored.
    public func addInterrupted(
        reason: String, completion: @escaping @MainActor (Result<Int, StoreError>) -> Void
    ) {
        work.later { [self] in
            completion(
                tried {
                    let open = openTexts.values.sorted { $0.call.number < $1.call.number }
                    for (call, parts) in open {
                        let last = parts.map(\.time).max() ?? call.began
                        let past = call.interrupted(at: last, reason: reason)
                        put(past, isNew: past.isMissed, text: takeText(of: call))
                    }
                    return open.count
                })
        }
    }

    /// Returns the text of an entry.
    public func text(of id: Int64) async throws(StoreError) -> KeptCallText {
        try await work.answer { [self] in tried { texts[id] ?? KeptCallText() } }
    }

    /// Returns up to `count` of the entries that match a query, from below an id on, newest first.
    public func entries(_ query: HistoryQuery, below id: Int64?, count: Int) async throws(StoreError)
        -> [HistoryEntry]
    {
        try await work.answer { [self] in
            tried { Array(found(by: query, count: count).filter { $0.id < id ?? .max }.prefix(count)) }
        }
    }

    /// Returns up to `count` of the entries that match a query, from an id upwards, oldest first.
    public func entries(_ query: HistoryQuery, from id: Int64, count: Int) async throws(StoreError)
        -> [HistoryEntry]
    {
        try await work.answer { [self] in
            tried { Array(found(by: query, count: count).filter { $0.id >= id }.reversed().prefix(count)) }
        }
    }

    /// Returns the number of new missed calls.
    public func newMissedCalls() async throws(StoreError) -> Int {
        try await work.answer { [self] in tried { entries.count(where: \.isNew) } }
    }

    /// Returns the far end of the newest outgoing call that has a number or an address.
    public func lastDialled() async throws(StoreError) -> RemoteParty? {
        try await work.answer { [self] in
            tried {
                entries.map(\.call).first {
                    $0.direction == .outgoing && !($0.remote.number.isEmpty && $0.remote.address.isEmpty)
                }?.remote
            }
        }
    }

    /// Marks all missed calls as seen.
    public func markSeen(completion: @escaping @MainActor (Result<Void, StoreError>) -> Void) {
        work.later { [self] in
            completion(
                tried {
                    seen += 1
                    entries = entries.map(Self.seen)
                    deleted = deleted.map(Self.seen)
                })
        }
    }

    /// Deletes entries, so that no query finds them.
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

    /// Restores those of the entries that were deleted and not yet purged.
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

    /// Purges those of the entries that were deleted.
    public func forget(_ ids: [Int64], completion: @escaping @MainActor (Result<Void, StoreError>) -> Void) {
        work.later { [self] in
            completion(
                tried {
                    forgotten += 1
                    for entry in deleted where ids.contains(entry.id) { texts[entry.id] = nil }
                    deleted.removeAll { ids.contains($0.id) }
                })
        }
    }
}

/// A linear search for the calls that match a query.
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

    func finds(_ call: PastCall, _ kept: KeptCallText) -> Bool {
        if query.isMissedOnly, !call.isMissed { return false }
        if text.isEmpty { return true }
        if let key = NumberKey(call.remote.number), query.numbers.contains(key) { return true }
        if !digits.isEmpty, call.remote.number.text.contains(digits) { return true }
        if query.findsLines, kept.lines.contains(where: { $0.text.lowercased().contains(text) }) {
            return true
        }
        return call.remote.displayName.lowercased().contains(text)
            || call.remote.address.lowercased().contains(text)
    }
}
