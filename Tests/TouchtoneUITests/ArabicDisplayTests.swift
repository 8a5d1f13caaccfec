// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of the sides at which the display's texts stand, in a window that is mirrored.
final class ArabicDisplayTests: GtkTestCase {
    override func setUp() {
        super.setUp()
        onMainActor {
            setAnimations(false)
            gtk_widget_set_default_direction(GTK_TEXT_DIR_RTL)
        }
    }

    override func tearDown() {
        onMainActor {
            gtk_widget_set_default_direction(GTK_TEXT_DIR_LTR)
            setAnimations(true)
        }
        super.tearDown()
    }

    func testLineIsAtLeftAndStateAtRight() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture(width: 360, panel: false)
            let display = fixture.window.display
            for (line, status) in [("HOME", "READY"), ("البيت", "جاهز"), ("HOME", "جاهز"), ("البيت", "0:42")]
            {
                display.show(line: line)
                display.show(status: status)
                gtk_test_widget_wait_for_draw(fixture.widget)
                check(fixture.label(showing: line, besides: "Status"), is: .left, line)
                check(fixture.row(of: "Status"), is: .right, status)
            }
            fixture.clear()
        }
    }

    func testNameStandsWhereItsScriptBeginsAndNumberEndsAtRight() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture(width: 360, panel: false)
            let display = fixture.window.display
            for (text, areWords, side) in [
                ("غريس", true, Side.right), ("GRACE", true, .left), ("Грейс", true, .left),
                ("555-0103", false, .right), ("+20 2 2574", false, .right),
            ] {
                display.show(number: text, areWords: areWords)
                gtk_test_widget_wait_for_draw(fixture.widget)
                check(fixture.row(of: "Number display"), is: side, text)
            }
            fixture.clear()
        }
    }

    func testCaptionStandsWhereItsScriptBegins() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture(width: 360, panel: false)
            for (text, side) in [("غريس هوبر", Side.right), ("GRACE HOPPER", .left), ("555-0103", .left)] {
                fixture.window.display.show(caption: text)
                gtk_test_widget_wait_for_draw(fixture.widget)
                check(fixture.row(of: "Caption"), is: side, text)
            }
            fixture.clear()
        }
    }
}

/// The side of a row at which a text begins or ends.
private enum Side { case left, right }

/// Checks that a text is at one side of its row, and leaves the other one free.
@MainActor
private func check(_ row: Widget?, is side: Side, _ text: String) {
    guard let row, let lit = Ink(of: row).columns else { return XCTFail("nothing is lit: \(text)") }
    let width = Int(gtk_widget_get_allocated_width(row))
    let (before, after) = (lit.lowerBound, width - 1 - lit.upperBound)
    // Letters may keep a little room before their first and after their last stroke.
    XCTAssertLessThanOrEqual(side == .left ? before : after, 8, "\(text): \(lit) of \(width)")
    XCTAssertGreaterThan(side == .left ? after : before, 40, "\(text): \(lit) of \(width)")
}

extension PhoneWindowFixture {
    /// Returns the label of the display with a text that is not the one with this description.
    fileprivate func label(showing text: String, besides description: String) -> Widget? {
        descendants(of: window.display.widget).first {
            cgtk_instance_is_a($0, gtk_label_get_type()) != 0 && $0.text == text
                && self.description(of: $0) != description
        }
    }
}
