// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// A row of the suggestion strip: a button that never takes the focus.
@MainActor
final class SuggestionRow {
    let widget: Widget = gtk_button_new()
    private let title = Widget.label(isCut: true, style: "offer-title")
    private let detail = Widget.label(isCut: true, style: "offer-detail")

    init(_ chosen: @escaping @MainActor () -> Void) {
        widget.set(style: "offer", true)
        gtk_button_set_relief(widget.cast(), GTK_RELIEF_NONE)
        gtk_widget_set_can_focus(widget, 0)
        gtk_widget_set_focus_on_click(widget, 0)
        gtk_widget_set_no_show_all(widget, 1)
        let line = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 8)
        line.add(title, grows: true)
        line.add(detail)
        // The name is ellipsized first, because the number is what will be dialled.
        gtk_label_set_ellipsize(detail.cast(), PANGO_ELLIPSIZE_START)
        gtk_label_set_xalign(detail.cast(), 1)
        gtk_label_set_width_chars(title.cast(), 3)
        gtk_label_set_width_chars(detail.cast(), 12)
        gtk_container_add(widget.cast(), line)
        for part in [widget, line, title, detail] { gtk_widget_set_direction(part, GTK_TEXT_DIR_LTR) }
        gtk_widget_show_all(line)
        atk_object_set_role(gtk_widget_get_accessible(widget), ATK_ROLE_LIST_ITEM)
        Signal.connect(widget, "clicked", chosen)
    }

    func show(_ row: SuggestionStrip.Row) {
        gtk_label_set_markup(title.cast(), Self.markup(row.title, bold: row.bold))
        detail.text = row.detail
        widget.setAccessible(name: row.name)
    }

    func setSelected(_ isSelected: Bool) {
        widget.set(style: "selected", isSelected)
        atk_object_notify_state_change(
            gtk_widget_get_accessible(widget), AtkState(ATK_STATE_SELECTED.rawValue), isSelected ? 1 : 0)
    }

    private static func markup(_ text: String, bold: Range<Int>) -> String {
        let characters = Array(text)
        let bold = bold.clamped(to: 0..<characters.count)
        func escaped(_ part: ArraySlice<Character>) -> String { Markup.escaped(String(part)) }
        return escaped(characters[..<bold.lowerBound]) + "<b>" + escaped(characters[bold]) + "</b>"
            + escaped(characters[bold.upperBound...])
    }
}
