// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of the gateway to telephone numbers in Preferences.
final class GatewayRowTests: GtkTestCase {
    func testPreferencesShowGateway() throws {
        try onMainActor {
            let fixture = try PreferencesFixture(page: .messages)
            XCTAssertEqual(fixture.isShown("Gateway for Phone Numbers"), false, "there is no account")
            fixture.settings[text: "jabber-jid"] = "ada@example.org"
            waitUntil("it is shown") { fixture.isShown("Gateway for Phone Numbers") == true }
            let signedOut =
                "Your server’s gateway is looked up when you are signed in. You can also enter an address."
            XCTAssert(fixture.labels.contains(signedOut), "\(fixture.labels)")
            fixture.service.tell(.state(.online))
            let none = "None was found. Enter the address of a gateway to text phone numbers."
            XCTAssert(fixture.labels.contains(none), "\(fixture.labels)")
            fixture.service.tell(.state(.waiting("The connection was lost.")))
            XCTAssert(fixture.labels.contains(signedOut), "\(fixture.labels)")
            fixture.service.tell(.gateway(ChatAddress("sms.example.org")))
            XCTAssert(fixture.labels.contains("sms.example.org was found automatically"), "\(fixture.labels)")
            fixture.chat.numbers.setting = "no server"
            XCTAssert(
                fixture.labels.contains("This is not the address of a server. Example: sms.example.org"))
            fixture.chat.numbers.setting = "other.example.org"
            XCTAssert(fixture.labels.contains("Carries text messages to and from phone numbers"))
            fixture.settings[text: "jabber-gateway"] = "third.example.org"
            waitUntil("the field follows") {
                fixture.text("Gateway for Phone Numbers") == "third.example.org"
            }
            fixture.clear()
        }
    }

    /// The account says whom it can call, or that the program for calls is missing.
    func testAccountSaysWhetherItCanCall() throws {
        try onMainActor {
            let fixture = try PreferencesFixture(page: .messages)
            fixture.settings[text: "jabber-jid"] = "Ada@example.org"
            waitUntil("the account is shown") { fixture.isShown("Gateway for Phone Numbers") == true }
            XCTAssertNotEqual(fixture.isShown("Calls"), true, "there is no line")
            let line = ScriptedLine(id: "jabber")
            line.address = "xmpp:ada@example.org"
            line.callsNumbers = false
            fixture.lines.add(line)
            waitUntil("the row is shown") { fixture.isShown("Calls") == true }
            XCTAssert(
                fixture.labels.contains("Calls people on Jabber. Phone numbers need a gateway."),
                "\(fixture.labels)")
            line.state = .unavailable(reason: "Calls need a program.")
            XCTAssert(fixture.labels.contains("Calls need a program."), "\(fixture.labels)")
            fixture.lines.remove("jabber")
            XCTAssertEqual(fixture.isShown("Calls"), false)
            fixture.clear()
        }
    }
}
