// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// A recording in the list below the deck: a lamp, a paper label with the name by hand, when it was made, and its length.
@MainActor
final class RecordingRow: ListRow {
    struct Content: Hashable {
        let name: String
        let when: String
        let details: String
        let length: String
        let isNew: Bool
        var isPlayed: Bool
        let accessibleName: String
    }

    let ref = RecordingRow.makeBox(style: "recording-row")
    private let lamp = Widget.box(GTK_ORIENTATION_HORIZONTAL, style: "light")
    private let label = TapeLabel()
    private let when = Widget.label(isCut: true, style: "record-title")
    private let details = Widget.label(isCut: true, style: "buddy-words")
    private let length = Widget.label(style: "record-title")
    private var content: Content?

    init() {
        let line = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 12, style: "recording-line")
        gtk_container_add(box.cast(), line)
        for part in [lamp, length] { gtk_widget_set_valign(part, GTK_ALIGN_CENTER) }
        gtk_widget_set_size_request(label.widget, 132, -1)
        let text = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 2)
        gtk_widget_set_valign(text, GTK_ALIGN_CENTER)
        for words in [when, details] { text.add(words) }
        for part in [lamp, label.widget] { line.add(part) }
        line.add(text, grows: true)
        line.add(length)
    }

    func show(_ content: Content) {
        guard content != self.content else { return }
        self.content = content
        label.text = isolatedText(content.name)
        (when.text, details.text, length.text) = (content.when, content.details, content.length)
        lamp.set(style: "lamp-on", content.isNew)
        box.set(style: "new", content.isNew)
        box.set(style: "played", content.isPlayed)
        box.setAccessible(name: content.accessibleName)
        gtk_widget_set_tooltip_text(box, [content.name, content.when].joined(separator: "\n"))
    }
}
