// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of the display: long numbers, the clipboard, and drag and drop.
final class DisplayTests: GtkTestCase {
    func testFortyCharactersNeverWidenWindow() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture(width: 360, panel: false)
            fixture.phone.paste("8")
            gtk_test_widget_wait_for_draw(fixture.widget)
            let width = gtk_widget_get_allocated_width(fixture.widget)
            var minimum: gint = 0
            gtk_widget_get_preferred_width(fixture.widget, &minimum, nil)
            fixture.phone.paste(String(repeating: "8", count: 40))
            gtk_test_widget_wait_for_draw(fixture.widget)
            XCTAssertEqual(fixture.display, String(repeating: "8", count: 40))
            var grown: gint = 0
            gtk_widget_get_preferred_width(fixture.widget, &grown, nil)
            XCTAssertEqual(grown, minimum)
            XCTAssertEqual(gtk_widget_get_allocated_width(fixture.widget), width)
            fixture.clear()
        }
    }

    func testTextShrinksAndGrowsBack() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            let label = try XCTUnwrap(fixture.numberLabel)
            XCTAssertNil(gtk_label_get_attributes(label.cast()))
            fixture.phone.paste(String(repeating: "8", count: 40))
            let small = try XCTUnwrap(gtk_label_get_attributes(label.cast()).flatMap { scale(of: $0) })
            XCTAssertLessThan(small, 0.6)
            fixture.phone.paste("8")
            let large = try XCTUnwrap(gtk_label_get_attributes(label.cast()).flatMap { scale(of: $0) })
            XCTAssertEqual(large, 1)
            fixture.clear()
        }
    }

    func testWindowCanBe360PixelsWide() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture(panel: false)
            var minimum: gint = 0
            // The content of the window, because the frame that GTK draws around it is shadow.
            gtk_widget_get_preferred_width(gtk_bin_get_child(fixture.widget.cast()), &minimum, nil)
            XCTAssertLessThanOrEqual(minimum, 360)
            fixture.clear()
        }
    }

    func testCopyAndPaste() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            fixture.type("5558675309")
            fixture.act("copy")
            XCTAssertEqual(fixture.status, "COPIED")
            let copied = Variable<String?>(nil)
            Clipboard.read { copied.value = $0 }
            waitUntil("the clipboard answers") { copied.value != nil }
            XCTAssertEqual(copied.value, "(555) 867-5309")
            Clipboard.write(
                "call 1-800-FLOWERS now\n".replacing("call ", with: "").replacing(" now", with: ""))
            fixture.act("paste")
            waitUntil("the number is pasted") { fixture.phone.number.text == "18003569377" }
            fixture.clear()
        }
    }

    func testHostilePastesAreReportedAndChangeNothing() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            fixture.type("555")
            for (text, status) in [
                ("hello", "NO NUMBER"), ("\u{202E}\u{200B}😀\u{7}", "NO NUMBER"), ("", "NO NUMBER"),
                (String(repeating: "1", count: 41), "TOO LONG"),
                (String(repeating: "9", count: 10_000_000), "TOO LONG"),
            ] {
                Clipboard.write(text)
                fixture.act("paste")
                waitUntil("the status says \(status)") { fixture.status == status }
                XCTAssertEqual(fixture.display, "555")
                fixture.click("Delete")
                fixture.phone.paste("555")
            }
            fixture.clear()
        }
    }

    func testFortyFirstDigitIsRefused() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            fixture.phone.paste(String(repeating: "7", count: 40))
            fixture.type("7")
            XCTAssertEqual(fixture.status, "FULL")
            XCTAssertEqual(fixture.phone.number.text.count, 40)
            fixture.clear()
        }
    }

    func testDisplayAndKeypadAreNotMirrored() throws {
        try onMainActor {
            gtk_widget_set_default_direction(GTK_TEXT_DIR_RTL)
            defer { gtk_widget_set_default_direction(GTK_TEXT_DIR_LTR) }
            let fixture = try PhoneWindowFixture()
            fixture.type("5558675309")
            let label = try XCTUnwrap(fixture.numberLabel)
            XCTAssertEqual(gtk_widget_get_direction(label), GTK_TEXT_DIR_LTR)
            XCTAssertLessThan(
                left(of: fixture.find("1"), in: fixture.widget),
                left(of: fixture.find("3"), in: fixture.widget))
            fixture.clear()
        }
    }
}

@MainActor
private func scale(of attributes: OpaquePointer) -> Double? {
    let iterator = pango_attr_list_get_iterator(attributes)
    defer { pango_attr_iterator_destroy(iterator) }
    guard let scale = pango_attr_iterator_get(iterator, PANGO_ATTR_SCALE) else { return nil }
    return UnsafeMutableRawPointer(scale).assumingMemoryBound(to: PangoAttrFloat.self).pointee.value
}
