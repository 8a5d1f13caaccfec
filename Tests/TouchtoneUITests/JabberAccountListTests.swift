// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import GtkTestSupport
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of the Jabber accounts in the settings, and of the keys for one account as another name of the first.
final class JabberAccountListTests: GtkTestCase {
    func testKeysForOneAccountBecomeFirstAccount() throws {
        try onMainActor {
            let fixture = try AccountListFixture()
            let settings = fixture.settings
            settings[text: "jabber-host"] = "127.0.0.1"
            settings[count: "jabber-port"] = 5299
            settings[text: "jabber-tls"] = "direct"
            settings[text: "jabber-pinned-certificate"] = "ab12"
            settings[text: "jabber-gateway"] = "sms.example.org"
            settings[text: "jabber-jid"] = "ada@example.org"
            try fixture.account("ada-example-org")[text: "host"] = "of an account that was removed"
            fixture.start()
            XCTAssertEqual(fixture.ids, ["ada-example-org"])
            let account = try fixture.account("ada-example-org")
            XCTAssertEqual(account[text: "jid"], "ada@example.org")
            XCTAssertEqual(account[text: "host"], "127.0.0.1")
            XCTAssertEqual(account[count: "port"], 5299)
            XCTAssertEqual(account[text: "tls"], "direct")
            XCTAssertEqual(account[text: "pinned-certificate"], "ab12")
            XCTAssertEqual(account[text: "gateway"], "sms.example.org")
            fixture.restart()
            XCTAssertEqual(fixture.ids, ["ada-example-org"], "they are read once")
        }
    }

    func testFirstAccountAndItsOtherNameFollowEachOther() throws {
        try onMainActor {
            let fixture = try AccountListFixture()
            fixture.start()
            XCTAssertEqual(fixture.ids, [])
            fixture.settings[count: "jabber-port"] = 5222
            fixture.settings[text: "jabber-jid"] = "ada@example.org"
            waitUntil("the account is there") { fixture.ids == ["ada-example-org"] }
            let account = try fixture.account("ada-example-org")
            XCTAssertEqual(account[count: "port"], 5222)
            fixture.settings[text: "jabber-jid"] = "lovelace@example.org"
            waitUntil("the account follows") { account[text: "jid"] == "lovelace@example.org" }
            account[text: "jid"] = "byron@example.org"
            account[text: "tls"] = "starttls"
            waitUntil("the other name follows") {
                fixture.settings[text: "jabber-jid"] == "byron@example.org"
                    && fixture.settings[text: "jabber-tls"] == "starttls"
            }
            XCTAssertEqual(fixture.ids, ["ada-example-org"], "it is the same account")
            fixture.settings[text: "jabber-jid"] = ""
            waitUntil("the account has no address") { account[text: "jid"] == "" }
        }
    }

    func testOtherNameIsThatOfFirstAccountOnly() throws {
        try onMainActor {
            let fixture = try AccountListFixture()
            try fixture.account("work")[text: "jid"] = "ada@example.com"
            try fixture.account("home")[text: "jid"] = "ada@example.org"
            fixture.settings[list: "jabber-accounts"] = ["work", "home"]
            fixture.start()
            XCTAssertEqual(fixture.alias, "ada@example.com")
            try fixture.account("home")[text: "jid"] = "lovelace@example.org"
            handleEvents()
            XCTAssertEqual(fixture.alias, "ada@example.com")
            fixture.settings[list: "jabber-accounts"] = ["home", "work"]
            waitUntil("the other account is the first") { fixture.alias == "lovelace@example.org" }
            try fixture.account("work")[text: "jid"] = "ada@example.net"
            handleEvents()
            XCTAssertEqual(fixture.alias, "lovelace@example.org", "the former first account is not followed")
            fixture.settings[list: "jabber-accounts"] = ["work"]
            waitUntil("the remaining account is the first") { fixture.alias == "ada@example.net" }
            XCTAssertEqual(try fixture.account("home")[text: "jid"], "lovelace@example.org")
            fixture.settings[list: "jabber-accounts"] = []
            waitUntil("nothing of the account is left") { fixture.alias == "" }
            fixture.restart()
            XCTAssertEqual(fixture.ids, [], "it does not come back")
        }
    }

    func testChangesWhileNothingFollowsCount() throws {
        try onMainActor {
            let fixture = try AccountListFixture()
            fixture.settings[text: "jabber-jid"] = "ada@example.org"
            fixture.start()
            let account = try fixture.account("ada-example-org")
            fixture.stop()
            fixture.settings[text: "jabber-host"] = "xmpp.example.org"
            account[text: "tls"] = "direct"
            fixture.start()
            XCTAssertEqual(account[text: "host"], "xmpp.example.org")
            XCTAssertEqual(fixture.settings[text: "jabber-tls"], "direct")
            fixture.stop()
            fixture.settings[list: "jabber-accounts"] = []
            fixture.start()
            XCTAssertEqual(fixture.alias, "", "the account was removed")
            XCTAssertEqual(fixture.ids, [])
            fixture.stop()
            fixture.settings[text: "jabber-jid"] = "lovelace@example.org"
            fixture.start()
            XCTAssertEqual(fixture.ids, ["lovelace-example-org"])
        }
    }

    func testKeysForOneAccountPrecedeOtherAccounts() throws {
        try onMainActor {
            let fixture = try AccountListFixture()
            fixture.settings[text: "jabber-jid"] = "ada@example.org"
            try fixture.account("work")[text: "jid"] = "ada@example.com"
            fixture.settings[list: "jabber-accounts"] = ["work"]
            fixture.start()
            XCTAssertEqual(fixture.ids, ["ada-example-org", "work"])
            XCTAssertEqual(try fixture.account("work")[text: "jid"], "ada@example.com")
            try fixture.forget()
            fixture.settings[text: "jabber-jid"] = "ada@example.com"
            try fixture.account("home")[text: "jid"] = "ada@example.org"
            try fixture.account("work")[text: "jid"] = "ada@example.com"
            fixture.settings[list: "jabber-accounts"] = ["home", "work"]
            fixture.start()
            XCTAssertEqual(fixture.ids, ["home", "work"], "the account is there already")
            XCTAssertEqual(fixture.alias, "ada@example.org")
        }
    }

    func testHostileListDoesNoHarm() throws {
        try onMainActor {
            let fixture = try AccountListFixture()
            try fixture.account("work")[text: "jid"] = "ada@example.com"
            let bad = [
                "", "../x", "a/b", "/", "..", "work", "work", "ä", String(repeating: "a", count: 100_000),
            ]
            fixture.settings[list: "jabber-alias"] = Array(repeating: "x", count: 6)
            fixture.settings[list: "jabber-accounts"] = bad + (0..<5000).map { "id-\($0)" }
            fixture.start()
            XCTAssertEqual(fixture.ids.count, AccountID.maximumCount)
            XCTAssertEqual(fixture.ids.first, "work")
            fixture.settings[list: "jabber-accounts"] = bad.filter { $0 != "work" }
            waitUntil("there is no account") { fixture.alias == "" && fixture.ids == [] }
            fixture.settings[text: "jabber-jid"] = String(repeating: "../", count: 100_000)
            waitUntil("an account is there") { fixture.ids == ["account"] }
            XCTAssertEqual(fixture.settings[list: "jabber-accounts"], ["account"])
        }
    }
}
