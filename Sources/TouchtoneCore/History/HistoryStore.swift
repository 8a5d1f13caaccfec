// SPDX-License-Identifier: GPL-3.0-or-later

/// Keeps the history of calls.
///
/// Nothing here holds the main thread up. Calls take effect in the order in which they are made; one that has ended well
/// is on the disk, and outlives the program's being killed.
@MainActor
public protocol HistoryStore: AnyObject {
    /// Keeps a call; a missed one is new.
    func add(_ call: PastCall, completion: @escaping @MainActor (Result<HistoryEntry, StoreError>) -> Void)
    /// Up to `count` of the entries that a query finds, from below an id on (nil: from the newest on), the newest first.
    func entries(_ query: HistoryQuery, below id: Int64?, count: Int) async throws(StoreError)
        -> [HistoryEntry]
    /// Up to `count` of the entries that a query finds, from an id upwards, it included, the **oldest** first.
    func entries(_ query: HistoryQuery, from id: Int64, count: Int) async throws(StoreError) -> [HistoryEntry]
    /// How many missed calls are new.
    func newMissedCalls() async throws(StoreError) -> Int
    /// The number of the newest outgoing call that has one; nil where there is none.
    func lastDialled() async throws(StoreError) -> DialledNumber?
    /// No missed call is new any more.
    func markSeen(completion: @escaping @MainActor (Result<Void, StoreError>) -> Void)
    /// Takes entries away, so that no query finds them, and gives the ids of those that were there, each once.
    ///
    /// They can be brought back by `restore` until they are forgotten, or until the program has ended.
    func delete(
        _ which: HistorySelection, completion: @escaping @MainActor (Result<[Int64], StoreError>) -> Void)
    /// Brings back those of these entries that were deleted and not forgotten yet.
    func restore(_ ids: [Int64], completion: @escaping @MainActor (Result<Void, StoreError>) -> Void)
    /// Overwrites those of these entries that were deleted: nothing of them is left in the file.
    func forget(_ ids: [Int64], completion: @escaping @MainActor (Result<Void, StoreError>) -> Void)
}

/// Which entries of the history are wanted.
public struct HistoryQuery: Hashable, Sendable {
    /// What was typed: a part of a name, of a number or of an address, in any case; empty is all.
    public var text: String
    /// Numbers of people who are called by what was typed: entries of these are found too, by `NumberKey`.
    public var numbers: [NumberKey]
    /// Only missed calls.
    public var isMissedOnly: Bool

    /// Creates a query; as it is without arguments it finds all.
    public init(text: String = "", numbers: [NumberKey] = [], isMissedOnly: Bool = false) {
        (self.text, self.numbers, self.isMissedOnly) = (text, numbers, isMissedOnly)
    }
}

/// Which entries are to be deleted.
public enum HistorySelection: Hashable, Sendable {
    /// These.
    case entries([Int64])
    /// All there are, whatever is shown.
    case all
}
