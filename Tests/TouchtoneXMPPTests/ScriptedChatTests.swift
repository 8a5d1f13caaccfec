// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import CGio
import TestSupport
import TouchtoneCore
@testable import TouchtoneXMPP
import XCTest

/// Tests of conversations on servers that have few features, break off, or lie.
final class ScriptedChatTests: XMPPTestCase {
    func testMinimalServerCarriesMessages() throws {
        try onMainActor {
            let first =
                Script.online + refusals + """
                    expect <presence>.*</presence>
                    send <message from='alan@localhost/x' to='grace@localhost/phone' type='chat' id='1'><body>hello</body><stanza-id xmlns='urn:xmpp:sid:0' by='grace@localhost' id='forged'/></message>
                    send <message from='mallory@localhost' to='grace@localhost/phone'><sent xmlns='urn:xmpp:carbons:2'><forwarded xmlns='urn:xmpp:forward:0'><message xmlns='jabber:client' from='grace@localhost/x' to='alan@localhost' type='chat'><body>forged</body></message></forwarded></sent></message>
                    expect <message [^>]*id='m1'.*<body>lost</body>
                    reset
                    """
            let second =
                Script.bound() + """
                    expect <enable [^>]*>
                    send <failed xmlns='urn:xmpp:sm:3'/>

                    """ + refusals + """
                    expect <message [^>]*id='m1'.*<body>lost</body>.*<iq type='get' id='([^']*)' to='localhost'>
                    say again
                    expect <message [^>]*id='m2'
                    send <iq type='error' id='{1}' from='localhost'><error type='cancel'><service-unavailable xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></iq>
                    expect <iq type='get' id='([^']*)' to='localhost'>
                    say both
                    wait
                    """
            let noResumption = first.replacingOccurrences(of: " id='previous' resume='true'", with: "")
            let (fixture, server) = try scripted(noResumption, second)
            waitUntil("it is ready") { fixture.readyCount == 1 && fixture.texts == ["hello"] }
            waitUntil("the forgery is dropped") { fixture.dropped == ["carbon from a different sender"] }
            XCTAssertNil(fixture.came[0].archiveName)
            XCTAssertNil(try fixture.archiveCursor())
            let alan = ChatAddress("alan@localhost")
            XCTAssertThrowsError(
                try awaited { [chat = fixture.chat] in
                    try await chat.messaging.loadHistory(of: alan, before: nil)
                }
            ) {
                XCTAssertEqual($0 as? ChatServiceError, .unsupported)
            }
            fixture.send("lost", to: alan, name: "m1")
            waitUntil("the connection is lost") {
                if case .waiting? = fixture.states.last { true } else { false }
            }
            XCTAssertEqual(fixture.acknowledged, [])
            // Nothing is sent without a connection.
            fixture.send("lost", to: alan, name: "m1")
            fixture.chat.wakeUp()
            waitUntil("it is ready again") { fixture.readyCount == 2 }
            fixture.send("lost", to: alan, name: "m1")
            waitUntil("it is sent under the same name") { server.output.contains("again") }
            // A server without stream management has received all stanzas that precede an answered query.
            XCTAssertEqual(fixture.acknowledged, [])
            fixture.send("later", to: alan, name: "m2")
            waitUntil("it is there") { fixture.acknowledged == ["m1"] }
            waitUntil("the next is asked for") { server.output.contains("both") }
            XCTAssertEqual(fixture.acknowledged, ["m1"])
            XCTAssertEqual(fixture.texts, ["hello"])
            fixture.chat.signOut()
        }
    }

    func testThumbnailIsAskedOfSender() throws {
        try onMainActor {
            let roster = { (jid: String, subscription: String) in
                "send <iq type='set' id='r'><query xmlns='jabber:iq:roster'><item jid='\(jid)' subscription='\(subscription)'/></query></iq>\n"
            }
            let message = { (jid: String, name: String) in
                """
                send <message from='\(jid)/x' type='chat' id='\(name)'><body>https://localhost/a.png</body>\
                <file-sharing xmlns='urn:xmpp:sfs:0'><file xmlns='urn:xmpp:file:metadata:0'><name>\(name).png</name>\
                <thumbnail xmlns='urn:xmpp:thumbs:1' uri='cid:sha1+aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d@bob.xmpp.org'/>\
                </file><sources><url-data xmlns='http://jabber.org/protocol/url-data' target='https://localhost/\(name).png'/>\
                </sources></file-sharing></message>

                """
            }
            let answer = { (jid: String, text: String) in
                """
                expect ^(?:(?!to='eve@).)*<iq type='get' id='([^']*)' to='alan@localhost/x'><data xmlns='urn:xmpp:bob' cid='sha1\\+aaf4c6[^']*'/></iq>
                send <iq type='result' id='{1}' from='\(jid)'><data xmlns='urn:xmpp:bob'>\(text)</data></iq>

                """
            }
            // Nobody is asked who may not know that the user is online; and only the one who is asked can answer.
            let (fixture, server) = try scripted(
                Script.online + refusals + "expect <presence>.*</presence>\n"
                    + roster("alan@localhost", "both") + roster("eve@localhost", "to")
                    + message("eve@localhost", "e") + message("alan@localhost", "a")
                    + answer("eve@localhost/x", "aGVsbG8=")
                    + "send <iq type='result' id='{1}' from='alan@localhost/x'><data xmlns='urn:xmpp:bob'>aGVsbG8=</data></iq>\n"
                    + message("alan@localhost", "b") + answer("alan@localhost/x", "aGVsbG8h")
                    + "say asked\nwait\n")
            waitUntil("both are asked for") { server.output.contains("asked") && fixture.came.count == 3 }
            let alan = ChatAddress("alan@localhost")
            waitUntil("one has come") {
                fixture.store.table.messages(of: alan).map(\.file?.thumbnail) == ["aGVsbG8=", nil]
            }
            let updates = fixture.facts.filter { if case .thumbnail = $0 { true } else { false } }
            XCTAssertEqual(updates, [.thumbnail("aGVsbG8=", buddy: alan, name: "a")])
            fixture.chat.signOut()
        }
    }

    func testMessageThatMayHaveArrivedIsSentAgainAsItWas() throws {
        try onMainActor {
            let scripts = [
                Script.online.replacingOccurrences(of: " id='previous' resume='true'", with: "") + refusals
                    + """
                    expect <presence>.*</presence>
                    expect <message [^>]*id='m1'(?:(?!</message>).)*<sealed xmlns='test'>1</sealed>
                    expect <message [^>]*id='m2'(?:(?!</message>).)*<sealed xmlns='test'>2</sealed>
                    reset
                    """,
                Script.online + refusals + """
                    expect <message [^>]*id='m1'(?:(?!</message>).)*<sealed xmlns='test'>1</sealed>
                    expect <message [^>]*id='m2'(?:(?!</message>).)*changed(?:(?!</message>).)*<sealed xmlns='test'>3</sealed>
                    say same
                    wait
                    """,
            ]
            // Each encryption of a text differs from any other.
            var count = 0
            let encryption = MessageStage<OutgoingMessage> { message in
                count += 1
                var sealed = message
                sealed.base.extensions.append(XMLElement("sealed", "test", text: "\(count)"))
                await Task.yield()
                return sealed
            }
            let (fixture, server) = try scripted(
                scripts, store: MemoryMessageStore(), encryption: encryption)
            let alan = ChatAddress("alan@localhost")
            waitUntil("it is ready") { fixture.readyCount == 1 }
            fixture.send("first", to: alan, name: "m1")
            fixture.send("second", to: alan, name: "m2")
            // While it is being encrypted, it is not sent twice.
            fixture.send("first", to: alan, name: "m1")
            waitUntil("the connection is lost") {
                if case .waiting? = fixture.states.last { true } else { false }
            }
            fixture.chat.wakeUp()
            waitUntil("it is ready again") { fixture.readyCount == 2 }
            fixture.send("first", to: alan, name: "m1")
            fixture.send("changed", to: alan, name: "m2")
            waitUntil("the same is sent again") { server.output.contains("same") }
            XCTAssertEqual(count, 3)
            fixture.chat.signOut()
        }
    }

    func testMessageIsNotSentByAnotherAccountThatWasEncryptedForThisOne() throws {
        try onMainActor {
            let first = Script.online + refusals + "expect <presence>.*</presence>\nwait\n"
            let second =
                Script.online.replacingOccurrences(of: "<jid>grace", with: "<jid>ada") + refusals + """
                    expect (.*)<query xmlns='test'
                    say {1}
                    wait
                    """
            var sealing: CheckedContinuation<Void, Never>?
            let encryption = MessageStage<OutgoingMessage> { message in
                await withCheckedContinuation { sealing = $0 }
                return message
            }
            let (fixture, server) = try scripted(
                [first, second], store: MemoryMessageStore(), encryption: encryption)
            waitUntil("it is ready") { fixture.readyCount == 1 }
            fixture.send("secret", to: ChatAddress("alan@localhost"), name: "m1")
            waitUntil("it is being encrypted") { sealing != nil }
            var other = fixture.client.account
            other.jid = try XCTUnwrap(JID("ada@localhost"))
            fixture.chat.account = other
            fixture.chat.signIn()
            waitUntil("the other is ready") { fixture.readyCount == 2 }
            sealing?.resume()
            var isOver = false
            Task {
                await fixture.chat.context.flush()
                isOver = true
            }
            waitUntil("the message has left the stage") { isOver }
            // It would precede this.
            fixture.client.send(IQ(.get, id: "q", XMLElement("query", "test")).element)
            waitUntil("the server tells what it has received") { !server.output.isEmpty }
            XCTAssertFalse(server.output.joined().contains("secret"))
            XCTAssertEqual(fixture.acknowledged, [])
            fixture.chat.signOut()
        }
    }

    func testStoredRosterIsEnoughToGoOnline() throws {
        try onMainActor {
            let online = Script.online.replacingOccurrences(
                of: "<csi ", with: "<ver xmlns='urn:xmpp:features:rosterver'/><csi ")
            // My presence follows the request for changes of the roster, whose answer has not come yet.
            let script =
                online + """
                    expect <query [^>]*ver='7'.*<presence>
                    send <presence from='alan@localhost/x'/>
                    wait
                    """
            let alan = ChatAddress("alan@localhost")
            let store = MemoryMessageStore()
            store.saveBuddies([BuddyRecord(alan, name: "", tellsMe: true)], version: "grace@localhost\n7")
            let (fixture, _) = try scripted([script], store: store)
            waitUntil("the buddy is online") { fixture.presence(of: alan).count == 1 }
            fixture.chat.signOut()
        }
    }

    func testBrokenCatchUpContinuesOnNextStream() throws {
        try onMainActor {
            let first = [
                Script.online, settingUp, before, page("1", "one", fin: false),
                page("1", "one", fin: false), asksForMore, "reset",
            ].joined()
            let second = [
                Script.signedIn, resumption, live("3", "three"), before, page("2", "two", fin: true), "wait",
            ].joined()
            let (fixture, _) = try scripted(first, second)
            fixture.store.table.setArchiveCursor("0")
            waitUntil("the first page has come") { fixture.texts == ["one"] }
            waitUntil("the connection is lost") {
                if case .waiting? = fixture.states.last { true } else { false }
            }
            XCTAssertEqual(fixture.readyCount, 0)
            fixture.chat.wakeUp()
            waitUntil("it is ready") { fixture.readyCount == 1 }
            XCTAssertEqual(fixture.texts.filter { $0 != "one" }, ["two", "three"])
            // The archive may have lacked something before the second message.
            XCTAssertEqual(try fixture.archiveCursor(), "1")
            fixture.chat.signOut()
        }
    }

    func testLaggingArchiveLosesNothing() throws {
        try onMainActor {
            let alan = ChatAddress("alan@localhost")
            let whole = before + newestFirst
            // The archive's first answer lacks the message before the live one.
            let lagging = Script.online + settingUp + before + before + live("2", "two")
            for isKilled in [true, false] {
                let store = MemoryMessageStore()
                store.table.setArchiveCursor("0")
                let (fixture, server) = try scripted(
                    [
                        lagging + (isKilled ? "wait" : whole + whole + "wait"),
                        Script.online + settingUp + whole + "wait",
                    ],
                    store: store)
                waitUntil("the live message has come") {
                    fixture.readyCount == 1 && fixture.texts == ["two"]
                }
                XCTAssertEqual(store.table.archiveCursor(), "0")
                if isKilled {
                    let again = XMPPAccountFixture(fixture.client.account, store: store)
                    waitUntil("it is ready") { again.readyCount == 1 }
                    again.chat.signOut()
                } else {
                    fixture.passTime(CatchUp.firstLook)
                    waitUntil("it has come") { store.table.messages(of: alan).count == 2 }
                    XCTAssertEqual(store.table.archiveCursor(), "1")
                    fixture.passTime(CatchUp.lag - CatchUp.firstLook)
                    waitUntil("the position has moved") { store.table.archiveCursor() == "2" }
                }
                XCTAssertEqual(store.table.messages(of: alan).map(\.text), ["one", "two"])
                fixture.chat.signOut()
                server.end()
            }
        }
    }

    func testResumedStreamIsReadyAtOnce() throws {
        try onMainActor {
            let first = [
                Script.online, settingUp, before, page("1", "one", fin: true), "expect <body>x</body>\nreset",
            ].joined()
            let second = [
                Script.signedIn, resumption,
                "expect ^(?:(?!<body>x).)*<body>x</body>(?:(?!<body>x).)*<body>y</body>\nsay both\nwait",
            ].joined()
            let (fixture, server) = try scripted(first, second)
            fixture.store.table.setArchiveCursor("0")
            waitUntil("it is ready") { fixture.readyCount == 1 }
            let alan = ChatAddress("alan@localhost")
            fixture.send("x", to: alan)
            waitUntil("the connection is lost") {
                if case .waiting? = fixture.states.last { true } else { false }
            }
            fixture.chat.wakeUp()
            waitUntil("it is ready again") { fixture.readyCount == 2 }
            // The app resubmits all pending messages when asked, and those in transit are sent once.
            fixture.send("x", to: alan)
            fixture.send("y", to: alan)
            waitUntil("both are there") { server.output.contains("both") }
            fixture.chat.signOut()
        }
    }

    func testMessagesStayOnServerWhileStoreFails() throws {
        try onMainActor {
            let script = [
                Script.online, settingUp, before, page("1", "one", fin: true), "expect <body>go</body>\n",
                live("2", "two"), live("3", "three"), "say sent\nexpect <body>on</body>\nsay heard\nwait",
            ].joined()
            let (fixture, server) = try scripted(script)
            fixture.store.table.setArchiveCursor("0")
            waitUntil("it is ready") { fixture.readyCount == 1 && fixture.texts == ["one"] }
            let alan = ChatAddress("alan@localhost")
            fixture.chat.setPaused(true)
            fixture.send("go", to: alan)
            waitUntil("both were sent") { server.output.contains("sent") }
            // The client does not listen, so the silence reveals nothing about the server.
            for _ in 0..<10 { fixture.clock.advance(by: .seconds(100)) }
            fixture.send("on", to: alan)
            waitUntil("the server has heard of it") { server.output.contains("heard") }
            XCTAssertEqual(fixture.states.last, .online)
            // An answer that was already awaited may have arrived.
            XCTAssertFalse(fixture.texts.contains("three"))
            fixture.chat.setPaused(false)
            waitUntil("all have come") { fixture.texts == ["one", "two", "three"] }
            fixture.chat.signOut()
        }
    }

    func testFailedArchiveIsQueriedAgain() throws {
        try onMainActor {
            let failure =
                "send <iq type='error' id='{1}'><error type='wait'><internal-server-error xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></iq>\n"
            let script = [
                Script.online, settingUp,
                "expect <iq type='set' id='([^']*)'><query xmlns='urn:xmpp:mam:2'\n",
                failure, asksForMore, failure, live("2", "two"), before, newestFirst, "wait",
            ].joined()
            let (fixture, _) = try scripted(script)
            fixture.store.table.setArchiveCursor("0")
            waitUntil("it is ready without") { fixture.readyCount == 1 && fixture.texts == ["two"] }
            XCTAssertEqual(try fixture.archiveCursor(), "0")
            XCTAssertEqual(fixture.dropped.count, 1)
            fixture.clock.advance(by: try XCTUnwrap(fixture.clock.nextDelay))
            waitUntil("it is ready again") { fixture.readyCount == 2 }
            XCTAssertEqual(try fixture.archiveCursor(), "1")
            fixture.chat.signOut()
        }
    }

    /// A message is read together with what the server says of the archive, whose name of it counts already.
    func testMessageBehindTheAnswersHasItsNameInTheArchive() throws {
        try onMainActor {
            let (expected, sent) = (settingUp.split(separator: "\n"), live("2", "two"))
            let answers = expected.enumerated().compactMap { index, line in
                index.isMultiple(of: 2) ? nil : line.dropFirst("send ".count)
            }
            var questions = ""
            for (index, line) in expected.enumerated() where index.isMultiple(of: 2) {
                questions += questions.isEmpty ? line : ".*" + line.dropFirst("expect ".count)
            }
            let numbered = answers.enumerated().map { index, answer in
                answer.replacingOccurrences(of: "{1}", with: "{\(index + 1)}")
            }
            let script =
                Script.online + questions + "\nsend " + numbered.joined() + sent.dropFirst("send ".count)
                + before + "wait"
            let (fixture, _) = try scripted(script)
            waitUntil("it has come") { fixture.readyCount == 1 && fixture.texts == ["two"] }
            XCTAssertEqual(fixture.came.map(\.archiveName), ["2"])
            fixture.chat.signOut()
        }
    }

    func testUnansweredQueryIsRepeated() throws {
        try onMainActor {
            // The server ignores one query, and the message proves that the other answers have arrived.
            let silent = { (step: String, archive: String) in
                settingUp.split(separator: "\n")
                    .filter { !($0.hasPrefix("send") && $0.contains(step)) }.joined(separator: "\n") + "\n"
                    + archive
                    + "send <message from='alan@localhost/x' type='chat'><body>hi</body></message>\n"
            }
            let archive = before + page("1", "one", fin: true)
            for (step, late) in [
                ("disco#info", settingUp.lines(0..<2) + archive),
                ("jabber:iq:roster", settingUp.lines(2..<4)),
            ] {
                let isInfo = step == "disco#info"
                let (fixture, server) = try scripted(
                    Script.online + silent(step, isInfo ? "" : archive) + late + "say again\nwait")
                fixture.store.table.setArchiveCursor("0")
                waitUntil("the other answers have come") { fixture.texts.first == "hi" }
                XCTAssertEqual(fixture.readyCount, 0, step)
                fixture.clock.advance(by: .seconds(60))
                waitUntil("it is ready without") { fixture.readyCount == 1 }
                XCTAssertEqual(fixture.texts.contains("one"), !isInfo, step)
                fixture.clock.advance(by: try XCTUnwrap(fixture.clock.nextDelay))
                waitUntil("it is asked again") { server.output.contains("again") }
                waitUntil("nothing is missed") { fixture.texts.contains("one") }
                fixture.chat.signOut()
            }
        }
    }

    func testBookmarksAreLoadedAfterLostConnection() throws {
        try onMainActor {
            let plain = settingUp.replacingOccurrences(of: "urn:xmpp:mam:2", with: "urn:example")
            let asked = "expect <items node='urn:xmpp:bookmarks:1'.*?</iq>\n"
            let (fixture, server) = try scripted(
                Script.online + plain + asked + "reset",
                Script.signedIn + resumption.replacingOccurrences(of: "h='7'", with: "h='6'")
                    + "say back\n" + asked + "say again\nwait")
            waitUntil("the connection is lost") {
                if case .waiting? = fixture.states.last { true } else { false }
            }
            fixture.chat.wakeUp()
            waitUntil("it is resumed") { server.output.contains("back") && fixture.readyCount == 2 }
            // The response was lost with the connection.
            fixture.clock.advance(by: .seconds(60))
            waitUntil("it tries again soon") { fixture.clock.nextDelay.map { $0 <= .seconds(2) } ?? false }
            fixture.clock.advance(by: .seconds(2))
            waitUntil("they are asked for again") { server.output.contains("again") }
            fixture.chat.signOut()
        }
    }

    func testIdleConnectionWakesAtMostOnceAMinute() throws {
        try onMainActor {
            let (grace, alan) = try desks()
            try befriend(grace, alan)
            for isActive in [true, false] {
                grace.chat.isActive = isActive
                let before = grace.clock.firedCount
                for _ in 0..<60 {
                    grace.clock.advance(by: .seconds(60))
                    // The server answers pings.
                    waitUntil("it has answered") { grace.clock.nextDelay.map { $0 > .seconds(30) } ?? true }
                }
                XCTAssertLessThanOrEqual(grace.clock.firedCount - before, 60)
                XCTAssertEqual(grace.states.last, .online)
            }
        }
    }
}

let refusals = (1...4).map { _ in
    "expect <iq type='[gs]et' id='([^']*)'\nsend <iq type='error' id='{1}'><error type='cancel'><service-unavailable xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></iq>\n"
}.joined()

/// A server with an archive and without buddies.
let settingUp = """
    expect <iq type='get' id='([^']*)' to='grace@localhost'
    send <iq type='result' id='{1}'><query xmlns='http://jabber.org/protocol/disco#info'><feature var='urn:xmpp:mam:2'/><feature var='urn:xmpp:bookmarks:1#compat'/><feature var='urn:xmpp:pep-vcard-conversion:0'/></query></iq>
    expect <iq type='get' id='([^']*)'><query xmlns='jabber:iq:roster'
    send <iq type='result' id='{1}'><query xmlns='jabber:iq:roster'/></iq>
    expect <iq type='set' id='([^']*)'><enable
    send <iq type='result' id='{1}'/>
    expect <iq type='get' id='([^']*)'><blocklist
    send <iq type='result' id='{1}'><blocklist xmlns='urn:xmpp:blocking'/></iq>

    """

extension String {
    /// Returns some of its lines.
    fileprivate func lines(_ range: Range<Int>) -> String {
        split(separator: "\n")[range].joined(separator: "\n") + "\n"
    }
}

/// The stream is resumed; the server has received seven stanzas: the initial queries, presence and two queries.
private let resumption = """
    expect <resume [^>]*>
    send <resumed xmlns='urn:xmpp:sm:3' previd='previous' h='7'/>

    """

/// The archive has no message before the known one.
private let before = """
    expect <iq type='set' id='([^']*)'><query xmlns='urn:xmpp:mam:2'.*?</iq>
    send <iq type='result' id='{1}'><fin xmlns='urn:xmpp:mam:2' complete='true'><set xmlns='http://jabber.org/protocol/rsm'/></fin></iq>

    """

private let asksForMore = "expect <iq type='set' id='([^']*)'><query xmlns='urn:xmpp:mam:2'.*?</iq>\n"

/// The answers of an archive with two missed messages: its newest page, and the pages from the oldest on.
private let newestFirst = [
    page("2", "two", fin: false), page("1", "one", fin: false), page("2", "two", fin: true),
].joined()

/// Returns the archive's answer with one message; the query is included if it is the first page.
private func page(_ id: String, _ body: String, fin isComplete: Bool) -> String {
    """
    expect <iq type='set' id='([^']*)'><query xmlns='urn:xmpp:mam:2' queryid='([^']*)'.*?</iq>
    send <message from='grace@localhost'><result xmlns='urn:xmpp:mam:2' queryid='{2}' id='\(id)'><forwarded xmlns='urn:xmpp:forward:0'><delay xmlns='urn:xmpp:delay' stamp='2026-01-02T03:04:05Z'/><message xmlns='jabber:client' type='chat' from='alan@localhost/x' to='grace@localhost' id='m\(id)'><body>\(body)</body></message></forwarded></result></message>
    send <iq type='result' id='{1}'><fin xmlns='urn:xmpp:mam:2' complete='\(isComplete)'><set xmlns='http://jabber.org/protocol/rsm'><first>\(id)</first><last>\(id)</last></set></fin></iq>

    """
}

private func live(_ id: String, _ body: String) -> String {
    "send <message from='alan@localhost/x' to='grace@localhost' type='chat' id='m\(id)'><body>\(body)</body><stanza-id xmlns='urn:xmpp:sid:0' by='grace@localhost' id='\(id)'/></message>\n"
}

/// Returns the conversations of an account on a scripted server.
@MainActor
func scripted(_ scripts: String...) throws -> (XMPPAccountFixture, ScriptedServer) {
    try scripted(scripts, store: MemoryMessageStore())
}

/// Returns the conversations of an account on a scripted server, with the given store.
@MainActor
func scripted(
    _ scripts: [String], store: MemoryMessageStore, encryption: MessageStage<OutgoingMessage> = MessageStage()
) throws -> (XMPPAccountFixture, ScriptedServer) {
    let server = try ScriptedServer(scripts) { g_main_context_wakeup(nil) }
    var account = XMPPAccount(jid: try XCTUnwrap(JID("grace@localhost")), password: "secret")
    account.host = "127.0.0.1"
    account.port = server.port
    account.tls = .startTLS
    account.trust = .file(try TestCertificates.authority())
    return (XMPPAccountFixture(account, store: store, encryption: encryption), server)
}
