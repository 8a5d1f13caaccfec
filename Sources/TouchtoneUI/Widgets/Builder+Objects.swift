// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

// What is done to an object by its id; an object that the layout lacks is left out.
extension Builder {
    func setVisible(_ id: String, _ isVisible: Bool) {
        if let widget: Widget = try? object(id) { widget.isVisible = isVisible }
    }

    func setSensitive(_ id: String, _ isSensitive: Bool) {
        if let widget: Widget = try? object(id) { gtk_widget_set_sensitive(widget, isSensitive ? 1 : 0) }
    }

    func setText(_ id: String, _ text: String) {
        if let label: Widget = try? object(id) { label.text = text }
    }

    func setArrow(_ id: String, isDown: Bool) {
        guard let arrow: UnsafeMutablePointer<GtkImage> = try? object(id) else { return }
        gtk_image_set_from_icon_name(
            arrow, isDown ? "pan-down-symbolic" : "pan-end-symbolic", GTK_ICON_SIZE_BUTTON)
    }

    func setSpinning(_ id: String, _ isBusy: Bool) {
        guard let spinner: UnsafeMutablePointer<GtkSpinner> = try? object(id) else { return }
        gtk_widget_set_visible(spinner.cast(), isBusy ? 1 : 0)
        if isBusy { gtk_spinner_start(spinner) } else { gtk_spinner_stop(spinner) }
    }

    func connect(_ id: String, _ signal: String, _ body: @escaping @MainActor () -> Void) throws(GLibError) {
        Signal.connect(try object(id, as: GtkWidget.self), signal, body)
    }

    /// Asks the question of a layout without blocking, and calls `accepted` if the user confirms.
    static func ask(_ layout: String, over widget: Widget, accepted: @escaping @MainActor () -> Void) {
        guard let question = try? Builder(file: layout),
            let dialog: Widget = try? question.object("question")
        else { return }
        gtk_window_set_transient_for(dialog.cast(), gtk_widget_get_toplevel(widget)?.cast())
        Signal.connectResponse(dialog) { response in
            gtk_widget_destroy(dialog)
            if response == GTK_RESPONSE_ACCEPT.rawValue { accepted() }
        }
        gtk_window_present(dialog.cast())
    }
}
