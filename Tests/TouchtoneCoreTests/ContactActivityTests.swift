// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing

@testable import TouchtoneCore

/// Tests of what the phone knows of one person: the last call and message, and the search by digits.
@MainActor
@Suite struct ContactActivityTests {
    private let sms = ChatAddress("sms.example.org")
    private let card = ContactCard(
        name: "Grace Hopper",
        methods: [
            ContactMethod(.number, "(555) 867-5309"), ContactMethod(.sip, "sip:grace@example.org"),
            ContactMethod(.xmpp, "ada@example.org"),
        ])

    private func call(_ number: String, address: String = "", name: String = "") -> PastCall {
        PastCall(
            direction: .incoming,
            remote: RemoteParty(
                DialledNumber(number) ?? DialledNumber(), address: address, displayName: name),
            line: "tel", began: ChatTime(milliseconds: 1), endReason: .farEnd, seconds: 1)
    }

    private func history(_ calls: [PastCall], contacts: ContactBook? = nil) -> CallHistory {
        let store = MemoryHistoryStore()
        store.fill(calls)
        return CallHistory(store: store, contacts: contacts, wall: FixedWallClock())
    }

    @Test func lastCallIsByAnyNumberOrAddress() async {
        let (old, new) = (call("+15558675309"), call("", address: "sip:grace@example.org;transport=tcp"))
        let others = [call("5550000"), call("", address: "sip:ada@example.org"), call("5558675300")]
        #expect(await history([old] + others).lastCall(with: card) == old)
        #expect(await history([old, new] + others).lastCall(with: card) == new)
        #expect(await history([new, old] + others).lastCall(with: card) == old)
        #expect(await history(others).lastCall(with: card) == nil)
    }

    @Test func callsWithOneFarEndAreInOrderOfTheirBeginning() async {
        func call(_ address: String, at time: Int64) -> PastCall {
            PastCall(
                direction: .outgoing, remote: RemoteParty(DialledNumber(), address: address), line: "jabber",
                began: ChatTime(milliseconds: time), endReason: .farEnd, seconds: 1)
        }
        let own = [call("xmpp:ada@example.org", at: 5), call("xmpp:Ada@example.org/phone", at: 3)]
        let others = ["xmpp:ada@example.org.uk", "sip:ada@example.org", "xmpp:bada@example.org"]
        let history = history(own + others.map { call($0, at: 4) })
        let remote = RemoteParty(ada)
        #expect(await history.calls(with: remote, since: nil).map(\.call.began.milliseconds) == [3, 5])
        #expect(await history.calls(with: RemoteParty(DialledNumber()), since: nil).isEmpty)
        // Older calls are read only if they are wanted.
        let many = (0..<250).map { call("xmpp:ada@example.org", at: Int64($0)) }
        let long = self.history(many)
        #expect(await long.calls(with: remote, since: ChatTime(milliseconds: 240)).count == 100)
        #expect(await long.calls(with: remote, since: ChatTime(milliseconds: 140)).count == 200)
        #expect(await long.calls(with: remote, since: nil).map(\.call) == many)
    }

    @Test func changesOfCallsAreReportedWithoutAList() async throws {
        let fixture = CallHistoryFixture()
        fixture.history.note(try #require(fixture.record("5551234")))
        await fixture.settle()
        #expect(fixture.callChanges == 1)
        let deletion = try #require(await fixture.delete(1))
        #expect(fixture.callChanges == 2)
        fixture.history.restore(deletion)
        await fixture.settle()
        #expect(fixture.callChanges == 3)
    }

    @Test func lastMessageIsOfAnyConversation() async throws {
        let fixture = try await ChatFixture(account: ChatAddress("me@example.org"))
        fixture.service.tell(.gateway(sms))
        #expect(await fixture.chat.lastMessage(with: card) == nil)
        await fixture.tell(received("by number", from: ChatAddress("+15558675309@sms.example.org")))
        #expect(await fixture.chat.lastMessage(with: card)?.text == "by number")
        await fixture.tell(
            .received(
                ReceivedMessage(
                    buddy: ada, sender: .buddy, text: "by Jabber", time: ChatTime(milliseconds: 9), name: "n")
            ))
        #expect(await fixture.chat.lastMessage(with: card)?.text == "by Jabber")
    }

    @Test func digitsFindContactsBuddiesAndCallsOnce() async throws {
        let contacts = await ContactBookFixture([card])
        let slick = ChatAddress("slick@example.org")
        let fixture = try await ChatFixture(account: ChatAddress("me@example.org"))
        fixture.service.tell(
            .buddies(
                [BuddyRecord(ada, name: "Gracie"), BuddyRecord(slick, name: "Grace Slick")], version: nil))
        fixture.service.tell(.gateway(sms))
        fixture.chat.numbers.contacts = contacts.book
        fixture.chat.numbers.refresh()
        await fixture.tell(received("hi", from: ChatAddress("+15558675309@sms.example.org")))
        await fixture.tell(received("hi", from: ChatAddress("+15554722399@sms.example.org")))
        let calls = history(
            [
                call("5558675309"), call("5554722300", name: "Shop"), call("5554722300"), call("5554722399"),
                call("5551111"),
            ], contacts: contacts.book)
        let search = NumberSuggestions(contacts: contacts.book, chat: fixture.chat, history: calls)
        let typed = try #require(DialledNumber("4722"))
        let people = search.people(for: typed, maximum: 5)
        #expect(people.map(\.name) == ["Grace Hopper", "+15554722399", "Grace Slick"])
        #expect(people.last?.id == .buddy(slick, nil) && people.last?.inName == 0..<4)
        let called = await search.calls(for: typed, besides: people)
        #expect(called.map(\.number.text) == ["5554722300"])
        let one = try #require(DialledNumber("4"))
        #expect(search.people(for: one, maximum: 5).isEmpty)
        #expect(await search.calls(for: one, besides: []).isEmpty)
    }

    @Test func suggestionsAreBounded() async throws {
        let contacts = await ContactBookFixture()
        let fixture = try await ChatFixture(
            buddies: (0..<50).map { BuddyRecord(ChatAddress("b\($0)@example.org"), name: "Grace \($0)") })
        let calls = history((0..<80).map { call("5554722\(100 + $0)") })
        let search = NumberSuggestions(contacts: contacts.book, chat: fixture.chat, history: calls)
        let typed = try #require(DialledNumber("4722"))
        #expect(search.people(for: typed, maximum: 5).count == NumberSuggestions.maximumOthers)
        #expect(await search.calls(for: typed, besides: []).count == NumberSuggestions.maximumOthers)
    }
}
