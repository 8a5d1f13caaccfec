// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The button over a conversation that scrolls to its end, with the number of new messages there.
@MainActor
final class ScrollToEndButton {
    let widget: Widget = gtk_button_new()
    private let number = Widget.label(style: "badge")

    /// The number of messages that have arrived since the end was visible.
    var count = 0 {
        didSet { if count != oldValue { show() } }
    }

    var isShown = false {
        didSet { widget.isVisible = isShown }
    }

    init() {
        let line = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 6)
        line.add(number)
        line.add(.icon("go-bottom-symbolic"))
        gtk_container_add(widget.cast(), line)
        gtk_widget_show_all(line)
        gtk_widget_set_no_show_all(widget, 1)
        gtk_widget_set_halign(widget, GTK_ALIGN_END)
        gtk_widget_set_valign(widget, GTK_ALIGN_END)
        widget.set(style: "to-end", true)
        gtk_widget_set_tooltip_text(widget, localized("Go to the last message"))
        show()
    }

    private func show() {
        number.text = localizedBadge(count)
        number.isVisible = count > 0
        widget.setAccessible(
            name: count > 0
                ? localizedPlural("Last message, {count} new", "Last message, {count} new", count)
                : localized("Last message"))
    }
}
