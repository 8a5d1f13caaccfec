// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing

@testable import TouchtoneCore

@MainActor
@Suite struct ChatSendingTests {
    @Test func whatIWriteIsKeptBeforeItIsSent() async throws {
        let desk = try await ChatDesk()
        await desk.goOnline()
        let conversation = try await desk.open(ada)
        desk.store.isHeld = true
        conversation.draft = "hello"
        conversation.send("hello")
        #expect(conversation.draft == "")
        #expect(desk.service.calls == [], "it is not on the disk")
        desk.store.isHeld = false
        await desk.rest()
        #expect(desk.service.takeCalls() == [.send("hello", name: "name-000000000001")])
        #expect(conversation.window.map(\.state) == [.waiting])
        await desk.tell(.acknowledged(buddy: ada, name: "name-000000000001"))
        #expect(conversation.window.map(\.state) == [.sent])
    }

    @Test(arguments: [StoreError.full, .newer, .failed("I/O error")])
    func whatCantBeKeptComesBackAsTheDraft(_ error: StoreError) async throws {
        let desk = try await ChatDesk()
        await desk.goOnline()
        let conversation = try await desk.open(ada)
        var changes: [Conversation.Change] = []
        conversation.follow(desk) { changes.append($0) }
        desk.store.trouble = error
        conversation.draft = "hello"
        conversation.send("hello")
        conversation.draft = "and"
        await desk.rest()
        #expect(desk.service.calls == [])
        #expect(conversation.draft == "hello\nand", "what was typed meanwhile stands after it")
        #expect(changes.contains(.draft))
        #expect(desk.chat.trouble == error)
        #expect(!error.text.isEmpty)
        #expect(conversation.window.isEmpty)
    }

    @Test func onceThereIsRoomAgainNothingIsAmiss() async throws {
        let desk = try await ChatDesk()
        await desk.goOnline()
        let conversation = try await desk.open(ada)
        desk.store.trouble = .full
        await desk.tell(came("lost?"))
        #expect(desk.chat.trouble == .full)
        #expect(conversation.window.isEmpty)
        var isKept = false
        desk.chat.whenKept { isKept = true }
        await desk.rest()
        #expect(!isKept, "what is not kept is not acknowledged")
        await desk.tell(came("later"))
        desk.store.trouble = nil
        await desk.pass(.seconds(60))
        #expect(conversation.window.map(\.text) == ["lost?", "later"])
        #expect(isKept)
        #expect(desk.chat.trouble == nil)
    }

    /// While the disk is full the memory is not filled instead: the server keeps what comes.
    @Test func soMuchIsTakenWhileTheDiskIsFullAndNoMore() async throws {
        let desk = try await ChatDesk()
        await desk.goOnline()
        desk.store.trouble = .full
        let text = String(repeating: "x", count: 100_000)
        var count = 0
        // As a server that sends until it is not listened to.
        while !desk.service.isPaused, count < 1000 {
            count += 1
            await desk.tell(came("\(count) \(text)", archiveName: "a\(count)"))
        }
        #expect((80...84).contains(count), "8 MiB")
        // Many small ones take memory, too.
        let other = try await ChatDesk()
        other.store.trouble = .full
        other.service.tell(.facts(many(10_000)))
        #expect(!other.service.isPaused)
        other.service.tell(.facts(many(15_000, from: bob)))
        #expect(other.service.isPaused)
        desk.store.trouble = nil
        await desk.pass(.seconds(60))
        #expect(!desk.service.isPaused)
        #expect(desk.store.table.messages(of: ada).count == count, "none is lost")
    }

    @Test func aStoreThatTakesWhatIWriteIsAskedAtOnceForTheRest() async throws {
        let desk = try await ChatDesk()
        let conversation = try await desk.open(ada)
        desk.store.trouble = .full
        await desk.tell(came("one"))
        for _ in 0..<8 { await desk.pass(.seconds(60)) }
        #expect(conversation.window.isEmpty)
        desk.store.trouble = nil
        conversation.send("two")
        await desk.rest()
        #expect(Set(conversation.window.map(\.text)) == ["one", "two"])
        #expect(desk.chat.trouble == nil)
    }

    @Test func thatTheStoreWasDamagedIsSaidUntilItIsSeen() async throws {
        let desk = try await ChatDesk()
        try await desk.open(ada).draft = "half a"
        await desk.tell(came("from before", from: bob))
        await desk.pass(.seconds(1))
        desk.store.trouble = .damaged(setAside: "messages-2026.db")
        await desk.tell(came("one"))
        await desk.pass(.seconds(60))
        #expect(desk.chat.selected?.window.map(\.text) == ["one"])
        #expect(desk.chat.buddies.row(of: bob)?.unread == 0)
        #expect(desk.store.drafts == [ada: "half a"], "what is known is kept anew")
        #expect(desk.store.buddies.map(\.address) == [ada])
        #expect(desk.chat.trouble == .damaged(setAside: "messages-2026.db"))
        #expect(desk.chat.trouble?.text.contains("messages-2026.db") == true)
        desk.chat.dismissTrouble()
        #expect(desk.chat.trouble == nil)
    }

    @Test func whatWaitsIsSentInOrderOnceTheServiceIsReady() async throws {
        let desk = try await ChatDesk()
        let conversation = try await desk.open(ada)
        for text in ["1", "2", "3"] { conversation.send(text) }
        await desk.rest()
        _ = desk.service.takeCalls()
        desk.store.isHeld = true
        desk.service.tell(.state(.online))
        desk.service.tell(.ready)
        conversation.send("4")
        desk.store.isHeld = false
        await desk.rest()
        #expect(desk.service.takeCalls().map(\.text) == ["1", "2", "3", "4"], "each once, the new one last")
        await desk.goOnline()
        #expect(desk.service.takeCalls().map(\.text) == ["1", "2", "3", "4"], "none was acknowledged")
        #expect(desk.store.table.messages(of: ada).map(\.text) == ["1", "2", "3", "4"])
    }

    @Test func whatIsSentAfterOthersCameStandsAfterThem() async throws {
        let desk = try await ChatDesk()
        let conversation = try await desk.open(ada)
        conversation.send("1")
        conversation.send("2")
        await desk.rest()
        await desk.tell(came("meanwhile"))
        #expect(conversation.window.map(\.text) == ["1", "2", "meanwhile"])
        await desk.goOnline()
        #expect(conversation.window.map(\.text) == ["meanwhile", "1", "2"])
        #expect(desk.store.table.messages(of: ada) == conversation.window)
    }

    @Test func whatIsTooLongIsRefusedWhole() async throws {
        let desk = try await ChatDesk()
        await desk.goOnline()
        desk.service.longestText = 5
        let conversation = try await desk.open(ada)
        conversation.draft = "123456"
        #expect(!conversation.send("123456"))
        await desk.rest()
        #expect(conversation.draft == "123456" && conversation.window.isEmpty)
        #expect(conversation.send("12345"))
        await desk.rest()
        #expect(desk.service.takeCalls() == [.send("12345", name: "name-000000000001")])
        let message = try #require(conversation.lastMine)
        #expect(!conversation.correct(message, to: "123456"))
        await desk.rest()
        #expect(conversation.window.map(\.text) == ["12345"] && desk.service.takeCalls() == [])
        #expect(conversation.correct(message, to: "54321"))
        // An answer to a notification is nowhere else than in it.
        desk.chat.reply("more than that", to: bob)
        desk.chat.reply("and here", to: ada)
        await desk.pass(.seconds(1))
        #expect(desk.store.drafts == [ada: "and here", bob: "more than that"])
        #expect(!Conversation.tooLong.isEmpty)
    }

    @Test func anEmptyMessageIsNone() async throws {
        let desk = try await ChatDesk()
        let conversation = try await desk.open(ada)
        for text in ["", " ", "\n\t "] { conversation.send(text) }
        await desk.rest()
        #expect(conversation.window.isEmpty)
    }

    @Test func whatTheWireCantCarryIsLeftOut() async throws {
        let desk = try await ChatDesk()
        let conversation = try await desk.open(ada)
        conversation.send("a\r\nb\rc\u{1}\u{FFFE} \u{202E}<b>&amp;👍🏽")
        await desk.rest()
        #expect(conversation.window.map(\.text) == ["a\nb\nc \u{202E}<b>&amp;👍🏽"])
    }

    @Test func aCorrectionReplacesTheTextAndIsSent() async throws {
        let desk = try await ChatDesk()
        await desk.goOnline()
        let conversation = try await desk.open(ada)
        conversation.send("helo")
        await desk.rest()
        let message = try #require(conversation.lastMine)
        #expect(message.text == "helo")
        conversation.correct(message, to: "helo")
        await desk.rest()
        #expect(desk.service.takeCalls().count == 1, "the same text is no correction")
        conversation.correct(message, to: "hello")
        await desk.rest()
        #expect(conversation.window.map(\.text) == ["hello"])
        #expect(conversation.lastMine?.isCorrected == true)
        let sent = FakeChatService.Call.correct(
            "hello", of: "name-000000000001", name: "name-000000000002")
        #expect(desk.service.takeCalls() == [sent])
        await desk.tell(.acknowledged(buddy: ada, name: "name-000000000001"))
        await desk.goOnline()
        #expect(desk.service.takeCalls() == [sent], "until the server has it")
        await desk.tell(.acknowledged(buddy: ada, name: "name-000000000002"))
        await desk.goOnline()
        #expect(desk.service.takeCalls() == [])
    }

    /// Corrected without a connection, and the program ended: the next one sends it.
    @Test func aCorrectionOutlivesTheProgram() async throws {
        let time = ChatTime(milliseconds: 0)
        let facts: [ChatFact] = [
            .written(WrittenMessage(buddy: ada, name: "m", text: "helo", time: time)),
            .delivered(buddy: ada, name: "m"),
            .rewritten(buddy: ada, name: "m", text: "hel", by: "c1"),
            .rewritten(buddy: ada, name: "m", text: "hello", by: "c2"),
        ]
        let desk = try await ChatDesk(facts: facts)
        let conversation = try await desk.open(ada)
        #expect(conversation.window.map(\.correction) == ["c2"])
        #expect(desk.service.takeCalls() == [])
        await desk.goOnline()
        let sent = FakeChatService.Call.correct("hello", of: "m", name: "c2")
        #expect(desk.service.takeCalls() == [sent])
        await desk.tell(.acknowledged(buddy: ada, name: "c2"))
        #expect(conversation.window.map(\.correction) == [nil])
        await desk.goOnline()
        #expect(desk.service.takeCalls() == [])
    }

    /// A correction made while the waiting ones are looked up goes out once, with its last text.
    @Test func aCorrectionThatIsMadeMeanwhileGoesOnce() async throws {
        let time = ChatTime(milliseconds: 0)
        let desk = try await ChatDesk(facts: [
            .written(WrittenMessage(buddy: ada, name: "m", text: "helo", time: time)),
            .acknowledged(buddy: ada, name: "m"),
            .rewritten(buddy: ada, name: "m", text: "hel", by: "c1"),
        ])
        let conversation = try await desk.open(ada)
        let message = try #require(conversation.lastMine)
        desk.store.isHeld = true
        desk.service.tell(.state(.online))
        desk.service.tell(.ready)
        conversation.correct(message, to: "hello")
        desk.store.isHeld = false
        await desk.rest()
        #expect(desk.service.takeCalls() == [.correct("hello", of: "m", name: "name-000000000001")])
    }

    @Test func aFailedMessageIsTriedAgainAsTheLast() async throws {
        let desk = try await ChatDesk()
        await desk.goOnline()
        let conversation = try await desk.open(ada)
        conversation.send("first")
        await desk.rest()
        await desk.tell(
            .failed(buddy: ada, name: "name-000000000001", reason: "There is no such buddy."), came("then"))
        #expect(conversation.window.first?.state == .failed("There is no such buddy."))
        _ = desk.service.takeCalls()
        conversation.retry(try #require(conversation.window.first))
        await desk.rest()
        #expect(conversation.window.map(\.text) == ["then", "first"])
        #expect(conversation.window.last?.state == .waiting)
        #expect(
            desk.service.takeCalls() == [.send("first", name: "name-000000000002")],
            "a name of its own: what is known of the old one says nothing of it")
    }

    /// The archive has what failed; the server takes a message before it finds out that nobody gets it.
    @Test func aFailedMessageThatWaitsIsNotLostInTheArchive() async throws {
        let desk = try await ChatDesk()
        await desk.goOnline()
        let conversation = try await desk.open(ada)
        conversation.send("first")
        await desk.rest()
        let name = "name-000000000001"
        await desk.tell(
            .acknowledged(buddy: ada, name: name), .failed(buddy: ada, name: name, reason: "No."))
        _ = desk.service.takeCalls()
        conversation.retry(try #require(conversation.window.first))
        await desk.rest()
        let archived = CameMessage(
            buddy: ada, sender: .me, text: "first", time: ChatTime(milliseconds: 1), name: name,
            archiveName: "a-1")
        await desk.tell(.archived(ArchivePiece(.newest(upTo: "a-1"), [archived])))
        #expect(conversation.window.map(\.state) == [.waiting])
        _ = desk.service.takeCalls()
        await desk.goOnline()
        #expect(desk.service.takeCalls() == [.send("first", name: "name-000000000002")])
    }

    @Test func aFailedMessageWithAnotherTextIsSentAndNotCorrected() async throws {
        let desk = try await ChatDesk()
        await desk.goOnline()
        let conversation = try await desk.open(ada)
        conversation.send("first")
        await desk.rest()
        await desk.tell(.failed(buddy: ada, name: "name-000000000001", reason: "No."))
        _ = desk.service.takeCalls()
        conversation.correct(try #require(conversation.lastMine), to: "second")
        await desk.rest()
        #expect(desk.service.takeCalls() == [.send("second", name: "name-000000000003")])
    }

    @Test func arrivalsAreConfirmedOnceTheyAreKeptAndToThoseWhoMayKnow() async throws {
        let desk = try await ChatDesk()
        await desk.goOnline()
        desk.store.isHeld = true
        desk.service.tell(.facts([came("hi", wants: .receipt), came("psst", from: bob, wants: .receipt)]))
        await desk.rest()
        #expect(desk.service.calls == [])
        desk.store.isHeld = false
        await desk.rest()
        #expect(desk.service.takeCalls() == [.arrived("hi")], "a stranger is not told that I am here")
        await desk.tell(came("hi", wants: .receipt))
        #expect(desk.service.takeCalls() == [], "once")
    }

    @Test func manyThatArriveAtOnceAreToldOfOnce() async throws {
        let desk = try await ChatDesk()
        desk.service.tell(.facts(many(1000) + [came("hello", from: bob)]))
        await desk.rest()
        #expect(desk.arrivals.suffix(2).sorted() == ["Ada: 1000", "bob@example.org: hello"])
        #expect(desk.arrivals.count <= 4)
        #expect(desk.chat.buddies.unread == 1001)
        #expect(desk.store.applications < 5)
    }

    @Test func whatWasSeenElsewhereIsNoArrival() async throws {
        let desk = try await ChatDesk()
        await desk.tell(came("1"), .seen(buddy: ada, upTo: .name("n-1")))
        let piece = ArchivePiece(
            .oldest(of: ada),
            [CameMessage(buddy: ada, sender: .buddy, text: "old", time: ChatTime(milliseconds: 0))])
        await desk.tell(.archived(piece), came("mine", sender: .me))
        #expect(desk.arrivals == [])
    }
}

extension FakeChatService.Call {
    fileprivate var text: String? { if case .send(let text, _) = self { text } else { nil } }
}
