// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// The Jabber account in Preferences: two fields and a button, and what is said of each failure.
final class AccountTests: GtkTestCase {
    func testItOpensWithTwoFieldsAndOneButton() throws {
        try onMainActor {
            let desk = try PreferencesDesk(page: .messages)
            XCTAssertEqual(fields(desk), ["Jabber Address", "Password"])
            XCTAssertEqual(desk.state, "No Account")
            XCTAssertEqual(desk.visible("Remove Account…"), false)
            XCTAssertEqual(desk.visible("Fingerprint (SHA-256)"), false)
            XCTAssertFalse(try desk.isSensitive("Sign In"), "there is nothing to sign in with")
            activate("Advanced", desk)
            XCTAssertEqual(fields(desk), ["Jabber Address", "Password", "Server", "Port"])
            activate("Advanced", desk)
            XCTAssertEqual(fields(desk), ["Jabber Address", "Password"])
            desk.clear()
        }
    }

    func testAnAccountIsSignedInByKeyboard() throws {
        try onMainActor {
            let desk = try PreferencesDesk(page: .messages)
            gtk_widget_grab_focus(try XCTUnwrap(desk.field("Jabber Address")))
            desk.fill("Jabber Address", " Ada@Example.org ")
            gtk_widget_grab_focus(try XCTUnwrap(desk.field("Password")))
            desk.type("secret")
            desk.type(GDK_KEY_Return)
            waitUntil("it is on its way") { desk.account.calls == [["ada@example.org", "secret", ""]] }
            XCTAssertEqual(desk.settings[text: "jabber-jid"], "ada@example.org")
            XCTAssertEqual(desk.text("Jabber Address"), "ada@example.org", "as it is kept")
            XCTAssertEqual(desk.text("Password"), "", "what was typed stays nowhere")
            XCTAssertEqual(desk.state, "Signing In…")
            desk.account.become(.online)
            waitUntil("it is online") { desk.state == "Online" }
            waitUntil("the keyring has the password") {
                desk.account.passwords == ["ada@example.org": "secret"]
            }
            XCTAssertEqual(desk.visible("Remove Account…"), true)
            desk.press("Sign Out")
            XCTAssertEqual(desk.state, "Signed Out")
            desk.press("Sign In")
            XCTAssertEqual(desk.account.calls.count, 2)
            desk.clear()
        }
    }

    func testAServerThatIsNotFoundByItself() throws {
        try onMainActor {
            let desk = try PreferencesDesk(page: .messages)
            activate("Advanced", desk)
            desk.fill("Jabber Address", "ada@example.org")
            desk.fill("Password", "secret")
            desk.fill("Port", "5299")
            desk.press("Sign In")
            XCTAssertEqual(desk.detail, "A port goes with a server: say which one.")
            XCTAssert(desk.isMarked("Server"))
            desk.fill("Server", "127.0.0.1")
            XCTAssertFalse(desk.isMarked("Server"), "the mark is gone at the next key")
            for wrong in ["0", "65536", "99999"] {
                desk.fill("Port", wrong)
                XCTAssert(desk.isMarked("Port"), wrong)
                XCTAssertFalse(try desk.isSensitive("Sign In"), wrong)
            }
            desk.fill("Port", "5299")
            desk.press("Sign In")
            XCTAssertEqual(desk.settings[text: "jabber-host"], "127.0.0.1")
            XCTAssertEqual(desk.settings[count: "jabber-port"], 5299)
            desk.clear()
        }
    }

    func testWhatIsNoAddressIsSaid() throws {
        try onMainActor {
            let desk = try PreferencesDesk(page: .messages)
            desk.fill("Jabber Address", "ada")
            desk.fill("Password", "secret")
            desk.press("Sign In")
            XCTAssertEqual(desk.detail, "This is no Jabber address. One looks like name@example.org.")
            XCTAssert(desk.isMarked("Jabber Address"))
            XCTAssertEqual(desk.account.calls, [])
            XCTAssertEqual(desk.settings[text: "jabber-jid"], "")
            desk.clear()
        }
    }

    func testAWrongPasswordIsNotTriedAgainBeforeItIsEdited() throws {
        try onMainActor {
            let desk = try PreferencesDesk(page: .messages)
            desk.signIn()
            desk.account.become(.failed(.password("The password is wrong, or there is no such account.")))
            XCTAssertEqual(desk.state, "Not Signed In")
            XCTAssert(desk.detail.hasPrefix("The password is wrong"), desk.detail)
            XCTAssertFalse(try desk.isSensitive("Sign In"), "the same again is of no use")
            desk.fill("Password", "right")
            desk.press("Sign In")
            XCTAssertEqual(desk.account.calls.last, ["ada@example.org", "right", ""])
            desk.clear()
        }
    }

    func testOnlyTheUserTrustsACertificateAndCanTakeItBack() throws {
        try onMainActor {
            let desk = try PreferencesDesk(page: .messages)
            desk.signIn()
            let fingerprint = String(repeating: "0a1b2c3d", count: 8)
            desk.account.become(
                .failed(
                    .certificate(
                        CertificateReport(
                            reason: "The server's certificate can't be trusted: its issuer is unknown.",
                            fingerprint: fingerprint, subject: "CN=example.org", issuer: "CN=<b>me</b>",
                            expiry: "2031-02-03"))))
            XCTAssert(
                desk.labels.contains("The server's certificate can't be trusted: its issuer is unknown."))
            XCTAssert(
                desk.labels.contains(
                    "It names CN=example.org, is signed by CN=<b>me</b>, is good until 2031-02-03."),
                "\(desk.labels)")
            let lines = Array(repeating: "0A:1B:2C:3D:0A:1B:2C:3D", count: 4).joined(separator: "\n")
            XCTAssert(desk.labels.contains(lines))
            XCTAssertEqual(desk.settings[text: "jabber-pinned-certificate"], "", "it was not asked")
            desk.press("Trust This Certificate")
            XCTAssertEqual(desk.settings[text: "jabber-pinned-certificate"], fingerprint)
            XCTAssertEqual(desk.account.calls.last, ["ada@example.org", "secret", fingerprint])
            desk.account.become(.online)
            XCTAssertEqual(desk.visible("A Certificate That You Trust"), true)
            XCTAssert(desk.labels.contains(lines))
            desk.press("Stop Trusting")
            XCTAssertEqual(desk.settings[text: "jabber-pinned-certificate"], "")
            XCTAssertEqual(desk.account.calls.last, ["ada@example.org", "secret", ""])
            XCTAssertEqual(desk.visible("A Certificate That You Trust"), false)
            desk.clear()
        }
    }

    func testOnlyTheUserAllowsAWeakerSignIn() throws {
        try onMainActor {
            let desk = try PreferencesDesk(page: .messages)
            desk.signIn()
            desk.account.signInMethod = "SCRAM-SHA-256"
            desk.account.become(.online)
            XCTAssertEqual(
                desk.settings[text: "jabber-sign-in-method"], "ada@example.org SCRAM-SHA-256")
            XCTAssertEqual(desk.visible("A Weaker Sign-In"), false)
            let reason = "The server offers only weaker ways to sign in than before."
            desk.account.become(
                .failed(
                    .weakerSignIn(WeakerSignIn(reason: reason, method: "PLAIN", tellsPassword: true))))
            XCTAssertEqual(desk.state, "Not Signed In")
            XCTAssertEqual(desk.detail, reason)
            XCTAssert(
                desk.labels.contains(
                    "The server would get the password itself (PLAIN). "
                        + "Allow it only if the server’s owner confirms the change."), "\(desk.labels)")
            XCTAssertEqual(desk.visible("A Weaker Sign-In"), true)
            XCTAssertEqual(desk.account.calls.count, 1, "it was not asked")
            desk.press("Allow This Sign-In")
            XCTAssertEqual(desk.account.methods, ["", "PLAIN"])
            XCTAssertEqual(desk.settings[text: "jabber-sign-in-method"], "ada@example.org PLAIN")
            XCTAssertEqual(desk.visible("A Weaker Sign-In"), false)
            desk.clear()
        }
    }

    func testWithoutAKeyringThePasswordIsAskedForAndSaidTo() throws {
        try onMainActor {
            let desk = try PreferencesDesk(page: .messages)
            desk.account.passwords = nil
            desk.settings[text: "jabber-jid"] = "ada@example.org"
            XCTAssertEqual(desk.text("Jabber Address"), "ada@example.org", "the field follows")
            desk.account.model.start()
            waitUntil("it is asked for") { desk.state == "Password Needed" }
            XCTAssert(desk.detail.contains("no keyring"), desk.detail)
            desk.fill("Password", "secret")
            desk.press("Sign In")
            desk.account.become(.online)
            waitUntil("that is said") { desk.detail.contains("asked for at each start") }
            desk.clear()
        }
    }

    func testRemovingAsksFirst() throws {
        try onMainActor {
            let desk = try PreferencesDesk(page: .messages)
            desk.signIn()
            desk.account.become(.online)
            for (response, isThere) in [(GTK_RESPONSE_CANCEL, true), (GTK_RESPONSE_ACCEPT, false)] {
                activate("Remove Account…", desk)
                let dialog = try XCTUnwrap(desk.dialog)
                gtk_dialog_response(dialog.cast(), response.rawValue)
                handleEvents()
                XCTAssertNil(desk.dialog)
                XCTAssertEqual(desk.settings[text: "jabber-jid"].isEmpty, !isThere)
            }
            XCTAssertEqual(desk.state, "No Account")
            XCTAssertEqual(desk.text("Jabber Address"), "")
            XCTAssertEqual(desk.visible("Remove Account…"), false)
            desk.clear()
        }
    }

    func testClosedWhileItSignsIn() throws {
        try onMainActor {
            let desk = try PreferencesDesk(page: .messages)
            desk.signIn()
            desk.preferences.close()
            desk.account.become(.failed(.other("The server ended the connection.")))
            handleEvents()
            desk.show(.messages)
            XCTAssertEqual(desk.detail, "The server ended the connection.")
            desk.clear()
        }
    }

}

@MainActor
private func fields(_ desk: PreferencesDesk) -> [String] {
    descendants(of: desk.widget).filter {
        cgtk_instance_is_a($0, gtk_entry_get_type()) != 0 && gtk_widget_get_mapped($0) != 0
    }.compactMap { accessibleName(of: $0) }.filter { $0 != "Region" && !$0.isEmpty }
}

@MainActor
private func activate(_ title: String, _ desk: PreferencesDesk) {
    guard let row = desk.row(title) else { return XCTFail("there is no row \(title)") }
    hdy_action_row_activate(row.cast())
    handleEvents()
}

extension PreferencesDesk {
    fileprivate func fill(_ field: String, _ text: String) {
        guard let entry = self.field(field) else { return XCTFail("there is no field \(field)") }
        gtk_entry_set_text(entry.cast(), text)
    }

    fileprivate func text(_ field: String) -> String {
        self.field(field).flatMap { gtk_entry_get_text($0.cast()) }.map { String(cString: $0) } ?? "no field"
    }

    fileprivate func isMarked(_ field: String) -> Bool {
        self.field(field).map {
            gtk_style_context_has_class(gtk_widget_get_style_context($0), "error") != 0
        } ?? false
    }

    private func key(_ label: String) -> UnsafeMutablePointer<GtkWidget>? {
        descendants(of: widget).first {
            cgtk_instance_is_a($0, gtk_button_get_type()) != 0 && gtk_widget_get_mapped($0) != 0
                && gtk_button_get_label($0.cast()).map { String(cString: $0) } == label
        }
    }

    fileprivate func isSensitive(_ label: String) throws -> Bool {
        gtk_widget_get_sensitive(try XCTUnwrap(key(label), label)) != 0
    }

    fileprivate func press(_ label: String) {
        guard let key = key(label) else { return XCTFail("there is no button \(label)") }
        gtk_button_clicked(key.cast())
        handleEvents()
    }

    fileprivate func visible(_ title: String) -> Bool? { row(title).map { gtk_widget_get_visible($0) != 0 } }

    /// The row that says how the account stands: the one with the button.
    private var stateRow: UnsafeMutablePointer<GtkWidget>? {
        (key("Sign In") ?? key("Sign Out")).flatMap {
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

    fileprivate var dialog: UnsafeMutablePointer<GtkWidget>? {
        let list = gtk_window_list_toplevels()
        defer { g_list_free(list) }
        return sequence(first: list, next: { $0?.pointee.next }).prefix { $0 != nil }
            .compactMap { $0?.pointee.data?.assumingMemoryBound(to: GtkWidget.self) }
            .first {
                cgtk_instance_is_a($0, gtk_message_dialog_get_type()) != 0 && gtk_widget_get_visible($0) != 0
            }
    }
}
