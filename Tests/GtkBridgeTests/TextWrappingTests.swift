// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import GtkTestSupport
import XCTest

/// Tests of texts that are wrapped within a word.
final class TextWrappingTests: GtkTestCase {
    func testLongWordHasNoHyphens() throws {
        try onMainActor {
            let word = String(repeating: "abcdefgh", count: 12)
            let messageLabel = MessageLabel.make()
            MessageLabel.setWidth(100, of: messageLabel)
            let label: Widget = gtk_label_new(nil)
            label.wrapAnywhere()
            for label in [messageLabel, label] {
                gtk_label_set_markup(label.cast(), "see <b>\(word)</b>")
                let layout = try XCTUnwrap(gtk_label_get_layout(label.cast()))
                pango_layout_set_width(layout, 100 * PANGO_SCALE)
                XCTAssertGreaterThan(pango_layout_get_line_count(layout), 3)
                XCTAssertEqual(Self.glyphCount(of: layout), word.count + 4)
                gtk_widget_destroy(label)
            }
        }
    }

    /// Returns the number of glyphs, of which the text has one for each character.
    @MainActor
    private static func glyphCount(of layout: OpaquePointer) -> Int {
        var count = 0
        for index in 0..<pango_layout_get_line_count(layout) {
            var run = pango_layout_get_line_readonly(layout, index)?.pointee.runs
            while let node = run {
                let item = node.pointee.data?.assumingMemoryBound(to: PangoGlyphItem.self)
                count += Int(item?.pointee.glyphs.pointee.num_glyphs ?? 0)
                run = node.pointee.next
            }
        }
        return count
    }
}
