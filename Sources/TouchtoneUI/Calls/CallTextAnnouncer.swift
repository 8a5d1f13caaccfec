// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// Announces the real-time text of the other party word by word, and whether there is text.
@MainActor
final class CallTextAnnouncer {
    /// The time after which a word is spoken although nothing follows it.
    static let pause = Duration.seconds(2)
    /// The greatest number of characters that are spoken at once.
    private static let mostSpoken = 200

    private let widget: Widget
    private let clock: any Scheduler
    private var call: Call.ID?
    private var standing = CallText.Standing.off
    /// The other party's line that is being spoken, and what was spoken of it.
    private var line: CallText.Line?
    private var spoken = SpokenWords()
    private var timer: (any ScheduledTimer)? { didSet { oldValue?.cancel() } }

    /// - Parameter widget: A widget of the window that speaks.
    init(_ widget: Widget, clock: any Scheduler) { (self.widget, self.clock) = (widget, clock) }

    /// Announces what is new in a call, or only notes it while the phone is locked; nil for no call.
    func show(_ call: Call?, name: String, isLocked: Bool) {
        let isOther = call?.id != self.call
        if isOther { (self.call, standing, line, spoken, timer) = (call?.id, .off, nil, SpokenWords(), nil) }
        guard let call else { return }
        let standing = call.text.standing
        if standing != self.standing, standing != .offered, !isLocked,
            !isOther || standing == .active
        {
            widget.announce(CallTextView.sentence(on: standing, name: name))
        }
        self.standing = standing
        let words = newWords(in: call.text)
        if !words.isEmpty, !isLocked { widget.announce(String(words.suffix(Self.mostSpoken))) }
    }

    /// Returns the words that are complete now: those with a space behind them, and those of a line that has ended.
    private func newWords(in text: CallText) -> String {
        let last = text.lines.last { $0.side == .farEnd }
        guard last != line else { return "" }
        timer = nil
        var words: [String] = []
        for next in text.lines where next.side == .farEnd && next.id >= line?.id ?? 0 && next != line {
            if next.id != line?.id { spoken = SpokenWords() }
            words.append(next.isOpen ? spoken.complete(in: next.text) : spoken.finish(next.text))
        }
        line = last
        if let last, last.isOpen {
            timer = clock.schedule(after: Self.pause) { [weak self] in self?.speakRest(of: last) }
        }
        return words.filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// Speaks the word that the other party may not have finished.
    private func speakRest(of line: CallText.Line) {
        timer = nil
        let words = spoken.complete(in: line.text + " ")
        if !words.isEmpty { widget.announce(String(words.suffix(Self.mostSpoken))) }
    }
}
