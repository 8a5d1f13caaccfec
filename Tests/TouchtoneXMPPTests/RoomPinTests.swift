// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneXMPP

/// Tests of pinned rooms, which an account's devices share by the bookmarks of an independent server (XEP-0469).
final class RoomPinTests: XMPPTestCase {
    func testPinIsSharedByDevices() throws {
        try TestServer.requireProsody("ejabberd 23.01 has only the private storage, which lacks it")
        try onMainActor {
            let room = try newRoom()
            let address = ChatAddress(room)
            let (desk, phone) = try twoDevices(in: room)
            let isPinned = { (one: RoomFixture) in one.chat.buddies.row(of: address)?.isPinned == true }
            let isKept = { desk.store.settings[address]?.contains(.pinToShare) == true }
            desk.chat.setPinned(true, address)
            waitUntil("the phone pins it, too") { isPinned(phone) }
            waitUntil("it is known to be told") { !isKept() }
            phone.chat.setPinned(false, address)
            waitUntil("the desk follows") { !isPinned(desk) }
            // A choice without a connection is told after the next start, and beside that of notifications.
            for isPinnedNow in [true, false] {
                desk.end()
                waitUntil("it is offline") { desk.xmpp.state == .signedOut }
                desk.chat.setPinned(isPinnedNow, address)
                desk.chat.setMuted(isPinnedNow, address)
                waitUntil("it is saved") { isKept() }
                desk.restart()
                waitUntil("the phone knows it") {
                    isPinned(phone) == isPinnedNow
                        && phone.chat.buddies.row(of: address)?.isMuted == isPinnedNow
                }
                waitUntil("it is known to be told") { !isKept() }
                XCTAssertEqual(isPinned(desk), isPinnedNow)
            }
            phone.chat.setPinned(true, address)
            waitUntil("the desk follows") { isPinned(desk) }
            let third = try RoomFixture("grace", account: desk.account)
            waitUntil("a new device has it pinned") { isPinned(third) }
            for fixture in [desk, phone, third] { fixture.end() }
        }
    }

    /// The data that other programs have stored in a bookmark stay.
    func testOtherExtensionsStay() throws {
        var bookmark = XMLElement("conference", PubSub.bookmarks)
        var extensions = XMLElement("extensions", PubSub.bookmarks)
        extensions.append(XMLElement("color", "https://example.org/color"))
        bookmark.append(extensions)
        let pinned = RoomPin.setting(true, in: NotificationSettings.setting(.never, in: bookmark))
        XCTAssertTrue(RoomPin.isSet(in: pinned))
        XCTAssertEqual(NotificationSettings.level(in: pinned), .never)
        XCTAssertNotNil(pinned.extensions.child("color", "https://example.org/color"))
        XCTAssertEqual(RoomPin.setting(true, in: pinned), pinned)
        let plain = RoomPin.setting(false, in: pinned)
        XCTAssertFalse(RoomPin.isSet(in: plain))
        XCTAssertNotNil(plain.extensions.child("color", "https://example.org/color"))
        let empty = XMLElement("conference", PubSub.bookmarks)
        XCTAssertEqual(RoomPin.setting(false, in: empty), empty)
    }
}
