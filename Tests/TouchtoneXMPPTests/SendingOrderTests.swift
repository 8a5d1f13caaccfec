// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore
import XCTest

@testable import TouchtoneXMPP

/// Tests that no message overtakes an earlier one of its conversation, whatever its encryption takes.
final class SendingOrderTests: XMPPTestCase {
    func testMessageFollowsEarlierOneThatIsRequestedAgainMeanwhile() throws {
        try onMainActor {
            let desks = try Desks()
            desks.send(["1", "2"])
            desks.stage.end("1", as: .held)
            // What was missing for the first one has come.
            desks.requestAgain()
            desks.send(["1", "2"])
            desks.stage.endFirst("2", as: .clear)
            desks.stage.end("1", as: .clear)
            desks.stage.end("2", as: .clear)
            desks.expect(["1", "2"])
        }
    }

    func testMessageWaitsForEarlierOneThatWasHeldBack() throws {
        try onMainActor {
            let desks = try Desks()
            desks.send(["1", "2"])
            desks.stage.end("2", as: .clear)
            desks.stage.end("1", as: .held)
            waitUntil("it waits outside of the stage") { !desks.grace.chat.context.outbox.isSent("1") }
            desks.grace.send("3", to: desks.alan.address)
            // What it says is about an earlier message.
            let reaction = MessageAnnotation(
                .reaction(["👍"]), of: .stanza("0"), buddy: desks.alan.address, sender: .me,
                time: ChatTime(milliseconds: 0), name: "reaction-with-unique-id")
            desks.grace.chat.messaging.send(reaction)
            waitUntil("the reaction has come") {
                desks.alan.facts.contains { if case .annotated = $0 { true } else { false } }
            }
            XCTAssertEqual(desks.alan.texts, [])
            desks.requestAgain()
            desks.send(["1", "2", "3"])
            for text in ["3", "2", "1"] { desks.stage.end(text, as: .clear) }
            desks.expect(["1", "2", "3"])
        }
    }

    func testMessageDoesNotWaitForFileThatIsUploadedAgain() throws {
        try onMainActor {
            let desks = try Desks()
            desks.send(["1", "2"])
            desks.stage.end("1", as: .renewed)
            desks.stage.end("2", as: .clear)
            desks.expect(["2"])
        }
    }
}

/// A sender whose messages are encrypted when the test says so, and the recipient.
@MainActor
private final class Desks {
    let stage = Stage()
    let grace: XMPPAccountFixture
    let alan: XMPPAccountFixture

    init() throws {
        grace = XMPPAccountFixture(try account("grace"), encryption: stage.stage)
        let grace = grace
        waitUntil("grace is ready") { grace.readyCount == 1 }
        alan = try fixture("alan")
    }

    /// Sends texts, as the outbox does with all waiting messages.
    func send(_ texts: [String]) {
        let count = stage.count
        for text in texts { grace.send(text, to: alan.address) }
        waitUntil("they are being encrypted") { stage.count == count + texts.count }
    }

    /// Requests all messages again, as the outbox is told.
    func requestAgain() {
        let count = grace.readyCount
        grace.chat.context.requestWaiting()
        XCTAssertEqual(grace.readyCount, count + 1)
    }

    /// Waits until all texts have come, in this order.
    func expect(_ texts: [String], file: StaticString = #filePath, line: UInt = #line) {
        waitUntil("they have come", file: file, line: line) { alan.texts.count >= texts.count }
        XCTAssertEqual(alan.texts, texts, file: file, line: line)
    }
}

/// A stage that holds each text until it is told how it is sent.
@MainActor
private final class Stage {
    /// The number of texts that have entered.
    private(set) var count = 0
    private var waiting: [String: [CheckedContinuation<OutgoingMessage.Form, Never>]] = [:]

    var stage: MessageStage<OutgoingMessage> {
        MessageStage({ [self] in await hold($0) }, where: { $0.isOpen })
    }

    private func hold(_ message: OutgoingMessage) async -> OutgoingMessage {
        count += 1
        var message = message
        message.form = await withCheckedContinuation { waiting[message.text ?? "", default: []].append($0) }
        return message
    }

    /// Ends all attempts to send a text.
    func end(_ text: String, as form: OutgoingMessage.Form) {
        for continuation in waiting.removeValue(forKey: text) ?? [] { continuation.resume(returning: form) }
    }

    /// Ends the first attempt to send a text.
    func endFirst(_ text: String, as form: OutgoingMessage.Form) {
        guard waiting[text]?.isEmpty == false else { return XCTFail("\(text) has not entered") }
        waiting[text]?.removeFirst().resume(returning: form)
    }
}
