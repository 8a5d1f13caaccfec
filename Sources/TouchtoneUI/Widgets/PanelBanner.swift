// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// A message at the top of the panel about a problem or the connection, with an optional button.
@MainActor
final class PanelBanner {
    let widget = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 8, style: "banner")
    private let label = Widget.label()
    private let key = Widget.button("", style: "panel-key", "plain")
    private var action: (@MainActor () -> Void)?
    private var shown: Content?

    struct Content: Hashable {
        let text: String
        /// The label of the button; empty for no button.
        var verb = ""
        var isFailure = true
    }

    init() {
        // The leaflet folds if its children request more width than is available.
        label.wrapText(width: 30)
        widget.add(label, grows: true)
        widget.add(key)
        gtk_widget_set_valign(key, GTK_ALIGN_CENTER)
        gtk_widget_set_halign(key, GTK_ALIGN_START)
        // Beside the button, a long text would be a narrow column that is higher than the screen.
        widget.stackWithLargeText()
        gtk_widget_show(label)
        gtk_widget_set_no_show_all(widget, 1)
        Signal.connect(key, "clicked") { [weak self] in self?.action?() }
    }

    /// Shows the contents, or hides the banner if they are nil.
    func show(_ content: Content?, action: (@MainActor () -> Void)? = nil) {
        self.action = action
        guard content != shown else { return }
        shown = content
        let hasKey = content.map { !$0.verb.isEmpty } ?? false
        // The keyboard must not lose its place with the button.
        if !hasKey, gtk_widget_is_focus(key) != 0, let window = gtk_widget_get_toplevel(key) {
            gtk_widget_child_focus(window, GTK_DIR_TAB_FORWARD)
        }
        widget.isVisible = content != nil
        guard let content else { return }
        label.text = content.text
        widget.set(style: "failure", content.isFailure)
        key.isVisible = hasKey
        gtk_button_set_label(key.cast(), content.verb)
        if content.isFailure, gtk_widget_get_mapped(widget) != 0 { widget.announce(content.text) }
    }
}
