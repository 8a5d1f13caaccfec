// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import SIPMessages
import TouchtoneCore
import XCTest

@testable import TouchtoneEngine
@testable import TouchtoneXMPP

/// Tests of calls without encryption, as Gajim makes them: the user may allow them to buddies.
final class UnencryptedCallTests: XMPPTestCase {
    private static let certificate =
        "<fingerprint xmlns='urn:xmpp:jingle:apps:dtls:0' hash='sha-256' setup='actpass'>\(Array(repeating: "CD", count: 32).joined(separator: ":"))</fingerprint>"

    /// Returns the content of Gajim 2.1, which sends statistics another way and knows nothing of encryption.
    private static func content(_ certificate: String = "", isDescribed: Bool = true) -> String {
        let formats =
            "<payload-type id='96' name='OPUS' clockrate='48000'><parameter name='useinbandfec' value='1'/></payload-type>"
            + "<payload-type id='97' name='SPEEX' channels='1' clockrate='32000'/>"
            + "<payload-type id='0' name='PCMU' channels='1' clockrate='8000'/>"
        let candidates = (1...2).map {
            "<candidate component='\($0)' foundation='1' generation='0' ip='198.51.100.7' network='0' port='\(4000 + $0)' priority='2130706431' id='c\($0)' type='host' protocol='udp'/>"
        }.joined()
        let description =
            "<description xmlns='urn:xmpp:jingle:apps:rtp:1' media='audio'>\(formats)</description>"
        return
            "<content name='voice' creator='initiator' senders='both'>\(isDescribed ? description : "")<transport xmlns='urn:xmpp:jingle:transports:ice-udp:1' ufrag='abcd' pwd='abcdefghijklmnopqrstuv'>\(certificate)\(candidates)</transport></content>"
    }

    @MainActor
    private static func phone(isAllowed: Bool = true) throws -> CallPhone {
        try CallPhone("ada") { $0.takesPlainCalls = { isAllowed } }
    }

    func testAllowedCallOfBuddyIsAnswered() throws {
        try onMainActor {
            let ada = try Self.phone()
            let device = try RawDevice(to: ada.fixture)
            try device.send(Wire.session("session-initiate", "plain", Self.content()))
            waitUntil("it rings") { ada.incoming.count == 1 && device.actions == ["session-info"] }
            XCTAssertEqual(ada.engine.callCommands, [], "nothing is prepared before the answer")
            let call = ada.incoming[0]
            call.answer()
            waitUntil("it is accepted") { device.actions.last == "session-accept" }
            let offers = ada.engine.callCommands.compactMap { command in
                if case .prepareAnswer(let offer, _) = command { offer } else { nil }
            }
            XCTAssertEqual(offers.map(\.isEncrypted), [false])
            XCTAssertEqual(offers.first?.candidates.map(\.port), [4001])
            let answer = device.came.last?.payload?.child("content")
            XCTAssertEqual(answer?["name"], "voice")
            let transport = try XCTUnwrap(answer?.child("transport", AudioContent.ice))
            XCTAssertNotNil(transport["ufrag"])
            XCTAssertFalse(AudioContent.hasCertificate(transport))
            waitUntil("it is connected") {
                call.course?.isPlain == true && ada.events(call).contains(.answered)
            }
            call.hangUp()
            waitUntil("it has ended") { device.actions.last == "session-terminate success" }
            XCTAssertEqual(ada.missed.count, 0)
        }
    }

    /// Without the user’s permission, nobody may, and the call log says why it did not ring.
    func testCallIsRefusedUnlessAllowed() throws {
        try onMainActor {
            let ada = try Self.phone(isAllowed: false)
            let device = try RawDevice(to: ada.fixture)
            try device.send(Wire.session("session-initiate", "plain", Self.content()))
            waitUntil("it is refused") { device.actions == ["session-terminate security-error"] }
            XCTAssertEqual(ada.missed.map(\.reason), [.notEncrypted])
            XCTAssertEqual(ada.incoming.count, 0)
            XCTAssertFalse(ada.engine.isNeeded)
        }
    }

    /// A stranger never may, also where the user lets strangers’ calls ring.
    func testStrangerIsRefused() throws {
        try onMainActor {
            let ada = try Self.phone()
            let device = try RawDevice(to: ada.fixture, isBuddy: false)
            XCTAssertEqual(
                try device.ask(Wire.session("session-initiate", "plain", Self.content())),
                "service-unavailable")
            XCTAssertFalse(ada.fixture.chat.calls.takesPlainCalls(of: device.jid))
            XCTAssertEqual(ada.incoming.count, 0)
            XCTAssertFalse(ada.engine.isNeeded)
            XCTAssertEqual(device.actions, [])
        }
    }

    /// A certificate is answered with one, or the call is refused.
    func testEncryptionIsNeverGivenUp() throws {
        try onMainActor {
            let ada = try Self.phone()
            let device = try RawDevice(to: ada.fixture)
            try device.send(Wire.session("session-initiate", "safe", Self.content(Self.certificate)))
            waitUntil("it rings") { ada.incoming.count == 1 }
            ada.incoming[0].answer()
            waitUntil("it is accepted") { device.actions.last == "session-accept" }
            let answer = try XCTUnwrap(
                device.came.last?.payload?.child("content")?.child("transport", AudioContent.ice))
            XCTAssertTrue(AudioContent.hasCertificate(answer))
            XCTAssertEqual(ada.incoming[0].course?.isPlain, false)
            ada.incoming[0].hangUp()
            waitUntil("it has ended") { device.actions.last == "session-terminate success" }

            let weak = Self.certificate.replacingOccurrences(of: "sha-256", with: "md5")
            try device.send(Wire.session("session-initiate", "weak", Self.content(weak)))
            waitUntil("it is refused") { device.actions.last == "session-terminate security-error" }
            XCTAssertEqual(ada.missed.map(\.reason), [.notEncrypted])

            // A certificate that comes later contradicts the offer, before the answer and after it.
            for isAnswered in [false, true] {
                let (sid, count) = ("late-\(isAnswered)", ada.incoming.count)
                try device.send(Wire.session("session-initiate", sid, Self.content()))
                waitUntil("it rings again") { ada.incoming.count == count + 1 }
                let call = ada.incoming[count]
                if isAnswered {
                    call.answer()
                    waitUntil("it is accepted") { device.actions.last == "session-accept" }
                }
                let late = Self.content(Self.certificate, isDescribed: false)
                XCTAssertEqual(try device.ask(Wire.session("transport-info", sid, late)), "")
                waitUntil("it has ended") { ada.end(call) == .notEncrypted }
                waitUntil("it is told") { device.actions.last == "session-terminate security-error" }
            }
        }
    }

    /// The user answers a call that is proposed without knowing that it would not be encrypted.
    func testProposedCallStaysEncrypted() throws {
        try onMainActor {
            let ada = try Self.phone()
            let device = try RawDevice(to: ada.fixture)
            let propose =
                "<propose xmlns='urn:xmpp:jingle-message:0' id='asked'><description xmlns='urn:xmpp:jingle:apps:rtp:1' media='audio'/></propose>"
            device.session.client.send(
                Message(to: device.target, extensions: [try XMLElementTests.read(propose)]).element)
            waitUntil("it rings") { ada.incoming.count == 1 }
            ada.incoming[0].answer()
            waitUntil("it is taken") { device.told.contains { $0.content == .proceed } }
            XCTAssertEqual(try device.ask(Wire.session("session-initiate", "asked", Self.content())), "")
            waitUntil("it is refused") { device.actions.last == "session-terminate security-error" }
            XCTAssertEqual(ada.end(ada.incoming[0]), .notEncrypted)
        }
    }

    /// The offer of the phone has a certificate, so that an answer without one is none.
    func testAnswerWithoutEncryptionIsRefused() throws {
        try onMainActor {
            let ada = try Self.phone()
            let device = try RawDevice(to: ada.fixture)
            let call = try ada.dial(device.jid)
            waitUntil("it is proposed") { device.told.contains { $0.content == .propose(media: ["audio"]) } }
            let sid = try XCTUnwrap(device.told.first?.id)
            let proceed = try XMLElementTests.read("<proceed xmlns='urn:xmpp:jingle-message:0' id='\(sid)'/>")
            device.session.client.send(Message(to: device.target, extensions: [proceed]).element)
            waitUntil("the session is offered") { device.actions == ["session-initiate"] }
            let answer = Self.content().replacingOccurrences(of: "'voice'", with: "'0'")
            XCTAssertEqual(try device.ask(Wire.session("session-accept", sid, answer)), "")
            waitUntil("it has ended") { ada.end(call) == .notEncrypted }
            waitUntil("it is told") { device.actions.last == "session-terminate security-error" }
        }
    }
}
