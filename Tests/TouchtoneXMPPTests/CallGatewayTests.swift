// SPDX-License-Identifier: GPL-3.0-or-later

import CGio
import ChatTestSupport
import SIPMessages
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneXMPP

/// Tests of calls through a gateway that behaves as Cheogram's, on an independent server.
final class CallGatewayTests: XMPPTestCase {
    func testNumberIsCalledThroughGateway() throws {
        try withGateway { gateway, ada in
            XCTAssertTrue(try XCTUnwrap(ada.fixture.chat.line).callsNumbers)
            let call = try ada.dial("+15551230001")
            // It takes the call before the telephone rings, and the telephone’s answer is that of the session.
            waitUntil("the telephone answers") { ada.events(call) == [.ringing, .answered] }
            waitUntil("it is connected") {
                if case .connected? = call.course?.state { true } else { false }
            }
            let told = ada.engine.callCommands.lazy.compactMap { command in
                if case .connect(let media) = command { media } else { nil }
            }.first
            let media = try XCTUnwrap(told)
            XCTAssertEqual(media.role, .client, "the server of an offer waits for the first word")
            XCTAssertEqual(media.candidates.map(\.address), ["198.51.100.7"])
            XCTAssertEqual(media.formats.map(\.name), ["PCMU", "telephone-event"])
            call.hangUp()
            waitUntil("the gateway knows") { gateway.told("session-terminate").count == 1 }
            XCTAssertEqual(gateway.told("session-terminate").first?["reasons"] as? [String], ["success"])
            XCTAssertEqual(gateway.told("propose").first?["sender"] as? String, ada.jid.description)
        }
    }

    func testTelephoneIsBusyDoesNotAnswerOrHasNoEncryption() throws {
        try withGateway { gateway, ada in
            let busy = try ada.dial("+15551230002")
            waitUntil("it is busy") { ada.end(busy) == .busy }
            XCTAssertEqual(ada.events(busy), [.ended(.busy)], "a telephone that is busy does not ring")
            let ringing = try ada.dial("+15551230003")
            waitUntil("it rings") { ada.events(ringing) == [.ringing] }
            ada.fixture.passTime(CallCourse.Limit.ringing.time)
            waitUntil("nobody answers") { ada.end(ringing) == .noAnswer }
            let second = try ada.dial("+15551230003")
            waitUntil("it rings again") { ada.events(second) == [.ringing] }
            second.hangUp()
            waitUntil("it is given up") {
                gateway.told("session-terminate").last?["reasons"] as? [String] == ["cancel"]
            }
            let plain = try ada.dial("+15551230004")
            waitUntil("it is refused") { ada.end(plain) == .notEncrypted }
        }
    }

    func testTelephoneCalls() throws {
        try withGateway { gateway, ada in
            let number = ChatAddress("+15558675309@sms.localhost")
            ada.fixture.send("call 1", to: number)
            waitUntil("it rings") { ada.incoming.count == 1 }
            let call = ada.incoming[0]
            XCTAssertEqual(call.remote.number, DialledNumber("+15558675309"))
            XCTAssertFalse(call.isStranger)
            XCTAssertEqual(ada.engine.callCommands, [])
            call.answer()
            waitUntil("it is answered") { ada.events(call) == [.answered] }
            waitUntil("the gateway has the answer") { gateway.told("session-accept").count == 1 }
            call.hangUp()
            waitUntil("it has ended") { gateway.told("session-terminate").count == 1 }

            ada.fixture.send("call 2", to: number)
            waitUntil("it rings again") { ada.incoming.count == 2 }
            ada.incoming[1].hangUp()
            waitUntil("it is declined") { gateway.told("reject").count == 1 }
            ada.fixture.send("call 3", to: number)
            waitUntil("it rings once more") { ada.incoming.count == 3 }
            ada.fixture.send("give up", to: number)
            waitUntil("it is given up") { ada.end(ada.incoming[2]) == .farEnd }
        }
    }

    /// A gateway that carries texts alone takes no calls.
    func testGatewayOfTextsCarriesNoCalls() throws {
        try onMainActor {
            let gateway = try TelephoneGateway("sms.localhost", at: TestServer.shared()) {
                g_main_context_wakeup(nil)
            }
            let ada = try CallPhone("ada")
            waitUntil("the gateway is found") { ada.fixture.gateways.last == ChatAddress("sms.localhost") }
            XCTAssertFalse(try XCTUnwrap(ada.fixture.chat.line).callsNumbers)
            let call = try ada.dial("+15551230001")
            waitUntil("it is refused") { ada.end(call) == .noSuchNumber }
            gateway.end()
        }
    }
}

private func withGateway(_ body: @MainActor (TelephoneGateway, CallPhone) throws -> Void) throws {
    try onMainActor {
        let gateway = try TelephoneGateway("sms.localhost", at: TestServer.shared(), .calls) {
            g_main_context_wakeup(nil)
        }
        defer { gateway.end() }
        let ada = try CallPhone("ada")
        waitUntil("the gateway is found") { ada.fixture.chat.line?.callsNumbers == true }
        try body(gateway, ada)
    }
}

extension CallPhone {
    fileprivate func dial(_ number: String) throws -> JabberCall {
        try dial(RemoteParty(try XCTUnwrap(DialledNumber(number))))
    }
}

extension TelephoneGateway {
    /// The events with a name so far.
    fileprivate func told(_ name: String) -> [[String: Any]] {
        events.compactMap { line in
            let event = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            return event?["event"] as? String == name ? event : nil
        }
    }
}
