// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// A text in plain letters, in any script, as high as a row of the display.
@MainActor
struct PlainLine {
    /// The height of plain letters in a row of 14 pixels.
    private static let size = 13.0 / 14

    /// The width of the whole text, in layout pixels.
    let width: Double
    private let layout: GObjectRef
    private let widget: Widget
    private let height: Double

    /// Lays out a text in the font of a widget, for a row with a height in layout pixels.
    init?(_ text: String, on widget: Widget, height: Double, isBold: Bool = false) {
        guard let layout = gtk_widget_create_pango_layout(widget, text) else { return nil }
        self.layout = GObjectRef(taking: UnsafeMutableRawPointer(layout))
        (self.widget, self.height) = (widget, height)
        pango_layout_set_single_paragraph_mode(layout, 1)
        Self.setFont(of: layout, widget, size: height * Self.size, isBold: isBold)
        var (ink, logical) = (PangoRectangle(), PangoRectangle())
        pango_layout_get_pixel_extents(layout, &ink, &logical)
        // Letters with marks above each other can be much higher than their font.
        if Double(ink.height) > height {
            Self.setFont(
                of: layout, widget, size: height * Self.size * height / Double(ink.height), isBold: isBold)
            pango_layout_get_pixel_extents(layout, &ink, &logical)
        }
        width = Double(logical.width)
        (inkTop, inkHeight, inkLeft, inkWidth) = (
            Double(ink.y), Double(ink.height), Double(ink.x), Double(ink.width)
        )
    }

    /// The top and height of the ink, from the top of the layout, and its left edge and width.
    let (inkTop, inkHeight, inkLeft, inkWidth): (Double, Double, Double, Double)

    /// Whether the text runs from right to left.
    var isRightToLeft: Bool { pango_layout_get_direction(layout.opaque, 0) == PANGO_DIRECTION_RTL }

    /// The distance from the top of the row to that of the layout: letters of each script share the baseline, unless they
    /// are too high for that.
    var top: Double {
        let baseline = Double(pango_layout_get_baseline(layout.opaque)) / Double(PANGO_SCALE)
        let top = height * 11 / 14 - baseline
        return min(max(top, -inkTop), max(-inkTop, height - inkTop - inkHeight))
    }

    /// Draws the text in a part of a row, cut at its end if it is too long, or moved for a scroll.
    func draw(
        in room: Range<Double>, top: Double, at side: DotLabel.Side, movedBy offset: Double?,
        on cairo: OpaquePointer
    ) {
        let available = room.upperBound - room.lowerBound
        let isLong = width > available
        if isLong, offset == nil {
            pango_layout_set_width(layout.opaque, gint(available * Double(PANGO_SCALE)))
            pango_layout_set_ellipsize(layout.opaque, PANGO_ELLIPSIZE_END)
        }
        let isAtRight = side == .right || side == .natural && isRightToLeft
        var x = isAtRight && !(isLong && offset == nil) ? room.upperBound - width : room.lowerBound
        if isLong, let offset { x = isRightToLeft ? x + offset : room.lowerBound - offset }
        gtk_render_layout(gtk_widget_get_style_context(widget), cairo, x, top + self.top, layout.opaque)
    }

    /// Paints the text without the style of the widget, with the left edge of its ink at 0.
    func paint(on cairo: OpaquePointer) {
        cairo_move_to(cairo, -inkLeft, top)
        pango_cairo_show_layout(cairo, layout.opaque)
    }

    private static func setFont(of layout: OpaquePointer, _ widget: Widget, size: Double, isBold: Bool) {
        let font = pango_font_description_copy(
            pango_context_get_font_description(gtk_widget_get_pango_context(widget)))
        defer { pango_font_description_free(font) }
        pango_font_description_set_absolute_size(font, (size * Double(PANGO_SCALE)).rounded())
        pango_font_description_set_style(font, PANGO_STYLE_NORMAL)
        if isBold { pango_font_description_set_weight(font, PANGO_WEIGHT_SEMIBOLD) }
        pango_layout_set_font_description(layout, font)
    }
}
