// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GLibBridge
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneXMPP

/// Tests of real-time text between two accounts, on an independent server.
final class RealTimeConversationTests: XMPPTestCase {
    func testEachSideSeesWhatTheOtherTypes() throws {
        try onMainActor {
            let (grace, alan) = (try RoomFixture("grace"), try RoomFixture("alan"))
            // Another device of his, which sees nothing.
            let tablet = try RoomFixture("alan", account: alan.account)
            try befriend(grace, alan)
            let mine = try open(grace, with: alan)
            mine.draft = "a secret"
            mine.typed()
            // He has not asked for it: nothing but the question comes.
            waitUntil("his devices are asked") { grace.xmpp.realTime.exchange?.asked.count == 2 }
            pass(grace)
            XCTAssertEqual(mine.liveText.standing, .waiting)
            let his = try open(alan, with: grace)
            waitUntil("both have asked") {
                mine.liveText.standing == .active && his.liveText.standing == .active
            }
            pass(grace)
            waitUntil("he sees it") { his.liveText.text == "a secret" }
            for text in ["a secr", "a secr 👩‍👩‍👧 e\u{301}", "what?\n", ""] {
                mine.draft = text
                mine.typed()
                pass(grace)
                waitUntil("he sees \(text)") { his.liveText.text == text }
            }
            mine.draft = "hello "
            mine.typed()
            pass(grace)
            waitUntil("he sees the last text") { his.liveText.text == "hello " }
            mine.send("hello Alan")
            waitUntil("the message takes its place") { his.window.map(\.text) == ["hello Alan"] }
            XCTAssertEqual(his.liveText.text, "")
            his.draft = "and you"
            his.typed()
            pass(alan)
            waitUntil("she sees his") { mine.liveText.text == "and you" }
            // He leaves.
            alan.chat.select(nil)
            waitUntil("it has ended") { mine.liveText.standing == .waiting && mine.liveText.text.isEmpty }
            // Nothing of it was stored, nor told to the other device.
            XCTAssertEqual(tablet.store.table.messages(of: grace.address).map(\.text), ["hello Alan"])
            XCTAssertEqual(grace.store.table.messages(of: alan.address).map(\.text), ["hello Alan"])
            XCTAssertEqual(alan.store.table.messages(of: grace.address).map(\.text), ["hello Alan"])
            for fixture in [grace, alan, tablet] { fixture.end() }
        }
    }

    /// The user is asked while a buddy asks, who learns nothing before the user has allowed it.
    func testBuddyWhoAsksWaitsForTheUser() throws {
        try onMainActor {
            let (grace, alan) = (try RoomFixture("grace"), try RoomFixture("alan"))
            try befriend(grace, alan)
            grace.chat.select(alan.address)
            let mine = try XCTUnwrap(grace.chat.selected)
            let his = try open(alan, with: grace)
            waitUntil("she is asked") { mine.liveText.isAsked }
            XCTAssertEqual(mine.liveText.standing, .off)
            alan.chat.select(nil)
            waitUntil("he has cancelled") { !mine.liveText.isAsked }
            alan.chat.select(grace.address)
            waitUntil("he asks again") { mine.liveText.isAsked }
            // Not now: what he does on this stream does not ask her any more.
            grace.chat.putOffRealTimeText(alan.address)
            XCTAssertFalse(mine.liveText.isAsked)
            let device = try XCTUnwrap(alan.program.client.address)
            for event in [RealTimeText.Event.cancel, .start, .new] {
                try grace.take(event, from: device)
                XCTAssertFalse(mine.liveText.isAsked)
            }
            XCTAssertEqual(his.liveText.standing, .off, "he has closed that conversation")
            XCTAssertEqual(alan.chat.selected?.liveText.standing, .waiting)
            XCTAssert(alan.xmpp.realTime.exchange?.device == nil, "he has learnt nothing")
            // The next stream forgets that.
            grace.xmpp.realTime.begin()
            try grace.take(.start, from: device)
            XCTAssert(mine.liveText.isAsked)
            grace.chat.setRealTimeText(true, alan.address)
            XCTAssertFalse(mine.liveText.isAsked)
            waitUntil("it begins") {
                mine.liveText.standing == .active && alan.chat.selected?.liveText.standing == .active
            }
            for fixture in [grace, alan] { fixture.end() }
        }
    }

    /// However often somebody asks, little is done.
    func testBuddyWhoAsksTooOftenIsNotShown() throws {
        try onMainActor {
            let (grace, alan) = (try RoomFixture("grace"), try RoomFixture("alan"))
            try befriend(grace, alan)
            grace.chat.select(alan.address)
            let mine = try XCTUnwrap(grace.chat.selected)
            let changes = Changes()
            mine.observe(by: changes) { [weak changes] in if $0 == .liveText { changes?.count += 1 } }
            let device = try XCTUnwrap(alan.program.client.address)
            for _ in 0..<1000 { try grace.take(.start, from: device) }
            XCTAssert(mine.liveText.isAsked)
            XCTAssertEqual(changes.count, 1)
            for _ in 0..<1000 {
                try grace.take(.cancel, from: device)
                try grace.take(.start, from: device)
            }
            XCTAssertFalse(mine.liveText.isAsked)
            XCTAssertEqual(changes.count, 2 * RealTimeExchange.maximumAnswers)
            for fixture in [grace, alan] { fixture.end() }
        }
    }

    /// Others learn of it at once whether the user wants it anywhere, and in every conversation.
    func testSettingIsToldAndFollowed() throws {
        try onMainActor {
            let (grace, alan) = (try RoomFixture("grace"), try RoomFixture("alan"))
            try befriend(grace, alan)
            let client = alan.program.client
            let device = try XCTUnwrap(grace.program.client.address)
            @MainActor func tells() throws -> Bool {
                try awaited { try await client.info(of: device).features.contains(RealTimeText.namespace) }
            }
            XCTAssert(try tells())
            grace.chat.realTimeText = .never
            XCTAssertFalse(try tells())
            _ = try open(grace, with: alan)
            let his = try open(alan, with: grace)
            XCTAssertNil(grace.xmpp.realTime.exchange)
            for fixture in [grace, alan] { fixture.chat.realTimeText = .always }
            XCTAssert(try tells())
            waitUntil("it begins") { his.liveText.standing == .active }
            grace.chat.realTimeText = .never
            waitUntil("it ends") { his.liveText.standing == .waiting }
            for fixture in [grace, alan] { fixture.end() }
        }
    }

    /// Elements of strangers and rooms are ignored, and they learn nothing; so are copies, and what was delayed.
    func testStrangersSeeAndShowNothing() throws {
        try onMainActor {
            let (grace, alan) = (try RoomFixture("grace"), try RoomFixture("alan"))
            try befriend(grace, alan)
            let conversation = try open(grace, with: alan)
            let mallory = try signedIn("mallory")
            let target = try XCTUnwrap(grace.program.client.address)
            let device = try XCTUnwrap(alan.program.client.address)
            let text = { (event: RealTimeText.Event) in
                RealTimeText(event, sequence: 1, [.insert("x", at: nil)])
            }
            for event in [RealTimeText.Event.start, .new] {
                mallory.client.send(text(event).message(to: target).element)
            }
            let realTime = grace.xmpp.realTime
            @MainActor func take(
                _ event: RealTimeText.Event, _ change: (inout XMLElement) -> Void, _ stamp: Timestamp? = nil
            )
                throws
            {
                var stanza = text(event).message(to: target).element
                stanza["from"] = device.description
                change(&stanza)
                _ = realTime.handle(.message(try XCTUnwrap(Message(stanza)), stamp))
            }
            for event in [RealTimeText.Event.start, .new] {
                try take(event, { $0["type"] = "groupchat" })
                try take(event, { $0["type"] = "error" })
                try take(event, { $0["to"] = "\(target.bare)/other" })
                try take(event, { $0["from"] = device.bare.description })
                try take(event, { $0["from"] = "stranger@localhost/x" })
                try take(event, { $0["from"] = "rooms.localhost/alan" })
                try take(event, { _ in }, Timestamp(microseconds: 1))
            }
            mallory.client.send(Message(to: target, id: "m", body: "now").element)
            waitUntil("the message after it has come") {
                grace.store.table.messages(of: ChatAddress(mallory.client.account.jid)).map(\.text) == ["now"]
            }
            XCTAssertEqual(conversation.liveText.standing, .waiting)
            // His device counts.
            try take(.start, { _ in })
            waitUntil("it begins") { conversation.liveText.standing == .active }
            try take(.new, { _ in })
            XCTAssertEqual(conversation.liveText.text, "x")
            XCTAssert(
                mallory.arrivals.allSatisfy {
                    guard case .message(let message, _) = $0 else { return true }
                    return message.extension(RealTimeText.namespace) == nil
                }, "a stranger was asked")
            // A new stream ends it.
            realTime.begin()
            XCTAssertEqual(conversation.liveText.standing, .waiting)
            XCTAssertEqual(conversation.liveText.text, "")
            for fixture in [grace, alan] { fixture.end() }
            mallory.client.signOut()
        }
    }
}

/// The changes of a conversation.
@MainActor
private final class Changes {
    var count = 0
}

extension RoomFixture {
    /// Takes an element of a device, as if it had come.
    fileprivate func take(_ event: RealTimeText.Event, from device: JID) throws {
        let target = try XCTUnwrap(program.client.address)
        var stanza = RealTimeText(event, sequence: 1).message(to: target).element
        stanza["from"] = device.description
        _ = xmpp.realTime.handle(.message(try XCTUnwrap(Message(stanza)), nil))
    }
}

@MainActor
private func befriend(_ one: RoomFixture, _ other: RoomFixture) throws {
    let (chat, otherChat) = (one.chat, other.chat)
    try awaited { try await chat.add(other.address.text, name: "") }
    waitUntil("one is asked") { otherChat.buddies.requests.map(\.id) == [one.address] }
    try awaited { try await otherChat.add(one.address.text, name: "") }
    waitUntil("they see each other") {
        [(one, other), (other, one)].allSatisfy { here, there in
            here.chat.mayUseRealTimeText(with: there.address)
                && here.chat.buddies.row(of: there.address)?.availability == .online
        }
    }
}

@MainActor
private func open(_ fixture: RoomFixture, with other: RoomFixture) throws -> Conversation {
    fixture.chat.setRealTimeText(true, other.address)
    fixture.chat.select(other.address)
    return try XCTUnwrap(fixture.chat.selected)
}

/// Lets the time of an element pass, and so much more that the next one has no pause, which would take the reader's time.
@MainActor
private func pass(_ fixture: RoomFixture) {
    fixture.xmpp.setPaused(true)
    fixture.program.clock.advance(by: RealTimeWriter.interval + .milliseconds(1))
    fixture.xmpp.setPaused(false)
}
