// SPDX-License-Identifier: GPL-3.0-or-later

/// The buddy's side of real-time text: the text from the elements that come (XEP-0301 section 4).
struct RealTimeReader: Hashable, Sendable {
    /// The greatest sum of the pauses in an element, so that the text is never late.
    static let maximumPause = RealTimeWriter.interval

    private var draft = RealTimeDraft()
    /// The number of the last element; nil if the text is not known, or another one than the sender's.
    private var sequence: Int?
    /// The actions that are still to be shown, and the pause between those that were.
    private var (waiting, paused): (ArraySlice<RealTimeAction>, Duration) = ([], .zero)

    /// The text as far as it is shown.
    var text: String { draft.text }
    /// Whether the text is the sender's.
    var isInStep: Bool { sequence != nil }

    /// Takes the next element; `play` then shows its actions.
    mutating func take(_ element: RealTimeText) {
        finish()
        switch element.event {
        case .new, .reset: draft = RealTimeDraft()
        case .edit:
            guard sequence.map({ $0 + 1 }) == element.sequence else { return lose() }
        case .start, .cancel: return
        }
        (sequence, waiting, paused) = (element.sequence, element.actions[...], .zero)
    }

    /// Ignores changes until the text is repeated, because an element was lost.
    mutating func lose() { sequence = nil }

    /// Applies the actions up to the next pause, and returns its length; nil if there is nothing left.
    mutating func play() -> Duration? {
        while let action = waiting.popFirst() {
            if case .wait(let time) = action {
                let pause = min(time, Self.maximumPause - paused)
                guard pause > .zero else { continue }
                paused += pause
                return pause
            }
            apply(action)
        }
        return nil
    }

    /// Applies all actions without the pauses.
    private mutating func finish() {
        while let action = waiting.popFirst() { apply(action) }
    }

    private mutating func apply(_ action: RealTimeAction) {
        // After one that could not be applied as the sender did, the others would change the wrong place.
        if isInStep, !draft.apply(action) { lose() }
    }
}
