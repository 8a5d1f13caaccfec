// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import TestSupport
import TouchtoneCore
@testable import TouchtoneXMPP
import XCTest

/// Tests of one-to-one conversations on an independent server.
final class ChatTests: XMPPTestCase {
    func testMessagesArriveAreConfirmedAndRead() throws {
        try onMainActor {
            let (grace, alan) = try desks()
            let text = "hello <b>&amp;</b>\n\u{202E}😄\n/me waves"
            grace.send(text, to: alan.address, name: "m1")
            waitUntil("it has come") { alan.texts == [text] }
            let came = try XCTUnwrap(alan.came.first)
            XCTAssertEqual(came.buddy, grace.address)
            XCTAssertEqual(came.name, "m1")
            XCTAssertEqual(came.sender, .buddy)
            XCTAssertEqual(came.receiptRequests, [.receipt, .marker])
            XCTAssertEqual(came.time, alan.wall.now)
            waitUntil("the server has it") {
                grace.facts.contains(.acknowledged(buddy: alan.address, name: "m1"))
            }
            XCTAssertNotNil(came.archiveName)

            // No receipt goes to a stranger, because it would reveal the user's presence.
            let message = alan.message("", to: grace.address, name: "m1").received(
                receiptRequests: came.receiptRequests)
            alan.chat.messaging.confirmArrival(of: message)
            alan.send("who are you?", to: grace.address)
            waitUntil("the answer has come") { grace.texts == ["who are you?"] }
            XCTAssertFalse(grace.facts.contains(.delivered(buddy: alan.address, name: "m1")))
            // The recipient of an answer knows it already.
            alan.chat.messaging.confirmArrival(of: message)
            alan.chat.messaging.confirmReading(of: message)
            waitUntil("both are told") {
                grace.facts.contains(.delivered(buddy: alan.address, name: "m1"))
                    && grace.facts.contains(.read(buddy: alan.address, name: "m1"))
            }
        }
    }

    func testTypingIsReported() throws {
        try onMainActor {
            let (grace, alan) = try desks()
            try befriend(grace, alan)
            for state in [Typing.composing, .paused, .gone, .active] {
                grace.chat.messaging.sendChatState(state, to: alan.address)
                waitUntil("\(state) is told") { alan.typing.last?.1 == state }
            }
            grace.chat.messaging.sendChatState(.composing, to: alan.address)
            grace.send("done", to: alan.address)
            waitUntil("the message ends it") { alan.texts == ["done"] && alan.typing.last?.1 == .active }
            XCTAssertTrue(alan.typing.allSatisfy { $0.0 == grace.address })
        }
    }

    func testCorrectionReplacesItsOriginal() throws {
        try onMainActor {
            let (grace, alan) = try desks()
            grace.send("helo", to: alan.address, name: "m1")
            waitUntil("it is there") { grace.facts.contains(.acknowledged(buddy: alan.address, name: "m1")) }
            grace.chat.messaging.sendCorrection(
                of: grace.message("hello", to: alan.address, name: "m1", state: .sent), name: "c1")
            waitUntil("both have come") { alan.texts == ["helo", "hello"] }
            XCTAssertEqual(alan.came[1].relation.corrected, "m1")
            XCTAssertEqual(alan.came[1].name, "c1")
            waitUntil("the server has it") {
                grace.facts.contains(.acknowledged(buddy: alan.address, name: "c1"))
            }
            // A pending message is sent only with its new text.
            grace.chat.messaging.sendCorrection(
                of: grace.message("later", to: alan.address, name: "m2", state: .waiting), name: "c2")
            grace.send("last", to: alan.address)
            waitUntil("the last has come") { alan.texts.last == "last" }
            XCTAssertEqual(alan.texts, ["helo", "hello", "last"])
        }
    }

    func testReplyReactionAndRetractionReachBuddy() throws {
        try onMainActor {
            let (grace, alan) = try desks()
            alan.send("Tea?", to: grace.address, name: "question")
            waitUntil("it is there") { grace.texts == ["Tea?"] }
            var reply = grace.message("", to: alan.address, name: "answer", state: .waiting)
            reply.content = MessageContent("Gladly", quoting: "Tea?")
            reply.reply = MessageReply(to: .stanza("question"), by: alan.address)
            grace.chat.messaging.send(reply)
            waitUntil("the reply is there") { alan.texts == ["> Tea?\nGladly"] }
            XCTAssertEqual(alan.came[0].relation, .repliesTo(try XCTUnwrap(reply.reply)))
            XCTAssertEqual(alan.came[0].content, reply.content)
            let annotations: [(MessageAnnotation.Kind, String, String)] = [
                (.reaction(["👍", "❤️"]), "question", "r1"), (.reaction([]), "question", "r2"),
                (.retraction, "answer", "d1"),
            ]
            for (kind, reference, name) in annotations {
                grace.chat.messaging.send(
                    MessageAnnotation(
                        kind, of: .stanza(reference), buddy: alan.address, sender: .me,
                        time: ChatTime(milliseconds: 1), name: name))
                waitUntil("the server has \(name)") {
                    grace.facts.contains(.acknowledged(buddy: alan.address, name: name))
                }
            }
            let noted = { () -> [MessageAnnotation] in
                alan.facts.compactMap { if case .annotated(let annotation) = $0 { annotation } else { nil } }
            }
            waitUntil("all are there") { noted().count == 3 }
            XCTAssertEqual(noted().map(\.kind), annotations.map(\.0))
            XCTAssertEqual(noted().map(\.reference), annotations.map { .stanza($0.1) })
            XCTAssertEqual(noted().map(\.name), annotations.map(\.2))
            XCTAssertEqual(alan.texts.count, 1, "none of them is a message")
        }
    }

    func testMessageToUnknownAddressFails() throws {
        try onMainActor {
            let grace = try fixture("grace")
            let nobody = ChatAddress("nobody-at-all@localhost")
            grace.send("hello", to: nobody, name: "m1")
            waitUntil("it has failed") {
                grace.facts.contains {
                    if case .failed(nobody, "m1", let reason) = $0 { !reason.isEmpty } else { false }
                }
            }
            // It may be retried under the same name.
            grace.forgetEvents()
            grace.send("hello", to: nobody, name: "m1")
            waitUntil("it has failed again") {
                grace.facts.contains { if case .failed = $0 { true } else { false } }
            }
        }
    }

    func testMessageRefusedByServerIsNotSent() throws {
        try onMainActor {
            let (grace, alan) = try desks()
            // A text of the maximum length in the longest characters.
            let long = String(repeating: "x", count: 100_000)
            grace.send(long, to: alan.address, name: "m1")
            grace.send(String(repeating: "😄", count: 100_000), to: alan.address, name: "m2")
            grace.send("last", to: alan.address, name: "m3")
            waitUntil("the last has come") { alan.texts.last == "last" }
            XCTAssertEqual(alan.texts, [long, "last"])
            XCTAssertTrue(
                grace.facts.contains { if case .failed(_, "m2", _) = $0 { true } else { false } })
            XCTAssertEqual(grace.states.last, .online)
        }
    }

    func testMessagesBeyondStreamLimitAreSentInTurns() throws {
        try onMainActor {
            let (grace, alan) = try desks()
            let texts = (0..<2500).map { "\($0)" }
            var asked = 0
            waitUntil("all have come") {
                if grace.readyCount > asked {
                    asked = grace.readyCount
                    let known = Set(grace.acknowledged)
                    // Like `Chat`: all messages that the server is not known to have, in order.
                    for text in texts where !known.contains(text) { grace.send(text, to: alan.address) }
                }
                return alan.came.count >= texts.count
            }
            XCTAssertEqual(alan.texts, texts)
            XCTAssertGreaterThan(asked, 1)
            XCTAssertEqual(grace.states.last, .online)
        }
    }

    func testOtherDevicesAreSynchronized() throws {
        try onMainActor {
            let (grace, alan) = try desks()
            let phone = XMPPAccountFixture(grace.client.account)
            waitUntil("the phone is ready") { phone.readyCount == 1 }
            try befriend(grace, alan)
            grace.send("from the desk", to: alan.address, name: "m1")
            waitUntil("all have it") { alan.texts == ["from the desk"] && phone.texts == ["from the desk"] }
            XCTAssertEqual(phone.came[0].buddy, alan.address)
            XCTAssertEqual(phone.came[0].sender, .me)
            XCTAssertNotNil(phone.came[0].archiveName)
            XCTAssertEqual(phone.came[0].receiptRequests, [])

            alan.send("an answer", to: grace.address, name: "m2")
            waitUntil("both have it") {
                grace.texts.last == "an answer" && phone.texts.last == "an answer"
            }
            XCTAssertEqual(grace.came.last?.archiveName, phone.came.last?.archiveName)
            // A message read on one device is read on the other.
            grace.chat.messaging.confirmReading(
                of: grace.message("", to: alan.address, name: "m2").received(receiptRequests: [.marker]))
            waitUntil("the phone and alan are told") {
                phone.facts.contains(.seen(buddy: alan.address, upTo: .name("m2")))
                    && alan.facts.contains(.read(buddy: grace.address, name: "m2"))
            }
            XCTAssertEqual(grace.dropped + phone.dropped, [])
        }
    }

    func testNotesToSelfAreOwnMessages() throws {
        try onMainActor {
            let grace = try fixture("grace")
            grace.send("milk", to: grace.address, name: "m1")
            waitUntil("it has come back") { !grace.came.isEmpty }
            XCTAssertTrue(
                grace.came.allSatisfy { $0.sender == .me && $0.buddy == grace.address && $0.name == "m1" })
        }
    }

    func testAddressesAreParsedAsTyped() throws {
        try onMainActor {
            let grace = XMPPAccountFixture(
                XMPPAccount(jid: try XCTUnwrap(JID("grace@localhost")), password: ""))
            XCTAssertEqual(grace.chat.address(" Alan@LOCALHOST/x "), ChatAddress("alan@localhost"))
            for none in ["", "alan", "alan@", "@localhost", "a b@localhost", "localhost", "47223"] {
                XCTAssertNil(grace.chat.address(none) as ChatAddress?, none)
            }
            XCTAssertTrue(grace.chat.carries(ChatAddress("alan@localhost")))
            XCTAssertFalse(grace.chat.carries(.operatorAddress))
            grace.chat.setPresence(OwnPresence(.offline))
        }
    }

    func testAccountReportsItsErrors() throws {
        try onMainActor {
            var wrong = try account("grace")
            wrong.password = "wrong"
            let grace = XMPPAccountFixture(wrong)
            waitUntil("it is refused") { grace.problem != nil }
            guard case .password(let reason)? = grace.problem, grace.chat.state == grace.states.last
            else { return XCTFail("\(grace.chat.state), \(grace.states)") }
            XCTAssertTrue(reason.hasPrefix("Wrong password"))
            // A presence change does not retry the sign-in; a changed password does.
            grace.chat.setPresence(OwnPresence(.away))
            XCTAssertNotNil(grace.problem)
            grace.chat.account.password = "secret"
            grace.chat.signIn()
            waitUntil("it is ready") { grace.readyCount == 1 }
            XCTAssertNil(grace.problem)
            XCTAssertEqual(grace.states.last, .online)
            grace.chat.setPresence(OwnPresence(.offline))
            XCTAssertEqual(grace.states.last, .signedOut)
            grace.chat.signIn()
            XCTAssertEqual(grace.states.last, .signedOut)

            var untrusted = try account("alan")
            untrusted.trust = .system
            let alan = XMPPAccountFixture(untrusted)
            waitUntil("it is refused") { alan.problem != nil }
            guard case .certificate(let report)? = alan.problem else {
                return XCTFail("\(alan.chat.state)")
            }
            XCTAssertTrue(report.reason.contains("its issuer is unknown"))
            XCTAssertEqual(report.fingerprint.count, 64)
            alan.chat.account.pinnedCertificate = report.fingerprint
            alan.chat.signIn()
            waitUntil("it is ready") { alan.readyCount == 1 }
        }
    }
}

// MARK: - Different account

extension ChatTests {
    func testAccountChangedMeanwhileIsReset() throws {
        try onMainActor {
            let (grace, alan) = try desks()
            let bob = try fixture("bob")
            try befriend(grace, alan)
            alan.send("for bob", to: bob.address)
            waitUntil("it has come") { bob.texts == ["for bob"] }
            let store = MemoryMessageStore()
            // The test assumes that both servers count in the same way.
            let version = bob.version?.split(separator: "\n").dropFirst().joined() ?? ""
            store.saveBuddies(Array(grace.buddies.values), version: "\(grace.address)\n\(version)")
            store.table.setArchiveCursor(try grace.archiveCursor())
            let again = XMPPAccountFixture(bob.client.account, store: store)
            waitUntil("it is ready") { again.readyCount == 1 }
            XCTAssertTrue(again.events.contains { if case .buddies([], _) = $0 { true } else { false } })
            XCTAssertEqual(again.texts, ["for bob"])
            XCTAssertEqual(again.version, bob.version)
        }
    }

    func testDifferentAccountIsReset() throws {
        try onMainActor {
            let (grace, alan) = try desks()
            let bob = try fixture("bob")
            try befriend(grace, alan)
            alan.send("for bob", to: bob.address)
            alan.send("for grace", to: grace.address)
            waitUntil("both have theirs") { grace.texts == ["for grace"] && bob.texts == ["for bob"] }
            grace.forgetEvents()
            grace.chat.account = bob.client.account
            XCTAssertEqual(grace.states.last, .signedOut)
            grace.chat.signIn()
            // Nothing of the previous account applies to this one: neither its buddies nor its archive mark.
            waitUntil("it is ready") { grace.readyCount == 1 }
            XCTAssertEqual(grace.texts, ["for bob"])
            XCTAssertEqual(grace.buddies, [:])
            XCTAssertTrue(grace.events.contains { if case .buddies = $0 { true } else { false } })
        }
    }
}

extension ChatMessage {
    /// The same message, as received from the buddy.
    func received(receiptRequests: ReceiptRequests) -> ChatMessage {
        ChatMessage(
            id: id, conversation: ConversationID(buddy), sender: .buddy, content: content, time: time,
            place: place, state: .received,
            name: name, receiptRequests: receiptRequests)
    }
}

extension XMPPAccountFixture {
    var typing: [(ChatAddress, Typing)] {
        events.compactMap { if case .typing(let buddy, let state) = $0 { (buddy, state) } else { nil } }
    }
}
