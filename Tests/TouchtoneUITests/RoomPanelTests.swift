// SPDX-License-Identifier: GPL-3.0-or-later

import CXTest
import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of rooms in the panel: joining, invitations, and their conversations.
final class RoomPanelTests: GtkTestCase {
    nonisolated static let tea = ChatAddress("tea@rooms.example.org")
    static let record = RoomRecord(tea, nickname: "ada")

    func testRoomIsJoinedByItsForm() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.meet()
            fixture.service.groups.existing = []
            fixture.panel.askToJoin(Self.tea.text)
            waitUntil("the form is there") { fixture.find("Join Room", ATK_ROLE_PANEL) != nil }
            XCTAssertEqual(fixture.service.groups.calls, [])
            gtk_entry_set_text(try XCTUnwrap(fixture.find("Nickname", ATK_ROLE_TEXT)).cast(), "ada")
            fixture.click(fixture.button("Join"))
            waitUntil("it asks whether to create the room") {
                fixture.find("Create tea@rooms.example.org?", ATK_ROLE_PANEL) != nil
            }
            fixture.click(fixture.button("Create"))
            waitUntil("it is created") { fixture.chat.selected?.buddy == Self.tea }
            XCTAssertEqual(
                fixture.service.groups.calls,
                [
                    .join(Self.tea, "ada", password: "", creation: nil),
                    .join(Self.tea, "ada", password: "", creation: RoomCreation(name: "tea")),
                ])
            fixture.clear()
        }
    }

    func testRoomIsMadeAsAPrivateGroup() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.meet()
            fixture.service.groups.existing = []
            fixture.panel.askToJoin(Self.tea.text)
            waitUntil("the form is there") { fixture.find("Join Room", ATK_ROLE_PANEL) != nil }
            gtk_entry_set_text(try XCTUnwrap(fixture.find("Nickname", ATK_ROLE_TEXT)).cast(), "ada")
            fixture.click(fixture.button("Join"))
            waitUntil("it asks whether to create the room") {
                fixture.find("Create tea@rooms.example.org?", ATK_ROLE_PANEL) != nil
            }
            fixture.click(fixture.button("Private Group…"))
            waitUntil("it asks for the group") {
                fixture.find("Create a private group?", ATK_ROLE_PANEL) != nil
            }
            gtk_entry_set_text(try XCTUnwrap(fixture.find("Name", ATK_ROLE_TEXT)).cast(), "Tea Party")
            fixture.click(fixture.button("Create"))
            waitUntil("it is created") { fixture.chat.selected?.buddy == Self.tea }
            XCTAssertEqual(
                fixture.service.groups.calls.last,
                .join(
                    Self.tea, "ada", password: "",
                    creation: RoomCreation(name: "Tea Party", isPrivate: true)))
            fixture.clear()
        }
    }

    func testMissingRoomOfTheListIsMadeAgain() throws {
        try onMainActor {
            for (bookmark, name) in [("", "tea"), ("Tea\nParty", "Tea Party")] {
                let fixture = try MessagePanelFixture()
                fixture.meet()
                fixture.service.groups.existing = []
                let record = RoomRecord(Self.tea, name: bookmark, nickname: "ada")
                fixture.service.tell(.room(Room(record, standing: .outside(.missing))))
                fixture.open(Self.tea)
                fixture.click(fixture.button("Join"))
                waitUntil("it asks whether to create the room") {
                    fixture.find("Create tea@rooms.example.org?", ATK_ROLE_PANEL) != nil
                }
                fixture.click(fixture.button("Create"))
                let calls = [nil, RoomCreation(name: name)].map {
                    FakeRooms.Call.join(Self.tea, "ada", password: "", creation: $0)
                }
                waitUntil("it is created") { fixture.service.groups.calls == calls }
                fixture.clear()
            }
        }
    }

    func testRoomIsARowWithTopicAndMessages() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.meet()
            fixture.service.tell(
                .room(Room(Self.record, standing: .joined, topic: "scones at five", peopleCount: 3)))
            waitUntil("it is a row") { fixture.rows("Buddies").contains("tea, room") }
            fixture.service.tell(
                .updates([
                    .received(
                        ReceivedMessage(
                            buddy: Self.tea, sender: .occupant(RoomOccupant(nickname: "alan")),
                            text: "ada: tea?",
                            time: fixture.wall.now, name: "1"))
                ]))
            waitUntil("it counts") { fixture.rows("Buddies").contains("tea, room, mentions you, 1 unread") }
            XCTAssert(fixture.labels(in: fixture.row("Buddies", "tea")).contains("@"))
            fixture.open(Self.tea)
            waitUntil("it is shown") { fixture.rows("Conversation") == ["alan, \(fixture.time): ada: tea?"] }
            let style = NicknameColor(of: "alan").style
            XCTAssert(
                descendants(of: fixture.widget).contains {
                    gtk_style_context_has_class(gtk_widget_get_style_context($0), "stamp") != 0
                        && gtk_style_context_has_class(gtk_widget_get_style_context($0), style) != 0
                }, "the nickname has no colour")
            XCTAssertEqual(
                fixture.description(of: fixture.find("Conversation Header", ATK_ROLE_PANEL)),
                "3 people · scones at five")
            fixture.service.tell(.room(Room(Self.record, standing: .outside(.nicknameTaken))))
            waitUntil("the reason is shown") {
                fixture.labels(in: fixture.widget).contains(RoomError.nicknameTaken.text)
            }
            fixture.clear()
        }
    }

    func testPublicRoomIsChosenFromTheList() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.meet()
            fixture.service.groups.listed = [
                PublicRoom(Self.tea, name: "Tea\u{202e} House\n"),
                PublicRoom(ChatAddress("bar@rooms.example.org"), name: "\u{200b}"),
            ]
            fixture.panel.askToJoin("")
            waitUntil("the form is there") { fixture.find("Join Room", ATK_ROLE_PANEL) != nil }
            fixture.click(fixture.button("Public Rooms…"))
            let names = ["bar, bar@rooms.example.org", "Tea House, tea@rooms.example.org"]
            waitUntil("they are listed") { fixture.rows("Public Rooms") == names }
            fixture.settle()
            fixture.click(fixture.row("Public Rooms", "bar"))
            waitUntil("the form is there") { fixture.find("Join Room", ATK_ROLE_PANEL) != nil }
            let field = try XCTUnwrap(fixture.find("Room", ATK_ROLE_TEXT))
            XCTAssertEqual(String(cString: gtk_entry_get_text(field.cast())), "bar@rooms.example.org")
            XCTAssertEqual(fixture.service.groups.calls, [])
            for error in [nil, RoomError.offline] {
                fixture.service.groups.error = error
                fixture.service.groups.listed = []
                PublicRooms.show(chat: fixture.chat, at: try XCTUnwrap(fixture.list("Buddies"))) { _ in }
                let text = error?.text ?? "Your server lists no rooms."
                waitUntil("it is said") { fixture.labels(in: fixture.widget).contains(text) }
            }
            TransientPopover.cancel()
            fixture.clear()
        }
    }

    func testPeopleAreListedWithTheirRoles() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.meet()
            let room = Room(Self.record, standing: .joined, peopleCount: 3, rights: [.speak, .kick])
            fixture.service.tell(.room(room))
            fixture.service.groups.people[Self.tea] = [("ada", true), ("alan", false)].map { name, isMe in
                RoomPerson(
                    nickname: name, role: .participant, affiliation: .none, address: nil,
                    availability: .online, isMe: isMe)
            }
            waitUntil("it is a row") { fixture.rows("Buddies").contains("tea, room") }
            fixture.click(fixture.row("Buddies", "tea"), button: 3)
            waitUntil("its menu is open") { fixture.menuItems.contains("People…") }
            XCTAssertEqual(
                fixture.menuItems,
                [
                    "Open", "Encryption…", "People…", "Invite…", "Change Topic…", "Notify of All Messages",
                    "Leave Room…", "Pin", "Mute", "Copy Address",
                ])
            fixture.type(GDK_KEY_Escape)
            RoomPeople.show(
                room, chat: fixture.chat, at: try XCTUnwrap(fixture.list("Buddies")), place: GdkRectangle()
            ) { fixture.chat.select($0) }
            waitUntil("they are listed") { fixture.rows("People") == ["ada, you", "alan, guest"] }
            fixture.clear()
        }
    }

    func testReplacedPopoverIsDestroyed() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.meet()
            let list = try XCTUnwrap(fixture.list("Buddies"))
            let gate = Variable<CheckedContinuation<Void, Never>?>(nil)
            let ended = Variable(0)
            PromptPopover.ask("First?", verb: "Wait", at: list) { _ in
                await withCheckedContinuation { gate.value = $0 }
            }
            let first = try XCTUnwrap(fixture.find("First?", ATK_ROLE_PANEL))
            Signal.connect(first, "destroy") { ended.value += 1 }
            fixture.click(fixture.button("Wait"))
            waitUntil("its action runs") { gate.value != nil }
            PromptPopover.ask("Second?", verb: "Do", at: list) { _ in }
            waitUntil("the first one is destroyed") { ended.value == 1 }
            // The action ends after its popover.
            gate.value?.resume()
            fixture.settle()
            XCTAssertNotNil(fixture.find("Second?", ATK_ROLE_PANEL))
            TransientPopover.cancel()
            let room = Room(Self.record, standing: .joined)
            for _ in 0..<2 {
                RoomPeople.show(room, chat: fixture.chat, at: list, place: GdkRectangle()) { _ in }
                let popover = try XCTUnwrap(fixture.find("People in \(Self.tea)", ATK_ROLE_PANEL))
                Signal.connect(popover, "destroy") { ended.value += 1 }
            }
            waitUntil("the first list is destroyed") { ended.value == 2 }
            TransientPopover.cancel()
            waitUntil("the second list is destroyed") { ended.value == 3 }
            fixture.clear()
        }
    }

    func testVisitorAsksToSpeak() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.meet()
            let text = "You can read in this room, but only others may speak."
            fixture.service.tell(.room(Room(Self.record, standing: .joined, peopleCount: 3)))
            fixture.chat.select(Self.tea)
            waitUntil("it is said") { fixture.labels(in: fixture.widget).contains(text) }
            fixture.click(fixture.button("Ask to Speak"))
            waitUntil("they are asked") { fixture.service.groups.calls == [.requestVoice(Self.tea)] }
            waitUntil("it is said") {
                fixture.labels(in: fixture.widget).contains("The moderators were asked to let you speak.")
            }
            fixture.service.tell(
                .room(Room(Self.record, standing: .joined, peopleCount: 3, rights: .speak)))
            waitUntil("it is gone") {
                !fixture.labels(in: fixture.widget).contains { $0.hasPrefix("The moderators") }
            }
            fixture.clear()
        }
    }

    func testInvitationIsACard() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.meet()
            let grace = MessagePanelFixture.grace
            let invitation = RoomInvitation(to: Self.tea, from: grace, reason: "scones")
            for verb in ["Decline", "Join"] {
                fixture.service.tell(.invitation(invitation))
                let text = "grace@example.org invites you to the room tea@rooms.example.org"
                waitUntil("it is shown") { fixture.labels(in: fixture.widget).contains(text) }
                XCTAssert(fixture.labels(in: fixture.widget).contains("“scones”"))
                fixture.click(fixture.button(verb))
                waitUntil("it is gone") { !fixture.labels(in: fixture.widget).contains(text) }
            }
            XCTAssertEqual(
                fixture.service.groups.calls,
                [.decline(invitation), .join(Self.tea, "", password: "", creation: nil)])
            let other = ChatAddress("bar@rooms.example.org")
            let alan = ChatAddress("tea@rooms.example.org/alan")
            fixture.service.tell(.invitation(RoomInvitation(to: other, from: alan)))
            let text = "alan in tea invites you to the room bar@rooms.example.org"
            waitUntil("its sender is named") { fixture.labels(in: fixture.widget).contains(text) }
            fixture.clear()
        }
    }
}
