// SPDX-License-Identifier: GPL-3.0-or-later

import Testing

@testable import TouchtoneXMPP

/// Tests of forged stanzas beside legitimate ones: each check has a test that fails without it.
@Suite struct SpoofTests {
    static let own = JID("grace@localhost/phone")
    static let mallory = "mallory@localhost"

    private func read(_ text: String) throws -> InboundStanza {
        InboundStanza(try XMLElementTests.read(text), own: try #require(Self.own))
    }

    private func carbon(_ direction: String, from outer: String, _ inner: String) throws -> InboundStanza {
        try read(
            """
            <message from='\(outer)' to='grace@localhost/phone'><\(direction) xmlns='urn:xmpp:carbons:2'>\
            <forwarded xmlns='urn:xmpp:forward:0'><message xmlns='jabber:client' type='chat' \(inner)>\
            <body>hi</body></message></forwarded></\(direction)></message>
            """)
    }

    @Test func carbonIsAcceptedOnlyFromOwnAccount() throws {
        let received = "from='alan@localhost/x' to='grace@localhost/desk'"
        guard
            case .message(let message, _) = try carbon(
                "received", from: "grace@localhost", received)
        else {
            Issue.record("an honest carbon was not taken")
            return
        }
        #expect(message.body == "hi")
        for outer in [
            Self.mallory, "grace@localhost/desk", "localhost", "alan@localhost", "grace@localhost.example",
        ] {
            #expect(
                try carbon("received", from: outer, received) == .dropped("carbon from a different sender"),
                "\(outer)"
            )
        }
    }

    @Test func carbonContentConcernsOwnAccount() throws {
        let sent = "from='grace@localhost/desk' to='alan@localhost'"
        guard case .sentElsewhere = try carbon("sent", from: "grace@localhost", sent) else {
            Issue.record("an honest carbon was not taken")
            return
        }
        #expect(
            try carbon("sent", from: "grace@localhost", "from='alan@localhost/x' to='grace@localhost'")
                == .dropped("carbon of a different sender’s message"))
        #expect(
            try carbon("received", from: "grace@localhost", "from='alan@localhost/x' to='mallory@localhost'")
                == .dropped("carbon to a different recipient"))
    }

    @Test(arguments: ["mallory@localhost", "mallory@localhost/x", "localhost", "grace@localhost/desk"])
    func rosterPushIsAcceptedOnlyFromOwnAccount(_ sender: String) throws {
        let push =
            "<query xmlns='jabber:iq:roster'><item jid='mallory@localhost' subscription='both'/></query>"
        #expect(
            try read("<iq type='set' id='1' from='\(sender)'>\(push)</iq>")
                == .dropped("roster push from a different sender"))
        for honest in ["", "from='grace@localhost'"] {
            guard
                case .roster(let roster, let answer) = try read(
                    "<iq type='set' id='1' \(honest)>\(push)</iq>")
            else {
                Issue.record("an honest push was not taken")
                return
            }
            #expect(answer.kind == .result)
            #expect(roster.items.map(\.jid) == [JID(Self.mallory)])
        }
    }

    @Test(arguments: ["mallory@localhost", "localhost"])
    func blockPushIsAcceptedOnlyFromOwnAccount(_ sender: String) throws {
        let push = "<block xmlns='urn:xmpp:blocking'><item jid='alan@localhost'/></block>"
        #expect(
            try read("<iq type='set' id='1' from='\(sender)'>\(push)</iq>")
                == .dropped("block push from a different sender"))
        let jid = try #require(JID("alan@localhost"))
        guard case .blocking(.blocked([jid]), _) = try read("<iq type='set' id='1'>\(push)</iq>")
        else {
            Issue.record("an honest push was not taken")
            return
        }
    }

    @Test func responseIsAcceptedOnlyFromQueriedAddress() throws {
        let own = try #require(Self.own)
        let alan = JID("alan@localhost/x")
        #expect(IQTracker.mayAnswer(alan, for: alan, own: own))
        for other in [JID(Self.mallory), JID("alan@localhost"), JID("alan@localhost/y"), own.bare, own, nil] {
            #expect(!IQTracker.mayAnswer(other, for: alan, own: own), "\(String(describing: other))")
        }
        for asked in [nil, own.bare] {
            for answering in [nil, own.bare, own] {
                #expect(IQTracker.mayAnswer(answering, for: asked, own: own))
            }
            for other in [alan, JID("localhost"), JID("grace@localhost/desk")] {
                #expect(!IQTracker.mayAnswer(other, for: asked, own: own))
            }
        }
    }

    @Test(arguments: ["urn:xmpp:bookmarks:1", "urn:xmpp:mds:displayed:0"])
    func privateItemIsAcceptedOnlyFromOwnAccount(_ node: String) throws {
        let event = """
            <event xmlns='http://jabber.org/protocol/pubsub#event'><items node='\(node)'>\
            <item id='room@rooms.localhost'><x xmlns='\(node)' autojoin='true'/></item></items></event>
            """
        #expect(
            try read("<message from='\(Self.mallory)'>\(event)</message>")
                == .dropped("notification from a different sender"))
        guard
            case .published(let change) = try read(
                "<message from='grace@localhost'>\(event)</message>")
        else {
            Issue.record("an honest notice was not taken")
            return
        }
        #expect(change.items.map(\.id) == ["room@rooms.localhost"])
    }

    @Test func avatarBelongsToItsSender() throws {
        let event = """
            <event xmlns='http://jabber.org/protocol/pubsub#event'><items node='urn:xmpp:avatar:metadata'>\
            <item id='a' publisher='alan@localhost'/></items></event>
            """
        guard
            case .published(let change) = try read(
                "<message from='mallory@localhost/x'>\(event)</message>")
        else {
            Issue.record("a notice was not taken")
            return
        }
        #expect(change.owner == JID(Self.mallory))
    }

    @Test @MainActor func archiveResultIsAcceptedOnlyFromQueriedArchive() throws {
        let own = try #require(Self.own)
        let queries = ArchiveQueries()
        let result = { (query: String) throws in
            try XMLElementTests.read(
                """
                <result xmlns='urn:xmpp:mam:2' queryid='\(query)' id='a'><forwarded xmlns='urn:xmpp:forward:0'>\
                <delay xmlns='urn:xmpp:delay' stamp='2026-01-02T03:04:05Z'/><message xmlns='jabber:client' \
                from='alan@localhost/x'><body>x</body></message></forwarded></result>
                """)
        }
        queries.begin("q", archive: nil, maximum: 2)
        #expect(
            queries.handle(try result("q"), from: JID(Self.mallory), own: own)
                == "result from a different sender")
        #expect(
            queries.handle(try result("other"), from: own.bare, own: own) == "unrequested result")
        #expect(queries.handle(try result("q"), from: own.bare, own: own) == nil)
        #expect(queries.handle(try result("q"), from: nil, own: own) == nil)
        #expect(queries.handle(try result("q"), from: own.bare, own: own) == "more results than requested")
        let cutShort = try #require(queries.end("q"))
        #expect(cutShort.items.count == 2 && cutShort.isCut)
        #expect(queries.handle(try result("q"), from: own.bare, own: own) == "unrequested result")
        // An oversized stanza still has a name, but not one that a different sender claims.
        queries.begin("s", archive: nil, maximum: 2)
        let cut = XMLElement("result", "urn:xmpp:mam:2", ["queryid": "s", "id": "b"])
        queries.skip(cut, from: JID(Self.mallory), own: own)
        let refused = try #require(queries.end("s"))
        #expect(refused.names == nil)
        queries.begin("s", archive: nil, maximum: 2)
        #expect(queries.handle(try result("s"), from: own.bare, own: own) == nil)
        queries.skip(cut, from: own.bare, own: own)
        #expect(queries.handle(cut, from: own.bare, own: own) == "empty result")
        let brought = try #require(queries.end("s"))
        #expect(brought.items.map(\.id) == ["a"])
        #expect(brought.names?.first == "a" && brought.names?.last == "b")
        queries.begin("r", archive: JID("room@rooms.localhost"), maximum: 2)
        #expect(queries.handle(try result("r"), from: own.bare, own: own) == "result from a different sender")
    }

    @Test func requestIsNotAnsweredWithHugeID() throws {
        // The answer repeats the id, with escaped quotation marks: servers end the stream over a stanza of that size.
        for (count, isAnswered) in [(1024, true), (1025, false), (60_000, false)] {
            let id = String(repeating: "\"", count: count)
            let stanza = try read(
                "<iq type='get' from='mallory@localhost/x' id='\(id)'><ping xmlns='urn:xmpp:ping'/></iq>")
            if case .answered(let answer) = stanza {
                #expect(isAnswered && answer.id == id)
            } else {
                #expect(!isAnswered)
            }
        }
    }

    @Test func capabilitiesAreNotAskedForUnderHugeName() throws {
        let name = String(repeating: "\"", count: 100_000)
        let text =
            "<presence><c xmlns='http://jabber.org/protocol/caps' hash='sha-1' node='\(name)' ver='x'/></presence>"
        let presence = try #require(Presence(try XMLElementTests.read(text)))
        #expect(Capabilities(in: presence) == nil)
    }
}
