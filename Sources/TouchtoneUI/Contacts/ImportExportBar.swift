// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// A line over the list of contacts that says how far an import or an export is, with a key that ends it.
@MainActor
final class ImportExportBar {
    let widget = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 6, style: "banner")
    private let exchange: ContactImportExport
    private let label = Widget.cutLabel()
    private let bar: Widget = gtk_progress_bar_new()
    private let cancel = Widget.button(localized("Cancel"), style: "panel-key")

    init(_ exchange: ContactImportExport) {
        self.exchange = exchange
        let line = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 8)
        line.add(label, grows: true)
        line.add(cancel)
        widget.add(line)
        widget.add(bar)
        cgtk_widget_set_accessible(bar, localized("Progress"), nil)
        gtk_widget_show_all(line)
        gtk_widget_show(bar)
        gtk_widget_set_no_show_all(widget, 1)
        Signal.connect(cancel, "clicked") { [weak self] in
            guard let self else { return }
            gtk_widget_set_sensitive(cancel, 0)
            exchange.cancel()
        }
    }

    /// Shows how far it is.
    func show() {
        widget.isVisible = exchange.state != .idle
        var (words, part) = ("", 0.0)
        switch exchange.state {
        case .idle: return gtk_widget_set_sensitive(cancel, 1)
        case .reading: words = localized("Reading the file…")
        case .writing: words = localized("Writing the file…")
        case .adding(let done, let count):
            words = localizedPlural(
                "{done} of {count} contact", "{done} of {count} contacts", count,
                ["done": ContactStrings.count(done)])
            part = count > 0 ? Double(done) / Double(count) : 1
        }
        label.text = words
        // What is read at once can't be ended in the middle.
        cancel.isVisible = if case .adding = exchange.state { true } else { false }
        gtk_progress_bar_set_fraction(bar.cast(), part)
    }
}
