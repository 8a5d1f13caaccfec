// SPDX-License-Identifier: GPL-3.0-or-later

/// A text that is being typed, as the code points in which real-time text counts (XEP-0301 section 4.7).
struct RealTimeDraft: Hashable, Sendable {
    /// The greatest length, in code points; what is beyond is not shown.
    static let maximumLength = 8000

    private var scalars: [Unicode.Scalar] = []

    init(_ text: String = "") { scalars = Array(text.unicodeScalars.prefix(Self.maximumLength)) }

    var isEmpty: Bool { scalars.isEmpty }

    var text: String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }

    /// Applies an action within the bounds of the text, as XEP-0301 section 4.5.2 requires.
    ///
    /// - Returns: False if the text has become too long, so that later positions would be wrong.
    mutating func apply(_ action: RealTimeAction) -> Bool {
        switch action {
        case .insert(let text, let position):
            let place = min(position ?? scalars.count, scalars.count)
            let room = Self.maximumLength - scalars.count
            scalars.insert(contentsOf: text.unicodeScalars.prefix(room), at: place)
            return text.unicodeScalars.dropFirst(room).isEmpty
        case .erase(let count, let position):
            let end = min(position ?? scalars.count, scalars.count)
            scalars.removeSubrange(max(0, end - count)..<end)
        case .wait: break
        }
        return true
    }

    /// Returns the actions, two at most, that turn this text into another one.
    ///
    /// A character of several code points is replaced as a whole (XEP-0301 section 4.7.3).
    func actions(to next: RealTimeDraft) -> [RealTimeAction] {
        let (before, after) = (scalars, next.scalars)
        guard before != after else { return [] }
        var start = zip(before, after).prefix { $0 == $1 }.count
        let extends = { (scalars: [Unicode.Scalar], index: Int) in
            index < scalars.count
                && (scalars[index].properties.isGraphemeExtend || scalars[index] == "\u{200d}")
        }
        while start > 0, extends(before, start) || extends(after, start) { start -= 1 }
        let rest = min(before.count, after.count) - start
        var end = zip(before.reversed(), after.reversed()).prefix(rest).prefix { $0 == $1 }.count
        while end > 0, extends(after, after.count - end) { end -= 1 }
        let (erased, inserted) = (start..<(before.count - end), after[start..<(after.count - end)])
        var actions: [RealTimeAction] = []
        if !erased.isEmpty {
            actions.append(
                .erase(erased.count, before: erased.upperBound == before.count ? nil : erased.upperBound))
        }
        if !inserted.isEmpty {
            var text = String.UnicodeScalarView()
            text.append(contentsOf: inserted)
            actions.append(.insert(String(text), at: end == 0 ? nil : start))
        }
        return actions
    }
}
