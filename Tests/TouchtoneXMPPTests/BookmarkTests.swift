// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Foundation
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneXMPP

/// Tests of the bookmarks in the private storage, which older servers have (XEP-0048, XEP-0049).
final class BookmarkTests: XMPPTestCase {
    func testOldBookmarksAreSavedAndFound() throws {
        try onMainActor {
            let (room, second) = (try newRoom(), try newRoom())
            let grace = try RoomFixture("grace")
            // Prosody and newer ejabberds convert between both kinds, and say so.
            if TestServer.current == .prosody { XCTAssertFalse(grace.xmpp.bookmarks.usesPrivateStorage) }
            grace.xmpp.bookmarks.usesPrivateStorage = true
            try grace.join(room, as: "Grace", password: "")
            try grace.join(second, as: "hopper")
            waitUntil("both are bookmarked") {
                grace.room(room)?.record.isBookmarked == true
                    && grace.room(second)?.record.isBookmarked == true
            }
            let client = grace.program.client
            let list = try XCTUnwrap(
                try awaited { try await client.privateElement("storage", PrivateStorage.bookmarks) })
            XCTAssertEqual(
                Set(list.children("conference").compactMap { $0["jid"] }),
                [room.description, second.description])
            // A program that knows only the old ones has changed the list.
            var changed = PrivateStorage.setting(nil, of: second, in: list)
            let third = try newRoom()
            let bookmark = XMLElement("conference", PubSub.bookmarks, ["autojoin": "false", "name": "Tea"])
            changed = PrivateStorage.setting(bookmark, of: third, in: changed)
            try awaited { [changed] in try await client.setPrivateElement(changed) }
            let rooms = grace.xmpp.roomSessions
            let isLoaded = try awaited { await rooms.loadBookmarks() }
            XCTAssert(isLoaded)
            XCTAssertNil(grace.room(second))
            XCTAssertEqual(grace.room(third)?.record.name, "Tea")
            XCTAssertEqual(grace.room(room)?.nickname, "Grace")
            try grace.chat.leave(ChatAddress(room))
            waitUntil("it is removed") { grace.room(room) == nil }
            let items = try awaited { [bookmarks = grace.xmpp.bookmarks] in
                try await bookmarks.save(nil, of: third)
                return try await client.privateElement("storage", PrivateStorage.bookmarks)
            }
            XCTAssertEqual(items?.children("conference").count ?? 0, 0)
            grace.end()
        }
    }

    func testBookmarksOfOtherProgramsAreFollowed() throws {
        try onMainActor {
            let (old, new) = (try newRoom(), try newRoom())
            let owner = try RoomFixture("owner")
            for room in [old, new] { try owner.join(room, as: "Owner") }
            let account = try account("grace")
            let other = Session(account)
            other.client.signIn()
            waitUntil("the other program is online") { other.isOnline }
            // ejabberd tells of changes through any program of the account, which has to know the others by their presence.
            other.client.send(Presence().element)
            var autojoined = XMLElement("conference", PubSub.bookmarks, ["autojoin": "true", "name": "Tea"])
            try publish(autojoined, of: new, by: other.client)
            let grace = try RoomFixture("grace", account: account)
            waitUntil("the published bookmark is found") { grace.room(new)?.standing == .joined }
            // The server asks the phone what it wants to be told after the phone is online.
            let deadline = Date(timeIntervalSinceNow: 60)
            var count = 0
            repeat {
                count += 1
                autojoined["name"] = "Tea \(count)"
                try publish(autojoined, of: new, by: other.client)
            } while grace.room(new)?.record.name != autojoined["name"] && Date() < deadline
            // A program that knows only the list changes it.
            let list = PrivateStorage.setting(autojoined, of: old, in: nil)
            try awaited { [client = other.client] in
                try await client.setPrivateElement(PrivateStorage.setting(autojoined, of: new, in: list))
            }
            waitUntil("the room of the list is entered") { grace.room(old)?.standing == .joined }
            try awaited { [client = other.client] in
                try await client.setPrivateElement(PrivateStorage.setting(autojoined, of: new, in: nil))
            }
            waitUntil("the room is left with its bookmark") { grace.room(old) == nil }
            XCTAssertEqual(grace.room(new)?.standing, .joined)
            try grace.chat.leave(ChatAddress(new))
            let left = try awaited { [client = grace.program.client] in
                try await client.published(PubSub.bookmarks)
            }
            XCTAssertEqual(left.map(\.id), [])
            for fixture in [grace, owner] { fixture.end() }
            other.client.signOut()
        }
    }

    func testListKeepsWhatOthersStored() throws {
        let room = try XCTUnwrap(JID("tea@rooms.localhost"))
        let list = try XMLElementTests.read(
            """
            <storage xmlns='storage:bookmarks'><url name='x' url='https://example.org'/>\
            <conference jid='TEA@rooms.localhost' name='old'/><conference name='no address'/>\
            <conference jid='bar@rooms.localhost' autojoin='1'><nick>g</nick><password>p</password></conference></storage>
            """)
        let items = PrivateStorage.items(in: list)
        XCTAssertEqual(items.map(\.id), ["TEA@rooms.localhost", "bar@rooms.localhost"])
        let bar = try XCTUnwrap(items.last?.payload)
        XCTAssert(bar.isNamed("conference", PubSub.bookmarks))
        XCTAssertEqual(bar["autojoin"], "1")
        XCTAssertEqual(bar.child("nick")?.text, "g")
        XCTAssertEqual(bar.child("password")?.text, "p")
        let new = PrivateStorage.setting(bar, of: room, in: list)
        XCTAssertEqual(new.children.map(\.name), ["url", "conference", "conference", "conference"])
        XCTAssertEqual(new.children.last?["jid"], "tea@rooms.localhost")
        XCTAssertEqual(
            PrivateStorage.setting(nil, of: room, in: list).children.compactMap { $0["jid"] },
            ["bar@rooms.localhost"])
    }
}

/// Publishes a bookmark as a program does, also on a server that does not convert it.
@MainActor
private func publish(_ bookmark: XMLElement, of room: JID, by client: XMPPClient) throws {
    try awaited {
        let features = try await client.info(of: client.account.jid).features
        if features.contains(PubSub.convertedBookmarks) {
            try await client.publishPrivately(bookmark, id: room.description, in: PubSub.bookmarks)
        } else {
            try await client.publish(bookmark, id: room.description, in: PubSub.bookmarks)
        }
    }
}
