// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of requests to become a member of a room, in the panel.
final class MembershipRequestTests: GtkTestCase {
    private static let tea = RoomPanelTests.tea
    private static let form = RoomForm(fields: [
        RoomForm.Field("nick", label: "Nickname in the Room", .line("ada"))
    ])

    func testClosedRoomIsAsked() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.meet()
            let groups = fixture.service.groups
            (groups.error, groups.registration) = (.membersOnly, Self.form)
            fixture.panel.askToJoin(Self.tea.text)
            waitUntil("the form is there") { fixture.find("Join Room", ATK_ROLE_PANEL) != nil }
            fixture.click(fixture.button("Join"))
            waitUntil("the room's form is there") {
                fixture.find("Nickname in the Room", ATK_ROLE_TEXT) != nil
            }
            fixture.click(fixture.button("Ask to Join"))
            let text = "Your request was sent. Join again when it has been accepted."
            waitUntil("the request is pending") { fixture.labels(in: fixture.widget).contains(text) }
            XCTAssertEqual(groups.calls.filter { $0 == .register(Self.form, Self.tea) }.count, 1)
            groups.error = nil
            fixture.click(fixture.button("Ask to Join"))
            waitUntil("it is entered") { fixture.chat.selected?.buddy == Self.tea }
            fixture.clear()
        }
    }

    func testClosedRoomWithoutRequestsGivesTheReason() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            fixture.meet()
            fixture.service.groups.error = .membersOnly
            fixture.service.tell(.room(Room(RoomPanelTests.record, standing: .outside(.membersOnly))))
            fixture.chat.select(Self.tea)
            waitUntil("the reason is shown") {
                fixture.labels(in: fixture.widget).contains(RoomError.membersOnly.text)
            }
            fixture.click(fixture.button("Join"))
            waitUntil("it says that the room takes no requests") {
                fixture.labels(in: fixture.widget).contains("This room takes no requests.")
            }
            TransientPopover.cancel()
            fixture.clear()
        }
    }
}
