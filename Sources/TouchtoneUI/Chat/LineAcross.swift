// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// A line across the conversation with a word in its middle: a new day, or the beginning of what is new.
@MainActor
final class LineAcross: RareView {
    let widget = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 12, style: "line-across")
    private let label = Widget.label()

    /// - Parameter isNew: Whether what is below the line is new.
    init(isNew: Bool) {
        let rules = (0..<2).map { _ in Widget.box(GTK_ORIENTATION_HORIZONTAL, style: "rule") }
        for rule in rules {
            gtk_widget_set_valign(rule, GTK_ALIGN_CENTER)
            gtk_widget_set_size_request(rule, 12, -1)
        }
        widget.set(style: "new", isNew)
        widget.add(rules[0], grows: true)
        widget.add(label)
        widget.add(rules[1], grows: true)
        // GTK cuts a text with letter spacing also where it would fit.
        label.set(style: "spaced", true)
        label.followTextScale { [label] scale in
            label.set(style: "spaced", scale == 1)
            gtk_label_set_ellipsize(
                label.cast(), scale == 1 ? PANGO_ELLIPSIZE_NONE : PANGO_ELLIPSIZE_END)
        }
        gtk_widget_show_all(widget)
    }

    func show(_ text: String) {
        // Capitals are for the eye; a screen reader may spell them.
        label.text = text.uppercased()
        label.setAccessible(name: text)
    }
}
