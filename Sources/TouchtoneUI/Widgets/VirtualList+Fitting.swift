// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// The room for a list.
enum ListRoom: Hashable {
    /// All that is left for it.
    case all
    /// At most some pixels, of which the list takes whole rows.
    case upTo(gint)
}

extension VirtualList {
    /// Returns the height of the whole rows that fit, at least two of them, in pixels; negative for all the room.
    func height(in room: ListRoom) -> gint {
        guard case .upTo(let maximum) = room else { return -1 }
        let count = ids.count
        var rows = min(count, 2)
        while rows < count, heights.top(of: rows + 1) <= Int(maximum) { rows += 1 }
        return gint(clamping: heights.top(of: rows))
    }

    /// Sets the height of the rows in sight; negative for all the room.
    func setHeight(_ height: gint) {
        let scrolled: UnsafeMutablePointer<GtkScrolledWindow> = widget.cast()
        gtk_scrolled_window_set_propagate_natural_height(scrolled, height < 0 ? 0 : 1)
        gtk_scrolled_window_set_max_content_height(scrolled, height)
        gtk_widget_queue_resize(widget)
    }
}
