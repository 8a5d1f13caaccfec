// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of the report for a bug: nothing in it says who somebody is.
final class PhoneReportTests: GtkTestCase {
    /// The words that the phone of the test knows, and the report must not.
    private static let secrets = [
        "ada", "lovelace", "example", "grace", "hopper", "4711", "5550123", "192.0.2", "hunter2",
        "tea at four", "00_11",
        "/home", "work phone",
    ]

    func testReportOfFilledPhoneNamesNobody() throws {
        try onMainActor {
            let settings = try Settings(
                schema: Resources.applicationID,
                folders: [Resources(folder: "\(Checkout.folder)/data").folder])
            defer { settings.reset("jabber-jid") }
            settings[text: "jabber-jid"] = "ada.lovelace@example.org"
            let account = FakeAccount(settings)
            let telephone = FakeTelephone(
                TelephoneAccount(id: "work-phone", address: "sip:4711@pbx.example.org", state: .connecting))
            let fixture = try PhoneWindowFixture()
            let line = fixture.talkingLine()
            let dependencies = PhoneDependencies(
                phone: fixture.phone, lines: fixture.lines, lock: fixture.lock, settings: fixture.settings,
                sounds: fixture.tones, regions: RegionChoices(system: "GB") { [] },
                messages: MessagingDependencies(
                    messenger: Messenger(fixture.chat), wall: FixedWallClock(),
                    accounts: try .only(account.model, settings, Messenger(fixture.chat)),
                    store: MemoryMessageStore()),
                directory: People([]).directory, accounts: telephone)
            let problems = RecentProblems(dependencies)

            try account.model.signIn(AccountDetails(address: "ada.lovelace@example.org"), password: "hunter2")
            account.connection.become(
                .failed(.other("example.org said to ada.lovelace: “Tea at four, Grace?” (/home/ada)")))
            telephone.become(
                .failed("No server for pbx.example.org, 4711@pbx.example.org or 192.0.2.1: 403 “Grace”"))
            telephone.become(.failed("No server for pbx.example.org"))
            telephone.become(.failed("No server for pbx.example.org"))
            fixture.talk("5550123", on: line)
            line.calls[0].onEvent?(
                .ended(.failed("the answer was 403 +1 5550123 (Grace Hopper) at 192.0.2.1, hunter2")))
            line.offer("5550123", address: "sip:grace@example.org", displayName: "Grace Hopper")
            line.calls[1].onEvent?(.ended(.failed("sip:grace@example.org and Grace Hopper")))
            line.offer("5550123", displayName: "Grace Hopper")

            var report = PhoneReport(version: "0.1.0", facts: [("libphonenumber", "8.13")])
            report.add(dependencies, problems: problems.texts)
            report.add(
                [
                    SoundDevice(name: "bluealsa:DEV=00:11:22:33:44:55", label: "Ada’s headset"),
                    SoundDevice(name: "pulse:bluez_output.00_11_22_33_44_55.1", label: "Ada’s headset"),
                    SoundDevice(name: "pulse:lovelace-ears", label: "Ada’s ears"),
                ],
                [SoundDevice(name: "hw:CARD=0", label: "Grace’s")])
            let text = report.text
            for secret in Self.secrets {
                XCTAssertFalse(text.lowercased().contains(secret), "\(secret) in \(text)")
            }
            for word in [
                "version: 0.1.0", "libphonenumber: 8.13", "SIP: failed: No server for (hidden)", "403 “…”",
                "Jabber: failed: (hidden) said to (hidden) “…” (path)", "calls: incoming incoming",
                "hw:CARD=0", "output: pulse:bluez_output\n", "output: pulse:…\n", "locked: no",
                "call: failed (403)",
            ] {
                XCTAssertTrue(text.contains(word), "no \(word) in \(text)")
            }
            XCTAssertEqual(
                problems.texts.filter { $0.hasSuffix("SIP: failed: No server for (hidden)") }.count, 1,
                "a state that is told again is no other problem: \(problems.texts)")
            fixture.clear()
        }
    }

    func testAccountInPlaceOfAnotherIsNoted() throws {
        try onMainActor {
            let accounts = try AccountListFixture()
            accounts.start()
            let list = try XCTUnwrap(accounts.list)
            let first = FakeAccount(accounts.settings, list: list)
            let fixture = try PhoneWindowFixture()
            let made = Variable<[FakeOther]>([])
            let jabber = JabberAccounts(list, first: first.model, messenger: Messenger(fixture.chat)) {
                made.value.append(FakeOther($0, $1))
                return made.value[made.value.count - 1].other
            }
            let problems = RecentProblems(
                PhoneDependencies(
                    phone: fixture.phone, lines: fixture.lines, lock: fixture.lock,
                    settings: fixture.settings, sounds: fixture.tones,
                    regions: RegionChoices(system: "GB") { [] },
                    messages: MessagingDependencies(
                        messenger: Messenger(fixture.chat), wall: FixedWallClock(), accounts: jabber,
                        store: MemoryMessageStore()),
                    directory: People([]).directory))
            accounts.settings[list: "jabber-accounts"] = ["home", "work"]
            for round in 1...3 {
                let settings = try accounts.account("work")
                settings[text: "jid"] = "ada@example.org"
                let other = try XCTUnwrap(made.value.last)
                try other.other.account.signIn(
                    AccountDetails(address: "ada@example.org"), password: "hunter2")
                other.connection.become(.failed(.other("fault \(round)")))
                XCTAssertEqual(problems.texts.count, round, "\(problems.texts)")
                made.value = []
                accounts.settings[list: "jabber-accounts"] = ["home"]
                accounts.settings[list: "jabber-accounts"] = ["home", "work"]
            }
            fixture.clear()
        }
    }

    func testProblemsAreBounded() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            let telephone = FakeTelephone(
                TelephoneAccount(id: "work", address: "sip:ada@example.org", state: .connecting))
            let problems = RecentProblems(
                PhoneDependencies(
                    phone: fixture.phone, lines: fixture.lines, lock: fixture.lock,
                    settings: fixture.settings,
                    sounds: fixture.tones, regions: RegionChoices(system: "GB") { [] },
                    messages: MessagingDependencies(
                        messenger: Messenger(fixture.chat), wall: FixedWallClock(),
                        store: MemoryMessageStore()),
                    directory: People([]).directory, accounts: telephone))
            for round in 0..<200 {
                telephone.become(.failed("fault \(round) " + String(repeating: "x", count: 9999)))
            }
            XCTAssertEqual(problems.texts.count, RecentProblems.maximumCount)
            XCTAssertLessThan(problems.texts.map(\.count).max() ?? 0, 400)
            fixture.clear()
        }
    }
}
