// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// A popover that asks for a few lines of text or for a confirmation.
///
/// It stays open until the action has succeeded.
@MainActor
final class PromptPopover {
    struct Field {
        let name: String
        var text = ""
        var hint = ""
        /// Whether the text is hidden, as that of a password.
        var isSecret = false
    }

    private let popover: TransientPopover
    private let problem = Widget.wrappedLabel(style: "problem")
    private let apply: Widget
    private var entries: [Widget] = []
    private let action: @MainActor ([String]) async throws(ChatServiceError) -> Void

    /// A button that closes the popover and does something else.
    struct Alternative {
        let name: String
        let action: @MainActor () -> Void
    }

    /// - Parameter text: The explanation below the title; empty for none.
    private init(
        _ title: String, text: String, fields: [Field], verb: String, isDestructive: Bool,
        alternative: Alternative?, at widget: Widget,
        action: @escaping @MainActor ([String]) async throws(ChatServiceError) -> Void
    ) {
        self.action = action
        popover = TransientPopover(at: widget)
        apply = Widget.button(verb, style: isDestructive ? "destructive-action" : "suggested-action")
        let column = popover.makeColumn(title)
        if !text.isEmpty { column.add(Widget.wrappedLabel(text)) }
        for field in fields { addEntry(field, to: column) }
        column.add(problem)
        column.add(buttons(with: alternative))
        gtk_widget_show_all(column)
        problem.isVisible = false
        Signal.connect(apply, "clicked") { [weak self] in self?.submit() }
    }

    /// Opens a popover, and closes any other one.
    static func ask(
        _ title: String, text: String = "", fields: [Field] = [], verb: String, isDestructive: Bool = false,
        alternative: Alternative? = nil, at widget: Widget, place: GdkRectangle? = nil,
        action: @escaping @MainActor ([String]) async throws(ChatServiceError) -> Void
    ) {
        let asking = PromptPopover(
            title, text: text, fields: fields, verb: verb, isDestructive: isDestructive,
            alternative: alternative, at: widget, action: action)
        asking.popover.open(with: asking, place: place)
        gtk_widget_grab_focus(asking.entries.first ?? asking.apply)
    }

    private func buttons(with alternative: Alternative?) -> Widget {
        let row = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 8)
        if let alternative {
            let button = Widget.button(alternative.name)
            Signal.connect(button, "clicked") {
                TransientPopover.cancel()
                alternative.action()
            }
            row.add(button)
        }
        gtk_box_pack_end(row.cast(), apply, 0, 0, 0)
        return row
    }

    private func addEntry(_ field: Field, to column: Widget) {
        let entry: Widget = gtk_entry_new()
        gtk_entry_set_text(entry.cast(), field.text)
        gtk_entry_set_max_length(entry.cast(), 1000)
        gtk_entry_set_width_chars(entry.cast(), 8)
        gtk_entry_set_placeholder_text(entry.cast(), field.hint)
        if field.isSecret { gtk_entry_set_visibility(entry.cast(), 0) }
        cgtk_widget_set_accessible(entry, field.name, nil)
        column.add(.label(field.name, style: "ask-name"))
        column.add(entry)
        entries.append(entry)
        Signal.connect(entry, "activate") { [weak self] in self?.submit() }
        Signal.connect(entry, "changed") { [weak self] in self?.problem.isVisible = false }
    }

    private func submit() {
        // Return in a field comes here even while the action runs.
        guard gtk_widget_get_sensitive(apply) != 0 else { return }
        let texts = entries.map(\.entryText)
        gtk_widget_set_sensitive(apply, 0)
        Task { [self] in
            do throws(ChatServiceError) {
                try await action(texts)
                // Another one may be open, or none: then this one is destroyed.
                popover.close()
            } catch {
                guard popover.isOpen else { return }
                problem.text = PlainText.line(error.text, maximum: 400)
                problem.isVisible = true
                problem.announce(problem.text)
                gtk_widget_set_sensitive(apply, 1)
            }
        }
    }
}
