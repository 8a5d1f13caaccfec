// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing

@testable import TouchtoneCore

/// Tests of corrections in rooms that assign no identifiers to their occupants (XEP-0421): only the nickname is known.
@MainActor
@Suite struct RoomCorrectionTests {
    private let tea = ChatAddress("tea@rooms.example.org")

    private func said(
        _ text: String, id: String, by sender: MessageSender? = nil, at time: Int64 = 1000,
        corrects: String? = nil, proof: SenderProof = .identity
    ) -> ReceivedMessage {
        ReceivedMessage(
            buddy: tea, sender: sender ?? .occupant(RoomOccupant(nickname: "alan")), text: text,
            time: ChatTime(milliseconds: time), name: id,
            relation: corrects.map { .corrects($0, proof: proof) } ?? MessageRelation.none)
    }

    private func table(_ messages: ReceivedMessage...) throws -> MemoryMessageTable {
        let table = MemoryMessageTable()
        _ = try MessageMerger.apply(messages.map { .received($0) }, to: table)
        return table
    }

    @Test func repeatedCorrectionIsNoMessage() throws {
        let past = said("hello", id: "m2", corrects: "m1", proof: .nothing)
        let table = try table(
            said("helo", id: "m1"), said("hello", id: "m2", corrects: "m1"), said("helo", id: "m1"), past)
        #expect(table.messages(of: tea).map(\.text) == ["hello"])
        _ = try MessageMerger.apply(
            [
                .archived(ArchivePage(.newestOfRoom(tea, upTo: "r1"), [past])),
                .archived(ArchivePage(.oldest(of: tea), [past])),
            ], to: table)
        #expect(table.messages(of: tea).map(\.text) == ["hello"])
        // One that was never applied is shown, once.
        let unknown = said("what", id: "m3", corrects: "m1", proof: .nothing)
        _ = try MessageMerger.apply([.received(unknown), .received(unknown)], to: table)
        #expect(table.messages(of: tea).map(\.text) == ["hello", "what"])
        // Some clients number their messages from 1 at each start: only a correction repeats one.
        _ = try MessageMerger.apply([.received(said("new", id: "m2"))], to: table)
        #expect(table.messages(of: tea).map(\.text) == ["hello", "what", "new"])
    }

    @Test func laterOccupantCannotCorrectByRepeating() throws {
        // The second message is that of a person who has taken the nickname, and repeats the first one.
        let forged = said(
            "evil", id: "m2", at: 3000, corrects: "m1", proof: .stay(ChatTime(milliseconds: 2000)))
        let taken = try table(said("mine", id: "m1"), said("mine", id: "m1", at: 2000), forged, forged)
        #expect(taken.messages(of: tea).map(\.text) == ["mine", "evil"])
        #expect(taken.messages(of: tea).map(\.isCorrected) == [false, false])
        let own = try table(
            said("helo", id: "m1", at: 2000),
            said("hello", id: "m2", at: 3000, corrects: "m1", proof: .stay(ChatTime(milliseconds: 2000))))
        #expect(own.messages(of: tea).map(\.text) == ["hello"])
    }

    @Test func repetitionOfOwnCorrectionSettlesIt() throws {
        let table = try table(said("mine", id: "m1", by: .me))
        let past = said("my own", id: "m2", by: .me, corrects: "m1", proof: .nothing)
        _ = try MessageMerger.apply(
            [.corrected(buddy: tea, name: "m1", text: "my own", by: "m2"), .received(past)], to: table)
        #expect(table.messages(of: tea).map(\.text) == ["my own"])
        #expect(table.messages(of: tea).first?.correction == nil)
    }
}
