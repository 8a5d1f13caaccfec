// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import CXTest
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of what suggestions show where there is little room, and that they stay in their strip.
final class SuggestionLayoutTests: GtkTestCase {
    override func tearDown() {
        onMainActor { setTextScale(1) }
        super.tearDown()
    }

    func testNameComesBeforeKindOfNumber() throws {
        try onMainActor {
            for (scale, detail, isWhole): (gint, String, Bool) in [
                (1, "mobile  +15558675309", true), (2, "+15558675309", false),
            ] {
                setTextScale(scale)
                let fixture = try Self.fixture(["Grace Hopper"])
                let labels = try fixture.offerLabels(of: "Grace Hopper")
                waitUntil("the row is fitted at \(scale)x") { Self.plain(labels.detail.text) == detail }
                fixture.settle()
                XCTAssertEqual(labels.title.text, "Grace Hopper")
                XCTAssertFalse(Self.isCut(labels.title), "\(scale)")
                // The row is fitted once more after the window has its height.
                waitUntil("the number is \(isWhole ? "whole" : "cut") at \(scale)x") {
                    Self.isCut(labels.detail) != isWhole
                }
                fixture.clear()
            }
        }
    }

    func testLongNameIsCutAndLastDigitsStay() throws {
        try onMainActor {
            let name = "Grace " + String(repeating: "Wolfeschlegelsteinhausen ", count: 3)
            setTextScale(2)
            let fixture = try Self.fixture([name])
            let labels = try fixture.offerLabels(of: "Grace")
            waitUntil("the row is fitted") { Self.plain(labels.detail.text) == "+15558675309" }
            fixture.settle()
            XCTAssert(Self.isCut(labels.title))
            let (title, detail) = (fixture.frame(of: labels.title)[2], fixture.frame(of: labels.detail)[2])
            XCTAssertGreaterThan(title, detail, "the name has most of the row")
            XCTAssertGreaterThan(detail, 40, "the last digits are shown")
            fixture.clear()
        }
    }

    func testNothingHangsOutOfStrip() throws {
        try onMainActor {
            for scale: gint in [1, 2] {
                setTextScale(scale)
                for height: gint in [1, 1000] {
                    let fixture = try Self.fixture((0..<10).map { "Grace \($0)" }, height: height)
                    fixture.settle()
                    gtk_test_widget_wait_for_draw(fixture.widget)
                    let strip = try XCTUnwrap(fixture.parts("offers").first)
                    // The strip is fitted once more after the window has its height.
                    waitUntil("all is in the strip at \(scale)x, \(height)") {
                        let offers = fixture.frame(of: strip)
                        return ["offer-close", "offer-more"].flatMap { fixture.parts($0) }.allSatisfy {
                            let part = fixture.frame(of: $0)
                            return offers[1] <= part[1] && part[1] + part[3] <= offers[1] + offers[3]
                        }
                    }
                    waitUntil("no row is partly in the strip at \(scale)x, \(height)") {
                        let offers = fixture.frame(of: strip)
                        return fixture.parts("offer").allSatisfy {
                            let part = fixture.frame(of: $0)
                            let isIn = offers[1] <= part[1] && part[1] + part[3] <= offers[1] + offers[3]
                            return isIn || offers[1] + offers[3] <= part[1] + 1
                        }
                    }
                    fixture.type(GDK_KEY_Down)
                    fixture.type(GDK_KEY_Down)
                    fixture.settle()
                    let second = fixture.frame(of: fixture.parts("selected").first)
                    let offers = fixture.frame(of: strip)
                    XCTAssert(
                        offers[1] <= second[1] && second[1] + second[3] <= offers[1] + offers[3],
                        "\(second) is not wholly in \(offers) at \(scale)x, \(height)")
                    fixture.clear()
                }
            }
        }
    }

    // MARK: - Helpers

    /// Returns the narrowest phone, which offers people with these names.
    @MainActor
    private static func fixture(_ names: [String], height: gint = 660) throws -> PhoneWindowFixture {
        let people = names.enumerated().map { index, name in
            NewContact(
                ContactCard(
                    name: name, methods: [ContactMethod(.number, "+1555\(8_675_309 + index)", label: .mobile)]
                ))
        }
        let fixture = try PhoneWindowFixture(width: 360, panel: false, directory: People(people).directory)
        gtk_window_resize(fixture.window.window, 360, height)
        fixture.settle()
        fixture.type("47223")
        waitUntil("somebody is offered") { fixture.suggestions != nil }
        fixture.settle()
        return fixture
    }

    /// Returns a text without the invisible characters around its number.
    private static func plain(_ text: String) -> String {
        String(text.unicodeScalars.filter { !(0x2066...0x2069).contains($0.value) }.map { Character($0) })
    }

    @MainActor
    private static func isCut(_ label: Widget) -> Bool {
        gtk_label_get_layout(label.cast()).map { pango_layout_is_ellipsized($0) != 0 } ?? false
    }
}

extension PhoneWindowFixture {
    /// Returns the visible widgets with a style class.
    fileprivate func parts(_ style: String) -> [Widget] {
        descendants(of: widget).filter {
            gtk_style_context_has_class(gtk_widget_get_style_context($0), style) != 0
                && gtk_widget_is_visible($0) != 0
        }
    }

    /// Returns the labels of a suggestion.
    fileprivate func offerLabels(of name: String) throws -> (title: Widget, detail: Widget) {
        let labels = descendants(of: try XCTUnwrap(row(name))).filter {
            cgtk_instance_is_a($0, gtk_label_get_type()) != 0
        }
        XCTAssertEqual(labels.count, 2)
        return (labels[0], labels[1])
    }
}
