// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// A slider for the place in a sound, in seconds.
///
/// While the sound plays, a screen reader that is on it would read each second: the place is then told at the end only.
@MainActor
final class PositionScale {
    let widget: Widget
    /// Called with the place to which the user moves.
    var onMove: (@MainActor (Duration) -> Void)?
    private var isShowing = false
    private var (place, length) = (Duration.zero, Duration.zero)

    init(style: String) {
        widget = gtk_scale_new_with_range(GTK_ORIENTATION_HORIZONTAL, 0, 1, 1)
        gtk_scale_set_draw_value(widget.cast(), 0)
        gtk_range_set_increments(widget.cast(), 5, 30)
        widget.set(style: style, true)
        widget.setAccessible(name: localized("Position"))
        Signal.connect(widget, "value-changed") { [weak self] in self?.moved() }
        Signal.connectEvent(widget, "key-press-event") { [weak self] _ in
            self?.update()
            return false
        }
    }

    func show(_ place: Duration, of length: Duration, isMovable: Bool) {
        (self.place, self.length) = (place, length)
        gtk_widget_set_sensitive(widget, isMovable ? 1 : 0)
        if gtk_widget_has_focus(widget) == 0 || !isMovable { update() }
    }

    private func update() {
        isShowing = true
        gtk_range_set_range(widget.cast(), 0, max(1, length / .seconds(1)))
        gtk_range_set_value(widget.cast(), place / .seconds(1))
        isShowing = false
    }

    private func moved() {
        guard !isShowing else { return }
        onMove?(.milliseconds(Int(gtk_range_get_value(widget.cast()) * 1000)))
    }
}
