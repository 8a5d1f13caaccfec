// SPDX-License-Identifier: GPL-3.0-or-later

import Testing
import TouchtoneCore

@testable import TouchtoneXMPP

/// Tests of the receipts and markers in a room, with forged ones: each check has a test that fails without it.
@Suite struct RoomConfirmationTests {
    private static let closed: Set<String> = ["muc_membersonly", "muc_nonanonymous"]
    private static let receipt = "<received xmlns='urn:xmpp:receipts' id='m1'/>"
    private static let marker = "<displayed xmlns='urn:xmpp:chat-markers:0' id='m1'/>"
    private static let request =
        "<body>hi</body><request xmlns='urn:xmpp:receipts'/><markable xmlns='urn:xmpp:chat-markers:0'/>"
    private static let now = ChatTime(milliseconds: 1_800_000_000_000)
    private let own: JID
    private let room: JID
    private var tea: ChatAddress { ChatAddress(room) }

    init() throws {
        own = try #require(JID("grace@localhost"))
        room = try #require(JID("room@rooms.localhost"))
    }

    @Test func occupantConfirms() throws {
        var state = try inside(Self.closed)
        #expect(try handle(&state, "alan", Self.receipt) == [.delivered(buddy: tea, name: "m1")])
        #expect(try handle(&state, "alan", Self.marker) == [.read(buddy: tea, name: "m1")])
        // All occupants know a message by the id of the room's archive, whoever sent it.
        var other = try inside(Self.closed.union(["urn:xmpp:mam:2"]))
        #expect(try handle(&other, "alan", Self.marker) == [.readInRoom(tea, archiveName: "m1")])
    }

    @Test(arguments: [
        [], ["muc_membersonly"], ["muc_nonanonymous"], ["muc_membersonly", "muc_semianonymous"],
    ])
    func nothingIsConfirmedWhereStrangersAre(_ features: Set<String>) throws {
        var state = try inside(features)
        #expect(try handle(&state, "alan", Self.receipt + Self.marker) == [])
        #expect(!state.asksForReceipts)
    }

    @Test func confirmationCountsOnlyFromAnotherOccupant() throws {
        var state = try inside(Self.closed.union(["urn:xmpp:mam:2"]))
        let both = Self.receipt + Self.marker
        // Somebody who is not in the room, and the room itself, which is not a person.
        for name in ["mallory", ""] { #expect(try handle(&state, name, both) == [], "\(name)") }
        for attributes in [
            "from='room@rooms.localhost/alan' type='chat'",
            "from='other@rooms.localhost/alan' type='groupchat'",
            "from='alan@localhost/x' type='groupchat'",
        ] {
            #expect(try handle(&state, attributes: attributes, both) == [], "\(attributes)")
        }
        // The user's other devices, under the same nickname or another one, tell what the user has read.
        for name in ["grace", "phone"] {
            #expect(
                try handle(&state, name, both) == [.seen(buddy: tea, upTo: .archiveName("m1"))], "\(name)")
        }
        _ = try state.handle(presence("alan", type: "unavailable"))
        #expect(try handle(&state, "alan", both) == [])
        var outside = RoomState(room)
        #expect(try handle(&outside, "alan", both) == [])
    }

    @Test func archiveTellsConfirmations() throws {
        let state = try inside(Self.closed.union(["urn:xmpp:mam:2"]))
        let source = DeliverySource.archive("a1", Timestamp(microseconds: 1_700_000_000_000_000))
        let read = { (name: String) in
            try MessageReader(policy: state.policy(own: own, now: Self.now)).read(
                message("from='room@rooms.localhost/\(name)' type='groupchat'", Self.receipt + Self.marker),
                source
            ).updates
        }
        // Who has left since then has received the message all the same.
        #expect(
            try read("ada") == [
                .readInRoom(tea, archiveName: "m1"), .delivered(buddy: tea, name: "m1"),
            ])
        // Without identifiers, nobody knows whether the user had this nickname.
        #expect(try read("grace") == [])
    }

    @Test func hostileIdsAreIgnored() throws {
        var state = try inside(Self.closed)
        let long = String(repeating: "x", count: 5000)
        #expect(try handle(&state, "alan", Self.receipt.replacing("m1", with: long)) == [])
        #expect(try handle(&state, "alan", Self.marker.replacing("m1", with: "")) == [])
    }

    @Test func requestsOfOthersAreKept() throws {
        var state = try inside(Self.closed)
        let asked = { (state: inout RoomState, name: String) in
            let stanza = try message(
                "from='room@rooms.localhost\(name)' type='groupchat' id='m1'", Self.request)
            return state.handle(stanza, own: own, now: Self.now).reading.message?.receiptRequests
        }
        #expect(try asked(&state, "/alan") == [.receipt, .marker])
        #expect(try asked(&state, "/grace") == [])
        #expect(try asked(&state, "") == [])
    }

    @Test func largeRoomsAreNotFloodedWithReceipts() throws {
        var state = try inside(Self.closed)
        #expect(state.asksForReceipts)
        for index in 0..<RoomState.maximumConfirming { _ = try state.handle(presence("p\(index)")) }
        #expect(!state.asksForReceipts && state.isPrivate)
    }

    @Test func configurationCountsOnlyFromTheRoom() throws {
        var state = try inside(Self.closed.union(["urn:xmpp:mam:2"]))
        let status = { (code: Int) in
            "<x xmlns='http://jabber.org/protocol/muc#user'><status code='\(code)'/></x>"
        }
        let forged = try message("from='room@rooms.localhost/alan' type='groupchat'", status(104))
        #expect(state.handle(forged, own: own, now: Self.now).changes == [])
        #expect(state.isPrivate)
        let changed = try message("from='room@rooms.localhost' type='groupchat'", status(104))
        #expect(state.handle(changed, own: own, now: Self.now).changes == [.configuration])
        // Until the room tells more, anybody may be in it.
        #expect(!state.isPrivate && state.hasArchive)
        state.setConfiguration(Self.closed)
        #expect(state.isPrivate && state.hasArchive)
        let shown = try message("from='room@rooms.localhost' type='groupchat'", status(172))
        #expect(
            state.handle(shown, own: own, now: Self.now).changes == [
                .notice(.showsAddresses(isNew: true)), .configuration,
            ])
    }

    @Test func voiceIsRequestedOnlyByTheRoom() throws {
        let form = """
            <x xmlns='jabber:x:data' type='form'><field var='FORM_TYPE' type='hidden'>\
            <value>http://jabber.org/protocol/muc#request</value></field>\
            <field var='muc#roomnick'><value>alan</value></field></x>
            """
        let name = { (attributes: String, inside: String) in
            MultiUserChat.voiceRequest(in: try message(attributes, inside))
        }
        #expect(try name("from='room@rooms.localhost'", form) == "alan")
        #expect(try name("from='room@rooms.localhost/alan'", form) == nil)
        #expect(try name("from='room@rooms.localhost' type='groupchat'", form) == nil)
        #expect(try name("from='room@rooms.localhost' type='error'", form) == nil)
        #expect(try name("from='room@rooms.localhost'", form.replacing("#request", with: "#other")) == nil)
        #expect(try name("from='room@rooms.localhost'", form.replacing("alan", with: "")) == nil)
        let long = String(repeating: "x", count: 5000)
        #expect(try name("from='room@rooms.localhost'", form.replacing("alan", with: long))?.count == 100)
    }

    @Test func ownMessageAsksOnlyWhereItMay() throws {
        let alan = try #require(room.with(resource: "alan"))
        for way in [Message.Destination.room, .occupant, .person] {
            let open = Message.own("hi", to: alan, name: "m1", way: way, asks: false)
            #expect(open.extension(Receipts.namespace) == nil && open.extension(ChatMarkers.namespace) == nil)
            let closed = Message.own("hi", to: alan, name: "m1", way: way, asks: true)
            #expect(closed.extension(Receipts.namespace, "request") != nil)
            #expect(closed.extension(ChatMarkers.namespace, "markable") != nil)
        }
    }

    // MARK: - Helpers

    private func inside(_ features: Set<String>) throws -> RoomState {
        var state = RoomState(room)
        state.begin(as: "grace", features: features)
        _ = try state.handle(presence("alan", jid: "alan@localhost/x"))
        _ = try state.handle(presence("phone", jid: "grace@localhost/phone"))
        _ = try state.handle(presence("grace", jid: "grace@localhost/x", code: 110))
        _ = state.handle(
            try message("from='room@rooms.localhost' type='groupchat'", "<subject/>"), own: own, now: Self.now
        )
        return state
    }

    private func presence(
        _ name: String, type: String? = nil, jid: String = "somebody@localhost/x", code: Int? = nil
    ) throws -> Presence {
        let status = code.map { "<status code='\($0)'/>" } ?? ""
        let text = """
            <presence from='room@rooms.localhost/\(name)'\(type.map { " type='\($0)'" } ?? "")>\
            <x xmlns='http://jabber.org/protocol/muc#user'><item jid='\(jid)'/>\(status)</x></presence>
            """
        return try #require(Presence(try XMLElementTests.read(text)))
    }

    private func message(_ attributes: String, _ inside: String) throws -> Message {
        try #require(Message(try XMLElementTests.read("<message \(attributes)>\(inside)</message>")))
    }

    private func handle(_ state: inout RoomState, _ name: String, _ inside: String) throws -> [MessageUpdate]
    {
        let sender = "room@rooms.localhost" + (name.isEmpty ? "" : "/\(name)")
        return try handle(&state, attributes: "from='\(sender)' type='groupchat' id='x'", inside)
    }

    private func handle(_ state: inout RoomState, attributes: String, _ inside: String) throws
        -> [MessageUpdate]
    {
        state.handle(try message(attributes, inside), own: own, now: Self.now).reading.updates
    }
}
