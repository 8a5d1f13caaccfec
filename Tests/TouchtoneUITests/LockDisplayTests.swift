// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of the lock screen's display, and of the sizes of its keys.
final class LockDisplayTests: GtkTestCase {
    private static let grace = ChatAddress("grace@example.org")

    override func tearDown() {
        onMainActor { setTextScale(1) }
        super.tearDown()
    }

    func testCountsAreShownWithoutNames() throws {
        try onMainActor {
            let people = People()
            people.calls.fill(PastCall.some, areNew: true)
            people.directory.history.start()
            let fixture = try PhoneWindowFixture(passcode: "1234", directory: people.directory)
            waitUntil("the call is counted") { Self.texts(in: fixture).contains("1 MISSED") }
            XCTAssertFalse(Self.texts(in: fixture).contains { $0.contains("UNREAD") })
            fixture.service.tell(.state(.online))
            for number in 1...2 {
                let message = ReceivedMessage(
                    buddy: Self.grace, sender: .buddy, text: "secret \(number)", time: FixedWallClock().now,
                    name: "\(number)")
                fixture.service.tell(.updates([.received(message)]))
            }
            waitUntil("the messages are counted") { Self.texts(in: fixture).contains("2 UNREAD") }
            let all = Self.texts(in: fixture).joined(separator: " ")
            for secret in ["secret", "grace", "Grace", "555"] { XCTAssertFalse(all.contains(secret), all) }
            fixture.clear()
        }
    }

    func testClockFollowsMinutesWhileItIsSeen() throws {
        try onMainActor {
            let (scheduler, wall, people) = (ManualScheduler(), FixedWallClock(1_315_870_461_000), People())
            let chat = Chat(
                store: MemoryMessageStore(), account: nil, services: [], clock: scheduler, wall: wall,
                names: { "name" })
            let messenger = Messenger(chat)
            let display = try LockDisplay(
                LockDisplay.Source(
                    buddies: messenger.buddies, history: people.directory.history, wall: wall,
                    scheduler: scheduler),
                resources: Resources(folder: "\(Checkout.folder)/data"))
            XCTAssertNil(scheduler.nextDelay, "nothing wakes the program before the display is seen")
            let window: Widget = gtk_window_new(GTK_WINDOW_TOPLEVEL)
            gtk_container_add(window.cast(), display.widget)
            gtk_widget_show(window)
            waitUntil("the clock runs") { scheduler.nextDelay == .seconds(39) }
            let clock = { descendants(of: display.widget).map(\.shownText).first { $0.contains(":") } }
            XCTAssertEqual(clock(), LocaleStamps().time(wall.now))
            wall.now = ChatTime(milliseconds: 1_315_870_500_000)
            scheduler.advance(by: .seconds(39))
            XCTAssertEqual(clock(), LocaleStamps().time(wall.now))
            XCTAssertEqual(scheduler.nextDelay, .seconds(60))
            gtk_widget_hide(window)
            XCTAssertNil(scheduler.nextDelay, "nothing wakes the program for a hidden window")
            gtk_widget_destroy(window)
        }
    }

    func testLockScreenFitsLowWindowAndFillsLargeOne() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture(width: 374, panel: false, passcode: "1234")
            var heights: [gint] = []
            for (width, height): (gint, gint) in [(360, 480), (374, 648), (1920, 1040), (360, 480)] {
                gtk_window_resize(fixture.window.window, width, height)
                waitUntil("the window is \(height) pixels high") {
                    gtk_widget_get_allocated_height(gtk_bin_get_child(fixture.widget.cast())) == height
                }
                Self.draw(fixture)
                try Self.expectKeys(of: fixture, in: (width, height))
                heights.append(gtk_widget_get_allocated_height(try XCTUnwrap(fixture.find("5"))))
            }
            XCTAssertGreaterThanOrEqual(heights[0], 44)
            XCTAssertGreaterThan(heights[1], 60)
            XCTAssertGreaterThan(heights[2], 110)
            XCTAssertEqual(heights[3], heights[0])
            fixture.clear()
        }
    }

    func testLargeTextFitsLowWindowToo() throws {
        try onMainActor {
            for textScale: gint in [2, 3] {
                setTextScale(textScale)
                let fixture = try PhoneWindowFixture(width: 360, panel: false, passcode: "1234")
                let height = { gtk_widget_get_allocated_height(gtk_bin_get_child(fixture.widget.cast())) }
                gtk_window_resize(fixture.window.window, 374, 835)
                waitUntil("the window is high") { height() == 835 }
                Self.draw(fixture)
                let title = { () -> gint in
                    let label = descendants(of: fixture.widget).first { $0.shownText == "Enter Passcode" }
                    return label.map { gtk_widget_get_allocated_height($0) } ?? 0
                }
                let high = title()
                for message in ["", "a wait", "a call for help"] {
                    if message == "a wait" {
                        for _ in 1...5 {
                            fixture.type("0000")
                            waitUntil("it is over") { fixture.row == "0 of 4 digits entered" }
                        }
                    }
                    if message == "a call for help" { fixture.click("Emergency Call") }
                    waitUntil("the window fits the tile, with \(message) at \(textScale)") {
                        gtk_window_resize(fixture.window.window, 360, 1)
                        Self.draw(fixture)
                        return height() <= (textScale == 2 ? 480 : 560)
                    }
                    // The styles of limited texts follow.
                    for _ in 1...3 { Self.draw(fixture) }
                    let limit: gint = textScale == 2 ? 480 : 560
                    XCTAssertLessThanOrEqual(height(), limit)
                    try Self.expectKeys(of: fixture, in: (360, limit), "\(message) at \(textScale)")
                    XCTAssertGreaterThanOrEqual(
                        gtk_widget_get_allocated_height(try XCTUnwrap(fixture.find("5"))), 36)
                }
                fixture.click("Back")
                gtk_window_resize(fixture.window.window, 374, 835)
                waitUntil("texts grow again") {
                    Self.draw(fixture)
                    return title() == high
                }
                fixture.clear()
            }
        }
    }

    func testLargeTextFitsLowWindowInEachLanguage() throws {
        try onMainActor {
            setTextScale(2)
            for language in try TestLocale.languages {
                try TestLocale.run(language: language) {
                    let fixture = try PhoneWindowFixture(width: 360, panel: false, passcode: "1234")
                    let size = {
                        let content = gtk_bin_get_child(fixture.widget.cast())
                        return (
                            gtk_widget_get_allocated_width(content), gtk_widget_get_allocated_height(content)
                        )
                    }
                    waitUntil("the window fits the tile in \(language)") {
                        gtk_window_resize(fixture.window.window, 374, 480)
                        Self.draw(fixture)
                        return size() == (374, 480)
                    }
                    for _ in 1...3 { Self.draw(fixture) }
                    XCTAssertEqual(size().1, 480, language)
                    fixture.clear()
                }
            }
        }
    }

    /// The limits of texts in a low window do not depend on what the limits change.
    func testTextsAreLimitedOnlyWhereTheyAreLarge() {
        for textScale in [1, 1.25] {
            XCTAssertFalse(LockSizes.limitsText(height: 480, message: 300, textScale: textScale))
        }
        XCTAssert(LockSizes.limitsText(height: 480, message: 0, textScale: 2))
        XCTAssertFalse(LockSizes.limitsText(height: 640, message: 0, textScale: 2))
        XCTAssert(LockSizes.limitsText(height: 640, message: 200, textScale: 2))
        XCTAssertFalse(LockSizes.limitsText(height: 1040, message: 200, textScale: 2))
    }

    func testSizesFitEveryWindow() {
        for textScale in [1, 1.5, 2, 3] {
            XCTAssertEqual(LockSizes.least(textScale: textScale).key.height, 36)
            for (text, limitsText) in [(0, false), (20, false), (90, false), (20, true)] {
                let least = LockSizes.least(textScale: textScale, limitsText: limitsText)
                for height in stride(from: least.height(text: text), to: 2000, by: 11) {
                    for width in [360, 800, 2560] {
                        let sizes = LockSizes.fitting(
                            width: width, height: height, text: text, textScale: textScale,
                            limitsText: limitsText)
                        XCTAssertLessThanOrEqual(sizes.height(text: text), height)
                        XCTAssertGreaterThanOrEqual(sizes.key.height, least.key.height)
                        XCTAssertLessThanOrEqual(3 * sizes.key.width + 2 * sizes.columnGap, max(width, 360))
                    }
                }
            }
        }
    }

    /// Expects that no key is cut, and that keys do not overlap what is below them.
    @MainActor
    private static func expectKeys(
        of fixture: PhoneWindowFixture, in size: (width: gint, height: gint), _ what: String = ""
    ) throws {
        let emergency = fixture.find("Emergency Call") == nil ? ["Back", "Call"] : ["Emergency Call"]
        var bottom: gint = 0
        for name in (0...9).map(String.init) + ["Delete"] + emergency {
            let key = try XCTUnwrap(fixture.find(name))
            var (x, y): (gint, gint) = (0, 0)
            gtk_widget_translate_coordinates(key, gtk_bin_get_child(fixture.widget.cast()), 0, 0, &x, &y)
            if emergency.contains(name) { XCTAssertGreaterThanOrEqual(y, bottom, "\(name) \(what)") }
            if let place = gtk_widget_get_ancestor(key, gtk_overlay_get_type()) {
                var (left, top): (gint, gint) = (0, 0)
                gtk_widget_translate_coordinates(key, place, 0, 0, &left, &top)
                XCTAssertLessThanOrEqual(
                    top + gtk_widget_get_allocated_height(key), gtk_widget_get_allocated_height(place),
                    "\(name) \(what)")
            }
            if name.count == 1 { bottom = max(bottom, y + gtk_widget_get_allocated_height(key)) }
            XCTAssertGreaterThanOrEqual(x, 0, "\(name) \(what)")
            XCTAssertLessThanOrEqual(x + gtk_widget_get_allocated_width(key), size.width, "\(name) \(what)")
            XCTAssertLessThanOrEqual(y + gtk_widget_get_allocated_height(key), size.height, "\(name) \(what)")
        }
    }

    @MainActor
    private static func draw(_ fixture: PhoneWindowFixture) {
        handleEvents()
        gtk_widget_queue_draw(fixture.widget)
        gtk_test_widget_wait_for_draw(fixture.widget)
        handleEvents()
    }

    /// The texts of all labels of a locked window.
    @MainActor
    private static func texts(in fixture: PhoneWindowFixture) -> [String] {
        descendants(of: fixture.widget).map(\.shownText).filter { !$0.isEmpty }
    }
}

extension Widget {
    /// The text of a label; empty for other widgets.
    @MainActor fileprivate var shownText: String {
        cgtk_instance_is_a(self, gtk_label_get_type()) != 0 ? text : ""
    }
}
