// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import TestSupport
import TouchtoneCore
@testable import TouchtoneXMPP
import XCTest

/// Tests of sign-ins by RFC 6120 at a server that is known from the last one, without waiting for its offers.
final class QuickSignInTests: XMPPTestCase {
    func testNextStartWaitsForNoOffer() throws {
        try onMainActor {
            let place = KeptServer()
            let (first, _) = try session(Script.online + "wait", storage: place.storage)
            waitUntil("it is online") { first.isOnline }
            first.client.signOut()
            XCTAssertEqual(place.entries.first, "127.0.0.1")

            // A password is not sent before the offer, which may have something better by now.
            let answers = "(?=.*<starttls)", bind = "(?=.*<bind .*<enable .*<presence.*<body>early<)"
            let script =
                Script.bound(ahead: [answers, "(?!.*</auth>)", bind]) + """
                    expect <enable [^>]*>
                    send <enabled xmlns='urn:xmpp:sm:3' id='previous' resume='true'/>
                    expect <body>early</body>
                    send <a xmlns='urn:xmpp:sm:3' h='2'/>
                    expect <body>late</body>
                    send <a xmlns='urn:xmpp:sm:3' h='3'/>
                    wait
                    """
            let (next, _) = try session(script, storage: place.storage)
            next.onOpened = { [weak next] in
                next?.client.send(Presence().element)
                next?.client.send(Message(to: JID("alan@localhost"), body: "early").element)
            }
            waitUntil("it is online") { next.isOnline || next.reason != nil }
            XCTAssertNil(next.reason)
            XCTAssertTrue(next.client.isOpened)
            next.client.send(Message(to: JID("alan@localhost"), body: "late").element)
            waitUntil("all is counted") { next.acknowledged == ["early", "late"] }
            XCTAssertEqual(next.beginnings, ["new"])
            next.client.signOut()
        }
    }

    func testResumptionWaitsForNoOffer() throws {
        try onMainActor {
            let resumed =
                Script.signedIn(ahead: ["(?=.*<starttls)", "", "(?=.*<resume )"]) + """
                    expect <resume [^>]*>
                    send <resumed xmlns='urn:xmpp:sm:3' previd='previous' h='0'/>
                    wait
                    """
            let (session, _) = try session(Script.online + Script.cut, resumed)
            waitUntil("it is online") { session.isOnline }
            retry(session)
            waitUntil("it is resumed") { session.beginnings == ["new", "resumed"] || session.reason != nil }
            XCTAssertEqual(session.beginnings, ["new", "resumed"])
            session.client.signOut()
        }
    }

    func testProofBeginsBeforeOffer() throws {
        try onMainActor {
            let script = Script.offering(["SCRAM-SHA-1"], ahead: ["", "(?=.*</auth>)"]) + challenge
            let (session, server) = try session(script, storage: try known("SCRAM-SHA-1").storage)
            waitUntil("the proof is there") { server.output.contains("proven") || session.reason != nil }
            XCTAssertNil(session.reason)
            session.client.signOut()
        }
    }

    /// Nothing that was sent before the offer counts if the offer has something better by now.
    func testOtherOfferIsAnsweredOnNextConnection() throws {
        try onMainActor {
            let place = try known("SCRAM-SHA-1")
            let better = ["SCRAM-SHA-1", "SCRAM-SHA-256"]
            let (session, server) = try session(
                Script.offering(better) + challenge.replacing("proven", with: "weak"),
                Script.offering(better) + "expect <auth [^>]*mechanism='SCRAM-SHA-256'>\nsay strong\nwait",
                storage: place.storage)
            waitUntil("it is tried again") { server.output.contains("strong") || session.reason != nil }
            XCTAssertNil(session.reason)
            XCTAssertFalse(server.output.contains("weak"))
            session.client.signOut()
        }
    }

    func testWeakerOfferIsRefused() throws {
        try onMainActor {
            let (session, server) = try session(
                Script.offering(["PLAIN"]) + "expect </auth>.*</auth>\nsay sent\nwait", "say again\nwait",
                storage: try known("SCRAM-SHA-256").storage
            ) { $0.weakestMechanism = .scramSHA256 }
            waitUntil("there is a reason") { session.reason != nil }
            XCTAssertEqual(session.reason, .signIn(.downgraded(from: .scramSHA256, to: .plain)))
            XCTAssertFalse(server.output.contains { ["sent", "again"].contains($0) })
            session.client.signOut()
        }
    }

    func testServerThatReadsNothingEarlyIsSignedInToAsUsual() throws {
        try onMainActor {
            let failures = [
                Script.offering(["PLAIN"]) + "expect </auth>\n"
                    + "send <success xmlns='urn:ietf:params:xml:ns:xmpp-sasl'/>\n" + Script.opening
                    + "send <stream:error><unsupported-stanza-type xmlns='urn:ietf:params:xml:ns:xmpp-streams'/></stream:error>\nwait",
                Script.signedIn.replacing("<sm xmlns='urn:xmpp:sm:3'/>", with: "") + "wait",
            ]
            for failure in failures {
                let place = try known("PLAIN")
                let (session, _) = try session(
                    failure,
                    Script.online + "expect <body>a</body>\nsend <a xmlns='urn:xmpp:sm:3' h='1'/>\nwait",
                    storage: place.storage)
                session.onOpened = { [weak session] in session?.client.send(Presence().element) }
                waitUntil("it is online") { session.isOnline || session.reason != nil }
                XCTAssertNil(session.reason)
                XCTAssertFalse(session.client.isOpened)
                XCTAssertEqual(place.entries, [])
                // What was sent before belongs to no stream.
                session.client.send(Message(to: JID("alan@localhost"), body: "a").element)
                waitUntil("it is counted") { session.acknowledged == ["a"] }
                session.client.signOut()
            }
        }
    }

    func testSpoiltEntriesAreIgnored() throws {
        try onMainActor {
            for entries in [["127.0.0.1"], ["127.0.0.1", "x", "y"], ["", "", ""]] {
                let place = KeptServer(entries)
                let (session, _) = try session(Script.online + "wait", storage: place.storage)
                waitUntil("it is online") { session.isOnline || session.reason != nil }
                XCTAssertNil(session.reason)
                XCTAssertEqual(place.entries.count, 3)
                session.client.signOut()
            }
        }
    }

    func testAccountIsSetUpWithItsAddress() throws {
        try onMainActor {
            let (first, alan) = try desks()
            try befriend(first, alan)
            let (store, account) = (first.store, first.client.account)
            first.chat.signOut()
            let place = KeptServer()
            // The first start learns the server; the next ones send all requests at once.
            for isOpened in [false, true, true] {
                try place.hideExtended()
                waitUntil("alan sees grace go") { alan.presence(of: first.address).isEmpty }
                let next = XMPPAccountFixture(account, store: store, storage: place.storage)
                waitUntil("grace is ready") { next.readyCount == 1 || next.problem != nil }
                waitUntil("grace sees alan") { !next.presence(of: alan.address).isEmpty }
                waitUntil("alan sees grace") { !alan.presence(of: next.address).isEmpty }
                XCTAssertEqual(next.client.isOpened, isOpened)
                next.send("hello", to: alan.address, name: "hello \(place.writes)")
                waitUntil("the message is there") { alan.texts.contains("hello") }
                alan.forgetEvents()
                alan.chat.setPresence(OwnPresence(.away))
                waitUntil("grace sees alan’s change") {
                    next.presence(of: alan.address).last?.availability == .away
                }
                alan.chat.setPresence(OwnPresence(.online))
                next.chat.signOut()
            }
            // Nothing is written again as long as the server offers the same.
            if TestServer.current == .prosody { XCTAssertEqual(place.writes, 1) }
            alan.chat.signOut()
        }
    }
}

/// The place where the entries of one server are kept.
@MainActor
final class KeptServer {
    private(set) var entries: [String]
    private(set) var writes = 0

    init(_ entries: [String] = []) { self.entries = entries }

    /// Hides the offer of XEP-0388, so that the server is signed in to by RFC 6120.
    func hideExtended() throws {
        guard !entries.isEmpty else { return }
        let text = String(decoding: try XCTUnwrap(Base64.decode(entries[1])), as: UTF8.self)
        let rest = text.replacing(/<authentication[ >].*<\/authentication>/, with: "")
        entries[1] = Base64.encode(Array(rest.utf8))
    }

    var storage: EntryStorage {
        EntryStorage(read: { _ in self.entries }) { _, entries in
            self.entries = entries
            self.writes += 1
        }
    }
}

/// Returns the place with a server that has offered a mechanism.
@MainActor
private func known(_ mechanism: String) throws -> KeptServer {
    func features(_ children: [XMLElement]) -> StreamFeatures {
        StreamFeatures(XMLElement("features", Namespace.stream, [:], children))
    }
    let server = KnownServer(
        host: "127.0.0.1",
        offer: features([
            XMLElement(
                "mechanisms", Namespace.sasl, [:], [XMLElement("mechanism", Namespace.sasl, text: mechanism)])
        ]),
        session: features([XMLElement("bind", Namespace.bind), XMLElement("sm", Namespace.management)]))
    return KeptServer(try XCTUnwrap(server.entries))
}

private let challenge = """
    expect <auth [^>]*>([^<]*)</auth>
    challenge {1} s=QSXCR+Q6sek8bf92,i=4096
    expect </response>
    say proven
    wait
    """

/// Lets the time until the next attempt pass.
@MainActor
private func retry(_ session: Session) {
    waitUntil("the connection is lost") { session.reason != nil }
    session.clock.advance(by: session.clock.nextDelay ?? .zero)
}

extension Script {
    /// The steps with what has to be there before each answer to the start of a stream, in order.
    fileprivate static func expecting(_ patterns: [String], in script: String) -> String {
        let start = "expect <stream:stream[^>]*>"
        let parts = script.components(separatedBy: start)
        return parts.dropFirst().enumerated().reduce(parts[0]) { text, part in
            text + start + (part.offset < patterns.count ? patterns[part.offset] : "") + part.element
        }
    }

    fileprivate static func offering(_ mechanisms: [String], ahead patterns: [String]) -> String {
        expecting(patterns, in: offering(mechanisms))
    }

    fileprivate static func signedIn(ahead patterns: [String]) -> String {
        expecting(patterns, in: signedIn)
    }

    fileprivate static func bound(ahead patterns: [String]) -> String { expecting(patterns, in: bound()) }
}
