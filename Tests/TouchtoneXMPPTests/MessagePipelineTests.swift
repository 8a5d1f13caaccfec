// SPDX-License-Identifier: GPL-3.0-or-later

import Testing
import TouchtoneCore

@testable import TouchtoneXMPP

/// Tests that received messages keep their order, whatever the order in which they are decrypted.
@Suite @MainActor struct MessagePipelineTests {
    /// A stage that decrypts a message when it is told to.
    private final class Stage {
        private(set) var waiting: [String: CheckedContinuation<Void, Never>] = [:]

        @MainActor
        func decrypt(_ stanza: ReceivedStanza) async -> ReceivedStanza {
            await withCheckedContinuation { waiting[stanza.message.body ?? ""] = $0 }
            var plain = stanza
            plain.message.body = stanza.message.body.map { "plain \($0)" }
            return plain
        }

        func end(_ text: String) { waiting.removeValue(forKey: text)?.resume() }
    }

    private final class Log {
        var texts: [String] = []
    }

    private func inbound(_ text: String) throws -> InboundMessage {
        let xml = "<message from='alan@localhost/x' id='\(text)'><body>\(text)</body></message>"
        return InboundMessage(
            message: try #require(Message(try XMLElementTests.read(xml))), source: .stream(nil),
            reader: try reader())
    }

    private func reader() throws -> MessageReader {
        MessageReader(
            policy: DirectPolicy(
                own: try #require(JID("grace@localhost")), trustsArchiveIDs: true,
                now: ChatTime(milliseconds: 1_800_000_000_000)))
    }

    private func receive(_ text: String, _ pipeline: MessagePipeline, _ log: Log) throws {
        pipeline.receive(try inbound(text)) { log.texts.append($0.message?.text ?? "") }
    }

    private func pass(until isDone: () -> Bool) async {
        while !isDone() { await Task.yield() }
    }

    @Test func plainMessagesDoNotWait() throws {
        let (pipeline, log) = (MessagePipeline(), Log())
        try receive("1", pipeline, log)
        #expect(log.texts == ["1"])
        pipeline.whenReported { log.texts.append("end") }
        #expect(log.texts == ["1", "end"])
    }

    @Test(arguments: [["1", "2", "3"], ["3", "2", "1"], ["2", "3", "1"]])
    func orderIsThatOfArrival(_ order: [String]) async throws {
        let (stage, log) = (Stage(), Log())
        let pipeline = MessagePipeline { await stage.decrypt($0) }
        for text in ["1", "2", "3"] { try receive(text, pipeline, log) }
        pipeline.whenReported { log.texts.append("end") }
        await pass { stage.waiting.count == 3 }
        #expect(log.texts == [])
        for text in order { stage.end(text) }
        await pass { log.texts.count == 4 }
        #expect(log.texts == ["plain 1", "plain 2", "plain 3", "end"])
    }

    @Test func pageFollowsWhatCameBefore() async throws {
        let (stage, log) = (Stage(), Log())
        let pipeline = MessagePipeline { await stage.decrypt($0) }
        try receive("live", pipeline, log)
        let items = try ["1", "2"].map {
            Archive.Item(id: "a\($0)", stamp: Timestamp(microseconds: 0), message: try inbound($0).message)
        }
        let page = Archive.Page(items: items, isComplete: true, set: ResultSet())
        let reader = try reader()
        Task { log.texts += await pipeline.read(page, reader).compactMap { $0.archiveID } }
        await pass { stage.waiting.count == 3 }
        stage.end("2")
        stage.end("1")
        stage.end("live")
        await pass { log.texts.count == 3 }
        #expect(log.texts == ["plain live", "a1", "a2"])
    }

    @Test func reportMayReceiveMore() async throws {
        let (stage, log) = (Stage(), Log())
        let pipeline = MessagePipeline { await stage.decrypt($0) }
        let second = try inbound("2")
        pipeline.receive(try inbound("1")) { parsed in
            pipeline.receive(second) { log.texts.append($0.message?.text ?? "") }
            pipeline.whenReported { log.texts.append("end") }
            log.texts.append(parsed.message?.text ?? "")
        }
        await pass { stage.waiting.count == 1 }
        stage.end("1")
        await pass { stage.waiting.count == 1 }
        stage.end("2")
        await pass { log.texts.count == 3 }
        #expect(log.texts == ["plain 1", "plain 2", "end"])
    }

    @Test func floodPausesTheStream() async throws {
        let (stage, log) = (Stage(), Log())
        let pipeline = MessagePipeline { await stage.decrypt($0) }
        pipeline.onCrowded = { log.texts.append("\($0)") }
        let count = MessageStage<Message>.maximumWaiting + 1
        for index in 1...count { pipeline.receive(try inbound("\(index)")) { _ in } }
        #expect(log.texts == ["true"])
        await pass { stage.waiting.count == count }
        for index in 1...count { stage.end("\(index)") }
        await pass { log.texts.count == 2 }
        #expect(log.texts == ["true", "false"])
    }

    @Test func readerIsThatOfArrival() async throws {
        // The sender of a message of a room is who had the nickname when it came.
        let room = try #require(JID("tea@rooms.localhost"))
        var state = RoomState(room)
        state.begin(as: "grace", features: ["muc_membersonly", "muc_nonanonymous"])
        let presence = { (jid: String) in
            let item =
                "<x xmlns='http://jabber.org/protocol/muc#user'><item role='participant' affiliation='member' jid='\(jid)'/></x>"
            return try #require(
                Presence(
                    try XMLElementTests.read("<presence from='tea@rooms.localhost/alan'>\(item)</presence>")))
        }
        _ = state.handle(try presence("alan@localhost/x"))
        let (stage, log) = (Stage(), Log())
        let pipeline = MessagePipeline { await stage.decrypt($0) }
        let xml = "<message from='tea@rooms.localhost/alan' type='groupchat' id='1'><body>1</body></message>"
        let message = try #require(Message(try XMLElementTests.read(xml)))
        let inbound = state.receive(
            message, own: try #require(JID("grace@localhost")), now: ChatTime(milliseconds: 1_800_000_000_000)
        ).inbound
        pipeline.receive(try #require(inbound)) { parsed in
            if case .occupant(let occupant) = parsed.message?.sender {
                log.texts.append(occupant.address?.text ?? "")
            }
        }
        await pass { stage.waiting.count == 1 }
        _ = state.handle(try presence("mallory@localhost/x"))
        stage.end("1")
        await pass { !log.texts.isEmpty }
        #expect(log.texts == ["alan@localhost"])
    }
}
