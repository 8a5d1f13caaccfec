// SPDX-License-Identifier: GPL-3.0-or-later

import Testing
import TouchtoneCore

@testable import TouchtoneXMPP

/// Tests of the lists of affiliations, from which the absent people are known.
@Suite struct RoomAbsenteeTests {
    private let own: JID
    private let room: JID

    init() throws {
        own = try #require(JID("grace@localhost"))
        room = try #require(JID("room@rooms.localhost"))
    }

    @Test func onlyTheRequestedAffiliationIsRead() throws {
        let list = try Self.list(
            "<item affiliation='member' jid='alan@localhost/desk' nick='alan'/>"
                + "<item affiliation='owner' jid='mallory@localhost'/>"
                + "<item affiliation='member'/><item jid='ada@localhost'/><item/>"
                + "<item affiliation='member' jid='@'/><person affiliation='member' jid='ada@localhost'/>"
                + "<item xmlns='x' affiliation='member' jid='ada@localhost'/>")
        #expect(MultiUserChat.people(.member, in: list) == [absent("alan", .member)])
        #expect(MultiUserChat.people(.outcast, in: list) == [])
        #expect(MultiUserChat.people(.member, in: nil) == [])
        let other = try XMLElementTests.read(
            "<query><item affiliation='member' jid='alan@localhost'/></query>")
        #expect(MultiUserChat.people(.member, in: other) == [])
    }

    @Test func listsAreBounded() throws {
        let items = (0..<RoomState.maximumOccupants + 10).map {
            XMLElement("item", MultiUserChat.admin, ["affiliation": "member", "jid": "p\($0)@localhost"])
        }
        let list = XMLElement("query", MultiUserChat.admin, [:], items)
        #expect(MultiUserChat.people(.member, in: list).count == RoomState.maximumOccupants)
    }

    @Test func peopleInTheRoomAreNotAbsent() throws {
        let state = try inside([("grace", "grace@localhost/x"), ("alan", "alan@localhost/y")])
        let listed = [
            absent("grace", .owner), absent("alan", .member), absent("ada", .member), absent("ada", .outcast),
            absent("mallory", .outcast),
        ]
        // An address is listed once, whatever the room says.
        #expect(
            state.absentees(among: listed, own: own) == [absent("ada", .member), absent("mallory", .outcast)])
    }

    @Test func hiddenOccupantsMayBeAnyMember() throws {
        let state = try inside([("grace", "grace@localhost/x"), ("somebody", nil)])
        let listed = [absent("alan", .member), absent("mallory", .outcast)]
        #expect(state.absentees(among: listed, own: own) == [absent("mallory", .outcast)])
    }

    // MARK: - Helpers

    private func absent(_ name: String, _ affiliation: RoomPerson.Affiliation) -> RoomPerson {
        RoomPerson(absent: ChatAddress("\(name)@localhost"), affiliation)
    }

    private static func list(_ items: String) throws -> XMLElement {
        try XMLElementTests.read("<query xmlns='\(MultiUserChat.admin)'>\(items)</query>")
    }

    private func inside(_ occupants: [(name: String, jid: String?)]) throws -> RoomState {
        var state = RoomState(room)
        state.begin(as: "grace", features: [])
        for (name, jid) in occupants.reversed() {
            let address = jid.map { " jid='\($0)'" } ?? ""
            let status = name == "grace" ? "<status code='110'/>" : ""
            let text = """
                <presence from='\(room)/\(name)'><x xmlns='\(MultiUserChat.user)'>\
                <item affiliation='member' role='participant'\(address)/>\(status)</x></presence>
                """
            _ = state.handle(try #require(Presence(try XMLElementTests.read(text))))
        }
        return state
    }
}
