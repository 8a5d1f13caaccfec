// SPDX-License-Identifier: GPL-3.0-or-later

/// A label that wraps its text at a known width.
///
/// GTK lays out the text of a wrapping label about five times for each size, once of them with a line for each character,
/// which took a third of the time of a scrolled conversation. This one lays it out once, and once more if it is narrower
/// than the known width. Its style must not give it a padding.
@MainActor
public enum MessageLabel {
    public static func make() -> Widget {
        guard let object = g_object_new_with_properties(type, 0, nil, nil) else {
            preconditionFailure("GTK always creates a widget, or terminates the program")
        }
        let label: Widget = object.cast()
        label.wrapAnywhere()
        return label
    }

    /// Sets the width at which the text wraps, in pixels, before the label is measured.
    public static func setWidth(_ width: gint, of label: Widget) {
        g_object_set_data(label.cast(), key, UnsafeMutableRawPointer(bitPattern: Int(max(1, width))))
    }

    /// Shows a text, and makes its links safe for screen readers, which keep them longer than the label does.
    public static func setMarkup(_ markup: String, hasLinks: Bool, of label: Widget) {
        gtk_label_set_markup(label.cast(), markup)
        guard hasLinks, g_object_get_data(label.cast(), linksKey) == nil else { return }
        g_object_set_data(label.cast(), linksKey, UnsafeMutableRawPointer(label))
        cgtk_guard_links(gtk_widget_get_accessible(label))
        // GTK frees the links with their text. Those of a destroyed label would stay, and end the program when their
        // address is asked for.
        Signal.connect(label, "destroy") { gtk_label_set_text(label.cast(), "") }
    }

    private nonisolated static let key = "touchtone-width"
    private nonisolated static let linksKey = "touchtone-links"
    /// The least width, in pixels: enough for a character.
    private nonisolated static let least: gint = 24

    // MARK: - GObject class

    private static let type: GType = {
        var parent = GTypeQuery()
        g_type_query(gtk_label_get_type(), &parent)
        return g_type_register_static_simple(
            gtk_label_get_type(), "TouchtoneMessageLabel", parent.class_size, fillClass, parent.instance_size,
            nil, GTypeFlags(rawValue: 0))
    }()

    private nonisolated static let fillClass: GClassInitFunc = { data, _ in
        guard let data else { return }
        let widgets = data.assumingMemoryBound(to: GtkWidgetClass.self)
        widgets.pointee.get_preferred_width = { label, least, natural in
            let width = MessageLabel.naturalWidth(of: label)
            least?.pointee = min(width, MessageLabel.least)
            natural?.pointee = width
        }
        // A horizontal box asks for this.
        widgets.pointee.get_preferred_width_for_height = { label, _, least, natural in
            let width = MessageLabel.naturalWidth(of: label)
            least?.pointee = min(width, MessageLabel.least)
            natural?.pointee = width
        }
        widgets.pointee.get_preferred_height = { label, least, natural in
            let height = MessageLabel.height(of: label, in: nil)
            least?.pointee = height
            natural?.pointee = height
        }
        widgets.pointee.get_preferred_height_for_width = { label, width, least, natural in
            let height = MessageLabel.height(of: label, in: width)
            least?.pointee = height
            natural?.pointee = height
        }
        widgets.pointee.get_preferred_height_and_baseline_for_width = {
            label, width, least, natural, leastBaseline, naturalBaseline in
            let height = MessageLabel.height(of: label, in: width < 0 ? nil : width)
            least?.pointee = height
            natural?.pointee = height
            leastBaseline?.pointee = -1
            naturalBaseline?.pointee = -1
        }
    }

    /// Returns the width of the text without wrapping, in pixels; that of a long line is not exact.
    ///
    /// GTK keeps it when the known width changes.
    private nonisolated static func naturalWidth(of label: Widget?) -> gint {
        guard let label, let layout = gtk_label_get_layout(label.cast()) else { return 1 }
        let width = size(of: layout, in: knownWidth(of: label) ?? -1).width
        guard pango_layout_is_wrapped(layout) != 0 else { return width }
        guard !hasLongLine(layout), let copy = pango_layout_copy(layout) else { return tooWide }
        defer { g_object_unref(UnsafeMutableRawPointer(copy)) }
        return size(of: copy, in: -1).width
    }

    /// A width that is greater than any known one, in pixels.
    private nonisolated static let tooWide: gint = 1 << 14
    /// The length of a line that is certainly wrapped, in bytes.
    private nonisolated static let longLine = 220

    private nonisolated static func hasLongLine(_ layout: OpaquePointer) -> Bool {
        guard var byte = pango_layout_get_text(layout) else { return false }
        var count = 0
        while byte.pointee != 0 {
            count = byte.pointee == 0x0a ? 0 : count + 1
            if count > longLine { return true }
            byte += 1
        }
        return false
    }

    private nonisolated static func knownWidth(of label: Widget) -> gint? {
        g_object_get_data(label.cast(), key).map { gint(Int(bitPattern: $0)) }
    }

    /// Returns the height of the text in a width, in pixels; nil for the width at which it wraps.
    private nonisolated static func height(of label: Widget?, in width: gint?) -> gint {
        guard let label, let layout = gtk_label_get_layout(label.cast()) else { return 1 }
        let known = knownWidth(of: label) ?? width ?? -1
        let whole = size(of: layout, in: known)
        // Another width than the known one matters only to a text that does not fit it.
        guard let width, width < (pango_layout_is_wrapped(layout) != 0 ? known : whole.width) else {
            return whole.height
        }
        return size(of: layout, in: max(1, width)).height
    }

    private nonisolated static func size(of layout: OpaquePointer, in width: gint) -> (
        width: gint, height: gint
    ) {
        pango_layout_set_width(layout, width < 0 ? -1 : width * PANGO_SCALE)
        var area = PangoRectangle()
        pango_layout_get_extents(layout, nil, &area)
        let pixels = { (size: gint) in (size + PANGO_SCALE - 1) / PANGO_SCALE }
        return (pixels(area.width), pixels(area.height))
    }
}
