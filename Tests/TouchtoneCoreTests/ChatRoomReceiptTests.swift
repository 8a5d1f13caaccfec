// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing

@testable import TouchtoneCore

/// Tests of receipts and read markers in rooms, as the service reports and sends them.
@MainActor
@Suite struct ChatRoomReceiptTests {
    private let tea = ChatAddress("tea@rooms.example.org")

    private func fixture() async throws -> ChatFixture {
        let fixture = try await ChatFixture()
        await fixture.goOnline()
        fixture.service.tell(
            .room(Room(RoomRecord(tea, nickname: "Grace"), standing: .joined, peopleCount: 2)))
        await fixture.pass(.seconds(2))
        _ = fixture.service.takeCalls()
        return fixture
    }

    private func said(_ text: String, in buddy: ChatAddress, archiveName: String? = nil) -> MessageUpdate {
        received(
            text, from: buddy, sender: .occupant(RoomOccupant(nickname: "alan", id: "o1")),
            archiveName: archiveName, receiptRequests: [.receipt, .marker])
    }

    @Test func messagesOfRoomsAndTheirPeopleAreConfirmed() async throws {
        let fixture = try await fixture()
        for buddy in [tea, ChatAddress("tea@rooms.example.org/alan")] {
            await fixture.tell(said("hi", in: buddy))
            #expect(fixture.service.takeCalls() == [.arrived("hi")])
            fixture.chat.select(buddy)
            fixture.chat.isInView = true
            await fixture.rest()
            let conversation = try #require(fixture.chat.selected)
            conversation.seen(upTo: try #require(fixture.store.table.messages(of: buddy).last))
            await fixture.rest()
            #expect(fixture.service.takeCalls().contains(.read("hi")))
        }
        // A person who is neither a buddy nor in a room of the user's.
        for stranger in ["mallory@example.org", "other@rooms.example.org", "other@rooms.example.org/alan"] {
            await fixture.tell(said("psst", in: ChatAddress(stranger)))
        }
        #expect(fixture.service.takeCalls() == [])
    }

    @Test func markerCoversWhatPrecedesIt() async throws {
        let fixture = try await fixture()
        for (index, text) in ["one", "two", "three"].enumerated() {
            fixture.chat.send(text, to: tea)
            await fixture.rest()
            let mine = try #require(fixture.store.table.messages(of: tea).last)
            await fixture.tell(
                .received(
                    ReceivedMessage(
                        buddy: tea, sender: .me, text: text, time: fixture.wall.now, name: mine.name,
                        archiveName: "r\(index)", passage: .reflected)))
            if index == 1 { await fixture.tell(said("other", in: tea, archiveName: "other")) }
        }
        let states = { fixture.store.table.messages(of: tea).map(\.state) }
        await fixture.tell(.readInRoom(tea, archiveName: "unknown"))
        #expect(states() == [.sent, .sent, .received, .sent])
        // The marker is for another's message, which follows two of the user's.
        await fixture.tell(.readInRoom(tea, archiveName: "other"))
        #expect(states() == [.read, .read, .received, .sent])
        await fixture.tell(.readInRoom(ChatAddress("other@rooms.example.org"), archiveName: "r2"))
        #expect(states() == [.read, .read, .received, .sent])
        await fixture.tell(.readInRoom(tea, archiveName: "r2"))
        #expect(states() == [.read, .read, .received, .read])
    }

    @Test func otherDeviceHasSeenMessages() async throws {
        let fixture = try await fixture()
        for index in 0..<3 { await fixture.tell(said("\(index)", in: tea, archiveName: "r\(index)")) }
        await fixture.tell(.seen(buddy: tea, upTo: .archiveName("r1")))
        #expect(fixture.store.table.messages(of: tea).map(\.isUnread) == [false, false, true])
        await fixture.tell(.seen(buddy: tea, upTo: .archiveName("unknown")))
        #expect(fixture.chat.buddies.row(of: tea)?.unread == 1)
    }
}
