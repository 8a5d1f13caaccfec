// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The calls that the history has in memory, as rows of a list; more of them come where an end is near.
@MainActor
final class CallsList {
    let list = VirtualList<Int64, CallRow>(name: localized("Calls"), guess: 44) { CallRow() }
    /// Other rows are seen.
    var onMove: (@MainActor () -> Void)?
    private let history: CallHistory
    private let environment: CallsPageEnvironment
    private let wall: any WallClock
    private var entries: [HistoryEntry] = []
    private var indices: [Int64: Int] = [:]
    private var cells: CallCellFormatter
    /// What is shown was looked for with these words.
    private var shown: Search?

    private struct Search: Hashable {
        let text: String
        let isMissedOnly: Bool
    }

    /// - Parameter wall: the time, for which day is today.
    init(history: CallHistory, environment: CallsPageEnvironment, wall: any WallClock) {
        (self.history, self.environment, self.wall) = (history, environment, wall)
        cells = CallCellFormatter(history: history, environment: environment, now: wall.now)
        list.show = { [weak self] row, id in
            guard let self, let cell = cell(id) else { return }
            row.show(cell)
        }
        list.onMove = { [weak self] in self?.moved() }
        arrange()
    }

    /// Shows what the history has now.
    func arrange() {
        entries = history.window
        indices = Dictionary(uniqueKeysWithValues: zip(entries.map(\.id), entries.indices))
        cells = CallCellFormatter(history: history, environment: environment, now: wall.now)
        // Newer calls may come above: what is looked at stays where it is, unless it is the newest.
        list.followsTop = !history.hasNewer
        let search = Search(text: history.text, isMissedOnly: history.isMissedOnly)
        list.set(entries.map(\.id))
        if search != shown { list.scrollToTop() }
        shown = search
        for (id, row) in list.built where row.cell != cell(id) { list.update(id) }
    }

    /// The call of a row.
    func call(_ id: Int64) -> PastCall? { indices[id].map { entries[$0].call } }

    /// What the far end is called in the list.
    func name(of call: PastCall) -> String { cells.name(of: call) }

    private func cell(_ id: Int64) -> CallCell? {
        guard let index = indices[id] else { return nil }
        // What comes before the first one that is here is not known.
        let newer = index > 0 ? entries[index - 1] : history.hasNewer ? entries[index] : nil
        return cells.cell(for: entries[index], below: newer)
    }

    private func moved() {
        onMove?()
        guard let seen = list.seen else { return }
        if seen.upperBound > list.ids.count - 30, history.hasOlder { history.loadOlder() }
        if seen.lowerBound < 30, history.hasNewer { history.loadNewer() }
    }
}
