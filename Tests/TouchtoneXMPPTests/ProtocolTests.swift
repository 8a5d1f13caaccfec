// SPDX-License-Identifier: GPL-3.0-or-later

import TestSupport
import TouchtoneCore
@testable import TouchtoneXMPP
import XCTest

/// Tests of the protocols with an independent server.
final class ProtocolTests: XMPPTestCase {
    func testBuddiesAreAddedReportedAndRemoved() throws {
        try onMainActor {
            let (grace, graceJID) = try pair("grace")
            let (alan, alanJID) = try pair("alan")
            XCTAssertEqual(try awaited { try await grace.client.roster() }?.items, [])
            try awaited { try await grace.client.setBuddy(alanJID, name: "Alan <&>", groups: ["Work", "ü"]) }
            waitUntil("the change is told") { pushes(grace).last?.name == "Alan <&>" }
            XCTAssertEqual(pushes(grace).last?.groups.sorted(), ["Work", "ü"])

            alan.client.send(Presence(extensions: [OwnCapabilities.element]).element)
            grace.client.send(Presence(show: .away, status: "at lunch").element)
            grace.client.send(Presence(.subscribe, to: alanJID.bare).element)
            waitUntil("alan is asked") {
                presences(alan).contains { $0.kind == .subscribe && $0.from == graceJID.bare }
            }
            alan.client.send(Presence(.subscribed, to: graceJID.bare).element)
            waitUntil("alan's presence comes") {
                presences(grace).contains { $0.kind == .available && $0.from == alanJID }
            }
            let presence = try XCTUnwrap(presences(grace).last { $0.from == alanJID })
            let capabilities = try XCTUnwrap(Capabilities(in: presence))
            let info = try awaited {
                try await grace.client.info(of: alanJID, node: "\(capabilities.node)#\(capabilities.version)")
            }
            XCTAssertEqual(capabilities.version, Capabilities(node: capabilities.node, of: info).version)
            XCTAssertEqual(info.identities, OwnCapabilities.info.identities)

            try awaited { try await grace.client.removeBuddy(alanJID) }
            waitUntil("the removal is told") { pushes(grace).last?.subscription == .remove }
            XCTAssertEqual(try awaited { try await grace.client.roster() }?.items, [])
        }
    }

    func testOtherDevicesReceiveCarbons() throws {
        try onMainActor {
            let fixture = try signedIn("grace")
            // A server ends the session of a device that signs in once more.
            let phone = Session(
                fixture.client.account, deviceID: "b1f0b1a4-6f0e-4b8e-8a52-0a4f6f0f7c11")
            phone.client.signIn()
            waitUntil("the phone is online") { phone.isOnline }
            let (alan, alanJID) = try pair("alan")
            for session in [fixture, phone] {
                try awaited { try await session.client.enableCarbons() }
                try session.becomeAvailable()
            }
            guard let deskJID = fixture.client.address else { return XCTFail("\(fixture.client.state)") }
            fixture.client.send(Message(to: alanJID, body: "from the desk").element)
            waitUntil("the phone is told") { sentElsewhere(phone).contains("from the desk") }
            alan.client.send(Message(to: deskJID, body: "to the desk").element)
            waitUntil("both have it") {
                fixture.bodies.contains("to the desk") && phone.bodies.contains("to the desk")
            }
            XCTAssertEqual(phone.bodies, ["to the desk"])
            XCTAssertEqual(phone.dropped, [])
        }
    }

    func testMissedMessagesAreInArchive() throws {
        try onMainActor {
            let (alan, _) = try pair("alan")
            let (grace, graceJID) = try pair("grace")
            grace.client.signOut()
            for index in 0..<25 {
                alan.client.send(Message(to: graceJID.bare, id: "\(index)", body: "\(index)").element)
            }
            waitUntil("the server has them") { alan.acknowledged.count == 25 }
            grace.client.signIn()
            waitUntil("grace is online") { grace.isOnline }
            var query = Archive.Query(.before(nil))
            query.maximum = 10
            var all: [String] = []
            var isComplete = false
            while !isComplete {
                let wanted = query
                let page = try awaited { try await grace.client.archive(wanted) }
                all = page.items.compactMap(\.message.body) + all
                XCTAssertEqual(page.items.map(\.stamp), page.items.map(\.stamp).sorted())
                XCTAssertEqual(page.set.first, page.items.first?.id)
                isComplete = page.isComplete
                query.page = .before(page.set.first)
            }
            XCTAssertEqual(all, (0..<25).map { "\($0)" })
            XCTAssertEqual(grace.dropped, [])
        }
    }

    func testReceiptsStatesAndCorrectionsArrive() throws {
        try onMainActor {
            let (grace, graceJID) = try pair("grace")
            let (alan, alanJID) = try pair("alan")
            grace.client.send(
                Message(
                    to: alanJID, id: "m1", body: "helo",
                    extensions: [Receipts.request, ChatMarkers.request, ChatState.active.element]
                ).element)
            grace.client.send(
                Message(to: alanJID, id: "m2", body: "hello", extensions: [Correction.element(of: "m1")])
                    .element)
            waitUntil("both have come") { messages(alan).count == 2 }
            let (first, second) = (messages(alan)[0], messages(alan)[1])
            XCTAssertEqual(ChatState(in: first), .active)
            XCTAssertEqual(Correction.corrected(by: second), "m1")
            XCTAssertEqual(MessageReader.receiptRequests(of: first), [.receipt, .marker])
            XCTAssertEqual(MessageReader.receiptRequests(of: second), [])
            alan.client.send(Receipts.receipt(for: "m1", to: graceJID).element)
            alan.client.send(ChatMarkers.displayed("m1", to: graceJID).element)
            alan.client.send(ChatState.composing.message(to: graceJID).element)
            waitUntil("all has come back") { messages(grace).count == 3 }
            XCTAssertEqual(messages(grace).compactMap { Receipts.received(in: $0) }, ["m1"])
            XCTAssertEqual(messages(grace).compactMap { ChatMarkers.displayed(in: $0) }, ["m1"])
            XCTAssertEqual(messages(grace).compactMap { ChatState(in: $0) }, [.composing])
        }
    }

    func testBlockedAddressesAreIgnored() throws {
        try onMainActor {
            let (grace, graceJID) = try pair("grace")
            let (mallory, malloryJID) = try pair("mallory")
            XCTAssertEqual(try awaited { try await grace.client.blockList() }, [])
            try awaited { try await grace.client.setBlocked(true, malloryJID.bare) }
            XCTAssertEqual(try awaited { try await grace.client.blockList() }, [malloryJID.bare])
            waitUntil("the block is told") {
                grace.arrivals.contains {
                    if case .blocking(.blocked([malloryJID.bare]), _) = $0 { true } else { false }
                }
            }
            grace.client.send(Presence().element)
            mallory.client.send(Message(to: graceJID.bare, id: "x", body: "let me in").element)
            waitUntil("it is refused") { messages(mallory).contains { $0.error != nil } }
            XCTAssertEqual(grace.bodies, [])
            try awaited { try await grace.client.setBlocked(false, malloryJID.bare) }
            XCTAssertEqual(try awaited { try await grace.client.blockList() }, [])
        }
    }

    func testPublishedItemsAreReportedAndFound() throws {
        try TestServer.requireProsody("ejabberd 23.01 refuses these publish options")
        try onMainActor {
            let (grace, _) = try pair("grace")
            grace.client.send(Presence(extensions: [OwnCapabilities.element]).element)
            // The server queries the client's interests when it sees its presence, and sends no notifications before.
            try awaited {
                try await grace.client.publish(
                    XMLElement("metadata", PubSub.avatarMetadata), id: "none", in: PubSub.avatarMetadata)
            }
            waitUntil("the server knows what we listen to") {
                grace.arrivals.contains {
                    guard case .published(let change) = $0 else { return false }
                    return change.node == PubSub.avatarMetadata
                }
            }
            let room = XMLElement("conference", PubSub.bookmarks, ["autojoin": "true", "name": "Room"])
            try awaited {
                try await grace.client.publishPrivately(
                    room, id: "room@rooms.localhost", in: PubSub.bookmarks)
            }
            let items = try awaited { try await grace.client.published(PubSub.bookmarks) }
            XCTAssertEqual(items.map(\.id), ["room@rooms.localhost"])
            // The server chooses the order of attributes.
            XCTAssertEqual(items.map { $0.payload?["autojoin"] }, ["true"])
            XCTAssertEqual(items.map { $0.payload?.name }, ["conference"])
            // No other account may see it.
            let (mallory, _) = try pair("mallory")
            let owner = grace.client.account.jid
            XCTAssertThrowsError(
                try awaited { try await mallory.client.published(PubSub.bookmarks, by: owner) })
        }
    }

    func testNodeOfOtherProgramBecomesPrivate() throws {
        try onMainActor {
            let (grace, owner) = try pair("grace")
            let (mallory, _) = try pair("mallory")
            let room = XMLElement("conference", PubSub.bookmarks, ["autojoin": "true", "name": "Room"])
            // Older servers do not know the options of such a node, and have the list of older programs instead.
            let info = try awaited { try await grace.client.info(of: owner.bare) }
            try XCTSkipUnless(info.features.contains("urn:xmpp:bookmarks:1#compat"))
            // The program lets everybody see it who sees the user's presence.
            try awaited {
                try await grace.client.publish(room, id: "a@rooms.localhost", in: PubSub.bookmarks)
            }
            try awaited {
                try await grace.client.publishPrivately(room, id: "b@rooms.localhost", in: PubSub.bookmarks)
            }
            let items = try awaited { try await grace.client.published(PubSub.bookmarks) }
            XCTAssertEqual(Set(items.map(\.id)), ["a@rooms.localhost", "b@rooms.localhost"])
            let owned = "http://jabber.org/protocol/pubsub#owner"
            let form = try awaited {
                try await grace.client.request(
                    .get,
                    XMLElement(
                        "pubsub", owned, [:],
                        [XMLElement("configure", owned, ["node": PubSub.bookmarks])]))
            }
            let fields = form?.child("configure", owned)?.children.first?.children("field") ?? []
            let access = fields.first { $0["var"] == "pubsub#access_model" }?.child("value")?.text
            XCTAssertEqual(access, "whitelist")
            XCTAssertThrowsError(
                try awaited { try await mallory.client.published(PubSub.bookmarks, by: owner) })
        }
    }

    func testServerReportsItsFeatures() throws {
        try onMainActor {
            let (grace, graceJID) = try pair("grace")
            let info = try awaited { try await grace.client.info(of: graceJID.server) }
            XCTAssertTrue(info.identities.contains { $0.category == "server" && $0.type == "im" })
            XCTAssertTrue(info.features.contains("urn:xmpp:carbons:2"))
            let items = try awaited { try await grace.client.items(of: graceJID.server) }
            XCTAssertTrue(items.contains { $0.jid == JID("rooms.localhost") })
            try awaited { try await grace.client.ping(graceJID.server) }
        }
    }
}

@MainActor
private func pair(_ name: String) throws -> (Session, JID) {
    let session = try signedIn(name)
    guard let jid = session.client.address else { throw RequestError.disconnected }
    return (session, jid)
}

@MainActor
private func presences(_ session: Session) -> [Presence] {
    session.arrivals.compactMap { if case .presence(let presence) = $0 { presence } else { nil } }
}

@MainActor
private func messages(_ session: Session) -> [Message] {
    session.arrivals.compactMap { if case .message(let message, _) = $0 { message } else { nil } }
}

@MainActor
private func pushes(_ session: Session) -> [RosterItem] {
    session.arrivals.flatMap { if case .roster(let roster, _) = $0 { roster.items } else { [RosterItem]() } }
}

@MainActor
private func sentElsewhere(_ session: Session) -> [String] {
    session.arrivals.compactMap { if case .sentElsewhere(let message, _) = $0 { message.body } else { nil } }
}
