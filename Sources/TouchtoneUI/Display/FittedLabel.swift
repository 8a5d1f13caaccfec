// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// A label that scales its text down to fit its allocation, and requests the same size for every text.
///
/// If the text determined the size request, a longer text would move the neighbouring widgets.
@MainActor
final class FittedLabel {
    // Not retained, because the label's signal handlers own this object.
    private let label: UnsafeMutablePointer<GtkLabel>
    private let room: Widget?
    private let smallest: Double
    private var scale = 1.0

    /// The minimum scale for fitting the height, for tall scripts.
    private static let smallestByHeight = 0.3

    /// - Parameters:
    ///   - label: The label to fit.
    ///   - room: The widget whose height limits the text, or nil if the label requests its own size.
    ///   - smallest: The minimum scale for fitting the width, from 0 to 1. Text that is still too wide is ellipsized.
    @discardableResult
    init(_ label: UnsafeMutablePointer<GtkLabel>, room: Widget? = nil, smallest: Double) {
        (self.label, self.room, self.smallest) = (label, room, smallest)
        if gtk_label_get_ellipsize(label) == PANGO_ELLIPSIZE_NONE {
            gtk_label_set_ellipsize(label, PANGO_ELLIPSIZE_END)
        }
        if room == nil {
            gtk_label_set_width_chars(label, Self.characters)
            gtk_label_set_max_width_chars(label, Self.characters)
        }
        Signal.connectNotify(label, "size-allocate") { self.fit() }
        Signal.connect(label, "style-updated") { self.fit() }
        if let room { Signal.connectNotify(room, "size-allocate") { [weak self] in self?.fit() } }
    }

    /// Fits the label of a button, or returns nil if the button has no label.
    @discardableResult
    convenience init?(wordOf button: Widget) {
        guard let child = gtk_bin_get_child(button.cast()),
            cgtk_instance_is_a(child, gtk_label_get_type()) != 0
        else { return nil }
        self.init(child.cast(), smallest: 0.5)
    }

    /// Shows a text, and fits it before the next frame is drawn.
    func show(_ text: String) {
        guard gtk_label_get_text(label).map({ String(cString: $0) }) != text else { return }
        gtk_label_set_text(label, text)
        fit()
    }

    /// The requested width in characters, which fits an ellipsis in any script.
    private static let characters: gint = 3

    /// Scales the text down until all of it fits the allocation.
    private func fit() {
        let widget: Widget = label.cast()
        // Reserve a pixel for each letter of a key label, because the layout may not know the letter spacing yet.
        let spacing = room == nil ? gint(clamping: String(cString: gtk_label_get_text(label)).count) : 0
        let width = gtk_widget_get_allocated_width(widget) - spacing
        guard width > 1 else { return }
        let height = room.map { gtk_widget_get_allocated_height($0) } ?? .max
        guard height > 1 else { return }
        let whole = size(at: 1)
        // Request the line height at scale 1, so that scaling does not change the layout.
        if room == nil, whole.height != lineHeight {
            lineHeight = whole.height
            gtk_widget_set_size_request(widget, -1, whole.height)
        }
        set(scale: scale(for: whole, in: (width, height)))
    }

    private var lineHeight: gint = 0

    private func scale(for whole: (width: gint, height: gint), in room: (width: gint, height: gint))
        -> Double
    {
        var scale = 1.0
        if whole.width > room.width { scale = max(smallest, Double(room.width) / Double(whole.width)) }
        if whole.height > room.height { scale = min(scale, Double(room.height) / Double(whole.height)) }
        // Hinted glyphs and letter spacing do not scale linearly, so approach the fit in steps.
        while scale < 1, scale > Self.smallestByHeight {
            let size = size(at: scale)
            guard size.height > room.height || size.width > room.width && scale > smallest else { break }
            scale = size.height > room.height ? scale * 0.97 : max(smallest, scale * 0.97)
        }
        return scale
    }

    /// Measures the whole text in one line at a scale, in pixels.
    private func size(at scale: Double) -> (width: gint, height: gint) {
        guard let shown = gtk_label_get_layout(label), let layout = pango_layout_copy(shown) else {
            return (0, 0)
        }
        defer { g_object_unref(UnsafeMutableRawPointer(layout)) }
        let attributes =
            pango_layout_get_attributes(layout).map { pango_attr_list_copy($0) }
            ?? pango_attr_list_new()
        pango_attr_list_change(attributes, pango_attr_scale_new(scale))
        pango_layout_set_attributes(layout, attributes)
        pango_attr_list_unref(attributes)
        pango_layout_set_width(layout, -1)
        pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_NONE)
        var (width, height): (gint, gint) = (0, 0)
        pango_layout_get_pixel_size(layout, &width, &height)
        return (width, height)
    }

    private func set(scale: Double) {
        guard abs(scale - self.scale) > 0.001 else { return }
        self.scale = scale
        let attributes = pango_attr_list_new()
        defer { pango_attr_list_unref(attributes) }
        pango_attr_list_insert(attributes, pango_attr_scale_new(scale))
        gtk_label_set_attributes(label, attributes)
    }
}
