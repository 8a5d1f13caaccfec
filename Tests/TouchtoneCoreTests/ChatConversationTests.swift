// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing

@testable import TouchtoneCore

@MainActor
@Suite struct ChatConversationTests {
    /// Returns messages that were seen.
    private func seen(_ count: Int) -> [MessageUpdate] {
        many(count) + [.seen(buddy: ada, upTo: .place(.max))]
    }

    @Test func conversationOpensAtEnd() async throws {
        let fixture = try await ChatFixture(facts: seen(1000))
        let conversation = try await fixture.open(ada)
        #expect(conversation.window.map(\.text) == (901...1000).map(String.init))
        #expect(conversation.hasOlder)
        #expect(!conversation.hasNewer)
        #expect(conversation.firstUnread == nil)
    }

    @Test func windowMovesThroughWholeHistory() async throws {
        let fixture = try await ChatFixture(facts: seen(1000))
        let conversation = try await fixture.open(ada)
        let shown = Shown(conversation)
        conversation.isAtEnd = false
        while conversation.hasOlder {
            conversation.loadOlder()
            await fixture.rest()
            #expect(conversation.window.count <= 300)
            #expect(shown.ids == conversation.window.map(\.id))
        }
        #expect(conversation.window.first?.text == "1")
        #expect(conversation.hasNewer)
        while conversation.hasNewer {
            conversation.loadNewer()
            await fixture.rest()
            #expect(shown.ids == conversation.window.map(\.id))
        }
        #expect(conversation.window.last?.text == "1000")
        conversation.show(around: 500)
        await fixture.rest()
        #expect(conversation.window.contains { $0.place == 500 })
        #expect(conversation.hasOlder && conversation.hasNewer)
        await fixture.tell(received("new"))
        #expect(conversation.window.last?.text != "new", "it is not where one looks")
        conversation.showNewest()
        await fixture.rest()
        #expect(conversation.window.last?.text == "new")
        #expect(shown.ids == conversation.window.map(\.id))
    }

    /// Waiting messages move behind what has come meanwhile, also if they are all that is shown.
    @Test func newestMessagesAreShownWhenAllShownMove() async throws {
        let waiting = (1...400).map { number in
            MessageUpdate.composed(
                ComposedMessage(
                    buddy: ada, name: "w\(number)", text: "\(number)", time: ChatTime(milliseconds: 1)))
        }
        let fixture = try await ChatFixture(facts: waiting + seen(200))
        let conversation = try await fixture.open(ada)
        let shown = Shown(conversation)
        conversation.show(around: 200)
        await fixture.rest()
        #expect(!conversation.window.isEmpty && conversation.window.allSatisfy { $0.state == .waiting })
        await fixture.tell(.postponedWaiting(ada))
        await fixture.rest()
        #expect(conversation.window.map(\.text) == (301...400).map(String.init))
        #expect(!conversation.hasNewer && shown.ids == conversation.window.map(\.id))
    }

    @Test func conversationOpensAtFirstUnread() async throws {
        let fixture = try await ChatFixture(facts: many(1000) + [.seen(buddy: ada, upTo: .place(400))])
        let conversation = try await fixture.open(ada)
        let first = try #require(conversation.window.first { $0.isUnread })
        #expect(first.text == "401")
        #expect(conversation.firstUnread == first.id)
        #expect(conversation.hasOlder && conversation.hasNewer)
        conversation.seen(upTo: first)
        await fixture.rest()
        #expect(fixture.chat.buddies.row(of: ada)?.unread == 599)
        #expect(conversation.firstUnread == first.id, "the line stays while it is open")
        #expect(conversation.newCount == 600)
        conversation.send("answer")
        await fixture.rest()
        #expect(conversation.firstUnread == nil)
        #expect(conversation.window.last?.text == "answer")
    }

    @Test func shownMessagesAreReadOnceInView() async throws {
        let fixture = try await ChatFixture()
        await fixture.goOnline()
        let conversation = try await fixture.open(ada)
        fixture.chat.isInView = false
        await fixture.tell(received("1", receiptRequests: .marker), received("2"))
        conversation.seen(upTo: try #require(conversation.window.last))
        await fixture.rest()
        #expect(fixture.chat.buddies.row(of: ada)?.unread == 2)
        #expect(conversation.firstUnread == conversation.window.first?.id, "what came while nobody looked")
        #expect(fixture.service.takeCalls() == [])
        fixture.chat.isInView = true
        await fixture.rest()
        #expect(fixture.chat.buddies.row(of: ada)?.unread == 0)
        #expect(fixture.service.takeCalls() == [.read("1")])
        #expect(conversation.firstUnread != nil)
    }

    /// The user’s other devices learn of it also where the sender does not.
    @Test func otherDevicesLearnWhatWasSeen() async throws {
        let fixture = try await ChatFixture()
        await fixture.goOnline()
        let conversation = try await fixture.open(bob)
        fixture.chat.isInView = true
        await fixture.tell(
            received("1", from: bob, archiveName: "a1"), received("2", from: bob, archiveName: "a2"),
            received("3", from: bob))
        conversation.seen(upTo: try #require(conversation.window.last))
        await fixture.rest()
        #expect(fixture.service.shared == ["a2"], "the last that all devices know")
        #expect(!fixture.service.takeCalls().contains(.read("3")))
    }

    /// A user who has scrolled up finds the place where new messages start.
    @Test func messagesArrivingOutOfViewGetUnreadLine() async throws {
        let fixture = try await ChatFixture(facts: seen(30))
        let conversation = try await fixture.open(ada)
        conversation.seen(upTo: try #require(conversation.window.last))
        await fixture.tell(received("in sight", name: "n-a"))
        conversation.seen(upTo: try #require(conversation.window.last))
        await fixture.rest()
        #expect(conversation.firstUnread == nil)
        conversation.isAtEnd = false
        await fixture.tell(received("1", name: "n-b"), received("2", name: "n-c"))
        let first = try #require(conversation.window.first { $0.text == "1" && $0.name == "n-b" })
        #expect(conversation.firstUnread == first.id)
        await fixture.tell(received("3", name: "n-d"))
        #expect(conversation.firstUnread == first.id, "above the first of them")
        #expect(conversation.newCount == 3)
        conversation.isAtEnd = true
        conversation.seen(upTo: try #require(conversation.window.last))
        await fixture.rest()
        #expect(conversation.firstUnread == first.id && fixture.chat.buddies.row(of: ada)?.unread == 0)
        #expect(conversation.newCount == 3, "as long as the line stays")
    }

    @Test func olderHistoryLoadsFromArchive() async throws {
        let fixture = try await ChatFixture(facts: seen(30))
        await fixture.goOnline()
        fixture.service.pages = [page(-2, 0), page(-50, -3)]
        fixture.service.pages.reverse()
        let conversation = try await fixture.open(ada)
        conversation.loadOlder()
        await fixture.rest()
        #expect(fixture.service.historyCalls == ["a-1"])
        #expect(conversation.window.first?.text == "-2")
        conversation.loadOlder()
        await fixture.rest()
        #expect(conversation.window.first?.text == "-50")
        #expect(conversation.window.map(\.text) == (-50...30).map(String.init))
        #expect(!conversation.hasOlder)
        #expect(fixture.chat.buddies.unread == 0)
        #expect(fixture.arrivals == [])
    }

    @Test func onlyStoreIsReadWithoutConnection() async throws {
        let fixture = try await ChatFixture(facts: seen(30))
        let conversation = try await fixture.open(ada)
        #expect(!conversation.hasOlder)
        await fixture.goOnline()
        #expect(conversation.hasOlder)
        fixture.service.error = .offline
        conversation.loadOlder()
        await fixture.rest()
        #expect(!conversation.hasOlder, "it is not asked again and again")
    }

    private func page(_ first: Int, _ last: Int) -> [ReceivedMessage] {
        (first...last).map {
            ReceivedMessage(
                buddy: ada, sender: .buddy, text: "\($0)", time: ChatTime(milliseconds: 0), name: "n-\($0)",
                archiveName: "a-\($0)")
        }
    }

    @Test func newMessageDoesNotMoveEarlierView() async throws {
        let fixture = try await ChatFixture(facts: seen(300))
        let conversation = try await fixture.open(ada)
        conversation.isAtEnd = false
        let first = conversation.window.first
        fixture.service.tell(.updates((301...2000).map { received("\($0)", archiveName: "a-\($0)") }))
        await fixture.rest()
        #expect(conversation.window.first == first)
        #expect(conversation.window.count <= 600)
        #expect(conversation.hasNewer)
        conversation.showNewest()
        await fixture.rest()
        #expect(conversation.window.last?.text == "2000")
    }

    @Test func newMessageScrollsViewAtEnd() async throws {
        let fixture = try await ChatFixture(facts: seen(300))
        let conversation = try await fixture.open(ada)
        let shown = Shown(conversation)
        fixture.service.tell(.updates((301...2000).map { received("\($0)", archiveName: "a-\($0)") }))
        await fixture.rest()
        #expect(conversation.window.map(\.text) == (1701...2000).map(String.init))
        #expect(shown.ids == conversation.window.map(\.id))
    }

    /// The open conversation shows its draft in the field.
    @Test func draftsAreInListOfConversations() async throws {
        let fixture = try await ChatFixture(drafts: [bob: "to\nbob"])
        let carol = ChatAddress("carol@example.org")
        func draft(_ buddy: ChatAddress) -> String? { fixture.chat.buddies.row(of: buddy)?.draft }
        #expect(draft(bob) == "to bob")
        let conversation = try await fixture.open(bob)
        #expect(draft(bob) == "")
        conversation.draft = String(repeating: "long ", count: 10_000)
        #expect(draft(bob) == "")
        _ = try await fixture.open(ada)
        #expect(draft(bob)?.hasPrefix("long long") == true && draft(bob)?.count ?? 0 <= 101)
        fixture.chat.suggest("to ada", to: ada)
        fixture.chat.suggest(" ", to: carol)
        #expect(draft(ada) == "" && draft(carol) ?? "" == "")
        fixture.chat.suggest("to carol", to: carol)
        #expect(draft(carol)?.hasSuffix("to carol") == true)
        conversation.draft = ""
        #expect(draft(bob) == "")
    }

    @Test func draftsAreSavedForEachBuddy() async throws {
        let fixture = try await ChatFixture(drafts: [bob: "to bob"])
        let first = try await fixture.open(ada)
        first.draft = "to ada"
        await fixture.pass(.milliseconds(999))
        #expect(fixture.store.drafts[ada] == nil)
        await fixture.pass(.milliseconds(1))
        #expect(fixture.store.drafts[ada] == "to ada")
        let second = try await fixture.open(bob)
        #expect(second.draft == "to bob")
        second.draft = "to bob!"
        #expect(try await fixture.open(ada).draft == "to ada")
        #expect(fixture.store.drafts[bob] == "to bob!", "kept when another conversation is opened")
        fixture.chat.selected?.send("to ada")
        await fixture.rest()
        #expect(fixture.store.drafts[ada] == nil)
        #expect(fixture.chat.selected?.draft == "")
    }

    @Test func savedDraftStaysUntilMessageIsSaved() async throws {
        let fixture = try await ChatFixture()
        let conversation = try await fixture.open(ada)
        conversation.draft = "hello"
        await fixture.pass(.seconds(1))
        fixture.store.trouble = .full
        conversation.send("hello")
        await fixture.pass(.seconds(1))
        #expect(conversation.draft == "hello")
        #expect(fixture.store.drafts[ada] == "hello")
    }

    @Test func typingStateFollowsClock() async throws {
        let fixture = try await ChatFixture()
        await fixture.goOnline()
        fixture.service.tell(.presence(ada, device: "phone", DevicePresence(.online)))
        let conversation = try await fixture.open(ada)
        #expect(fixture.service.takeCalls() == [], "that a conversation is looked at is nobody's business")
        for text in ["h", "he", "hel"] {
            conversation.draft = text
            conversation.typed()
            await fixture.pass(.seconds(29))
        }
        #expect(fixture.service.takeCalls() == [.tell(.composing, ada)], "once")
        await fixture.pass(.seconds(1))
        #expect(fixture.service.takeCalls() == [.tell(.paused, ada)])
        await fixture.pass(.seconds(600))
        #expect(fixture.service.takeCalls() == [])
        conversation.typed()
        conversation.draft = ""
        conversation.typed()
        #expect(fixture.service.takeCalls() == [.tell(.composing, ada), .tell(.active, ada)])
        await fixture.pass(.seconds(600))
        fixture.chat.select(nil)
        #expect(fixture.service.takeCalls() == [.tell(.gone, ada)])
    }

    @Test func typingIsNotSentToBuddiesWithoutPresence() async throws {
        let fixture = try await ChatFixture()
        await fixture.goOnline()
        fixture.service.tell(.presence(bob, device: "phone", DevicePresence(.online)))
        for buddy in [bob, ada] {
            let conversation = try await fixture.open(buddy)
            conversation.draft = "x"
            conversation.typed()
        }
        fixture.chat.select(nil)
        #expect(fixture.service.takeCalls() == [], "one is a stranger, the other is not here")
    }

    @Test func buddyTypesUntilStateChangesOrExpires() async throws {
        let fixture = try await ChatFixture()
        let conversation = try await fixture.open(ada)
        var told = 0
        fixture.chat.buddies.observe(by: fixture) { if $0 == .typing(ada) { told += 1 } }
        fixture.service.tell(.presence(ada, device: "phone", DevicePresence(.online)))
        fixture.service.tell(.typing(ada, .composing))
        #expect(conversation.buddyTyping == .composing)
        #expect(fixture.chat.buddies.row(of: ada)?.isTyping == true)
        await fixture.tell(received("hi"))
        #expect(conversation.buddyTyping == .active)
        fixture.service.tell(.typing(ada, .composing))
        await fixture.pass(.seconds(120))
        #expect(conversation.buddyTyping == .active)
        fixture.service.tell(.typing(ada, .composing))
        fixture.service.tell(.presence(ada, device: "phone", nil))
        #expect(conversation.buddyTyping == .active)
        #expect(told == 6)
        #expect(fixture.clock.pending == 0 || fixture.chat.buddies.row(of: ada)?.isTyping == false)
    }

    @Test func searchFindsMessages() async throws {
        let fixture = try await ChatFixture(facts: [
            received("the quick fox"), received("a lazy dog", from: bob),
        ])
        #expect(try await fixture.chat.search("lazy").map(\.message.buddy) == [bob])
        fixture.store.trouble = .failed("no")
        await #expect(throws: StoreError.failed("no")) { try await fixture.chat.search("fox") }
    }
}

/// The contents of a list view that follows a conversation.
@MainActor
private final class Shown {
    private(set) var ids: [Int64]

    init(_ conversation: Conversation) {
        ids = conversation.window.map(\.id)
        conversation.observe(by: self) { [weak self, unowned conversation] change in
            guard let self else { return }
            switch change {
            case .reset: ids = conversation.window.map(\.id)
            case .inserted(let messages, let atEnd):
                ids.insert(contentsOf: messages.map(\.id), at: atEnd ? ids.count : 0)
            case .removed(let gone): ids.removeAll { gone.contains($0) }
            case .changed(let message): #expect(ids.contains(message.id))
            case .ends, .unreadLine, .draft, .liveText, .encryption: break
            }
        }
    }
}
