// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Foundation
import GLibBridge
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneXMPP

/// Tests of what the devices of an account tell each other of reading, on an independent server.
final class SharedReadingTests: XMPPTestCase {
    func testWhatOneDeviceReadsIsReadOnTheOthers() throws {
        try onMainActor {
            let desk = try RoomFixture("grace")
            let phone = try RoomFixture("grace", account: desk.account)
            let alan = try RoomFixture("alan")
            let (room, own) = (try newRoom(), desk.account.jid.bare)
            try desk.join(room, as: "Grace")
            // ejabberd does not tell the other device of the bookmark.
            if TestServer.current == .ejabberd { try phone.join(room, as: "Phone", creates: false) }
            waitUntil("the phone is in the room, too") { phone.isReady(in: room) }
            try alan.join(room, as: "alan", creates: false)
            for (conversation, recipient) in [(alan.address, own), (ChatAddress(room), room)] {
                let deadline = Date(timeIntervalSinceNow: 60)
                // The server learns late what the phone wants to be told.
                repeat {
                    alan.send("hello", to: recipient)
                    waitUntil("both have it") {
                        desk.unread(conversation) == 1 && phone.unread(conversation) > 0
                    }
                    try desk.read(conversation)
                    MainLoop.run(upTo: 2000) { phone.unread(conversation) == 0 }
                } while phone.unread(conversation) > 0 && Date() < deadline
                XCTAssertEqual(phone.unread(conversation), 0)
            }
            // Each conversation has one mark, at its last message.
            let marks = try desk.marks()
            XCTAssertEqual(Set(marks.map(\.conversation)), [alan.account.jid.bare, room])
            for mark in marks {
                XCTAssertEqual(mark.archive, mark.conversation == room ? room : own)
                XCTAssertEqual(mark.id, desk.store.table.messages(of: mark.buddy).last?.archiveName)
            }
            // Nobody else sees them, and a stranger does not learn what was read.
            XCTAssertThrowsError(
                try awaited { [client = alan.program.client] in
                    try await client.published(PubSub.displayed, by: own)
                })
            XCTAssert(
                alan.store.table.messages(of: ChatAddress(own)).allSatisfy { $0.state == .sent },
                "a stranger got a marker")
            for fixture in [desk, phone, alan] { fixture.end() }
        }
    }

    /// A message that was read elsewhere while the device was off is not new when it comes from the archive.
    func testWhatWasReadMeanwhileDoesNotNotify() throws {
        try onMainActor {
            let desk = try RoomFixture("grace")
            let phone = try RoomFixture("grace", account: desk.account)
            let alan = try RoomFixture("alan")
            alan.send("first", to: desk.account.jid.bare)
            waitUntil("the phone knows the archive") { phone.unread(alan.address) == 1 }
            phone.end()
            for text in ["second", "third"] { alan.send(text, to: desk.account.jid.bare) }
            waitUntil("the desk has them") { desk.unread(alan.address) == 3 }
            try desk.read(alan.address)
            phone.restart()
            var arrivals: [String] = []
            phone.chat.observe(by: phone) {
                if case .arrival(let message, _) = $0 { arrivals.append(message.text) }
            }
            waitUntil("the phone has them") {
                phone.store.table.messages(of: alan.address).map(\.text) == ["first", "second", "third"]
                    && phone.xmpp.context.isReady
            }
            waitUntil("nothing is new") { phone.unread(alan.address) == 0 }
            XCTAssertEqual(arrivals, [])
            for fixture in [desk, phone, alan] { fixture.end() }
        }
    }

    /// A server that takes the mark out of the read marker gets it so, and no other server gets it there.
    func testMarkGoesWithTheMarkerWhereTheServerTakesItOut() throws {
        try onMainActor {
            let desk = try fixture("grace")
            let device = try RawDevice(to: desk)
            var (markers, isMet): ([Message], Bool) = ([], false)
            device.session.client.onStanza = {
                guard case .message(let message, _) = $0 else { return }
                if ChatMarkers.displayed(in: message) != nil { markers.append(message) }
                if message.body == "hi" { isMet = true }
            }
            let (reading, buddy) = (desk.chat.reading, ChatAddress(device.jid))
            waitUntil("the marks are known") { reading.isKnown && desk.chat.context.isReady }
            desk.send("hi", to: buddy)
            waitUntil("he may know that she is online") { isMet }
            for (place, isAssisted) in [(1, false), (2, true)] as [(Int64, Bool)] {
                reading.learn(SharedReading.needed.union(isAssisted ? [SharedReading.assistance] : []))
                let message = ChatMessage(
                    id: place, conversation: ConversationID(buddy), sender: .buddy,
                    content: MessageContent("hello"), time: desk.wall.now, place: place, state: .received,
                    name: "name \(place)", archiveName: "archived \(place)", receiptRequests: [.marker])
                desk.chat.messaging.shareReading(upTo: message)
                desk.chat.messaging.confirmReading(of: message)
                waitUntil("the marker has come") { markers.count == Int(place) }
                let mark = DisplayedMark("archived \(place)", in: desk.jid, of: device.jid)
                let item = PubSub.Item(
                    id: device.jid.description, payload: markers.last?.extension(PubSub.displayed))
                XCTAssertEqual(DisplayedMark(item, own: desk.jid), isAssisted ? mark : nil)
                XCTAssertEqual(reading.unshared.isEmpty, isAssisted, "it is not told twice")
            }
            desk.chat.signOut()
            device.session.client.signOut()
        }
    }

    func testMarksNeverGoBackAndHostileOnesDoNothing() throws {
        try onMainActor {
            let (desk, alan) = (try RoomFixture("grace"), try RoomFixture("alan"))
            let (own, buddy) = (desk.account.jid.bare, alan.account.jid.bare)
            for text in ["one", "two", "three"] { alan.send(text, to: own) }
            waitUntil("she has them") { desk.unread(alan.address) == 3 }
            let messages = desk.store.table.messages(of: alan.address)
            let names = messages.compactMap(\.archiveName)
            XCTAssertEqual(names.count, 3)
            let reading = desk.xmpp.reading
            let take = { (marks: [PubSub.Item]) in
                _ = reading.handle(
                    .published(
                        PubSub.Change(
                            owner: own, node: PubSub.displayed, items: marks, retracted: ["@", "x@y"],
                            isEmptied: false)))
                try awaited { [context = desk.xmpp.context] in await context.flush() }
            }
            let mark = { (name: String) in
                PubSub.Item(
                    id: buddy.description, payload: DisplayedMark(name, in: own, of: buddy).payload)
            }
            try take([mark(names[1])])
            XCTAssertEqual(desk.unread(alan.address), 1)
            try take([mark(names[0])] + Self.hostileMarks(of: buddy, names[2], own: own))
            try take([mark("unknown"), mark(String(repeating: "x", count: 100_000)), mark("")])
            XCTAssertEqual(desk.unread(alan.address), 1)
            try take([mark(names[2])])
            XCTAssertEqual(desk.unread(alan.address), 0)
            // Another device has read more than this one.
            try awaited { [client = desk.program.client] in
                try await client.publishPrivately(
                    DisplayedMark(names[2], in: own, of: buddy).payload, id: buddy.description,
                    in: PubSub.displayed)
            }
            waitUntil("the marks are known") { reading.isKnown }
            reading.share(upTo: messages[1])
            desk.passSharingTime()
            waitUntil("it is compared") { reading.unshared.isEmpty }
            XCTAssertEqual(try desk.marks().map(\.id), [names[2]])
            // A server that keeps no items, or does not let the client say who may see them.
            for missing in SharedReading.needed {
                reading.begin()
                reading.learn(SharedReading.needed.subtracting([missing]))
                reading.share(upTo: messages[2])
                XCTAssert(reading.unshared.isEmpty)
            }
            for fixture in [desk, alan] { fixture.end() }
        }
    }

    private static func hostileMarks(of buddy: JID, _ name: String, own: JID) -> [PubSub.Item] {
        let id = { (by: String?, id: String?) in
            XMLElement("stanza-id", StableIDs.namespace, ["by": by, "id": id])
        }
        let good = id(own.description, name)
        let payloads: [XMLElement?] =
            [nil, good, XMLElement("displayed", "urn:x", [:], [good])]
            + [
                [], [good, good], [id(nil, name)], [id("@", name)], [id("mallory@localhost", name)],
                [id(own.description, nil)], [id("\(own)/desk", name)],
                [XMLElement("stanza-id", "urn:x", ["by": own.description, "id": name])],
            ].map { XMLElement("displayed", PubSub.displayed, [:], $0) }
        return payloads.map { PubSub.Item(id: buddy.description, payload: $0) }
            + ["", "@", "x", buddy.description + "/x", String(repeating: "x", count: 100_000)].map {
                PubSub.Item(id: $0, payload: XMLElement("displayed", PubSub.displayed, [:], [good]))
            }
    }
}

extension RoomFixture {
    fileprivate func unread(_ buddy: ChatAddress) -> Int { chat.buddies.row(of: buddy)?.unread ?? 0 }

    /// Shows a conversation until its messages are seen, and the other devices are told.
    fileprivate func read(_ buddy: ChatAddress) throws {
        waitUntil("the marks are known") { xmpp.reading.isKnown }
        chat.select(buddy)
        chat.isInView = true
        let last = try XCTUnwrap(store.table.messages(of: buddy).last { $0.sender != .me })
        waitUntil("it is shown") { chat.selected?.window.contains { $0.id == last.id } == true }
        chat.selected?.seen(upTo: last)
        waitUntil("it is seen") { unread(buddy) == 0 }
        chat.isInView = false
        passSharingTime()
        waitUntil("the server knows") { xmpp.reading.unshared.isEmpty }
    }

    fileprivate func passSharingTime() { program.clock.advance(by: SharedReading.pause) }

    fileprivate func marks() throws -> [DisplayedMark] {
        let client = program.client
        return try awaited { try await client.published(PubSub.displayed) }
            .compactMap { DisplayedMark($0, own: client.account.jid.bare) }
    }
}
