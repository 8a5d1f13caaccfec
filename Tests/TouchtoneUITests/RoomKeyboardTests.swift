// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests that rooms and their people can be reached with the keyboard, and have names for screen readers, however many
/// there are.
final class RoomKeyboardTests: GtkTestCase {
    private static let count = 5_000

    func testThousandsOfPeopleAreReachedWithKeys() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.meet()
            let room = Room(RoomPanelTests.record, standing: .joined, rights: [.speak, .kick])
            fixture.service.tell(.room(room))
            fixture.service.groups.people[RoomPanelTests.tea] = (0..<Self.count).map { number in
                RoomPerson(
                    nickname: "person \(10_000 + number)", role: number == 7 ? .moderator : .participant,
                    affiliation: .none, address: nil, availability: .online, isMe: false)
            }
            waitUntil("it is a row") { fixture.rows("Buddies").contains("tea, room") }
            // From the list of rooms to the people, with keys alone.
            fixture.enter("Buddies")
            fixture.type(GDK_KEY_End)
            fixture.type(GDK_KEY_Home)
            for _ in 0..<4 where fixture.focusedName != "tea, room" { fixture.type(GDK_KEY_Down) }
            XCTAssertEqual(fixture.focusedName, "tea, room")
            fixture.type(GDK_KEY_Menu)
            waitUntil("its menu is open") { fixture.menuItems.contains("People…") }
            fixture.type(GDK_KEY_Escape)
            waitUntil("its menu is closed") { fixture.menuItems.isEmpty }
            RoomPeople.show(
                room, chat: fixture.chat, at: try XCTUnwrap(fixture.list("Buddies")), place: GdkRectangle()
            ) { fixture.chat.select($0) }
            waitUntil("the first person has the focus") {
                fixture.focusedName == "person 10007, moderator"
            }
            // Only the rows that are shown, and a few beside them, are built.
            XCTAssertLessThan(fixture.rows("People").count, 60)
            fixture.type(GDK_KEY_Down)
            XCTAssertEqual(fixture.focusedName, "person 10000, guest")
            fixture.type(GDK_KEY_Page_Down)
            XCTAssertNotEqual(fixture.focusedName, "person 10000, guest")
            fixture.type(GDK_KEY_End)
            XCTAssertEqual(fixture.focusedName, "person 14999, guest")
            fixture.type(GDK_KEY_Menu)
            waitUntil("the menu of the person is open") {
                fixture.menuItems == ["Private Message", "Mention", "Let Only Listen", "Remove from Room…"]
            }
            fixture.type(GDK_KEY_Escape)
            waitUntil("it is closed") { fixture.menuItems.isEmpty }
            TransientPopover.cancel()
            fixture.clear()
        }
    }

    func testListenerIsLetSpeakWithKeys() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.meet()
            let room = Room(RoomPanelTests.record, standing: .joined, rights: [.speak, .kick, .ban])
            fixture.service.tell(.room(room))
            fixture.service.groups.people[RoomPanelTests.tea] = [
                RoomPerson(
                    nickname: "grace", role: .visitor, affiliation: .none,
                    address: ChatAddress("grace@example.org"), availability: .online, isMe: false)
            ]
            waitUntil("it is a row") { fixture.rows("Buddies").contains("tea, room") }
            let list = try XCTUnwrap(fixture.list("Buddies"))
            RoomPeople.show(room, chat: fixture.chat, at: list, place: GdkRectangle()) {
                fixture.chat.select($0)
            }
            waitUntil("the person has the focus") { fixture.focusedName == "grace, listener" }
            fixture.type(GDK_KEY_Menu)
            let items = [
                "Private Message", "Mention", "Let Speak", "Make Member", "Remove from Room…",
                "Ban from Room…",
            ]
            waitUntil("the menu is open") { fixture.menuItems == items }
            // Down leads to every item.
            for item in items {
                for _ in items where fixture.selectedMenuItem != item { fixture.type(GDK_KEY_Down) }
                XCTAssertEqual(fixture.selectedMenuItem, item)
            }
            for _ in items where fixture.selectedMenuItem != "Let Speak" { fixture.type(GDK_KEY_Up) }
            fixture.type(GDK_KEY_Return)
            waitUntil("it is requested") {
                fixture.service.groups.calls.contains(
                    .change("grace", .role(.participant), RoomPanelTests.tea))
            }
            TransientPopover.cancel()
            fixture.clear()
        }
    }

    func testPersonIsRemovedWithKeysAlone() throws {
        try onMainActor {
            let fixture = try Self.roomWithGrace()
            Self.choose("Remove from Room…", in: fixture)
            waitUntil("the reason has the focus") { fixture.focusedName == "Reason" }
            // Escape leaves the person in the room.
            fixture.type(GDK_KEY_Escape)
            waitUntil("it is closed") { fixture.find("Remove grace?", ATK_ROLE_PANEL) == nil }
            XCTAssertEqual(fixture.service.groups.calls, [])
            Self.showPeople(in: fixture)
            Self.choose("Remove from Room…", in: fixture)
            waitUntil("the reason has the focus") { fixture.focusedName == "Reason" }
            // A refusal is shown, and Return tries again.
            fixture.service.groups.error = .refused("This isn’t allowed.")
            fixture.type(GDK_KEY_Return)
            waitUntil("the refusal is shown") {
                fixture.labels(in: fixture.widget).contains("This isn’t allowed.")
            }
            fixture.service.groups.error = nil
            fixture.type("late")
            fixture.type(GDK_KEY_Return)
            waitUntil("it is closed") { fixture.find("Remove grace?", ATK_ROLE_PANEL) == nil }
            XCTAssertEqual(
                fixture.service.groups.calls,
                ["", "late"].map {
                    .remove("grace", RoomPanelTests.tea, isBanned: false, reason: $0)
                })
            waitUntil("the room has the focus again") { fixture.focusedName == "tea, room" }
            fixture.clear()
        }
    }

    func testPersonIsBannedWithKeysAlone() throws {
        try onMainActor {
            let fixture = try Self.roomWithGrace()
            Self.choose("Ban from Room…", in: fixture)
            waitUntil("the reason has the focus") { fixture.focusedName == "Reason" }
            fixture.type("spam")
            // The button is reached with Tab.
            fixture.type(GDK_KEY_Tab)
            XCTAssertEqual(fixture.focusedName, "Ban")
            fixture.type(GDK_KEY_Return)
            waitUntil("it is closed") { fixture.find("Ban grace?", ATK_ROLE_PANEL) == nil }
            XCTAssertEqual(
                fixture.service.groups.calls,
                [.remove("grace", RoomPanelTests.tea, isBanned: true, reason: "spam")])
            fixture.clear()
        }
    }

    /// Opens the list of the people in a room with Grace, with keys alone.
    @MainActor
    private static func roomWithGrace() throws -> MessagePanelFixture {
        let fixture = try MessagePanelFixture()
        fixture.meet()
        fixture.service.tell(
            .room(Room(RoomPanelTests.record, standing: .joined, rights: [.speak, .kick, .ban])))
        fixture.service.groups.people[RoomPanelTests.tea] = [
            RoomPerson(
                nickname: "grace", role: .participant, affiliation: .none,
                address: ChatAddress("grace@example.org"), availability: .online, isMe: false)
        ]
        waitUntil("it is a row") { fixture.rows("Buddies").contains("tea, room") }
        showPeople(in: fixture)
        return fixture
    }

    @MainActor
    private static func showPeople(in fixture: MessagePanelFixture) {
        fixture.enter("Buddies")
        fixture.type(GDK_KEY_Home)
        for _ in 0..<4 where fixture.focusedName != "tea, room" { fixture.type(GDK_KEY_Down) }
        XCTAssertEqual(fixture.focusedName, "tea, room")
        choose("People…", in: fixture)
        waitUntil("the person has the focus") { fixture.focusedName == "grace, guest" }
    }

    /// Opens the menu of the focused row, and chooses an item.
    @MainActor
    private static func choose(_ item: String, in fixture: MessagePanelFixture) {
        fixture.type(GDK_KEY_Menu)
        waitUntil("the menu is open") { fixture.menuItems.contains(item) }
        for _ in fixture.menuItems where fixture.selectedMenuItem != item { fixture.type(GDK_KEY_Down) }
        XCTAssertEqual(fixture.selectedMenuItem, item)
        fixture.type(GDK_KEY_Return)
    }

    func testHundredsOfRoomsAreReachedWithKeys() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.meet()
            for number in 0..<500 {
                let record = RoomRecord(
                    ChatAddress("room\(100 + number)@rooms.example.org"), nickname: "ada")
                fixture.service.tell(.room(Room(record, standing: .joined)))
            }
            waitUntil("they are rows") { fixture.chat.buddies.order.count == 503 }
            fixture.settle()
            XCTAssertLessThan(fixture.rows("Buddies").count, 60)
            fixture.enter("Buddies")
            fixture.type(GDK_KEY_End)
            fixture.type(GDK_KEY_Up)
            waitUntil("the last room has the focus") { fixture.focusedName == "room599, room" }
            fixture.type(GDK_KEY_Return)
            waitUntil("it is open") {
                fixture.chat.selected?.buddy == ChatAddress("room599@rooms.example.org")
            }
            fixture.clear()
        }
    }
}
