// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Foundation
import TestSupport
import TouchtoneCore
@testable import TouchtoneXMPP
import XCTest

/// Tests of signing in with one request for authentication, a resource and a resumed stream (XEP-0388, XEP-0386).
final class ExtendedSignInTests: XMPPTestCase {
    func testResourceAndFeaturesComeWithPassword() throws {
        try onMainActor {
            let greeting = "expect <stream:stream"
            let parts = Script.extended().components(separatedBy: greeting)
            XCTAssertEqual(parts.count, 3)
            // Nobody learns the account's name before TLS.
            let script =
                parts[0] + greeting + "(?![^>]* from=)" + parts[1] + greeting
                + "(?=[^>]* from='grace@localhost')" + parts[2] + """
                    expect <authenticate xmlns='urn:xmpp:sasl:2' mechanism='PLAIN'><initial-response>AGdyYWNlAHNlY3JldA==</initial-response><user-agent id='\(Session.deviceID)'><software>Touchtone</software></user-agent><bind xmlns='urn:xmpp:bind:0'><tag>Touchtone</tag><enable xmlns='urn:xmpp:carbons:2'/><enable xmlns='urn:xmpp:sm:3' resume='true'/></bind></authenticate>

                    """ + Script.success(Script.inlineBound()) + """
                    expect <body>a</body>.*<r [^>]*>
                    send <a xmlns='urn:xmpp:sm:3' h='1'/>
                    wait
                    """
            let (session, _) = try session(script)
            waitUntil("it is online") { session.isOnline || session.reason != nil }
            XCTAssertNil(session.reason)
            XCTAssertEqual(session.client.address?.description, "grace@localhost/Touchtone.x")
            XCTAssertEqual(session.mechanisms, [.plain])
            XCTAssertTrue(session.client.hasCarbons && session.client.hasRosterVersions)
            send("a", session)
            waitUntil("it is acknowledged") { session.acknowledged == ["a"] }
            session.client.signOut()
        }
    }

    func testServerLearnsOfAbsenceWithSignIn() throws {
        try onMainActor {
            let script =
                Script.extended()
                + "expect <inactive xmlns='urn:xmpp:csi:0'/></bind></authenticate>\n"
                + Script.success(Script.inlineBound()) + "expect <active [^>]*>\nsay active\nwait"
            let (session, server) = try session("reset", script)
            waitUntil("the connection is lost") { session.reason != nil }
            session.client.isActive = false
            retry(session)
            waitUntil("it is online") { session.isOnline }
            session.client.isActive = true
            waitUntil("it is told") { server.output.contains("active") }
            session.client.signOut()
        }
    }

    func testStreamIsResumedWithSignIn() throws {
        try onMainActor {
            let first = Script.extendedOnline + message("one") + "expect <body>a</body>\nreset"
            // ejabberd sends no features after a resumption.
            let second =
                Script.extended() + """
                    expect <resume xmlns='urn:xmpp:sm:3' previd='previous' h='1'/><bind .*</authenticate>

                    """
                + Script.success(
                    "<resumed xmlns='urn:xmpp:sm:3' previd='previous' h='0'/>", features: "")
                + "expect <body>a</body>.*<r [^>]*>\nsend <a xmlns='urn:xmpp:sm:3' h='1'/>\n" + message("two")
                + Script.cut
            // Prosody sends what waits before the features.
            let third =
                Script.extended() + "expect <resume [^>]*h='2'/>.*</authenticate>\n"
                + Script.success(
                    "<resumed xmlns='urn:xmpp:sm:3' previd='previous' h='1'/>", features: "")
                + message("three") + "send \(Script.laterFeatures)\nsend <r xmlns='urn:xmpp:sm:3'/>\n"
                + "expect <a [^>]*h='3'\nsay counted\nwait"
            let (session, server) = try session(first, second, third)
            waitUntil("the first message is there") { session.bodies == ["one"] }
            send("a", session)
            for texts in [["one", "two"], ["one", "two", "three"]] {
                retry(session)
                waitUntil("it is resumed") { session.bodies == texts }
            }
            waitUntil("it is counted") { server.output.contains("counted") }
            XCTAssertEqual(session.acknowledged, ["a"])
            XCTAssertEqual(session.beginnings, ["new", "resumed", "resumed"])
            session.client.signOut()
        }
    }

    func testLostStreamIsReplacedInSameRequest() throws {
        try onMainActor {
            let first = Script.extendedOnline + "expect <body>a</body>.*<body>b</body>\nreset"
            let second =
                Script.extended() + "expect </authenticate>\n"
                + Script.success(
                    "<failed xmlns='urn:xmpp:sm:3' h='1'><item-not-found xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></failed>"
                        + Script.inlineBound(id: "next"), features: "")
                + message("one") + "send \(Script.laterFeatures)\nsend <r xmlns='urn:xmpp:sm:3'/>\n"
                + "expect <a [^>]*h='1'\nsay counted\nwait"
            let (session, server) = try session(first, second)
            waitUntil("it is online") { session.isOnline }
            send("a", session)
            send("b", session)
            retry(session)
            waitUntil("it is online again") { server.output.contains("counted") }
            XCTAssertEqual(session.acknowledged, ["a"])
            XCTAssertEqual(session.notDelivered, ["b"])
            XCTAssertEqual(session.beginnings, ["new", "new"])
            XCTAssertEqual(session.bodies, ["one"])
            session.client.signOut()
        }
    }

    func testStepsThatAreNotOfferedFollow() throws {
        try onMainActor {
            let bind = """
                expect <iq type='set' id='([^']*)'.*?</iq>
                send <iq type='result' id='{1}'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'><jid>grace@localhost/phone</jid></bind></iq>
                expect <enable [^>]*>
                send <enabled xmlns='urn:xmpp:sm:3' id='previous' resume='true'/>

                """
            let features =
                "<stream:features><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/><sm xmlns='urn:xmpp:sm:3'/></stream:features>"
            let success = Script.success("", identifier: "grace@localhost", features: features)
            let resumed =
                Script.extended("") + "expect </user-agent></authenticate>\n" + success
                + "expect <resume [^>]*>\nsend <resumed xmlns='urn:xmpp:sm:3' previd='previous' h='0'/>\nwait"
            // The second server offers to bind a resource, and does not do it.
            for inline in ["", Script.bindOffer] {
                let script =
                    Script.extended(inline) + "expect </authenticate>\n" + success + bind + Script.cut
                let (session, _) = try session(script, resumed)
                waitUntil("it is cut") { session.beginnings == ["new"] && session.reason != nil }
                XCTAssertEqual(session.mechanisms, [.plain])
                XCTAssertFalse(session.client.hasCarbons)
                retry(session)
                waitUntil("it is resumed") { session.beginnings == ["new", "resumed"] }
                session.client.signOut()
            }
        }
    }

    func testFaultyAnswersLeadToOtherProfileOnce() throws {
        try onMainActor {
            let sasl = "xmlns='urn:xmpp:sasl:2'"
            let wrong =
                [
                    "<success \(sasl)/>",
                    "<success \(sasl)><authorization-identifier>mallory@localhost/x</authorization-identifier>\(Script.inlineBound())</success>",
                    "<success \(sasl)><authorization-identifier>x y</authorization-identifier></success>",
                    "<success \(sasl)><authorization-identifier>grace@localhost/x</authorization-identifier><authorization-identifier>grace@localhost/x</authorization-identifier>\(Script.inlineBound())</success>",
                    "<success \(sasl)><additional-data>YQ==</additional-data><additional-data>YQ==</additional-data><authorization-identifier>grace@localhost/x</authorization-identifier>\(Script.inlineBound())</success>",
                    "<success \(sasl)><additional-data>=</additional-data><authorization-identifier>grace@localhost/x</authorization-identifier>\(Script.inlineBound())</success>",
                    "<success \(sasl)><authorization-identifier>grace@localhost/x</authorization-identifier>\(Script.inlineBound())\(Script.inlineBound())</success>",
                    "<success \(sasl)><authorization-identifier>grace@localhost</authorization-identifier>\(Script.inlineBound())</success>\(Script.laterFeatures)",
                    "<success \(sasl)><authorization-identifier>grace@localhost/x</authorization-identifier><resumed xmlns='urn:xmpp:sm:3' previd='other' h='0'/></success>",
                    "<success \(sasl)><authorization-identifier>grace@localhost/x</authorization-identifier></success><stream:features/>",
                    "<success xmlns='urn:ietf:params:xml:ns:xmpp-sasl'/>",
                    "<challenge \(sasl)>YQ==</challenge>",
                    "<continue \(sasl)><tasks><task>TOTP</task></tasks></continue>", "<message/>",
                    "<failure \(sasl)><malformed-request xmlns='urn:ietf:params:xml:ns:xmpp-sasl'/></failure>",
                    "<failure \(sasl)><invalid-mechanism/></failure>",
                    "<stream:error><unsupported-stanza-type xmlns='urn:ietf:params:xml:ns:xmpp-streams'/></stream:error>",
                ].map { "send \($0)\nwait" } + [
                    "wide 1000000 <success \(sasl)><token xmlns='urn:xmpp:fast:0' token='%x%'/></success>\nwait"
                ]
            for answer in wrong {
                let faulty = Script.extended() + "expect </authenticate>\n\(answer)"
                // The third connection offers both again.
                let (session, server) = try session(
                    faulty, Script.online + Script.cut,
                    Script.extended()
                        + "expect <auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl'\nsay other\nwait")
                waitUntil("it has been online after \(answer)") {
                    session.beginnings == ["new"] || session.reason != nil
                }
                XCTAssertEqual(
                    session.beginnings, ["new"], "\(answer): \(String(describing: session.reason))")
                retry(session)
                waitUntil("the other profile is used again") { server.output.contains("other") }
                session.client.signOut()
            }
        }
    }

    func testFaultyResumptionIsNotRepeated() throws {
        try onMainActor {
            let answers = [
                "<resumed xmlns='urn:xmpp:sm:3' previd='other' h='0'/>",
                "<resumed xmlns='urn:xmpp:sm:3' previd='previous'/>",
                "<resumed xmlns='urn:xmpp:sm:3' previd='previous' h='7'/>",
                "<resumed xmlns='urn:xmpp:sm:3' previd='previous' h='0'/>" + Script.inlineBound(),
                "<resumed xmlns='urn:xmpp:sm:3' previd='previous' h='0'/><failed xmlns='urn:xmpp:sm:3' h='9'/>",
            ]
            for answer in answers {
                let faulty = Script.extended() + "expect </authenticate>\n" + Script.success(answer) + "wait"
                let (session, _) = try session(
                    Script.extendedOnline + Script.cut, faulty, Script.online + "wait")
                waitUntil("it is cut") { session.beginnings == ["new"] && session.reason != nil }
                retry(session)
                waitUntil("it is online after \(answer)") {
                    session.beginnings == ["new", "new"] || session.reason != nil
                }
                XCTAssertEqual(session.beginnings, ["new", "new"], answer)
                session.client.signOut()
            }
            // Another device's address is not this one's.
            let other =
                Script.extended() + "expect </authenticate>\n"
                + Script.success(
                    "<resumed xmlns='urn:xmpp:sm:3' previd='previous' h='0'/>",
                    identifier: "grace@localhost/other")
                + "wait"
            let (session, _) = try session(Script.extendedOnline + Script.cut, other, Script.online + "wait")
            waitUntil("it is cut") { session.beginnings == ["new"] && session.reason != nil }
            retry(session)
            waitUntil("it is online") { session.isOnline }
            XCTAssertEqual(session.beginnings, ["new", "new"])
            session.client.signOut()
        }
    }

    func testWrongPasswordIsTriedOnce() throws {
        try onMainActor {
            for condition in ["not-authorized", "account-disabled", "credentials-expired"] {
                let script =
                    Script.extended()
                    + "expect </authenticate>\nsend <failure xmlns='urn:xmpp:sasl:2'><\(condition) xmlns='urn:ietf:params:xml:ns:xmpp-sasl'/><text>No!</text></failure>\nwait"
                let (session, server) = try session(script, "say again\nwait")
                waitUntil("there is a reason") { session.reason != nil }
                XCTAssertEqual(session.reason, .signIn(.refused(condition: condition, text: "No!")))
                XCTAssertNil(session.clock.nextDelay)
                XCTAssertFalse(server.output.contains("again"))
            }
        }
    }

    func testWeakerOfferIsRefusedInBothProfiles() throws {
        try onMainActor {
            let script = Script.extended() + "expect <auth\nsay password\nwait"
            let (session, server) = try session(script, script) { $0.weakestMechanism = .scramSHA256 }
            waitUntil("there is a reason") { session.reason != nil }
            XCTAssertEqual(session.reason, .signIn(.downgraded(from: .scramSHA256, to: .plain)))
            XCTAssertFalse(server.output.contains("password"))
            // The mechanisms that count are those of the profile that is used.
            let mixed = Script.extended(Script.bindOffer, ["PLAIN"]).replacing(
                "xmpp-sasl'><mechanism>PLAIN",
                with: "xmpp-sasl'><mechanism>SCRAM-SHA-256</mechanism><mechanism>PLAIN")
            let (other, second) = try TouchtoneXMPPTests.session(mixed + "expect <auth\nsay password\nwait") {
                $0.weakestMechanism = .scramSHA256
            }
            waitUntil("there is a reason") { other.reason != nil }
            XCTAssertFalse(second.output.contains("password"))
        }
    }

    func testRefusedBindingIsToldApart() throws {
        try onMainActor {
            let list =
                "<sasl-channel-binding xmlns='urn:xmpp:sasl-cb:0'><channel-binding type='tls-exporter'/></sasl-channel-binding>"
            let offer = Script.extended(Script.bindOffer, ["SCRAM-SHA-1", "SCRAM-SHA-1-PLUS"])
                .replacing("</mechanisms>", with: "</mechanisms>\(list)")
            let refusal =
                offer
                + "expect <authenticate[^>]*PLUS.*</authenticate>\nsend <failure xmlns='urn:xmpp:sasl:2'><not-authorized xmlns='urn:ietf:params:xml:ns:xmpp-sasl'/><text>Invalid channel binding</text></failure>\nwait"
            let unbound = offer + "expect <authenticate[^>]*SCRAM-SHA-1'.*</authenticate>\nsay unbound\nwait"
            let (session, server) = try session(refusal, unbound)
            waitUntil("it is tried without") { server.output.contains("unbound") || session.reason != nil }
            XCTAssertNil(session.reason)
            session.client.signOut()
            let (bound, _) = try TouchtoneXMPPTests.session(refusal, unbound) {
                $0.weakestMechanism = .scramSHA1Plus
            }
            waitUntil("it is stopped") { bound.reason != nil }
            guard case .signIn(.bindingRefused(unbound: .scramSHA1, _))? = bound.reason else {
                return XCTFail("\(bound.client.state)")
            }
        }
    }

    func testConnectionLostAgainAndAgainLeadsToOtherProfile() throws {
        try onMainActor {
            let cut = Script.extended() + "expect </authenticate>\nreset"
            let (session, _) = try session(cut, cut, cut, Script.online + "wait")
            for _ in 0..<2 {
                waitUntil("it is cut") { session.reason != nil }
                retry(session)
            }
            waitUntil("it is online") { session.isOnline }
            session.client.signOut()
        }
    }
}

private func message(_ body: String) -> String {
    "send <message from='alan@localhost/x' to='grace@localhost' type='chat'><body>\(body)</body></message>\n"
}

@MainActor
private func send(_ body: String, _ session: Session) {
    guard let jid = JID("alan@localhost") else { return }
    session.client.send(Message(to: jid, body: body).element)
}

/// Lets the time until the next attempt pass.
@MainActor
private func retry(_ session: Session) {
    waitUntil("the connection is lost") { session.reason != nil }
    session.clock.advance(by: session.clock.nextDelay ?? .zero)
}
