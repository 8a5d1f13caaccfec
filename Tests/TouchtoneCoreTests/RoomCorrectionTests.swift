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
        #expect(
            taken.messages(of: tea).map(\.isCorrected) == [false, true], "it claims to correct something")
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

    // MARK: - The address in an archive

    private static let (alan, mallory) = (ChatAddress("alan@example.org"), ChatAddress("mallory@example.org"))

    private func kept(_ text: String, id: String, by address: ChatAddress?, corrects: String? = nil)
        -> ReceivedMessage
    {
        var message = said(
            text, id: id, by: .occupant(RoomOccupant(nickname: "alan", address: address)), corrects: corrects,
            proof: address.map { .address($0) } ?? .nothing)
        message.archiveName = "archive-\(id)-\(text)"
        return message
    }

    /// The correction may be in the same page of the archive as its original, or in another one, or the original came live.
    @Test func addressInArchiveProvesCorrector() throws {
        let original = kept("helo", id: "m1", by: Self.alan)
        for (by, texts, marks) in [
            (Self.alan, ["hello"], [true]), (Self.mallory, ["helo", "hello"], [false, true]),
            (nil, ["helo", "hello"], [false, true]),
        ] as [(ChatAddress?, [String], [Bool])] {
            let correction = kept("hello", id: "c1", by: by, corrects: "m1")
            let page = { (messages: ReceivedMessage...) in
                MessageUpdate.archived(ArchivePage(.newestOfRoom(tea, upTo: nil), messages))
            }
            let past = { (messages: ReceivedMessage...) in
                MessageUpdate.archived(ArchivePage(.oldest(of: tea), messages))
            }
            for updates in [
                [page(original, correction)], [page(original), page(correction)],
                [past(original, correction)],
                [.received(original), page(correction)], [page(original, correction), past(correction)],
            ] {
                let table = MemoryMessageTable()
                for update in updates { _ = try MessageMerger.apply([update], to: table) }
                #expect(table.messages(of: tea).map(\.text) == texts)
                #expect(table.messages(of: tea).map(\.isCorrected) == marks)
            }
        }
    }

    /// A later occupant with the nickname may send a message with the ID of a correction that was missed.
    @Test func unprovenCorrectionDoesNotTakePlaceOfProvenOne() throws {
        let id = "the-id-of-a-correction"
        let table = MemoryMessageTable()
        for update: MessageUpdate in [
            .received(kept("helo", id: "m1", by: Self.alan)),
            .received(kept("evil", id: id, by: nil, corrects: "m1")),
            .archived(
                ArchivePage(
                    .newestOfRoom(tea, upTo: nil), [kept("hello", id: id, by: Self.alan, corrects: "m1")])),
        ] { _ = try MessageMerger.apply([update], to: table) }
        #expect(table.messages(of: tea).map(\.text) == ["hello", "evil"])
    }

    /// A former occupant with the nickname may have sent a message with the same ID.
    @Test func addressOfUnknownOriginalProvesNothing() throws {
        let table = MemoryMessageTable()
        let correction = kept("hello", id: "c1", by: Self.alan, corrects: "m1")
        let other = kept("mine", id: "m1", by: Self.mallory)
        for message in [correction, other] {
            _ = try MessageMerger.apply([.archived(ArchivePage(.oldest(of: tea), [message]))], to: table)
        }
        #expect(table.messages(of: tea).map(\.text) == ["mine", "hello"])
    }
}
