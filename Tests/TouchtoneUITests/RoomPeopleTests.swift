// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of the menu of a person in a room.
final class RoomPeopleTests: GtkTestCase {
    private static let tea = RoomPanelTests.tea

    func testVisitorIsAllowedToSpeak() throws {
        try onMainActor {
            let fixture = try Self.fixture(.visitor, rights: [.speak, .kick])
            Self.openMenu(fixture)
            XCTAssertEqual(
                fixture.menuItems, ["Private Message", "Mention", "Let Speak", "Remove from Room…"])
            fixture.choose(itemWith: "Let Speak")
            waitUntil("the room is asked") {
                fixture.service.groups.calls == [.change("alan", .role(.participant), Self.tea)]
            }
            XCTAssertNil(fixture.find("alan", ATK_ROLE_PANEL))
            fixture.clear()
        }
    }

    func testRefusalIsShownWithAWayToTryAgain() throws {
        try onMainActor {
            let fixture = try Self.fixture(.visitor, rights: [.speak, .kick])
            fixture.service.groups.error = .refused("This isn’t allowed.")
            Self.openMenu(fixture)
            fixture.choose(itemWith: "Let Speak")
            waitUntil("the refusal is shown") {
                fixture.labels(in: fixture.widget).contains("This isn’t allowed.")
            }
            fixture.service.groups.error = nil
            fixture.click(fixture.button("Let Speak"))
            waitUntil("it is tried again") { fixture.service.groups.calls.count == 2 }
            TransientPopover.cancel()
            fixture.clear()
        }
    }

    func testOwnerIsAskedBeforeMakingOwners() throws {
        try onMainActor {
            let fixture = try Self.fixture(.participant, rights: [.speak, .kick, .ban, .own])
            Self.openMenu(fixture)
            XCTAssertEqual(
                fixture.menuItems,
                [
                    "Private Message", "Mention", "Let Only Listen", "Make Moderator", "Make Member",
                    "Make Administrator", "Make Owner", "Remove from Room…", "Ban from Room…",
                ])
            fixture.choose(itemWith: "Make Owner")
            waitUntil("it asks") { fixture.find("alan", ATK_ROLE_PANEL) != nil }
            XCTAssertEqual(fixture.service.groups.calls, [])
            fixture.click(fixture.button("Make Owner"))
            waitUntil("the room is asked") {
                fixture.service.groups.calls == [.change("alan", .affiliation(.owner), Self.tea)]
            }
            fixture.clear()
        }
    }

    func testGuestHasNoMenuOfChanges() throws {
        try onMainActor {
            let fixture = try Self.fixture(.participant, rights: .speak)
            Self.openMenu(fixture)
            XCTAssertEqual(fixture.menuItems, ["Private Message", "Mention"])
            fixture.type(GDK_KEY_Escape)
            TransientPopover.cancel()
            fixture.clear()
        }
    }

    func testPersonIsMentionedInTheMessageField() throws {
        try onMainActor {
            let fixture = try Self.fixture(.participant, rights: .speak)
            Self.openMenu(fixture)
            fixture.choose(itemWith: "Mention")
            waitUntil("the room is open") { fixture.chat.selected?.buddy == Self.tea }
            waitUntil("the field has the name") {
                fixture.panel.insides?.conversation.composer.text == "alan, "
            }
            fixture.chat.mention("ada", in: Self.tea)
            waitUntil("and another one") { fixture.panel.insides?.conversation.composer.text == "alan, ada " }
            fixture.clear()
        }
    }

    func testAbsentPeopleAreListedBelowTheOthers() throws {
        try onMainActor {
            let (ada, mallory) = (ChatAddress("ada@example.org"), ChatAddress("mallory@example.org"))
            let absent = [RoomPerson(absent: mallory, .outcast), RoomPerson(absent: ada, .member)]
            let fixture = try Self.fixture(.participant, rights: [.speak, .kick, .ban], absent: absent)
            waitUntil("they are listed") {
                fixture.rows("People") == [
                    "alan, guest", "Not Here", "ada@example.org, member", "mallory@example.org, banned",
                ]
            }
            XCTAssertEqual(fixture.focusedName, "alan, guest", "the focus stays")
            // The title has no menu.
            fixture.type(GDK_KEY_Down)
            XCTAssertEqual(fixture.focusedName, "Not Here")
            fixture.type(GDK_KEY_Menu)
            XCTAssertEqual(fixture.menuItems, [])
            fixture.type(GDK_KEY_Down)
            fixture.type(GDK_KEY_Menu)
            waitUntil("her menu is open") {
                fixture.menuItems == ["Remove as Member", "Ban from Room…"]
            }
            fixture.type(GDK_KEY_Escape)
            waitUntil("it is closed") { fixture.menuItems.isEmpty }
            fixture.type(GDK_KEY_End)
            XCTAssertEqual(fixture.focusedName, "mallory@example.org, banned")
            fixture.type(GDK_KEY_Menu)
            waitUntil("his menu is open") { fixture.menuItems == ["Lift Ban"] }
            fixture.type(GDK_KEY_Return)
            waitUntil("it asks") { fixture.focusedName == "Lift Ban" }
            fixture.type(GDK_KEY_Return)
            waitUntil("the room is asked") {
                fixture.service.groups.calls == [.change(mallory.text, .affiliation(.none), Self.tea)]
            }
            fixture.clear()
        }
    }

    @MainActor
    private static func fixture(
        _ role: RoomPerson.Role, rights: RoomRights, absent: [RoomPerson] = []
    ) throws -> MessagePanelFixture {
        let fixture = try MessagePanelFixture()
        fixture.service.groups.absentees[Self.tea] = absent
        fixture.meet()
        let room = Room(RoomPanelTests.record, standing: .joined, peopleCount: 1, rights: rights)
        fixture.service.tell(.room(room))
        fixture.service.groups.people[Self.tea] = [
            RoomPerson(
                nickname: "alan", role: role, affiliation: .none, address: ChatAddress("alan@example.org"),
                availability: .online, isMe: false)
        ]
        waitUntil("it is a row") { fixture.rows("Buddies").contains("tea, room") }
        RoomPeople.show(
            room, chat: fixture.chat, at: try XCTUnwrap(fixture.list("Buddies")), place: GdkRectangle()
        ) { fixture.chat.select($0) }
        waitUntil("he is listed") { fixture.focusedName?.hasPrefix("alan") == true }
        return fixture
    }

    @MainActor
    private static func openMenu(_ fixture: MessagePanelFixture) {
        fixture.type(GDK_KEY_Menu)
        waitUntil("his menu is open") { fixture.menuItems.contains("Private Message") }
    }
}
