// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The list of the calls that the history has in memory; it loads more when the user scrolls near an end.
@MainActor
final class CallsList {
    let list = VirtualList<Int64, CallRow>(name: localized("Calls"), guess: 44) { CallRow() }
    /// The observer of scrolling and other changes to the visible rows.
    var onMove: (@MainActor () -> Void)?
    /// The actions on recordings of the calls; nil if nothing can be played.
    var recordings: RecordingActions?
    /// The action that shows the text of a call.
    var onText: (@MainActor (Int64, CallRow) -> Void)?
    private let history: CallHistory
    private let phone: Phone
    private let lines: LineRegistry
    private let wall: any WallClock
    private var entries: [HistoryEntry] = []
    private var indices: [Int64: Int] = [:]
    private var cells: CallCellFormatter
    /// Whether the list scrolls to the newest call once that is loaded.
    private var wantsNewest = false
    /// The number of calls in the history when its newest one was last in sight.
    private var arrivalsSeen = 0
    /// The search whose results are shown; nil before the first one.
    private var shown: Search?

    private struct Search: Hashable {
        let text: String
        let isMissedOnly: Bool
    }

    init(
        history: CallHistory, phone: Phone, lines: LineRegistry, actions: FarEndActions, wall: any WallClock
    ) {
        (self.history, self.phone, self.lines, self.wall) = (history, phone, lines, wall)
        cells = CallCellFormatter(history: history, phone: phone, lines: lines, now: wall.now)
        list.show = { [weak self] row, id in
            guard let self, let cell = cell(id) else { return }
            row.show(cell)
            let remote = call(id)?.remote
            row.onMessage = remote.flatMap { actions.message(to: $0) }
            row.onCall = remote.flatMap { actions.call(to: $0) }
            row.onPlay = { [weak self] in
                if let recording = self?.cell(id)?.recording { self?.recordings?.toggle(recording.id) }
            }
            row.onText = { [weak self, weak row] in if let row { self?.onText?(id, row) } }
        }
        list.onMove = { [weak self] in self?.moved() }
        arrivalsSeen = history.arrivals
        arrange()
    }

    /// Scrolls to the newest call if calls came since it was last in sight; returns whether they did.
    @discardableResult
    func showNewest() -> Bool {
        guard arrivalsSeen != history.arrivals else { return false }
        wantsNewest = true
        if history.hasNewer { history.reload() } else { arrange() }
        return true
    }

    func arrange() {
        entries = history.window
        indices = Dictionary(uniqueKeysWithValues: zip(entries.map(\.id), entries.indices))
        cells = CallCellFormatter(history: history, phone: phone, lines: lines, now: wall.now)
        // While newer calls may still be loaded above, the visible rows stay in place.
        list.followsTop = !history.hasNewer
        let search = Search(text: history.text, isMissedOnly: history.isMissedOnly)
        list.set(entries.map(\.id))
        if search != shown { list.scrollToTop() }
        shown = search
        if wantsNewest, !history.hasNewer, let first = list.ids.first {
            wantsNewest = false
            list.scrollToTop()
            if list.focusedID == nil { list.setCursor(first) } else { list.focusRow(first) }
        }
        for (id, row) in list.built where row.cell != cell(id) { list.update(id) }
    }

    /// The formatter of calls, as they are now.
    var formatter: CallCellFormatter {
        CallCellFormatter(history: history, phone: phone, lines: lines, now: wall.now)
    }

    /// Returns the call of a row; nil if it is no longer in memory.
    func call(_ id: Int64) -> PastCall? { indices[id].map { entries[$0].call } }

    private func cell(_ id: Int64) -> CallCell? {
        guard let index = indices[id] else { return nil }
        // The call above the first one in memory is unknown, so that row gets no heading.
        let newer = index > 0 ? entries[index - 1] : history.hasNewer ? entries[index] : nil
        var cell = cells.cell(for: entries[index], below: newer)
        cell.recording = recordings?.cell(of: id)
        return cell
    }

    private func moved() {
        onMove?()
        guard let seen = list.seen else { return }
        if seen.lowerBound == 0, !history.hasNewer, history.isInView { arrivalsSeen = history.arrivals }
        if seen.upperBound > list.ids.count - 30, history.hasOlder { history.loadOlder() }
        if seen.lowerBound < 30, history.hasNewer { history.loadNewer() }
    }
}
