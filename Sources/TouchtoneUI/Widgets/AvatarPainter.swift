// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// Draws what stands for a missing picture, and the light that tells whether a person is there.
@MainActor
struct AvatarPainter {
    let cairo: OpaquePointer
    let widget: Widget
    /// The side of the picture, in pixels.
    let side: Double

    private typealias Colour = (red: Double, green: Double, blue: Double)

    /// The tints, on each of which the letter has a contrast of at least 4.5:1.
    private static let tints: [(top: UInt32, bottom: UInt32)] = [
        (0xB4573A, 0x8C3D26), (0x94691C, 0x6F4D10), (0x5F7A45, 0x455C30), (0x3D7C85, 0x285A62),
        (0x4F6F96, 0x375273), (0x8A4F73, 0x683955), (0x7D6450, 0x5D4A3A),
    ]
    private static let ink: UInt32 = 0xFFF8EA

    // MARK: - Faces

    func draw(_ face: Avatar.Face) {
        let sum = face.name.unicodeScalars.reduce(0) { ($0 + Int($1.value)) % Self.tints.count }
        fill(Self.tints[sum])
        switch face.kind {
        case .room: write("#")
        case .number: drawKeys()
        case .person:
            let letter = face.name.first { $0.isLetter || $0.isNumber }
            if let letter { write(letter.uppercased()) }
        }
    }

    private func fill(_ tint: (top: UInt32, bottom: UInt32)) {
        guard let gradient = cairo_pattern_create_linear(0, 0, 0, side) else { return }
        defer { cairo_pattern_destroy(gradient) }
        for (offset, number) in [(0.0, tint.top), (1.0, tint.bottom)] {
            let colour = Self.colour(number)
            cairo_pattern_add_color_stop_rgb(gradient, offset, colour.red, colour.green, colour.blue)
        }
        cairo_set_source(cairo, gradient)
        cairo_paint(cairo)
    }

    private func write(_ text: String) {
        guard let layout = gtk_widget_create_pango_layout(widget, text),
            let font = pango_font_description_new()
        else { return }
        defer { g_object_unref(UnsafeMutableRawPointer(layout)) }
        // The size is in pixels, because it depends on the picture.
        pango_font_description_set_absolute_size(font, side * 0.45 * Double(PANGO_SCALE))
        pango_font_description_set_weight(font, PANGO_WEIGHT_SEMIBOLD)
        pango_layout_set_font_description(layout, font)
        pango_font_description_free(font)
        var (width, height): (gint, gint) = (0, 0)
        pango_layout_get_pixel_size(layout, &width, &height)
        useInk()
        cairo_move_to(cairo, (side - Double(width)) / 2, (side - Double(height)) / 2)
        pango_cairo_show_layout(cairo, layout)
    }

    /// Draws the twelve keys of a phone, which stand for a number.
    private func drawKeys() {
        useInk()
        for key in 0..<12 {
            Self.addRectangle(
                to: cairo, x: side * (0.28 + 0.16 * Double(key % 3)),
                y: side * (0.22 + 0.15 * Double(key / 3)),
                width: side * 0.11, height: side * 0.1, radius: side * 0.025)
            cairo_fill(cairo)
        }
    }

    private func useInk() {
        let colour = Self.colour(Self.ink)
        cairo_set_source_rgb(cairo, colour.red, colour.green, colour.blue)
    }

    private static func colour(_ number: UInt32) -> Colour {
        (Double(number >> 16 & 0xFF) / 255, Double(number >> 8 & 0xFF) / 255, Double(number & 0xFF) / 255)
    }

    static func addRectangle(
        to cairo: OpaquePointer, x: Double, y: Double, width: Double, height: Double, radius: Double
    ) {
        cairo_new_sub_path(cairo)
        cairo_arc(cairo, x + width - radius, y + radius, radius, -0.5 * .pi, 0)
        cairo_arc(cairo, x + width - radius, y + height - radius, radius, 0, 0.5 * .pi)
        cairo_arc(cairo, x + radius, y + height - radius, radius, 0.5 * .pi, .pi)
        cairo_arc(cairo, x + radius, y + radius, radius, .pi, 1.5 * .pi)
        cairo_close_path(cairo)
    }

    // MARK: - Light

    /// Draws the light at the lower right, cut out of the picture.
    ///
    /// The shape tells the state without its colour: a disc is online, a crescent away, a disc with a bar busy, and a ring
    /// offline.
    func draw(_ presence: Availability) {
        let radius = max(5, side * 0.13)
        let centre = side - radius
        cairo_set_operator(cairo, CAIRO_OPERATOR_CLEAR)
        disc(x: centre, y: centre, radius + 2)
        cairo_set_operator(cairo, CAIRO_OPERATOR_OVER)
        var colour = GdkRGBA()
        let style = gtk_widget_get_style_context(widget)
        gtk_style_context_lookup_color(style, "light_" + presence.style, &colour)
        gdk_cairo_set_source_rgba(cairo, &colour)
        disc(x: centre, y: centre, radius)
        cairo_set_operator(cairo, CAIRO_OPERATOR_CLEAR)
        switch presence {
        case .chat, .online: break
        case .away, .extendedAway: disc(x: centre - radius * 0.45, y: centre - radius * 0.45, radius * 0.72)
        case .busy:
            Self.addRectangle(
                to: cairo, x: centre - radius * 0.6, y: centre - radius * 0.2, width: radius * 1.2,
                height: radius * 0.4, radius: radius * 0.2)
            cairo_fill(cairo)
        case .offline: disc(x: centre, y: centre, radius * 0.5)
        }
        cairo_set_operator(cairo, CAIRO_OPERATOR_OVER)
    }

    private func disc(x: Double, y: Double, _ radius: Double) {
        cairo_arc(cairo, x, y, radius, 0, 2 * .pi)
        cairo_fill(cairo)
    }
}
