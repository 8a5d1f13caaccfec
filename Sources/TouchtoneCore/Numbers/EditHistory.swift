// SPDX-License-Identifier: GPL-3.0-or-later

/// What a text field held, one step after the other, so that steps can be taken back and taken again.
///
/// Characters that are typed one behind the other are one step, and so are characters that are deleted one behind the
/// other; everything else is a step of its own. Positions count Unicode scalars, as GTK does.
public struct EditHistory: Hashable, Sendable {
    /// A content of the field, and where its caret stood.
    public struct Moment: Hashable, Sendable {
        /// The content.
        public let text: String
        /// The caret: how many scalars are before it.
        public let caret: Int

        /// Creates a moment; a caret outside of the text is moved to its nearer end.
        public init(_ text: String, caret: Int) {
            self.text = text
            self.caret = min(max(0, caret), text.unicodeScalars.count)
        }
    }

    /// How many steps can be taken back; earlier ones are forgotten.
    public static let capacity = 100

    /// What the field holds.
    public private(set) var now: Moment
    private var past: [Moment] = []
    private var future: [Moment] = []
    private var run = Run.none

    /// Begins with what the field holds; there is nothing to take back.
    public init(_ text: String = "", caret: Int = 0) {
        now = Moment(text, caret: caret)
    }

    /// Whether there is a step to take back.
    public var canUndo: Bool { !past.isEmpty }
    /// Whether a step was taken back since the last change.
    public var canRedo: Bool { !future.isEmpty }

    /// Notes a change that was made; the same text again is none.
    public mutating func record(_ text: String, caret: Int) {
        let next = Moment(text, caret: caret)
        guard next.text != now.text else { return }
        let step = Self.step(from: now.text, to: next)
        if !step.continues(run) || past.isEmpty {
            past.append(now)
            if past.count > Self.capacity { past.removeFirst() }
        }
        run = step
        now = next
        future = []
    }

    /// Takes the last step back, and returns what the field is to hold; nil where there is none.
    public mutating func undo() -> Moment? {
        guard let before = past.popLast() else { return nil }
        future.append(now)
        (now, run) = (before, .none)
        return before
    }

    /// Takes the step again that was taken back last; nil where there is none.
    public mutating func redo() -> Moment? {
        guard let after = future.popLast() else { return nil }
        past.append(now)
        (now, run) = (after, .none)
        return after
    }

    /// What the last change was, and where the next one is to be to belong to it.
    private enum Run: Hashable {
        case none
        case typed(from: Int, to: Int)
        case deleted(at: Int)

        func continues(_ before: Run) -> Bool {
            switch (before, self) {
            case (.typed(_, let end), .typed(let start, _)): start == end
            // BackSpace goes to the left, Delete stays.
            case (.deleted(let last), .deleted(let place)): place == last || place == last - 1
            default: false
            }
        }
    }

    private static func step(from old: String, to new: Moment) -> Run {
        let (before, after) = (Array(old.unicodeScalars), Array(new.text.unicodeScalars))
        let caret = new.caret
        switch after.count - before.count {
        case 1 where caret > 0:
            let isTyped =
                after[..<(caret - 1)] == before[..<(caret - 1)] && after[caret...] == before[(caret - 1)...]
            return isTyped ? .typed(from: caret - 1, to: caret) : .none
        case -1:
            let isDeleted = after[..<caret] == before[..<caret] && after[caret...] == before[(caret + 1)...]
            return isDeleted ? .deleted(at: caret) : .none
        default: return .none
        }
    }
}
