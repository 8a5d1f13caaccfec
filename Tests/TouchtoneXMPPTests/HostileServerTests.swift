// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import TestSupport
import TouchtoneCore
@testable import TouchtoneXMPP
import XCTest

/// Tests of servers that lie, stall and flood: bounded time and memory, a clear message, no crash.
final class HostileServerTests: XMPPTestCase {
    func testUnreachableServerIsReported() throws {
        try onMainActor {
            let none = freePorts(1)[0]
            let (session, _) = try session { $0.port = none }
            waitUntil("there is a reason") { session.reason != nil }
            guard case .unreachable(let host, let reason)? = session.reason else {
                return XCTFail("\(session.client.state)")
            }
            XCTAssertFalse(reason.contains(host), "the host is named twice: \(reason)")
            // The client retries at growing intervals.
            var delays: [Duration] = []
            for _ in 0..<8 {
                let delay = try XCTUnwrap(session.clock.nextDelay)
                delays.append(delay)
                session.clock.advance(by: delay)
                waitUntil("it has failed again") { session.reason != nil }
            }
            XCTAssertLessThanOrEqual(delays[0], .seconds(2))
            XCTAssertGreaterThanOrEqual(delays[7], .seconds(60))
        }
    }

    func testReportsServerThatIsNotXMPP() throws {
        try onMainActor {
            for text in [
                "HTTP/1.1 400 Bad Request", "<html>", "<stream:stream xmlns='jabber:client'>", "\\n\\n",
            ] {
                let reason = try outcome("expect <stream:stream[^>]*>\nsend \(text)").reason
                if case .notXMPP? = reason { continue }
                guard case .lost? = reason else { return XCTFail("\(text): \(String(describing: reason))") }
            }
        }
    }

    func testNothingIsSentWithoutTLS() throws {
        try onMainActor {
            let offer =
                "<mechanisms xmlns='urn:ietf:params:xml:ns:xmpp-sasl'><mechanism>PLAIN</mechanism></mechanisms>"
            let script =
                Script.opening
                + "send <stream:features>\(offer)</stream:features>\nexpect <auth\nsay password\n"
            let (reason, said, _) = try outcome(script)
            XCTAssertEqual(reason, .noSecrecy(host: "127.0.0.1", reason: "it doesn’t offer TLS"))
            XCTAssertFalse(said.contains("password"))
        }
    }

    func testDataBeforeTLSIsNotTrusted() throws {
        try onMainActor {
            let conditions = [
                "conflict", "host-unknown", "host-gone", "not-authorized", "unsupported-version",
            ]
            for (index, condition) in conditions.enumerated() {
                let opening = index % 2 == 0 ? Script.opening : Script.opening + Script.offeringTLS
                let error =
                    "send <stream:error><\(condition) xmlns='urn:ietf:params:xml:ns:xmpp-streams'/><text xmlns='urn:ietf:params:xml:ns:xmpp-streams'>Call 555-0100!</text></stream:error>\nwait"
                let (session, _) = try session(opening + error, Script.online + "wait")
                waitUntil("the stream has ended by \(condition)") { session.reason != nil }
                XCTAssertEqual(session.reason, .interrupted, condition)
                let text = try XCTUnwrap(session.reason?.description)
                XCTAssertTrue(text.contains("network") && !text.contains("555"), text)
                session.clock.advance(by: try XCTUnwrap(session.clock.nextDelay))
                waitUntil("it is online after \(condition)") { session.isOnline }
                session.client.signOut()
            }
        }
    }

    func testTextBetweenProceedAndTLSIsRefused() throws {
        try onMainActor {
            let slipped = Script.proceeding.replacingOccurrences(
                of: "xmpp-tls'/>\n", with: "xmpp-tls'/><stream:features>\n", options: .backwards,
                range: Script.proceeding.range(of: "<proceed").map {
                    $0.lowerBound..<Script.proceeding.endIndex
                })
            XCTAssertEqual(try outcome(slipped + "wait").reason, .notXMPP("data before TLS"))
        }
    }

    func testCertificatesAreVerified() throws {
        try onMainActor {
            for (name, flaws) in [
                ("expired", [.expired]), ("early", [.notYetValid]), ("other", [.otherName]),
                ("self", [.unknownIssuer]),
            ] as [(String, [CertificateProblem.Flaw])] {
                let (reason, _, session) = try outcome(Script.secure(name))
                guard case .certificate(let problem)? = reason else {
                    return XCTFail("\(name): \(String(describing: reason))")
                }
                XCTAssertEqual(problem.flaws, flaws, name)
                XCTAssertEqual(problem.fingerprint.count, 64)
                XCTAssertFalse(problem.subject.isEmpty)
                XCTAssertTrue(problem.expiry.hasPrefix("20"))
                XCTAssertTrue(reason?.needsUser == true)
                XCTAssertNil(session.clock.nextDelay)
            }
        }
    }

    func testOnlyPinnedCertificateIsTrusted() throws {
        try onMainActor {
            guard case .certificate(let problem)? = try outcome(Script.secure("self")).reason else {
                return XCTFail("it was trusted")
            }
            let pinned = Script.online.replacingOccurrences(of: "tls good", with: "tls self") + "wait"
            let (session, _) = try session(pinned) { $0.pinnedCertificate = problem.fingerprint.uppercased() }
            waitUntil("it is online") { session.isOnline }
            session.client.signOut()
            let other = try outcome(Script.secure("expired")) { $0.pinnedCertificate = problem.fingerprint }
                .reason
            guard case .certificate? = other else { return XCTFail("another was trusted") }
        }
    }

    func testSilentServerTimesOut() throws {
        try onMainActor {
            for script in [
                "wait", Script.opening + "wait", Script.secure() + "wait", Script.signedIn + "wait",
            ] {
                let (session, server) = try session("say here\n" + script)
                waitUntil("the server is reached") {
                    server.output.contains("here") && session.clock.nextDelay == .seconds(30)
                }
                session.clock.advance(by: .seconds(29))
                XCTAssertEqual(session.client.state, .connecting)
                session.clock.advance(by: .seconds(1))
                waitUntil("it is given up") { session.reason != nil }
                XCTAssertEqual(session.reason, .silent(.signingIn))
                session.client.signOut()
            }
        }
    }

    func testFloodsEndConnection() throws {
        try onMainActor {
            // 50 MB in one stanza, of which at most a third is skipped.
            let (reason2, said, _) = try outcome(Script.online + "send <message><body>\nflood 50000000 x")
            XCTAssertEqual(reason2, .tooLarge("a stanza"))
            let sent = said.first { $0.hasPrefix("flooded") }?.split(separator: " ").last.flatMap { Int($0) }
            XCTAssertLessThan(try XCTUnwrap(sent), 35_000_000)
            // Before authentication the limit is lower.
            let (reason3, _, _) = try outcome(
                Script.secure() + Script.opening + "send <stream:features>\nflood 1000000 <a>x</a>")
            guard case .tooLarge? = reason3 else { return XCTFail("\(String(describing: reason3))") }
            let (reason4, _, _) = try outcome(
                Script.secure() + Script.opening + "send <a b='\nflood 1000000 x")
            XCTAssertEqual(reason4, .tooLarge("a tag"))
        }
    }

    func testForbiddenXMLEndsStream() throws {
        try onMainActor {
            let laughs =
                "<!DOCTYPE lolz [<!ENTITY lol 'lol'><!ENTITY lol2 '&lol;&lol;&lol;&lol;'>]><lolz>&lol2;</lolz>"
            XCTAssertEqual(
                try outcome("expect <stream:stream[^>]*>\nsend \(laughs)").reason,
                .notXMPP("it contains a document type"))
            for script in [
                "send \(laughs)", "hex 3c613eff3c2f613e", "send <a></b>", "send <!-- x -->", "send text",
            ] {
                guard case .notXMPP? = try outcome(Script.online + script + "\nwait").reason else {
                    return XCTFail(script)
                }
            }
        }
    }

    func testHalfStanzaThenSilence() throws {
        try onMainActor {
            let (session, server) = try session(
                Script.online + "send <message><body>hal\nsay half\nexpect <r [^>]*>\nsay asked\nwait")
            waitUntil("half a stanza was sent") { session.isOnline && server.output.contains("half") }
            session.clock.advance(by: .seconds(120))
            waitUntil("it asks for a sign of life") { server.output.contains("asked") }
            XCTAssertTrue(session.isOnline)
            session.clock.advance(by: .seconds(30))
            waitUntil("it is given up") { session.reason != nil }
            XCTAssertEqual(session.reason, .silent(.online))
            session.client.signOut()
        }
    }

    func testServerWithoutProofIsNotTrusted() throws {
        try onMainActor {
            let offer = Script.offering(["SCRAM-SHA-1"]) + "expect </auth>\n"
            let success = "<success xmlns='urn:ietf:params:xml:ns:xmpp-sasl'/>"
            XCTAssertEqual(try outcome(offer + "send \(success)\nwait").reason, .signIn(.notProven))
            // r=x,s=QSXCR+Q6sek8bf92,i=4096
            let challenge =
                "<challenge xmlns='urn:ietf:params:xml:ns:xmpp-sasl'>cj14LHM9UVNYQ1IrUTZzZWs4YmY5MixpPTQwOTY=</challenge>"
            let (reason, said, _) = try outcome(
                offer + "send \(challenge)\nexpect <response\nsay proof\nwait")
            XCTAssertEqual(reason, .signIn(.implausible("the nonce")))
            XCTAssertFalse(said.contains("proof"))
        }
    }

    func testPasswordIsNotSentToDowngradedOffer() throws {
        try onMainActor {
            let script = Script.offering(["PLAIN"]) + "expect <auth\nsay password\nwait"
            let (reason, said, _) = try outcome(script) { $0.weakestMechanism = .scramSHA256 }
            XCTAssertEqual(reason, .signIn(.downgraded(from: .scramSHA256, to: .plain)))
            XCTAssertFalse(said.contains("password"))
            let (none, _, _) = try outcome(Script.offering(["DIGEST-MD5", "ANONYMOUS"]) + "wait")
            XCTAssertEqual(none, .signIn(.noMechanism(offered: ["ANONYMOUS", "DIGEST-MD5"])))
        }
    }

    func testPasswordIsBoundToChannelIfServerSupportsIt() throws {
        try onMainActor {
            for (version, binding, header) in [
                ("", "tls-exporter", "cD10bHMtZXhwb3J0ZXIs"),
                ("", "tls-server-end-point", "cD10bHMtc2VydmVyLWVuZC1wb2ludCws"),
                (" 1.2", "tls-unique", "cD10bHMtdW5pcXVlLC"), (" 1.2", "tls-exporter", "biws"),
            ] {
                let list =
                    "<sasl-channel-binding xmlns='urn:xmpp:sasl-cb:0'><channel-binding type='\(binding)'/></sasl-channel-binding>"
                let script = Script.offering(["SCRAM-SHA-1", "SCRAM-SHA-1-PLUS"])
                    .replacingOccurrences(of: "</mechanisms>", with: "</mechanisms>\(list)")
                    .replacingOccurrences(of: "tls good", with: "tls good\(version)")
                let (session, server) = try session(script + "expect <auth[^>]*>\(header)\nsay bound\nwait")
                waitUntil("\(binding) is used") { server.output.contains("bound") || session.reason != nil }
                XCTAssertNil(session.reason)
                session.client.signOut()
            }
        }
    }

    func testRefusedBindingIsSaidAndTriedWithoutOnce() throws {
        try onMainActor {
            let list =
                "<sasl-channel-binding xmlns='urn:xmpp:sasl-cb:0'><channel-binding type='tls-exporter'/></sasl-channel-binding>"
            let offer = Script.offering(["SCRAM-SHA-1", "SCRAM-SHA-1-PLUS"])
                .replacingOccurrences(of: "</mechanisms>", with: "</mechanisms>\(list)")
            let sasl = "xmlns='urn:ietf:params:xml:ns:xmpp-sasl'"
            for failure in [
                "<not-authorized/><text>Invalid channel binding</text>", "<malformed-request/>",
                "<not-authorized/><text>channel-bindings-dont-match</text>",
            ] {
                let refusal =
                    offer
                    + "expect <auth[^>]*>cD10bHMtZXhwb3J0ZXIs\nsend <failure \(sasl)>\(failure)</failure>\nwait"
                // `n,,`: the server that offers bound mechanisms must refuse the flag `y`.
                let unbound = offer + "expect <auth[^>]*SCRAM-SHA-1['\"][^>]*>biws\nsay unbound\nwait"
                let (session, server) = try session(refusal, unbound)
                waitUntil("it is tried without") {
                    server.output.contains("unbound") || session.reason != nil
                }
                XCTAssertNil(session.reason, failure)
                session.client.signOut()
                // The account has signed in with a binding before.
                let (bound, other) = try TouchtoneXMPPTests.session(refusal, unbound) {
                    $0.weakestMechanism = .scramSHA1Plus
                }
                waitUntil("it is stopped") { bound.reason != nil }
                guard case .signIn(.bindingRefused(unbound: .scramSHA1, _))? = bound.reason,
                    case .failed(.weakerSignIn(let offered)) = bound.client.state
                else { return XCTFail("\(failure): \(bound.client.state)") }
                XCTAssertEqual(offered.method, "SCRAM-SHA-1")
                XCTAssertTrue(offered.reason.hasPrefix("The server sees a different connection"))
                XCTAssertNil(bound.clock.nextDelay)
                // The user allows it.
                bound.client.account.weakestMechanism = .scramSHA1
                bound.client.signIn()
                waitUntil("it is tried without") { other.output.contains("unbound") }
                bound.client.signOut()
            }
        }
    }

    func testBindingRefusedTwiceStopsAndWrongPasswordIsToldApart() throws {
        try onMainActor {
            let offer = Script.offering(["SCRAM-SHA-1", "SCRAM-SHA-1-PLUS"])
                .replacingOccurrences(of: "tls good", with: "tls good 1.2")
            let refusal = { (condition: String) in
                offer
                    + "expect <auth\nsend <failure xmlns='urn:ietf:params:xml:ns:xmpp-sasl'>\(condition)</failure>\nwait"
            }
            let named = refusal("<not-authorized/><text>Invalid channel binding</text>")
            let (session, server) = try session(named, named, offer + "say again\nwait")
            waitUntil("it is refused") { session.reason != nil }
            guard case .signIn(.refused(condition: "not-authorized", _))? = session.reason else {
                return XCTFail("\(session.client.state)")
            }
            XCTAssertNil(session.clock.nextDelay)
            XCTAssertFalse(server.output.contains("again"))
            let (other, password) = try TouchtoneXMPPTests.session(
                refusal("<not-authorized/>"), offer + "say again\nwait")
            waitUntil("it is refused") { other.reason != nil }
            XCTAssertTrue(other.reason?.description.hasPrefix("Wrong password") == true)
            XCTAssertFalse(password.output.contains("again"))
        }
    }

    func testAlteredOfferIsNotAnswered() throws {
        try onMainActor {
            let names = ["SCRAM-SHA-1", "SCRAM-SHA-256", "PLAIN"]
            // With another version of TLS at its end, somebody in between could choose the binding.
            for (hashed, rest, isAltered) in [
                (names, "", false), (["SCRAM-SHA-1-PLUS"] + names, "", true),
                (["SCRAM-SHA-1", "PLAIN"], "", true), (names, ",t=0304", false), (names, ",t=0303", true),
            ] {
                let hash = try OfferHash.make(mechanisms: hashed, bindings: nil, hash: .sha256)
                // The server repeats the client's nonce, with one letter more.
                let script =
                    Script.offering(names) + """
                        expect <auth[^>]*>([^<]*)</auth>
                        challenge {1} s=QSXCR+Q6sek8bf92,i=4096,h=\(hash)\(rest)
                        expect <response
                        say proof
                        wait
                        """
                let (session, server) = try session(script)
                waitUntil("it answers, or stops") {
                    server.output.contains("proof") || session.reason != nil
                }
                XCTAssertEqual(session.reason, isAltered ? .signIn(.alteredOffer) : nil)
                XCTAssertEqual(server.output.contains("proof"), !isAltered)
                if isAltered {
                    XCTAssertNil(session.clock.nextDelay)
                    XCTAssertTrue(session.reason?.description.contains("intercepting") == true)
                }
                session.client.signOut()
            }
        }
    }

    func testReasonOfServerIsReported() throws {
        try onMainActor {
            let error = { (name: String) in
                "send <stream:error><\(name) xmlns='urn:ietf:params:xml:ns:xmpp-streams'/><text xmlns='urn:ietf:params:xml:ns:xmpp-streams'>so\\nthere</text></stream:error>\nwait"
            }
            XCTAssertEqual(try outcome(Script.online + error("conflict")).reason, .replaced)
            XCTAssertEqual(
                try outcome(Script.online + error("system-shutdown")).reason,
                .ended(condition: "system-shutdown", text: "so there"))
            let disabled = "<failure xmlns='urn:ietf:params:xml:ns:xmpp-sasl'><account-disabled/></failure>"
            XCTAssertEqual(
                try outcome(Script.offering(["PLAIN"]) + "expect </auth>\nsend \(disabled)\nwait").reason,
                .signIn(.refused(condition: "account-disabled", text: "")))
        }
    }

    func testForeignBoundAddressIsRefused() throws {
        try onMainActor {
            for jid in ["mallory@localhost/phone", "grace@localhost", "x y"] {
                XCTAssertEqual(
                    try outcome(Script.bound(as: jid) + "wait").reason,
                    .notXMPP("a different account’s address"),
                    jid)
            }
        }
    }

    func testAcknowledgementOfUnsentStanzasEndsStream() throws {
        try onMainActor {
            XCTAssertEqual(
                try outcome(Script.online + "send <a xmlns='urn:xmpp:sm:3' h='7'/>\nwait").reason,
                .notXMPP("acknowledgement of unsent stanzas"))
        }
    }
}

/// Runs a script until the client reports a reason.
@MainActor
private func outcome(
    _ script: String, file: StaticString = #filePath, line: UInt = #line,
    account change: (inout XMPPAccount) -> Void = { _ in }
) throws -> (reason: XMPPError?, said: [String], session: Session) {
    let (session, server) = try session(script, account: change)
    waitUntil("there is a reason", file: file, line: line) { session.reason != nil }
    waitUntil("the server has seen the end", file: file, line: line) { server.output.contains("end") }
    XCTAssertFalse(session.reason?.description.isEmpty == true, file: file, line: line)
    let reason = session.reason
    session.client.signOut()
    return (reason, server.output, session)
}
