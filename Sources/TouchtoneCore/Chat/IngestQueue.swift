// SPDX-License-Identifier: GPL-3.0-or-later

/// What services tell of messages, on its way into the store.
///
/// What comes while the store is busy goes in together. What the store does not take, since the disk is full, is kept
/// here and tried again, before anything that came later: nothing is passed over, and nothing is acknowledged to the
/// server that is not kept. Where so much waits here that it would fill the memory next, no more is to be told.
@MainActor
final class IngestQueue {
    private let store: any MessageStore
    private let clock: any Scheduler
    private let took: @MainActor (MessageChanges) -> Void
    private let refused: @MainActor (StoreError) -> Void

    /// Facts of one account, in order.
    private struct Run {
        let account: ChatAddress?
        var facts: [MessageUpdate]
    }
    private var runs: [Run] = []
    /// Told that no more is to be told for now, or again.
    private let crowded: @MainActor (Bool) -> Void
    private var isCrowded = false
    /// How much memory those take that wait, in bytes, about.
    private var size = 0
    /// How many facts came, and how many of them are kept, since the beginning.
    private var (received, kept) = (0, 0)
    private var (isBusy, isComing) = (false, false)
    /// Whether nothing will be kept in this run, as long as it may last.
    private var isClosed = false
    private var pause: Duration?
    private lazy var retrying = DeadlineTimer(clock: clock) { [weak self] in self?.work() }
    private var waitingForDisk: [(count: Int, completion: @MainActor () -> Void)] = []
    private var waitingForTurn: [(count: Int, completion: @MainActor () -> Void)] = []

    /// So many facts go in at a time, so that a long catch-up is shown as it comes.
    static let batch = 500
    /// The most bytes of facts that wait: with more, none are to be told until half of them are kept.
    static let maximumBytes = 8 << 20

    init(
        store: any MessageStore, clock: any Scheduler,
        took: @escaping @MainActor (MessageChanges) -> Void,
        refused: @escaping @MainActor (StoreError) -> Void,
        crowded: @escaping @MainActor (Bool) -> Void
    ) {
        (self.store, self.clock, self.took, self.refused) = (store, clock, took, refused)
        self.crowded = crowded
    }

    func add(_ facts: [MessageUpdate], of account: ChatAddress?) {
        received += facts.count
        guard !isClosed, !facts.isEmpty else { return }
        resize(by: facts.reduce(0) { $0 + $1.size })
        if let last = runs.indices.last, runs[last].account == account {
            runs[last].facts += facts
        } else {
            runs.append(Run(account: account, facts: facts))
        }
        guard pause == nil, !isBusy, !isComing else { return }
        // What is told in one go is kept in one go: of what came and was seen elsewhere nobody is told first.
        isComing = true
        Task {
            isComing = false
            if pause == nil { work() }
        }
    }

    /// Tries at once what the store did not take, since it takes something again.
    func retry() {
        guard pause != nil else { return }
        work()
    }

    /// Calls back when all that came so far is on the disk.
    func whenKept(_ completion: @escaping @MainActor () -> Void) {
        guard kept < received else { return store.flush(completion) }
        waitingForDisk.append((received, completion))
    }

    /// Calls back when all that came so far has gone to the store once, whether it took it or not.
    func whenTried(_ completion: @escaping @MainActor () -> Void) {
        guard kept < received, pause == nil else { return completion() }
        waitingForTurn.append((received, completion))
    }

    private func work() {
        guard !isBusy, let run = runs.first else { return }
        isBusy = true
        retrying.set(for: nil)
        let batch = Array(run.facts.prefix(Self.batch))
        store.apply(batch, of: run.account) { [weak self] result in self?.end(batch.count, result) }
    }

    private func end(_ count: Int, _ result: Result<MessageChanges, StoreError>) {
        isBusy = false
        switch result {
        case .success(let changes):
            resize(by: -runs[0].facts.prefix(count).reduce(0) { $0 + $1.size })
            runs[0].facts.removeFirst(count)
            if runs[0].facts.isEmpty { runs.removeFirst() }
            kept += count
            pause = nil
            took(changes)
            callBack()
            work()
        case .failure(let error):
            let next = min(
                pause.map { $0 * 2 } ?? ChatTiming.retries.lowerBound, ChatTiming.retries.upperBound)
            pause = next
            refused(error)
            callBack()
            // A store that is of a newer Touchtone stays so while this one runs.
            isClosed = error == .newer
            if isClosed {
                runs = []
                resize(by: -size)
            } else {
                retrying.set(for: clock.now + next)
            }
        }
    }

    private func resize(by change: Int) {
        size += change
        let isFull = isCrowded ? size > Self.maximumBytes / 2 : size > Self.maximumBytes
        guard isFull != isCrowded else { return }
        isCrowded = isFull
        crowded(isFull)
    }

    private func callBack() {
        let onDisk = waitingForDisk.filter { $0.count <= kept }
        waitingForDisk.removeAll { $0.count <= kept }
        for entry in onDisk { store.flush(entry.completion) }
        let inTurn = waitingForTurn.filter { $0.count <= kept || pause != nil }
        waitingForTurn.removeAll { $0.count <= kept || pause != nil }
        for entry in inTurn { entry.completion() }
    }
}

extension MessageUpdate {
    /// How much memory it takes, in bytes, about.
    fileprivate var size: Int {
        let text =
            switch self {
            case .composed(let message): message.text.utf8.count
            case .corrected(_, _, let text, _): text.utf8.count
            case .received(let message): message.text.utf8.count
            case .archived(let piece): piece.messages.reduce(0) { $0 + $1.text.utf8.count + 400 }
            case .failed(_, _, let reason): reason.utf8.count
            case .acknowledged, .delivered, .read, .retried, .postponed, .seen: 0
            }
        return text + 400
    }
}
