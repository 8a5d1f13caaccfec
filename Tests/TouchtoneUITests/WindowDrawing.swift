// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import GtkTestSupport

/// The pixels of a window, and the places of all its widgets.
@MainActor
struct WindowDrawing {
    /// The place of an icon in the window.
    struct Icon: Equatable {
        let left: Int
        let top: Int
        let right: Int
        let bottom: Int
        /// Whether the place has one colour.
        var isBlank = false

        fileprivate func contains(_ x: Int, _ y: Int) -> Bool {
            (left..<right).contains(x) && (top..<bottom).contains(y)
        }
    }

    private let pixels: [UInt32]
    private let width: Int
    /// The places of the shown widgets, by their names.
    let places: [String]
    /// The places of the shown icons.
    let icons: [Icon]

    init(of widget: UnsafeMutablePointer<GtkWidget>) {
        let (width, height) = (
            gtk_widget_get_allocated_width(widget), gtk_widget_get_allocated_height(widget)
        )
        let surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width, height)
        let cairo = cairo_create(surface)
        drawNow(widget, on: cairo)
        cairo_destroy(cairo)
        cairo_surface_flush(surface)
        let row = Int(cairo_image_surface_get_stride(surface)) / 4
        let data = UnsafeRawBufferPointer(
            start: cairo_image_surface_get_data(surface), count: 4 * row * Int(height))
        let pixels = Array(data.bindMemory(to: UInt32.self))
        cairo_surface_destroy(surface)
        let shown = descendants(of: widget).filter { gtk_widget_get_mapped($0) != 0 }
        places = shown.map {
            var place = GtkAllocation()
            gtk_widget_get_allocation($0, &place)
            return "\(String(cString: gtk_widget_get_name($0))) \(place)"
        }
        icons = shown.flatMap { Self.icons(of: $0, in: widget) }.filter {
            // A part of a list may be out of view.
            $0.left >= 0 && $0.top >= 0 && $0.right <= Int(width) && $0.bottom <= Int(height)
        }.map { icon in
            let colors = (icon.top..<icon.bottom).flatMap { y in
                (icon.left..<icon.right).map { pixels[y * row + $0] }
            }
            var icon = icon
            icon.isBlank = Set(colors).count < 2
            return icon
        }
        (self.pixels, self.width) = (pixels, row)
    }

    /// Returns the number of pixels that differ, without those of some icons.
    func changes(to other: WindowDrawing, besides icons: [Icon] = []) -> Int {
        guard pixels.count == other.pixels.count else { return pixels.count }
        return pixels.indices.count { index in
            pixels[index] != other.pixels[index]
                && !icons.contains { $0.contains(index % width, index / width) }
        }
    }

    private static func icons(
        of widget: UnsafeMutablePointer<GtkWidget>, in window: UnsafeMutablePointer<GtkWidget>
    ) -> [Icon] {
        var places: [GdkRectangle] = []
        if cgtk_instance_is_a(widget, gtk_image_get_type()) != 0 {
            places = [
                GdkRectangle(
                    x: 0, y: 0, width: gtk_widget_get_allocated_width(widget),
                    height: gtk_widget_get_allocated_height(widget))
            ]
        } else if cgtk_instance_is_a(widget, gtk_entry_get_type()) != 0 {
            places = [GTK_ENTRY_ICON_PRIMARY, GTK_ENTRY_ICON_SECONDARY].map {
                var place = GdkRectangle()
                gtk_entry_get_icon_area(widget.cast(), $0, &place)
                return place
            }
        }
        return places.filter { $0.width > 0 && $0.height > 0 }.map {
            var (x, y): (gint, gint) = (0, 0)
            gtk_widget_translate_coordinates(widget, window, $0.x, $0.y, &x, &y)
            return Icon(left: Int(x), top: Int(y), right: Int(x + $0.width), bottom: Int(y + $0.height))
        }
    }
}
