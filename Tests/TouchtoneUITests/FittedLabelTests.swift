// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import GtkTestSupport
import XCTest

@testable import TouchtoneUI

/// Tests of labels with more text than room.
final class FittedLabelTests: GtkTestCase {
    func testWordsOfRowHaveSizeOfLongest() throws {
        try onMainActor {
            for (words, isShrunk) in [(["A", "B", "C"], false), (["A", "CONSIDERABLE", "C"], true)] {
                let row = Widget.box(GTK_ORIENTATION_HORIZONTAL)
                gtk_box_set_homogeneous(row.cast(), 1)
                let keys = words.map { Widget.button($0) }
                for key in keys { row.add(key, grows: true) }
                FittedLabel.fit(wordsOf: keys)
                let window = shown(row, width: 260)
                let scales = try keys.map { scale(of: try XCTUnwrap(gtk_bin_get_child($0.cast()))) }
                XCTAssertEqual(Set(scales).count, 1, "\(scales)")
                XCTAssertEqual(scales[0] < 1, isShrunk, "\(scales)")
                gtk_widget_destroy(window)
            }
        }
    }

    func testShortFormReplacesTextWithoutRoom() {
        onMainActor {
            let label = Widget.label()
            gtk_widget_set_hexpand(label, 1)
            let fitted = FittedLabel(label.cast(), smallest: 0.8, hasTip: true)
            let window = shown(label, width: 80)
            let whole = "A TITLE THAT DOES NOT FIT"
            fitted.show(whole, orShort: "TITLE")
            XCTAssertEqual(label.text, "TITLE")
            XCTAssertEqual(accessibleName(of: label), whole)
            XCTAssertEqual(tip(of: label), whole)
            gtk_window_resize(window.cast(), 500, 50)
            waitUntil("there is room") { label.text == whole }
            XCTAssertEqual(accessibleName(of: label), whole)
            XCTAssertNil(tip(of: label))
            fitted.show("NEXT")
            XCTAssertEqual(label.text, "NEXT")
            XCTAssertEqual(accessibleName(of: label), "NEXT")
            gtk_widget_destroy(window)
        }
    }

    func testCutTextIsTooltip() {
        onMainActor {
            let label = Widget.label()
            let fitted = FittedLabel(label.cast(), smallest: 0.8, hasTip: true)
            let window = shown(label, width: 80)
            fitted.show("A TEXT WITHOUT A SHORT FORM")
            XCTAssertEqual(tip(of: label), "A TEXT WITHOUT A SHORT FORM")
            fitted.show("A")
            XCTAssertNil(tip(of: label))
            gtk_widget_destroy(window)
        }
    }
}

@MainActor
private func shown(_ child: Widget, width: gint) -> Widget {
    let window: Widget = gtk_window_new(GTK_WINDOW_TOPLEVEL)
    gtk_window_set_default_size(window.cast(), width, 50)
    gtk_container_add(window.cast(), child)
    gtk_widget_show_all(window)
    gtk_test_widget_wait_for_draw(window)
    handleEvents()
    return window
}

@MainActor
private func tip(of widget: Widget) -> String? {
    let text = gtk_widget_get_tooltip_text(widget)
    defer { g_free(text) }
    return text.map { String(cString: $0) }
}

/// Returns the scale of a label's text.
@MainActor
private func scale(of label: Widget) -> Double {
    guard let attributes = gtk_label_get_attributes(label.cast()) else { return 1 }
    let iterator = pango_attr_list_get_iterator(attributes)
    defer { pango_attr_iterator_destroy(iterator) }
    guard let scale = pango_attr_iterator_get(iterator, PANGO_ATTR_SCALE) else { return 1 }
    return UnsafeMutableRawPointer(scale).assumingMemoryBound(to: PangoAttrFloat.self).pointee.value
}
