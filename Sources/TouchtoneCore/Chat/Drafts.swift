// SPDX-License-Identifier: GPL-3.0-or-later

/// The unsent text for each buddy, saved shortly after a change.
@MainActor
final class Drafts {
    private let store: any MessageStore
    private let clock: any Scheduler
    private var drafts: [ChatAddress: String] = [:]
    private var unsaved: Set<ChatAddress> = []
    /// The buddies whose saved draft must not change for now, with the number of holds.
    private var held: [ChatAddress: Int] = [:]
    private lazy var timer = DeadlineTimer(clock: clock) { [weak self] in self?.saveAll() }

    init(store: any MessageStore, clock: any Scheduler) {
        self.store = store
        self.clock = clock
    }

    subscript(_ buddy: ChatAddress) -> String {
        get { drafts[buddy] ?? "" }
        set {
            guard newValue != self[buddy] else { return }
            drafts[buddy] = newValue.isEmpty ? nil : newValue
            // Only the first change sets the timer, so that continued typing cannot postpone the save.
            if unsaved.isEmpty { timer.set(for: clock.now + ChatTiming.draft) }
            unsaved.insert(buddy)
        }
    }

    /// Applies the saved drafts, unless a text was typed since the start; returns the buddies of these.
    func load(_ kept: [ChatAddress: String]) -> Set<ChatAddress> {
        let new = kept.filter { drafts[$0.key] == nil && !unsaved.contains($0.key) }
        drafts.merge(new) { now, _ in now }
        return Set(new.keys)
    }

    func hold(_ buddy: ChatAddress) { held[buddy, default: 0] += 1 }

    func release(_ buddy: ChatAddress) {
        held[buddy] = held[buddy].flatMap { $0 > 1 ? $0 - 1 : nil }
        save(buddy)
    }

    func save(_ buddy: ChatAddress) {
        guard held[buddy] == nil, unsaved.remove(buddy) != nil else { return }
        store.saveDraft(self[buddy], for: buddy)
    }

    /// Saves the drafts, and discards all but the Operator’s, before a change of account.
    func change() {
        for buddy in unsaved { store.saveDraft(self[buddy], for: buddy) }
        (unsaved, held) = ([], [:])
        drafts = drafts.filter { $0.key == .operatorAddress }
        timer.set(for: nil)
    }

    /// Schedules all drafts to be saved again after the store has lost them.
    func keepAgain() {
        unsaved.formUnion(drafts.keys)
        if !unsaved.isEmpty { timer.set(for: clock.now + ChatTiming.draft) }
    }

    func saveAll() {
        for buddy in unsaved { save(buddy) }
        timer.set(for: nil)
    }
}
