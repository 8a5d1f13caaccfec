// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// Draws the blocks of a message’s text behind it: a bar beside a quotation, and a lighter ground behind code.
@MainActor
struct TextBlocks {
    private struct Stretch {
        var top, bottom: Double
        let isCode: Bool
    }

    private static let bar = 3.0
    /// The room beside the text, in the padding of the balloon.
    private static let room = 8.0

    private let stretches: [Stretch]
    /// The height of the text, in pixels.
    private let height: Double

    /// - Parameter blocks: The lines of blocks, as ranges of the layout’s text in bytes.
    init(_ blocks: [(range: Range<Int>, isCode: Bool)], of layout: OpaquePointer) {
        var stretches: [Stretch] = []
        for isCode in [true, false] {
            let ranges = blocks.filter { $0.isCode == isCode }.map(\.range)
            Self.forEachLine(of: layout) { start, top, bottom in
                guard ranges.contains(where: { $0.contains(start) }) else { return }
                if let last = stretches.last, last.isCode == isCode, last.bottom >= top - 0.5 {
                    stretches[stretches.count - 1].bottom = bottom
                } else {
                    stretches.append(Stretch(top: top, bottom: bottom, isCode: isCode))
                }
            }
        }
        self.stretches = stretches
        var height: gint = 0
        pango_layout_get_pixel_size(layout, nil, &height)
        self.height = Double(height)
    }

    private static func forEachLine(
        of layout: OpaquePointer, _ body: (_ start: Int, _ top: Double, _ bottom: Double) -> Void
    ) {
        guard let iterator = pango_layout_get_iter(layout) else { return }
        defer { pango_layout_iter_free(iterator) }
        repeat {
            guard let line = pango_layout_iter_get_line_readonly(iterator) else { return }
            var (top, bottom): (gint, gint) = (0, 0)
            pango_layout_iter_get_line_yrange(iterator, &top, &bottom)
            let scale = Double(PANGO_SCALE)
            body(Int(line.pointee.start_index), Double(top) / scale, Double(bottom) / scale)
        } while pango_layout_iter_next_line(iterator) != 0
    }

    /// Draws the blocks around the area of the label, in the coordinates of its balloon.
    func draw(_ cairo: OpaquePointer, around area: GdkRectangle, of label: Widget) {
        let isRightToLeft = gtk_widget_get_direction(label) == GTK_TEXT_DIR_RTL
        let (left, width) = (Double(area.x) - Self.room, Double(area.width) + 2 * Self.room)
        let start = Double(area.y) + (Double(area.height) - height) / 2
        for stretch in stretches {
            let (top, high) = (start + stretch.top, stretch.bottom - stretch.top)
            if stretch.isCode {
                cairo_set_source_rgba(cairo, 1, 1, 1, 0.22)
                cairo_rectangle(cairo, left, top, width, high)
            } else {
                label.takePen(cairo, width: 1)
                cairo_rectangle(cairo, isRightToLeft ? left + width - Self.bar : left, top, Self.bar, high)
            }
            cairo_fill(cairo)
        }
    }
}
