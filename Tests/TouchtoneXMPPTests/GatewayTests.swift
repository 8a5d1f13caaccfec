// SPDX-License-Identifier: GPL-3.0-or-later

import CGio
import ChatTestSupport
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneXMPP

private let sms = ChatAddress("sms.localhost")
private let text = ChatAddress("text.localhost")

/// Tests of gateways to telephone numbers, on an independent server.
final class GatewayTests: XMPPTestCase {
    func testFindsGatewayAndTextsNumber() throws {
        try onMainActor {
            let gateway = try connect("sms.localhost")
            let grace = try fixture("grace")
            let chat = grace.chat
            waitUntil("the gateway is found") { grace.gateways.last == sms }
            XCTAssertEqual(try awaited { await chat.gatewayModule.findGateway() }, sms)
            let number = try XCTUnwrap(DialledNumber("+15558675309"))
            let address = try awaited { try await chat.gatewayModule.address(of: number, at: sms) }
            XCTAssertEqual(address, ChatAddress("15558675309@sms.localhost"))
            // The address is asked for once.
            XCTAssertEqual(try awaited { try await chat.gatewayModule.address(of: number, at: sms) }, address)
            grace.send("hello", to: address)
            waitUntil("the answer has come") { grace.texts == ["got hello"] }
            XCTAssertEqual(grace.came.first?.buddy, address)
            let sent =
                #"{"event": "message", "number": "15558675309", "sender": "\#(grace.address)", "text": "hello"}"#
            // Its output may come after its answer.
            waitUntil("it has told of both") { gateway.events.count >= 2 }
            XCTAssertEqual(gateway.events, [#"{"event": "asked", "number": "+15558675309"}"#, sent])
            gateway.end()
        }
    }

    func testGatewayWithoutTranslationGetsE164() throws {
        try onMainActor {
            let gateway = try connect("text.localhost", .plainTexts)
            let grace = try fixture("grace")
            let chat = grace.chat
            let number = try XCTUnwrap(DialledNumber("+442079460958"))
            let address = try awaited { try await chat.gatewayModule.address(of: number, at: text) }
            XCTAssertEqual(address, ChatAddress("+442079460958@text.localhost"))
            try awaited { try await chat.rosterModule.add(address, name: "London") }
            waitUntil("it is a buddy") { grace.buddies[address]?.name == "London" }
            gateway.end()
        }
    }

    func testHostileAddressesAreRefused() throws {
        try onMainActor {
            let gateway = try connect("sms.localhost")
            let grace = try fixture("grace")
            let chat = grace.chat
            let reasons = [
                "1": "The server sent an invalid reply.", "2": "The server sent an invalid reply.",
                "3": "The server sent an invalid reply.", "5": "The server sent an invalid reply.",
                "6": "There is no such account. The reply was: “no such number”",
            ]
            for (digit, reason) in reasons {
                let number = try XCTUnwrap(DialledNumber("+1555000000\(digit)"))
                XCTAssertThrowsError(
                    try awaited { try await chat.gatewayModule.address(of: number, at: sms) }, digit
                ) { XCTAssertEqual($0 as? ChatServiceError, .refused(reason), digit) }
            }
            let silent = try XCTUnwrap(DialledNumber("+15550000004"))
            var result: Result<ChatAddress, any Error>?
            Task {
                do { result = .success(try await chat.gatewayModule.address(of: silent, at: sms)) } catch {
                    result = .failure(error)
                }
            }
            waitUntil("it was asked") { gateway.events.contains { $0.contains("+15550000004") } }
            grace.clock.advance(by: .seconds(60))
            waitUntil("it gives up") { result != nil }
            XCTAssertThrowsError(try result?.get()) {
                XCTAssertEqual($0 as? ChatServiceError, .refused("The server isn’t responding."))
            }
            gateway.end()
        }
    }

    func testAccountWithoutGatewayHasNone() throws {
        try onMainActor {
            let grace = try fixture("grace")
            let chat = grace.chat
            XCTAssertNil(try awaited { await chat.gatewayModule.findGateway() })
            XCTAssertEqual(grace.gateways, [])
            let number = try XCTUnwrap(DialledNumber("+15558675309"))
            grace.chat.signOut()
            XCTAssertThrowsError(try awaited { try await chat.gatewayModule.address(of: number, at: sms) }) {
                XCTAssertEqual($0 as? ChatServiceError, .offline)
            }
        }
    }
}

/// Connects a gateway to the server.
@MainActor
private func connect(_ domain: String, _ kind: TelephoneGateway.Kind = .texts) throws -> TelephoneGateway {
    try TelephoneGateway(domain, at: TestServer.shared(), kind) { g_main_context_wakeup(nil) }
}

/// Tests of the choice of a gateway.
final class GatewaySearchTests: XCTestCase {
    func testOnlyServersAreAsked() throws {
        let items = ["a.example.org", "someone@example.org", "b.example.org/x"].compactMap { JID($0) }
            .map { DiscoItem(jid: $0, node: nil, name: "") }
        let node = DiscoItem(jid: try XCTUnwrap(JID("c.example.org")), node: "n", name: "")
        let many = (0..<100).compactMap { JID("r\($0).example.org") }
        let asked = GatewaySearch.candidates(roster: many, items: items + [node])
        XCTAssertEqual(asked.count, GatewaySearch.maximumAsked + 1)
        XCTAssertEqual(asked.last, JID("a.example.org"))
    }

    func testGatewaysToTelephonesArePreferred() throws {
        func info(_ category: String, _ type: String) -> DiscoInfo {
            DiscoInfo(identities: [.init(category: category, type: type)], features: [])
        }
        XCTAssertEqual(Gateway.rank(info("gateway", "sms")), 0)
        XCTAssertEqual(Gateway.rank(info("gateway", "x-unknown")), 1)
        XCTAssertNil(Gateway.rank(info("gateway", "irc")))
        XCTAssertNil(Gateway.rank(info("client", "phone")))
        var search = GatewaySearch()
        let jids = ["a.example.org", "b.example.org", "c.example.org"].compactMap { JID($0) }
        XCTAssertTrue(search.handle(info("gateway", "whatsapp"), of: jids[2], position: 2))
        XCTAssertTrue(search.handle(info("gateway", "sms"), of: jids[1], position: 1))
        XCTAssertFalse(search.handle(info("gateway", "signal"), of: jids[0], position: 0))
        XCTAssertFalse(search.handle(info("server", "im"), of: jids[0], position: 0))
        XCTAssertEqual(search.found?.jid, jids[1])
    }

    func testGatewayIsTheAddressOfAServer() {
        XCTAssertEqual(GatewaySearch.gateway(" SMS.example.org "), ChatAddress("sms.example.org"))
        for text in [
            "", "grace@example.org", "sms.example.org/x", "two words", "..",
            String(repeating: "x", count: 9999),
        ] {
            XCTAssertNil(GatewaySearch.gateway(text), text)
        }
    }
}
