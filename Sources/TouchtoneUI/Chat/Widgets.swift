// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// A widget of GTK's, whatever its class.
typealias Widget = UnsafeMutablePointer<GtkWidget>

extension Widget {
    /// A box of that direction.
    static func box(_ orientation: GtkOrientation, spacing: gint = 0, style: String...) -> Widget {
        let box: Widget = gtk_box_new(orientation, spacing)
        for name in style { box.set(style: name, true) }
        return box
    }

    /// A label, at the start of its place; one that is cut ends in dots.
    static func label(_ text: String = "", isCut: Bool = false, style: String...) -> Widget {
        let label: Widget = gtk_label_new(text)
        gtk_label_set_xalign(label.cast(), 0)
        if isCut { gtk_label_set_ellipsize(label.cast(), PANGO_ELLIPSIZE_END) }
        for name in style { label.set(style: name, true) }
        return label
    }

    /// A label that is cut to what room there is, and asks for little: the leaflet folds where its children would like
    /// more than there is.
    static func cutLabel(_ text: String = "", style: String...) -> Widget {
        let label = Widget.label(text, isCut: true)
        gtk_label_set_max_width_chars(label.cast(), 12)
        for name in style { label.set(style: name, true) }
        return label
    }

    /// A button with a text.
    static func button(_ text: String, style: String...) -> Widget {
        let button: Widget = gtk_button_new_with_label(text)
        for name in style { button.set(style: name, true) }
        return button
    }

    /// A flat button with a picture of the icon theme's, named for assistive tools.
    static func iconButton(_ icon: String, name: String, tip: String) -> Widget {
        let button: Widget = gtk_button_new_from_icon_name(icon, GTK_ICON_SIZE_BUTTON)
        button.set(style: "flat", true)
        gtk_widget_set_tooltip_text(button, tip)
        cgtk_widget_set_accessible(button, name, nil)
        return button
    }

    /// Gives it a class of the style sheet's, or takes that away.
    func set(style name: String, _ isOn: Bool) {
        let context = gtk_widget_get_style_context(self)
        if isOn {
            gtk_style_context_add_class(context, name)
        } else {
            gtk_style_context_remove_class(context, name)
        }
    }

    /// Shows it, or takes it out of sight.
    var isVisible: Bool {
        get { gtk_widget_get_visible(self) != 0 }
        nonmutating set { if newValue != isVisible { gtk_widget_set_visible(self, newValue ? 1 : 0) } }
    }

    /// A label's text.
    ///
    /// One that stays is not set again: it would be laid out again.
    var text: String {
        get { gtk_label_get_text(cast()).map { String(cString: $0) } ?? "" }
        nonmutating set { if newValue != text { gtk_label_set_text(cast(), newValue) } }
    }

    /// Puts a widget into a box, at its end.
    func add(_ child: Widget, grows: Bool = false) {
        gtk_box_pack_start(cast(), child, grows ? 1 : 0, 1, 0)
    }

    /// Whether it, or something in it, has the keyboard's focus in its window.
    var holdsFocus: Bool {
        guard let focus = focusInWindow else { return false }
        return focus == self || gtk_widget_is_ancestor(focus, self) != 0
    }

    /// Whether the keyboard's focus is in it, or nowhere in its window: to take it takes it from nothing else.
    var mayTakeFocus: Bool { focusInWindow == nil || holdsFocus }

    private var focusInWindow: Widget? {
        guard let top = gtk_widget_get_toplevel(self), cgtk_instance_is_a(top, gtk_window_get_type()) != 0
        else { return nil }
        return gtk_window_get_focus(top.cast())
    }

    /// Whether it is a field that text is typed into.
    var takesText: Bool {
        cgtk_instance_is_a(self, gtk_editable_get_type()) != 0
            || cgtk_instance_is_a(self, gtk_text_view_get_type()) != 0
    }

    /// Gives an entry the focus with the caret at its end: what is typed next does not replace what is there.
    func focusAtEnd() {
        gtk_entry_grab_focus_without_selecting(cast())
        gtk_editable_set_position(OpaquePointer(self), -1)
    }

    /// Has lines drawn on it in the colour of its text, with round ends and corners.
    func takePen(_ cairo: OpaquePointer, width: Double) {
        var colour = GdkRGBA()
        let style = gtk_widget_get_style_context(self)
        gtk_style_context_get_color(style, gtk_style_context_get_state(style), &colour)
        gdk_cairo_set_source_rgba(cairo, &colour)
        cairo_set_line_width(cairo, width)
        cairo_set_line_cap(cairo, CAIRO_LINE_CAP_ROUND)
        cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND)
    }

    /// What assistive tools know it by; told to them only where it is another.
    func setAccessible(name: String) {
        let accessible = gtk_widget_get_accessible(self)
        guard atk_object_get_name(accessible).map({ String(cString: $0) }) != name else { return }
        atk_object_set_name(accessible, name)
    }

    /// What assistive tools say of it besides.
    func setAccessible(description: String) {
        let accessible = gtk_widget_get_accessible(self)
        guard atk_object_get_description(accessible).map({ String(cString: $0) }) ?? "" != description else {
            return
        }
        atk_object_set_description(accessible, description)
    }
}
