// SPDX-License-Identifier: GPL-3.0-or-later

/// A store of the call history; no method blocks the main thread.
///
/// Calls take effect in their order; a call that succeeded is on the disk.
@MainActor
public protocol HistoryStore: AnyObject {
    var health: StoreHealth { get }
    /// Saves a call; a missed one is new.
    ///
    /// - Parameter text: The call in which text was kept, which is then the text of the saved call; nil for none.
    func add(
        _ call: PastCall, textOf text: TextCall?,
        completion: @escaping @MainActor (Result<HistoryEntry, StoreError>) -> Void)
    /// Returns up to `count` entries that match a query, below an id or for nil from the newest on, newest first.
    func entries(_ query: HistoryQuery, below id: Int64?, count: Int) async throws(StoreError)
        -> [HistoryEntry]
    /// Returns up to `count` entries that match a query, from an id upwards and including it, **oldest** first.
    func entries(_ query: HistoryQuery, from id: Int64, count: Int) async throws(StoreError) -> [HistoryEntry]
    func newMissedCalls() async throws(StoreError) -> Int
    /// Returns the far end of the newest outgoing call that has a number or an address; nil if there is none.
    func lastDialled() async throws(StoreError) -> RemoteParty?
    func markSeen(completion: @escaping @MainActor (Result<Void, StoreError>) -> Void)
    /// Deletes entries until they are restored, purged or the app quits, and passes on the ids of those that
    /// existed.
    func delete(
        _ which: HistorySelection, completion: @escaping @MainActor (Result<[Int64], StoreError>) -> Void)
    /// Restores those of the entries that were deleted and not purged.
    func restore(_ ids: [Int64], completion: @escaping @MainActor (Result<Void, StoreError>) -> Void)
    /// Overwrites those of the entries that were deleted: nothing of them is left in the file.
    func forget(_ ids: [Int64], completion: @escaping @MainActor (Result<Void, StoreError>) -> Void)

    /// Keeps parts of the text of a call that goes on; a part takes the place of an earlier one in the same place.
    func keep(
        _ parts: [TextPart], of call: TextCall,
        completion: @escaping @MainActor (Result<Void, StoreError>) -> Void)
    /// Overwrites the text that was kept of a call that goes on.
    func forgetText(
        of call: TextCall, completion: @escaping @MainActor (Result<Void, StoreError>) -> Void)
    /// Saves the calls with text that an earlier run of the program has not saved, and passes on their number.
    ///
    /// - Parameter reason: Why these calls ended, in words.
    func addInterrupted(
        reason: String, completion: @escaping @MainActor (Result<Int, StoreError>) -> Void)
    /// Returns the text of an entry; empty if there is none.
    func text(of id: Int64) async throws(StoreError) -> KeptCallText
}

extension HistoryStore {
    /// Saves a call without text; a missed one is new.
    public func add(
        _ call: PastCall, completion: @escaping @MainActor (Result<HistoryEntry, StoreError>) -> Void
    ) {
        add(call, textOf: nil, completion: completion)
    }
}

public struct HistoryQuery: Hashable, Sendable {
    /// The search text: a part of a name, number or address, ignoring case; empty matches all.
    public var text: String
    /// The numbers of contacts that match the search text: entries with these numbers match too.
    public var numbers: [NumberKey]
    /// Whether only missed calls match.
    public var isMissedOnly: Bool
    /// Whether calls match in which a line with the search text was typed: it does not tell who the far end is.
    public var findsLines: Bool

    public init(
        text: String = "", numbers: [NumberKey] = [], isMissedOnly: Bool = false, findsLines: Bool = false
    ) {
        (self.text, self.numbers) = (text, numbers)
        (self.isMissedOnly, self.findsLines) = (isMissedOnly, findsLines)
    }
}

public enum HistorySelection: Hashable, Sendable {
    case entries([Int64])
    /// All entries, regardless of the query.
    case all
}
