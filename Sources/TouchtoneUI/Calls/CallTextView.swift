// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The real-time text of the call, in place of the keypad's digits: what both sides have typed, and the field for the user's
/// line, of which the other side sees each letter at once.
@MainActor
final class CallTextView {
    let widget: Widget
    var onClose: (@MainActor () -> Void)?

    private let builder: Builder
    private let calls: CallManager
    private let key, state, scroller, list, entry: Widget
    private var rows: [Row] = []
    private var shown: Call.ID?
    /// Whether the last line is in view.
    private var isAtEnd = true
    /// Whether the user waits to type.
    private var wantsFocus = false
    /// Whether the widgets are being set from the model, and are not to change it.
    private var isShowing = false

    /// The number of lines that are shown.
    private static let maximumRows = 50

    private struct Row {
        let id: Int
        let box, name, text: Widget
    }

    init(resources: Resources, calls: CallManager) throws(GLibError) {
        self.calls = calls
        builder = try Builder(file: resources.layout("call-text"))
        widget = try builder.object("text-view")
        key = try builder.object("text-key")
        state = try builder.object("text-state")
        scroller = try builder.object("text-scroller")
        list = try builder.object("text-list")
        entry = try builder.object("text-entry")
        FittedLabel.fit(wordsOf: [key])
        gtk_entry_set_max_length(entry.cast(), gint(CallText.maximumLine))
        Signal.connect(key, "toggled") { [weak self] in
            if let self, !isShowing { onClose?() }
        }
        Signal.connect(entry, "changed") { [weak self] in
            if let self, !isShowing { calls.type(typed) }
        }
        Signal.connect(entry, "activate") { calls.endTyped() }
        guard let adjustment = gtk_scrolled_window_get_vadjustment(scroller.cast()) else { return }
        Signal.connect(adjustment, "value-changed") { [weak self] in
            self?.isAtEnd = Self.isAtEnd(adjustment)
        }
        Signal.connect(adjustment, "changed") { [weak self] in
            guard let self, isAtEnd, !Self.isAtEnd(adjustment) else { return }
            gtk_adjustment_set_value(adjustment, gtk_adjustment_get_upper(adjustment))
        }
    }

    /// Moves the focus to the field, as soon as the user can type.
    func focus() {
        wantsFocus = true
        takeFocus()
    }

    func show(_ call: Call, name: String) {
        isShowing = true
        defer { isShowing = false }
        if shown != call.id {
            keepRows { _ in false }
            (shown, isAtEnd) = (call.id, true)
        }
        gtk_toggle_button_set_active(key.cast(), 1)
        state.text = Self.sentence(on: call.text.standing, name: name)
        showLines(of: call.text, name: name)
        if typed != call.text.typed {
            gtk_entry_set_text(entry.cast(), call.text.typed)
            gtk_editable_set_position(OpaquePointer(entry), -1)
        }
        let canType = call.text.standing == .active
        gtk_widget_set_sensitive(entry, canType ? 1 : 0)
        takeFocus()
    }

    /// Removes what was typed from the widgets.
    func clear() {
        isShowing = true
        defer { isShowing = false }
        keepRows { _ in false }
        (shown, wantsFocus) = (nil, false)
        gtk_entry_set_text(entry.cast(), "")
        state.text = ""
    }

    /// Returns what is to be known of the state of the text.
    static func sentence(on standing: CallText.Standing, name: String) -> String {
        switch standing {
        case .off, .offered: localized("{name} can no longer see what you type.", ["name": name])
        case .asked: localized("Waiting for {name} to take the text…", ["name": name])
        case .active: localized("{name} can see what you type.", ["name": name])
        case .refused: localized("{name} does not take text in this call.", ["name": name])
        }
    }

    private var typed: String { String(cString: gtk_entry_get_text(entry.cast())) }

    private func takeFocus() {
        guard wantsFocus, gtk_widget_get_sensitive(entry) != 0, gtk_widget_get_mapped(entry) != 0 else {
            return
        }
        wantsFocus = false
        gtk_widget_grab_focus(entry)
    }

    private static func isAtEnd(_ adjustment: UnsafeMutablePointer<GtkAdjustment>) -> Bool {
        gtk_adjustment_get_value(adjustment) + gtk_adjustment_get_page_size(adjustment)
            >= gtk_adjustment_get_upper(adjustment) - 1
    }

    // MARK: - Lines

    /// Shows the last lines; the one that the user is typing is in the field.
    private func showLines(of text: CallText, name: String) {
        let lines = text.lines.filter { $0.side == .farEnd || !$0.isOpen }.suffix(Self.maximumRows)
        let ids = Set(lines.map(\.id))
        keepRows { ids.contains($0.id) }
        var before: CallText.Side?
        for (index, line) in lines.enumerated() {
            let row = row(for: line, at: index)
            let sender = line.side == .own ? localizedIn("sender of a message", "you") : name
            row.name.text = sender
            row.name.isVisible = line.side != before
            before = line.side
            let shown = DirectionControls.contained(line.text)
            guard row.text.text != shown else { continue }
            row.text.text = shown
            row.text.setAccessible(
                name: localized("{sender}: {text}", ["sender": sender, "text": shown]))
        }
    }

    /// Removes the other rows.
    private func keepRows(where isKept: (Row) -> Bool) {
        for row in rows where !isKept(row) { gtk_widget_destroy(row.box) }
        rows.removeAll { !isKept($0) }
    }

    private func row(for line: CallText.Line, at index: Int) -> Row {
        if let row = rows.first(where: { $0.id == line.id }) { return row }
        let style = line.side == .own ? "text-own" : "text-far"
        let row = Row(
            id: line.id, box: .box(GTK_ORIENTATION_VERTICAL, style: style),
            name: .wrappedLabel("", style: "text-name"), text: .wrappedLabel("", style: "text-line"))
        if line.side == .own {
            for label in [row.name, row.text] { gtk_label_set_xalign(label.cast(), 1) }
        }
        for label in [row.name, row.text] {
            // Without it, GTK would measure a long text with one letter on each line, for 100 ms.
            gtk_label_set_width_chars(label.cast(), 12)
            row.box.add(label)
        }
        gtk_widget_show_all(row.box)
        list.add(row.box)
        gtk_box_reorder_child(list.cast(), row.box, gint(index))
        rows.insert(row, at: min(index, rows.count))
        return row
    }
}
