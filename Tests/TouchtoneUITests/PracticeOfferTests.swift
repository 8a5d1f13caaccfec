// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// What the window offers where nobody takes the number.
final class PracticeOfferTests: GtkTestCase {
    func testTheExchangeIsOfferedWhereNobodyTakesTheNumber() throws {
        try onMainActor {
            let desk = try Desk()
            desk.settings[text: "dial-line"] = "tel"
            desk.line.end = .noTelHandler
            desk.phone.paste("110")
            XCTAssertNil(offer(in: desk))
            desk.phone.dial()
            waitUntil("the offer is there") { offer(in: desk) != nil }
            // A key of the phone puts it away, and does what it always does.
            desk.type(GDK_KEY_5)
            waitUntil("the offer is gone") { offer(in: desk) == nil }
            XCTAssertEqual(desk.display, "110-5")
            desk.phone.dial()
            waitUntil("the offer is there again") { offer(in: desk) != nil }
            desk.type(GDK_KEY_Return)
            waitUntil("the exchange is the line") { desk.settings[text: "dial-line"] == "practice" }
            waitUntil("the offer is gone again") { offer(in: desk) == nil }
            XCTAssertEqual(desk.line.numbers, ["110", "1105"], "nothing is dialled by itself")
            desk.settings.reset("dial-line")
            desk.clear()
        }
    }
}

@MainActor
private func offer(in desk: Desk) -> UnsafeMutablePointer<GtkWidget>? {
    desk.find("Use the Practice Exchange").flatMap { gtk_widget_get_mapped($0) != 0 ? $0 : nil }
}
