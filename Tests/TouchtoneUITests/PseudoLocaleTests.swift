// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import GtkBridge
import GtkTestSupport
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests that every text of every window can be translated, and has room for a translation that is 1.4 times as long.
final class PseudoLocaleTests: GtkTestCase {
    /// The narrowest window of the contract, in pixels.
    private static let narrow: gint = 360

    func testPhoneAndPanel() throws {
        try check { faults in
            let fixture = try PhoneWindowFixture(directory: People().directory)
            faults.look(at: fixture.widget)
            fixture.phone.paste("5551234")
            for action in ["messages", "calls", "contacts"] {
                fixture.act(action)
                gtk_test_widget_wait_for_draw(fixture.widget)
                faults.look(at: fixture.widget)
            }
            fixture.chat.select(.operatorAddress)
            handleEvents()
            faults.look(at: fixture.widget)
            fixture.act("show-help-overlay")
            faults.look(at: try XCTUnwrap(fixture.shortcuts))
            fixture.clear()
            let folded = try PhoneWindowFixture(width: Self.narrow, panel: false)
            faults.look(at: folded.widget, noWiderThan: Self.narrow, "the phone")
            folded.clear()
        }
    }

    func testCall() throws {
        try check { faults in
            let fixture = try PhoneWindowFixture()
            let line = fixture.talkingLine()
            fixture.phone.paste("5551234")
            fixture.phone.dial()
            faults.look(at: fixture.widget)
            line.calls[0].onEvent?(.ringing)
            faults.look(at: fixture.widget)
            line.calls[0].onEvent?(.answered)
            gtk_test_widget_wait_for_draw(fixture.widget)
            faults.look(at: fixture.widget)
            line.offer("5550100")
            gtk_test_widget_wait_for_draw(fixture.widget)
            faults.look(at: fixture.widget)
            line.calls[1].onEvent?(.ended(.farEnd))
            line.calls[0].onEvent?(.ended(.busy))
            gtk_test_widget_wait_for_draw(fixture.widget)
            faults.look(at: fixture.widget)
            fixture.clear()
        }
    }

    func testLock() throws {
        try check { faults in
            let fixture = try PhoneWindowFixture(width: Self.narrow, panel: false, passcode: "1234")
            faults.look(at: fixture.widget, noWiderThan: Self.narrow, "the lock")
            fixture.clear()
        }
    }

    func testPreferences() throws {
        try check { faults in
            let fixture = try PreferencesFixture()
            fixture.passcode.passcode = "1234"
            for page in PreferencesPageName.allCases {
                fixture.show(page)
                faults.look(at: fixture.widget, noWiderThan: Self.narrow, "Preferences")
            }
            fixture.clear()
        }
    }

    func testHistory() throws {
        try check { faults in
            for calls in [[], PastCall.some] {
                let fixture = try CallsPageFixture(calls, areNew: true, width: Self.narrow)
                faults.look(at: fixture.widget, noWiderThan: Self.narrow, "the calls")
                fixture.clear()
            }
        }
    }

    func testContacts() throws {
        try check { faults in
            for people in [[], People.some] {
                let fixture = try ContactsPageFixture(people, width: Self.narrow)
                faults.look(at: fixture.widget, noWiderThan: Self.narrow, "the contacts")
                fixture.clear()
            }
        }
    }

    /// Fails for each fault that is not in `pseudo_locale.txt`.
    private func check(_ body: @MainActor (inout TextFaults) throws -> Void) throws {
        let list = "\(Checkout.folder)/Tests/Tools/pseudo_locale.txt"
        let known = Set(
            try String(contentsOfFile: list, encoding: .utf8).split(separator: "\n").map(String.init))
        try onMainActor {
            try PseudoLocale.run {
                var faults = TextFaults()
                try body(&faults)
                let new = faults.lines.subtracting(known).sorted()
                XCTAssert(new.isEmpty, "not in pseudo_locale.txt:\n\(new.joined(separator: "\n"))")
            }
        }
    }
}
