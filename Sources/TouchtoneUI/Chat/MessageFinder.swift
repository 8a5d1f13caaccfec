// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The search in messages while somebody types: each search cancels the one before it.
@MainActor
final class MessageFinder {
    /// Called when a search has ended.
    var onChange: (@MainActor () -> Void)?
    private(set) var found: [FoundMessage] = []
    /// Whether there are more messages than those that are found so far.
    private(set) var hasMore = false
    /// Whether the messages could not be searched.
    private(set) var hasFailed = false
    /// Whether a search is in progress.
    var isSearching: Bool { task != nil }

    private let messenger: Messenger
    private var task: Task<Void, Never>?
    private var words = ""
    private var scope: ConversationID?
    /// The messages that are gone since the search in progress began, which may have found them before.
    private var gone: Set<Int64> = []

    /// The number of messages that a search finds at first, and more each time; and in all.
    static let (step, maximum) = (50, 1000)

    init(_ messenger: Messenger) { self.messenger = messenger }

    /// Searches one conversation, or all of them for nil; without words, it finds nothing.
    func find(_ words: String, in scope: ConversationID?) {
        (self.words, self.scope) = (words, scope)
        search(upTo: Self.step)
    }

    /// Searches for more of the same.
    func findMore() { if hasMore { search(upTo: found.count + Self.step) } }

    /// Cancels the search in progress, and keeps what was found before it.
    func cancel() {
        task?.cancel()
        task = nil
    }

    /// Cancels the search in progress, and forgets what was found before it.
    func stop() {
        cancel()
        (found, hasMore, hasFailed) = ([], false, false)
    }

    /// Removes messages that are gone; returns whether any of them was found.
    func forget(_ messages: Set<Int64>) -> Bool {
        gone.formUnion(messages)
        let count = found.count
        found.removeAll { messages.contains($0.id) }
        return found.count < count
    }

    private func search(upTo count: Int) {
        task?.cancel()
        gone = []
        guard words.contains(where: { !$0.isWhitespace }) else {
            stop()
            onChange?()
            return
        }
        task = Task { [weak self, messenger, words, scope] in
            do throws(StoreError) {
                let found = try await messenger.search(words, in: scope, count: count + 1)
                if !Task.isCancelled { self?.end(found, upTo: count) }
            } catch {
                if !Task.isCancelled { self?.end(nil, upTo: count) }
            }
        }
    }

    private func end(_ found: [FoundMessage]?, upTo count: Int) {
        task = nil
        self.found = (found ?? []).prefix(count).filter { !gone.contains($0.id) }
        (hasMore, hasFailed) = (found?.count ?? 0 > count && count < Self.maximum, found == nil)
        onChange?()
    }
}
