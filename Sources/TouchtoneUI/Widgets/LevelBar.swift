// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// A bar that shows the level of the microphone; it draws only when the level changes visibly.
@MainActor
final class LevelBar {
    /// The quietest level that is shown, in dBFS.
    private static let floor = -60.0
    /// The steps of the bar.
    private static let steps = 40.0

    private let bar: Widget
    private var step = -1.0

    /// - Parameter bar: A `GtkLevelBar`.
    init(_ bar: Widget) {
        self.bar = bar
        gtk_level_bar_set_min_value(bar.cast(), 0)
        gtk_level_bar_set_max_value(bar.cast(), 1)
        // Its colours would say that a low level is bad.
        for offset in [GTK_LEVEL_BAR_OFFSET_LOW, GTK_LEVEL_BAR_OFFSET_HIGH, GTK_LEVEL_BAR_OFFSET_FULL] {
            gtk_level_bar_remove_offset_value(bar.cast(), offset)
        }
        show(nil)
    }

    /// Shows a level in dBFS; nil is none.
    func show(_ level: Double?) {
        let part = level.map { min(1, max(0, 1 - $0 / Self.floor)) } ?? 0
        let new = (part * Self.steps).rounded()
        guard new != step else { return }
        step = new
        gtk_level_bar_set_value(bar.cast(), new / Self.steps)
    }
}
