// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of the notification of requests and invitations.
final class RequestNotificationsTests: GtkTestCase {
    private static let ada = ChatAddress("ada@example.org")
    private static let tea = ChatAddress("tea@rooms.example.org")
    private static let asks = "ada@example.org wants to see when you are online"
    private static let invites = "ada@example.org invites you to the room tea@rooms.example.org"

    func testRequestOutOfViewIsToldOnce() throws {
        try onMainActor {
            let fixture = try MessageNotificationsFixture()
            fixture.service.tell(.request(Self.ada, text: "Buy this"))
            let note = try XCTUnwrap(fixture.request)
            XCTAssertEqual(note.title, "ada@example.org")
            XCTAssertEqual(note.body, Self.asks, "a stranger’s text is read in the window")
            XCTAssertEqual(fixture.heard, [], "a stranger rings no bell")
            XCTAssertEqual(fixture.messenger.buddies.asked, 1)
            // The server repeats it in the next session, which is no news.
            fixture.service.tell(.requestGone(Self.ada))
            XCTAssertNil(fixture.request)
            fixture.service.tell(.request(Self.ada, text: "Buy this"))
            XCTAssertNil(fixture.request)
            XCTAssertEqual(fixture.messenger.buddies.asked, 1)
        }
    }

    func testRequestsShareOneNotificationThatGoesOnceSeen() throws {
        try onMainActor {
            let fixture = try MessageNotificationsFixture()
            fixture.service.tell(.request(Self.ada, text: ""))
            fixture.service.tell(.invitation(RoomInvitation(to: Self.tea, from: Self.ada)))
            XCTAssertEqual(fixture.request?.title, "2 requests")
            XCTAssertEqual(fixture.request?.body, "\(Self.asks)\n\(Self.invites)")
            for number in 0..<100 {
                fixture.service.tell(.request(ChatAddress("s\(number)@x.example"), text: "hi"))
            }
            XCTAssertEqual(fixture.requestNotifier.shown.count, 1)
            XCTAssertEqual(fixture.request?.title, "102 requests")
            XCTAssertEqual(fixture.request?.body.split(separator: "\n").last, "and 99 more")
            fixture.messenger.buddies.areRequestsInView = true
            XCTAssertNil(fixture.request)
            // What comes while the user looks needs no notification, and is known afterwards.
            fixture.service.tell(.request(ChatAddress("alan@example.org"), text: ""))
            fixture.messenger.buddies.areRequestsInView = false
            fixture.service.tell(.request(ChatAddress("bob@example.org"), text: ""))
            XCTAssertEqual(fixture.request?.title, "bob@example.org")
        }
    }

    func testInvitationThatIsSentAgainIsToldAgain() throws {
        try onMainActor {
            let fixture = try MessageNotificationsFixture()
            let invitation = RoomInvitation(to: Self.tea, from: Self.ada)
            for _ in 0..<2 {
                fixture.service.tell(.invitation(invitation))
                XCTAssertEqual(fixture.request?.title, "tea@rooms.example.org")
                fixture.chat.decline(invitation)
                XCTAssertNil(fixture.request)
            }
            // One that was dismissed does not come back with the next.
            fixture.service.tell(.invitation(invitation))
            fixture.requestNotifier.dismiss(RequestNotifications.key)
            fixture.service.tell(.request(Self.ada, text: ""))
            XCTAssertEqual(fixture.request?.body, Self.asks)
        }
    }

    func testNotificationNamesAccount() throws {
        try onMainActor {
            let fixture = try MessageNotificationsFixture()
            let (service, _) = fixture.addAccount("me@work.example")
            service.tell(.request(Self.ada, text: ""))
            XCTAssertEqual(fixture.request?.title, "ada@example.org – me@work.example")
        }
    }

    func testNothingIsToldWhileUserIsBusy() throws {
        try onMainActor {
            let fixture = try MessageNotificationsFixture()
            fixture.requests.isQuiet = true
            fixture.service.tell(.request(Self.ada, text: ""))
            fixture.requests.isQuiet = false
            fixture.messenger.ownPresence.availability = .busy
            fixture.service.tell(.invitation(RoomInvitation(to: Self.tea, from: Self.ada)))
            fixture.messenger.ownPresence.availability = .online
            fixture.settings[flag: "message-notification"] = false
            fixture.service.tell(.request(ChatAddress("alan@example.org"), text: ""))
            XCTAssertEqual(fixture.requestNotifier.count, 0)
            XCTAssertEqual(fixture.messenger.buddies.asked, 3)
            fixture.settings.reset("message-notification")
        }
    }

    func testLockedPhoneNamesNobody() throws {
        try onMainActor {
            let fixture = try MessageNotificationsFixture(passcode: "1234")
            XCTAssert(fixture.lock.isLocked)
            fixture.service.tell(.request(Self.ada, text: ""))
            fixture.service.tell(.invitation(RoomInvitation(to: Self.tea, from: Self.ada)))
            let note = try XCTUnwrap(fixture.requestNotifier.shown[RequestNotifications.privateKey])
            XCTAssertEqual(fixture.requestNotifier.count, 1)
            XCTAssertEqual(
                [note.title, note.body],
                ["Touchtone", "Somebody asks you something. Unlock the phone to see it."])
            fixture.open()
            XCTAssert(fixture.requestNotifier.shown.isEmpty)
            fixture.service.tell(.request(ChatAddress("alan@example.org"), text: ""))
            XCTAssertEqual(fixture.request?.title, "alan@example.org")
            fixture.lock.lock()
            XCTAssertEqual(Array(fixture.requestNotifier.shown.keys), [RequestNotifications.privateKey])
        }
    }
}

extension MessageNotificationsFixture {
    fileprivate var request: DesktopNotifications.Note? { requestNotifier.shown[RequestNotifications.key] }
}
