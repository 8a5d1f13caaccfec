// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// A row of the suggestion strip: a button that never takes the focus.
///
/// The name comes first. Without room for everything, the kind of the number is left out, then the number keeps its last
/// digits, and only then the name is cut.
@MainActor
final class SuggestionRow {
    let widget: Widget = gtk_button_new()
    private let line = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: SuggestionRow.gap)
    private let title = Widget.label(isCut: true, style: "offer-title")
    private let detail = Widget.label(isCut: true, style: "offer-detail")
    private var (place, number) = ("", "")
    /// The width for which the texts were fitted.
    private var width: gint = 0
    private var isDestroyed = false

    init(_ chosen: @escaping @MainActor () -> Void) {
        widget.set(style: "offer", true)
        gtk_button_set_relief(widget.cast(), GTK_RELIEF_NONE)
        gtk_widget_set_can_focus(widget, 0)
        gtk_widget_set_focus_on_click(widget, 0)
        gtk_widget_set_no_show_all(widget, 1)
        line.add(title, grows: true)
        line.add(detail)
        gtk_label_set_xalign(detail.cast(), 1)
        gtk_label_set_width_chars(title.cast(), 3)
        gtk_container_add(widget.cast(), line)
        for part in [widget, line, title, detail] { gtk_widget_set_direction(part, GTK_TEXT_DIR_LTR) }
        gtk_widget_show_all(line)
        atk_object_set_role(gtk_widget_get_accessible(widget), ATK_ROLE_LIST_ITEM)
        Signal.connect(widget, "clicked", chosen)
        Signal.connect(line, "destroy") { [weak self] in self?.isDestroyed = true }
        Signal.connectNotify(line, "size-allocate") { [weak self] in self?.widthChanged() }
        Signal.connect(title, "style-updated") { [weak self] in self?.fitSoon() }
    }

    func show(_ row: SuggestionStrip.Row) {
        gtk_label_set_markup(title.cast(), Self.markup(row.title, bold: row.bold))
        (place, number) = (row.place, row.number)
        gtk_label_set_ellipsize(detail.cast(), number.isEmpty ? PANGO_ELLIPSIZE_END : PANGO_ELLIPSIZE_START)
        widget.setAccessible(name: row.name)
        fit()
    }

    private func widthChanged() {
        if gtk_widget_get_allocated_width(line) != width { fitSoon() }
    }

    /// Fits the texts later, because GTK forgets a new size that is requested while sizes are allocated.
    private func fitSoon() {
        MainLoop.soon { [weak self] in self?.fit() }
    }

    /// Shows beside the name what there is room for.
    private func fit() {
        // The window may be gone by then.
        guard !isDestroyed else { return }
        width = gtk_widget_get_allocated_width(line)
        guard width > 1 else { return }
        var (wanted, least): (gint, gint) = (0, 0)
        gtk_widget_get_preferred_width(title, nil, &wanted)
        let room = width - Self.gap - wanted
        let whole = [place, number].filter { !$0.isEmpty }.joined(separator: "  ")
        let part = number.isEmpty ? place : number
        let shown = textWidth(of: whole) <= room ? whole : part
        if detail.text != shown { detail.text = shown }
        let characters = min(gint(clamping: part.count), Self.least)
        gtk_label_set_width_chars(detail.cast(), characters)
        gtk_widget_get_preferred_width(detail, &least, nil)
        let isWhole = least <= room
        gtk_label_set_ellipsize(title.cast(), isWhole ? PANGO_ELLIPSIZE_NONE : PANGO_ELLIPSIZE_END)
        gtk_label_set_max_width_chars(detail.cast(), isWhole ? -1 : characters)
    }

    /// Measures a text in the font of the number, in pixels.
    private func textWidth(of text: String) -> gint {
        guard let layout = gtk_widget_create_pango_layout(detail, text) else { return 0 }
        defer { g_object_unref(UnsafeMutableRawPointer(layout)) }
        var width: gint = 0
        pango_layout_get_pixel_size(layout, &width, nil)
        return width
    }

    /// The space between the name and the number, in pixels.
    private static let gap: gint = 8
    /// The characters of a number that are always shown: the last digits tell the numbers of one person apart.
    private static let least: gint = 5

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
