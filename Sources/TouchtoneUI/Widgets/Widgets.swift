// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

extension Widget {
    static func box(_ orientation: GtkOrientation, spacing: gint = 0, style: String...) -> Widget {
        (gtk_box_new(orientation, spacing) as Widget).styled(style)
    }

    /// The children of a container, in its order.
    var children: [Widget] {
        let list = gtk_container_get_children(cast())
        defer { g_list_free(list) }
        return sequence(first: list, next: { $0?.pointee.next }).prefix { $0 != nil }
            .compactMap { $0?.pointee.data?.assumingMemoryBound(to: GtkWidget.self) }
    }

    /// Returns the area of a row in its list: a popover that belonged to the row would disappear with it.
    func area(in list: Widget) -> GdkRectangle {
        var (x, y): (gint, gint) = (0, 0)
        gtk_widget_translate_coordinates(self, list, 0, 0, &x, &y)
        return GdkRectangle(
            x: x, y: y, width: gtk_widget_get_allocated_width(self),
            height: gtk_widget_get_allocated_height(self))
    }

    /// Creates a label that is aligned at the start; with `isCut`, a text that is too long ends with an ellipsis.
    static func label(_ text: String = "", isCut: Bool = false, style: String...) -> Widget {
        let label: Widget = gtk_label_new(text)
        gtk_label_set_xalign(label.cast(), 0)
        if isCut { gtk_label_set_ellipsize(label.cast(), PANGO_ELLIPSIZE_END) }
        return label.styled(style)
    }

    /// Creates a label that is cut to the available width and requests little: else the leaflet folds.
    static func cutLabel(_ text: String = "", style: String...) -> Widget {
        let label = Widget.label(text, isCut: true)
        gtk_label_set_max_width_chars(label.cast(), 12)
        return label.styled(style)
    }

    /// Creates a label that wraps its text to the available width, of which it requests little.
    static func wrappedLabel(_ text: String = "", style: String...) -> Widget {
        let label = Widget.label(text)
        label.wrapText()
        return label.styled(style)
    }

    /// Makes a label wrap its text to the available width, of which it requests that of some characters.
    func wrapText(width: gint = 1) {
        wrapAnywhere()
        gtk_label_set_max_width_chars(cast(), width)
        gtk_label_set_xalign(cast(), 0)
    }

    static func button(_ text: String, style: String...) -> Widget {
        (gtk_button_new_with_label(text) as Widget).styled(style)
    }

    /// Creates a button whose label wraps to the available width.
    static func wrappedButton(_ text: String, style: String...) -> Widget {
        let button = Widget.button(text).styled(style)
        if let label = gtk_bin_get_child(button.cast()) {
            label.wrapText()
            gtk_label_set_xalign(label.cast(), 0.5)
            gtk_label_set_justify(label.cast(), GTK_JUSTIFY_CENTER)
        }
        return button
    }

    /// Creates a scrolled window for a widget; it scrolls vertically, and takes no focus itself.
    static func scroller(_ content: Widget) -> Widget {
        let scrolled: Widget = gtk_scrolled_window_new(nil, nil)
        gtk_scrolled_window_set_policy(scrolled.cast(), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
        gtk_widget_set_can_focus(scrolled, 0)
        gtk_container_add(scrolled.cast(), content)
        return scrolled
    }

    /// Whether the desktop wants motion.
    @MainActor var isAnimated: Bool {
        var value = GValue()
        g_value_init(&value, g_type_from_name("gboolean"))
        defer { g_value_unset(&value) }
        guard let settings = gtk_widget_get_settings(self) else { return false }
        g_object_get_property(settings.cast(), "gtk-enable-animations", &value)
        return g_value_get_boolean(&value) != 0
    }

    /// Creates an image of a themed icon, as large as the icon of a button at the desktop's text size.
    @MainActor static func icon(_ name: String) -> Widget {
        let image: Widget = gtk_image_new_from_icon_name(name, GTK_ICON_SIZE_BUTTON)
        image.growIconWithText()
        return image
    }

    /// Sets the size of a drawn icon, in layout pixels at the text scale 1; it grows with the desktop's text.
    @MainActor func setIconSize(_ width: Double, _ height: Double) {
        gtk_widget_set_size_request(self, gint(width), gint(height))
        followTextScale { [self] scale in
            gtk_widget_set_size_request(
                self, gint((width * scale).rounded(.up)), gint((height * scale).rounded(.up)))
        }
    }

    /// Creates a flat button with a themed icon, an accessible name and a tooltip.
    @MainActor static func iconButton(_ icon: String, name: String, tip: String) -> Widget {
        let button: Widget = gtk_button_new_from_icon_name(icon, GTK_ICON_SIZE_BUTTON)
        gtk_button_get_image(button.cast())?.growIconWithText()
        button.set(style: "flat", true)
        gtk_widget_set_tooltip_text(button, tip)
        cgtk_widget_set_accessible(button, name, nil)
        return button
    }

    /// Creates the button that opens a conversation; `tip` is also its description.
    @MainActor static func messageButton(tip: String) -> Widget {
        let button = iconButton("mail-message-new-symbolic", name: localizedIn("verb", "Message"), tip: tip)
        button.setAccessible(description: tip)
        return button
    }

    private func styled(_ names: [String]) -> Widget {
        for name in names { set(style: name, true) }
        return self
    }

    func set(style name: String, _ isOn: Bool) {
        let context = gtk_widget_get_style_context(self)
        if isOn {
            gtk_style_context_add_class(context, name)
        } else {
            gtk_style_context_remove_class(context, name)
        }
    }

    var isVisible: Bool {
        get { gtk_widget_get_visible(self) != 0 }
        nonmutating set { if newValue != isVisible { gtk_widget_set_visible(self, newValue ? 1 : 0) } }
    }

    /// The text of a label; setting the same text does nothing, because GTK would lay it out again.
    var text: String {
        get { gtk_label_get_text(cast()).map { String(cString: $0) } ?? "" }
        nonmutating set { if newValue != text { gtk_label_set_text(cast(), newValue) } }
    }

    func add(_ child: Widget, grows: Bool = false) {
        gtk_box_pack_start(cast(), child, grows ? 1 : 0, 1, 0)
    }

    /// The least width, in pixels.
    var leastWidth: gint {
        var width: gint = 0
        gtk_widget_get_preferred_width(self, &width, nil)
        return width
    }

    /// Returns the least height for a width, or for the least width, in pixels.
    func leastHeight(width: gint) -> gint {
        var height: gint = 0
        gtk_widget_get_preferred_height_for_width(self, max(width, leastWidth), &height, nil)
        return height
    }

    var holdsFocus: Bool {
        guard let focus = focusInWindow else { return false }
        return focus == self || gtk_widget_is_ancestor(focus, self) != 0
    }

    /// Whether the widget can take the focus without taking it from a widget elsewhere in its window.
    var mayTakeFocus: Bool { focusInWindow == nil || holdsFocus }

    /// The widget with the focus in the widget's window; nil for none.
    var focusInWindow: Widget? {
        guard let top = gtk_widget_get_toplevel(self), cgtk_instance_is_a(top, gtk_window_get_type()) != 0
        else { return nil }
        return gtk_window_get_focus(top.cast())
    }

    var takesText: Bool {
        cgtk_instance_is_a(self, gtk_editable_get_type()) != 0
            || cgtk_instance_is_a(self, gtk_text_view_get_type()) != 0
    }

    /// Focuses an entry with the caret at its end, so that typed text does not replace the existing text.
    func focusAtEnd() {
        gtk_entry_grab_focus_without_selecting(cast())
        gtk_editable_set_position(OpaquePointer(self), -1)
    }

    /// Calls `body` for the down arrow, which leaves a search field; it returns whether the focus moved.
    @MainActor func onDown(_ body: @escaping @MainActor () -> Bool) {
        Signal.connectEvent(self, "key-press-event") { event in
            [GDK_KEY_Down, GDK_KEY_KP_Down].contains(Int32(bitPattern: event.pointee.key.keyval)) && body()
        }
    }

    /// Gives the widget the style `focused` while a field in it has the focus.
    @MainActor func followFocus(of field: Widget) {
        for (signal, isFocused) in [("focus-in-event", true), ("focus-out-event", false)] {
            Signal.connectEvent(field, signal) { [self] _ in
                set(style: "focused", isFocused)
                return false
            }
        }
    }

    /// The text of an entry.
    var entryText: String { (cast() as UnsafeMutablePointer<GtkEntry>).text }

    /// Sets up Cairo for round lines in the widget's text colour, with a width in layout pixels.
    func takePen(_ cairo: OpaquePointer, width: Double, alpha: Double = 1) {
        var colour = GdkRGBA()
        let style = gtk_widget_get_style_context(self)
        gtk_style_context_get_color(style, gtk_style_context_get_state(style), &colour)
        colour.alpha *= alpha
        gdk_cairo_set_source_rgba(cairo, &colour)
        cairo_set_line_width(cairo, width)
        cairo_set_line_cap(cairo, CAIRO_LINE_CAP_ROUND)
        cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND)
    }

    /// Sets the accessible name, and notifies assistive tools only if it has changed.
    func setAccessible(name: String) {
        let name = DirectionControls.contained(name)
        let accessible = gtk_widget_get_accessible(self)
        guard atk_object_get_name(accessible).map({ String(cString: $0) }) != name else { return }
        atk_object_set_name(accessible, name)
    }

    func setAccessible(description: String) {
        let description = DirectionControls.contained(description)
        let accessible = gtk_widget_get_accessible(self)
        guard atk_object_get_description(accessible).map({ String(cString: $0) }) ?? "" != description else {
            return
        }
        atk_object_set_description(accessible, description)
    }

    /// Sets the purpose of a key as its tooltip and as its accessible description.
    func setTip(_ text: String) {
        let text = DirectionControls.contained(text)
        let before = gtk_widget_get_tooltip_text(self)
        defer { g_free(before) }
        guard before.map({ String(cString: $0) }) != text else { return }
        gtk_widget_set_tooltip_text(self, text)
        setAccessible(description: text)
    }
}

extension UnsafeMutablePointer<GtkEntry> {
    var text: String { gtk_entry_get_text(self).map { String(cString: $0) } ?? "" }
}

extension UnsafeMutablePointer<GtkTextBuffer> {
    var text: String {
        var (start, end) = (GtkTextIter(), GtkTextIter())
        gtk_text_buffer_get_bounds(self, &start, &end)
        guard let text = gtk_text_buffer_get_text(self, &start, &end, 0) else { return "" }
        defer { g_free(text) }
        return String(cString: text)
    }
}
