// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// The segment display: the number, and over it the line and its status.
@MainActor
final class DisplayView {
    /// The display, to be placed in the window.
    let widget: UnsafeMutablePointer<GtkWidget>
    private let builder: Builder
    private let number: UnsafeMutablePointer<GtkWidget>
    private let status: UnsafeMutablePointer<GtkLabel>
    private let line: UnsafeMutablePointer<GtkLabel>
    private var scale = 1.0

    /// - Parameter dropped: gets a text that was dropped on the display; nil where it was no text.
    init(resources: Resources, dropped: @escaping @MainActor (String?) -> Void) throws(GLibError) {
        builder = try Builder(file: resources.layout("display"))
        widget = try builder.object("display")
        number = try builder.object("number")
        status = try builder.object("status")
        line = try builder.object("line")
        // Digits run from left to right in every script, and a bracket must not turn round.
        for part in [number, status.cast(), line.cast(), try builder.object("status-row")] {
            gtk_widget_set_direction(part, GTK_TEXT_DIR_LTR)
        }
        let number = number
        Signal.connectNotify(number, "size-allocate") { [weak self] in self?.fit() }
        Signal.connect(number, "style-updated") { [weak self] in self?.fit() }
        Signal.connectDraw(number) { UnlitSegments.draw(behind: number.cast(), with: $0) }
        Signal.connectDrop(widget, dropped)
        try addMenu()
    }

    /// Shows a number, as it is formatted.
    func show(number text: String) {
        gtk_label_set_text(number.cast(), text)
        fit()
    }

    /// Shows what the phone has to say.
    func show(status text: String) {
        gtk_label_set_text(status, text)
    }

    /// Shows the name of the line that Dial uses.
    func show(line text: String) {
        gtk_label_set_text(line, text)
    }

    /// The smallest type, as a part of the ordinary one; a number that is too long even so loses its beginning.
    private static let smallestScale = 0.36

    /// Makes the type as small as it takes to show the whole number in the width there is.
    private func fit() {
        let available = Double(gtk_widget_get_allocated_width(number))
        guard available > 1, let text = gtk_label_get_text(number.cast()),
            let layout = gtk_widget_create_pango_layout(number, text)
        else { return }
        defer { g_object_unref(UnsafeMutableRawPointer(layout)) }
        var width: gint = 0
        pango_layout_get_pixel_size(layout, &width, nil)
        setScale(width > 0 ? max(Self.smallestScale, min(1, available / Double(width))) : 1)
    }

    private func setScale(_ scale: Double) {
        guard abs(scale - self.scale) > 0.001 else { return }
        self.scale = scale
        let attributes = pango_attr_list_new()
        defer { pango_attr_list_unref(attributes) }
        pango_attr_list_insert(attributes, pango_attr_scale_new(scale))
        gtk_label_set_attributes(number.cast(), attributes)
    }

    private func addMenu() throws(GLibError) {
        let model: UnsafeMutablePointer<GMenuModel> = try builder.object("display-menu")
        let widget = widget
        var made: UnsafeMutablePointer<GtkWidget>?
        // A menu is a window of its own: it is made when somebody wants it.
        let menu: @MainActor () -> UnsafeMutablePointer<GtkMenu>? = {
            if made == nil, let new = gtk_menu_new_from_model(model) {
                gtk_menu_attach_to_widget(new.cast(), widget, nil)
                made = new
            }
            return made?.cast()
        }
        Signal.connectEvent(widget, "button-press-event") { event in
            guard gdk_event_triggers_context_menu(event) != 0 else { return false }
            gtk_menu_popup_at_pointer(menu(), event)
            return true
        }
        // The menu key and Shift+F10.
        Signal.connectPopup(widget) {
            gtk_menu_popup_at_widget(menu(), widget, GDK_GRAVITY_SOUTH_WEST, GDK_GRAVITY_NORTH_WEST, nil)
        }
    }
}
