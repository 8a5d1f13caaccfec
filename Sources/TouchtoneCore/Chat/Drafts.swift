// SPDX-License-Identifier: GPL-3.0-or-later

/// What is typed and not sent, for each buddy; kept a moment after it was changed.
@MainActor
final class Drafts {
    private let store: any MessageStore
    private let clock: any Scheduler
    private var drafts: [ChatAddress: String] = [:]
    private var unsaved: Set<ChatAddress> = []
    /// Those whose draft on the disk is to stay as it is for now.
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
            // The first change sets the timer: it is not put off for ever by more of them.
            if unsaved.isEmpty { timer.set(for: clock.now + ChatTiming.draft) }
            unsaved.insert(buddy)
        }
    }

    /// Takes over what was kept; what was typed since the start counts more.
    ///
    /// - Returns: whose drafts are there now.
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

    /// Keeps what is typed, and begins anew with the drafts of another account; the exchange's stays.
    func change() {
        for buddy in unsaved { store.saveDraft(self[buddy], for: buddy) }
        (unsaved, held) = ([], [:])
        drafts = drafts.filter { $0.key == .operatorAddress }
        timer.set(for: nil)
    }

    /// What was kept is lost: all are kept again.
    func keepAgain() {
        unsaved.formUnion(drafts.keys)
        if !unsaved.isEmpty { timer.set(for: clock.now + ChatTiming.draft) }
    }

    func saveAll() {
        for buddy in unsaved { save(buddy) }
        timer.set(for: nil)
    }
}
