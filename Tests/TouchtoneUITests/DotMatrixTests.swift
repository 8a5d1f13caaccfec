// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of the dots of the display.
final class DotMatrixTests: GtkTestCase {
    func testEachPrintableCharacterHasDotsOfItsOwn() throws {
        var known: [[UInt16]: Character] = [:]
        for code in UInt8(0x21)...0x7E {
            let character = Character(UnicodeScalar(code))
            guard !character.isLowercase else { continue }
            let columns = try XCTUnwrap(DotLetters.columns(of: String(character)), "\(character)")
            XCTAssert(columns.contains { $0 != 0 } && columns.allSatisfy { $0 < 1 << 7 }, "\(character)")
            XCTAssertNil(known.updateValue(character, forKey: columns), "\(character)")
        }
        XCTAssertNil(DotLetters.columns(of: "É"))
    }

    func testSimilarLettersAreTold() throws {
        for (one, other) in [("B", "D"), ("0", "O"), ("8", "B"), ("5", "S"), ("1", "I"), ("Y", "V")] {
            let pairs = zip(
                try XCTUnwrap(DotLetters.columns(of: one)), try XCTUnwrap(DotLetters.columns(of: other)))
            let different = pairs.reduce(0) { $0 + ($1.0 ^ $1.1).nonzeroBitCount }
            XCTAssertGreaterThanOrEqual(different, 3, "\(one) and \(other)")
        }
        let (clock, digits) = (
            try XCTUnwrap(DotLetters.columns(of: "0:04")), try XCTUnwrap(DotLetters.columns(of: "004"))
        )
        XCTAssertEqual(clock.count, digits.count + 3, "the colon has dots and room")
    }

    func testEveryEnglishStatusIsInDotsAndFits() throws {
        for text in PhoneStatus.examples.flatMap({ [$0.text, $0.prompt ?? ""] }) {
            let columns = try XCTUnwrap(DotLetters.columns(of: text), text)
            XCTAssertLessThanOrEqual(columns.count, 145, text)
        }
    }

    func testCutEndsWithLetter() throws {
        let columns = try XCTUnwrap(DotLetters.columns(of: "ABC"))
        XCTAssertEqual(
            [17, 16, 12, 11, 10, 5, 3, 0, -1].map { DotLetters.cut(columns, to: $0) },
            [17, 11, 11, 5, 5, 0, 0, 0, 0])
    }

    func testScrollWaitsMovesOnceAndReturns() {
        let motion = ScrollMotion(distance: 71, step: 2)
        XCTAssertEqual(motion.offset(after: 0), 0)
        XCTAssertEqual(motion.offset(after: 1.4), 0)
        XCTAssertEqual(motion.offset(after: 2), 36)
        XCTAssertEqual(motion.offset(after: 2.6), 72)
        XCTAssertEqual(motion.offset(after: 3.9), 72, "the end can be read")
        XCTAssertNil(motion.offset(after: 4.1))
    }

    func testShapesOfEachScript() {
        onMainActor {
            let label = Widget.label()
            for (name, isRightToLeft) in [
                ("Грейс Хоппер", false), ("غريس هوبر", true), ("日本", false), ("Zoë", false),
                ("ག\u{FB7}ྲྀ", false),
                ("e\u{301}\u{302}\u{303}\u{323}", false),
            ] {
                let shapes = LetterShapes.columns(of: name, on: label)
                XCTAssertGreaterThan(shapes.columns.count { $0 != 0 }, 3, name)
                XCTAssert(shapes.columns.allSatisfy { $0 < 1 << 14 })
                XCTAssertEqual(shapes.isRightToLeft, isRightToLeft, name)
            }
            let long = LetterShapes.columns(of: String(repeating: "語", count: 10_000), on: label)
            XCTAssertEqual(long.columns.count, 1200)
            gtk_widget_destroy(label)
        }
    }
}

/// Tests of the rows of the display.
final class DisplayRowsTests: GtkTestCase {
    override func tearDown() {
        onMainActor {
            setTextScale(1)
            setAnimations(true)
        }
        super.tearDown()
    }

    func testCallerIsShownAboveAnswer() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            let line = fixture.talkingLine()
            fixture.phone.paste("5552002")
            line.offer("5552001", displayName: "Amazing Grace")
            handleEvents()
            XCTAssertNotNil(fixture.shown("Answer"))
            XCTAssertEqual(
                [fixture.display, fixture.status, fixture.caption],
                ["555-2001", "CALL ON LINE 2", "\"AMAZING GRACE\""])
            XCTAssertFalse(fixture.seen.contains { $0.contains("2002") }, "\(fixture.seen)")
            fixture.type("7")
            XCTAssertEqual(fixture.display, "555-2001")
            line.calls[0].onEvent?(.ended(.farEnd))
            handleEvents()
            XCTAssertEqual([fixture.display, fixture.status], ["555-2002", "MISSED FROM 555-2001"])
            fixture.clear()
        }
    }

    func testRowsNeverMove() throws {
        try onMainActor {
            setAnimations(false)
            for scale: gint in [1, 2] {
                setTextScale(scale)
                let fixture = try PhoneWindowFixture(width: 360, panel: false)
                let rows = {
                    ["Status", "Number display", "Caption"].map { fixture.frame(of: fixture.row(of: $0)) }
                }
                let places = rows()
                XCTAssertEqual(places.map { $0[3] }, scale == 1 ? [14, 28, 14] : [21, 42, 21])
                for text in ["", "W", String(repeating: "語ش", count: 100), "ག\u{FB7}ྲྀ"] {
                    fixture.window.display.show(line: text)
                    fixture.window.display.show(status: text)
                    fixture.window.display.show(number: text, areWords: true)
                    fixture.window.display.show(caption: text)
                    gtk_test_widget_wait_for_draw(fixture.widget)
                    XCTAssertEqual(rows(), places, text)
                }
                fixture.clear()
            }
        }
    }

    func testLongTextScrollsOnlyWhereAnimationsAreOn() {
        onMainActor {
            for isOn in [true, false] {
                setAnimations(isOn)
                let label = Widget.label()
                let row = DotLabel(label, at: .left)
                let window = shown(label, width: 100)
                row.show("SHORT")
                XCTAssertFalse(row.isScrolling || row.isCut)
                row.show("A TEXT THAT IS TOO LONG 0:59")
                XCTAssertEqual([row.isCut, row.isScrolling], [true, isOn])
                row.show("A TEXT THAT IS TOO LONG 1:00")
                XCTAssertEqual(row.isScrolling, isOn, "a clock goes on beside it")
                XCTAssertEqual(label.text, "A TEXT THAT IS TOO LONG 1:00")
                row.show("SHORT")
                XCTAssertFalse(row.isScrolling || row.isCut)
                gtk_widget_destroy(window)
            }
        }
    }

    func testZeroIsNotStruckThrough() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            fixture.window.display.show(number: "0")
            let zero = try fixture.picture(of: "Number display")
            fixture.window.display.show(number: "O")
            XCTAssertEqual(try fixture.picture(of: "Number display"), zero)
            fixture.window.display.show(number: "8")
            XCTAssertNotEqual(try fixture.picture(of: "Number display"), zero)
            fixture.window.display.show(number: "0")
            XCTAssertEqual(fixture.display, "0")
            fixture.clear()
        }
    }

    func testStatusOutweighsLineName() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            let tip = { gtk_widget_get_tooltip_text(fixture.row(of: "Status")).map { String(cString: $0) } }
            fixture.window.display.show(line: "PRACTICE")
            fixture.window.display.show(status: "READY")
            XCTAssertNil(tip())
            fixture.window.display.show(status: "HELD BY OTHER PARTY")
            XCTAssertEqual(tip(), "PRACTICE", "the name has no room")
            fixture.window.display.show(line: "A VERY LONG NAME OF A LINE")
            fixture.window.display.show(status: "READY")
            XCTAssertEqual(tip(), "A VERY LONG NAME OF A LINE")
            fixture.clear()
        }
    }
}

extension PhoneWindowFixture {
    /// Returns the label of a row of the display by its description.
    func row(of description: String) -> Widget? {
        descendants(of: window.display.widget).first { self.description(of: $0) == description }
    }

    /// Returns the pixels of a row of the display.
    fileprivate func picture(of description: String) throws -> [UInt8] {
        let label = try XCTUnwrap(row(of: description))
        gtk_test_widget_wait_for_draw(widget)
        let (width, height) = (gtk_widget_get_allocated_width(label), gtk_widget_get_allocated_height(label))
        let surface = try XCTUnwrap(cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width, height))
        defer { cairo_surface_destroy(surface) }
        let cairo = try XCTUnwrap(cairo_create(surface))
        drawNow(label, on: cairo)
        cairo_destroy(cairo)
        cairo_surface_flush(surface)
        let count = Int(cairo_image_surface_get_stride(surface) * height)
        return Array(UnsafeBufferPointer(start: cairo_image_surface_get_data(surface), count: count))
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
