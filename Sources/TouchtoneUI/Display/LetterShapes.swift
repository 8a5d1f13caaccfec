// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// Letters of any script as dots, for names that have letters without a table: shapes of Pango on fourteen rows.
enum LetterShapes {
    static let rows = 14
    /// The greatest number of columns, which is several times that of a row.
    private static let maximum = 1200
    /// The opacity of a pixel from which on its dot is lit.
    private static let threshold: UInt8 = 112

    /// Returns a text as columns of dots, of which bit 0 is the top, and whether it runs from right to left.
    @MainActor
    static func columns(of text: String, on widget: Widget) -> (columns: [UInt16], isRightToLeft: Bool) {
        guard let line = PlainLine(text, on: widget, height: Double(rows), isBold: true) else {
            return ([], false)
        }
        let width = min(maximum, Int(line.inkWidth) + 1)
        guard width > 1,
            let surface = cairo_image_surface_create(CAIRO_FORMAT_A8, gint(width), gint(rows)),
            let cairo = cairo_create(surface)
        else { return ([], false) }
        defer {
            cairo_destroy(cairo)
            cairo_surface_destroy(surface)
        }
        line.paint(on: cairo)
        cairo_surface_flush(surface)
        guard let pixels = cairo_image_surface_get_data(surface) else { return ([], false) }
        let stride = Int(cairo_image_surface_get_stride(surface))
        let columns = (0..<width).map { x in
            (0..<rows).reduce(into: UInt16(0)) { bits, y in
                if pixels[y * stride + x] > threshold { bits |= 1 << UInt16(y) }
            }
        }
        return (columns, line.isRightToLeft)
    }
}
