// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing

@testable import TouchtoneCore

/// Tests of rooms in the list, their messages, and what they notify of.
@MainActor
@Suite struct ChatRoomTests {
    private let tea = ChatAddress("tea@rooms.example.org")
    private var record: RoomRecord { RoomRecord(tea, nickname: "Grace") }

    private func said(_ text: String, name: String? = nil) -> MessageUpdate {
        received(text, from: tea, sender: .occupant(RoomOccupant(nickname: "alan", id: "o1")), name: name)
    }

    private func fixture(_ room: Room? = nil) async throws -> ChatFixture {
        let fixture = try await ChatFixture()
        await fixture.goOnline()
        fixture.service.tell(.room(room ?? Room(record, standing: .joined, topic: "scones", peopleCount: 2)))
        await fixture.pass(.seconds(2))
        return fixture
    }

    @Test func roomIsARowOfTheList() async throws {
        let fixture = try await fixture()
        let row = try #require(fixture.chat.buddies.rows.first { $0.id == tea })
        #expect(row.name == "tea" && row.status == "scones" && row.isListed && row.availability == .online)
        // People are counted, rooms are not.
        #expect(fixture.chat.buddies.onlineCount == 1)
        var named = Room(record, standing: .outside(.banned))
        named.record.name = "Tea House"
        fixture.service.tell(.room(named))
        await fixture.pass(.seconds(1))
        #expect(fixture.chat.buddies.row(of: tea)?.name == "Tea House")
        #expect(fixture.chat.buddies.row(of: tea)?.availability == .offline)
        fixture.service.tell(.roomRemoved(tea))
        await fixture.pass(.seconds(1))
        #expect(fixture.chat.buddies.rows.contains { $0.id == tea } == false)
    }

    @Test func roomsAreStored() async throws {
        let fixture = try await fixture()
        #expect(fixture.store.rooms == [record])
        #expect(try await fixture.store.summary().rooms == [record])
    }

    @Test func moderatorDeletesMessagesOfOthersAlone() async throws {
        let fixture = try await fixture(Room(record, standing: .joined, rights: [.speak, .kick, .moderate]))
        let occupant = MessageSender.occupant(RoomOccupant(nickname: "alan", id: "o1"))
        await fixture.tell(
            .received(
                ReceivedMessage(
                    buddy: tea, sender: occupant, text: "spam", time: ChatTime(milliseconds: 1), name: "m1",
                    archiveName: "a1")),
            said("without an archive", name: "m2"))
        let conversation = try await fixture.open(tea)
        let (spam, other) = (conversation.window[0], conversation.window[1])
        #expect(fixture.chat.canModerate(spam) && !fixture.chat.canRetract(spam))
        #expect(!fixture.chat.canModerate(other), "the room could not find it")
        try await fixture.chat.moderate(spam, reason: "no spam")
        #expect(fixture.service.groups.calls.last == .moderate("a1", tea, "no spam"))
        await #expect(throws: RoomError.self) { try await fixture.chat.moderate(other) }
        fixture.service.tell(.room(Room(record, standing: .joined, rights: [.speak, .kick])))
        await fixture.pass(.seconds(2))
        #expect(!fixture.chat.canModerate(spam), "the room does not take that")
    }

    @Test func onlyMentionsNotify() async throws {
        let fixture = try await fixture()
        await fixture.tell(said("hello all"))
        #expect(fixture.arrivals == [])
        #expect(fixture.chat.buddies.row(of: tea)?.unread == 1)
        #expect(fixture.chat.buddies.row(of: tea)?.isMentioned == false)
        await fixture.tell(said("what do you think, grace?"), said("anybody?"))
        #expect(fixture.arrivals == ["tea: what do you think, grace?"])
        #expect(fixture.chat.buddies.row(of: tea)?.isMentioned == true)
        await fixture.tell(.seen(buddy: tea, upTo: .place(.max)))
        #expect(fixture.chat.buddies.row(of: tea)?.isMentioned == false)
    }

    @Test func allMessagesNotifyIfWanted() async throws {
        var room = Room(record, standing: .joined)
        room.record.notifiesAll = true
        let fixture = try await fixture(room)
        await fixture.tell(said("hello all"))
        #expect(fixture.arrivals == ["tea: hello all"])
    }

    @Test func choiceOfNotificationsIsSharedByDevices() async throws {
        let fixture = try await fixture()
        fixture.chat.setNotifiesAll(true, in: tea)
        fixture.chat.setMuted(true, tea)
        #expect(fixture.chat.buddies.row(of: tea)?.isMuted == true)
        fixture.chat.setMuted(false, tea)
        // A room of which all, or only some messages are to notify is not muted.
        fixture.chat.setMuted(true, tea)
        fixture.chat.setNotifiesAll(false, in: tea)
        #expect(fixture.chat.buddies.row(of: tea)?.isMuted == false)
        let levels: [NotificationLevel] = fixture.service.groups.calls.compactMap {
            if case .notifications(let level, tea) = $0 { level } else { nil }
        }
        #expect(levels == [.always, .never, .onMention, .never, .onMention])
        fixture.chat.setMuted(true, ada)
        #expect(fixture.service.groups.calls.count == levels.count, "a person has no bookmark")
        for (level, isMuted) in [(NotificationLevel.never, true), (.always, false)] {
            fixture.service.tell(.choice(tea, .notifications(level)))
            #expect(fixture.chat.buddies.row(of: tea)?.isMuted == isMuted)
        }
        #expect(fixture.service.groups.calls.count == levels.count, "what came is not sent back")
    }

    @Test func noticesAndThePastAreNeitherUnreadNorNotified() async throws {
        let fixture = try await fixture()
        await fixture.tell(
            .received(
                ReceivedMessage(
                    buddy: tea, sender: .buddy, text: "Grace was removed.", time: ChatTime(milliseconds: 1),
                    passage: .notice)))
        await fixture.tell(
            .received(
                ReceivedMessage(
                    buddy: tea, sender: .occupant(RoomOccupant(nickname: "alan")), text: "Grace, look",
                    time: ChatTime(milliseconds: 2), name: "1", passage: .past)))
        #expect(
            fixture.store.table.messages(of: tea).map(\.text) == ["Grace was removed.", "Grace, look"])
        #expect(fixture.chat.buddies.row(of: tea)?.isMentioned == false)
        #expect(fixture.chat.buddies.row(of: tea)?.unread == 0)
        #expect(fixture.arrivals == [])
    }

    @Test func roomDecidesTheOrder() async throws {
        let fixture = try await fixture()
        fixture.chat.send("mine", to: tea)
        await fixture.rest()
        await fixture.tell(said("first"))
        #expect(fixture.store.table.messages(of: tea).map(\.text) == ["mine", "first"])
        let mine = try #require(fixture.store.table.messages(of: tea).first)
        let reflection = ReceivedMessage(
            buddy: tea, sender: .me, text: "mine", time: fixture.wall.now, name: mine.name,
            passage: .reflected)
        await fixture.tell(.received(reflection), .received(reflection))
        #expect(fixture.store.table.messages(of: tea).map(\.text) == ["first", "mine"])
        #expect(fixture.store.table.messages(of: tea).last?.state == .sent)
    }

    @Test func roomHasItsOwnPositionInItsArchive() async throws {
        let fixture = try await fixture()
        let message = ReceivedMessage(
            buddy: tea, sender: .occupant(RoomOccupant(nickname: "alan")), text: "hi",
            time: ChatTime(milliseconds: 1), name: "1", archiveName: "r1")
        await fixture.tell(
            .archived(ArchivePage(.newest(upTo: "a1"), [])),
            .archived(ArchivePage(.newestOfRoom(tea, upTo: "r1"), [message])))
        #expect(fixture.store.table.archiveCursor() == "a1")
        #expect(fixture.store.table.archiveCursor(of: tea) == "r1")
        #expect(fixture.store.table.messages(of: tea).map(\.text) == ["hi"])
    }

    @Test func invitationsWaitForTheUser() async throws {
        let fixture = try await fixture()
        let other = ChatAddress("other@rooms.example.org")
        fixture.service.tell(.invitation(RoomInvitation(to: other, from: ada, reason: "tea")))
        // An invitation to a room that the user is in says nothing new.
        fixture.service.tell(.invitation(RoomInvitation(to: tea, from: ada)))
        #expect(fixture.chat.buddies.invitations.map(\.room) == [other])
        let invitation = try #require(fixture.chat.buddies.invitations.first)
        fixture.chat.decline(invitation)
        #expect(fixture.service.groups.calls == [.decline(invitation)])
        #expect(fixture.chat.buddies.invitations == [])
        for index in 0..<1000 {
            let room = ChatAddress("flood-\(index)@rooms.example.org")
            fixture.service.tell(.invitation(RoomInvitation(to: room, from: ada)))
        }
        #expect(fixture.chat.buddies.invitations.count == BuddyList.requestLimit)
    }

    @Test(arguments: [
        ("Grace, hello", true), ("hello grace", true), ("@GRACE", true), ("grace", true), ("disgrace", false),
        ("graceful", false), ("", false), ("hello", false), ("g race", false),
    ])
    func nicknameIsAWord(_ text: String, _ isMention: Bool) {
        #expect(Mention.isIn(text, of: "Grace") == isMention)
        #expect(!Mention.isIn(text, of: ""))
    }

    @Test(arguments: [AccountState.online, .waiting("the network is gone")])
    func joiningWaitsUntilTheConnectionIsSettled(_ settled: AccountState) async throws {
        let fixture = try await ChatFixture()
        let groups = fixture.service.groups
        for state in [AccountState.asking, .connecting] { fixture.service.tell(.state(state)) }
        let joining = Task { try await fixture.chat.join(tea.text, as: "Grace") }
        await fixture.rest()
        #expect(groups.calls == [])
        fixture.service.tell(.state(settled))
        try await joining.value
        // A service that is not online refuses by itself.
        #expect(groups.calls == [.join(tea, "Grace", password: "", creation: nil)])
    }

    @Test func userJoinsAndLeaves() async throws {
        let fixture = try await fixture()
        let groups = fixture.service.groups
        groups.existing = []
        await #expect(throws: RoomError.missing) {
            try await fixture.chat.join("New@rooms.example.org", as: " Grace  Hopper ")
        }
        #expect(fixture.chat.selected == nil)
        let new = ChatAddress("new@rooms.example.org")
        try await fixture.chat.join(new.text, as: "", password: "secret", creation: RoomCreation())
        #expect(fixture.chat.selected?.buddy == new)
        await #expect(throws: RoomError.notARoom) { try await fixture.chat.join("tea") }
        try fixture.chat.leave(new)
        #expect(fixture.chat.selected == nil)
        #expect(
            groups.calls == [
                .join(new, "Grace Hopper", password: "", creation: nil),
                .join(new, "Grace", password: "secret", creation: RoomCreation()), .leave(new),
            ])
    }

    @Test func messagesThatWaitFailOnLeaving() async throws {
        let fixture = try await fixture()
        fixture.chat.send("mine", to: tea)
        await fixture.rest()
        try fixture.chat.leave(tea)
        await fixture.rest()
        #expect(
            fixture.store.table.messages(of: tea).map(\.state) == [.failed("You are not in this room.")])
    }

    @Test func peopleAreSortedByRoleAndName() async throws {
        let fixture = try await fixture()
        fixture.service.groups.people[tea] = [
            ("zoe", RoomPerson.Role.visitor), ("Bob", .participant), ("yan", .moderator),
            ("ada", .participant),
        ].map {
            RoomPerson(
                nickname: $0, role: $1, affiliation: .none, address: nil, availability: .online, isMe: false)
        }
        var order = fixture.chat.people(in: tea)
        #expect(order.people == nil)
        let isOver = order.advance()
        #expect(isOver)
        #expect(order.people?.map(\.nickname) == ["yan", "ada", "Bob", "zoe"])
    }

    @Test func thousandsOfPeopleAreSortedInSlices() async throws {
        let fixture = try await fixture()
        let keys = Count()
        fixture.chat.buddies.sortKey = {
            keys.value += 1
            return Array($0.utf8)
        }
        let names = (0..<5000).map { "p\(10_000 + ($0 * 3571) % 5000)" }
        fixture.service.groups.people[tea] = names.map {
            RoomPerson(
                nickname: $0, role: .participant, affiliation: .none, address: nil, availability: .online,
                isMe: false)
        }
        var order = fixture.chat.people(in: tea)
        var isOver = false
        while !isOver {
            keys.value = 0
            isOver = order.advance()
            #expect(keys.value <= PeopleOrder.slice)
            #expect((order.people != nil) == isOver)
        }
        #expect(order.people?.map(\.nickname) == names.sorted())
        var none = fixture.chat.people(in: ChatAddress("none@rooms.example.org"))
        isOver = none.advance()
        #expect(isOver && none.people == [])
    }

    private final class Count {
        var value = 0
    }

    @Test func occupantIsNamedWithItsRoom() async throws {
        let fixture = try await fixture()
        #expect(fixture.chat.buddies.name(of: ChatAddress("tea@rooms.example.org/alan")) == "alan in tea")
        #expect(ChatAddress("tea@rooms.example.org/alan").isOccupant && !tea.isOccupant)
    }
}
