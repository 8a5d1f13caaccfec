// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// The contents of a place that has nothing to show yet: a title, a sentence and actions.
@MainActor
final class EmptyPlace {
    struct Content {
        /// The title, or an empty text for none.
        var title = ""
        var text: String
        /// The buttons, of which the first is the suggested one.
        var actions: [Action] = []
    }

    /// A button, by its label.
    struct Action {
        let label: String
        let run: @MainActor () -> Void

        init(_ label: String, _ run: @escaping @MainActor () -> Void) {
            (self.label, self.run) = (label, run)
        }
    }

    let widget = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 8, style: "empty-page")
    private let title = Widget.label(style: "empty-title")
    private let text = Widget.label(style: "empty-text")
    private let buttons = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 8)
    private var labels: [String] = []
    private var actions: [Action] = []

    /// Creates the place without contents; it is hidden until `show` is called.
    init() {
        for label in [title, text] {
            gtk_label_set_xalign(label.cast(), 0.5)
            gtk_label_set_justify(label.cast(), GTK_JUSTIFY_CENTER)
            gtk_label_set_line_wrap(label.cast(), 1)
            // The leaflet folds if its children request more width than is available.
            gtk_label_set_max_width_chars(label.cast(), 30)
            gtk_label_set_width_chars(label.cast(), 12)
        }
        gtk_widget_set_halign(buttons, GTK_ALIGN_CENTER)
        gtk_widget_set_valign(widget, GTK_ALIGN_CENTER)
        for part in [title, text, buttons] { widget.add(part) }
        gtk_widget_show(text)
        gtk_widget_set_no_show_all(widget, 1)
    }

    /// Shows the contents, or hides the place if they are nil; buttons with the same labels keep the focus.
    func show(_ content: Content?) {
        widget.isVisible = content != nil
        guard let content else { return }
        (title.text, text.text) = (content.title, content.text)
        title.isVisible = !content.title.isEmpty
        buttons.isVisible = !content.actions.isEmpty
        actions = content.actions
        guard labels != actions.map(\.label) else { return }
        labels = actions.map(\.label)
        gtk_container_foreach(buttons.cast(), { button, _ in gtk_widget_destroy(button) }, nil)
        for (index, label) in labels.enumerated() {
            let button = Widget.button(label, style: "panel-key", index == 0 ? "accept" : "plain")
            Signal.connect(button, "clicked") { [weak self] in self?.run(index) }
            buttons.add(button)
            gtk_widget_show_all(button)
        }
    }

    private func run(_ index: Int) {
        guard actions.indices.contains(index) else { return }
        actions[index].run()
    }
}
