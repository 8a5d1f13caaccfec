// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import TestSupport
import TouchtoneCore
@testable import TouchtoneXMPP
import XCTest

/// Tests of signing in with a token that the server has issued (XEP-0484).
final class TokenSignInTests: XMPPTestCase {
    @MainActor
    fileprivate struct Keyring {
        let store = FakePasswordStore()
        let wall = FixedWallClock(4_000_000_000_000)
        let clock = ManualScheduler()
        var tokens: SignInTokens { SignInTokens(store: store, wall: wall, clock: clock) }
        var kept: String? { store.stored["grace@localhost"] }
    }

    func testTokenTakesPlaceOfPasswordAlsoAfterRestart() throws {
        try onMainActor {
            let keyring = Keyring()
            let first =
                Script.extended(offer) + "expect mechanism='PLAIN'>.*\(request)</authenticate>\n"
                + Script.success(Script.inlineBound() + issued("one")) + Script.cut
            let resumed =
                try offered(proving: "one", "<resume .*<bind .*<fast xmlns='urn:xmpp:fast:0' count='[1-9]")
                + Script.success(
                    try proof("one") + "<resumed xmlns='urn:xmpp:sm:3' previd='previous' h='0'/>")
                + Script.cut
            let rotated =
                try offered(proving: "one", "<fast ")
                + Script.success(
                    try proof("one") + Script.inlineBound(id: "next") + issued("two")) + "wait"
            // Also the new program does not wait for the offer, which is kept with the token.
            let opening = "expect <stream:stream[^>]*>"
            let ahead = rotated.replacing(
                "tls good\n\(opening)", with: "tls good\n\(opening)(?=.*</authenticate>)")
            let (session, server) = try session(first, resumed, ahead, tokens: keyring.tokens)
            waitUntil("the token is kept") { keyring.kept?.contains(" one ") == true }
            retry(session)
            waitUntil("it is resumed") { session.beginnings == ["new", "resumed"] }
            session.client.signOut()
            // The program starts again.
            let next = Session(session.client.account, tokens: keyring.tokens)
            next.client.signIn()
            waitUntil("it is online") { next.isOnline || next.reason != nil }
            XCTAssertNil(next.reason)
            XCTAssertNil(next.client.mechanism)
            waitUntil("the next token is kept") { keyring.kept?.contains(" two ") == true }
            next.client.forgetToken(of: next.client.account.jid)
            waitUntil("it is removed") { keyring.store.stored.isEmpty }
            next.client.signOut()
            server.end()
        }
    }

    func testNewStreamIsSetUpWithToken() throws {
        try onMainActor {
            let counted = "expect <body>a</body>\nsend <a xmlns='urn:xmpp:sm:3' h='"
            let refusal =
                "send <failure xmlns='urn:xmpp:sasl:2'><not-authorized xmlns='urn:ietf:params:xml:ns:xmpp-sasl'/></failure>\nwait"
            let accepted =
                Script.success(try proof("one") + Script.inlineBound(id: "next")) + counted + "2'/>\nwait"
            let password =
                Script.extended(offer) + "expect mechanism='PLAIN'>.*</authenticate>\n"
                + Script.success(Script.inlineBound(id: "next")) + counted + "1'/>\nwait"
            for isRefused in [false, true] {
                let (keyring, place) = (Keyring(), KeptServer())
                let first =
                    Script.extended(offer) + "expect </authenticate>\n"
                    + Script.success(Script.inlineBound() + issued("one")) + "wait"
                let opening = "tls good\nexpect <stream:stream[^>]*>"
                let second =
                    (try offered(proving: "one", "<fast ") + (isRefused ? refusal : accepted))
                    .replacing(opening, with: opening + "(?=.*</authenticate>.*<presence)")
                let (session, _) = try session(
                    [first, second] + (isRefused ? [password] : []), tokens: keyring.tokens,
                    storage: place.storage)
                waitUntil("the token is kept") { keyring.kept?.contains(" one ") == true }
                session.client.signOut()
                let next = Session(
                    session.client.account, tokens: keyring.tokens, storage: place.storage)
                next.onOpened = { [weak next] in next?.client.send(Presence().element) }
                next.client.signIn()
                waitUntil("it is online") { next.isOnline || next.reason != nil }
                XCTAssertNil(next.reason)
                XCTAssertEqual(next.client.isOpened, !isRefused)
                XCTAssertTrue(next.client.hasCarbons)
                next.client.send(Message(to: JID("alan@localhost"), body: "a").element)
                waitUntil("it is counted") { next.acknowledged == ["a"] }
                next.client.signOut()
            }
        }
    }

    func testRefusedTokenIsReplacedByPassword() throws {
        try onMainActor {
            for condition in ["credentials-expired", "not-authorized", "malformed-request"] {
                let keyring = Keyring()
                try keyring.hold("old", for: "secret")
                let refusal =
                    try offered(proving: "old", "<fast ")
                    + "send <failure xmlns='urn:xmpp:sasl:2'><\(condition) xmlns='urn:ietf:params:xml:ns:xmpp-sasl'/></failure>\nwait"
                let password =
                    Script.extended(offer)
                    + "expect mechanism='PLAIN'>.*\(request)</authenticate>\n"
                    + Script.success(Script.inlineBound() + issued("new")) + "wait"
                let (session, _) = try session(refusal, password, tokens: keyring.tokens)
                waitUntil("it is online") { session.isOnline || session.reason != nil }
                XCTAssertNil(session.reason, condition)
                waitUntil("the new token is kept") { keyring.kept?.contains(" new ") == true }
                session.client.signOut()
            }
        }
    }

    func testPasswordThatIsWrongTooIsSaidSo() throws {
        try onMainActor {
            let keyring = Keyring()
            try keyring.hold("old", for: "secret")
            let failure =
                "send <failure xmlns='urn:xmpp:sasl:2'><not-authorized xmlns='urn:ietf:params:xml:ns:xmpp-sasl'/></failure>\nwait"
            let (session, server) = try session(
                try offered(proving: "old", "<fast ") + failure,
                Script.extended(offer) + "expect </authenticate>\n" + failure, "say again\nwait",
                tokens: keyring.tokens)
            waitUntil("there is a reason") { session.reason != nil }
            XCTAssertTrue(session.reason?.isOfPassword == true)
            XCTAssertFalse(server.output.contains("again"))
            waitUntil("the token is removed") { keyring.store.stored.isEmpty }
        }
    }

    func testServerWithoutTokenIsNotTrusted() throws {
        try onMainActor {
            for answer in ["", try proof("other"), "<additional-data></additional-data>"] {
                let keyring = Keyring()
                try keyring.hold("one", for: "secret")
                let (session, server) = try session(
                    try offered(proving: "one", "<fast ") + Script.success(answer + Script.inlineBound())
                        + "wait",
                    "expect <stream\nsay again\nwait", tokens: keyring.tokens)
                waitUntil("there is a reason") { session.reason != nil }
                XCTAssertEqual(session.reason, .signIn(.notProven))
                XCTAssertFalse(server.output.contains("again"))
            }
        }
    }

    /// A password that the user has typed is to be checked, and the token of another device or a past time is useless.
    func testOtherTokensAreNotUsed() throws {
        try onMainActor {
            for (password, device, seconds) in [
                ("other", Session.deviceID, Int64(1)), ("secret", "other", 1),
                ("secret", Session.deviceID, -1),
            ] {
                let keyring = Keyring()
                try keyring.hold("one", for: password, device, seconds: seconds)
                let script =
                    Script.extended(offer) + "expect mechanism='PLAIN'>.*</authenticate>\n"
                    + Script.success(Script.inlineBound()) + "wait"
                let (session, _) = try session(script, tokens: keyring.tokens)
                waitUntil("it is online") { session.isOnline || session.reason != nil }
                XCTAssertNil(session.reason)
                session.client.signOut()
            }
        }
    }

    func testUnboundTokenIsNotRequestedAfterBoundSignIn() throws {
        try onMainActor {
            let list =
                "<sasl-channel-binding xmlns='urn:xmpp:sasl-cb:0'><channel-binding type='tls-exporter'/></sasl-channel-binding>"
            let fast = offer.replacing("<mechanism>HT-SHA-256-EXPR</mechanism>", with: "")
            for (inline, wanted) in [(fast, "(?!.*request-token)"), (offer, "(?=.*HT-SHA-256-EXPR)")] {
                let offer = Script.extended(inline, ["SCRAM-SHA-1-PLUS"])
                    .replacing("</mechanisms>", with: "</mechanisms>\(list)")
                let (session, server) = try session(
                    offer + "expect \(wanted)<authenticate .*</authenticate>\nsay asked\nwait",
                    tokens: Keyring().tokens
                ) { $0.weakestMechanism = .scramSHA1Plus }
                waitUntil("it signs in") { server.output.contains("asked") }
                session.client.signOut()
            }
        }
    }

    func testNothingIsKeptWithoutKeyring() throws {
        try onMainActor {
            let keyring = Keyring()
            keyring.store.failure = .absent
            let first =
                Script.extended(offer) + "expect </authenticate>\n"
                + Script.success(Script.inlineBound() + issued("one")) + Script.cut
            let second =
                try offered(proving: "one", "<fast ")
                + Script.success(
                    try proof("one") + "<resumed xmlns='urn:xmpp:sm:3' previd='previous' h='0'/>") + "wait"
            let (session, _) = try session(first, second, tokens: keyring.tokens)
            waitUntil("it is online") { session.beginnings == ["new"] }
            retry(session)
            waitUntil("it is resumed") { session.beginnings == ["new", "resumed"] }
            XCTAssertEqual(keyring.store.storeCount, 0)
            session.client.signOut()
        }
    }

    func testSignInDoesNotWaitForLockedKeyring() throws {
        try onMainActor {
            let keyring = Keyring()
            try keyring.hold("one", for: "secret")
            keyring.store.isHeld = true
            let script =
                Script.extended(offer) + "expect mechanism='PLAIN'>.*</authenticate>\n"
                + Script.success(Script.inlineBound() + issued("two")) + "wait"
            let (session, _) = try session(script, tokens: keyring.tokens)
            waitUntil("the keyring is awaited") { keyring.clock.nextDelay == SignInTokens.patience }
            keyring.clock.advance(by: SignInTokens.patience)
            waitUntil("it is online") { session.isOnline || session.reason != nil }
            XCTAssertNil(session.reason)
            keyring.store.release()
            session.client.signOut()
        }
    }

    func testServerThatRefusesItsOwnTokensIsNotAskedAgain() throws {
        try onMainActor {
            let refusal =
                "send <failure xmlns='urn:xmpp:sasl:2'><not-authorized xmlns='urn:ietf:params:xml:ns:xmpp-sasl'/></failure>\nwait"
            let (session, server) = try session(
                Script.extended(offer) + "expect \(request)</authenticate>\n"
                    + Script.success(Script.inlineBound() + issued("one")) + Script.cut,
                try offered(proving: "one", "<fast ") + refusal,
                Script.extended(offer) + "expect (?!.*request-token)<authenticate .*</authenticate>\n"
                    + Script.success(Script.inlineBound()) + "say none\nwait", tokens: Keyring().tokens)
            waitUntil("it is online") { session.beginnings == ["new"] }
            retry(session)
            waitUntil("no token is requested") { server.output.contains("none") }
            session.client.signOut()
        }
    }
}

// MARK: - Scripts

private let offer =
    Script.bindOffer
    + "<fast xmlns='urn:xmpp:fast:0'><mechanism>HT-SHA-256-NONE</mechanism><mechanism>HT-SHA-256-EXPR</mechanism></fast>"
private let request = "<request-token xmlns='urn:xmpp:fast:0' mechanism='HT-SHA-256-NONE'/>"

/// The script up to a request with the proof of a token and a pattern.
private func offered(proving token: String, _ pattern: String) throws -> String {
    let initial = Base64.encode(
        try TokenProof(.unbound, name: "grace", token: token, bindingData: []).message)
    return Script.extended(offer)
        + "expect mechanism='HT-SHA-256-NONE'><initial-response>\(initial.replacing("+", with: "\\+"))</initial-response>.*\(pattern).*</authenticate>\n"
}

/// The server's proof of a token.
private func proof(_ token: String) throws -> String {
    let proof = try SCRAMHash.sha256.hmac(key: Array(token.utf8), Array("Responder".utf8))
    return "<additional-data>\(Base64.encode(proof))</additional-data>"
}

private func issued(_ token: String) -> String {
    "<token xmlns='urn:xmpp:fast:0' token='\(token)' expiry='2100-01-01T00:00:00Z'/>"
}

extension TokenSignInTests.Keyring {
    /// Puts a token into the keyring that expires in some seconds.
    fileprivate func hold(
        _ text: String, for password: String, _ device: String = Session.deviceID, seconds: Int64 = 1
    ) throws {
        let now = Timestamp(microseconds: wall.now.milliseconds * 1000)
        let expiry = Timestamp(microseconds: now.microseconds + seconds * 1_000_000)
        let token = try SignInToken(
            SASL2Success.IssuedToken(text: text, expiry: expiry), for: .unbound, deviceID: device,
            password: password, received: now)
        store.stored["grace@localhost"] = token.description
    }
}

/// Lets the time until the next attempt pass.
@MainActor
private func retry(_ session: Session) {
    waitUntil("the connection is lost") { session.reason != nil }
    session.clock.advance(by: session.clock.nextDelay ?? .zero)
}
