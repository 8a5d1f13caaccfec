// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import GtkBridge
import GtkTestSupport
import XCTest

@testable import TouchtoneUI

/// The contrast of the texts in a window with the pixels behind them, as a ratio (WCAG 2.1, 1.4.3).
///
/// The colour of a text is that of its style. What is behind it is drawn: the window, with all texts transparent.
@MainActor
struct ContrastMeter {
    /// A text in the window.
    struct Reading {
        let text: String
        let ratio: Double
    }

    private typealias Colour = (red: Double, green: Double, blue: Double)

    /// A text and its colour, before the window is drawn without it.
    private struct Text {
        let widget: Widget
        let text: String
        let colour: GdkRGBA
        let opacity: Double
        /// Whether it is a placeholder, which is drawn even when texts are transparent.
        var isHint = false
    }

    private let window: Widget
    private let (width, height): (Int, Int)

    /// Creates a meter for a window that is on the screen.
    init(_ window: Widget) {
        self.window = window
        (width, height) = (
            Int(gtk_widget_get_allocated_width(window)), Int(gtk_widget_get_allocated_height(window))
        )
    }

    /// Returns the least contrast of each text, in the order of the widgets.
    ///
    /// Insensitive widgets, which are exempt, are omitted.
    func read() throws -> [Reading] {
        // The colours are read first, because the themes fade to a new colour.
        let texts = descendants(of: window).filter {
            gtk_widget_get_mapped($0) != 0 && gtk_widget_is_sensitive($0) != 0
        }.compactMap(text)
        let ground = try ground()
        return texts.compactMap { text in
            guard let (columns, rows) = place(of: text) else { return nil }
            let ratios = rows.flatMap { row in
                Swift.stride(from: columns.lowerBound, to: columns.upperBound, by: 3).map {
                    Self.ratio(of: text, over: ground($0, row))
                }
            }
            return ratios.min().map { Reading(text: text.text, ratio: $0) }
        }
    }

    /// Draws what is behind the texts, and returns a function for its pixels by column and row.
    private func ground() throws -> (Int, Int) -> Colour {
        let hidden = try XCTUnwrap(gtk_css_provider_new())
        defer { g_object_unref(hidden) }
        let sheet = "* { color: transparent; text-shadow: none; caret-color: transparent; transition: none; }"
        gtk_css_provider_load_from_data(hidden, sheet, -1, nil)
        let screen = gdk_screen_get_default()
        gtk_style_context_add_provider_for_screen(
            screen, OpaquePointer(hidden), guint(GTK_STYLE_PROVIDER_PRIORITY_USER) + 1)
        defer { gtk_style_context_remove_provider_for_screen(screen, OpaquePointer(hidden)) }
        gtk_test_widget_wait_for_draw(window)
        let surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, gint(width), gint(height))
        defer { cairo_surface_destroy(surface) }
        let cairo = cairo_create(surface)
        defer { cairo_destroy(cairo) }
        drawNow(window, on: cairo)
        cairo_surface_flush(surface)
        let stride = Int(cairo_image_surface_get_stride(surface))
        let data = try XCTUnwrap(cairo_image_surface_get_data(surface))
        let pixels = Array(UnsafeBufferPointer(start: data, count: stride * height))
        return { column, row in
            let parts = pixels[(row * stride + column * 4)...].prefix(3).map { Double($0) / 255 }
            return (parts[2], parts[1], parts[0])
        }
    }

    private func text(_ widget: Widget) -> Text? {
        if cgtk_instance_is_a(widget, gtk_label_get_type()) != 0 { return label(widget) }
        if cgtk_instance_is_a(widget, gtk_entry_get_type()) != 0 { return entry(widget) }
        if cgtk_instance_is_a(widget, gtk_scale_get_type()) != 0 { return scale(widget) }
        return nil
    }

    /// Returns the value that a scale shows.
    ///
    /// GTK does not tell its style, so it is drawn, large enough for whole pixels.
    private func scale(_ widget: Widget) -> Text? {
        let zoom: gint = 8
        var (left, top): (gint, gint) = (0, 0)
        // This may replace the layout.
        gtk_scale_get_layout_offsets(widget.cast(), &left, &top)
        guard let layout = gtk_scale_get_layout(widget.cast()), let words = pango_layout_get_text(layout)
        else { return nil }
        let shown = String(cString: words)
        var allocation = GtkAllocation()
        gtk_widget_get_allocation(widget, &allocation)
        var ink = PangoRectangle()
        pango_layout_get_pixel_extents(layout, &ink, nil)
        let surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, ink.width * zoom, ink.height * zoom)
        defer { cairo_surface_destroy(surface) }
        let cairo = cairo_create(surface)
        defer { cairo_destroy(cairo) }
        cairo_scale(cairo, Double(zoom), Double(zoom))
        cairo_translate(
            cairo, Double(allocation.x - left - ink.x), Double(allocation.y - top - ink.y))
        drawNow(widget, on: cairo)
        cairo_surface_flush(surface)
        guard let data = cairo_image_surface_get_data(surface) else { return nil }
        let count = Int(cairo_image_surface_get_stride(surface)) * Int(ink.height * zoom)
        let pixels = Swift.stride(from: 0, to: count, by: 4).map { data + $0 }
        guard let pixel = pixels.max(by: { $0[3] < $1[3] }), pixel[3] > 0 else { return nil }
        // The colours of a pixel are multiplied by its opacity.
        let parts = (0...2).map { Double(pixel[$0]) / Double(pixel[3]) }
        let colour = GdkRGBA(red: parts[2], green: parts[1], blue: parts[0], alpha: Double(pixel[3]) / 255)
        return text(widget, shown, colour)
    }

    private func label(_ widget: Widget) -> Text? {
        // GTK draws links without transparency. PaletteTests has their colours.
        let hasLink = gtk_label_get_label(widget.cast()).map { String(cString: $0).contains("<a ") } ?? false
        return widget.text.isEmpty || hasLink ? nil : text(widget, widget.text, colour(of: widget))
    }

    private func entry(_ widget: Widget) -> Text? {
        let typed = gtk_entry_get_text(widget.cast()).map { String(cString: $0) } ?? ""
        let hint = gtk_entry_get_placeholder_text(widget.cast()).map { String(cString: $0) } ?? ""
        guard !(typed.isEmpty && hint.isEmpty) else { return nil }
        var faint = GdkRGBA()
        let isNamed =
            gtk_style_context_lookup_color(
                gtk_widget_get_style_context(widget), "placeholder_text_color", &faint) != 0
        guard typed.isEmpty else { return text(widget, typed, colour(of: widget)) }
        var found = text(widget, hint, isNamed ? faint : colour(of: widget))
        found.isHint = true
        return found
    }

    private func text(_ widget: Widget, _ text: String, _ colour: GdkRGBA) -> Text {
        let opacity = sequence(first: widget, next: { gtk_widget_get_parent($0) })
            .reduce(colour.alpha) { $0 * Self.opacity(of: $1) }
        return Text(widget: widget, text: text, colour: colour, opacity: opacity)
    }

    private func colour(of widget: Widget) -> GdkRGBA {
        var colour = GdkRGBA()
        let style = gtk_widget_get_style_context(widget)
        gtk_style_context_get_color(style, gtk_style_context_get_state(style), &colour)
        return colour
    }

    /// Returns the columns and rows of a text in the window, or nil if it is not wholly in view.
    private func place(of text: Text) -> (columns: Range<Int>, rows: Range<Int>)? {
        let widget = text.widget
        var (left, top): (gint, gint) = (0, 0)
        var allocation = GtkAllocation()
        gtk_widget_get_allocation(widget, &allocation)
        let layout: OpaquePointer?
        if cgtk_instance_is_a(widget, gtk_label_get_type()) != 0 {
            layout = gtk_label_get_layout(widget.cast())
            gtk_label_get_layout_offsets(widget.cast(), &left, &top)
            (left, top) = (left - allocation.x, top - allocation.y)
        } else if cgtk_instance_is_a(widget, gtk_scale_get_type()) != 0 {
            gtk_scale_get_layout_offsets(widget.cast(), &left, &top)
            layout = gtk_scale_get_layout(widget.cast())
            (left, top) = (left - allocation.x, top - allocation.y)
        } else {
            layout = gtk_entry_get_layout(widget.cast())
            gtk_entry_get_layout_offsets(widget.cast(), &left, &top)
        }
        guard let layout else { return nil }
        var ink = PangoRectangle()
        pango_layout_get_pixel_extents(layout, &ink, nil)
        let size = (width: min(ink.width, allocation.width), height: min(ink.height, allocation.height))
        for outer in sequence(first: widget, next: { gtk_widget_get_parent($0) })
        where outer == window || cgtk_instance_is_a(outer, gtk_scrolled_window_get_type()) != 0 {
            var (x, y): (gint, gint) = (0, 0)
            guard
                gtk_widget_translate_coordinates(widget, outer, left + ink.x, top + ink.y, &x, &y) != 0,
                x >= 0, y >= 3, x + size.width <= gtk_widget_get_allocated_width(outer),
                y + size.height <= gtk_widget_get_allocated_height(outer)
            else { return nil }
            if outer == window {
                // Above a placeholder, there is nothing but the field.
                let rows = text.isHint ? Int(y) - 3..<Int(y) - 1 : Int(y)..<Int(y + size.height)
                return (Int(x)..<Int(x + size.width), rows)
            }
        }
        return nil
    }

    private static func opacity(of widget: Widget) -> Double {
        var value = GValue()
        defer { g_value_unset(&value) }
        let style = gtk_widget_get_style_context(widget)
        gtk_style_context_get_property(style, "opacity", gtk_style_context_get_state(style), &value)
        return g_value_get_double(&value) * gtk_widget_get_opacity(widget)
    }

    private static func ratio(of text: Text, over ground: Colour) -> Double {
        func mix(_ one: Double, _ other: Double) -> Double { one * text.opacity + other * (1 - text.opacity) }
        let shown = (
            mix(text.colour.red, ground.red), mix(text.colour.green, ground.green),
            mix(text.colour.blue, ground.blue)
        )
        let (one, other) = (luminance(shown), luminance(ground))
        return (max(one, other) + 0.05) / (min(one, other) + 0.05)
    }

    private static func luminance(_ colour: Colour) -> Double {
        func linear(_ value: Double) -> Double {
            value <= 0.03928 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * linear(colour.red) + 0.7152 * linear(colour.green) + 0.0722 * linear(colour.blue)
    }
}
