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
    private let row: Row?
    private let hasTip: Bool
    /// The shown text and its short form, if the text was set by `show(_:orShort:)`.
    private var forms: (whole: String, short: String)?
    private var scale = 1.0
    /// The scale at which the label's own text fits.
    private var ownScale = 1.0
    /// Whether texts are fitted; a text that is drawn in another way need not be measured.
    var isActive = true

    /// Labels that share the scale of the longest text, because words of different sizes side by side look unlike.
    @MainActor
    private final class Row {
        private var labels: [@MainActor () -> FittedLabel?] = []

        func add(_ label: FittedLabel) { labels.append { [weak label] in label } }

        func setScale() {
            let labels = labels.compactMap { $0() }
            guard let scale = labels.map(\.ownScale).min() else { return }
            for label in labels { label.set(scale: scale) }
        }
    }

    /// The minimum scale for fitting the height, for tall scripts.
    private static let smallestByHeight = 0.3

    /// - Parameters:
    ///   - room: The widget whose height limits the text, or nil if the label requests its own size.
    ///   - smallest: The minimum scale for fitting the width, from 0 to 1. Text that is still too wide is ellipsized.
    ///   - hasTip: Whether a text that is not shown in full is the tooltip of the label.
    @discardableResult
    convenience init(
        _ label: UnsafeMutablePointer<GtkLabel>, room: Widget? = nil, smallest: Double, hasTip: Bool = false
    ) {
        self.init(label, room: room, smallest: smallest, hasTip: hasTip, row: nil, characters: 3)
    }

    private init(
        _ label: UnsafeMutablePointer<GtkLabel>, room: Widget?, smallest: Double, hasTip: Bool, row: Row?,
        characters: gint
    ) {
        (self.label, self.room, self.smallest) = (label, room, smallest)
        (self.hasTip, self.row) = (hasTip, row)
        row?.add(self)
        if gtk_label_get_ellipsize(label) == PANGO_ELLIPSIZE_NONE {
            gtk_label_set_ellipsize(label, PANGO_ELLIPSIZE_END)
        }
        if room == nil {
            gtk_label_set_width_chars(label, characters)
            gtk_label_set_max_width_chars(label, characters)
        }
        Signal.connectNotify(label, "size-allocate") { self.fit() }
        Signal.connect(label, "style-updated") { self.fit() }
        if let room { Signal.connectNotify(room, "size-allocate") { [weak self] in self?.fit() } }
    }

    /// Fits the labels of a row of buttons, at the same scale; buttons without a label are ignored.
    ///
    /// - Parameter characters: The width that each requests, in characters; three fit an ellipsis in any script.
    static func fit(wordsOf buttons: [Widget], characters: gint = 3) {
        fit(
            buttons.compactMap { gtk_bin_get_child($0.cast()) }.filter {
                cgtk_instance_is_a($0, gtk_label_get_type()) != 0
            }, characters: characters)
    }

    /// Fits labels side by side, at the same scale.
    static func fit(_ labels: [Widget], characters: gint = 3) {
        let row = Row()
        // The label's signal handlers retain the object.
        for label in labels {
            _ = FittedLabel(
                label.cast(), room: nil, smallest: 0.5, hasTip: false, row: row, characters: characters)
        }
    }

    /// Shows a text, and fits it before the next frame is drawn.
    func show(_ text: String) { show(text, orShort: text) }

    /// Shows a text, which is the accessible name, or a short form if it is too long at the minimum scale.
    func show(_ text: String, orShort short: String) {
        guard forms?.whole != text || forms?.short != short else { return }
        forms = (text, short)
        gtk_widget_set_tooltip_text(label.cast(), nil)
        set(text: text)
        fit()
    }

    private func set(text: String) {
        let widget: Widget = label.cast()
        widget.text = text
        // Once set, a name takes precedence over the label's text.
        guard let whole = forms?.whole, isNamed || text != whole else { return }
        isNamed = true
        widget.setAccessible(name: whole)
    }

    private var isNamed = false

    /// Scales the text down until all of it fits the allocation.
    private func fit() {
        guard isActive else { return }
        let widget: Widget = label.cast()
        // Reserve a pixel for each letter of a key label, because the layout may not know the letter spacing yet.
        // Pango does not measure the space after the last letter, but ellipsizes a text if there is no room for it.
        let spacing = room == nil ? gint(clamping: String(cString: gtk_label_get_text(label)).count) : 2
        let width = gtk_widget_get_allocated_width(widget) - spacing
        guard width > 1 else { return }
        let height = room.map { gtk_widget_get_allocated_height($0) } ?? .max
        guard height > 1 else { return }
        if let forms, forms.short != forms.whole {
            // To measure at another scale, fontconfig searches all fonts for that size, so try this one first.
            let isTooWide = [1, smallest].allSatisfy { size(of: forms.whole, at: $0).width > width }
            set(text: isTooWide ? forms.short : forms.whole)
        }
        let whole = size(at: 1)
        // Request the line height at scale 1, so that scaling does not change the layout.
        if room == nil, whole.height != lineHeight {
            lineHeight = whole.height
            gtk_widget_set_size_request(widget, -1, whole.height)
        }
        ownScale = scale(for: whole, in: (width, height))
        if let row { row.setScale() } else { set(scale: ownScale) }
        if hasTip { setTip(isCut: size(at: scale).width > width) }
    }

    /// Sets the whole text as the tooltip if the label does not show all of it.
    private func setTip(isCut: Bool) {
        let shown = String(cString: gtk_label_get_text(label))
        let whole = forms?.whole ?? shown
        gtk_widget_set_tooltip_text(label.cast(), isCut || shown != whole ? whole : nil)
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

    /// Measures a text, or that of the label, in one line at a scale, in pixels.
    private func size(of text: String? = nil, at scale: Double) -> (width: gint, height: gint) {
        var (width, height): (gint, gint) = (0, 0)
        guard let shown = gtk_label_get_layout(label) else { return (0, 0) }
        // The label has measured its own text.
        if text == nil, scale == self.scale, pango_layout_is_ellipsized(shown) == 0 {
            pango_layout_get_pixel_size(shown, &width, &height)
            return (width, height)
        }
        guard let layout = pango_layout_copy(shown) else { return (0, 0) }
        defer { g_object_unref(UnsafeMutableRawPointer(layout)) }
        let attributes =
            pango_layout_get_attributes(layout).map { pango_attr_list_copy($0) }
            ?? pango_attr_list_new()
        pango_attr_list_change(attributes, pango_attr_scale_new(scale))
        pango_layout_set_attributes(layout, attributes)
        pango_attr_list_unref(attributes)
        if let text { pango_layout_set_text(layout, text, -1) }
        pango_layout_set_width(layout, -1)
        pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_NONE)
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
