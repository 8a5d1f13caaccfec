// SPDX-License-Identifier: GPL-3.0-or-later

/// The loads of a list, one at a time.
@MainActor
final class LoadQueue<Load: Sendable> {
    private(set) var isLoading = false
    /// The load that follows the present one.
    private(set) var next: Load?

    /// Performs a load at once, or after the present one, if it may follow that in place of the next one.
    func add(
        _ load: Load, mayReplace: (Load?) -> Bool, perform: @escaping @MainActor (Load) async -> Void
    ) {
        guard !isLoading else {
            if mayReplace(next) { next = load }
            return
        }
        isLoading = true
        Task {
            await perform(load)
            isLoading = false
            guard let following = next else { return }
            next = nil
            add(following, mayReplace: { _ in true }, perform: perform)
        }
    }
}
