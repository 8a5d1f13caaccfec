// SPDX-License-Identifier: GPL-3.0-or-later

import Testing

@testable import TouchtoneCore

/// Tests of the accounts that a web address offers.
@Suite struct AccountSetupTests {
    private func document(
        _ accounts: [JSONValue], version: JSONValue = .number(1), name: JSONValue? = nil
    ) -> JSONValue {
        var members: [String: JSONValue] = ["touchtone": version, "accounts": .list(accounts)]
        members["name"] = name
        return .object(members)
    }

    private func account(_ kind: String, _ members: [String: JSONValue] = [:]) -> JSONValue {
        let usual: [String: JSONValue] = ["type": .text(kind), "address": .text("ada@example.org")]
        return .object(usual.merging(members) { $1 })
    }

    private func read(_ document: JSONValue) -> Result<AccountSetup, AccountSetupError> {
        do throws(AccountSetupError) { return .success(try AccountSetup(document)) } catch {
            return .failure(error)
        }
    }

    @Test func addressAloneIsAnAccount() throws {
        let setup = try AccountSetup(document([account("sip"), account("xmpp")]))
        #expect(
            setup.accounts == [
                .sip(TelephoneSetup(address: "sip:ada@example.org")),
                .jabber(JabberSetup(AccountDetails(address: "ada@example.org"))),
            ])
        #expect(setup.name == "")
        #expect(setup.accounts.allSatisfy { $0.address == "ada@example.org" && !$0.hasPassword })
    }

    @Test(arguments: ["ada@example.org", "xmpp:ada@example.org", "XMPP:ada@example.org"])
    func jabberAddressMayHaveScheme(address: String) throws {
        let setup = try AccountSetup(document([account("xmpp", ["address": .text(address)])]))
        #expect(setup.accounts == [.jabber(JabberSetup(AccountDetails(address: "ada@example.org")))])
        #expect(setup.accounts[0].address == "ada@example.org")
    }

    @Test(arguments: ["ada@example.org", "sip:ada@example.org", "SIP:ada@Example.org"])
    func telephoneAddressMayHaveScheme(address: String) throws {
        let setup = try AccountSetup(document([account("sip", ["address": .text(address)])]))
        #expect(setup.accounts == [.sip(TelephoneSetup(address: "sip:ada@example.org"))])
    }

    @Test(
        arguments: [
            "sip:ada@example.org", "sips:ada@example.org", "tel:ada@example.org", "mailto:ada@example.org",
            "xmpp:xmpp:ada@example.org", "xmpp://ada@example.org", "xmpp://me@example.com/ada@example.org",
            "xmpp:ada@example.org?message", "xmpp:ada@example.org/phone", "xmpp:ada@example.org#here",
            "xmpp:",
            "xmpp:example.org", "xmpp:@example.org", "xmpp:ada@", "xmpp:ada@b@example.org",
            "xmpp:a%40b@example.org",
            "xmpp:ada@example.org:5222", "xmpp: ada@example.org", "a<b@example.org",
        ])
    func noOtherAddressIsJabberAddress(address: String) {
        let found = read(document([account("xmpp", ["address": .text(address)])]))
        #expect(found == .failure(.unusable(number: 1)))
    }

    @Test(
        arguments: [
            "xmpp:ada@example.org", "tel:ada@example.org", "https://ada@example.org",
            "sip:sip:ada@example.org",
            "ada:secret@example.org", "sip:ada:secret@example.org", "sip:", "sip:example.org",
        ])
    func noOtherAddressIsTelephoneAddress(address: String) {
        let found = read(document([account("sip", ["address": .text(address)])]))
        #expect(found == .failure(.unusable(number: 1)))
    }

    @Test func settingsAreRead() throws {
        let setup = try AccountSetup(
            document(
                [
                    account(
                        "sip",
                        [
                            "password": .text(" pass wörd "), "user": .text("4711"),
                            "server": .text("pbx.example.org:5061"), "transport": .text("tcp"),
                            "srtp": .text("required"), "dtmf": .text("info"), "voicemail": .text("*97"),
                            "expiry": .number(120), "run": .text("rm -rf /"),
                        ]),
                    account(
                        "xmpp",
                        [
                            "password": .text("x"), "server": .text("chat.example.org"),
                            "port": .number(5223), "tls": .text("direct"), "label": .text("Work"),
                        ]),
                ], name: .text("Example\nLtd")))
        var sip = TelephoneSetup(address: "sip:ada@example.org")
        (sip.password, sip.user, sip.server) = (" pass wörd ", "4711", "pbx.example.org:5061")
        (sip.transport, sip.encryption, sip.keys) = ("tcp", "required", "info")
        (sip.voicemail, sip.expiry) = ("*97", 120)
        var jabber = JabberSetup(
            AccountDetails(
                address: "ada@example.org", host: "chat.example.org", port: 5223, security: .direct))
        (jabber.password, jabber.label) = ("x", "Work")
        #expect(setup.accounts == [.sip(sip), .jabber(jabber)])
        #expect(setup.name == "Example Ltd")
    }

    @Test func otherDocumentsAreNoSetups() {
        let accounts = JSONValue.list([account("sip")])
        for other: JSONValue in [
            .null, .list([]), .text("touchtone"), .number(1), .object([:]), .object(["accounts": accounts]),
            .object(["touchtone": .number(1)]), .object(["touchtone": .text("1"), "accounts": accounts]),
            .object(["touchtone": .number(1), "accounts": .object([:])]),
        ] {
            #expect(read(other) == .failure(.notASetup))
        }
        #expect(read(document([account("sip")], version: .number(2))) == .failure(.otherVersion))
        #expect(read(document([account("sip")], version: .number(1.5))) == .failure(.otherVersion))
        #expect(read(document([])) == .failure(.noAccounts))
        let many = Array(repeating: account("sip"), count: 11)
        #expect(read(document(many)) == .failure(.tooManyAccounts))
    }

    @Test(
        arguments: [
            ["type": .text("phone")], ["type": .null], ["address": .null], ["address": .text("")],
            ["address": .text("ada")], ["address": .text("sip:ada@")], ["address": .text("a@b\nc")],
            ["password": .number(1)], ["password": .text("a\nb")], ["password": .text("\u{1b}[2J")],
            ["password": .text(String(repeating: "x", count: 301))], ["user": .text("a\u{202e}b")],
            ["user": .text(String(repeating: "x", count: 301))], ["server": .text("evil@example.com")],
            ["server": .text("a b")], ["server": .text("/etc/passwd")], ["server": .text("a:99999")],
            ["server": .list([])], ["transport": .text("TLS")], ["transport": .text("none")],
            ["srtp": .text("maybe")], ["dtmf": .bool(true)], ["expiry": .number(1)], ["expiry": .number(1e9)],
            ["expiry": .number(-60)], ["expiry": .number(60.5)], ["expiry": .number(.infinity)],
            ["expiry": .text("60")], ["voicemail": .text("no number at all")],
        ] as [[String: JSONValue]])
    func oneWrongMemberRefusesSIPAccount(members: [String: JSONValue]) {
        let found = read(document([account("sip"), account("sip", members)]))
        #expect(found == .failure(.unusable(number: 2)), "\(members)")
    }

    @Test(
        arguments: [
            ["address": .text("example.org")], ["address": .text("a@b/c")], ["address": .text("a@b?message")],
            ["address": .text("")], ["port": .number(5222)],
            ["server": .text("a"), "port": .number(0)], ["server": .text("a"), "port": .number(65_536)],
            ["server": .text("a/b")], ["server": .text("a b")], ["tls": .text("off")], ["tls": .text("none")],
            ["label": .text("a\nb")], ["label": .number(1)], ["password": .list([])],
        ] as [[String: JSONValue]])
    func oneWrongMemberRefusesJabberAccount(members: [String: JSONValue]) {
        let found = read(document([account("xmpp", members)]))
        #expect(found == .failure(.unusable(number: 1)), "\(members)")
    }
}
