// SPDX-License-Identifier: GPL-3.0-or-later

/// The undo history of a text field, with positions in Unicode scalars, as in GTK.
///
/// Consecutive typed characters are one step, as are consecutive deleted ones; every other change is a step.
public struct EditHistory: Hashable, Sendable {
    /// The contents of the field and the position of its caret.
    public struct Moment: Hashable, Sendable {
        public let text: String
        /// The number of scalars before the caret.
        public let caret: Int

        public init(_ text: String, caret: Int) {
            self.text = text
            self.caret = caret
        }
    }

    /// The greatest number of steps that can be undone; earlier ones are dropped.
    public static let capacity = 100

    public private(set) var now: Moment
    private var past: [Moment] = []
    private var future: [Moment] = []
    private var run = Run.none

    public init(_ text: String = "") {
        now = Moment(text, caret: text.unicodeScalars.count)
    }

    /// Records the contents after a change, whose position is found by comparison: GTK's entry may report it
    /// before it moves its caret.
    public mutating func record(_ text: String) {
        guard !text.utf8.elementsEqual(now.text.utf8) else { return }
        let change = Change(from: now.text, to: text)
        let (step, caret) = change.step(after: run)
        if !step.continues(run) || past.isEmpty {
            past.append(now)
            if past.count > Self.capacity { past.removeFirst() }
        }
        run = step
        now = Moment(text, caret: caret)
        future = []
    }

    /// Undoes the last step, and returns the field's new contents; nil if there is no step.
    public mutating func undo() -> Moment? {
        guard let before = past.popLast() else { return nil }
        future.append(now)
        (now, run) = (before, .none)
        return before
    }

    /// Redoes the step that was undone last, and returns the field's new contents; nil if there is none.
    public mutating func redo() -> Moment? {
        guard let after = future.popLast() else { return nil }
        past.append(now)
        (now, run) = (after, .none)
        return after
    }
}

/// The kind of the last change, which the next one may continue.
private enum Run: Hashable, Sendable {
    case none
    case typed(from: Int, to: Int)
    case deleted(at: Int)

    func continues(_ before: Run) -> Bool {
        switch (before, self) {
        case (.typed(_, let end), .typed(let start, _)): start == end
        // BackSpace moves to the left, and Delete stays.
        case (.deleted(let last), .deleted(let place)): place == last || place == last - 1
        default: false
        }
    }
}

private struct Change {
    private let before: [Unicode.Scalar]
    private let after: [Unicode.Scalar]
    /// The lengths of the common prefix and suffix, in scalars.
    private let prefix: Int
    private let suffix: Int

    init(from old: String, to new: String) {
        before = Array(old.unicodeScalars)
        after = Array(new.unicodeScalars)
        prefix = zip(before, after).prefix { $0 == $1 }.count
        suffix = zip(before.reversed(), after.reversed()).prefix { $0 == $1 }.count
    }

    /// Returns the kind of the change, and the caret after it; beside the same digit, a typed one continues
    /// the previous change.
    func step(after run: Run) -> (Run, caret: Int) {
        switch after.count - before.count {
        case 1 where before.count - suffix <= prefix:
            var place = prefix
            if case .typed(_, let end) = run, (before.count - suffix...prefix).contains(end) { place = end }
            return (.typed(from: place, to: place + 1), place + 1)
        case -1 where after.count - suffix <= prefix:
            var place = prefix
            if case .deleted(let last) = run {
                let places = after.count - suffix...prefix
                place = [last - 1, last].first(where: places.contains) ?? place
            }
            return (.deleted(at: place), place)
        default:
            // The common prefix and suffix may overlap, and must not be counted twice.
            return (.none, max(prefix, after.count - suffix))
        }
    }
}
