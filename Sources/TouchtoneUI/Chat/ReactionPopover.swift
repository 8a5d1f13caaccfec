// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The choice of an emoji with which the user reacts to a message: six keys, and a field for any other.
@MainActor
final class ReactionPopover {
    private static let common = ["👍", "❤️", "😂", "😮", "😢", "🙏"]

    private let popover: TransientPopover
    private var keys: [Widget] = []
    private let field: Widget = gtk_entry_new()
    private let onChosen: @MainActor (String) -> Void

    private init(mine: [String], at widget: Widget, onChosen: @escaping @MainActor (String) -> Void) {
        self.onChosen = onChosen
        popover = TransientPopover(at: widget)
        let column = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 8, style: "ask")
        let row = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 4)
        for emoji in Self.common {
            let key: Widget = gtk_toggle_button_new_with_label(emoji)
            key.set(style: "reaction-key", true)
            gtk_toggle_button_set_active(key.cast(), mine.contains(emoji) ? 1 : 0)
            Signal.connect(key, "toggled") { [weak self] in self?.choose(emoji) }
            row.add(key, grows: true)
            keys.append(key)
        }
        column.add(row)
        gtk_entry_set_placeholder_text(field.cast(), localized("Another emoji"))
        cgtk_widget_set_accessible(field, localized("Another emoji"), nil)
        Signal.connect(field, "changed") { [weak self] in self?.typed() }
        let all = Widget.iconButton(
            "face-smile-symbolic", name: localized("All Emoji"), tip: localized("Choose from all emoji"))
        Signal.connect(all, "clicked") { [field] in Signal.emit(field, "insert-emoji") }
        let others = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 4)
        others.add(field, grows: true)
        others.add(all)
        column.add(others)
        gtk_container_add(popover.widget.cast(), column)
        gtk_widget_show_all(column)
        cgtk_widget_set_accessible(popover.widget, localizedIn("verb", "React"), nil)
    }

    /// Opens the choice.
    ///
    /// - Parameter mine: The user’s present reactions: to choose one again removes it.
    static func show(
        mine: [String], at widget: Widget, place: GdkRectangle?,
        onChosen: @escaping @MainActor (String) -> Void
    ) {
        let choice = ReactionPopover(mine: mine, at: widget, onChosen: onChosen)
        choice.popover.open(with: choice, place: place)
        if let first = choice.keys.first { gtk_widget_grab_focus(first) }
    }

    private func choose(_ emoji: String) {
        popover.close()
        onChosen(emoji)
    }

    /// Chooses the first emoji that is typed, pasted or chosen from GTK’s list.
    private func typed() {
        let text = gtk_entry_get_text(field.cast()).map { String(cString: $0) } ?? ""
        if let emoji = text.first(where: \.isEmoji) { choose(String(emoji)) }
    }
}
