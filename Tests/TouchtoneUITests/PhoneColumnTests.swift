// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of the sizes of the phone in windows from half a small screen to a whole large one.
final class PhoneColumnTests: GtkTestCase {
    override func tearDown() {
        onMainActor { setTextScale(1) }
        super.tearDown()
    }

    func testSizesFitEveryWindow() {
        onMainActor {
            for textScale in [1, 1.25, 1.5, 2, 3] {
                for width in [360, 374, 500, 800, 1920, 2560] {
                    var last = 0
                    let least = PhoneSizes.leastHeight(textScale: textScale)
                    for height in stride(from: least, to: 2200, by: 7) {
                        let sizes = PhoneSizes(width: width, height: height, textScale: textScale)
                        let place = "\(width) × \(height), text \(textScale)"
                        XCTAssertGreaterThanOrEqual(sizes.key, 36, place)
                        XCTAssertLessThanOrEqual(sizes.width, max(360, width), place)
                        XCTAssertLessThanOrEqual(5 * sizes.key + 6 * sizes.gap + sizes.soft, height, place)
                        XCTAssertGreaterThanOrEqual(sizes.legend * textScale, 0.89, place)
                        // A pixel more never makes the phone smaller, but for keys that become wider instead.
                        XCTAssertGreaterThanOrEqual(sizes.width * sizes.key, last * 3 / 4, place)
                        last = max(last, sizes.width * sizes.key)
                    }
                }
            }
            XCTAssertEqual(PhoneSizes(width: 374, height: 604, textScale: 1).key, 60)
            XCTAssertLessThanOrEqual(PhoneSizes.leastHeight(textScale: 1), 480 - 44)
            XCTAssertLessThanOrEqual(PhoneSizes.leastHeight(textScale: 2), 480 - 44)
        }
    }

    func testNothingIsCutOffInLowWindow() throws {
        try onMainActor {
            for (textScale, panel): (gint, Bool) in [(1, false), (1, true), (2, false)] {
                setTextScale(textScale)
                let fixture = try PhoneWindowFixture(width: 360, panel: panel)
                fixture.resize(to: (360, 480))
                for key in fixture.keys {
                    let (place, name) = (fixture.place(of: key), accessibleName(of: key) ?? "")
                    XCTAssertGreaterThanOrEqual(place.y, 0, name)
                    XCTAssertLessThanOrEqual(place.y + place.height, 480, "\(name) at \(textScale)x")
                    XCTAssertGreaterThanOrEqual(place.height, name.count > 3 && place.y < 250 ? 32 : 36, name)
                    for label in descendants(of: key)
                    where cgtk_instance_is_a(label, gtk_label_get_type()) != 0 {
                        let inner = fixture.place(of: label)
                        XCTAssertGreaterThanOrEqual(inner.y, place.y, label.text)
                        XCTAssertLessThanOrEqual(
                            inner.y + inner.height, place.y + place.height, "\(label.text) at \(textScale)x")
                        let layout = gtk_label_get_layout(label.cast())
                        XCTAssertEqual(layout.map(pango_layout_is_ellipsized), 0, label.text)
                    }
                }
                XCTAssertEqual(fixture.keys.count, 18)
                fixture.clear()
            }
        }
    }

    func testSecondCallMovesNoKeyInLowWindow() throws {
        try onMainActor {
            for textScale: gint in [1, 2] {
                setTextScale(textScale)
                let fixture = try PhoneWindowFixture(width: 360, panel: false)
                fixture.resize(to: (360, 480))
                let places = { fixture.keys.prefix(18).map { fixture.place(of: $0) } }
                let line = fixture.talkingLine()
                fixture.phone.paste("5558675309")
                fixture.phone.dial()
                line.calls[0].onEvent?(.answered)
                fixture.settleLayout()
                let before = places()
                line.offer("5558675301")
                fixture.settleLayout()
                XCTAssertEqual(places(), before, "text \(textScale)x")
                let answer = try XCTUnwrap(fixture.find("Answer"))
                let place = fixture.place(of: answer)
                XCTAssertGreaterThan(place.y, before.map { $0.y + $0.height }.max() ?? 0)
                XCTAssertLessThanOrEqual(place.y + place.height, 480, "text \(textScale)x")
                fixture.phone.calls.hangUpAll()
                fixture.clear()
            }
        }
    }

    func testPhoneFillsLargeWindow() throws {
        try onMainActor {
            for (width, height): (gint, gint) in [(1920, 1040), (2560, 1400)] {
                let fixture = try PhoneWindowFixture(width: 374, panel: false)
                fixture.resize(to: (width, height))
                let dial = fixture.place(of: try XCTUnwrap(fixture.find("Dial")))
                XCTAssertGreaterThan(dial.y + dial.height, height * 8 / 10)
                XCTAssertLessThan(dial.y + dial.height, height - 60)
                let digit = fixture.place(of: try XCTUnwrap(fixture.find("5")))
                XCTAssertGreaterThan(digit.height, height / 12)
                XCTAssertGreaterThan(digit.width, digit.height)
                XCTAssertGreaterThan(
                    gtk_widget_get_allocated_width(fixture.window.display.widget), height * 45 / 100)
                fixture.resize(to: (360, 480))
                let again = fixture.place(of: try XCTUnwrap(fixture.find("Dial")))
                XCTAssertLessThanOrEqual(again.y + again.height, 480, "the window became small again")
                fixture.clear()
            }
        }
    }

    func testKeysBesidePanelGrowInHeightAlone() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture(width: 1366)
            let before = fixture.place(of: try XCTUnwrap(fixture.find("5")))
            XCTAssertEqual(before.height, 60)
            fixture.resize(to: (1366, 900))
            let after = fixture.place(of: try XCTUnwrap(fixture.find("5")))
            XCTAssertEqual(after.width, before.width)
            XCTAssertGreaterThan(after.height, 84)
            fixture.clear()
        }
    }

    func testCardIsAsHighAsDigits() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture(width: 374, panel: false)
            let line = fixture.talkingLine()
            line.offer("5558675309")
            fixture.phone.calls.answer()
            fixture.window.call.toggleKeypad()
            for (width, height): (gint, gint) in [(360, 480), (1920, 1040)] {
                fixture.resize(to: (width, height))
                let before = fixture.place(of: try XCTUnwrap(fixture.find("Hang up")))
                fixture.window.call.toggleKeypad()
                fixture.settleLayout()
                XCTAssertEqual(fixture.place(of: try XCTUnwrap(fixture.find("Hang up"))), before)
                fixture.window.call.toggleKeypad()
            }
            fixture.phone.calls.hangUpAll()
            fixture.clear()
        }
    }
}

/// The place of a widget in its window.
private struct Place: Equatable {
    var (x, y, width, height): (gint, gint, gint, gint) = (0, 0, 0, 0)
}

extension PhoneWindowFixture {
    fileprivate func place(of part: Widget) -> Place {
        var place = Place()
        gtk_widget_translate_coordinates(
            part, gtk_bin_get_child(widget.cast()), 0, 0, &place.x, &place.y)
        place.width = gtk_widget_get_allocated_width(part)
        place.height = gtk_widget_get_allocated_height(part)
        return place
    }

    /// The visible keys of the phone, with the soft keys.
    fileprivate var keys: [Widget] {
        (set.map(descendants) ?? []).filter {
            cgtk_instance_is_a($0, gtk_button_get_type()) != 0 && gtk_widget_get_mapped($0) != 0
        }
    }

    fileprivate func resize(to size: (width: gint, height: gint)) {
        gtk_window_resize(window.window, size.width, size.height)
        waitUntil("the window is \(size.width) by \(size.height) pixels") {
            let content = gtk_bin_get_child(widget.cast())
            return gtk_widget_get_allocated_width(content) == size.width
                && gtk_widget_get_allocated_height(content) == size.height
        }
        settleLayout()
    }

    fileprivate func settleLayout() {
        handleEvents()
        gtk_widget_queue_draw(widget)
        gtk_test_widget_wait_for_draw(widget)
        handleEvents()
    }
}
