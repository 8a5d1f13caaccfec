// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// The unlit segments, drawn faintly behind the number.
///
/// They are drawn directly instead of shown by a label, so that screen readers do not read them.
@MainActor
enum UnlitSegments {
    /// The character that has all fourteen segments in the segment font.
    private static let cell = "~"
    /// The prefix of the segment font's family name.
    ///
    /// With a fallback font, no segments are drawn.
    private static let face = "DSEG14"

    /// Draws unlit cells behind the characters of the label and in the free space to their left.
    static func draw(behind label: UnsafeMutablePointer<GtkLabel>, with cairo: OpaquePointer) {
        let widget: UnsafeMutablePointer<GtkWidget> = label.cast()
        guard let lit = gtk_label_get_layout(label), hasSegments(lit),
            let unlit = pango_layout_copy(lit), let style = gtk_widget_get_style_context(widget)
        else { return }
        defer { g_object_unref(UnsafeMutableRawPointer(unlit)) }
        let width = gtk_widget_get_allocated_width(widget)
        let cells = String(cString: pango_layout_get_text(lit)).map(segments(of:)).joined()
        pango_layout_set_width(unlit, -1)
        fill(unlit, with: cells, upTo: width)
        var (unlitWidth, x, y): (gint, gint, gint) = (0, 0, 0)
        pango_layout_get_pixel_size(unlit, &unlitWidth, nil)
        gtk_label_get_layout_offsets(label, &x, &y)
        var allocation = GtkAllocation()
        gtk_widget_get_allocation(widget, &allocation)
        gtk_style_context_save(style)
        gtk_style_context_add_class(style, "unlit")
        gtk_render_layout(style, cairo, Double(width - unlitWidth), Double(y - allocation.y), unlit)
        gtk_style_context_restore(style)
    }

    /// Returns the unlit text behind a character.
    ///
    /// Spaces, dots and colons have no cell of their own.
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
