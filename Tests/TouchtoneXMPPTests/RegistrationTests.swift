// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import CGio
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneXMPP

/// Tests of accounts that are made in the program, and of invitations.
final class RegistrationTests: XMPPTestCase {
    func testAccountIsMadeOnceAndSignsIn() throws {
        try onMainActor {
            let name = "new-\(UInt32.random(in: 0...UInt32.max))"
            // A name may be typed as an address.
            let made = try make("\(name.uppercased())@localhost", password: "päss & <word>")
            XCTAssertEqual(made.details.address, "\(name)@localhost")
            var account = try serverAccount(made.details.address)
            account.password = made.password
            let fixture = XMPPAccountFixture(account)
            waitUntil("it is signed in") { fixture.readyCount == 1 }
            XCTAssertEqual(try failure { _ = try make(name) }?.hasPrefix("This name is taken."), true)
            XCTAssertEqual(try failure { _ = try make("a b") }?.hasPrefix("This name can’t"), true)
            XCTAssertEqual(
                try failure { _ = try make("ada@elsewhere.example") }?.hasPrefix("This name can’t"), true)
            // The account gets another password, and then goes.
            try awaited { try await fixture.chat.changePassword(to: "neu & <word>") }
            account.password = "neu & <word>"
            let again = XMPPAccountFixture(account)
            waitUntil("it is signed in again") { again.readyCount == 1 }
            again.chat.signOut()
            do {
                try awaited { try await fixture.chat.changePassword(to: "") }
                XCTFail("an empty password is taken")
            } catch {}
            try awaited { try await fixture.chat.removeFromServer() }
            fixture.chat.signOut()
            XCTAssertEqual(try make(name).details.address, made.details.address, "the name is free again")
        }
    }

    /// XEP-0158: the picture is in the server's answer, and its words make the account.
    func testWordsInPictureMakeAccount() throws {
        try Peer.require("ejabberdctl", package: "ejabberd")
        try onMainActor {
            let server = try Ejabberd(asksForWords: true)
            let registration = try makeRegistration(port: server.port)
            for isRight in [false, true] {
                var form = try awaited { try await registration.form() }
                XCTAssertEqual(form.pictures["ocr"]?.prefix(4), [0x89, 0x50, 0x4E, 0x47])
                XCTAssert(form.canBeSent)
                XCTAssertFalse(server.words.isEmpty)
                (form["username"], form["password"]) = ("ada", "secret")
                form["ocr"] = isRight ? server.words : "wrong"
                let reason = try failure { _ = try awaited { try await registration.register(form) } }
                XCTAssertEqual(reason == nil, isRight, reason ?? "")
            }
        }
    }

    /// XEP-0445, XEP-0401: a person who comes by an invitation is the inviter's buddy, without a request.
    func testInvitedPersonIsTheInvitersBuddy() throws {
        try TestServer.requireProsody("ejabberd makes invitations since 25.07")
        try onMainActor {
            let grace = try fixture("grace")
            let (token, canRegister) = try invitation(by: grace)
            XCTAssert(canRegister)
            let made = try make("invited-\(UInt32.random(in: 0...UInt32.max))", token: token)
            let invited = XMPPAccountFixture(try serverAccount(made.details.address))
            waitUntil("it is signed in") { invited.readyCount == 1 }
            try awaited {
                try await invited.chat.rosterModule.add(grace.address, name: "", invitation: token)
            }
            waitUntil("they are buddies") {
                [grace.buddies[invited.address], invited.buddies[grace.address]].allSatisfy {
                    $0?.tellsMe == true && $0?.toldByMe == true
                }
            }
            XCTAssertEqual(grace.requests, [], "nobody was asked")
            // The invitation was for one.
            let reason = try failure {
                _ = try make("second-\(UInt32.random(in: 0...UInt32.max))", token: token)
            }
            XCTAssertEqual(reason?.hasPrefix("The invitation isn’t valid any more."), true, reason ?? "none")
        }
    }

    /// XEP-0379: an invitation also takes the place of a request to somebody who has an account.
    func testInvitationIsAnAcceptedRequest() throws {
        try TestServer.requireProsody("ejabberd makes invitations since 25.07")
        try onMainActor {
            let (grace, alan) = try desks()
            let (token, _) = try invitation(by: grace)
            try awaited {
                try await alan.chat.rosterModule.add(grace.address, name: "Grace", invitation: token)
            }
            waitUntil("the request is accepted") {
                alan.buddies[grace.address]?.tellsMe == true && grace.buddies[alan.address]?.toldByMe == true
            }
            XCTAssertEqual(grace.requests, [])
        }
    }

    // MARK: - Hostile servers

    func testPasswordIsSentOnlyToTheRightServerUnderTLS() throws {
        try onMainActor {
            let plain =
                Script.opening
                + "send <stream:features>\(offer)</stream:features>\nexpect <iq\nsay sent\n"
            let (text, said) = try outcome([plain])
            XCTAssert(
                text?.contains("it doesn’t offer TLS") == true && !said.contains("sent"), text ?? "none")
            for certificate in ["other", "expired"] {
                let server = try ScriptedServer([Script.secure(certificate) + "say secure\n"]) {
                    g_main_context_wakeup(nil)
                }
                defer { server.end() }
                let registration = try makeRegistration(port: server.port)
                do {
                    _ = try awaited { try await registration.form() }
                    XCTFail("\(certificate) is trusted")
                } catch let error as RegistrationError {
                    XCTAssertEqual(error.certificate?.fingerprint.count, 64, error.text)
                }
            }
        }
    }

    func testOnlyTheServersOwnAnswerCounts() throws {
        try onMainActor {
            let result = { (attributes: String, fields: String) in
                "send <iq type='result' \(attributes)><query xmlns='jabber:iq:register'>\(fields)</query></iq>\n"
            }
            let script =
                asked
                + result("id='{1}' from='evil.example'", "<instructions>Evil</instructions><username/>")
                + result("id='other'", "<instructions>Other</instructions><username/>")
                + "send <iq type='get' id='{1}'><query xmlns='jabber:iq:register'/></iq>\n"
                + result(
                    "id='{1}' from='localhost'", "<instructions>Own</instructions><username/><password/>")
                + "wait\n"
            let server = try ScriptedServer([script]) { g_main_context_wakeup(nil) }
            defer { server.end() }
            let registration = try makeRegistration(port: server.port)
            let form = try awaited { try await registration.form() }
            XCTAssertEqual(form.form.instructions, "Own")
            registration.end()
            XCTAssertThrowsError(try awaited { try await registration.form() })
        }
    }

    func testHostileAnswersEndWithReason() throws {
        try onMainActor {
            let error = { (kind: String, condition: String, text: String) in
                "send <iq type='error' id='{1}'><error type='\(kind)'><\(condition) xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/><text xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'>\(text)</text></error></iq>\n"
            }
            let cases = [
                ("flood 200 <iq type='result' id='x'/>\nwait\n", "no reply within 100 stanzas"),
                ("send <iq type='result' id='{1}'/>\n", "form can’t be shown"),
                (
                    "wide 1500 <iq type='result' id='{1}'><query xmlns='jabber:iq:register'><x xmlns='jabber:x:data' type='form'>%<field var='f'/>%</x></query></iq>\n",
                    "form can’t be shown"
                ),
                (
                    "wide 100000 <iq type='result' id='{1}'><query xmlns='jabber:iq:register'>%<username/>%</query></iq>\n",
                    "too much data"
                ), (error("cancel", "service-unavailable", ""), "doesn’t make accounts"),
                (
                    error("wait", "resource-constraint", "Slow down."),
                    "right now. Try again later. The server says: “Slow"
                ),
                (
                    error("modify", "not-acceptable", String(repeating: "x", count: 9_000)),
                    "doesn’t accept this"
                ),
                (error("cancel", "not-allowed", "By\\nfriends"), "The server says: “By friends”"),
            ]
            for (answer, expected) in cases {
                let (text, _) = try outcome([asked + answer])
                XCTAssert(text?.contains(expected) == true, "\(expected): \(text ?? "none")")
                XCTAssertLessThan(text?.utf8.count ?? 0, 1_000)
            }
        }
    }

    /// A server that closed the stream while the user typed is asked again, once.
    func testFormIsSentOnceMoreAfterCut() throws {
        try onMainActor {
            let form =
                "send <iq type='result' id='{1}'><query xmlns='jabber:iq:register'><username/><password/></query></iq>\n"
            let set = "expect <iq type='set' id='([^']*)'.*<password>secret</password>.*</iq>\n"
            let server = try ScriptedServer([
                asked + form + "close\n",
                offered + set + "send <iq type='result' id='{1}'/>\nwait\n",
            ]) { g_main_context_wakeup(nil) }
            defer { server.end() }
            let made = try make("ada", port: server.port)
            XCTAssertEqual(
                made.details,
                AccountDetails(
                    address: "ada@localhost", host: "127.0.0.1", port: server.port, security: .startTLS))
        }
    }
}

// MARK: - Helpers

private let offer = "<register xmlns='http://jabber.org/features/iq-register'/>"
private let offered =
    Script.secure() + Script.opening + "send <stream:features>\(offer)</stream:features>\n"
/// Up to the request for the form.
private let asked = offered + "expect <iq type='get' id='([^']*)'.*</iq>\n"

@MainActor
private func makeRegistration(port: UInt16? = nil, token: String = "") throws -> ServerRegistration {
    let connection = AccountDetails(
        host: "127.0.0.1", port: try port ?? TestServer.shared().port, security: .startTLS)
    return try XCTUnwrap(
        ServerRegistration(
            RegistrationRequest(server: "localhost", connection: connection, token: token),
            clock: ManualScheduler(), lookup: FakeLookup(), trust: .file(TestCertificates.authority())))
}

/// Makes an account as a user does.
@MainActor
private func make(
    _ name: String, password: String = "secret", token: String = "", port: UInt16? = nil
) throws -> RegisteredAccount {
    let registration = try makeRegistration(port: port, token: token)
    return try awaited {
        var form = try await registration.form()
        (form["username"], form["password"]) = (name, password)
        return try await registration.register(form)
    }
}

/// Returns the reason why something fails.
@MainActor
private func failure(_ body: () throws -> Void) throws -> String? {
    do {
        try body()
        return nil
    } catch let error as RegistrationError {
        return error.text
    }
}

/// Returns the reason why a scripted server has no form, and what its script says.
@MainActor
private func outcome(_ scripts: [String]) throws -> (text: String?, said: [String]) {
    let server = try ScriptedServer(scripts) { g_main_context_wakeup(nil) }
    defer { server.end() }
    let registration = try makeRegistration(port: server.port)
    let text = try failure { _ = try awaited { try await registration.form() } }
    return (text, server.output)
}

@MainActor
private func serverAccount(_ address: String) throws -> XMPPAccount {
    var account = XMPPAccount(jid: try XCTUnwrap(JID(address)), password: "secret")
    (account.host, account.port, account.tls) = ("127.0.0.1", try TestServer.shared().port, .startTLS)
    account.trust = .file(try TestCertificates.authority())
    return account
}

/// Has an account make an invitation (XEP-0401 section 4).
@MainActor
private func invitation(by fixture: XMPPAccountFixture) throws -> (token: String, canRegister: Bool) {
    let command = XMLElement(
        "command", "http://jabber.org/protocol/commands",
        ["node": "urn:xmpp:invite#invite", "action": "execute"])
    let answer = try awaited {
        try await fixture.client.request(.set, to: JID("localhost"), command)
    }
    let fields = answer?.child("x", DataForm.namespace)?.children("field") ?? []
    let text = fields.first { $0["var"] == "uri" }?.child("value")?.text
    let link = try XMPPURI(try XCTUnwrap(text))
    XCTAssertEqual(link.address, fixture.address.text)
    guard case .invitation(let token, let canRegister) = link.action else {
        throw XCTSkip("the server makes other links: \(text ?? "")")
    }
    return (token, canRegister)
}
