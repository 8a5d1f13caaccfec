// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import SIPMessages
import TouchtoneCore
import XCTest

@testable import TouchtoneEngine
@testable import TouchtoneXMPP

/// Tests of calls with devices that say what no program should, or what only gateways say.
final class JabberSessionTests: XMPPTestCase {
    private static let certificate = Array(repeating: "CD", count: 32).joined(separator: ":")

    private static func fingerprint(_ setup: String, _ text: String = certificate) -> String {
        "<fingerprint xmlns='urn:xmpp:jingle:apps:dtls:0' hash='sha-256' setup='\(setup)'>\(text)</fingerprint>"
    }

    private static func candidates(_ count: Int) -> String {
        (0..<count).map {
            "<candidate component='1' foundation='1' protocol='udp' priority='\($0)' ip='198.51.100.7' port='\(1000 + $0)' type='host'/>"
        }.joined()
    }

    private static func transport(_ children: String) -> String {
        "<transport xmlns='urn:xmpp:jingle:transports:ice-udp:1' ufrag='abcd' pwd='abcdefghijklmnopqrstuv'>\(children)</transport>"
    }

    private static func content(_ transport: String, isDescribed: Bool = true) -> String {
        let description =
            "<description xmlns='urn:xmpp:jingle:apps:rtp:1' media='audio'><payload-type id='0'/></description>"
        return
            "<content creator='initiator' name='0' senders='both'>\(isDescribed ? description : "")\(transport)</content>"
    }

    /// The device behaves as a gateway: it takes the call at once, tells its certificate before its answer, and is strict.
    func testGatewayIsAnsweredAndHostileDeviceIsNot() throws {
        try onMainActor {
            let ada = try CallPhone("ada")
            let device = try RawDevice(to: ada.fixture)
            let call = try ada.dial(device.jid)
            waitUntil("it is proposed") { device.told.contains { $0.content == .propose(media: ["audio"]) } }
            let sid = try XCTUnwrap(device.told.first?.id)
            try say("<proceed xmlns='urn:xmpp:jingle-message:0' id='\(sid)'/>", device, kind: .normal)
            waitUntil("the session is offered") { device.actions == ["session-initiate"] }

            let early = Self.content(
                Self.transport(Self.fingerprint("actpass") + Self.candidates(500)), isDescribed: false)
            XCTAssertEqual(try device.ask(Wire.session("transport-info", sid, early)), "")
            let other = Array(repeating: "EF", count: 32).joined(separator: ":")
            let changed = Self.content(
                Self.transport(Self.fingerprint("active", other)), isDescribed: false)
            XCTAssertEqual(try device.ask(Wire.session("transport-info", sid, changed)), "")
            let ringing = "<ringing xmlns='urn:xmpp:jingle:apps:rtp:info:1'/>"
            XCTAssertEqual(try device.ask(Wire.session("session-info", sid, ringing)), "")
            let unknown = "<dance xmlns='urn:xmpp:jingle:apps:rtp:info:1'/>"
            XCTAssertEqual(
                try device.ask(Wire.session("session-info", sid, unknown)), "feature-not-implemented")

            let answer = Wire.session("session-accept", sid, Self.content(Self.transport("")))
            XCTAssertEqual(try device.ask(answer), "")
            waitUntil("it is connected") { call.course?.state.isConnected == true }
            let connected = ada.engine.callCommands.compactMap { command in
                if case .connect(let media) = command { media } else { nil }
            }
            XCTAssertEqual(connected.count, 1)
            XCTAssertEqual(connected.first?.fingerprint?.text, Self.certificate)
            XCTAssertEqual(connected.first?.role, .client)
            XCTAssertEqual(connected.first?.candidates.count, MediaDescription.maximumCandidates)
            XCTAssertEqual(try device.ask(answer), "unexpected-request")
            XCTAssertEqual(try device.ask(Wire.session("session-info", "no such")), "item-not-found")

            let video =
                "<content creator='responder' name='v'><description xmlns='urn:xmpp:jingle:apps:rtp:1' media='video'/></content>"
            XCTAssertEqual(try device.ask(Wire.session("content-add", sid, video)), "")
            waitUntil("video is declined") { device.actions.last == "content-reject decline" }
            XCTAssertNil(ada.end(call))
            XCTAssertEqual(try device.ask(Wire.terminate("success", sid)), "")
            waitUntil("it has ended") { ada.end(call) == .farEnd }
        }
    }

    /// Programs such as Gajim propose nothing, and do not encrypt.
    func testSessionWithoutProposalRingsOnlyIfEncrypted() throws {
        try onMainActor {
            let ada = try CallPhone("ada")
            let device = try RawDevice(to: ada.fixture)
            try device.send(Wire.session("session-initiate", "plain", Self.content(Self.transport(""))))
            waitUntil("it is refused") { device.actions == ["session-terminate security-error"] }
            XCTAssertEqual(ada.missed.map(\.reason), [.notEncrypted])
            XCTAssertEqual(ada.incoming.count, 0)
            XCTAssertFalse(ada.engine.isNeeded)
            let offer = Self.content(Self.transport(Self.fingerprint("actpass") + Self.candidates(1)))
            try device.send(Wire.session("session-initiate", "safe", offer))
            waitUntil("it rings") { ada.incoming.count == 1 && device.actions.last == "session-info" }
            XCTAssertEqual(ada.engine.callCommands, [])
            ada.incoming[0].answer()
            waitUntil("it is accepted") { device.actions.last == "session-accept" }
            ada.incoming[0].hangUp()
            waitUntil("it has ended") { device.actions.last == "session-terminate success" }
        }
    }

    /// Somebody who could not know that the user is online learns it for the time of a call that the user makes.
    func testCalledStrangerSeesTheUserForTheTimeOfTheCall() throws {
        try onMainActor {
            let ada = try CallPhone("ada")
            let device = try RawDevice(to: ada.fixture, isBuddy: false)
            try device.session.becomeAvailable()
            let call = try ada.dial(device.jid)
            waitUntil("it is proposed") { !device.told.isEmpty }
            XCTAssertEqual(device.presences, [.available])
            call.hangUp()
            waitUntil("the user is gone") { device.presences == [.available, .unavailable] }
            try say(
                "<propose xmlns='urn:xmpp:jingle-message:0' id='back'><description xmlns='urn:xmpp:jingle:apps:rtp:1' media='audio'/></propose>",
                device)
            waitUntil("the stranger calls") { ada.incoming.count == 1 }
            ada.incoming[0].hangUp()
            waitUntil("it is declined") { device.told.last?.content == .reject(.decline) }
            XCTAssertEqual(device.presences.count, 2, "a caller learns nothing")
        }
    }

    func testProposalsThatMustNotRingDoNot() throws {
        try onMainActor {
            let ada = try CallPhone("ada")
            let device = try RawDevice(to: ada.fixture)
            let audio = "<description xmlns='urn:xmpp:jingle:apps:rtp:1' media='audio'/>"
            let video = "<description xmlns='urn:xmpp:jingle:apps:rtp:1' media='video'/>"
            func propose(_ id: String, _ media: String) -> String {
                "<propose xmlns='urn:xmpp:jingle-message:0' id='\(id)'>\(media)</propose>"
            }
            try say(propose("none", ""), device)
            try say(propose("film", audio + video), device)
            waitUntil("video is declined") { device.told.contains { $0.content == .reject(.decline) } }
            XCTAssertEqual(ada.missed.count, 1)
            // A flood is bounded; the call with video counts, too.
            for number in 0..<50 { try say(propose("flood\(number)", audio), device) }
            try say("<retract xmlns='urn:xmpp:jingle-message:0' id='flood0'/>", device)
            waitUntil("one is retracted") { ada.end(ada.incoming.first) == .farEnd }
            XCTAssertEqual(ada.incoming.count, IncomingLimit.burst - 1)
        }
    }

    /// The archive tells once of calls that nobody took, not of those that another device took or that have just begun.
    func testMissedCallsOfArchiveAreReportedOnce() throws {
        try onMainActor {
            var kept: [String] = ["old"]
            let ada = try CallPhone("ada") {
                $0.storage = EntryStorage(read: { _ in kept }, write: { kept = $1 })
            }
            let (own, now) = (ada.jid, ada.fixture.wall.now.milliseconds)
            let calls = ada.fixture.chat.calls
            @MainActor func read(_ element: String, from: String, age: Int64) throws {
                let text =
                    "<message xmlns='jabber:client' type='chat' from='\(from)' to='\(own)'>\(element)</message>"
                let message = try XCTUnwrap(Message(try XMLElementTests.read(text)))
                calls.missed.read(message, Timestamp(microseconds: (now - age * 1000) * 1000))
            }
            @MainActor func propose(_ id: String, age: Int64) throws {
                let audio = "<description xmlns='urn:xmpp:jingle:apps:rtp:1' media='audio'/>"
                try read(
                    "<propose xmlns='urn:xmpp:jingle-message:0' id='\(id)'>\(audio)</propose>",
                    from: "bob@example.org/phone", age: age)
            }
            try propose("old", age: 400)
            try propose("missed", age: 300)
            try propose("taken", age: 200)
            try read(
                "<accept xmlns='urn:xmpp:jingle-message:0' id='taken'/>", from: "\(own)/tablet", age: 190)
            try propose("ancient", age: 1_000_000)
            try propose("young", age: 20)
            for _ in 0..<2 {
                try propose("missed", age: 300)
                ada.fixture.passTime(.seconds(5))
                XCTAssertEqual(ada.missed.map(\.age), [.seconds(300)])
            }
            XCTAssertEqual(ada.missed.first?.remote.jid, JID("bob@example.org"))
            XCTAssertEqual(kept, ["old", "missed"])
            // One that comes late does not ring.
            try propose("missed", age: 300)
            XCTAssertEqual(ada.incoming.count, 0)
        }
    }
}

extension CallCourse.State {
    fileprivate var isConnected: Bool { if case .connected = self { true } else { false } }
}

@MainActor
private func say(_ text: String, _ device: RawDevice, kind: Message.Kind = .chat) throws {
    device.session.client.send(
        Message(kind, to: device.target, extensions: [try XMLElementTests.read(text)]).element)
}
