// SPDX-License-Identifier: GPL-3.0-or-later

/// The last error of a store, for all kinds of data in it, because they are in one file.
@MainActor
public final class StoreHealth {
    public enum Change: Hashable, Sendable {
        /// The store has lost its data and was reset: all data must be read again.
        case damage
        /// The result of `error(of:)` changed.
        case error
    }

    private var lastError: StoreError?
    private var dismissed: Set<StoredDataKind> = []
    private let observers = Observers<Change>()

    public init() {}

    public func observe(by owner: AnyObject, _ body: @escaping @MainActor (Change) -> Void) {
        observers.add(owner, body)
    }

    /// Returns the error to show for a kind of data; nil if there is none, or the user has dismissed it.
    public func error(of kind: StoredDataKind) -> StoreError? { dismissed.contains(kind) ? nil : lastError }

    /// Dismisses the error for a kind of data, until an operation on that data fails again.
    public func dismiss(_ kind: StoredDataKind) {
        if dismissed.insert(kind).inserted { observers.notify(.error) }
    }

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
