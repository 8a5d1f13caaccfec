// SPDX-License-Identifier: GPL-3.0-or-later

/// Who is told of changes, as long as they are there.
@MainActor
final class Followers<Change> {
    private struct Follower {
        weak var owner: AnyObject?
        let body: @MainActor (Change) -> Void
    }
    private var followers: [Follower] = []

    func add(_ owner: AnyObject, _ body: @escaping @MainActor (Change) -> Void) {
        followers.append(Follower(owner: owner, body: body))
    }

    /// Tells all who are there; one of them may begin to follow meanwhile, or go.
    func tell(_ change: Change) {
        followers.removeAll { $0.owner == nil }
        for follower in followers where follower.owner != nil { follower.body(change) }
    }
}
