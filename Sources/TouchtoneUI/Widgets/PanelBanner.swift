// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// A message at the top of the panel about a problem or the connection, with up to two buttons.
@MainActor
final class PanelBanner {
    let widget = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 8, style: "banner")
    private let label = Widget.label()
    private let key = Widget.button("", style: "panel-key", "plain")
    private let other = Widget.button("", style: "panel-key", "plain")
    private var action: (@MainActor () -> Void)?
    private var otherAction: (@MainActor () -> Void)?
    private var shown: Content?

    struct Content: Hashable {
        let text: String
        /// The label of the button; empty for no button.
        var verb = ""
        /// The label of the button above it; empty for none.
        var otherVerb = ""
        var isFailure = true
    }

    init() {
        // The leaflet folds if its children request more width than is available.
        label.wrapText(width: 30)
        widget.add(label, grows: true)
        let keys = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 4)
        keys.add(other)
        keys.add(key)
        gtk_widget_set_valign(keys, GTK_ALIGN_CENTER)
        gtk_widget_set_halign(keys, GTK_ALIGN_START)
        widget.add(keys)
        // Beside the button, a long text would be a narrow column that is higher than the screen.
        widget.stackWithLargeText()
        gtk_widget_show(label)
        gtk_widget_show(keys)
        gtk_widget_set_no_show_all(widget, 1)
        Signal.connect(key, "clicked") { [weak self] in self?.action?() }
        Signal.connect(other, "clicked") { [weak self] in self?.otherAction?() }
    }

    /// Shows the contents, or hides the banner if they are nil.
    func show(
        _ content: Content?, action: (@MainActor () -> Void)? = nil,
        otherAction: (@MainActor () -> Void)? = nil
    ) {
        (self.action, self.otherAction) = (action, otherAction)
        guard content != shown else { return }
        shown = content
        let hasKey = content.map { !$0.verb.isEmpty } ?? false
        // The keyboard must not lose its place with the button.
        if !hasKey, gtk_widget_is_focus(key) + gtk_widget_is_focus(other) != 0,
            let window = gtk_widget_get_toplevel(key)
        {
            gtk_widget_child_focus(window, GTK_DIR_TAB_FORWARD)
        }
        widget.isVisible = content != nil
        guard let content else { return }
        label.text = content.text
        widget.set(style: "failure", content.isFailure)
        key.isVisible = hasKey
        gtk_button_set_label(key.cast(), content.verb)
        other.isVisible = !content.otherVerb.isEmpty
        gtk_button_set_label(other.cast(), content.otherVerb)
        if content.isFailure, gtk_widget_get_mapped(widget) != 0 { widget.announce(content.text) }
    }
}
