// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing

@testable import TouchtoneCore

/// A message belongs to the account that it was written as.
@MainActor
@Suite struct ChatOwnerTests {
    private let work = ChatAddress("work@example.org")
    private let home = ChatAddress("private@example.org")

    private func sent(_ desk: ChatDesk) -> [String] {
        desk.service.takeCalls().compactMap { if case .send(let text, _) = $0 { text } else { nil } }
    }

    private func change(_ desk: ChatDesk, to account: ChatAddress?) async {
        desk.service.tell(.account(account))
        await desk.goOnline()
    }

    @Test func whatIsWrittenAsOneNeverGoesOutAsAnother() async throws {
        let desk = try await ChatDesk(account: work)
        try await desk.open(bob).send("for work")
        await desk.rest()
        #expect(sent(desk) == ["for work"])
        await change(desk, to: home)
        #expect(sent(desk) == [])
        #expect(desk.chat.selected == nil && desk.chat.account == home)
        let other = try await desk.open(bob)
        #expect(other.window.isEmpty && desk.chat.buddies.row(of: bob)?.unread == 0)
        other.send("from home")
        await desk.rest()
        #expect(sent(desk) == ["from home"])
        #expect(try await desk.chat.search("work").isEmpty)
        await change(desk, to: nil)
        #expect(sent(desk) == [])
        await change(desk, to: work)
        #expect(sent(desk) == ["for work"])
        #expect(try await desk.open(bob).window.map(\.text) == ["for work"])
        #expect(try await desk.chat.search("or").map(\.text) == ["for work"])
    }

    /// A message on its way to the disk while the account changes is kept, and not sent as the next account.
    @Test func whatIsBeingKeptMeanwhileIsTheFirstOnes() async throws {
        let desk = try await ChatDesk(facts: [came("old", from: bob)])
        await change(desk, to: work)
        let conversation = try await desk.open(bob)
        desk.store.isHeld = true
        conversation.draft = "slow"
        conversation.send("slow")
        desk.service.tell(.facts([came("unkept", from: bob)]))
        desk.service.tell(.ready)
        desk.service.tell(.account(home))
        desk.service.tell(.state(.online))
        desk.service.tell(.ready)
        desk.store.isHeld = false
        await desk.rest()
        #expect(sent(desk) == [])
        #expect(desk.arrivals.filter { $0.contains("unkept") } == [])
        #expect(try await desk.open(bob).window.isEmpty)
        await change(desk, to: work)
        #expect(sent(desk) == ["slow"])
        #expect(desk.chat.buddies.row(of: bob)?.unread == 1)
        let again = try await desk.open(bob)
        #expect(Set(again.window.map(\.text)) == ["slow", "unkept"] && again.draft == "")
    }

    @Test func whatCameWhileTheDiskWasFullIsTheFirstOnes() async throws {
        let desk = try await ChatDesk(account: work)
        desk.store.trouble = .full
        await desk.tell(came("for work", from: bob))
        await change(desk, to: home)
        await desk.tell(came("for home", from: bob))
        desk.store.trouble = nil
        await desk.pass(.seconds(60))
        #expect(desk.arrivals == ["bob@example.org: for home"])
        #expect(try await desk.open(bob).window.map(\.text) == ["for home"])
        await change(desk, to: work)
        #expect(try await desk.open(bob).window.map(\.text) == ["for work"])
    }

    @Test func draftsAndBuddiesAreOfAnAccountToo() async throws {
        let desk = try await ChatDesk(account: work)
        desk.service.tell(
            .buddies([BuddyRecord(ada, name: "Ada", tellsMe: true, isDeclined: true)], version: "1"))
        desk.service.tell(.request(bob, text: "hello"))
        desk.service.tell(.blocked([bob]))
        try await desk.open(ada).draft = "half"
        await change(desk, to: home)
        #expect(desk.chat.buddies.row(of: ada) == nil && desk.chat.buddies.requests == [])
        #expect(desk.chat.buddies.rows.map(\.id) == [.exchange] && desk.chat.buddies.blocked == [])
        #expect(try await desk.open(ada).draft == "")
        desk.chat.select(nil)
        await desk.pass(.seconds(2))
        await change(desk, to: work)
        #expect(
            desk.chat.buddies.row(of: ada)?.name == "Ada", "kept before the change, and not emptied by it")
        #expect(desk.store.buddies.map(\.isDeclined) == [true])
        #expect(try await desk.open(ada).draft == "half")
    }

    @Test func theOperatorIsThereForAllOfThem() async throws {
        let desk = try await ChatDesk(account: work)
        let conversation = try await desk.open(.exchange)
        conversation.draft = "to be"
        conversation.send("hello")
        await change(desk, to: home)
        #expect(desk.chat.selected === conversation, "it stays open")
        for _ in 0..<10 { await desk.pass(.seconds(1)) }
        #expect(conversation.window.map(\.text) == ["hello", "hello"])
        await change(desk, to: nil)
        #expect(conversation.window.count == 2)
    }
}
