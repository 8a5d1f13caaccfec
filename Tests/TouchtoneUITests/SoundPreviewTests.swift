// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of the preview buttons beside the settings of sounds, levels and devices.
final class SoundPreviewTests: GtkTestCase {
    func testChosenSoundCanBePlayed() throws {
        try onMainActor {
            let fixture = try PreferencesFixture()
            try fixture.listen("Play the ringback tone")
            XCTAssertEqual(fixture.heard, ["cadence"])
            let american = fixture.tones.notes
            fixture.settings[text: "tone-plan"] = "gb"
            try fixture.listen("Play the bell on this device")
            XCTAssertEqual(fixture.heard, ["cadence", "over", "bell"], "one preview ends the other")
            try fixture.listen("Play the ringback tone")
            XCTAssertEqual(fixture.heard, ["cadence", "over", "bell", "over", "cadence"])
            XCTAssertNotEqual(fixture.tones.notes.last, american.last)
            waitUntil("it is silent after a while") { fixture.heard.last == "over" }
            fixture.clear()
        }
    }

    func testUnknownCountryHasStandardTones() throws {
        try onMainActor {
            let fixture = try PreferencesFixture()
            try fixture.listen("Play the ringback tone")
            let standard = fixture.tones.notes.last
            fixture.settings[text: "tone-plan"] = "../../us"
            try fixture.listen("Play the bell at this level")
            try fixture.listen("Play the ringback tone")
            XCTAssertEqual(fixture.tones.notes.last, standard)
            fixture.clear()
        }
    }

    func testButtonStopsItsPreview() throws {
        try onMainActor {
            let fixture = try PreferencesFixture()
            for _ in 1...2 { try fixture.listen("Play the bell at this level") }
            XCTAssertEqual(fixture.heard, ["bell", "over"])
            fixture.clear()
            XCTAssertEqual(fixture.heard, ["bell", "over"], "nothing is left to stop")
        }
    }

    func testKeyTonesArePlayedWhereTheyAreSet() throws {
        try onMainActor {
            for name in [
                "Play the key tones", "Play the key tones at this level", "Play the key tones on this device",
            ] {
                let fixture = try PreferencesFixture()
                try fixture.listen(name)
                waitUntil("three keys were heard") {
                    fixture.tones.tones == ["start 1", "stop", "start 5", "stop", "start 9", "stop"]
                }
                fixture.clear()
            }
        }
    }

    func testPreviewEndsWithItsWindow() throws {
        try onMainActor {
            let fixture = try PreferencesFixture()
            try fixture.listen("Play the bell on this device")
            fixture.clear()
            waitUntil("the bell is silent") { fixture.heard == ["bell", "over"] }
        }
    }
}
