// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing

@testable import TouchtoneCore

@MainActor
@Suite struct ChatSendingTests {
    @Test func messageIsSavedBeforeItIsSent() async throws {
        let fixture = try await ChatFixture()
        await fixture.goOnline()
        let conversation = try await fixture.open(ada)
        fixture.store.isHeld = true
        conversation.draft = "hello"
        conversation.send("hello")
        #expect(conversation.draft == "")
        #expect(fixture.service.calls == [], "it is not on the disk")
        fixture.store.isHeld = false
        await fixture.rest()
        #expect(fixture.service.takeCalls() == [.send("hello", name: "name-000000000001")])
        #expect(conversation.window.map(\.state) == [.waiting])
        await fixture.tell(.acknowledged(buddy: ada, name: "name-000000000001"))
        #expect(conversation.window.map(\.state) == [.sent])
    }

    @Test(arguments: [StoreError.full, .newer, .failed("I/O error")])
    func unsavedMessageReturnsAsDraft(_ error: StoreError) async throws {
        let fixture = try await ChatFixture()
        await fixture.goOnline()
        let conversation = try await fixture.open(ada)
        var changes: [Conversation.Change] = []
        conversation.observe(by: fixture) { changes.append($0) }
        fixture.store.trouble = error
        conversation.draft = "hello"
        conversation.send("hello")
        conversation.draft = "and"
        await fixture.rest()
        #expect(fixture.service.calls == [])
        #expect(conversation.draft == "hello\nand", "what was typed meanwhile stands after it")
        #expect(changes.contains(.draft))
        #expect(fixture.chat.health.error(of: .messages) == error)
        #expect(!error.text.isEmpty)
        #expect(conversation.window.isEmpty)
    }

    @Test func storeErrorClearsOnceThereIsRoom() async throws {
        let fixture = try await ChatFixture()
        await fixture.goOnline()
        let conversation = try await fixture.open(ada)
        fixture.store.trouble = .full
        await fixture.tell(received("lost?"))
        #expect(fixture.chat.health.error(of: .messages) == .full)
        #expect(conversation.window.isEmpty)
        var isKept = false
        fixture.chat.whenKept { isKept = true }
        await fixture.rest()
        #expect(!isKept, "what is not kept is not acknowledged")
        await fixture.tell(received("later"))
        fixture.store.trouble = nil
        await fixture.pass(.seconds(60))
        #expect(conversation.window.map(\.text) == ["lost?", "later"])
        #expect(isKept)
        #expect(fixture.chat.health.error(of: .messages) == nil)
    }

    /// While the disk is full, messages stay on the server instead of filling the memory.
    @Test func receivingPausesAtLimitWhileDiskIsFull() async throws {
        let fixture = try await ChatFixture()
        await fixture.goOnline()
        fixture.store.trouble = .full
        let text = String(repeating: "x", count: 100_000)
        var count = 0
        // The loop stands for a server that sends until the client stops reading.
        while !fixture.service.isPaused, count < 1000 {
            count += 1
            await fixture.tell(received("\(count) \(text)", archiveName: "a\(count)"))
        }
        #expect((80...84).contains(count), "8 MiB")
        // Many small messages take memory, too.
        let other = try await ChatFixture()
        other.store.trouble = .full
        other.service.tell(.updates(many(10_000)))
        #expect(!other.service.isPaused)
        other.service.tell(.updates(many(15_000, from: bob)))
        #expect(other.service.isPaused)
        fixture.store.trouble = nil
        await fixture.pass(.seconds(60))
        #expect(!fixture.service.isPaused)
        #expect(fixture.store.table.messages(of: ada).count == count, "none is lost")
    }

    @Test func successfulSaveRetriesPendingMessagesAtOnce() async throws {
        let fixture = try await ChatFixture()
        let conversation = try await fixture.open(ada)
        fixture.store.trouble = .full
        await fixture.tell(received("one"))
        for _ in 0..<8 { await fixture.pass(.seconds(60)) }
        #expect(conversation.window.isEmpty)
        fixture.store.trouble = nil
        conversation.send("two")
        await fixture.rest()
        #expect(Set(conversation.window.map(\.text)) == ["one", "two"])
        #expect(fixture.chat.health.error(of: .messages) == nil)
    }

    @Test func storeDamageIsReportedUntilSeen() async throws {
        let fixture = try await ChatFixture()
        try await fixture.open(ada).draft = "half a"
        await fixture.tell(received("from before", from: bob))
        await fixture.pass(.seconds(1))
        fixture.chat.setEncrypted(true, bob)
        await fixture.rest()
        fixture.store.trouble = .damaged(setAside: "messages-2026.db")
        await fixture.tell(received("one"))
        await fixture.pass(.seconds(60))
        #expect(fixture.chat.selected?.window.map(\.text) == ["one"])
        #expect(fixture.chat.buddies.row(of: bob)?.unread == 0)
        #expect(fixture.store.drafts == [ada: "half a"], "what is known is kept anew")
        #expect(fixture.store.buddies.map(\.address) == [ada])
        #expect(try await fixture.store.summary().conversations[bob]?.settings == .encrypted)
        #expect(fixture.chat.isEncrypted(bob), "nothing but the user ends that")
        #expect(fixture.chat.health.error(of: .messages) == .damaged(setAside: "messages-2026.db"))
        #expect(fixture.chat.health.error(of: .messages)?.text.contains("messages-2026.db") == true)
        fixture.chat.health.dismiss(.messages)
        #expect(fixture.chat.health.error(of: .messages) == nil)
    }

    @Test func pendingMessagesAreSentInOrderOnceServiceIsReady() async throws {
        let fixture = try await ChatFixture()
        let conversation = try await fixture.open(ada)
        for text in ["1", "2", "3"] { conversation.send(text) }
        await fixture.rest()
        _ = fixture.service.takeCalls()
        fixture.store.isHeld = true
        fixture.service.tell(.state(.online))
        fixture.service.tell(.ready)
        conversation.send("4")
        fixture.store.isHeld = false
        await fixture.rest()
        #expect(
            fixture.service.takeCalls().map(\.text) == ["1", "2", "3", "4"], "each once, the new one last")
        await fixture.goOnline()
        #expect(fixture.service.takeCalls().map(\.text) == ["1", "2", "3", "4"], "none was acknowledged")
        #expect(fixture.store.table.messages(of: ada).map(\.text) == ["1", "2", "3", "4"])
    }

    @Test func messageSentAfterArrivalsComesAfterThem() async throws {
        let fixture = try await ChatFixture()
        let conversation = try await fixture.open(ada)
        conversation.send("1")
        conversation.send("2")
        await fixture.rest()
        await fixture.tell(received("meanwhile"))
        #expect(conversation.window.map(\.text) == ["1", "2", "meanwhile"])
        await fixture.goOnline()
        #expect(conversation.window.map(\.text) == ["meanwhile", "1", "2"])
        #expect(fixture.store.table.messages(of: ada) == conversation.window)
    }

    @Test func messageWrittenWhileOthersMoveFollowsThem() async throws {
        let fixture = try await ChatFixture()
        let conversation = try await fixture.open(ada)
        conversation.send("1")
        conversation.send("2")
        await fixture.rest()
        _ = fixture.service.takeCalls()
        await fixture.tell(received("meanwhile"))
        fixture.store.isHeld = true
        fixture.service.tell(.state(.online))
        fixture.service.tell(.ready)
        // The waiting messages are being read.
        await fixture.rest()
        conversation.send("3")
        fixture.store.isHeld = false
        await fixture.rest()
        #expect(fixture.service.takeCalls().map(\.text) == ["1", "2", "3"])
        #expect(fixture.store.table.messages(of: ada).map(\.text) == ["meanwhile", "1", "2", "3"])
        #expect(fixture.store.table.messages(of: ada) == conversation.window)
    }

    /// A disk that is full does not let a new message overtake those that wait.
    @Test func waitingMessagesAreSentFromTheirPlacesIfTheyCannotMove() async throws {
        let fixture = try await ChatFixture()
        let conversation = try await fixture.open(ada)
        conversation.send("1")
        await fixture.rest()
        _ = fixture.service.takeCalls()
        await fixture.tell(received("meanwhile"))
        fixture.store.troubleOfChanges = .full
        await fixture.goOnline()
        #expect(fixture.service.takeCalls().map(\.text) == ["1"])
        #expect(fixture.chat.health.error(of: .messages) == .full)
        #expect(conversation.window.map(\.text) == ["1", "meanwhile"])
    }

    @Test func tooLongMessageIsRefusedWhole() async throws {
        let fixture = try await ChatFixture()
        await fixture.goOnline()
        fixture.service.maximumTextLength = 5
        let conversation = try await fixture.open(ada)
        conversation.draft = "123456"
        #expect(!conversation.send("123456"))
        await fixture.rest()
        #expect(conversation.draft == "123456" && conversation.window.isEmpty)
        #expect(conversation.send("12345"))
        await fixture.rest()
        #expect(fixture.service.takeCalls() == [.send("12345", name: "name-000000000001")])
        let message = try #require(conversation.lastMine)
        #expect(!conversation.correct(message, to: "123456"))
        await fixture.rest()
        #expect(conversation.window.map(\.text) == ["12345"] && fixture.service.takeCalls() == [])
        #expect(conversation.correct(message, to: "54321"))
        // A reply to a notification exists nowhere else.
        fixture.chat.reply("more than that", to: bob)
        fixture.chat.reply("and here", to: ada)
        await fixture.pass(.seconds(1))
        #expect(fixture.store.drafts == [ada: "and here", bob: "more than that"])
        #expect(!Conversation.tooLong.isEmpty)
    }

    @Test func emptyMessageIsNotSent() async throws {
        let fixture = try await ChatFixture()
        let conversation = try await fixture.open(ada)
        for text in ["", " ", "\n\t "] { conversation.send(text) }
        await fixture.rest()
        #expect(conversation.window.isEmpty)
    }

    @Test func charactersInvalidInXMLAreRemoved() async throws {
        let fixture = try await ChatFixture()
        let conversation = try await fixture.open(ada)
        conversation.send("a\r\nb\rc\u{1}\u{FFFE} \u{202E}<b>&amp;👍🏽")
        await fixture.rest()
        #expect(conversation.window.map(\.text) == ["a\nb\nc \u{202E}<b>&amp;👍🏽"])
    }

    @Test func correctionReplacesTextAndIsSent() async throws {
        let fixture = try await ChatFixture()
        await fixture.goOnline()
        let conversation = try await fixture.open(ada)
        conversation.send("helo")
        await fixture.rest()
        let message = try #require(conversation.lastMine)
        #expect(message.text == "helo")
        conversation.correct(message, to: "helo")
        await fixture.rest()
        #expect(fixture.service.takeCalls().count == 1, "the same text is no correction")
        conversation.correct(message, to: "hello")
        await fixture.rest()
        #expect(conversation.window.map(\.text) == ["hello"])
        #expect(conversation.lastMine?.isCorrected == true)
        let sent = FakeChatService.Call.correct(
            "hello", of: "name-000000000001", name: "name-000000000002")
        #expect(fixture.service.takeCalls() == [sent])
        await fixture.tell(.acknowledged(buddy: ada, name: "name-000000000001"))
        await fixture.goOnline()
        #expect(fixture.service.takeCalls() == [sent], "until the server has it")
        await fixture.tell(.acknowledged(buddy: ada, name: "name-000000000002"))
        await fixture.goOnline()
        #expect(fixture.service.takeCalls() == [])
    }

    @Test func retractedMessageCannotBeCorrected() async throws {
        let fixture = try await ChatFixture()
        await fixture.goOnline()
        let conversation = try await fixture.open(ada)
        conversation.send("helo")
        await fixture.rest()
        #expect(conversation.correctable?.text == "helo")
        await fixture.tell(
            .annotated(
                MessageAnnotation(
                    .retraction, of: .stanza("name-000000000001"), buddy: ada, sender: .me,
                    time: ChatTime(milliseconds: 1))))
        #expect(conversation.correctable == nil)
        _ = fixture.service.takeCalls()
        conversation.correct(try #require(conversation.lastMine), to: "hello")
        await fixture.rest()
        #expect(conversation.window.map(\.text) == [""] && fixture.service.takeCalls() == [])
    }

    /// A correction made offline before the program ended is sent by the next run.
    @Test func correctionSurvivesRestart() async throws {
        let time = ChatTime(milliseconds: 0)
        let facts: [MessageUpdate] = [
            .composed(ComposedMessage(buddy: ada, name: "m", text: "helo", time: time)),
            .delivered(buddy: ada, name: "m"),
            .corrected(buddy: ada, name: "m", text: "hel", by: "c1"),
            .corrected(buddy: ada, name: "m", text: "hello", by: "c2"),
        ]
        let fixture = try await ChatFixture(facts: facts)
        let conversation = try await fixture.open(ada)
        #expect(conversation.window.map(\.correction) == ["c2"])
        #expect(fixture.service.takeCalls() == [])
        await fixture.goOnline()
        let sent = FakeChatService.Call.correct("hello", of: "m", name: "c2")
        #expect(fixture.service.takeCalls() == [sent])
        await fixture.tell(.acknowledged(buddy: ada, name: "c2"))
        #expect(conversation.window.map(\.correction) == [nil])
        await fixture.goOnline()
        #expect(fixture.service.takeCalls() == [])
    }

    /// A correction made while pending messages are looked up is sent once, with its last text.
    @Test func correctionDuringSendIsSentOnce() async throws {
        let time = ChatTime(milliseconds: 0)
        let fixture = try await ChatFixture(facts: [
            .composed(ComposedMessage(buddy: ada, name: "m", text: "helo", time: time)),
            .acknowledged(buddy: ada, name: "m"),
            .corrected(buddy: ada, name: "m", text: "hel", by: "c1"),
        ])
        let conversation = try await fixture.open(ada)
        let message = try #require(conversation.lastMine)
        fixture.store.isHeld = true
        fixture.service.tell(.state(.online))
        fixture.service.tell(.ready)
        conversation.correct(message, to: "hello")
        fixture.store.isHeld = false
        await fixture.rest()
        #expect(fixture.service.takeCalls() == [.correct("hello", of: "m", name: "name-000000000001")])
    }

    @Test func retriedMessageBecomesLast() async throws {
        let fixture = try await ChatFixture()
        await fixture.goOnline()
        let conversation = try await fixture.open(ada)
        conversation.send("first")
        await fixture.rest()
        await fixture.tell(
            .failed(buddy: ada, name: "name-000000000001", reason: "There is no such buddy."),
            received("then"))
        #expect(conversation.window.first?.state == .failed("There is no such buddy."))
        _ = fixture.service.takeCalls()
        conversation.retry(try #require(conversation.window.first))
        await fixture.rest()
        #expect(conversation.window.map(\.text) == ["then", "first"])
        #expect(conversation.window.last?.state == .waiting)
        #expect(
            fixture.service.takeCalls() == [.send("first", name: "name-000000000002")],
            "a name of its own: what is known of the old one says nothing of it")
    }

    /// The archive has the failed message, because the server accepts a message before it finds it undeliverable.
    @Test func retriedMessageIsNotTakenForArchivedOne() async throws {
        let fixture = try await ChatFixture()
        await fixture.goOnline()
        let conversation = try await fixture.open(ada)
        conversation.send("first")
        await fixture.rest()
        let name = "name-000000000001"
        await fixture.tell(
            .acknowledged(buddy: ada, name: name), .failed(buddy: ada, name: name, reason: "No."))
        _ = fixture.service.takeCalls()
        conversation.retry(try #require(conversation.window.first))
        await fixture.rest()
        let archived = ReceivedMessage(
            buddy: ada, sender: .me, text: "first", time: ChatTime(milliseconds: 1), name: name,
            archiveName: "a-1")
        await fixture.tell(.archived(ArchivePage(.newest(upTo: "a-1"), [archived])))
        #expect(conversation.window.map(\.state) == [.waiting])
        _ = fixture.service.takeCalls()
        await fixture.goOnline()
        #expect(fixture.service.takeCalls() == [.send("first", name: "name-000000000002")])
    }

    @Test func editedFailedMessageIsSentAnewInsteadOfCorrected() async throws {
        let fixture = try await ChatFixture()
        await fixture.goOnline()
        let conversation = try await fixture.open(ada)
        conversation.send("first")
        await fixture.rest()
        await fixture.tell(.failed(buddy: ada, name: "name-000000000001", reason: "No."))
        _ = fixture.service.takeCalls()
        conversation.correct(try #require(conversation.lastMine), to: "second")
        await fixture.rest()
        #expect(fixture.service.takeCalls() == [.send("second", name: "name-000000000003")])
    }

    @Test func receiptsAreSentAfterSavingAndOnlyToPermittedSenders() async throws {
        let fixture = try await ChatFixture()
        await fixture.goOnline()
        fixture.store.isHeld = true
        fixture.service.tell(
            .updates([
                received("hi", receiptRequests: .receipt),
                received("psst", from: bob, receiptRequests: .receipt),
            ]))
        await fixture.rest()
        #expect(fixture.service.calls == [])
        fixture.store.isHeld = false
        await fixture.rest()
        #expect(fixture.service.takeCalls() == [.arrived("hi")], "a stranger is not told that I am here")
        await fixture.tell(received("hi", receiptRequests: .receipt))
        #expect(fixture.service.takeCalls() == [], "once")
    }

    @Test func burstOfArrivalsIsReportedOnce() async throws {
        let fixture = try await ChatFixture()
        fixture.service.tell(.updates(many(1000) + [received("hello", from: bob)]))
        await fixture.rest()
        #expect(fixture.arrivals.suffix(2).sorted() == ["Ada: 1000", "bob@example.org: hello"])
        #expect(fixture.arrivals.count <= 4)
        #expect(fixture.chat.buddies.unread == 1001)
        #expect(fixture.store.applications < 5)
    }

    @Test func messageReadElsewhereIsNotReportedAsArrival() async throws {
        let fixture = try await ChatFixture()
        await fixture.tell(received("1"), .seen(buddy: ada, upTo: .name("n-1")))
        let piece = ArchivePage(
            .oldest(of: ada),
            [ReceivedMessage(buddy: ada, sender: .buddy, text: "old", time: ChatTime(milliseconds: 0))])
        await fixture.tell(.archived(piece), received("mine", sender: .me))
        #expect(fixture.arrivals == [])
    }
}

extension FakeChatService.Call {
    fileprivate var text: String? { if case .send(let text, _) = self { text } else { nil } }
}
