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
                handleEvents()
                gtk_widget_queue_draw(fixture.widget)
                gtk_test_widget_wait_for_draw(fixture.widget)
                handleEvents()
                for name in (0...9).map(String.init) + ["Delete", "Emergency Call"] {
                    let key = try XCTUnwrap(fixture.find(name))
                    var (x, y): (gint, gint) = (0, 0)
                    gtk_widget_translate_coordinates(
                        key, gtk_bin_get_child(fixture.widget.cast()), 0, 0, &x, &y)
                    XCTAssertGreaterThanOrEqual(x, 0, name)
                    XCTAssertLessThanOrEqual(x + gtk_widget_get_allocated_width(key), width, name)
                    XCTAssertLessThanOrEqual(y + gtk_widget_get_allocated_height(key), height, name)
                }
                heights.append(gtk_widget_get_allocated_height(try XCTUnwrap(fixture.find("5"))))
            }
            XCTAssertGreaterThanOrEqual(heights[0], 44)
            XCTAssertGreaterThan(heights[1], 60)
            XCTAssertGreaterThan(heights[2], 110)
            XCTAssertEqual(heights[3], heights[0])
            fixture.clear()
        }
    }

    func testLargeTextTakesLittleMoreHeight() throws {
        try onMainActor {
            setTextScale(2)
            let fixture = try PhoneWindowFixture(width: 360, panel: false, passcode: "1234")
            gtk_window_resize(fixture.window.window, 374, 835)
            waitUntil("the window is high") {
                gtk_widget_get_allocated_height(gtk_bin_get_child(fixture.widget.cast())) == 835
            }
            waitUntil("the window can be low") {
                gtk_window_resize(fixture.window.window, 360, 1)
                gtk_widget_queue_draw(fixture.widget)
                gtk_test_widget_wait_for_draw(fixture.widget)
                return gtk_widget_get_allocated_height(gtk_bin_get_child(fixture.widget.cast())) < 590
            }
            XCTAssertEqual(gtk_widget_get_allocated_height(try XCTUnwrap(fixture.find("5"))), 44)
            fixture.clear()
        }
    }

    func testSizesFitEveryWindow() {
        for textScale in [1, 1.5, 2, 3] {
            let least = LockSizes.least(textScale: textScale)
            XCTAssertGreaterThanOrEqual(least.key.height, 44)
            for text in [0, 20, 90] {
                for height in stride(from: least.height(text: text), to: 2000, by: 11) {
                    for width in [360, 800, 2560] {
                        let sizes = LockSizes.fitting(
                            width: width, height: height, text: text, textScale: textScale)
                        XCTAssertLessThanOrEqual(sizes.height(text: text), height)
                        XCTAssertGreaterThanOrEqual(sizes.key.height, least.key.height)
                        XCTAssertLessThanOrEqual(3 * sizes.key.width + 2 * sizes.columnGap, max(width, 360))
                    }
                }
            }
        }
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
