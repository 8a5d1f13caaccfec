// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The list of all calls, in a popover: each with its name and state, and the keys to hear it, join it or end it.
@MainActor
final class CallList {
    private let key: Widget
    private let calls: CallManager
    private let strings: CallStrings
    private var popover: TransientPopover?
    private var rows: [CallListRow] = []
    private var column: Widget?
    private var add: Widget?

    init(at key: Widget, of calls: CallManager, _ strings: CallStrings) {
        (self.key, self.calls, self.strings) = (key, calls, strings)
    }

    /// Opens the list, with the focus on its first key.
    func open() {
        guard !calls.listed.isEmpty else { return }
        let popover = TransientPopover(at: key)
        let content = popover.makeColumn(localized("Calls"))
        let column = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 0)
        let add = Widget.button(localized("Call Another Number"))
        let keys = gtk_scrolled_window_new(nil, nil)
        if let keys {
            gtk_scrolled_window_set_policy(keys.cast(), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
            gtk_scrolled_window_set_propagate_natural_height(keys.cast(), 1)
            gtk_scrolled_window_set_max_content_height(keys.cast(), Self.height)
            gtk_container_add(keys.cast(), column)
            content.add(keys, grows: true)
        }
        content.add(add)
        Signal.connect(add, "clicked") { [weak self] in
            self?.close()
            self?.calls.addCall()
        }
        (self.popover, self.column, self.add, rows) = (popover, column, add, [])
        show()
        gtk_widget_show_all(content)
        popover.open(with: self)
        rows.first?.focus()
    }

    func close() {
        popover?.close()
        forget()
    }

    /// Updates the list, if it is open; it closes when only one call is left.
    func show() {
        guard let popover, let column, popover.isOpen || rows.isEmpty else { return forget() }
        let listed = calls.listed
        guard listed.count > 1 || rows.isEmpty else { return close() }
        let hadFocus = column.holdsFocus
        for row in rows where !listed.contains(where: { $0.id == row.id }) { row.remove() }
        rows.removeAll { row in !listed.contains { $0.id == row.id } }
        for (index, call) in listed.enumerated() {
            let row = rows.first { $0.id == call.id } ?? makeRow(call.id, in: column)
            row.show(call, calls, strings)
            gtk_box_reorder_child(column.cast(), row.widget, gint(index))
        }
        if let add { gtk_widget_set_sensitive(add, calls.canAddCall ? 1 : 0) }
        // The key that was pressed may have gone with what it did.
        if hadFocus, !column.holdsFocus { rows.first { $0.id == listed.first?.id }?.focus() }
    }

    /// The greatest height of the rows, in layout pixels; the others are scrolled to.
    private static let height: gint = 330

    private func makeRow(_ id: Call.ID, in column: Widget) -> CallListRow {
        let row = CallListRow(id, calls)
        rows.append(row)
        column.add(row.widget)
        gtk_widget_show_all(row.widget)
        return row
    }

    private func forget() {
        (popover, column, add, rows) = (nil, nil, nil, [])
    }
}

extension CallManager {
    /// The calls that the user can hear or answer; the first is the one that is heard.
    var listed: [Call] {
        let heard = calls.filter { $0.state.isLive && $0.state != .held }
        return heard + calls.filter { $0.state == .incoming } + held
    }
}
