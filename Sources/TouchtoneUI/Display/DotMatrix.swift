// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// A grid of dots, lit and unlit, drawn by Cairo.
struct DotMatrix {
    /// The distance of two dots, in layout pixels.
    let pitch: Double
    /// The number of rows, at most 16.
    let rows: Int
    /// The left edge of the first column and the top of the first row, in layout pixels.
    let origin: (x: Double, y: Double)

    /// The colours of the dots; a transparent one draws nothing.
    struct Colours {
        var lit: GdkRGBA
        var unlit: GdkRGBA
        var glow: GdkRGBA

        /// Derives the colours from a widget's text; in high contrast, there are neither glow nor unlit dots.
        @MainActor
        init(of widget: Widget) {
            let style = gtk_widget_get_style_context(widget)
            lit = GdkRGBA()
            gtk_style_context_get_color(style, gtk_style_context_get_state(style), &lit)
            (unlit, glow) = (lit, lit)
            unlit.alpha = Self.isVisible("led_unlit", in: style) ? 0.055 : 0
            glow.alpha = Self.isVisible("amber_glow", in: style) ? 0.13 : 0
        }

        @MainActor
        private static func isVisible(_ name: String, in style: UnsafeMutablePointer<GtkStyleContext>?)
            -> Bool
        {
            var colour = GdkRGBA()
            return gtk_style_context_lookup_color(style, name, &colour) != 0 && colour.alpha > 0
        }
    }

    /// The share of its pitch that a dot fills, so that it stays bright at scale 1.
    private static let share = 0.92

    /// Draws columns of lit dots with a faint glow around them.
    func draw(_ columns: some Sequence<UInt16>, _ colours: Colours, on cairo: OpaquePointer) {
        let columns = Array(columns)
        if colours.glow.alpha > 0 {
            visit(columns) { addGlow(at: $0, $1, to: cairo) }
            fill(colours.glow, on: cairo)
        }
        visit(columns) { addDot(at: $0, $1, to: cairo) }
        fill(colours.lit, on: cairo)
    }

    func drawUnlit(columns: Int, _ colours: Colours, on cairo: OpaquePointer) {
        guard colours.unlit.alpha > 0, columns > 0 else { return }
        let all = UInt16(truncatingIfNeeded: (1 << rows) - 1)
        visit(Array(repeating: all, count: columns)) { addDot(at: $0, $1, to: cairo) }
        fill(colours.unlit, on: cairo)
    }

    private func visit(_ columns: [UInt16], _ body: (Int, Int) -> Void) {
        for (column, bits) in columns.enumerated() where bits != 0 {
            for row in 0..<rows where bits >> UInt16(row) & 1 == 1 { body(column, row) }
        }
    }

    private func addDot(at column: Int, _ row: Int, to cairo: OpaquePointer) {
        let (size, rim) = (pitch * Self.share, pitch * (1 - Self.share) / 2)
        let (x, y) = (origin.x + Double(column) * pitch + rim, origin.y + Double(row) * pitch + rim)
        guard pitch >= 3 else { return cairo_rectangle(cairo, x, y, size, size) }
        let radius = size * 0.32
        cairo_new_sub_path(cairo)
        cairo_arc(cairo, x + size - radius, y + radius, radius, -0.5 * .pi, 0)
        cairo_arc(cairo, x + size - radius, y + size - radius, radius, 0, 0.5 * .pi)
        cairo_arc(cairo, x + radius, y + size - radius, radius, 0.5 * .pi, .pi)
        cairo_arc(cairo, x + radius, y + radius, radius, .pi, 1.5 * .pi)
        cairo_close_path(cairo)
    }

    private func addGlow(at column: Int, _ row: Int, to cairo: OpaquePointer) {
        guard pitch < 3 else {
            let (x, y) = (origin.x + (Double(column) + 0.5) * pitch, origin.y + (Double(row) + 0.5) * pitch)
            cairo_new_sub_path(cairo)
            return cairo_arc(cairo, x, y, pitch * 1.25, 0, 2 * .pi)
        }
        // Small squares overlap to nearly the same picture as circles, and Cairo fills them faster.
        let (reach, size) = (pitch / 2, pitch * 2)
        cairo_rectangle(
            cairo, origin.x + Double(column) * pitch - reach, origin.y + Double(row) * pitch - reach, size,
            size)
    }

    private func fill(_ colour: GdkRGBA, on cairo: OpaquePointer) {
        var colour = colour
        gdk_cairo_set_source_rgba(cairo, &colour)
        cairo_fill(cairo)
    }
}
