// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// The number in segments, lit before unlit ones.
///
/// They are drawn directly instead of shown by labels, so that screen readers read the number alone, with its zeros.
@MainActor
enum Segments {
    /// The character that has all fourteen segments in the segment font.
    private static let cell = "~"
    /// The prefix of the segment font's family name: a fallback font has no segments.
    private static let face = "DSEG14"

    /// Draws the text of a label, before unlit cells that also fill the free space to its left.
    static func draw(_ label: UnsafeMutablePointer<GtkLabel>, with cairo: OpaquePointer) {
        let widget: Widget = label.cast()
        guard let shown = gtk_label_get_layout(label), let style = gtk_widget_get_style_context(widget)
        else { return }
        var (x, y): (gint, gint) = (0, 0)
        gtk_label_get_layout_offsets(label, &x, &y)
        var allocation = GtkAllocation()
        gtk_widget_get_allocation(widget, &allocation)
        (x, y) = (x - allocation.x, y - allocation.y)
        guard hasSegments(shown), let copy = pango_layout_copy(shown) else {
            return gtk_render_layout(style, cairo, Double(x), Double(y), shown)
        }
        let drawn = GObjectRef(taking: UnsafeMutableRawPointer(copy))
        let text = String(cString: pango_layout_get_text(shown))
        drawUnlit(behind: text, in: shown, style, width: allocation.width, y: Double(y), with: cairo)
        // The zero of the font is struck through, and looks like an 8 in small type; its letter O has the same width.
        pango_layout_set_text(drawn.opaque, text.replacing("0", with: "O"), -1)
        gtk_render_layout(style, cairo, Double(x), Double(y), drawn.opaque)
    }

    private static func drawUnlit(
        behind text: String, in lit: OpaquePointer, _ style: UnsafeMutablePointer<GtkStyleContext>,
        width: gint, y: Double, with cairo: OpaquePointer
    ) {
        guard let copy = pango_layout_copy(lit) else { return }
        let unlit = GObjectRef(taking: UnsafeMutableRawPointer(copy))
        pango_layout_set_width(unlit.opaque, -1)
        fill(unlit.opaque, with: text.map(segments(of:)).joined(), upTo: width)
        var unlitWidth: gint = 0
        pango_layout_get_pixel_size(unlit.opaque, &unlitWidth, nil)
        gtk_style_context_save(style)
        gtk_style_context_add_class(style, "unlit")
        gtk_render_layout(style, cairo, Double(width - unlitWidth), y, unlit.opaque)
        gtk_style_context_restore(style)
    }

    /// Returns the unlit text behind a character; spaces, dots and colons have no cell of their own.
    private static func segments(of character: Character) -> String {
        character == " " || character == "." || character == ":" ? String(character) : cell
    }

    /// Sets the layout's text to the cells, preceded by as many more as fit the width.
    private static func fill(_ layout: OpaquePointer, with cells: String, upTo width: gint) {
        let room = width - self.width(of: cells, in: layout)
        let count = room / max(1, self.width(of: cell, in: layout))
        pango_layout_set_text(layout, String(repeating: cell, count: max(0, Int(count))) + cells, -1)
    }

    private static func width(of text: String, in layout: OpaquePointer) -> gint {
        var width: gint = 0
        pango_layout_set_text(layout, text, -1)
        pango_layout_get_pixel_size(layout, &width, nil)
        return width
    }

    private static func hasSegments(_ layout: OpaquePointer) -> Bool {
        guard let context = pango_layout_get_context(layout),
            let wanted = pango_context_get_font_description(context),
            let font = pango_context_load_font(context, wanted), let found = pango_font_describe(font)
        else { return false }
        defer {
            pango_font_description_free(found)
            g_object_unref(UnsafeMutableRawPointer(font))
        }
        return pango_font_description_get_family(found).map { String(cString: $0).hasPrefix(face) } ?? false
    }
}
