// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of the schedule of Do Not Disturb in Preferences.
final class QuietScheduleGroupTests: GtkTestCase {
    func testPeriodsAreAddedShownAndRemoved() throws {
        try onMainActor {
            let fixture = try PreferencesFixture()
            fixture.press("Add")
            XCTAssertEqual(fixture.quiet.texts, ["Mo-Su 22:00-07:00"])
            XCTAssertEqual(fixture.subtitle("Every Day"), "22:00–07:00")
            let days = try XCTUnwrap(fixture.row("Days"))
            hdy_combo_row_set_selected_index(days.cast(), 1)
            fixture.fill("From", "9:30")
            fixture.fill("To", "12:00")
            fixture.press("Add")
            XCTAssertEqual(fixture.quiet.texts.last, "Mo-Fr 09:30-12:00")
            XCTAssertEqual(fixture.subtitle("Monday to Friday"), "09:30–12:00")
            gtk_button_clicked(try XCTUnwrap(fixture.key("Remove Every Day, 22:00–07:00")).cast())
            XCTAssertEqual(fixture.quiet.texts, ["Mo-Fr 09:30-12:00"])
            // A script sets other days.
            fixture.quiet.texts = ["Mo,We,Fr 00:00-24:00"]
            XCTAssertEqual(fixture.subtitle("Monday, Wednesday, Friday"), "00:00–24:00")
            fixture.clear()
        }
    }

    func testMistakesAreTold() throws {
        try onMainActor {
            let fixture = try PreferencesFixture()
            fixture.fill("To", "24:30")
            fixture.press("Add")
            XCTAssertEqual(fixture.quiet.texts, [])
            XCTAssertEqual(
                fixture.subtitle("New Quiet Time"), "Enter the times in 24 hours, such as 22:00 and 7:00")
            fixture.fill("To", "8:00")
            XCTAssertEqual(fixture.subtitle("New Quiet Time"), "")
            fixture.quiet.texts = ["every night"]
            XCTAssertEqual(
                fixture.subtitle("every night"), "This entry can’t be read, so the phone is not quiet then.")
            fixture.quiet.texts = (0..<QuietHours.capacity).map {
                "Mo 0\($0 / 10 % 10):\(10 + $0 % 10)-10:00"
            }
            fixture.press("Add")
            XCTAssertEqual(fixture.subtitle("New Quiet Time"), "At most 50 times can be scheduled.")
            fixture.clear()
        }
    }
}

/// Tests of what makes the phone quiet.
final class DoNotDisturbTests: GtkTestCase {
    func testChoiceScheduleAndDesktopAreTold() throws {
        try onMainActor {
            let resources = Resources(folder: "\(Checkout.folder)/data")
            let settings = try Settings(schema: Resources.applicationID, folders: resources.schemaFolders)
            settings.reset(DoNotDisturb.key)
            let clock = ManualScheduler()
            let hours = QuietHours(
                wall: ManualAlarmClock(seconds: 1_774_267_200), clock: clock, offset: { _ in 0 })
            let calls = CallManager(sounds: FakeTones(), clock: clock)
            hours.follow(calls)
            let quiet = DoNotDisturb(settings, hours: hours, desktop: nil)
            XCTAssertEqual(quiet.quietness, .off)
            hours.texts = ["Mo 11:00-13:00"]
            XCTAssertEqual(quiet.quietness, .exceptions)
            XCTAssertEqual(quiet.end?.milliseconds, 1_774_270_800_000)
            settings[flag: DoNotDisturb.key] = true
            XCTAssertEqual(quiet.quietness, .on)
            XCTAssertNil(quiet.end)
            calls.dial(RemoteParty(DialledNumber("112") ?? DialledNumber()), on: FixedLine("practice"))
            XCTAssertEqual(quiet.quietness, .off)
            XCTAssertTrue(quiet.isOnHere)
            calls.hangUpAll()
            clock.advance(by: QuietHours.suspension)
            XCTAssertEqual(quiet.quietness, .on)
            quiet.set(false)
            XCTAssertEqual(quiet.quietness, .off)
            XCTAssertFalse(settings[flag: DoNotDisturb.key])
            settings.reset(DoNotDisturb.key)
        }
    }
}
