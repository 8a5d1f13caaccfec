// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// The picture of a caller in amber dots, at the side of the display's rows.
@MainActor
final class DotPortrait {
    /// The number of dots in each direction.
    static let dots = 33
    /// The share of its pitch that a dot fills.
    private static let share = 0.9
    /// The distance of two dots, in layout pixels.
    var pitch = 2.0
    /// The width and height, in layout pixels.
    var side: Double { Double(Self.dots) * pitch }
    /// The distance from the rows, in layout pixels.
    static let gap = 12.0

    private let widget: Widget
    private var levels: [UInt8] = []

    /// - Parameter widget: A widget without an appearance of its own.
    init(_ widget: Widget) {
        self.widget = widget
        Signal.connectDraw(widget) { [weak self] in self?.draw($0) }
    }

    /// Shows a picture, or dark dots if it is nil.
    func show(_ picture: Picture?) {
        levels = picture.map { PortraitLevels.levels(of: $0) } ?? []
        gtk_widget_queue_draw(widget)
    }

    private func draw(_ cairo: OpaquePointer) {
        let colours = DotMatrix.Colours(of: widget)
        let top = (Double(gtk_widget_get_allocated_height(widget)) - side) / 2
        for level in 0...PortraitLevels.steps {
            let share = Double(level) / Double(PortraitLevels.steps)
            var colour = colours.lit
            // Bright dots are nearly white, as a lamp that glows more.
            colour.green += (0.86 - colour.green) * share * 0.3
            colour.blue += (0.5 - colour.blue) * share * 0.4
            colour.alpha = colours.unlit.alpha + (1 - colours.unlit.alpha) * share
            guard colour.alpha > 0 else { continue }
            for place in 0..<Self.dots * Self.dots where (levels.isEmpty ? 0 : Int(levels[place])) == level {
                let (size, rim) = (pitch * Self.share, pitch * (1 - Self.share) / 2)
                cairo_rectangle(
                    cairo, Double(place % Self.dots) * pitch + rim,
                    top + Double(place / Self.dots) * pitch + rim, size, size)
            }
            gdk_cairo_set_source_rgba(cairo, &colour)
            cairo_fill(cairo)
        }
    }
}

/// The brightness of the dots of a portrait.
@MainActor
enum PortraitLevels {
    /// The brightest level; 0 is dark.
    static let steps = 8
    /// The share of the darkest and of the brightest dots that all become dark and bright.
    private static let extremes = 0.04
    /// The least range of brightness that is stretched to all levels: a plain picture stays plain.
    private static let leastRange = 0.25

    /// Returns the levels of a picture row by row, with `DotPortrait.dots` in each; empty if it has another size.
    static func levels(of picture: Picture) -> [UInt8] {
        let (surface, side) = (picture.surface, DotPortrait.dots)
        cairo_surface_flush(surface)
        guard Int(cairo_image_surface_get_width(surface)) == side,
            Int(cairo_image_surface_get_height(surface)) == side,
            let pixels = cairo_image_surface_get_data(surface)
        else { return [] }
        let stride = Int(cairo_image_surface_get_stride(surface))
        var light: [Double] = []
        light.reserveCapacity(side * side)
        for row in 0..<side {
            let pixels = UnsafeRawPointer(pixels + row * stride)
            for column in 0..<side {
                light.append(
                    Self.light(of: pixels.loadUnaligned(fromByteOffset: column * 4, as: UInt32.self)))
            }
        }
        return zip(levels(of: light), 0...).map { level, place in
            let share = share(ofColumn: place % side, row: place / side)
            return UInt8((Double(level) * share).rounded())
        }
    }

    /// Returns the light of a pixel, 0 to 1: its bytes are blue, green and red in a little-endian word.
    private static func light(of pixel: UInt32) -> Double {
        let (red, green, blue) = (Double(pixel >> 16 & 0xFF), Double(pixel >> 8 & 0xFF), Double(pixel & 0xFF))
        let sum: Double = 0.3 * red + 0.59 * green + 0.11 * blue
        return sum / 255
    }

    /// Returns the share of its light that a dot keeps: the wall behind a face is dark, as a display shows light alone.
    private static func share(ofColumn column: Int, row: Int) -> Double {
        let middle = Double(DotPortrait.dots - 1) / 2
        let x = (Double(column) - middle) / (middle * face.x)
        let y = (Double(row) - middle) / (middle * face.y)
        // The square of the distance from an ellipse in the middle.
        return min(1, max(0.15, 1 - (x * x + y * y - 1) * 0.8))
    }

    /// The part of the width and height that a face fills.
    private static let face = (x: 0.68, y: 0.95)

    /// Returns the levels of brightnesses from 0 to 1, stretched to the whole range.
    static func levels(of light: [Double]) -> [UInt8] {
        let sorted = light.sorted()
        guard let last = sorted.last else { return [] }
        let skipped = Int(Double(sorted.count) * extremes)
        let (low, high) = (sorted[skipped], sorted[sorted.count - 1 - skipped])
        let range = max(leastRange, high - low)
        let base = max(0, min(low, last - range))
        return light.map { value in
            let share = min(1, max(0, (value - base) / range))
            // Faces have much middle light, which would fill the display.
            return UInt8((share * (0.6 + 0.4 * share) * Double(steps)).rounded())
        }
    }
}
