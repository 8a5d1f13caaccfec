// SPDX-License-Identifier: GPL-3.0-or-later

/// The queue of message updates from the services to the store.
///
/// Updates that arrive while the store is busy are saved together. Updates that the store rejects, because the disk is
/// full, stay in the queue and are retried before any later ones: none is skipped, and nothing is acknowledged to the
/// server before it is saved. When the queue holds too much data, it asks the services to pause.
@MainActor
final class IngestQueue {
    private let store: any MessageStore
    private let clock: any Scheduler
    private let took: @MainActor (MessageChanges) -> Void
    private let refused: @MainActor (StoreError) -> Void

    /// Consecutive updates of one account.
    private struct Run {
        let account: ChatAddress?
        var updates: [MessageUpdate]
    }
    private var runs: [Run] = []
    private let crowded: @MainActor (Bool) -> Void
    private var isCrowded = false
    /// The approximate memory use of the queue, in bytes.
    private var size = 0
    /// The number of updates received and saved since the start.
    private var (received, kept) = (0, 0)
    private var (isBusy, isComing) = (false, false)
    /// Whether the store will save nothing more in this run.
    private var isClosed = false
    private var pause: Duration?
    private lazy var retrying = DeadlineTimer(clock: clock) { [weak self] in self?.work() }
    private var waitingForDisk: [(count: Int, completion: @MainActor () -> Void)] = []
    private var waitingForTurn: [(count: Int, completion: @MainActor () -> Void)] = []

    /// The maximum number of updates in a transaction, so that a long catch-up is shown as it progresses.
    static let batch = 500
    /// The size of the queue, in bytes, above which services must pause, until half of it is saved.
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

    func add(_ updates: [MessageUpdate], of account: ChatAddress?) {
        received += updates.count
        guard !isClosed, !updates.isEmpty else { return }
        resize(by: updates.reduce(0) { $0 + $1.size })
        if let last = runs.indices.last, runs[last].account == account {
            runs[last].updates += updates
        } else {
            runs.append(Run(account: account, updates: updates))
        }
        guard pause == nil, !isBusy, !isComing else { return }
        // Save all updates of one main loop turn together: a message that was also seen on another device must not
        // cause a notification.
        isComing = true
        Task {
            isComing = false
            if pause == nil { work() }
        }
    }

    /// Retries rejected updates at once, because the store accepts writes again.
    func retry() {
        guard pause != nil else { return }
        work()
    }

    /// Calls `completion` when all updates received so far are on the disk.
    func whenKept(_ completion: @escaping @MainActor () -> Void) {
        guard kept < received else { return store.flush(completion) }
        waitingForDisk.append((received, completion))
    }

    /// Calls `completion` when all updates received so far have been passed to the store once, saved or rejected.
    func whenTried(_ completion: @escaping @MainActor () -> Void) {
        guard kept < received, pause == nil else { return completion() }
        waitingForTurn.append((received, completion))
    }

    private func work() {
        guard !isBusy, let run = runs.first else { return }
        isBusy = true
        retrying.set(for: nil)
        let batch = Array(run.updates.prefix(Self.batch))
        store.apply(batch, of: run.account) { [weak self] result in self?.end(batch.count, result) }
    }

    private func end(_ count: Int, _ result: Result<MessageChanges, StoreError>) {
        isBusy = false
        switch result {
        case .success(let changes):
            resize(by: -runs[0].updates.prefix(count).reduce(0) { $0 + $1.size })
            runs[0].updates.removeFirst(count)
            if runs[0].updates.isEmpty { runs.removeFirst() }
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
            // A store from a newer version of Touchtone stays unusable for the whole run.
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
    /// The approximate memory use, in bytes.
    fileprivate var size: Int {
        let text =
            switch self {
            case .composed(let message): message.content.size
            case .corrected(_, _, let text, _): text.utf8.count
            case .received(let message): message.content.size
            case .archived(let piece): piece.messages.reduce(0) { $0 + $1.content.size + 400 }
            case .annotated(let annotation), .annotatedHere(let annotation): annotation.kind.textSize
            case .failed(_, _, let reason): reason.utf8.count
            case .thumbnail(let text, _, _): text.utf8.count
            case .deletedHere, .acknowledged, .delivered, .read, .readInRoom, .retried, .uploaded, .cancelled,
                .protected, .protectedWaiting, .postponedWaiting, .seen:
                0
            }
        return text + 400
    }
}

extension MessageContent {
    fileprivate var size: Int {
        fallbacks.reduce(text.utf8.count) { $0 + $1.namespace.utf8.count + 40 } + files.count * 400
    }
}

extension MessageAnnotation.Kind {
    fileprivate var textSize: Int {
        switch self {
        case .reaction(let emoji): emoji.reduce(0) { $0 + $1.utf8.count }
        case .moderation(let reason): reason.utf8.count
        case .retraction: 0
        }
    }
}
