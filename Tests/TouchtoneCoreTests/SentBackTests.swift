// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import TestSupport
import Testing

@testable import TouchtoneCore

/// Tests of rooms that send the user’s messages back with other IDs, or in parts, as gateways to IRC do.
@Suite struct SentBackTests {
    private static let room = ChatAddress("#tea%irc@irc.example.org")
    private static let long = String(repeating: "The quick brown fox jumps over the lazy dog. ", count: 20)

    private static func name(_ index: Int) -> String { "a-name-of-a-message-\(index)" }

    private func composed(_ text: String, _ index: Int = 1) -> MessageUpdate {
        .composed(
            ComposedMessage(
                buddy: Self.room, name: Self.name(index), text: text,
                time: ChatTime(milliseconds: Int64(index))))
    }

    private func back(
        _ text: String, name: String? = nil, archiveName: String? = nil, at time: Int64 = 1000,
        mayBeChanged: Bool = true, sender: MessageSender = .me
    ) -> ReceivedMessage {
        var message = ReceivedMessage(
            buddy: Self.room, sender: sender, text: text, time: ChatTime(milliseconds: time), name: name,
            archiveName: archiveName, passage: .reflected)
        message.mayBeChanged = mayBeChanged
        return message
    }

    private func table(_ updates: [MessageUpdate]) throws -> MemoryMessageTable {
        let table = MemoryMessageTable()
        for update in updates { _ = try MessageMerger.apply([update], to: table) }
        return table
    }

    @Test(arguments: [nil, "another-id-of-the-room", "1"] as [String?])
    func messageWithAnotherIDIsTheSame(_ name: String?) throws {
        let table = try table([composed("hello"), .received(back("hello", name: name))])
        #expect(table.messages(of: Self.room).map(\.state) == [.sent])
        #expect(table.messages(of: Self.room).map(\.name) == [Self.name(1)])
        // Where rooms keep the IDs, it is one of another device.
        let other = try self.table([
            composed("hello"), .received(back("hello", name: name, mayBeChanged: false)),
        ])
        #expect(other.messages(of: Self.room).map(\.state) == [.waiting, .sent])
    }

    @Test func messageOfSomebodyElseIsAnother() throws {
        let alan = MessageSender.occupant(RoomOccupant(nickname: "alan"))
        let table = try table([
            composed("one\ntwo"), .received(back("one\ntwo", sender: alan)),
            .received(back("two", sender: alan)), .received(back("three")), .received(back("on")),
        ])
        #expect(table.messages(of: Self.room).map(\.state).first == .waiting)
        #expect(table.messages(of: Self.room).count == 5)
    }

    @Test func oldMessageOfSameTextIsAnother() throws {
        let table = try table([
            composed("hello"), .received(back("hello")), .received(back("hello", at: 3_600_000)),
        ])
        #expect(table.messages(of: Self.room).map(\.text) == ["hello", "hello"])
    }

    @Test(
        arguments: [
            ("one\ntwo", "one", true), ("one\ntwo", "two", true), ("one\n\n two ", "two", true),
            ("one\ntwo", "one\ntwo", false), ("one\ntwo", "on", false), ("one\ntwo", "", false),
            ("one\ntwo", "\n", false), ("one two", "one", false), ("one\n", "one", false),
        ])
    func partIsWholeLine(_ whole: String, _ part: String, _ isPart: Bool) {
        #expect(SplitText.isPart(part, of: whole) == isPart)
    }

    @Test func partOfLongLineIsLong() {
        #expect(SplitText.isPart(String(Self.long.prefix(400)), of: Self.long))
        #expect(SplitText.isPart(String(Self.long.dropFirst(400).prefix(400)), of: Self.long))
        #expect(SplitText.isPart(String(Self.long.dropFirst(800)), of: Self.long))
        #expect(!SplitText.isPart(String(Self.long.prefix(20)), of: Self.long))
        #expect(!SplitText.isPart(String(Self.long.prefix(400)) + "x", of: Self.long))
        let huge = String(repeating: "a", count: 250_000)
        #expect(!SplitText.isPart(String(repeating: "a", count: 500), of: huge), "nothing takes long")
    }

    /// The user’s correction is a text of its own on the other side.
    @Test func correctionThatComesBackIsTheMessage() throws {
        let corrected = MessageUpdate.corrected(
            buddy: Self.room, name: Self.name(1), text: "hello", by: "a-name-of-a-correction")
        let table = try table([
            composed("helo"), .received(back("helo", archiveName: "a1")), corrected,
            .received(back("hello", name: "a-name-of-a-correction", archiveName: "a2")),
        ])
        #expect(table.messages(of: Self.room).map(\.text) == ["hello"])
    }

    /// Messages that were deleted on this device do not return with another ID, neither whole nor in parts, live or from the archive.
    @Test(arguments: [
        "hello", "one\ntwo\n three", long, "short\n" + long,
        (0..<100).map { "über \($0)" }.joined(separator: " "),
    ])
    func messageDeletedHereStaysDeleted(_ text: String) throws {
        for isWhole in [true, false] {
            let parts = isWhole ? [text] : Self.parts(text)
            let table = try table([
                composed(text), .acknowledged(buddy: Self.room, name: Self.name(1)), composed("kept", 2),
                .acknowledged(buddy: Self.room, name: Self.name(2)),
            ])
            let id = try #require(table.messages(of: Self.room).first).id
            _ = try MessageMerger.apply(
                [.deletedHere(buddy: Self.room, id: id, time: ChatTime(milliseconds: 9), isOfRoom: true)],
                to: table)
            let page = (parts + ["kept"]).enumerated().map { index, part in
                back(part, name: "id-\(index)-of-the-room", archiveName: "a\(index)")
            }
            for update in page.map({ MessageUpdate.received($0) })
                + [.archived(ArchivePage(.newestOfRoom(Self.room, upTo: nil), page))]
            {
                let changes = try MessageMerger.apply([update], to: table)
                #expect(changes.inserted.isEmpty, "\(changes.inserted.map(\.text))")
            }
            #expect(table.messages(of: Self.room).filter(\.isShown).map(\.text) == ["kept"])
        }
    }

    @Test func messageLikeADeletedOneIsAnother() throws {
        let table = try table([composed("hello"), .acknowledged(buddy: Self.room, name: Self.name(1))])
        let id = try #require(table.messages(of: Self.room).first).id
        let alan = MessageSender.occupant(RoomOccupant(nickname: "alan"))
        for update: MessageUpdate in [
            .deletedHere(buddy: Self.room, id: id, time: ChatTime(milliseconds: 9), isOfRoom: true),
            .received(back("hello", name: "1", sender: alan)),
            .received(back("hello", name: "2", at: 3_600_000)),
            .received(back("hell", name: "3")), .received(back("", name: "4")),
            .received(back("hello", name: "5", mayBeChanged: false)),
            // Three places in the archive are three messages: the last one, the deleted one, and another.
            .received(back("hello", name: "6", archiveName: "a6")),
            .received(back("hello", name: "7", archiveName: "a7")),
            .received(back("hello", name: "8", archiveName: "a8")),
        ] {
            _ = try MessageMerger.apply([update], to: table)
        }
        let texts = table.messages(of: Self.room).filter(\.isShown).map(\.text)
        #expect(texts == ["hello", "hello", "hell", "", "hello", "hello"])
    }

    /// Of a text without parts, no more is kept than one number.
    @Test func tracesAreFew() {
        #expect(TextTraces(of: " hello \n").all.count == 1)
        #expect(TextTraces(of: "").all.count == 1)
        #expect(TextTraces(of: "one\ntwo").all.count == 3)
        #expect(
            TextTraces(of: "hello") == TextTraces(of: "hello\n")
                && TextTraces(of: "hello") != TextTraces(of: "hellp"))
        var random = SplitMix64(seed: 1)
        let huge = (0..<200).map { _ in
            String(
                decoding: (0..<5_000).map { _ in UInt8.random(in: 97...122, using: &random) }, as: UTF8.self)
        }
        #expect(TextTraces(of: huge.joined(separator: "\n")).all.count <= TextTraces.maximum + 1)
        #expect(TextTraces.piece(huge.joined()) == nil, "nothing takes long")
    }

    /// Whatever a gateway does to the user’s messages, and whenever the program ends, each is there once, and none waits to
    /// be sent again.
    @Test(arguments: 0..<200) func eachMessageIsSentOnce(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let texts = (1...6).map { index in
            let lines = (0..<Int.random(in: 1...3, using: &random)).map { "line \($0) of \(index)" }
            return index == 3 ? Self.long + "\(index)" : lines.joined(separator: "\n")
        }
        let keepsOrigin = Bool.random(using: &random)
        var updates: [MessageUpdate] = []
        var archive: [ReceivedMessage] = []
        for (index, text) in texts.enumerated() {
            updates.append(composed(text, index + 1))
            let isLost = Int.random(in: 0..<4, using: &random) == 0
            for (number, part) in Self.parts(text).enumerated() {
                let name = keepsOrigin ? Self.name(index + 1) : "id-\(index)-\(number)-of-the-room"
                let message = back(part, name: name, archiveName: "a\(archive.count)")
                archive.append(message)
                if !isLost { updates.append(.received(message)) }
            }
        }
        // What was lost is in the archive, also what came live.
        updates.append(.archived(ArchivePage(.newestOfRoom(Self.room, upTo: nil), archive)))
        let table = try table(updates)
        #expect(table.messages(of: Self.room).map(\.text).sorted() == texts.sorted())
        #expect(table.messages(of: Self.room).allSatisfy { $0.state == .sent })
    }

    private static func parts(_ text: String) -> [String] {
        text.split(separator: "\n").flatMap { line in
            stride(from: 0, to: line.count, by: 450).map { String(line.dropFirst($0).prefix(450)) }
        }
    }
}
