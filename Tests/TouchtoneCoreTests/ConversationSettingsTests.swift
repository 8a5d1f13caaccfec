// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing

@testable import TouchtoneCore

/// Tests of the list of conversations: its order, its previews, and what the user chooses for a conversation.
@MainActor
@Suite struct ConversationSettingsTests {
    private let bob = ChatAddress("bob@example.org")
    private let cleo = ChatAddress("cleo@example.org")

    private func fixture() async throws -> ChatFixture {
        try await ChatFixture(
            buddies: [ada, bob, cleo].map { BuddyRecord($0, tellsMe: true, toldByMe: true) })
    }

    private func order(_ fixture: ChatFixture) async -> [ChatAddress] {
        await fixture.pass(.seconds(1))
        return fixture.chat.buddies.order.filter { $0 != .operatorAddress }
    }

    private func come(
        _ fixture: ChatFixture, _ text: String, from buddy: ChatAddress, at time: Int64, name: String? = nil
    ) async {
        fixture.service.tell(
            .updates([
                .received(
                    ReceivedMessage(
                        buddy: buddy, sender: .buddy, text: text, time: ChatTime(milliseconds: time),
                        name: name ?? text))
            ]))
        await fixture.pass(.seconds(1))
    }

    @Test func newestConversationIsFirst() async throws {
        let fixture = try await fixture()
        #expect(await order(fixture) == [ada, bob, cleo])
        await come(fixture, "1", from: bob, at: 1000)
        await come(fixture, "2", from: cleo, at: 2000)
        #expect(await order(fixture) == [cleo, bob, ada])
        await come(fixture, "3", from: bob, at: 3000)
        #expect(await order(fixture) == [bob, cleo, ada])
        fixture.chat.buddies.sorting = .byPresence
        #expect(await order(fixture) == [ada, bob, cleo])
    }

    @Test func previewFollowsTheLastMessage() async throws {
        let fixture = try await fixture()
        var preview: String? { fixture.chat.buddies.row(of: bob)?.last?.text }
        await come(fixture, "hello", from: bob, at: 1000, name: "first")
        #expect(preview == "hello")
        await come(fixture, "two\nlines " + String(repeating: "x", count: 900), from: bob, at: 2000)
        #expect(preview?.hasPrefix("two lines xxx") == true && (preview?.count ?? 999) <= 201)
        fixture.service.tell(
            .updates([
                .received(
                    ReceivedMessage(
                        buddy: bob, sender: .buddy, text: "hallo", time: ChatTime(milliseconds: 2500),
                        name: "correction", relation: .corrects("first", proof: .identity)))
            ]))
        await fixture.pass(.seconds(1))
        #expect(preview?.hasPrefix("two lines") == true, "an earlier message was corrected")
        await come(fixture, "third", from: bob, at: 3000, name: "third")
        fixture.service.tell(
            .updates([
                .annotated(
                    MessageAnnotation(
                        .retraction, of: .stanza("third"), buddy: bob, sender: .buddy,
                        time: ChatTime(milliseconds: 4000), name: "retraction"))
            ]))
        await fixture.pass(.seconds(1))
        #expect(preview == "" && fixture.chat.buddies.row(of: bob)?.last?.kind == .deleted)
    }

    @Test func previewHidesASpoiler() async throws {
        let fixture = try await fixture()
        let file = SharedFile(url: "https://example.org/a.png", name: "a.png", mediaType: "image/png")
        fixture.service.tell(
            .updates([
                .received(
                    ReceivedMessage(
                        buddy: bob, sender: .buddy,
                        content: MessageContent("a.png", files: [file], spoiler: "the ending"),
                        time: ChatTime(milliseconds: 1000), name: "1"))
            ]))
        await fixture.pass(.seconds(1))
        let last = fixture.chat.buddies.row(of: bob)?.last
        #expect(last?.text == "Spoiler: the ending" && last?.kind == .text)
    }

    @Test func pinnedConversationStaysFirst() async throws {
        let fixture = try await fixture()
        await come(fixture, "1", from: bob, at: 1000)
        await come(fixture, "2", from: cleo, at: 2000)
        fixture.chat.setPinned(true, bob)
        #expect(await order(fixture) == [bob, cleo, ada])
        await come(fixture, "3", from: cleo, at: 3000)
        #expect(await order(fixture) == [bob, cleo, ada])
        await fixture.store.idle()
        #expect(fixture.store.settings[bob] == .pinned)
        fixture.chat.setPinned(false, bob)
        #expect(await order(fixture) == [cleo, bob, ada])
    }

    @Test func mutedConversationIsQuiet() async throws {
        let fixture = try await fixture()
        var arrivals: [String] = []
        fixture.chat.observe(by: fixture) { change in
            if case .arrival(let message, _) = change { arrivals.append(message.text) }
        }
        fixture.chat.setMuted(true, bob)
        await come(fixture, "1", from: bob, at: 1000)
        #expect(arrivals == [])
        #expect(fixture.chat.buddies.row(of: bob)?.unread == 1 && fixture.chat.buddies.unread == 0)
        await come(fixture, "2", from: cleo, at: 2000)
        #expect(arrivals == ["2"] && fixture.chat.buddies.unread == 1)
        fixture.chat.setMuted(false, bob)
        #expect(fixture.chat.buddies.unread == 2)
    }

    @Test func muteWaitsForTheServer() async throws {
        let fixture = try await fixture()
        for isMuted in [true, false] {
            fixture.chat.setMuted(isMuted, bob)
            await fixture.store.idle()
            #expect(fixture.store.settings[bob] == (isMuted ? [.muted, .muteToShare] : .muteToShare))
            fixture.service.tell(.choice(bob, .notificationsShared))
            await fixture.store.idle()
            #expect(fixture.store.settings[bob, default: []] == (isMuted ? .muted : []))
        }
        // A choice on another device is known there.
        fixture.chat.setMuted(true, bob)
        fixture.service.tell(.choice(bob, .notifications(.always)))
        await fixture.store.idle()
        #expect(fixture.store.settings[bob, default: []] == [])
    }

    @Test func choiceForARoomWaitsForTheServer() async throws {
        let fixture = try await fixture()
        let room = ChatAddress("tea@rooms.example.org")
        fixture.service.tell(.room(Room(RoomRecord(room, nickname: "me"))))
        let kept = { fixture.store.settings[room, default: []] }
        for choose in [
            { fixture.chat.setMuted(true, room) }, { fixture.chat.setNotifiesAll(true, in: room) },
            { fixture.chat.setNotifiesAll(false, in: room) },
        ] {
            choose()
            await fixture.store.idle()
            #expect(kept().contains(.muteToShare))
            fixture.service.tell(.choice(room, .notificationsShared))
            await fixture.store.idle()
            #expect(!kept().contains(.muteToShare))
        }
        #expect(kept() == [])
        #expect(
            fixture.service.groups.calls == [
                .notifications(.never, room), .notifications(.always, room), .notifications(.onMention, room),
            ])
    }

    @Test func hiddenConversationReturnsWithItsNextMessage() async throws {
        let fixture = try await fixture()
        let stranger = ChatAddress("stranger@example.org")
        await come(fixture, "1", from: stranger, at: 1000)
        fixture.chat.select(stranger)
        #expect(await order(fixture).first == stranger)
        let last = try #require(fixture.chat.selected?.window.last)
        fixture.chat.isInView = true
        fixture.chat.selected?.seen(upTo: last)
        await fixture.pass(.seconds(1))
        fixture.chat.hide(stranger)
        #expect(await order(fixture) == [ada, bob, cleo] && fixture.chat.selected == nil)
        await come(fixture, "2", from: stranger, at: 2000)
        #expect(await order(fixture).first == stranger)
        await fixture.store.idle()
        #expect(fixture.store.settings[stranger] == [])
    }

    @Test func removedBuddyIsNotListedAmongTheConversations() async throws {
        let fixture = try await fixture()
        await come(fixture, "1", from: bob, at: 1000)
        fixture.chat.select(bob)
        await fixture.pass(.seconds(1))
        let last = try #require(fixture.chat.selected?.window.last)
        fixture.chat.isInView = true
        fixture.chat.selected?.seen(upTo: last)
        await fixture.pass(.seconds(1))
        try await fixture.chat.remove(bob)
        #expect(await order(fixture) == [ada, cleo])
        #expect(fixture.chat.buddies.found("bob") == [bob], "a search finds it")
    }
}
