// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// Draws a microcassette: a shell, a paper label with stripes, and a window with two reels.
@MainActor
struct CassettePainter {
    private let cairo: OpaquePointer
    private let widget: Widget
    private let width, height: Double
    private let hasLine: Bool
    private let margin, middle: Double
    private let windowWidth, windowHeight: Double
    /// The radius of the hubs.
    private let hub: Double

    /// - Parameters:
    ///   - width: In layout pixels, as `height`.
    ///   - hasLine: Whether the label has room for a line of handwriting.
    init(cairo: OpaquePointer, widget: Widget, width: Double, height: Double, hasLine: Bool) {
        (self.cairo, self.widget, self.hasLine) = (cairo, widget, hasLine)
        (self.width, self.height) = (width, height)
        margin = max(4, (height * 0.08).rounded())
        middle = Self.middle(height: height, hasLine: hasLine)
        (windowWidth, windowHeight) = Self.windowSize(width: width, height: height, hasLine: hasLine)
        hub = windowHeight * 0.3
    }

    /// Draws all that does not move.
    func drawShell(label: String) {
        use(0x000000, 0.35)
        AvatarPainter.addRectangle(to: cairo, x: 0, y: 2, width: width, height: height - 2, radius: 6)
        cairo_fill(cairo)
        fill(from: 0, to: height - 2, 0x57504B, 0x2B2623) {
            AvatarPainter.addRectangle(to: cairo, x: 0, y: 0, width: width, height: height - 2, radius: 5)
        }
        use(0xFFFFFF, 0.25)
        cairo_set_line_width(cairo, 1)
        cairo_move_to(cairo, 5, 0.5)
        cairo_line_to(cairo, width - 5, 0.5)
        cairo_stroke(cairo)
        drawLabel(label)
        drawFoot()
    }

    private func drawLabel(_ words: String) {
        let tall = height * 0.66
        fill(from: margin, to: margin + tall, 0xFBF3E0, 0xEADFC4) {
            AvatarPainter.addRectangle(
                to: cairo, x: margin, y: margin, width: width - 2 * margin, height: tall, radius: 2)
        }
        let band = max(1.5, (height / 44).rounded())
        for (index, stripe) in [0xE4572E, 0xF3A712, 0xA8C686, 0x669BBC].enumerated() {
            use(UInt32(stripe))
            cairo_rectangle(
                cairo, margin, margin + tall - band * Double(4 - index), width - 2 * margin, band)
            cairo_fill(cairo)
        }
        guard hasLine else { return }
        use(0xB9A98A)
        cairo_rectangle(cairo, margin + 6, margin + 18, width - 2 * margin - 12, 1)
        cairo_fill(cairo)
        write(words, x: margin + 8, y: margin + 9, room: width - 2 * margin - 16)
    }

    private func write(_ words: String, x: Double, y: Double, room: Double) {
        guard let layout = gtk_widget_create_pango_layout(widget, words),
            let font = pango_font_description_from_string(TapeLabel.fonts)
        else { return }
        defer { g_object_unref(UnsafeMutableRawPointer(layout)) }
        // In pixels, because the label does not grow with the text.
        pango_font_description_set_absolute_size(font, 14 * Double(PANGO_SCALE))
        pango_layout_set_font_description(layout, font)
        pango_font_description_free(font)
        pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END)
        pango_layout_set_width(layout, gint(room) * gint(PANGO_SCALE))
        var tall: gint = 0
        pango_layout_get_pixel_size(layout, nil, &tall)
        use(0x20304F)
        cairo_move_to(cairo, x, y - Double(tall) / 2)
        pango_cairo_show_layout(cairo, layout)
    }

    private func drawFoot() {
        use(0x15110E, 0.8)
        let bottom = height - 2
        cairo_move_to(cairo, width * 0.24, bottom)
        cairo_line_to(cairo, width * 0.28, height * 0.84)
        cairo_line_to(cairo, width * 0.72, height * 0.84)
        cairo_line_to(cairo, width * 0.76, bottom)
        cairo_fill(cairo)
        use(0x8A8078)
        for (x, y) in [
            (margin * 0.5, margin * 0.5), (width - margin * 0.5, margin * 0.5),
            (margin * 0.6, bottom - margin * 0.6), (width - margin * 0.6, bottom - margin * 0.6),
        ] {
            cairo_arc(cairo, x, y, max(0.9, height * 0.016), 0, 2 * .pi)
            cairo_fill(cairo)
        }
    }

    // MARK: - Window

    /// Returns the place of the window with the reels, in whole layout pixels: all that moves.
    static func window(width: Double, height: Double, hasLine: Bool) -> (
        x: gint, y: gint, width: gint, height: gint
    ) {
        let (wide, tall) = windowSize(width: width, height: height, hasLine: hasLine)
        let middle = self.middle(height: height, hasLine: hasLine)
        return (gint((width - wide) / 2) - 1, gint(middle - tall / 2) - 1, gint(wide) + 3, gint(tall) + 3)
    }

    private static func middle(height: Double, hasLine: Bool) -> Double { height * (hasLine ? 0.56 : 0.44) }

    private static func windowSize(width: Double, height: Double, hasLine: Bool) -> (Double, Double) {
        (width * 0.62, height * (hasLine ? 0.34 : 0.42))
    }

    /// Draws the window.
    ///
    /// - Parameters:
    ///   - progress: The part of the tape that has been wound onto the right reel, 0...1.
    ///   - turn: The angle of the reels, in radians.
    func drawWindow(progress: Double, turn: Double) {
        let (left, top) = ((width - windowWidth) / 2, middle - windowHeight / 2)
        cairo_save(cairo)
        AvatarPainter.addRectangle(
            to: cairo, x: left, y: top, width: windowWidth, height: windowHeight, radius: windowHeight / 2.6)
        cairo_clip(cairo)
        fill(from: top, to: top + windowHeight, 0x1A1512, 0x2D2622) {
            cairo_rectangle(cairo, left, top, windowWidth, windowHeight)
        }
        let spare = windowHeight * 0.46
        drawReel(x: width / 2 - windowWidth * 0.27, tape: hub + spare * (1 - progress), turn: turn + 0.2)
        drawReel(x: width / 2 + windowWidth * 0.27, tape: hub + spare * progress, turn: turn + 0.6)
        use(0xFFFFFF, 0.1)
        cairo_move_to(cairo, left, top)
        cairo_line_to(cairo, left + windowWidth, top)
        cairo_line_to(cairo, left + windowWidth, top + windowHeight * 0.4)
        cairo_line_to(cairo, left, top + windowHeight * 0.55)
        cairo_fill(cairo)
        cairo_restore(cairo)
    }

    private func drawReel(x: Double, tape: Double, turn: Double) {
        disc(x, tape, 0x3A2418)
        use(0x5A3A28, 0.8)
        cairo_set_line_width(cairo, 0.7)
        for radius in stride(from: hub.rounded(.down) + 2, to: tape, by: 2) {
            cairo_arc(cairo, x, middle, radius, 0, 2 * .pi)
            cairo_stroke(cairo)
        }
        disc(x, hub, 0xF6EFE2)
        disc(x, hub * 0.62, 0x15110E)
        use(0xF6EFE2)
        for tooth in 0..<6 {
            cairo_save(cairo)
            cairo_translate(cairo, x, middle)
            cairo_rotate(cairo, turn + Double(tooth) * .pi / 3)
            cairo_rectangle(cairo, hub * 0.34, -hub * 0.1, hub * 0.36, hub * 0.2)
            cairo_restore(cairo)
            cairo_fill(cairo)
        }
    }

    private func disc(_ x: Double, _ radius: Double, _ colour: UInt32) {
        use(colour)
        cairo_arc(cairo, x, middle, radius, 0, 2 * .pi)
        cairo_fill(cairo)
    }

    private func use(_ colour: UInt32, _ alpha: Double = 1) {
        let parts = Self.parts(of: colour)
        cairo_set_source_rgba(cairo, parts.red, parts.green, parts.blue, alpha)
    }

    /// Fills a path with a gradient from top to bottom.
    private func fill(
        from top: Double, to bottom: Double, _ first: UInt32, _ last: UInt32, path: () -> Void
    ) {
        guard let gradient = cairo_pattern_create_linear(0, top, 0, bottom) else { return }
        defer { cairo_pattern_destroy(gradient) }
        for (offset, colour) in [(0.0, first), (1.0, last)] {
            let parts = Self.parts(of: colour)
            cairo_pattern_add_color_stop_rgb(gradient, offset, parts.red, parts.green, parts.blue)
        }
        cairo_set_source(cairo, gradient)
        path()
        cairo_fill(cairo)
    }

    private static func parts(of colour: UInt32) -> (red: Double, green: Double, blue: Double) {
        (Double(colour >> 16 & 0xFF) / 255, Double(colour >> 8 & 0xFF) / 255, Double(colour & 0xFF) / 255)
    }
}
