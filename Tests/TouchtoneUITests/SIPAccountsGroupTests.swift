// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import GtkTestSupport
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of the SIP accounts in Preferences: a row for each, with its details folded away.
final class SIPAccountsGroupTests: GtkTestCase {
    func testAccountIsAddedByAddressAndPasswordAlone() throws {
        try onMainActor {
            let telephone = FakeTelephone()
            let fixture = try PreferencesFixture(page: .lines, lines: [], telephone: telephone)
            XCTAssertEqual(fixture.fields, ["Prefix"])
            fixture.activate("Add Account…")
            XCTAssertEqual(fixture.fields, ["SIP Address", "Password", "Prefix"])
            XCTAssertEqual(fixture.isShown("Add Account…"), false)
            XCTAssertFalse(try fixture.isSensitive("Add"))
            fixture.fill("SIP Address", "ada")
            fixture.fill("Password", "secret")
            fixture.press("Add")
            XCTAssertEqual(
                fixture.subtitle("New Account"), "This is not a SIP address. Example: name@example.org")
            XCTAssertEqual(telephone.requests, [])
            fixture.fill("SIP Address", " Ada@Example.org")
            XCTAssertEqual(fixture.subtitle("New Account"), "", "the mark is gone at the next key")
            gtk_widget_grab_focus(try XCTUnwrap(fixture.field("Password")))
            fixture.type(GDK_KEY_Return)
            waitUntil("it is added") { telephone.requests == ["add sip:Ada@example.org secret"] }
            XCTAssertEqual(fixture.subtitle("Ada@example.org"), "Registering…")
            XCTAssertEqual(fixture.isShown("Add Account…"), true)
            XCTAssertEqual(
                fixture.fields, ["Password", "Divert To", "Divert After", "Prefix"],
                "the account is open, and its details are not")
            XCTAssertFalse(
                fixture.text("Password").contains("secret"), "what was typed stays nowhere")
            fixture.clear()
        }
    }
    func testRelayFollowsItsSetting() throws {
        try onMainActor {
            let fixture = try PreferencesFixture(page: .lines, telephone: FakeTelephone())
            let title = "Relay Calls Over Jabber"
            XCTAssertNotNil(fixture.row(title))
            for (value, label) in [("never", "Never"), ("always", "Always"), ("strangers", "With Strangers")]
            {
                fixture.settings[text: "calls-by-relay"] = value
                XCTAssertEqual(fixture.choice(title), label)
            }
            fixture.clear()
        }
    }

    func testNewMessagesOfVoicemailAreCounted() throws {
        try onMainActor {
            let telephone = FakeTelephone(.ada)
            let fixture = try PreferencesFixture(page: .lines, telephone: telephone)
            telephone.become(.registered)
            for (count, text) in [
                (1, "Registered, 1 new voicemail message"), (3, "Registered, 3 new voicemail messages"),
                (nil, "Registered, new voicemail messages"), (0, "Registered"),
            ] as [(Int?, String)] {
                telephone.receive(count)
                XCTAssertEqual(fixture.subtitle("ada@example.org"), text)
            }
            fixture.clear()
        }
    }

    func testStatesAreExplained() throws {
        try onMainActor {
            let telephone = FakeTelephone(.ada)
            let fixture = try PreferencesFixture(page: .lines, telephone: telephone)
            let states: [(TelephoneAccount.State, String)] = [
                (.registered, "Registered"), (.connecting, "Registering…"), (.disabled, "Turned off"),
                (.asking, "Waiting for the keyring…"),
                (.failed("The server isn’t responding."), "The server isn’t responding."),
                (.passwordWanted(.noneKept), "The keyring has no password for this account."),
                (
                    .passwordWanted(.keyringRefused("locked")),
                    "The password could not be read from the keyring: locked."
                ),
            ]
            for (state, text) in states {
                telephone.become(state)
                XCTAssertEqual(fixture.subtitle("ada@example.org"), text)
                let row = try XCTUnwrap(fixture.row("ada@example.org"))
                XCTAssertEqual(accessibleName(of: row), "ada@example.org")
                let description = atk_object_get_description(gtk_widget_get_accessible(row))
                XCTAssertEqual(description.map { String(cString: $0) }, text)
            }
            telephone.become(.registered, notKept: .noKeyring)
            XCTAssert(fixture.subtitle("ada@example.org").hasPrefix("No keyring is available to save"))
            fixture.clear()
        }
    }

    func testDetailsAreFoldedAwayAndSavedWhenEntered() throws {
        try onMainActor {
            let fixture = try PreferencesFixture(page: .lines, lines: [], telephone: FakeTelephone(.ada))
            let settings = try fixture.adasSettings()
            fixture.activate("ada@example.org")
            XCTAssertEqual(fixture.fields, ["Password", "Divert To", "Divert After", "Prefix"])
            fixture.activate("Advanced")
            XCTAssertEqual(
                fixture.fields,
                [
                    "Password", "Divert To", "Divert After", "Voicemail Number", "Pickup Code",
                    "Authentication Name",
                    "Registrar", "STUN or TURN Server",
                    "Registration Time",
                    "Prefix",
                ])
            gtk_widget_grab_focus(try XCTUnwrap(fixture.field("Registrar")))
            fixture.type("sip.example.org")
            XCTAssertEqual(settings[text: "registrar"], "", "not with each letter")
            fixture.type(GDK_KEY_Return)
            waitUntil("it is saved") { settings[text: "registrar"] == "sip.example.org" }
            gtk_widget_grab_focus(try XCTUnwrap(fixture.field("Authentication Name")))
            fixture.type("lovelace")
            gtk_widget_grab_focus(try XCTUnwrap(fixture.field("STUN or TURN Server")))
            waitUntil("it is saved when the focus leaves") { settings[text: "auth-name"] == "lovelace" }
            settings[text: "stun-server"] = "stun.example.org"
            XCTAssertEqual(
                fixture.text("STUN or TURN Server"), "stun.example.org", "a change from outside is shown")
            for (typed, isRight) in [("59", false), ("86401", false), ("120", true)] {
                gtk_entry_set_text(try XCTUnwrap(fixture.field("Registration Time")).cast(), typed)
                gtk_widget_activate(try XCTUnwrap(fixture.field("Registration Time")))
                XCTAssertEqual(settings[count: "expiry"] == 120, isRight, typed)
            }
            settings[text: "transport"] = "udp"
            XCTAssertEqual(fixture.choice("Transport"), "UDP")
            XCTAssertEqual(fixture.choice("Encryption of Calls"), "If Possible")
            fixture.activate("ada@example.org")
            XCTAssertEqual(fixture.fields, ["Prefix"])
            try fixture.resetAda()
            fixture.clear()
        }
    }

    func testPasswordAndTest() throws {
        try onMainActor {
            let telephone = FakeTelephone(.ada)
            let fixture = try PreferencesFixture(page: .lines, telephone: telephone)
            fixture.activate("ada@example.org")
            fixture.press("Test Account")
            fixture.fill("Password", "new")
            fixture.press("Test Account")
            XCTAssertEqual(telephone.requests, ["test ada", "password ada new"])
            XCTAssertEqual(fixture.text("Password"), "")
            telephone.become(.disabled)
            XCTAssertFalse(try fixture.isSensitive("Test Account"))
            fixture.clear()
        }
    }

    func testPasswordOfTURNServerIsSaved() throws {
        try onMainActor {
            let telephone = FakeTelephone(.ada)
            let fixture = try PreferencesFixture(page: .lines, telephone: telephone)
            let settings = try fixture.adasSettings()
            fixture.activate("ada@example.org")
            fixture.activate("Advanced")
            for (server, isShown) in [
                ("stun.example.org", false), ("turn:turn.example.org", false),
                ("turn:ada@turn.example.org", true),
            ] {
                settings[text: "stun-server"] = server
                XCTAssertEqual(fixture.isShown("TURN Password"), isShown, server)
            }
            telephone.become(.registered, relayProblem: .noneKept)
            XCTAssertEqual(fixture.subtitle("TURN Password"), "The keyring has no password for this server.")
            fixture.fill("TURN Password", "relayed")
            gtk_widget_activate(try XCTUnwrap(fixture.field("TURN Password")))
            XCTAssertEqual(telephone.requests, ["relay password ada relayed"])
            XCTAssertEqual(fixture.text("TURN Password"), "")
            telephone.become(.registered, relayFailure: "The TURN server isn’t responding.")
            for row in ["TURN Password", "ada@example.org"] {
                XCTAssertEqual(fixture.subtitle(row), "The TURN server isn’t responding.")
            }
            telephone.become(.registered)
            XCTAssertEqual(fixture.subtitle("TURN Password"), "")
            XCTAssertEqual(fixture.subtitle("ada@example.org"), "Registered")
            try fixture.resetAda()
            fixture.clear()
        }
    }

    func testRefusedCertificateIsTrustedAndDistrusted() throws {
        try onMainActor {
            let telephone = FakeTelephone(.ada)
            let fixture = try PreferencesFixture(page: .lines, telephone: telephone)
            let rows = ["Server Certificate", "Trusted Certificate", "Fingerprint (SHA-256)"]
            let fingerprint = String(repeating: "0f", count: 32)
            telephone.become(.failed("The server’s certificate can’t be trusted."), refused: fingerprint)
            XCTAssertEqual(rows.map(fixture.isShown), [false, false, false], "they are folded away")
            fixture.activate("ada@example.org")
            XCTAssertEqual(rows.map(fixture.isShown), [true, false, true])
            fixture.press("Trust This Certificate")
            telephone.become(.registered, trusted: fingerprint)
            XCTAssertEqual(rows.map(fixture.isShown), [false, true, true])
            fixture.press("Stop Trusting")
            telephone.become(.registered)
            XCTAssertEqual(rows.map(fixture.isShown), [false, false, false])
            XCTAssertEqual(telephone.requests, ["trust ada", "distrust ada"])
            fixture.clear()
        }
    }

    func testDiversionIsSetAndExplained() throws {
        try onMainActor {
            let fixture = try PreferencesFixture(page: .lines, telephone: FakeTelephone(.ada))
            let settings = try fixture.adasSettings()
            for key in ["divert", "divert-calls", "divert-to", "divert-after"] { settings.reset(key) }
            settings[text: "address"] = "sip:ada@example.org"
            fixture.activate("ada@example.org")
            XCTAssertEqual(fixture.subtitle("Divert Calls"), "Enter where the calls are to go.")
            for (text, told) in [
                ("ada@example.org", "Calls can’t be diverted to the account itself."),
                ("555-0100", "Callers are told to call another number or address"),
            ] {
                fixture.fill("Divert To", text)
                gtk_widget_activate(try XCTUnwrap(fixture.field("Divert To")))
                XCTAssertEqual(settings[text: "divert-to"], text)
                XCTAssertEqual(fixture.subtitle("Divert Calls"), told)
            }
            fixture.fill("Divert To", "nobody")
            gtk_widget_activate(try XCTUnwrap(fixture.field("Divert To")))
            XCTAssertEqual(settings[text: "divert-to"], "555-0100", "what is no place is not saved")
            fixture.fill("Divert After", "121")
            gtk_widget_activate(try XCTUnwrap(fixture.field("Divert After")))
            XCTAssertEqual(settings[count: "divert-after"], 20)
            let key = try XCTUnwrap(fixture.control("Divert Calls", type: gtk_switch_get_type()))
            gtk_switch_set_active(key.cast(), 1)
            XCTAssertTrue(settings[flag: "divert"])
            XCTAssertEqual(fixture.choice("Diverted Calls"), "All")
            for key in ["divert", "divert-calls", "divert-to", "divert-after", "address"] {
                settings.reset(key)
            }
            fixture.clear()
        }
    }

    func testSwitchesFollowSettings() throws {
        try onMainActor {
            let fixture = try PreferencesFixture(page: .lines, telephone: FakeTelephone(.ada))
            let settings = try fixture.adasSettings()
            let key = try XCTUnwrap(fixture.control("ada@example.org", type: gtk_switch_get_type()))
            XCTAssertEqual(accessibleName(of: key), "Use ada@example.org")
            gtk_switch_set_active(key.cast(), 0)
            XCTAssertFalse(settings[flag: "enabled"])
            settings[flag: "enabled"] = true
            XCTAssertNotEqual(gtk_switch_get_active(key.cast()), 0)
            let direct = try XCTUnwrap(fixture.control("Allow Direct Calls", type: gtk_switch_get_type()))
            XCTAssertEqual(accessibleName(of: direct), "Allow Direct Calls")
            gtk_switch_set_active(direct.cast(), 1)
            XCTAssertTrue(fixture.settings[flag: "sip-direct-calls"])
            fixture.settings.reset("sip-direct-calls")
            XCTAssertEqual(gtk_switch_get_active(direct.cast()), 0)
            try fixture.resetAda()
            fixture.clear()
        }
    }

    func testAccountIsRemovedAfterConfirmation() throws {
        try onMainActor {
            let telephone = FakeTelephone(.ada)
            let fixture = try PreferencesFixture(page: .lines, telephone: telephone)
            for (response, isThere) in [(GTK_RESPONSE_CANCEL, true), (GTK_RESPONSE_ACCEPT, false)] {
                if fixture.isShown("Remove Account…") != true { fixture.activate("ada@example.org") }
                fixture.activate("Remove Account…")
                let dialog = try XCTUnwrap(fixture.dialog)
                gtk_dialog_response(dialog.cast(), response.rawValue)
                handleEvents()
                XCTAssertEqual(telephone.accounts.isEmpty, !isThere)
                XCTAssertEqual(fixture.row("ada@example.org") != nil, isThere)
            }
            fixture.clear()
        }
    }

    func testBuildWithoutSIPSaysSo() throws {
        try onMainActor {
            let telephone = FakeTelephone()
            telephone.isSupported = false
            let fixture = try PreferencesFixture(page: .lines, telephone: telephone)
            XCTAssert(
                fixture.labels.contains { $0.hasPrefix("Calls over SIP need the program touchtone-sip") })
            XCTAssertEqual(fixture.isShown("Add Account…"), false)
            fixture.clear()
        }
    }
}

extension TelephoneAccount {
    fileprivate static let ada = TelephoneAccount(
        id: "ada", address: "sip:ada@example.org", state: .registered)
}

extension PreferencesFixture {
    fileprivate func adasSettings() throws -> Settings {
        try Resources(folder: "\(Checkout.folder)/data").accountSettings("ada")
    }

    fileprivate func resetAda() throws {
        let settings = try adasSettings()
        for key in [
            "auth-name", "registrar", "transport", "srtp", "stun-server", "codecs", "dtmf", "expiry",
            "enabled",
        ] {
            settings.reset(key)
        }
    }

    fileprivate var fields: [String] {
        guard let page else { return [] }
        return descendants(of: page).filter {
            cgtk_instance_is_a($0, gtk_entry_get_type()) != 0 && gtk_widget_get_mapped($0) != 0
        }.compactMap { accessibleName(of: $0) }
    }
}
