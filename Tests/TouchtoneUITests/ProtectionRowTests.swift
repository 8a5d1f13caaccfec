// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of the switch that encrypts the messages on this computer.
final class ProtectionRowTests: GtkTestCase {
    private static let title = "Encrypt Messages on This Computer"

    /// The switch, as a user and a screen reader see it.
    @MainActor
    private struct Shown: Equatable {
        let isOn, isSensitive, showsProgress: Bool
        let text: String

        init(_ fixture: PreferencesFixture) throws {
            let row = try XCTUnwrap(fixture.row(title))
            let control = try XCTUnwrap(fixture.control(title, type: gtk_switch_get_type()))
            isOn = gtk_switch_get_active(control.cast()) != 0
            isSensitive = gtk_widget_is_sensitive(control) != 0
            showsProgress = fixture.isShown("Progress") ?? false
            text = hdy_action_row_get_subtitle(row.cast()).map { String(cString: $0) } ?? ""
            let spoken = atk_object_get_description(gtk_widget_get_accessible(control))
            XCTAssertEqual(spoken.map { String(cString: $0) }, text)
        }

        init(_ isOn: Bool, _ isSensitive: Bool, _ showsProgress: Bool, _ text: String) {
            (self.isOn, self.isSensitive, self.showsProgress, self.text) = (
                isOn, isSensitive, showsProgress, text
            )
        }
    }

    func testSwitchFollowsPasscodeAndStore() throws {
        try onMainActor {
            let fixture = try PreferencesFixture(page: .lock)
            XCTAssertEqual(
                try Shown(fixture), Shown(false, false, false, "The messages have not been opened yet."))
            fixture.protection.opened(isOn: false)
            XCTAssertEqual(try Shown(fixture), Shown(false, false, false, "Set a passcode first."))
            fixture.passcode.passcode = "1234"
            XCTAssertEqual(
                try Shown(fixture),
                Shown(
                    false, true, false, "Also your calls and contacts, with a key that only your keyring has")
            )

            // A click begins the change, which ends later.
            var end: CheckedContinuation<Result<Void, StoreProtectionFailure>, Never>?
            var wanted: [Bool] = []
            fixture.protection.change = { isOn in
                wanted.append(isOn)
                return await withCheckedContinuation { end = $0 }
            }
            fixture.activate(Self.title)
            waitUntil("the change has begun") { end != nil }
            fixture.protection.progressed(percent: 40)
            XCTAssertEqual(
                try Shown(fixture),
                Shown(true, false, true, "Encrypting. Messages that come meanwhile wait."))
            let bar = try XCTUnwrap(
                descendants(of: fixture.widget).first {
                    cgtk_instance_is_a($0, gtk_progress_bar_get_type()) != 0
                })
            XCTAssertEqual(gtk_progress_bar_get_fraction(bar.cast()), 0.4, accuracy: 0.001)
            end?.resume(returning: .success(()))
            waitUntil("it is on") { fixture.protection.state == .on }
            let on = "The key is in your keyring. Without it, nobody can read them any more, not even you."
            XCTAssertEqual(try Shown(fixture), Shown(true, true, false, on))

            // Without a passcode, it stays on, and can be switched off, but not on again.
            fixture.passcode.passcode = nil
            XCTAssertEqual(try Shown(fixture), Shown(true, true, false, on))
            end = nil
            fixture.activate(Self.title)
            waitUntil("the next change has begun") { end != nil }
            end?.resume(returning: .success(()))
            waitUntil("it is off") { fixture.protection.state == .off }
            XCTAssertEqual(try Shown(fixture), Shown(false, false, false, "Set a passcode first."))
            XCTAssertEqual(wanted, [true, false])
            fixture.clear()
        }
    }

    func testFailureIsSaidAndSwitchGoesBack() throws {
        try onMainActor {
            let fixture = try PreferencesFixture(page: .lock)
            fixture.passcode.passcode = "1234"
            fixture.protection.opened(isOn: false)
            for (failure, text) in [
                (
                    .key(.noLibrary("old")),
                    "This needs SQLCipher 4.5 or later, which Debian has from version 13 on."
                ),
                (.key(.noKeyring("no bus")), "There is no keyring that could keep the key."),
                (
                    .key(.keyringRefused("it is locked")),
                    "The keyring did not take the key: it is locked. Solve the problem, then try again."
                ),
                (.store(.full), "The disk is full. Free some space, then try again."),
                (
                    .store(.failed("no luck")),
                    "This could not be changed: no luck. Solve the problem, then try again."
                ),
            ] as [(StoreProtectionFailure, String)] {
                fixture.protection.change = { _ in .failure(failure) }
                fixture.activate(Self.title)
                waitUntil("the failure is said") { fixture.protection.failure == failure }
                XCTAssertEqual(try Shown(fixture), Shown(false, true, false, text))
            }
            fixture.clear()
        }
    }
}
