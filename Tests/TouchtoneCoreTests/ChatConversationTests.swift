// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing

@testable import TouchtoneCore

@MainActor
@Suite struct ChatConversationTests {
    /// Messages that were seen.
    private func seen(_ count: Int) -> [ChatFact] { many(count) + [.seen(buddy: ada, upTo: .place(.max))] }

    @Test func itOpensAtTheEnd() async throws {
        let desk = try await ChatDesk(facts: seen(1000))
        let conversation = try await desk.open(ada)
        #expect(conversation.window.map(\.text) == (901...1000).map(String.init))
        #expect(conversation.hasOlder)
        #expect(!conversation.hasNewer)
        #expect(conversation.firstUnread == nil)
    }

    @Test func itGoesBackAndForthThroughAll() async throws {
        let desk = try await ChatDesk(facts: seen(1000))
        let conversation = try await desk.open(ada)
        let shown = Shown(conversation)
        conversation.isAtEnd = false
        while conversation.hasOlder {
            conversation.loadOlder()
            await desk.rest()
            #expect(conversation.window.count <= 300)
            #expect(shown.ids == conversation.window.map(\.id))
        }
        #expect(conversation.window.first?.text == "1")
        #expect(conversation.hasNewer)
        while conversation.hasNewer {
            conversation.loadNewer()
            await desk.rest()
            #expect(shown.ids == conversation.window.map(\.id))
        }
        #expect(conversation.window.last?.text == "1000")
        conversation.show(around: 500)
        await desk.rest()
        #expect(conversation.window.contains { $0.place == 500 })
        #expect(conversation.hasOlder && conversation.hasNewer)
        await desk.tell(came("new"))
        #expect(conversation.window.last?.text != "new", "it is not where one looks")
        conversation.showNewest()
        await desk.rest()
        #expect(conversation.window.last?.text == "new")
        #expect(shown.ids == conversation.window.map(\.id))
    }

    @Test func itOpensAtTheFirstUnread() async throws {
        let desk = try await ChatDesk(facts: many(1000) + [.seen(buddy: ada, upTo: .place(400))])
        let conversation = try await desk.open(ada)
        let first = try #require(conversation.window.first { $0.isUnread })
        #expect(first.text == "401")
        #expect(conversation.firstUnread == first.id)
        #expect(conversation.hasOlder && conversation.hasNewer)
        conversation.seen(upTo: first)
        await desk.rest()
        #expect(desk.chat.buddies.row(of: ada)?.unread == 599)
        #expect(conversation.firstUnread == first.id, "the line stays while it is open")
        conversation.send("answer")
        await desk.rest()
        #expect(conversation.firstUnread == nil)
        #expect(conversation.window.last?.text == "answer")
    }

    @Test func whatIsShownIsSeenOnceSomebodyLooks() async throws {
        let desk = try await ChatDesk()
        await desk.goOnline()
        let conversation = try await desk.open(ada)
        desk.chat.isLookedAt = false
        await desk.tell(came("1", wants: .marker), came("2"))
        conversation.seen(upTo: try #require(conversation.window.last))
        await desk.rest()
        #expect(desk.chat.buddies.row(of: ada)?.unread == 2)
        #expect(conversation.firstUnread == conversation.window.first?.id, "what came while nobody looked")
        #expect(desk.service.takeCalls() == [])
        desk.chat.isLookedAt = true
        await desk.rest()
        #expect(desk.chat.buddies.row(of: ada)?.unread == 0)
        #expect(desk.service.takeCalls() == [.read("1")])
        #expect(conversation.firstUnread != nil)
    }

    /// A reader who has scrolled up finds the place where new messages begin.
    @Test func whatComesOutOfSightStandsBelowALine() async throws {
        let desk = try await ChatDesk(facts: seen(30))
        let conversation = try await desk.open(ada)
        conversation.seen(upTo: try #require(conversation.window.last))
        await desk.tell(came("in sight", name: "n-a"))
        conversation.seen(upTo: try #require(conversation.window.last))
        await desk.rest()
        #expect(conversation.firstUnread == nil)
        conversation.isAtEnd = false
        await desk.tell(came("1", name: "n-b"), came("2", name: "n-c"))
        let first = try #require(conversation.window.first { $0.text == "1" && $0.name == "n-b" })
        #expect(conversation.firstUnread == first.id)
        await desk.tell(came("3", name: "n-d"))
        #expect(conversation.firstUnread == first.id, "above the first of them")
        conversation.isAtEnd = true
        conversation.seen(upTo: try #require(conversation.window.last))
        await desk.rest()
        #expect(conversation.firstUnread == first.id && desk.chat.buddies.row(of: ada)?.unread == 0)
    }

    @Test func olderHistoryComesFromTheArchive() async throws {
        let desk = try await ChatDesk(facts: seen(30))
        await desk.goOnline()
        desk.service.pages = [page(-2, 0), page(-50, -3)]
        desk.service.pages.reverse()
        let conversation = try await desk.open(ada)
        conversation.loadOlder()
        await desk.rest()
        #expect(desk.service.historyCalls == ["a-1"])
        #expect(conversation.window.first?.text == "-2")
        conversation.loadOlder()
        await desk.rest()
        #expect(conversation.window.first?.text == "-50")
        #expect(conversation.window.map(\.text) == (-50...30).map(String.init))
        #expect(!conversation.hasOlder)
        #expect(desk.chat.buddies.unread == 0)
        #expect(desk.arrivals == [])
    }

    @Test func withoutAConnectionTheStoreIsAllThereIs() async throws {
        let desk = try await ChatDesk(facts: seen(30))
        let conversation = try await desk.open(ada)
        #expect(!conversation.hasOlder)
        await desk.goOnline()
        #expect(conversation.hasOlder)
        desk.service.error = .offline
        conversation.loadOlder()
        await desk.rest()
        #expect(!conversation.hasOlder, "it is not asked again and again")
    }

    private func page(_ first: Int, _ last: Int) -> [CameMessage] {
        (first...last).map {
            CameMessage(
                buddy: ada, sender: .buddy, text: "\($0)", time: ChatTime(milliseconds: 0), name: "n-\($0)",
                archiveName: "a-\($0)")
        }
    }

    @Test func whoReadsAboveIsNotDisturbed() async throws {
        let desk = try await ChatDesk(facts: seen(300))
        let conversation = try await desk.open(ada)
        conversation.isAtEnd = false
        let first = conversation.window.first
        desk.service.tell(.facts((301...2000).map { came("\($0)", archiveName: "a-\($0)") }))
        await desk.rest()
        #expect(conversation.window.first == first)
        #expect(conversation.window.count <= 600)
        #expect(conversation.hasNewer)
        conversation.showNewest()
        await desk.rest()
        #expect(conversation.window.last?.text == "2000")
    }

    @Test func whoStandsAtTheEndFollows() async throws {
        let desk = try await ChatDesk(facts: seen(300))
        let conversation = try await desk.open(ada)
        let shown = Shown(conversation)
        desk.service.tell(.facts((301...2000).map { came("\($0)", archiveName: "a-\($0)") }))
        await desk.rest()
        #expect(conversation.window.map(\.text) == (1701...2000).map(String.init))
        #expect(shown.ids == conversation.window.map(\.id))
    }

    @Test func draftsAreKeptForEachBuddy() async throws {
        let desk = try await ChatDesk(drafts: [bob: "to bob"])
        let first = try await desk.open(ada)
        first.draft = "to ada"
        await desk.pass(.milliseconds(999))
        #expect(desk.store.drafts[ada] == nil)
        await desk.pass(.milliseconds(1))
        #expect(desk.store.drafts[ada] == "to ada")
        let second = try await desk.open(bob)
        #expect(second.draft == "to bob")
        second.draft = "to bob!"
        #expect(try await desk.open(ada).draft == "to ada")
        #expect(desk.store.drafts[bob] == "to bob!", "kept when another conversation is opened")
        desk.chat.selected?.send("to ada")
        await desk.rest()
        #expect(desk.store.drafts[ada] == nil)
        #expect(desk.chat.selected?.draft == "")
    }

    @Test func theDraftOnTheDiskStaysUntilTheMessageIsThere() async throws {
        let desk = try await ChatDesk()
        let conversation = try await desk.open(ada)
        conversation.draft = "hello"
        await desk.pass(.seconds(1))
        desk.store.trouble = .full
        conversation.send("hello")
        await desk.pass(.seconds(1))
        #expect(conversation.draft == "hello")
        #expect(desk.store.drafts[ada] == "hello")
    }

    @Test func typingIsToldByTheClock() async throws {
        let desk = try await ChatDesk()
        await desk.goOnline()
        desk.service.tell(.presence(ada, device: "phone", DevicePresence(.online)))
        let conversation = try await desk.open(ada)
        #expect(desk.service.takeCalls() == [], "that a conversation is looked at is nobody's business")
        for text in ["h", "he", "hel"] {
            conversation.draft = text
            conversation.typed()
            await desk.pass(.seconds(29))
        }
        #expect(desk.service.takeCalls() == [.tell(.composing, ada)], "once")
        await desk.pass(.seconds(1))
        #expect(desk.service.takeCalls() == [.tell(.paused, ada)])
        await desk.pass(.seconds(600))
        #expect(desk.service.takeCalls() == [])
        conversation.typed()
        conversation.draft = ""
        conversation.typed()
        #expect(desk.service.takeCalls() == [.tell(.composing, ada), .tell(.active, ada)])
        await desk.pass(.seconds(600))
        desk.chat.select(nil)
        #expect(desk.service.takeCalls() == [.tell(.gone, ada)])
    }

    @Test func whoMayNotKnowThatIAmHereIsNotToldThatIType() async throws {
        let desk = try await ChatDesk()
        await desk.goOnline()
        desk.service.tell(.presence(bob, device: "phone", DevicePresence(.online)))
        for buddy in [bob, ada] {
            let conversation = try await desk.open(buddy)
            conversation.draft = "x"
            conversation.typed()
        }
        desk.chat.select(nil)
        #expect(desk.service.takeCalls() == [], "one is a stranger, the other is not here")
    }

    @Test func aBuddyTypesUntilItSaysOtherwiseOrNothing() async throws {
        let desk = try await ChatDesk()
        let conversation = try await desk.open(ada)
        var told = 0
        conversation.follow(desk) { if $0 == .typing { told += 1 } }
        desk.service.tell(.presence(ada, device: "phone", DevicePresence(.online)))
        desk.service.tell(.typing(ada, .composing))
        #expect(conversation.buddyTyping == .composing)
        #expect(desk.chat.buddies.row(of: ada)?.isTyping == true)
        await desk.tell(came("hi"))
        #expect(conversation.buddyTyping == .active)
        desk.service.tell(.typing(ada, .composing))
        await desk.pass(.seconds(120))
        #expect(conversation.buddyTyping == .active)
        desk.service.tell(.typing(ada, .composing))
        desk.service.tell(.presence(ada, device: "phone", nil))
        #expect(conversation.buddyTyping == .active)
        #expect(told == 6)
        #expect(desk.clock.pending == 0 || desk.chat.buddies.row(of: ada)?.isTyping == false)
    }

    @Test func searchFindsWhatWasSaid() async throws {
        let desk = try await ChatDesk(facts: [came("the quick fox"), came("a lazy dog", from: bob)])
        #expect(try await desk.chat.search("lazy").map(\.buddy) == [bob])
        desk.store.trouble = .failed("no")
        await #expect(throws: StoreError.failed("no")) { try await desk.chat.search("fox") }
    }
}

/// What a list that follows a conversation shows.
@MainActor
private final class Shown {
    private(set) var ids: [Int64]

    init(_ conversation: Conversation) {
        ids = conversation.window.map(\.id)
        conversation.follow(self) { [weak self, unowned conversation] change in
            guard let self else { return }
            switch change {
            case .reset: ids = conversation.window.map(\.id)
            case .inserted(let messages, let atEnd):
                ids.insert(contentsOf: messages.map(\.id), at: atEnd ? ids.count : 0)
            case .removed(let gone): ids.removeAll { gone.contains($0) }
            case .changed(let message): #expect(ids.contains(message.id))
            case .ends, .typing, .unreadLine, .draft: break
            }
        }
    }
}
