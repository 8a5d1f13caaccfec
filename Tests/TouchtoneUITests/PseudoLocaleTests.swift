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
        try onMainActor {
            try PseudoLocale.check { faults in
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
    }

    func testCall() throws {
        try onMainActor {
            try PseudoLocale.check { faults in
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
    }

    func testEveryStatus() throws {
        try onMainActor {
            try PseudoLocale.check { faults in
                let fixture = try PhoneWindowFixture(panel: false)
                for text in PhoneStatus.examples.flatMap({ [$0.text, $0.prompt].compactMap(\.self) }) {
                    fixture.window.display.show(status: text)
                    faults.look(at: fixture.window.display.widget)
                    XCTAssert(fixture.labels(in: fixture.window.display.widget).contains(text), text)
                    // Values may be cut, but not their translated texts.
                    XCTAssertEqual(text.count { $0 == "[" }, text.count { $0 == "]" }, text)
                }
                fixture.clear()
            }
        }
    }

    func testLock() throws {
        try onMainActor {
            try PseudoLocale.check { faults in
                let fixture = try PhoneWindowFixture(width: Self.narrow, panel: false, passcode: "1234")
                faults.look(at: fixture.widget, noWiderThan: Self.narrow, "the lock")
                let line = fixture.talkingLine()
                line.offer("5550104")
                faults.look(at: fixture.widget, noWiderThan: Self.narrow, "the lock")
                fixture.phone.calls.answer()
                faults.look(at: fixture.widget, noWiderThan: Self.narrow, "the lock")
                fixture.clear()
            }
        }
    }

    func testPreferences() throws {
        try onMainActor {
            try PseudoLocale.check { faults in
                let account = TelephoneAccount(id: "ada", address: "ada@example.org", state: .connecting)
                let fixture = try PreferencesFixture(
                    telephone: FakeTelephone(account), microphone: FakeMicrophone(),
                    setup: FakeSetupSource())
                fixture.passcode.passcode = "1234"
                for page in PreferencesPageName.allCases {
                    fixture.show(page)
                    faults.look(at: fixture.widget, noWiderThan: Self.narrow, "Preferences")
                }
                fixture.clear()
            }
        }
    }

    func testHistory() throws {
        try onMainActor {
            try PseudoLocale.check { faults in
                for calls in [[], PastCall.some] {
                    let fixture = try CallsPageFixture(calls, areNew: true, width: Self.narrow)
                    faults.look(at: fixture.widget, noWiderThan: Self.narrow, "the calls")
                    fixture.clear()
                }
            }
        }
    }

    func testContacts() throws {
        try onMainActor {
            try PseudoLocale.check { faults in
                for people in [[], People.some] {
                    let fixture = try ContactsPageFixture(people, width: Self.narrow)
                    faults.look(at: fixture.widget, noWiderThan: Self.narrow, "the contacts")
                    fixture.clear()
                }
            }
        }
    }
}
