// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing

@testable import TouchtoneCore

/// Tests that a message belongs to the account in which it was written.
@MainActor
@Suite struct ChatOwnerTests {
    private let work = ChatAddress("work@example.org")
    private let home = ChatAddress("private@example.org")

    private func sent(_ fixture: ChatFixture) -> [String] {
        fixture.service.takeCalls().compactMap { if case .send(let text, _) = $0 { text } else { nil } }
    }

    private func change(_ fixture: ChatFixture, to account: ChatAddress?) async {
        fixture.service.tell(.account(account))
        await fixture.goOnline()
    }

    @Test func messageIsSentOnlyFromAccountItWasWrittenIn() async throws {
        let fixture = try await ChatFixture(account: work)
        try await fixture.open(bob).send("for work")
        await fixture.rest()
        #expect(sent(fixture) == ["for work"])
        await change(fixture, to: home)
        #expect(sent(fixture) == [])
        #expect(fixture.chat.selected == nil && fixture.chat.account == home)
        let other = try await fixture.open(bob)
        #expect(other.window.isEmpty && fixture.chat.buddies.row(of: bob)?.unread == 0)
        other.send("from home")
        await fixture.rest()
        #expect(sent(fixture) == ["from home"])
        #expect(try await fixture.chat.search("work").isEmpty)
        await change(fixture, to: nil)
        #expect(sent(fixture) == [])
        await change(fixture, to: work)
        #expect(sent(fixture) == ["for work"])
        #expect(try await fixture.open(bob).window.map(\.text) == ["for work"])
        #expect(try await fixture.chat.search("or").map(\.message.text) == ["for work"])
    }

    /// A message that is being saved while the account changes is stored, and not sent from the next account.
    @Test func messageBeingSavedBelongsToPreviousAccount() async throws {
        let fixture = try await ChatFixture(facts: [received("old", from: bob)])
        await change(fixture, to: work)
        let conversation = try await fixture.open(bob)
        fixture.store.isHeld = true
        conversation.draft = "slow"
        conversation.send("slow")
        fixture.service.tell(.updates([received("unkept", from: bob)]))
        fixture.service.tell(.ready)
        fixture.service.tell(.account(home))
        fixture.service.tell(.state(.online))
        fixture.service.tell(.ready)
        fixture.store.isHeld = false
        await fixture.rest()
        #expect(sent(fixture) == [])
        #expect(fixture.arrivals.filter { $0.contains("unkept") } == [])
        #expect(try await fixture.open(bob).window.isEmpty)
        await change(fixture, to: work)
        #expect(sent(fixture) == ["slow"])
        #expect(fixture.chat.buddies.row(of: bob)?.unread == 1)
        let again = try await fixture.open(bob)
        #expect(Set(again.window.map(\.text)) == ["slow", "unkept"] && again.draft == "")
    }

    /// Whenever the account changes while what waits is read from the store, nothing of it is sent from the next account.
    @Test func whatIsGatheredWhileAccountChangesIsNotSentFromNextOne() async throws {
        for moment in 0..<60 {
            let fixture = try await ChatFixture(account: work)
            let conversation = try await fixture.open(bob)
            conversation.send("first")
            await fixture.rest()
            let first = try #require(conversation.window.first)
            await fixture.tell(.acknowledged(buddy: bob, name: first.name ?? ""))
            conversation.send("waits")
            fixture.chat.correct(first, to: "corrected") { _ in }
            fixture.chat.toggle("👍", on: first)
            await fixture.rest()
            fixture.service.tell(.state(.online))
            fixture.service.tell(.ready)
            for _ in 0..<moment { await Task.yield() }
            _ = fixture.service.takeCalls()
            await change(fixture, to: home)
            let calls = fixture.service.takeCalls().filter {
                switch $0 {
                case .send, .correct, .annotate: true
                default: false
                }
            }
            #expect(calls == [], "after \(moment)")
        }
    }

    @Test func messageReceivedOnFullDiskBelongsToPreviousAccount() async throws {
        let fixture = try await ChatFixture(account: work)
        fixture.store.trouble = .full
        await fixture.tell(received("for work", from: bob))
        await change(fixture, to: home)
        await fixture.tell(received("for home", from: bob))
        fixture.store.trouble = nil
        await fixture.pass(.seconds(60))
        #expect(fixture.arrivals == ["bob@example.org: for home"])
        #expect(try await fixture.open(bob).window.map(\.text) == ["for home"])
        await change(fixture, to: work)
        #expect(try await fixture.open(bob).window.map(\.text) == ["for work"])
    }

    @Test func draftsAndBuddiesBelongToAccount() async throws {
        let fixture = try await ChatFixture(account: work)
        fixture.service.tell(
            .buddies([BuddyRecord(ada, name: "Ada", tellsMe: true, isDeclined: true)], version: "1"))
        fixture.service.tell(.request(bob, text: "hello"))
        fixture.service.tell(.blocked([bob]))
        try await fixture.open(ada).draft = "half"
        await change(fixture, to: home)
        #expect(fixture.chat.buddies.row(of: ada) == nil && fixture.chat.buddies.requests == [])
        #expect(
            fixture.chat.buddies.rows.map(\.id) == [.operatorAddress] && fixture.chat.buddies.blocked == [])
        #expect(try await fixture.open(ada).draft == "")
        fixture.chat.select(nil)
        await fixture.pass(.seconds(2))
        await change(fixture, to: work)
        #expect(
            fixture.chat.buddies.row(of: ada)?.name == "Ada", "kept before the change, and not emptied by it")
        #expect(fixture.store.buddies.map(\.isDeclined) == [true])
        #expect(try await fixture.open(ada).draft == "half")
    }

    @Test func operatorIsListedForAllAccounts() async throws {
        let fixture = try await ChatFixture(account: work)
        let conversation = try await fixture.open(.operatorAddress)
        conversation.draft = "to be"
        conversation.send("hello")
        await change(fixture, to: home)
        #expect(fixture.chat.selected === conversation, "it stays open")
        for _ in 0..<10 { await fixture.pass(.seconds(1)) }
        #expect(conversation.window.map(\.text) == ["hello", "hello"])
        await change(fixture, to: nil)
        #expect(conversation.window.count == 2)
    }
}
