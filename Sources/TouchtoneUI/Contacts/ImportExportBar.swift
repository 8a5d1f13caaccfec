// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The bar above the list of contacts that shows the progress of an import or export, with a button to cancel it.
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

    func show() {
        widget.isVisible = exchange.state != .idle
        var (text, fraction) = ("", 0.0)
        switch exchange.state {
        case .idle: return gtk_widget_set_sensitive(cancel, 1)
        case .reading: text = localized("Reading the file…")
        case .writing: text = localized("Writing the file…")
        case .adding(let done, let count):
            text = localizedPlural(
                "{done} of {count} contact", "{done} of {count} contacts", count,
                ["done": localizedNumber(done)])
            fraction = count > 0 ? Double(done) / Double(count) : 1
        }
        label.text = text
        // Reading and writing a file are single steps that cannot be cancelled.
        cancel.isVisible = if case .adding = exchange.state { true } else { false }
        gtk_progress_bar_set_fraction(bar.cast(), fraction)
    }
}
