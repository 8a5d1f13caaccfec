// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of the notices that explain a status.
final class StatusNoticeTests: GtkTestCase {
    func testExchangeIsOfferedIfNoAppAcceptsNumber() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            fixture.settings[text: "dial-line"] = "tel"
            fixture.line.end = .noTelHandler
            fixture.phone.paste("110")
            XCTAssertNil(offer(in: fixture))
            fixture.phone.dial()
            waitUntil("the offer is there") { offer(in: fixture) != nil }
            // A key of the phone dismisses the offer, and acts as usual.
            fixture.type(GDK_KEY_5)
            waitUntil("the offer is gone") { offer(in: fixture) == nil }
            XCTAssertEqual(fixture.display, "5")
            fixture.phone.dial()
            waitUntil("the offer is there again") { offer(in: fixture) != nil }
            fixture.type(GDK_KEY_Return)
            waitUntil("the exchange is the line") { fixture.settings[text: "dial-line"] == "practice" }
            waitUntil("the offer is gone again") { offer(in: fixture) == nil }
            XCTAssertEqual(fixture.line.numbers, ["110", "5"], "nothing is dialled by itself")
            fixture.settings.reset("dial-line")
            fixture.clear()
        }
    }
}

@MainActor
private func offer(in fixture: PhoneWindowFixture) -> UnsafeMutablePointer<GtkWidget>? {
    fixture.find("Use the Practice Exchange").flatMap { gtk_widget_get_mapped($0) != 0 ? $0 : nil }
}
