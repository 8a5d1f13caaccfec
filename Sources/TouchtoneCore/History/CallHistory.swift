// SPDX-License-Identifier: GPL-3.0-or-later

/// The calls that were, as a list shows them: the run of entries in memory, around what is looked at.
@MainActor
public final class CallHistory {
    /// What has changed.
    public enum Change: Hashable, Sendable {
        /// `window` is another.
        case entries
        /// `missed` is another.
        case missed
        /// `trouble` is another.
        case trouble
        /// `deleted` is another.
        case deleted
    }

    /// How many entries of the window there are at most.
    static let longestWindow = 300

    /// A run of the entries that the query finds, the newest first.
    public private(set) var window: [HistoryEntry] = []
    /// Whether the query finds older ones than the window has.
    public private(set) var hasOlder = false
    /// Whether the query finds newer ones than the window has.
    public private(set) var hasNewer = false
    /// Whether the first answer to the query has come: an empty window is an empty history then.
    public private(set) var isLoaded = false
    /// How many missed calls nobody has looked at.
    public private(set) var missed = 0
    /// How many entries were deleted last, and can be brought back; 0 is none.
    public private(set) var deleted = 0
    /// What could not be kept or found, until it is dismissed.
    public private(set) var trouble: StoreError?

    /// What is looked for: a part of a name or number; empty is all.
    public var text = "" { didSet { if text != oldValue { reload() } } }
    /// Whether missed calls alone are shown.
    public var isMissedOnly = false { didSet { if isMissedOnly != oldValue { reload() } } }
    /// Whether somebody looks at the list: what is missed is seen then.
    public var isLookedAt = false

    private let store: any HistoryStore
    private let contacts: ContactBook?
    private let wall: any WallClock
    private let followers = Followers<Change>()

    /// Creates a history that has read nothing yet.
    public init(store: any HistoryStore, contacts: ContactBook?, wall: any WallClock) {
        (self.store, self.contacts, self.wall) = (store, contacts, wall)
    }

    /// Has somebody told of changes, as long as they are there.
    public func follow(_ owner: AnyObject, _ body: @escaping @MainActor (Change) -> Void) {
        followers.add(owner, body)
    }

    /// Reads how many calls were missed; the entries are read when a list first asks, by `open`.
    public func start() {}
    /// Reads the newest entries, if none were read yet.
    public func open() {}
    /// Reads what the query finds anew, from the newest on.
    public func reload() {}
    /// Reads older entries than the window has.
    public func loadOlder() {}
    /// Reads newer entries than the window has.
    public func loadNewer() {}
    /// Keeps a call that is over.
    public func note(_ record: CallRecord) {}
    /// The entry, if the window has it.
    public func entry(_ id: Int64) -> HistoryEntry? { nil }
    /// What the far end of a call is called now: as in the book of contacts, or as it was kept; empty where nobody knows.
    public func name(of call: PastCall) -> String { "" }
    /// Deletes an entry, for which it can be brought back.
    public func delete(_ id: Int64) {}
    /// Deletes all entries, for which they can be brought back.
    public func deleteAll() {}
    /// Brings back what was deleted last.
    public func restoreDeleted() {}
    /// Forgets for good what was deleted: nobody can bring it back any more.
    public func forgetDeleted() {}
    /// What was said of the last trouble was read.
    public func dismissTrouble() {}
    /// The whole history as CSV (RFC 4180), the newest first, for a file.
    public func csv() async throws(StoreError) -> [UInt8] { [] }
}
