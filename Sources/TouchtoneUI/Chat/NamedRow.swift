// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// A row with a name and a few words: a person in a room, or a public room; or the title of the rows below.
@MainActor
final class NamedRow: ListRow {
    let ref = NamedRow.makeBox(style: "buddy")
    private let name = Widget.label(isCut: true, style: "buddy-name")
    private let words = Widget.label(isCut: true, style: "buddy-words")

    init() {
        let line = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 10)
        gtk_container_add(box.cast(), line)
        line.add(name)
        line.add(words, grows: true)
    }

    /// Shows a name and words, which others may have written.
    func show(_ text: String, _ detail: String, tip: String?) {
        let (text, detail) = (PlainText.line(text, maximum: 80), PlainText.line(detail, maximum: 80))
        (name.text, words.text) = (text, detail)
        box.set(style: "title", false)
        box.setAccessible(
            name: detail.isEmpty ? text : localized("{name}, {role}", ["name": text, "role": detail]))
        gtk_widget_set_tooltip_text(box, tip.map { PlainText.line($0) })
    }

    func show(title: String) {
        (name.text, words.text) = (title, "")
        box.set(style: "title", true)
        box.setAccessible(name: title)
        gtk_widget_set_tooltip_text(box, nil)
    }
}
