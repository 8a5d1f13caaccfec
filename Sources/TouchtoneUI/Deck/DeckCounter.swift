// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// A counter with red digits behind glass, and a caption below it.
@MainActor
final class DeckCounter {
    let widget = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 4)
    private let lit = Widget.label(style: "led7")
    private let unlit = Widget.label(style: "led7", "unlit")
    private let caption = Widget.label(style: "deck-small")

    init() {
        let glass: Widget = gtk_overlay_new()
        gtk_container_add(glass.cast(), unlit)
        gtk_overlay_add_overlay(glass.cast(), lit)
        // The unlit segments are a picture, not a text.
        unlit.setAccessible(name: " ")
        for digits in [lit, unlit] {
            gtk_widget_set_halign(digits, GTK_ALIGN_CENTER)
            gtk_widget_set_direction(digits, GTK_TEXT_DIR_LTR)
        }
        let frame = Widget.box(GTK_ORIENTATION_HORIZONTAL, style: "counter")
        gtk_widget_set_halign(frame, GTK_ALIGN_CENTER)
        frame.add(glass)
        gtk_label_set_ellipsize(caption.cast(), PANGO_ELLIPSIZE_END)
        gtk_widget_set_halign(caption, GTK_ALIGN_CENTER)
        widget.add(frame)
        widget.add(caption)
        gtk_widget_show_all(widget)
    }

    /// - Parameter digits: Digits and colons.
    func show(_ digits: String, caption words: String) {
        lit.text = digits
        unlit.text = String(digits.map { $0 == ":" ? ":" : "8" })
        caption.text = words
        lit.setAccessible(description: words)
    }
}
