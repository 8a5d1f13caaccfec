// SPDX-License-Identifier: GPL-3.0-or-later

/// Who is told of changes, as long as they are there.
@MainActor
final class Observers<Change> {
    private struct Observer {
        weak var owner: AnyObject?
        let body: @MainActor (Change) -> Void
    }
    private var observers: [Observer] = []

    func add(_ owner: AnyObject, _ body: @escaping @MainActor (Change) -> Void) {
        observers.append(Observer(owner: owner, body: body))
    }

    /// Tells all who are there; one of them may begin to follow meanwhile, or go.
    func notify(_ change: Change) {
        observers.removeAll { $0.owner == nil }
        for observer in observers where observer.owner != nil { observer.body(change) }
    }
}
