// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing

@testable import TouchtoneCore

@Suite struct MessageMergerTests {
    private func texts(_ facts: [MessageUpdate], of buddy: ChatAddress = ada) throws -> [String] {
        let table = MemoryMessageTable()
        _ = try MessageMerger.apply(facts, to: table)
        return table.messages(of: buddy).map { $0.isCorrected ? "\($0.text)*" : $0.text }
    }

    @Test func reusedMessageIdentifiersLoseNothing() throws {
        #expect(try texts([received("a", name: "1"), received("b", name: "1")]) == ["a", "b"])
        #expect(
            try texts([
                received("ok", archiveName: "x", name: "1"), received("ok", archiveName: "y", name: "1"),
            ])
                == ["ok", "ok"])
        let name = "5f8a3b2c-0000-0000-0000-000000000001"
        #expect(
            try texts([
                received("ok", archiveName: "x", name: name), received("ok", archiveName: "y", name: name),
            ])
                == ["ok"], "sent again by its device")
        #expect(
            try texts([received("ok", name: name), received("ok", sender: .me, name: name)]) == ["ok", "ok"])
        #expect(try texts([received("ok", name: name), received("ok", from: bob, name: name)]) == ["ok"])
    }

    /// Returns a message without an archive name, some hours after the first.
    private func later(
        _ text: String, _ name: String, hours: Int64 = 24, sender: MessageSender = .buddy,
        archiveName: String? = nil
    ) -> ReceivedMessage {
        ReceivedMessage(
            buddy: ada, sender: sender, text: text, time: ChatTime(milliseconds: hours * 3_600_000),
            name: name, archiveName: archiveName)
    }

    @Test(arguments: ["1", "5f8a3b2c-0000-0000-0000-000000000001"])
    func repeatedTextMuchLaterIsNewMessageWithoutArchive(_ name: String) throws {
        let first = MessageUpdate.received(later("ok", name, hours: 0))
        #expect(try texts([first, first]) == ["ok"], "sent again after a lost connection")
        #expect(try texts([first, .received(later("ok", name))]) == ["ok", "ok"])
    }

    @Test(arguments: ["1", "5f8a3b2c-0000-0000-0000-000000000001"])
    func correctionDoesNotReplaceLaterMessages(_ name: String) throws {
        let first = MessageUpdate.received(later("helo", name, hours: 0))
        let corrected = [first, received("hello", name: "c1", corrects: name), first]
        #expect(try texts(corrected) == ["hello*"])
        #expect(try texts(corrected + [.received(later("bye", name))]) == ["hello*", "bye"])
        let named = later("bye", name, archiveName: "a9")
        #expect(try texts(corrected + [.received(named)]) == ["hello*", "bye"])
    }

    @Test func sentMessageIsMatchedToLateArchiveCopy() throws {
        let name = "3w5e11264sgsf-1xkjd9"
        let composed = MessageUpdate.composed(
            ComposedMessage(buddy: ada, name: name, text: "helo", time: ChatTime(milliseconds: 0)))
        let found = MessageUpdate.archived(
            ArchivePage(.newest(upTo: "a1"), [later("helo", name, sender: .me, archiveName: "a1")]))
        #expect(try texts([composed, found]) == ["helo"])
        let corrected = MessageUpdate.corrected(buddy: ada, name: name, text: "hello", by: "c1")
        #expect(try texts([composed, corrected, found]) == ["hello*"])
    }

    @Test func correctionAppliesOnlyToItsSender() throws {
        let original = received("helo", name: "m1")
        #expect(try texts([original, received("hello", name: "c1", corrects: "m1")]) == ["hello*"])
        #expect(
            try texts([original, received("evil", sender: .me, name: "c1", corrects: "m1")]) == [
                "helo", "evil*",
            ])
        #expect(try texts([original, received("evil", from: bob, name: "c1", corrects: "m1")]) == ["helo"])
        let twice = [
            original, received("1", name: "c1", corrects: "m1"), received("2", name: "c2", corrects: "m1"),
        ]
        #expect(try texts(twice + [twice[1]]) == ["2*"], "each once, in order")
    }

    @Test func correctionInRoomAppliesOnlyToItsOccupant() throws {
        func occupant(_ nickname: String, _ id: String? = nil) -> MessageSender {
            .occupant(RoomOccupant(nickname: nickname, id: id))
        }
        func texts(_ original: MessageSender, _ corrector: MessageSender) throws -> [String] {
            try self.texts([
                received("helo", sender: original, name: "m1"),
                received("hello", sender: corrector, name: "c1", corrects: "m1"),
            ])
        }
        #expect(try texts(occupant("Ada", "1"), occupant("Countess", "1")) == ["hello*"])
        #expect(try texts(occupant("Ada", "1"), occupant("Ada", "2")) == ["helo", "hello*"])
        #expect(try texts(occupant("Ada", "1"), occupant("Ada")) == ["helo", "hello*"])
        #expect(try texts(occupant("Ada"), occupant("Ada")) == ["hello*"])
        #expect(try texts(occupant("Ada"), occupant("Bob")) == ["helo", "hello*"])
        #expect(try texts(occupant("Ada"), .buddy) == ["helo", "hello*"])
        #expect(try texts(.me, occupant("Ada")) == ["helo", "hello*"])
    }

    @Test func correctionWithoutOriginalReplacesIt() throws {
        let correction = received("hello", archiveName: "a9", name: "c1", corrects: "m1")
        #expect(try texts([correction]) == ["hello*"])
        let old = [("before", "m0", "a1"), ("helo", "m1", "a2"), ("after", "m2", "a3")].map {
            ReceivedMessage(
                buddy: ada, sender: .buddy, text: $0, time: ChatTime(milliseconds: 0), name: $1,
                archiveName: $2)
        }
        #expect(
            try texts([
                correction, received("now", archiveName: "a10"),
                .archived(ArchivePage(.oldest(of: ada), old)),
            ])
                == ["before", "hello*", "after", "now"])
    }

    @Test func orderedMessagesKeepTheirPlaces() throws {
        let table = MemoryMessageTable()
        let composed = ComposedMessage(
            buddy: ada, name: "mine", text: "mine", time: ChatTime(milliseconds: 0))
        _ = try MessageMerger.apply(
            [received("a", archiveName: "1"), .composed(composed), received("b", archiveName: "3")], to: table
        )
        let piece = [("mine", true, "2"), ("b", false, "3")].map {
            ReceivedMessage(
                buddy: ada, sender: $1 ? .me : .buddy, text: $0, time: ChatTime(milliseconds: 0),
                name: $1 ? $0 : "n-\($0)",
                archiveName: $2)
        }
        // The message precedes those known from the stream, so later ones do not move it.
        let changes = try MessageMerger.apply([.archived(ArchivePage(.newest(upTo: "3"), piece))], to: table)
        #expect(changes.changed.map(\.place) == [2])
        #expect(table.messages(of: ada).map(\.text) == ["a", "mine", "b"])
    }

    @Test func deliveryStatesOnlyAdvance() throws {
        let table = MemoryMessageTable()
        func tell(_ fact: MessageUpdate) throws -> MessageState? {
            _ = try MessageMerger.apply([fact], to: table)
            return table.message(of: ada, from: .me, name: "m")?.state
        }
        let composed = ComposedMessage(buddy: ada, name: "m", text: "hi", time: ChatTime(milliseconds: 0))
        #expect(try tell(.composed(composed)) == .waiting)
        #expect(try tell(.acknowledged(buddy: ada, name: "m")) == .sent)
        #expect(try tell(.failed(buddy: ada, name: "m", reason: "No.")) == .failed("No."))
        #expect(try tell(.acknowledged(buddy: ada, name: "m")) == .failed("No."))
        #expect(try tell(.postponedWaiting(ada)) == .failed("No."))
        #expect(try tell(.delivered(buddy: ada, name: "m")) == .delivered)
        #expect(try tell(.failed(buddy: ada, name: "m", reason: "No.")) == .delivered)
        #expect(try tell(.retried(buddy: ada, name: "m", newName: "m2")) == .delivered)
        #expect(try tell(.read(buddy: ada, name: "m")) == .read)
        #expect(try tell(.delivered(buddy: ada, name: "m")) == .read)
        #expect(try tell(.composed(composed)) == .read)
        #expect(try tell(.read(buddy: bob, name: "m")) == .read)
        #expect(table.messages(of: ada).count == 1)
    }

    @Test func archivedCopyOfFailedAttemptIsNotMatchedToRetry() throws {
        let table = MemoryMessageTable()
        func tell(_ fact: MessageUpdate) throws -> MessageState? {
            _ = try MessageMerger.apply([fact], to: table)
            return table.messages(of: ada).first?.state
        }
        func found(_ archiveName: String, _ name: String = "m") -> MessageUpdate {
            let time = ChatTime(milliseconds: 0)
            let message = ReceivedMessage(
                buddy: ada, sender: .me, text: "hi", time: time, name: name, archiveName: archiveName)
            return .archived(ArchivePage(.newest(upTo: archiveName), [message]))
        }
        let composed = ComposedMessage(buddy: ada, name: "m", text: "hi", time: ChatTime(milliseconds: 0))
        #expect(try tell(.composed(composed)) == .waiting)
        #expect(try tell(found("1")) == .sent)
        #expect(try tell(.failed(buddy: ada, name: "m", reason: "No.")) == .failed("No."))
        #expect(try tell(.retried(buddy: ada, name: "m", newName: "m2")) == .waiting)
        #expect(try tell(found("1")) == .waiting)
        // The server may have received it twice, before and after a lost connection.
        #expect(try tell(found("2")) == .waiting)
        #expect(try tell(.archived(ArchivePage(.oldest(of: ada), []))) == .waiting)
        let late = ReceivedMessage(
            buddy: ada, sender: .me, text: "hi", time: ChatTime(milliseconds: 0), name: "m",
            archiveName: "1")
        #expect(try tell(.archived(ArchivePage(.oldest(of: ada), [late]))) == .waiting)
        #expect(try tell(.received(late)) == .waiting)
        #expect(try tell(.acknowledged(buddy: ada, name: "m")) == .waiting)
        #expect(table.messages(of: ada).map(\.name) == ["m2"])
        #expect(try tell(found("3", "m2")) == .sent)
        #expect(table.messages(of: ada).map(\.archiveName) == ["3"])
    }

    @Test func correctionStaysPendingUntilServerHasIt() throws {
        let table = MemoryMessageTable()
        func tell(_ facts: MessageUpdate...) throws -> String? {
            _ = try MessageMerger.apply(facts, to: table)
            return table.messages(of: ada).first?.correction
        }
        let time = ChatTime(milliseconds: 0)
        let composed = ComposedMessage(buddy: ada, name: "m", text: "helo", time: time)
        func corrected(_ by: String) -> MessageUpdate {
            .corrected(buddy: ada, name: "m", text: "hello \(by)", by: by)
        }
        #expect(try tell(.composed(composed), .delivered(buddy: ada, name: "m")) == nil)
        #expect(try tell(corrected("1")) == "1")
        #expect(try tell(corrected("2"), .acknowledged(buddy: ada, name: "1")) == "2", "of the last one")
        #expect(try tell(.read(buddy: ada, name: "m")) == "2")
        #expect(try tell(.acknowledged(buddy: bob, name: "2")) == "2")
        #expect(try tell(.acknowledged(buddy: ada, name: "2")) == nil)
        // The archive has it, so only the server's acknowledgement was lost.
        func found(_ name: String, _ text: String) -> ReceivedMessage {
            ReceivedMessage(
                buddy: ada, sender: .me, text: text, time: time, name: name, archiveName: "a-\(name)",
                relation: .corrects("m", proof: .identity))
        }
        #expect(
            try tell(corrected("3"), .archived(ArchivePage(.newest(upTo: nil), [found("3", "hello 3")])))
                == nil)
        // Another device has corrected it meanwhile; the local text is sent after that.
        #expect(try tell(corrected("4"), .received(found("5", "elsewhere"))) == "4")
        #expect(table.messages(of: ada).map(\.text) == ["hello 4"])
        #expect(try tell(.failed(buddy: ada, name: "4", reason: "No.")) == nil)
        #expect(table.messages(of: ada).map(\.state) == [.failed("No.")], "the buddy has another text")
        #expect(try tell(.retried(buddy: ada, name: "m", newName: "m2")) == nil)
        #expect(table.messages(of: ada).map(\.name) == ["m2"])
    }

    @Test func readMarkerCoversEarlierMessages() throws {
        let table = MemoryMessageTable()
        let names = ["1", "2", "3", "4"]
        var facts = names.map {
            MessageUpdate.composed(
                ComposedMessage(buddy: ada, name: $0, text: $0, time: ChatTime(milliseconds: 0)))
        }
        facts += ["1", "3", "4"].map { .acknowledged(buddy: ada, name: $0) }
        _ = try MessageMerger.apply(facts + [.read(buddy: ada, name: "3")], to: table)
        #expect(table.messages(of: ada).map(\.state) == [.read, .waiting, .read, .sent])
    }

    @Test func eachMessageIsReportedOncePerChange() throws {
        let table = MemoryMessageTable()
        let changes = try MessageMerger.apply(
            [
                received("a", name: "1"), received("b", name: "2"), received("a!", name: "3", corrects: "1"),
                .seen(buddy: ada, upTo: .name("1")),
            ], to: table)
        #expect(changes.inserted.map(\.text) == ["a!", "b"])
        #expect(changes.inserted.map(\.isUnread) == [false, true])
        #expect(changes.changed == [])
        #expect(changes.unread == [ConversationID(ada): 1])
    }

    @Test func mergeFailsIfTableFails() throws {
        let table = FullTable()
        #expect(throws: StoreError.full) { try MessageMerger.apply([received("a")], to: table) }
    }
}

/// A table that is full.
private final class FullTable: MessageTable {
    let account: ChatAddress? = nil
    func encryptionChoice(of buddy: ChatAddress) throws(StoreError) -> EncryptionChoice { .automatic }
    func message(of buddy: ChatAddress, archiveName: String) throws(StoreError) -> ChatMessage? { nil }
    func message(of buddy: ChatAddress, from sender: MessageSender.Identity, name: String) throws(StoreError)
        -> ChatMessage?
    { nil }
    func message(of buddy: ChatAddress, id: Int64) throws(StoreError) -> ChatMessage? { nil }
    func message(of buddy: ChatAddress, correction name: String) throws(StoreError) -> ChatMessage? { nil }
    func lastMine(of buddy: ChatAddress, count: Int) throws(StoreError) -> [ChatMessage] { [] }
    func hasCorrection(of buddy: ChatAddress, from sender: MessageSender.Identity, name: String)
        throws(StoreError) -> Bool
    { false }
    func original(of buddy: ChatAddress, from sender: MessageSender.Identity, correction name: String)
        throws(StoreError) -> String?
    { nil }
    func noteCorrection(
        of buddy: ChatAddress, from sender: MessageSender.Identity, name: String, original: String?
    ) throws(StoreError) { throw .full }
    func noteArchiveName(
        _ archiveName: String, ofCorrection name: String, of buddy: ChatAddress,
        from sender: MessageSender.Identity
    ) throws(StoreError) { throw .full }
    func correction(of buddy: ChatAddress, archiveName: String) throws(StoreError)
        -> (sender: MessageSender.Identity, original: String)?
    { nil }
    func setReaction(_ reaction: MessageReaction, of message: ChatMessage) throws(StoreError) { throw .full }
    func removeReactions(of message: ChatMessage) throws(StoreError) { throw .full }
    func unresolved(of buddy: ChatAddress) throws(StoreError) -> [UnresolvedAnnotation] { [] }
    func addUnresolved(_ annotation: MessageAnnotation) throws(StoreError) -> UnresolvedAnnotation {
        throw .full
    }
    func removeUnresolved(_ annotation: UnresolvedAnnotation) throws(StoreError) { throw .full }
    func addOutgoing(_ annotation: MessageAnnotation) throws(StoreError) { throw .full }
    func removeOutgoing(_ name: String, of buddy: ChatAddress) throws(StoreError) -> MessageAnnotation? {
        nil
    }
    func insert(_ message: ChatMessage) throws(StoreError) -> ChatMessage { throw .full }
    func update(_ message: ChatMessage) throws(StoreError) { throw .full }
    func remove(_ message: ChatMessage) throws(StoreError) { throw .full }
    func places(of buddy: ChatAddress) throws(StoreError) -> ClosedRange<Int64>? { nil }
    func lastArchived(of buddy: ChatAddress, before place: Int64) throws(StoreError) -> ChatMessage? { nil }
    func waiting(of buddy: ChatAddress) throws(StoreError) -> [ChatMessage] { [] }
    func unreadByBuddy(_ buddy: ChatAddress, upTo place: Int64) throws(StoreError) -> [ChatMessage] { [] }
    func unreadByMe(_ buddy: ChatAddress, upTo place: Int64) throws(StoreError) -> [ChatMessage] { [] }
    func unreadCount(_ buddy: ChatAddress) throws(StoreError) -> Int { 0 }
    func archiveCursor(of room: ChatAddress?) throws(StoreError) -> String? { nil }
    func setArchiveCursor(_ name: String?, of room: ChatAddress?) throws(StoreError) { throw .full }
    func setArchivePast(_ past: ArchivePast?, of room: ChatAddress?) throws(StoreError) { throw .full }
}
