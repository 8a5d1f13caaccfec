// SPDX-License-Identifier: GPL-3.0-or-later

import CXTest
import GtkBridge
import GtkTestSupport
import Synchronization
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// A microphone that hears what a test says.
final class FakeMicrophone: MicrophoneMonitor {
    private struct State {
        var opened = 0
        var open = 0
        var heard: (@Sendable (Double) -> Void)?
        var failed: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// How often it was opened.
    var opened: Int { state.withLock { $0.opened } }
    /// How often it is open now.
    var open: Int { state.withLock { $0.open } }

    func hear(_ level: Double) { state.withLock { $0.heard }?(level) }
    func fail() { state.withLock { $0.failed }?() }

    func watch(
        heard: @escaping @Sendable (Double) -> Void, failed: @escaping @Sendable () -> Void
    ) -> any MicrophoneWatch {
        state.withLock { state in
            state.opened += 1
            state.open += 1
            (state.heard, state.failed) = (heard, failed)
        }
        return Watch { [weak self] in self?.state.withLock { $0.open -= 1 } }
    }

    private final class Watch: MicrophoneWatch {
        private let isOver = Atomic(false)
        private let close: @Sendable () -> Void

        init(_ close: @escaping @Sendable () -> Void) { self.close = close }

        func stop() { if !isOver.exchange(true, ordering: .relaxed) { close() } }
    }
}

/// Tests of the test of the microphone in Preferences.
final class MicrophoneTestRowTests: GtkTestCase {
    func testMicrophoneIsOpenOnlyDuringTest() throws {
        try onMainActor {
            let microphone = FakeMicrophone()
            let fixture = try PreferencesFixture(microphone: microphone)
            XCTAssertEqual(microphone.opened, 0, "nobody has asked")
            try fixture.listen("Test the microphone")
            XCTAssertEqual(microphone.open, 1)
            try fixture.listen("Test the microphone")
            XCTAssertEqual(microphone.open, 0)
            try fixture.listen("Test the microphone")
            fixture.show(.lines)
            waitUntil("the microphone is closed") { microphone.open == 0 }
            fixture.show(.phone)
            XCTAssertEqual(microphone.opened, 2)
            try fixture.listen("Test the microphone")
            fixture.clear()
            waitUntil("the microphone is closed") { microphone.open == 0 }
        }
    }

    func testBarShowsLevelAndIsNamed() throws {
        try onMainActor {
            let microphone = FakeMicrophone()
            let fixture = try PreferencesFixture(microphone: microphone)
            let bar = try XCTUnwrap(fixture.control("Microphone Test", type: gtk_level_bar_get_type()))
            XCTAssertEqual(accessibleName(of: bar), "Microphone Level")
            try fixture.listen("Test the microphone")
            XCTAssertEqual(gtk_level_bar_get_value(bar.cast()), 0)
            for (level, value) in [(-30.0, 0.5), (0, 1), (-90, 0), (20, 1), (-60, 0), (-15, 0.75)] {
                microphone.hear(level)
                waitUntil("the bar shows \(level)") { gtk_level_bar_get_value(bar.cast()) == value }
            }
            try fixture.listen("Test the microphone")
            XCTAssertEqual(gtk_level_bar_get_value(bar.cast()), 0)
            microphone.hear(-10)
            for _ in 1...5 { handleEvents() }
            XCTAssertEqual(gtk_level_bar_get_value(bar.cast()), 0, "the test is over")
            fixture.clear()
        }
    }

    func testTestGoesOnWithChosenMicrophone() throws {
        try onMainActor {
            let microphone = FakeMicrophone()
            let fixture = try PreferencesFixture(microphone: microphone)
            fixture.settings[text: "microphone-device"] = "hw:CARD=A"
            handleEvents()
            XCTAssertEqual(microphone.opened, 0)
            try fixture.listen("Test the microphone")
            fixture.settings[text: "microphone-device"] = "hw:CARD=B"
            waitUntil("it is opened again") { microphone.opened == 2 }
            XCTAssertEqual(microphone.open, 1)
            fixture.clear()
        }
    }

    func testMissingMicrophoneIsSaid() throws {
        try onMainActor {
            let microphone = FakeMicrophone()
            let fixture = try PreferencesFixture(microphone: microphone)
            try fixture.listen("Test the microphone")
            microphone.fail()
            waitUntil("it is said") {
                fixture.labels.contains("There is no microphone, or it cannot be used.")
            }
            XCTAssertEqual(microphone.open, 0)
            try fixture.listen("Test the microphone")
            XCTAssertFalse(fixture.labels.contains("There is no microphone, or it cannot be used."))
            fixture.clear()
        }
    }

    func testThereIsNoTestWithoutMonitor() throws {
        try onMainActor {
            let fixture = try PreferencesFixture()
            let row = try XCTUnwrap(fixture.row("Microphone Test"))
            XCTAssertEqual(gtk_widget_get_mapped(row), 0)
            fixture.clear()
        }
    }

    func testGainAndSuppressionFollowTheirRows() throws {
        try onMainActor {
            let fixture = try PreferencesFixture()
            let scale = try XCTUnwrap(fixture.control("Microphone Gain", type: gtk_scale_get_type()))
            gtk_widget_grab_focus(scale)
            fixture.type(GDK_KEY_Right)
            XCTAssertEqual(fixture.settings[number: "microphone-gain"], 1)
            let noise = try XCTUnwrap(fixture.control("Noise Suppression", type: gtk_switch_get_type()))
            XCTAssertNotEqual(gtk_switch_get_active(noise.cast()), 0)
            gtk_switch_set_active(noise.cast(), 0)
            XCTAssertFalse(fixture.settings[flag: "noise-suppression"])
            fixture.clear()
        }
    }
}
