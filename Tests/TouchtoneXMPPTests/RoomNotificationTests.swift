// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneXMPP

/// Tests of the choice of notifications that devices share, in a room's bookmark or for a person, on an independent server.
final class RoomNotificationTests: XMPPTestCase {
    func testChoiceIsSharedByDevices() throws {
        try TestServer.requireProsody("ejabberd 23.01 has only the private storage, which lacks it")
        try onMainActor {
            let room = try newRoom()
            let (desk, phone) = try twoDevices(in: room)
            let row = { (fixture: RoomFixture) in fixture.chat.buddies.row(of: ChatAddress(room)) }
            desk.chat.setMuted(true, ChatAddress(room))
            waitUntil("the phone is quiet, too") { row(phone)?.isMuted == true }
            desk.chat.setNotifiesAll(true, in: ChatAddress(room))
            waitUntil("the phone tells of all messages, too") {
                row(phone)?.isMuted == false && row(phone)?.room?.record.notifiesAll == true
            }
            phone.chat.setNotifiesAll(false, in: ChatAddress(room))
            waitUntil("the desk follows") { row(desk)?.room?.record.notifiesAll == false }
            // What was chosen is there after the next start.
            desk.chat.setMuted(true, ChatAddress(room))
            waitUntil("it is saved") { row(phone)?.isMuted == true }
            let third = try RoomFixture("grace", account: desk.account)
            waitUntil("a new device is quiet, too") { row(third)?.isMuted == true }
            let mallory = ChatAddress("mallory@localhost")
            let isMuted = { (one: RoomFixture) in one.chat.buddies.row(of: mallory)?.isMuted == true }
            desk.chat.setMuted(true, mallory)
            waitUntil("a person is muted on all devices") { isMuted(phone) && isMuted(third) }
            third.end()
            phone.chat.setMuted(false, mallory)
            waitUntil("and not any more") { !isMuted(desk) }
            desk.chat.setMuted(true, mallory)
            let fourth = try RoomFixture("grace", account: desk.account)
            waitUntil("a new device knows it") { isMuted(fourth) }
            fourth.end()
            for fixture in [desk, phone] { fixture.end() }
        }
    }

    /// A choice without a connection is not lost if the program ends before there is one.
    func testChoiceOfflineIsToldAfterTheNextStart() throws {
        try TestServer.requireProsody("ejabberd 23.01 has only the private storage, which lacks it")
        try onMainActor {
            let desk = try RoomFixture("grace")
            let mallory = ChatAddress("mallory@localhost")
            let isMuted = { (one: RoomFixture) in one.chat.buddies.row(of: mallory)?.isMuted == true }
            for isMutedNow in [true, false] {
                desk.end()
                waitUntil("it is offline") { desk.xmpp.state == .signedOut }
                desk.chat.setMuted(isMutedNow, mallory)
                waitUntil("it is saved") {
                    desk.store.settings[mallory]?.contains(.muteToShare) == true
                }
                desk.restart()
                waitUntil("the server has it") {
                    desk.store.settings[mallory, default: []] == (isMutedNow ? .muted : [])
                }
                XCTAssertEqual(isMuted(desk), isMutedNow)
                let phone = try RoomFixture("grace", account: desk.account)
                waitUntil("another device knows it") {
                    isMuted(phone) == isMutedNow && phone.xmpp.notifications.isKnown
                }
                phone.end()
            }
            desk.end()
        }
    }

    /// The choice for a room without a connection reaches the other devices, too: after the connection returns, after the
    /// next start, and if it was chosen before the first connection.
    func testChoiceForRoomOfflineIsToldLater() throws {
        try TestServer.requireProsody("ejabberd 23.01 has only the private storage, which lacks it")
        try onMainActor {
            let room = try newRoom()
            let address = ChatAddress(room)
            let (desk, phone) = try twoDevices(in: room)
            let row = { (fixture: RoomFixture) in fixture.chat.buddies.row(of: address) }
            let isKept = { desk.store.settings[address]?.contains(.muteToShare) == true }
            desk.cut()
            waitUntil("the cut is noticed") {
                if case .waiting = desk.program.client.state { true } else { false }
            }
            desk.chat.setMuted(true, address)
            desk.reconnect()
            waitUntil("the phone is quiet") { row(phone)?.isMuted == true }
            waitUntil("it is known to be told") { !isKept() }
            for isMuted in [false, true] {
                desk.end()
                waitUntil("it is offline") { desk.xmpp.state == .signedOut }
                desk.chat.setMuted(isMuted, address)
                waitUntil("it is saved") { isKept() }
                desk.restart()
                waitUntil("the phone knows it") { row(phone)?.isMuted == isMuted }
                waitUntil("it is known to be told") { !isKept() }
                XCTAssertEqual(row(desk)?.isMuted, isMuted)
            }
            desk.end()
            waitUntil("it is offline") { desk.xmpp.state == .signedOut }
            desk.chat.setNotifiesAll(true, in: address)
            waitUntil("it is saved") { isKept() }
            desk.restart()
            waitUntil("the phone tells of all messages") {
                row(phone)?.isMuted == false && row(phone)?.room?.record.notifiesAll == true
            }
            for fixture in [desk, phone] { fixture.end() }
        }
    }
}
