// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// A paper label with a line in handwriting.
@MainActor
final class TapeLabel {
    let widget = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 0, style: "tape-label")
    private let words = Widget.label(style: "hand")

    /// The font of handwriting, and those in its place where it or a script is missing.
    static let fonts = "Breip, Inter Italic"

    init() {
        gtk_label_set_ellipsize(words.cast(), PANGO_ELLIPSIZE_END)
        gtk_label_set_xalign(words.cast(), 0)
        widget.add(words, grows: true)
        gtk_widget_set_valign(widget, GTK_ALIGN_CENTER)
        gtk_widget_show_all(widget)
    }

    var text: String {
        get { words.text }
        set { words.text = newValue }
    }
}
