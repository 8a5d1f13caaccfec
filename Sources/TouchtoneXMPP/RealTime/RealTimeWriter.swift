// SPDX-License-Identifier: GPL-3.0-or-later

/// The user's side of real-time text: the elements for what the user types (XEP-0301 section 4).
struct RealTimeWriter: Hashable, Sendable {
    /// The time between two elements.
    static let interval = Duration.milliseconds(700)
    /// The time after which a text that is still being changed is repeated from its beginning.
    static let refresh = Duration.seconds(10)
    /// The greatest number of changes that are told one by one; more are told as one.
    static let maximumChanges = 40

    private enum Stage: Hashable {
        /// The device knows of no text.
        case none
        /// The device may know another text, or none.
        case lost
        /// The device knows the text since a repetition at this time.
        case known(since: Duration)
    }

    private var stage = Stage.none
    /// The text that the device knows, and the user's.
    private var (told, typed) = (RealTimeDraft(), RealTimeDraft())
    private var changes: [RealTimeAction] = []
    private var changeCount = 0
    /// The time of the last element, and of the last change.
    private var (lastTold, lastTyped): (Duration?, Duration?)
    private var sequence: Int

    /// - Parameter sequence: The number of the first element; a random one makes it unlikely that two devices use the same.
    init(sequence: Int) { self.sequence = sequence }

    /// The time from which the next element may be sent; nil if there is nothing to tell.
    var due: Duration? {
        switch stage {
        case .none: if typed.isEmpty { return nil }
        case .lost: if typed.isEmpty, told.isEmpty { return nil }
        case .known: if changes.isEmpty { return nil }
        }
        return lastTold.map { $0 + Self.interval } ?? .zero
    }

    mutating func type(_ text: String, at now: Duration) {
        let next = RealTimeDraft(text)
        let actions = typed.actions(to: next)
        guard !actions.isEmpty else { return }
        // The first change after a pause is told at once.
        let last = changes.isEmpty ? lastTold : lastTyped
        if let last, case let wait = now - last, wait > .zero, wait <= Self.interval {
            changes.append(.wait(.milliseconds(Int(wait / .milliseconds(1)))))
        }
        // Too many are told as one, whatever they are.
        changes = changeCount < Self.maximumChanges ? changes + actions : actions
        (typed, lastTyped, changeCount) = (next, now, changeCount + 1)
    }

    /// Repeats the text with the next element, because the device may not know it.
    mutating func lose() { if stage != .none { stage = .lost } }

    /// Begins a new text, because the last one was sent as a message.
    mutating func end() {
        (stage, told, typed) = (.none, RealTimeDraft(), RealTimeDraft())
        (changes, changeCount, lastTyped) = ([], 0, nil)
    }

    /// Returns the next element; nil if there is nothing to tell.
    mutating func next(at now: Duration) -> RealTimeText? {
        guard due != nil else { return nil }
        defer { (told, changes, changeCount, lastTold) = (typed, [], 0, now) }
        sequence = sequence == RealTimeText.sequences.upperBound ? 0 : sequence + 1
        if case .known(let since) = stage, now - since < Self.refresh {
            let actions = changeCount > Self.maximumChanges ? told.actions(to: typed) : changes
            return RealTimeText(.edit, sequence: sequence, actions)
        }
        let event: RealTimeText.Event = stage == .none ? .new : .reset
        stage = .known(since: now)
        return RealTimeText(
            event, sequence: sequence, typed.isEmpty ? [] : [.insert(typed.text, at: nil)])
    }
}
