// SPDX-License-Identifier: GPL-3.0-or-later

/// Weakly held observers and the closures that notify them.
@MainActor
public final class Observers<Change> {
    private struct Observer {
        weak var owner: AnyObject?
        let body: @MainActor (Change) -> Void
    }
    private var observers: [Observer] = []

    public init() {}

    /// Adds a closure that is called as long as `owner` exists.
    public func add(_ owner: AnyObject, _ body: @escaping @MainActor (Change) -> Void) {
        observers.append(Observer(owner: owner, body: body))
    }

    /// Notifies all observers that still exist; one may be added or released meanwhile.
    public func notify(_ change: Change) {
        observers.removeAll { $0.owner == nil }
        for observer in observers where observer.owner != nil { observer.body(change) }
    }
}
