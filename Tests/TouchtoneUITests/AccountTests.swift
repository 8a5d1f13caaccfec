// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of the Jabber account in Preferences: two fields, a button, and a message for each failure.
final class AccountTests: GtkTestCase {
    func testOpensWithTwoFieldsAndOneButton() throws {
        try onMainActor {
            let fixture = try PreferencesFixture(page: .messages)
            XCTAssertEqual(fields(fixture), ["Jabber Address", "Password"])
            XCTAssertEqual(fixture.state, "No Account")
            XCTAssertEqual(fixture.isShown("Remove Account…"), false)
            XCTAssertEqual(fixture.isShown("Fingerprint (SHA-256)"), false)
            XCTAssertFalse(try fixture.isSensitive("Sign In"), "there is nothing to sign in with")
            fixture.activate("Advanced")
            XCTAssertEqual(fields(fixture), ["Jabber Address", "Password", "Server", "Port"])
            fixture.activate("Advanced")
            XCTAssertEqual(fields(fixture), ["Jabber Address", "Password"])
            fixture.clear()
        }
    }

    func testKeyboardSignsInAccount() throws {
        try onMainActor {
            let fixture = try PreferencesFixture(page: .messages)
            gtk_widget_grab_focus(try XCTUnwrap(fixture.field("Jabber Address")))
            fixture.fill("Jabber Address", " Ada@Example.org ")
            gtk_widget_grab_focus(try XCTUnwrap(fixture.field("Password")))
            fixture.type("secret")
            fixture.type(GDK_KEY_Return)
            waitUntil("it is on its way") {
                fixture.account.connection.signIns == ["connect ada@example.org secret"]
            }
            XCTAssertEqual(fixture.settings[text: "jabber-jid"], "ada@example.org")
            XCTAssertEqual(fixture.text("Jabber Address"), "ada@example.org", "as it is kept")
            XCTAssertEqual(fixture.text("Password"), "", "what was typed stays nowhere")
            XCTAssertEqual(fixture.state, "Signing In…")
            fixture.account.connection.become(.online)
            waitUntil("it is online") { fixture.state == "Online" }
            waitUntil("the keyring has the password") {
                fixture.account.passwords.stored == ["ada@example.org": "secret"]
            }
            XCTAssertEqual(fixture.isShown("Remove Account…"), true)
            fixture.press("Sign Out")
            XCTAssertEqual(fixture.state, "Signed Out")
            fixture.press("Sign In")
            XCTAssertEqual(fixture.account.connection.signIns.count, 2)
            fixture.clear()
        }
    }

    func testAccountIsNamedAndSwitchedOff() throws {
        try onMainActor {
            let accounts = try AccountListFixture()
            accounts.start()
            let fixture = try PreferencesFixture(page: .messages, accounts: accounts.list)
            XCTAssertEqual(fixture.isShown("Use Account"), false, "there is none")
            fixture.signIn()
            waitUntil("it can be switched off") { fixture.isShown("Use Account") == true }
            fixture.account.connection.become(.online)
            let use = try XCTUnwrap(fixture.control("Use Account", type: gtk_switch_get_type()))
            XCTAssertNotEqual(gtk_switch_get_active(use.cast()), 0)
            gtk_switch_set_active(use.cast(), 0)
            waitUntil("it is switched off") { fixture.state == "Turned Off" }
            XCTAssertFalse(fixture.account.connection.isConnected)
            XCTAssertFalse(try accounts.account("ada-example-org")[flag: "enabled"])
            try accounts.account("ada-example-org")[flag: "enabled"] = true
            waitUntil("it is switched on") { gtk_switch_get_active(use.cast()) != 0 }
            XCTAssert(fixture.account.connection.isConnected)
            gtk_widget_grab_focus(try XCTUnwrap(fixture.field("Account Name")))
            fixture.fill("Account Name", " Home & <b>work</b> ")
            fixture.type(GDK_KEY_Return)
            waitUntil("the group is named") { fixture.labels.contains("Home & <b>work</b>") }
            XCTAssertEqual(try accounts.account("ada-example-org")[text: "label"], "Home & <b>work</b>")
            fixture.fill("Account Name", "")
            fixture.type(GDK_KEY_Return)
            waitUntil("it has no name") { fixture.labels.contains("Jabber Account") }
            fixture.clear()
        }
    }

    func testServerIsRequestedIfLookupFails() throws {
        try onMainActor {
            let fixture = try PreferencesFixture(page: .messages)
            fixture.activate("Advanced")
            fixture.fill("Jabber Address", "ada@example.org")
            fixture.fill("Password", "secret")
            fixture.fill("Port", "5299")
            fixture.press("Sign In")
            XCTAssertEqual(fixture.detail, "Enter the server that this port belongs to.")
            XCTAssert(fixture.isMarked("Server"))
            fixture.fill("Server", "127.0.0.1")
            XCTAssertFalse(fixture.isMarked("Server"), "the mark is gone at the next key")
            for wrong in ["0", "65536", "99999"] {
                fixture.fill("Port", wrong)
                XCTAssert(fixture.isMarked("Port"), wrong)
                XCTAssertFalse(try fixture.isSensitive("Sign In"), wrong)
            }
            fixture.fill("Port", "5299")
            fixture.press("Sign In")
            XCTAssertEqual(fixture.settings[text: "jabber-host"], "127.0.0.1")
            XCTAssertEqual(fixture.settings[count: "jabber-port"], 5299)
            fixture.clear()
        }
    }

    func testInvalidAddressIsReported() throws {
        try onMainActor {
            let fixture = try PreferencesFixture(page: .messages)
            fixture.fill("Jabber Address", "ada")
            fixture.fill("Password", "secret")
            fixture.press("Sign In")
            XCTAssertEqual(fixture.detail, "This is not a Jabber address. Example: name@example.org")
            XCTAssert(fixture.isMarked("Jabber Address"))
            XCTAssertEqual(fixture.account.connection.signIns, [])
            XCTAssertEqual(fixture.settings[text: "jabber-jid"], "")
            fixture.clear()
        }
    }

    func testWrongPasswordIsNotRetriedBeforeItIsEdited() throws {
        try onMainActor {
            let fixture = try PreferencesFixture(page: .messages)
            fixture.signIn()
            fixture.account.connection.become(
                .failed(.password("Wrong password, or the account doesn’t exist.")))
            XCTAssertEqual(fixture.state, "Not Signed In")
            XCTAssert(fixture.detail.hasPrefix("Wrong password"), fixture.detail)
            XCTAssertFalse(try fixture.isSensitive("Sign In"), "the same again is of no use")
            fixture.fill("Password", "right")
            fixture.press("Sign In")
            XCTAssertEqual(fixture.account.connection.signIns.last, "connect ada@example.org right")
            fixture.clear()
        }
    }

    func testOnlyUserTrustsCertificateAndCanRevokeIt() throws {
        try onMainActor {
            let fixture = try PreferencesFixture(page: .messages)
            fixture.signIn()
            let fingerprint = String(repeating: "0a1b2c3d", count: 8)
            fixture.account.connection.become(
                .failed(
                    .certificate(
                        CertificateReport(
                            reason: "The server’s certificate can’t be trusted: its issuer is unknown.",
                            fingerprint: fingerprint, subject: "CN=example.org", issuer: "CN=<b>me</b>",
                            expiry: "2031-02-03"))))
            XCTAssert(
                fixture.labels.contains("The server’s certificate can’t be trusted: its issuer is unknown."))
            XCTAssert(
                fixture.labels.contains(
                    "Issued to CN=example.org, issued by CN=<b>me</b>, valid until 2031-02-03"),
                "\(fixture.labels)")
            let lines = Array(repeating: "0A:1B:2C:3D:0A:1B:2C:3D", count: 4).joined(separator: "\n")
            XCTAssert(fixture.labels.contains(lines))
            XCTAssertEqual(fixture.settings[text: "jabber-pinned-certificate"], "", "it was not asked")
            fixture.press("Trust This Certificate")
            XCTAssertEqual(fixture.settings[text: "jabber-pinned-certificate"], fingerprint)
            XCTAssertEqual(
                fixture.account.connection.signIns.last, "connect ada@example.org secret \(fingerprint)")
            fixture.account.connection.become(.online)
            XCTAssertEqual(fixture.isShown("Trusted Certificate"), true)
            XCTAssert(fixture.labels.contains(lines))
            fixture.press("Stop Trusting")
            XCTAssertEqual(fixture.settings[text: "jabber-pinned-certificate"], "")
            XCTAssertEqual(fixture.account.connection.signIns.last, "connect ada@example.org secret")
            XCTAssertEqual(fixture.isShown("Trusted Certificate"), false)
            fixture.clear()
        }
    }

    func testOnlyUserAllowsWeakerSignIn() throws {
        try onMainActor {
            let fixture = try PreferencesFixture(page: .messages)
            fixture.signIn()
            fixture.account.connection.signInMethod = "SCRAM-SHA-256"
            fixture.account.connection.become(.online)
            XCTAssertEqual(
                fixture.settings[text: "jabber-sign-in-method"], "ada@example.org SCRAM-SHA-256")
            XCTAssertEqual(fixture.isShown("A Weaker Sign-In"), false)
            let reason = "The server now offers only weaker ways to sign in than before."
            fixture.account.connection.become(
                .failed(
                    .weakerSignIn(WeakerSignIn(reason: reason, method: "PLAIN", tellsPassword: true))))
            XCTAssertEqual(fixture.state, "Not Signed In")
            XCTAssertEqual(fixture.detail, reason)
            XCTAssert(
                fixture.labels.contains(
                    "The server would get the password itself (PLAIN). "
                        + "Allow it only if the server’s owner confirms the change."), "\(fixture.labels)")
            XCTAssertEqual(fixture.isShown("A Weaker Sign-In"), true)
            XCTAssertEqual(fixture.account.connection.signIns.count, 1, "it was not asked")
            fixture.press("Allow This Sign-In")
            XCTAssertEqual(fixture.account.connection.signIns.last, "connect ada@example.org secret ≥ PLAIN")
            XCTAssertEqual(fixture.settings[text: "jabber-sign-in-method"], "ada@example.org PLAIN")
            XCTAssertEqual(fixture.isShown("A Weaker Sign-In"), false)
            fixture.clear()
        }
    }

    func testPasswordIsRequestedWithoutKeyring() throws {
        try onMainActor {
            let fixture = try PreferencesFixture(page: .messages)
            fixture.account.passwords.failure = .absent
            fixture.settings[text: "jabber-jid"] = "ada@example.org"
            XCTAssertEqual(fixture.text("Jabber Address"), "ada@example.org", "the field follows")
            fixture.account.model.start()
            waitUntil("it is asked for") { fixture.state == "Password Needed" }
            XCTAssert(fixture.detail.contains("No keyring"), fixture.detail)
            fixture.fill("Password", "secret")
            fixture.press("Sign In")
            fixture.account.connection.become(.online)
            waitUntil("that is said") { fixture.detail.contains("asks for it each time") }
            fixture.clear()
        }
    }

    func testRemovingAsksForConfirmation() throws {
        try onMainActor {
            let fixture = try PreferencesFixture(page: .messages)
            fixture.signIn()
            fixture.account.connection.become(.online)
            for (response, isThere) in [(GTK_RESPONSE_CANCEL, true), (GTK_RESPONSE_ACCEPT, false)] {
                fixture.activate("Remove Account…")
                let dialog = try XCTUnwrap(fixture.dialog)
                gtk_dialog_response(dialog.cast(), response.rawValue)
                handleEvents()
                XCTAssertNil(fixture.dialog)
                XCTAssertEqual(fixture.settings[text: "jabber-jid"].isEmpty, !isThere)
            }
            XCTAssertEqual(fixture.state, "No Account")
            XCTAssertEqual(fixture.text("Jabber Address"), "")
            XCTAssertEqual(fixture.isShown("Remove Account…"), false)
            fixture.clear()
        }
    }

    func testAccountIsDeletedOnItsServerOnlyIfThatAgrees() throws {
        try onMainActor {
            let fixture = try PreferencesFixture(page: .messages)
            fixture.signIn()
            XCTAssertEqual(fixture.isShown("Delete Account on Its Server…"), false)
            let server = fixture.account.connection
            server.become(.online)
            fixture.activate("Change Password…")
            let popover = {
                descendants(of: fixture.widget).filter {
                    cgtk_instance_is_a($0, gtk_popover_get_type()) != 0 && gtk_widget_get_mapped($0) != 0
                }.flatMap { descendants(of: $0) }
            }
            let entries = { popover().filter { cgtk_instance_is_a($0, gtk_entry_get_type()) != 0 } }
            let press = { (label: String) in
                let button = popover().first {
                    cgtk_instance_is_a($0, gtk_button_get_type()) != 0
                        && gtk_button_get_label($0.cast()).map { String(cString: $0) } == label
                }
                gtk_button_clicked(try XCTUnwrap(button, label).cast())
                handleEvents()
            }
            for (first, second) in [("one", "two"), ("new", "new")] {
                waitUntil("there are fields") { entries().count == 2 }
                for (entry, text) in zip(entries(), [first, second]) {
                    gtk_entry_set_text(entry.cast(), text)
                }
                try press("Change")
            }
            waitUntil("it is kept") { fixture.account.passwords.stored.values.contains("new") }
            XCTAssertEqual(server.log.filter { $0.hasPrefix("password") }, ["password new"])
            server.refusal = .refused("No.")
            fixture.activate("Delete Account on Its Server…")
            try press("Delete Account")
            waitUntil("it is asked") { server.log.contains("remove") }
            handleEvents()
            XCTAssertFalse(fixture.settings[text: "jabber-jid"].isEmpty)
            server.refusal = nil
            waitUntil("it may be tried again") {
                popover().contains {
                    cgtk_instance_is_a($0, gtk_button_get_type()) != 0 && gtk_widget_get_sensitive($0) != 0
                }
            }
            try press("Delete Account")
            waitUntil("it is gone here, too") { fixture.settings[text: "jabber-jid"].isEmpty }
            fixture.clear()
        }
    }

    func testClosingDuringSignIn() throws {
        try onMainActor {
            let fixture = try PreferencesFixture(page: .messages)
            fixture.signIn()
            fixture.preferences.close()
            fixture.account.connection.become(.failed(.other("The server ended the connection.")))
            handleEvents()
            fixture.show(.messages)
            XCTAssertEqual(fixture.detail, "The server ended the connection.")
            fixture.clear()
        }
    }

}

@MainActor
private func fields(_ fixture: PreferencesFixture) -> [String] {
    descendants(of: fixture.widget).filter {
        cgtk_instance_is_a($0, gtk_entry_get_type()) != 0 && gtk_widget_get_mapped($0) != 0
    }.compactMap { accessibleName(of: $0) }.filter { !$0.isEmpty }
}

extension PreferencesFixture {
    fileprivate func isMarked(_ field: String) -> Bool {
        self.field(field).map {
            gtk_style_context_has_class(gtk_widget_get_style_context($0), "error") != 0
        } ?? false
    }

    /// The row with the account's state and the button.
    private var stateRow: UnsafeMutablePointer<GtkWidget>? {
        (button("Sign In") ?? button("Sign Out")).flatMap {
            gtk_widget_get_ancestor($0, hdy_action_row_get_type())
        }
    }

    fileprivate var state: String {
        stateRow.flatMap { hdy_preferences_row_get_title($0.cast()) }.map { String(cString: $0) } ?? "no row"
    }

    fileprivate var detail: String {
        stateRow.flatMap { hdy_action_row_get_subtitle($0.cast()) }.map { String(cString: $0) } ?? "no row"
    }

    fileprivate func signIn() {
        fill("Jabber Address", "ada@example.org")
        fill("Password", "secret")
        press("Sign In")
    }

}
