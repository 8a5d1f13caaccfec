// SPDX-License-Identifier: GPL-3.0-or-later

/// What a text field held, one step after the other, so that steps can be taken back and taken again.
///
/// Characters that are typed one behind the other are one step, and so are characters that are deleted one behind the
/// other; everything else is a step of its own. Positions count Unicode scalars, as GTK does.
public struct EditHistory: Hashable, Sendable {
    /// A content of the field, and where its caret belongs.
    public struct Moment: Hashable, Sendable {
        /// The content.
        public let text: String
        /// The caret: how many scalars are before it.
        public let caret: Int

        /// Creates a moment.
        public init(_ text: String, caret: Int) {
            self.text = text
            self.caret = caret
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
    public init(_ text: String = "") {
        now = Moment(text, caret: text.unicodeScalars.count)
    }

    /// Notes what the field holds after a change; the same text again is none.
    ///
    /// The place of the change is found by comparing: while it is told of a change, GTK's entry may have its caret
    /// where it was before.
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
}

/// What the last change was, as far as the next one may belong to it.
private enum Run: Hashable, Sendable {
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

/// Where two texts differ.
private struct Change {
    private let before: [Unicode.Scalar]
    private let after: [Unicode.Scalar]
    /// How many scalars are the same at the beginning, and at the end.
    private let prefix: Int
    private let suffix: Int

    init(from old: String, to new: String) {
        before = Array(old.unicodeScalars)
        after = Array(new.unicodeScalars)
        prefix = zip(before, after).prefix { $0 == $1 }.count
        suffix = zip(before.reversed(), after.reversed()).prefix { $0 == $1 }.count
    }

    /// What was done, and the caret's place after it.
    ///
    /// A digit beside its like may have been typed in front or behind:
    /// where it goes on with what was done before, that is what it did.
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
            // What is the same at both ends must not be counted twice.
            return (.none, max(prefix, after.count - suffix))
        }
    }
}
