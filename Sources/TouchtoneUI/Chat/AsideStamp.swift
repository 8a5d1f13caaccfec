// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The state and the time beside the balloon of a message without a line of its own; the time is seen only while the
/// pointer or the focus is on the message.
@MainActor
final class AsideStamp {
    let widget = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 4, style: "aside")
    private let time = Widget.label(isCut: true, style: "stamp")
    private let mark = DeliveryStatusIcon()

    init() {
        for part in [time, mark.widget] { widget.add(part) }
        gtk_widget_show_all(widget)
        gtk_widget_set_no_show_all(widget, 1)
    }

    /// - Parameters:
    ///   - full: The tooltip.
    ///   - isLeft: Whether the balloon is at the left.
    func show(_ text: String, full: String, _ state: MessageState, isLeft: Bool) {
        // The state is always seen, so it is next to the balloon.
        let isRightToLeft = gtk_widget_get_direction(widget) == GTK_TEXT_DIR_RTL
        gtk_box_reorder_child(widget.cast(), mark.widget, isLeft != isRightToLeft ? 0 : 1)
        time.text = text
        gtk_widget_set_tooltip_text(widget, full)
        mark.show(state)
        widget.isVisible = true
    }
}
