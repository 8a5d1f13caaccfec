// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of the style of the panel's text fields.
final class FieldStyleTests: GtkTestCase {
    /// With an X input method, a text has its own X window, and shows what its memory held before if it is transparent.
    func testLongTextsHaveTheirOwnGround() throws {
        try onMainActor {
            let messages = try MessagePanelFixture()
            messages.meet()
            messages.open()
            messages.settle()
            try Self.expectGround(in: messages.widget)
            messages.clear()
            let contacts = try ContactsPageFixture()
            contacts.click(contacts.row("Grace Hopper"))
            contacts.click(contacts.find("Edit"))
            try Self.expectGround(in: contacts.widget)
            contacts.clear()
        }
    }

    func testFocusedEntryHasAnotherEdge() throws {
        try onMainActor {
            let fixture = try ContactsPageFixture()
            let entry = try XCTUnwrap(
                descendants(of: fixture.widget).first { cgtk_instance_is_a($0, gtk_entry_get_type()) != 0 })
            let usual = Self.edge(of: entry, GTK_STATE_FLAG_NORMAL)
            let focused = Self.edge(of: entry, GTK_STATE_FLAG_FOCUSED)
            XCTAssertFalse(
                withUnsafePointer(to: usual) { one in
                    withUnsafePointer(to: focused) { gdk_rgba_equal(one, $0) != 0 }
                })
            fixture.clear()
        }
    }

    /// Expects a text view in a window that draws each pixel of its own.
    @MainActor
    private static func expectGround(in window: Widget) throws {
        handleEvents()
        let view = try XCTUnwrap(
            descendants(of: window).first {
                cgtk_instance_is_a($0, gtk_text_view_get_type()) != 0 && gtk_widget_get_mapped($0) != 0
            })
        gtk_test_widget_wait_for_draw(window)
        let surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, 20, 20)
        defer { cairo_surface_destroy(surface) }
        let cairo = cairo_create(surface)
        defer { cairo_destroy(cairo) }
        drawNow(view, on: cairo)
        cairo_surface_flush(surface)
        let data = try XCTUnwrap(cairo_image_surface_get_data(surface))
        let stride = Int(cairo_image_surface_get_stride(surface))
        let opacities = (0..<20).flatMap { row in (0..<20).map { data[row * stride + $0 * 4 + 3] } }
        XCTAssertEqual(opacities.min(), 255)
    }

    @MainActor
    private static func edge(of entry: Widget, _ state: GtkStateFlags) -> GdkRGBA {
        let style = gtk_widget_get_style_context(entry)
        gtk_style_context_save(style)
        defer { gtk_style_context_restore(style) }
        gtk_style_context_set_state(style, state)
        var value = GValue()
        defer { g_value_unset(&value) }
        gtk_style_context_get_property(style, "border-top-color", state, &value)
        return g_value_get_boxed(&value)?.load(as: GdkRGBA.self) ?? GdkRGBA()
    }
}
