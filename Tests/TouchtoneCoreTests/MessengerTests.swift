// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing

@testable import TouchtoneCore

/// Two accounts that know the same buddies.
@MainActor
private struct TwoAccounts {
    static let home = ChatAddress("grace@home.example")
    static let work = ChatAddress("grace@work.example")
    let home: ChatFixture
    let work: ChatFixture
    let messenger: Messenger

    init(buddies: [BuddyRecord] = [BuddyRecord(ada, name: "Ada", tellsMe: true, toldByMe: true)]) async throws
    {
        home = try await ChatFixture(buddies: [], account: Self.home)
        work = try await ChatFixture(buddies: [], account: Self.work, hasOperator: false)
        for fixture in [home, work] { fixture.service.tell(.buddies(buddies, version: nil)) }
        messenger = Messenger(home.chat)
        messenger.setOthers([work.chat])
        await rest()
    }

    func rest() async {
        await home.rest()
        await work.rest()
        await home.pass(BuddyList.pause)
        await work.pass(BuddyList.pause)
    }
}

@MainActor
@Suite struct MessengerTests {
    @Test func sameBuddyOnTwoAccountsIsTwoConversations() async throws {
        let two = try await TwoAccounts()
        let (atHome, atWork) = (
            ConversationID(ada, of: TwoAccounts.home), ConversationID(ada, of: TwoAccounts.work)
        )
        #expect(Set(two.messenger.buddies.order) == [atHome, atWork, ConversationID(.operatorAddress)])
        await two.work.tell(received("from work"))
        await two.rest()
        #expect(two.messenger.buddies.row(of: atWork)?.unread == 1)
        #expect(two.messenger.buddies.row(of: atHome)?.unread == 0)
        #expect(two.messenger.buddies.unread == 1)
        two.messenger.select(atWork)
        await two.rest()
        two.messenger.selected?.send("hello")
        await two.rest()
        #expect(two.work.service.calls.contains { if case .send("hello", _) = $0 { true } else { false } })
        #expect(!two.home.service.calls.contains { if case .send = $0 { true } else { false } })
    }

    @Test func oneConversationIsOpen() async throws {
        let two = try await TwoAccounts()
        two.messenger.select(ConversationID(ada, of: TwoAccounts.home))
        await two.rest()
        #expect(two.messenger.selected?.chat === two.home.chat)
        // As when a room is entered.
        two.work.chat.select(bob)
        await two.rest()
        #expect(two.messenger.selected?.id == ConversationID(bob, of: TwoAccounts.work))
        #expect(two.home.chat.selected == nil)
        #expect(two.messenger.active === two.work.chat)
        two.messenger.select(nil)
        #expect(two.messenger.selected == nil && two.work.chat.selected == nil)
    }

    @Test func operatorIsListedOnce() async throws {
        let two = try await TwoAccounts()
        let id = ConversationID(.operatorAddress)
        #expect(two.messenger.buddies.order.count { $0 == id } == 1)
        #expect(two.messenger.chat(of: id) === two.home.chat)
        #expect(two.work.chat.buddies.row(of: .operatorAddress) == nil)
    }

    @Test func buddiesOfAllAccountsAreInOneOrder() async throws {
        let names = ["Ada", "Bea", "Cleo", "Dora", "Edith", "Fay"]
        let all = names.map { BuddyRecord(ChatAddress("\($0.lowercased())@example.org"), name: $0) }
        let two = try await TwoAccounts(buddies: [])
        for (index, record) in all.enumerated() {
            let fixture = index.isMultiple(of: 2) ? two.home : two.work
            fixture.service.tell(.buddy(record, version: nil))
        }
        let fay = ChatAddress("fay@example.org")
        two.work.service.tell(.presence(fay, device: "desk", DevicePresence(.online)))
        await two.rest()
        let shown = two.messenger.buddies.order.compactMap { two.messenger.buddies.row(of: $0)?.name }
        #expect(shown.filter { names.contains($0) } == ["Fay", "Ada", "Bea", "Cleo", "Dora", "Edith"])
        #expect(two.messenger.buddies.found("do").map(\.buddy.text) == ["dora@example.org"])
    }

    @Test func accountThatIsNotUsedShowsNobodyAsReachable() async throws {
        let two = try await TwoAccounts()
        for fixture in [two.home, two.work] {
            fixture.service.tell(.state(.online))
            fixture.service.tell(.presence(ada, device: "desk", DevicePresence(.online)))
        }
        await two.rest()
        #expect(two.messenger.buddies.onlineCount == 3, "with the Operator")
        // `ChatAccount` signs it out.
        two.work.service.tell(.state(.signedOut))
        await two.rest()
        let row = { two.messenger.buddies.row(of: ConversationID(ada, of: $0)) }
        #expect(row(TwoAccounts.work)?.availability == .offline)
        #expect(row(TwoAccounts.home)?.availability == .online)
        #expect(two.messenger.buddies.onlineCount == 2)
    }

    @Test func presenceAndArrivalsAreShared() async throws {
        let two = try await TwoAccounts()
        var arrivals: [ConversationID] = []
        two.messenger.observe(by: two.home) {
            if case .arrival(let message, _) = $0 { arrivals.append(message.conversation) }
        }
        two.messenger.ownPresence = OwnPresence(.away, status: "at lunch")
        #expect(
            two.work.chat.ownPresence.status == "at lunch" && two.home.chat.ownPresence.status == "at lunch")
        two.messenger.isIdle = true
        #expect(two.work.chat.isIdle && two.home.chat.isIdle)
        await two.work.tell(received("one"))
        await two.home.tell(received("two"))
        await two.rest()
        #expect(
            arrivals == [
                ConversationID(ada, of: TwoAccounts.work), ConversationID(ada, of: TwoAccounts.home),
            ])
    }

    @Test func removedAccountLeavesNothing() async throws {
        let two = try await TwoAccounts()
        two.messenger.select(ConversationID(ada, of: TwoAccounts.work))
        await two.rest()
        two.messenger.selected?.draft = "not sent yet"
        two.messenger.setOthers([])
        await two.rest()
        #expect(two.messenger.selected == nil)
        #expect(two.work.store.drafts[ada] == "not sent yet")
        #expect(
            Set(two.messenger.buddies.order) == [
                ConversationID(ada, of: TwoAccounts.home), ConversationID(.operatorAddress),
            ])
        var states = 0
        two.messenger.observe(by: two.home) { _ in states += 1 }
        await two.work.tell(received("late"))
        #expect(states == 1 && two.messenger.buddies.unread == 0)
    }

    @Test func chatThatReturnsIsFollowedOnce() async throws {
        let two = try await TwoAccounts()
        var chats = 0
        two.messenger.observeChats(by: two.home) { _ in chats += 1 }
        for account in [nil, TwoAccounts.work] { two.work.service.tell(.account(account)) }
        #expect(two.messenger.chats.count == 2)
        var requests = 0
        two.messenger.buddies.observe(by: two.home) { if $0 == .requests { requests += 1 } }
        two.work.service.tell(.request(bob, text: ""))
        #expect((chats, requests) == (2, 1))
    }

    @Test func accountIsShownOnce() async throws {
        let two = try await TwoAccounts()
        let other = try await ChatFixture(buddies: [], account: TwoAccounts.work, hasOperator: false)
        let empty = try await ChatFixture(buddies: [], hasOperator: false)
        for fixture in [other, empty] {
            fixture.service.tell(.buddies([BuddyRecord(ada, name: "Ada")], version: nil))
        }
        two.messenger.setOthers([two.work.chat, other.chat, empty.chat])
        await two.rest()
        #expect(two.messenger.chats.count == 2)
        #expect(Set(two.messenger.buddies.order).count == two.messenger.buddies.order.count)
        empty.service.tell(.account(ChatAddress("grace@third.example")))
        #expect(two.messenger.chats.count == 3, "it has an account now")
        two.work.service.tell(.account(nil))
        #expect(two.messenger.chats.last { $0.account == TwoAccounts.work } === other.chat)
    }

    @Test func searchFindsMessagesOfAllAccountsOnce() async throws {
        let two = try await TwoAccounts()
        await two.home.tell(received("tea at home"))
        await two.work.tell(received("tea at work"))
        let found = try await two.messenger.search("tea")
        #expect(Set(found.map(\.message.text)) == ["tea at home", "tea at work"])
    }
}
