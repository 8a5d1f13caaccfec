// SPDX-License-Identifier: GPL-3.0-or-later

/// The health of a store: its last error, for all kinds of data in it.
///
/// Messages, calls and contacts are in one file, so an error of one of them concerns all.
@MainActor
public final class StoreHealth {
    /// A change that observers are notified of.
    public enum Change: Hashable, Sendable {
        /// The store has lost its data and was reset: all data must be read again.
        case damage
        /// The result of `error(of:)` changed.
        case error
    }

    private var lastError: StoreError?
    private var dismissed: Set<StoredDataKind> = []
    private let observers = Observers<Change>()

    /// Creates the health of a store without errors.
    public init() {}

    /// Calls `body` after each change for as long as `owner` exists.
    public func observe(by owner: AnyObject, _ body: @escaping @MainActor (Change) -> Void) {
        observers.add(owner, body)
    }

    /// Returns the error to show for a kind of data; nil if there is none, or the user has dismissed it.
    ///
    /// `StoreError.text(of:)` returns its text.
    public func error(of kind: StoredDataKind) -> StoreError? { dismissed.contains(kind) ? nil : lastError }

    /// Dismisses the error for a kind of data, until an operation on that data fails again.
    public func dismiss(_ kind: StoredDataKind) {
        if dismissed.insert(kind).inserted { observers.notify(.error) }
    }

    /// Records that an operation on a kind of data has failed.
    func record(_ error: StoreError, of kind: StoredDataKind) {
        let isDamage = if case .damaged = error { true } else { false }
        guard isDamage || error != lastError || dismissed.contains(kind) else { return }
        if error == lastError { dismissed.remove(kind) } else { (lastError, dismissed) = (error, []) }
        // A store reports its damage once for each kind of data, as that is used for the first time.
        if isDamage { observers.notify(.damage) }
        observers.notify(.error)
    }

    /// Records that a change has succeeded, which disproves other errors than damage.
    func recordSuccess() {
        switch lastError {
        case .full, .failed:
            (lastError, dismissed) = (nil, [])
            observers.notify(.error)
        case .damaged, .newer, nil: break
        }
    }
}
