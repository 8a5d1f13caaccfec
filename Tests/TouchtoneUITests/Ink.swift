// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

@testable import TouchtoneUI

/// The pixels that a widget draws, without those behind it.
@MainActor
struct Ink {
    /// The greatest opacity of a pixel.
    let greatest: UInt8
    /// The columns of the first and last pixels that are lit, in pixels of the widget; nil if none is.
    let columns: ClosedRange<Int>?
    /// The first and last rows of pixels that are lit.
    let rows: ClosedRange<Int>?

    /// The opacity from which on a pixel is lit: neither an unlit dot nor glow.
    private static let threshold: UInt8 = 128

    init(of part: Widget) {
        let width = Int(gtk_widget_get_allocated_width(part))
        let height = Int(gtk_widget_get_allocated_height(part))
        var opacity: [[UInt8]] = []
        if let surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, gint(width), gint(height)),
            let cairo = cairo_create(surface)
        {
            drawNow(part, on: cairo)
            cairo_destroy(cairo)
            cairo_surface_flush(surface)
            let stride = Int(cairo_image_surface_get_stride(surface))
            if let data = cairo_image_surface_get_data(surface) {
                for x in 0..<width {
                    var column: [UInt8] = []
                    for y in 0..<height { column.append(data[y * stride + 4 * x + 3]) }
                    opacity.append(column)
                }
            }
            cairo_surface_destroy(surface)
        }
        let brightest: [UInt8] = opacity.map { $0.max() ?? 0 }
        greatest = brightest.max() ?? 0
        if let first = brightest.firstIndex(where: { $0 >= Self.threshold }),
            let last = brightest.lastIndex(where: { $0 >= Self.threshold })
        {
            columns = first...last
            let lit = opacity.flatMap { column in column.indices.filter { column[$0] >= Self.threshold } }
            rows = (lit.min() ?? 0)...(lit.max() ?? 0)
        } else {
            (columns, rows) = (nil, nil)
        }
    }
}
