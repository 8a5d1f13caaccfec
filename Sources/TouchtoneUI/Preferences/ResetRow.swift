// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// The row at the end of a page that resets its settings; insensitive while all of them have their defaults.
@MainActor
final class ResetRow {
    private let row: Widget
    private var all: [(settings: Settings, keys: [String])] = []

    init(_ row: Widget) {
        self.row = row
        Signal.connect(row, "activated") { [weak self] in self?.reset() }
    }

    /// Adds settings, which are observed until they are removed or the row is destroyed.
    func add(_ keys: [String], of settings: Settings) {
        all.append((settings, keys))
        for key in keys { settings.follow(key, until: row) { [weak self] in self?.show() } }
    }

    func remove(_ settings: Settings) {
        all.removeAll { $0.settings === settings }
        show()
    }

    private func reset() {
        for (settings, keys) in all { for key in keys { settings.reset(key) } }
    }

    private func show() {
        let isChosen = all.contains { $0.keys.contains(where: $0.settings.isChosen) }
        gtk_widget_set_sensitive(row, isChosen ? 1 : 0)
    }
}
