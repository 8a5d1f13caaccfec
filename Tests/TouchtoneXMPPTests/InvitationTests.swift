// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneXMPP

/// Tests of the invitations that an account makes.
final class InvitationTests: XMPPTestCase {
    /// XEP-0401: the server's invitation makes an account as well.
    func testServerMakesInvitation() throws {
        try TestServer.requireProsody("ejabberd makes invitations since 25.07")
        try onMainActor {
            let (grace, alan) = try desks()
            let made = try awaited { try await grace.chat.ownInvitations.invite() }
            let link = try XMPPURI(made.link)
            XCTAssertEqual(link.address, grace.address.text)
            XCTAssertEqual(made.effect, .account)
            XCTAssertNotNil(made.expiry)
            guard case .invitation(let token, canRegister: true) = link.action else {
                return XCTFail(made.link)
            }
            try awaited {
                try await alan.chat.rosterModule.add(grace.address, name: "", invitation: token)
            }
            waitUntil("the server accepts") { alan.buddies[grace.address]?.tellsMe == true }
            XCTAssertEqual(grace.requests, [])
        }
    }

    /// XEP-0379: without the server, the account accepts one request with the token of its link.
    func testOwnInvitationCountsOnce() throws {
        try onMainActor {
            let kept = KeptInvitations()
            let (grace, alan) = try desks()
            grace.chat.invitationStorage = kept.storage
            let made = try own(grace)
            XCTAssertEqual(made.effect, .buddyWhileOnline)
            XCTAssertEqual(
                made.expiry?.milliseconds, grace.wall.now.milliseconds + 7 * 24 * 3600 * 1000)
            let token = try token(of: made)
            // It counts after the next start, too.
            grace.chat.signOut()
            let again = XMPPAccountFixture(grace.client.account)
            again.chat.invitationStorage = kept.storage
            waitUntil("it is signed in again") { again.readyCount == 1 }
            try awaited {
                try await alan.chat.rosterModule.add(again.address, name: "", invitation: token)
            }
            waitUntil("they are buddies") {
                alan.buddies[again.address]?.tellsMe == true && again.buddies[alan.address]?.tellsMe == true
            }
            XCTAssertEqual(again.requests, [], "nobody was asked")
            XCTAssertEqual(
                kept.entries.map { $0.hasSuffix(" \(alan.address.text)") }, [true], "the token is used up")
            let mallory = try fixture("mallory")
            try awaited {
                try await mallory.chat.rosterModule.add(again.address, name: "", invitation: token)
            }
            waitUntil("it is an ordinary request") { again.requests == [mallory.address] }
            XCTAssertNotEqual(mallory.buddies[again.address]?.tellsMe, true)
        }
    }

    /// A request that comes again, because the connection broke before the answer was there, asks nobody.
    func testRepeatedRequestIsAcceptedUntilThePersonIsRemoved() throws {
        try onMainActor {
            let (grace, alan) = try desks()
            let token = try token(of: try own(grace))
            let request = { (person: XMPPAccountFixture) in
                person.client.send(
                    Presence(
                        .subscribe, to: grace.client.account.jid.bare,
                        extensions: [Preauthentication.element(token)]
                    ).element)
            }
            try awaited {
                try await alan.chat.rosterModule.add(grace.address, name: "", invitation: token)
            }
            waitUntil("they are buddies") {
                alan.buddies[grace.address]?.tellsMe == true && grace.buddies[alan.address]?.tellsMe == true
            }
            // The server forgets the answer, as one that broke off before it was there.
            alan.client.send(Presence(.unsubscribe, to: grace.client.account.jid.bare).element)
            waitUntil("the server has forgotten it") { grace.buddies[alan.address]?.toldByMe == false }
            request(alan)
            waitUntil("it is accepted again") { grace.buddies[alan.address]?.toldByMe == true }
            XCTAssertEqual(grace.requests, [])
            try awaited { try await grace.chat.rosterModule.remove(alan.address) }
            waitUntil("it is removed") { grace.buddies[alan.address] == nil }
            request(alan)
            waitUntil("it is an ordinary request") { grace.requests == [alan.address] }
        }
    }

    func testTokensAreBoundedAndExpire() {
        var own = OwnInvitations()
        let (ada, bob) = (JID("ada@example.org/phone")!, JID("bob@example.org")!)
        let start = ChatTime(milliseconds: 1_000)
        let week: Int64 = 7 * 24 * 3600 * 1000
        let tokens = (0..<30).map { _ in own.make(now: start).token }
        XCTAssertEqual(Set(tokens).count, 30)
        XCTAssertEqual(own.entries.count, OwnInvitations.maximum)
        XCTAssertEqual(OwnInvitations(own.entries), own)
        XCTAssertFalse(own.use(tokens[0], by: ada, now: start), "the oldest made room")
        XCTAssertFalse(own.use("", by: ada, now: start))
        XCTAssertTrue(own.use(tokens[29], by: ada, now: ChatTime(milliseconds: 1_000 + week - 1)))
        XCTAssertFalse(own.use(tokens[29], by: bob, now: start), "it was used")
        XCTAssertTrue(own.use(tokens[29], by: ada.bare, now: start), "the request came again")
        XCTAssertEqual(OwnInvitations(own.entries), own)
        own.remove(usedBy: bob)
        XCTAssertTrue(own.use(tokens[29], by: ada, now: start))
        // A used one makes room for a new one before those that have not been used.
        let next = own.make(now: start).token
        XCTAssertFalse(own.use(tokens[29], by: ada, now: start))
        XCTAssertTrue(own.use(tokens[10], by: ada, now: start))
        own.remove(usedBy: ada)
        XCTAssertFalse(own.use(tokens[10], by: ada, now: start), "it counts no more")
        XCTAssertTrue(own.entries.contains { $0.hasPrefix(next) })
        XCTAssertFalse(
            own.use(tokens[28], by: ada, now: ChatTime(milliseconds: 1_000 + week)), "it has expired")
        XCTAssertEqual(own.entries, [])
        // What was spoilt in the settings, or made by a clock in the future, does not count.
        let spoilt = [
            "", "x", "x 9000", "\(tokens[1]) 5000 ada@example.org/x", "\(tokens[1]) 5000 a b",
            String(repeating: "a", count: 24) + " x", "\(tokens[1]) \(Int64.max)",
        ]
        var read = OwnInvitations(spoilt)
        XCTAssertFalse(read.use(tokens[1], by: ada, now: start))
        XCTAssertEqual(read.entries, [])
        XCTAssertEqual(OwnInvitations(Array(repeating: "\(tokens[1]) 5000", count: 1000)).entries.count, 20)
    }

    // MARK: - Hostile servers

    func testOnlyLinksToTheAccountAreShown() throws {
        try onMainActor {
            let good = "xmpp:grace@localhost?roster;preauth=t1"
            let long = String(repeating: "x", count: 5_000)
            // The fields, and the link that is shown; nil if the answer is refused.
            let cases: [(String, String?)] = [
                (field("uri", good), good), (field("uri", good + ";ibr=y"), good + ";ibr=y"),
                (field("uri", "xmpp:localhost?register;preauth=t2"), "xmpp:localhost?register;preauth=t2"),
                (field("uri", good) + field("landing-url", "https://localhost/t"), "https://localhost/t"),
                (field("uri", good) + field("landing-url", "http://localhost/t"), good),
                (field("uri", good) + field("landing-url", "https://grace@evil.example/t"), good),
                (field("uri", good) + field("landing-url", "https://e&#x202e;.example/t"), good),
                (field("uri", good) + field("landing-url", "https://localhost/" + long), good),
                (field("uri", good) + field("uri", "xmpp:mallory@localhost?roster;preauth=t"), good),
                (field("landing-url", "https://localhost/a&#10;b"), nil),
                (field("uri", "xmpp:mallory@localhost?roster;preauth=t"), nil),
                (field("uri", "xmpp:evil.example?register;preauth=t"), nil),
                (field("uri", "xmpp:localhost?register"), nil), (field("uri", "xmpp:grace@localhost"), nil),
                (field("uri", "xmpp:grace@localhost?message;body=x"), nil),
                (field("uri", good + long), nil), (field("uri", good + "&#10;x"), nil),
                (field("uri", "javascript:alert(1)"), nil), (field("uri", "file:///etc/passwd"), nil),
                (field("uri", " " + good), nil), ("", nil),
            ]
            for (fields, expected) in cases {
                let made = try answer(offered + result("from='localhost'", fields))
                switch made {
                case .success(let made): XCTAssertEqual(made.link, expected, fields.prefix(200).description)
                case .failure(let error):
                    XCTAssertNil(expected, fields.prefix(200).description)
                    XCTAssertEqual(error, .refused("The server sent an invalid reply."))
                }
            }
        }
    }

    func testHugeFormIsRefused() throws {
        try onMainActor {
            let made = try answer(
                offered
                    + "wide 1500 <iq type='result' id='{1}' from='localhost'><command xmlns='\(Command.namespace)' node='urn:xmpp:invite#invite' status='completed'><x xmlns='jabber:x:data' type='result'>%<field var='f'/>%</x></command></iq>\n"
            )
            XCTAssertEqual(made, .failure(.refused("The server sent an invalid reply.")))
        }
    }

    func testOnlyTheServersAnswerCounts() throws {
        try onMainActor {
            let link = "xmpp:grace@localhost?roster;preauth="
            let made = try answer(
                offered + result("from='mallory@localhost/x'", field("uri", link + "bad"))
                    + result("from='localhost'", field("uri", link + "good")))
            XCTAssertEqual(try? made.get().link, link + "good")
        }
    }

    func testServerWithoutInvitationsLeavesThemToTheAccount() throws {
        try onMainActor {
            let refusal = { (condition: String) in
                "send <iq type='error' id='{1}' from='localhost'><error type='cancel'><\(condition) xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></iq>\n"
            }
            let command =
                "send <iq type='result' id='{1}' from='localhost'><command xmlns='\(Command.namespace)' node='urn:xmpp:invite#invite' "
            let answers = [
                listing + refusal("item-not-found"),
                listing
                    + "send <iq type='result' id='{1}' from='localhost'><query xmlns='http://jabber.org/protocol/disco#items'/></iq>\n",
                offered + refusal("forbidden"),
                offered + command + "status='completed'><note type='error'>No</note></command></iq>\n",
                offered + command
                    + "status='executing' sessionid='s'><x xmlns='jabber:x:data' type='form'/></command></iq>\nexpect action=.cancel.[^>]*>\n",
            ]
            for text in answers {
                let made = try answer(text)
                XCTAssertEqual(try? made.get().effect, .buddyWhileOnline, text)
                XCTAssertEqual(
                    try? made.get().link.hasPrefix("xmpp:grace@localhost?roster;preauth="), true, text)
            }
        }
    }
}

// MARK: - Helpers

private let listing =
    "expect <iq type='get' id='([^']*)' to='localhost'><query xmlns='http://jabber.org/protocol/disco#items' node='[^']*commands'.*</iq>\n"
/// Up to the request for an invitation.
private let offered =
    listing
    + "send <iq type='result' id='{1}' from='localhost'><query xmlns='http://jabber.org/protocol/disco#items'><item jid='localhost' node='urn:xmpp:invite#invite'/></query></iq>\nexpect <iq type='set' id='([^']*)' to='localhost'><command [^>]*urn:xmpp:invite#invite.*</iq>\n"

private func field(_ name: String, _ value: String) -> String {
    "<field var='\(name)'><value>\(value)</value></field>"
}

private func result(_ attributes: String, _ fields: String) -> String {
    "send <iq type='result' id='{1}' \(attributes)><command xmlns='\(Command.namespace)' node='urn:xmpp:invite#invite' status='completed'><x xmlns='jabber:x:data' type='result'>\(fields)</x></command></iq>\n"
}

/// Returns what an account at a scripted server gets when it makes an invitation.
@MainActor
private func answer(_ script: String) throws -> Result<MadeInvitation, ChatServiceError> {
    let (session, server) = try session(Script.online + script + "wait\n")
    defer {
        session.client.signOut()
        server.end()
    }
    waitUntil("it is online") { session.client.state == .online }
    let context = AccountContext(
        client: session.client, store: MemoryMessageStore(), clock: ManualScheduler(),
        wall: FixedWallClock(), pipeline: MessagePipeline())
    let invitations = Invitations(of: context)
    return try awaited {
        await Result.of { () throws(ChatServiceError) in try await invitations.invite() }
    }
}

/// Has an account make an invitation without its server.
@MainActor
private func own(_ fixture: XMPPAccountFixture) throws -> MadeInvitation {
    fixture.chat.ownInvitations.makeHere()
}

private func token(of made: MadeInvitation) throws -> String {
    guard case .invitation(let token, canRegister: false) = try XMPPURI(made.link).action else {
        XCTFail(made.link)
        return ""
    }
    return token
}

/// The settings of an account.
@MainActor
private final class KeptInvitations {
    private(set) var entries: [String] = []
    private(set) lazy var storage = EntryStorage { [weak self] _ in
        self?.entries ?? []
    } write: { [weak self] _, entries in
        self?.entries = entries
    }
}
