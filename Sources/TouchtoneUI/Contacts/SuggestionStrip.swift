// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// A short list that moves nothing and never takes the focus; it is created for the first suggestion.
@MainActor
final class SuggestionStrip {
    struct Row: Hashable {
        let title: String
        /// The characters of the title shown in bold.
        var bold: Range<Int> = 0..<0
        /// The kind of the number, or the address of a buddy without one.
        var place = ""
        let number, name: String
    }

    let widget: Widget = gtk_event_box_new()
    /// Called when another row is selected, or none.
    var onSelection: (@MainActor () -> Void)?
    var onChoose: (@MainActor (Int) -> Void)?
    var onClose: (@MainActor () -> Void)?
    var onMessage: (@MainActor () -> Void)?
    var onMenu: (@MainActor (Int, Widget, UnsafeMutablePointer<GdkEvent>) -> Void)?
    var takesMessage = false { didSet { message.isVisible = takesMessage } }
    /// The index of the row selected by the keyboard.
    private(set) var selection: Int?
    private(set) var rows: [Row] = []
    private let list = Widget.box(GTK_ORIENTATION_VERTICAL)
    private let scrolled: Widget
    private let more = Widget.label(style: "offer-more")
    private let close: Widget
    private let side = Widget.box(GTK_ORIENTATION_VERTICAL)
    private let message = Widget.messageButton(tip: localized("Message the number (Shift+Ctrl+M)"))
    private var buttons: [SuggestionRow] = []
    /// The height of the strip, and the space between its rows, in pixels.
    private var (height, spacing): (gint, gint) = (0, 0)
    private let ref: GObjectRef

    init() {
        ref = GObjectRef(sinking: widget)
        scrolled = Widget.scroller(list)
        close = Widget.iconButton(
            "window-close-symbolic", name: localizedIn("verb", "Close"), tip: localized("Close (Esc)"))
        widget.set(style: "offers", true)
        atk_object_set_role(gtk_widget_get_accessible(list), ATK_ROLE_LIST_BOX)
        close.set(style: "offer-close", true)
        message.set(style: "offer-close", true)
        for key in [close, message] { gtk_widget_set_can_focus(key, 0) }
        gtk_widget_set_no_show_all(message, 1)
        gtk_label_set_xalign(more.cast(), 0.5)
        side.add(close)
        side.add(message)
        side.add(more, grows: true)
        let line = Widget.box(GTK_ORIENTATION_HORIZONTAL)
        line.add(scrolled, grows: true)
        line.add(side)
        gtk_container_add(widget.cast(), line)
        // The phone is not mirrored in right-to-left languages.
        WidgetTree.visit(widget) { gtk_widget_set_direction($0, GTK_TEXT_DIR_LTR) }
        gtk_widget_show_all(line)
        gtk_widget_set_no_show_all(widget, 1)
        Signal.connect(close, "clicked") { [weak self] in self?.onClose?() }
        Signal.connect(message, "clicked") { [weak self] in self?.onMessage?() }
    }

    /// Shows rows from the top, with none selected; hides the strip if there are none.
    func show(_ rows: [Row], name: String, closeName: String) {
        guard !rows.isEmpty else { return hide() }
        if rows != self.rows || !widget.isVisible {
            self.rows = rows
            fill()
            gtk_adjustment_set_value(gtk_scrolled_window_get_vadjustment(scrolled.cast()), 0)
        }
        select(nil)
        list.setAccessible(name: name)
        close.setAccessible(name: closeName)
        list.setAccessible(description: summary)
        widget.isVisible = true
    }

    /// The first row, and the number of others, for a screen reader; empty for none.
    var summary: String {
        guard let first = rows.first else { return "" }
        let others = rows.count - 1
        return others == 0
            ? first.name
            : localizedPlural(
                "{suggestion}, and {count} more", "{suggestion}, and {count} more", others,
                ["suggestion": first.name])
    }

    func hide() {
        widget.isVisible = false
        select(nil)
        rows = []
        list.setAccessible(description: "")
    }

    /// Moves the selection by a number of rows; above the first row, nothing is selected.
    func moveSelection(by count: Int) {
        let next = (selection ?? -1) + count
        select(next < 0 ? nil : min(next, rows.count - 1))
        // The focus stays on the display, so that a screen reader does not speak the selected row by itself.
        if let selection { widget.announce(rows[selection].name) }
        onSelection?()
    }

    private func fill() {
        while buttons.count < rows.count {
            let index = buttons.count
            let button = SuggestionRow { [weak self] in self?.onChoose?(index) }
            let row = button.widget
            Signal.connectEvent(row, "button-press-event") { [weak self] event in
                guard gdk_event_triggers_context_menu(event) != 0 else { return false }
                self?.onMenu?(index, row, event)
                return true
            }
            buttons.append(button)
            list.add(button.widget, grows: true)
        }
        for (index, button) in buttons.enumerated() {
            button.widget.isVisible = index < rows.count
            if index < rows.count { button.show(rows[index]) }
        }
        fit()
    }

    /// Returns the height, in pixels up to `height`, at which as many rows as possible are wholly visible.
    func fit(height: gint) -> gint {
        let least = takesMessage ? Self.twoKeys : 0
        let row = rowHeight
        let count = min(gint(clamping: rows.count), max(1, (height - 2 * Self.border) / max(1, row)))
        let wanted = min(height, max(least, count * row) + 2 * Self.border)
        if wanted != self.height {
            self.height = wanted
            MainLoop.soon { [weak self] in
                // The window may be gone by then.
                if let self, widget.isVisible { fit() }
            }
        }
        return wanted
    }

    /// The least height of a row, in pixels.
    private var rowHeight: gint {
        var row: gint = 0
        if let first = buttons.first { gtk_widget_get_preferred_height(first.widget, &row, nil) }
        return row
    }

    private func fit() {
        fitIcons()
        guard height > 0 else { return }
        let (inside, row) = (height - 2 * Self.border, max(1, rowHeight))
        let shown = max(1, inside / row)
        let rest = rows.count - Int(shown)
        // Only whole rows are shown: the first one below the edge is moved out of sight.
        let left = inside + Self.border - shown * row
        spacing = rest > 0 ? max(0, (left + shown - 1) / shown) : 0
        gtk_box_set_spacing(list.cast(), spacing)
        gtk_widget_set_margin_top(list, spacing / 2)
        more.text = rest > 0 ? "+\(rest)" : ""
        more.isVisible = rest > 0
        var needed: gint = 0
        gtk_widget_get_preferred_height(side, &needed, nil)
        // Without room for it, only the display tells how many others there are.
        if needed > inside { more.isVisible = false }
    }

    /// Keeps the icons of both buttons small: the height of the strip does not grow with the text.
    private func fitIcons() {
        guard widget.textScale > 1 else { return }
        let grown = gint((Double(Self.icon) * widget.textScale).rounded())
        let room = (height - 2 * Self.border) / 2 - 2 * Self.padding
        for button in [close, message] {
            let image: UnsafeMutablePointer<GtkImage>? = gtk_button_get_image(button.cast())?.cast()
            gtk_image_set_pixel_size(image, min(grown, max(Self.icon, room)))
        }
    }

    /// The width of the strip's edge, and the height of both buttons at the side, in pixels.
    private static let (border, twoKeys): (gint, gint) = (1, 54)
    /// The size of an icon beside small text, and the space around it, in pixels.
    private static let (icon, padding): (gint, gint) = (16, 1)

    private func select(_ index: Int?) {
        let before = selection
        selection = index
        for changed in [before, index].compactMap({ $0 }) where buttons.indices.contains(changed) {
            buttons[changed].setSelected(changed == index)
        }
        if let index { reveal(buttons[index].widget) }
    }

    private func reveal(_ row: Widget) {
        let adjustment = gtk_scrolled_window_get_vadjustment(scrolled.cast())
        var top: gint = 0
        gtk_widget_translate_coordinates(row, list, 0, 0, nil, &top)
        let bottom = top + gtk_widget_get_allocated_height(row) + spacing
        gtk_adjustment_clamp_page(adjustment, Double(top), Double(bottom))
    }
}
