// SPDX-License-Identifier: GPL-3.0-or-later

import Testing
import TouchtoneCore

@testable import TouchtoneXMPP

/// Tests of the state of a room, with forged stanzas beside legitimate ones: each check has a test that fails without
/// it.
@Suite struct RoomStateTests {
    static let now = ChatTime(milliseconds: 1_800_000_000_000)
    static let muc = "http://jabber.org/protocol/muc#user"
    static let stamp =
        "<delay xmlns='urn:xmpp:delay' from='room@rooms.localhost' stamp='2023-11-14T22:13:20Z'/>"
    let own: JID
    let room: JID

    init() throws {
        own = try #require(JID("grace@localhost"))
        room = try #require(JID("room@rooms.localhost"))
    }

    // MARK: - Entering

    @Test func ownPresenceEndsEntering() throws {
        var state = try joining()
        #expect(try state.handle(presence("alan")) == [])
        let changes = try state.handle(presence("grace", codes: [110, 201, 100]))
        #expect(changes == [.entered(isNew: true), .notice(.showsAddresses(isNew: false))])
        #expect(state.phase == .inside && state.occupants.keys.sorted() == ["alan", "grace"])
    }

    @Test func roomMayChangeNickname() throws {
        var state = try joining()
        #expect(try state.handle(presence("Grace H.", codes: [110, 210])) == [.entered(isNew: false)])
        #expect(state.nickname == "Grace H.")
    }

    @Test(arguments: [
        ("conflict", RoomError.nicknameTaken), ("not-acceptable", .nicknameInvalid),
        ("not-authorized", .password), ("registration-required", .membersOnly), ("forbidden", .banned),
        ("item-not-found", .missing), ("service-unavailable", .full),
    ]) func refusalHasReason(_ condition: String, _ reason: RoomError) throws {
        var state = try joining()
        #expect(try state.handle(refusal(condition)) == [.refused(reason)])
        #expect(state.phase == .outside)
        // An error inside the room, such as for a nickname that is taken, does not end the stay.
        var inside = try inside()
        #expect(try inside.handle(refusal(condition)) == [])
        #expect(inside.phase == .inside)
        inside.beginRenaming()
        #expect(try inside.handle(refusal("conflict")) == [.refused(.nicknameTaken)])
        #expect(inside.phase == .inside && inside.nickname == "grace")
        #expect(try inside.handle(refusal("conflict")) == [])
    }

    @Test func presenceCountsOnlyFromRoom() throws {
        var state = try joining()
        for sender in [
            "room@rooms.localhost.example/grace", "other@rooms.localhost/grace", "grace@localhost/x",
        ] {
            let forged = try presence(from: sender, codes: [110])
            #expect(state.handle(forged) == [], "\(sender)")
        }
        #expect(state.phase == .joining)
        var outside = RoomState(room)
        #expect(try outside.handle(presence("grace", codes: [110])) == [])
        #expect(outside.phase == .outside)
    }

    @Test func earlierSessionMayEndWhileEntering() throws {
        var state = try joining()
        #expect(try state.handle(presence("grace", type: "unavailable", codes: [110])) == [])
        #expect(try state.handle(presence("grace", codes: [110])) == [.entered(isNew: false)])
    }

    // MARK: - People

    @Test func peopleEnterAndLeave() throws {
        var state = try inside()
        #expect(try state.handle(presence("ada")) == [.notice(.entered("ada")), .people])
        #expect(try state.handle(presence("ada")) == [])
        #expect(try state.handle(presence("ada", item: "role='moderator'")) == [.people])
        #expect(state.occupants["ada"]?.item.role == .moderator)
        #expect(
            try state.handle(presence("ada", type: "unavailable")) == [.notice(.left("ada")), .people])
        #expect(try state.handle(presence("ada", type: "unavailable")) == [])
    }

    @Test func largeRoomIsQuietAndBounded() throws {
        var state = try joining()
        let start = ContinuousClock.now
        for index in 0..<5000 { _ = try state.handle(presence("p\(index)")) }
        #expect(ContinuousClock.now - start < .seconds(30))
        _ = try state.handle(presence("grace", codes: [110]))
        #expect(state.occupants.count == 5001)
        #expect(try state.handle(presence("ada")) == [.people])
        #expect(try state.handle(presence("ada", type: "unavailable")) == [.people])
    }

    @Test func nicknameChangeIsFollowed() throws {
        var state = try inside()
        let changes = try state.handle(
            presence("alan", type: "unavailable", codes: [303], item: "nick='Alan T.'"))
        #expect(changes == [.notice(.renamed(from: "alan", to: "Alan T.", isMe: false)), .people])
        #expect(try state.handle(presence("Alan T.")) == [])
        let mine = try state.handle(
            presence("grace", type: "unavailable", codes: [110, 303], item: "nick='hopper'"))
        #expect(mine == [.notice(.renamed(from: "grace", to: "hopper", isMe: true)), .people])
        #expect(state.nickname == "hopper" && state.phase == .inside)
    }

    @Test(arguments: [
        (307, RoomNotice.Removal.kicked), (301, .banned), (321, .affiliation), (322, .membersOnly),
        (332, .shutdown), (333, .technical),
    ]) func removalHasReason(_ code: Int, _ way: RoomNotice.Removal) throws {
        var state = try inside()
        let inner = "<actor nick='ada'/><reason>spam</reason>"
        #expect(
            try state.handle(presence("alan", type: "unavailable", codes: [code], inner: inner)) == [
                .notice(.removed("alan", way, by: "ada", reason: "spam")), .people,
            ])
        #expect(state.phase == .inside)
        #expect(
            try state.handle(presence("grace", type: "unavailable", codes: [110, code], inner: inner)) == [
                .notice(.removed(nil, way, by: "ada", reason: "spam")), .removed(way),
            ])
        #expect(state.phase == .outside && state.occupants.isEmpty)
    }

    /// ejabberd does not mark the user's own presence then, and other servers may name anybody, or nobody.
    @Test(arguments: [("grace", [110]), ("grace", []), ("alan", []), ("nobody", [110]), ("nobody", [303])])
    func destroyedRoomEnds(_ name: String, _ codes: [Int]) throws {
        var state = try inside()
        let end = try presence(
            name, type: "unavailable", codes: codes,
            extra: "<destroy jid='next@rooms.localhost'><reason>moved</reason></destroy>")
        #expect(
            state.handle(end) == [
                .notice(.destroyed(alternative: JID("next@rooms.localhost"), reason: "moved")), .destroyed,
            ])
        #expect(state.phase == .outside && state.occupants.isEmpty)
        #expect(state.handle(end) == [], "it ends once")
    }

    @Test func rightsFollowRoleAndAffiliation() throws {
        var state = try inside()
        #expect(state.rights == .speak)
        _ = try state.handle(presence("grace", codes: [110], item: "role='visitor'"))
        #expect(state.rights == [])
        _ = try state.handle(presence("grace", codes: [110], item: "role='moderator' affiliation='owner'"))
        #expect(state.rights == [.speak, .kick, .ban, .own])
        _ = try state.handle(presence("grace", codes: [110], item: "role='moderator' affiliation='admin'"))
        #expect(state.rights == [.speak, .kick, .ban])
    }

    @Test(arguments: ["urn:xmpp:message-moderate:1", "urn:xmpp:message-moderate:0"])
    func moderatorsDeleteMessagesWhereTheRoomTakesThat(_ feature: String) throws {
        var state = RoomState(room)
        state.begin(as: "grace", features: [feature])
        _ = try state.handle(presence("grace", codes: [110]))
        #expect(state.rights == .speak)
        _ = try state.handle(presence("grace", codes: [110], item: "role='moderator'"))
        #expect(state.rights == [.speak, .kick, .moderate])
        let isNew = feature.hasSuffix("1")
        let request = Retraction.moderating("m1", reason: "spam", features: state.features)
        #expect(request.name == (isNew ? "moderate" : "apply-to") && request["id"] == "m1")
        let inner = isNew ? request : try #require(request.child("moderate", feature))
        #expect(inner.child("reason", feature)?.text == "spam")
        #expect(
            inner.child("retract", isNew ? "urn:xmpp:message-retract:1" : "urn:xmpp:message-retract:0") != nil
        )
    }

    // MARK: - Messages

    @Test func messageHasSenderOfRoom() throws {
        var state = try inside(ids: true)
        let came = try #require(try said(&state, "alan", id: "1", occupant: "o-alan"))
        #expect(came.buddy == ChatAddress("room@rooms.localhost"))
        #expect(came.sender == .occupant(RoomOccupant(nickname: "alan", id: "o-alan")))
        #expect(came.text == "hi" && came.time == Self.now && came.isNewForTest)
        let mine = try #require(try said(&state, "grace", id: "2", occupant: "o-grace"))
        #expect(mine.sender == .me && mine.passage == .reflected)
        let notice = try #require(try said(&state, "", id: "3"))
        #expect(notice.sender == .buddy && notice.passage == .notice)
    }

    @Test func messageCountsOnlyFromRoom() throws {
        var state = try inside()
        for attributes in [
            "from='other@rooms.localhost/alan' type='groupchat'", "from='alan@localhost/x' type='groupchat'",
            "from='room@rooms.localhost/alan' type='chat'",
        ] {
            let message = try message(attributes, "<body>hi</body><subject>x</subject>")
            #expect(state.handle(message, own: own, now: Self.now).reading.message == nil, "\(attributes)")
        }
        var outside = RoomState(room)
        #expect(try said(&outside, "alan", id: "1") == nil)
    }

    @Test func forgedIdentifiersAreIgnored() throws {
        // The room assigns no identifiers and has no archive, so both come from the sender.
        var state = try inside()
        let forged = "<stanza-id xmlns='urn:xmpp:sid:0' by='room@rooms.localhost' id='a1'/>"
        let came = try #require(try said(&state, "alan", id: "1", occupant: "o-grace", inner: forged))
        #expect(came.sender == .occupant(RoomOccupant(nickname: "alan")))
        #expect(came.archiveName == nil)
        // A different occupant with the user's earlier nickname is not the user.
        var other = try inside(ids: true)
        let imposter = try #require(
            try said(&other, "grace", id: "1", occupant: "o-mallory", inner: Self.stamp))
        #expect(imposter.sender == .occupant(RoomOccupant(nickname: "grace", id: "o-mallory")))
    }

    @Test func correctionCountsOnlyFromSameOccupant() throws {
        let replace = "<replace xmlns='urn:xmpp:message-correct:0' id='1'/>"
        var state = try inside()
        _ = try said(&state, "alan", id: "1")
        #expect(try said(&state, "alan", id: "2", inner: replace)?.relation.corrected == "1")
        #expect(try said(&state, "ada", id: "3", inner: replace)?.relation.corrected == nil)
        // Somebody else takes the nickname.
        _ = try state.handle(presence("alan", type: "unavailable"))
        _ = try state.handle(presence("alan"))
        #expect(try said(&state, "alan", id: "4", inner: replace)?.relation.corrected == nil)
        // Somebody else repeats a message of the former occupant's: it came later than that.
        _ = try said(&state, "alan", id: "1", at: Self.now + 5)
        let taken = try said(&state, "alan", id: "8", at: Self.now + 9, inner: replace)
        #expect(taken?.relation == .corrects("1", proof: .stay(Self.now + 5)))
        _ = try state.handle(presence("alan", type: "unavailable", codes: [303], item: "nick='ada'"))
        #expect(try said(&state, "ada", id: "9", inner: replace)?.relation.corrected == nil)
        // Nobody knows who had the nickname in the past.
        let past = try #require(try said(&state, "alan", id: "5", inner: replace + Self.stamp))
        #expect(past.relation == .corrects("1", proof: .nothing))
        #expect(try said(&state, "grace", id: "6", inner: replace + Self.stamp)?.relation.corrected == nil)
        #expect(try said(&state, "grace", id: "7", inner: replace)?.relation.corrected == "1")
        // With identifiers, the sender of the correction is known, and compared when it is applied.
        var other = try inside(ids: true)
        #expect(
            try said(&other, "alan", id: "2", occupant: "o-alan", inner: replace + Self.stamp)?.relation
                == .corrects("1", proof: .identity))
    }

    @Test func onlyRoomStatesThePastOnceItIsOver() throws {
        var state = try inside()
        let forged = "<delay xmlns='urn:xmpp:delay' stamp='2023-11-14T22:13:20Z'/>"
        #expect(try said(&state, "alan", id: "1", inner: forged)?.time.milliseconds == 1_700_000_000_000)
        _ = try state.handle(
            message("from='room@rooms.localhost' type='groupchat'", "<subject/>"), own: own, now: Self.now)
        #expect(try said(&state, "alan", id: "2", inner: forged)?.time == Self.now)
        #expect(try said(&state, "alan", id: "3", inner: Self.stamp)?.time.milliseconds == 1_700_000_000_000)
    }

    @Test func topicIsOnlyThatOfRoom() throws {
        var state = try inside()
        let subject = "<subject>lunch</subject>"
        for attributes in [
            "from='room@rooms.localhost/alan' type='chat'",
            "from='other@rooms.localhost/alan' type='groupchat'",
        ] {
            #expect(state.handle(try message(attributes, subject), own: own, now: Self.now).changes == [])
        }
        let sender = "from='room@rooms.localhost/alan' type='groupchat'"
        // The first topic is not news.
        #expect(state.handle(try message(sender, subject), own: own, now: Self.now).changes == [.topic])
        #expect(state.handle(try message(sender, subject), own: own, now: Self.now).changes == [])
        let next = state.handle(try message(sender, "<subject>tea</subject>"), own: own, now: Self.now)
        #expect(next.changes == [.notice(.topic("tea", by: "alan")), .topic])
        // A message with a text is no change of the topic.
        let both = try message(sender, "<subject>x</subject><body>hi</body>")
        #expect(state.handle(both, own: own, now: Self.now).reading.message?.text == "hi")
        #expect(state.topic == "tea")
    }

    // MARK: - Public rooms

    @Test func serviceListsOnlyItsOwnRooms() throws {
        let service = try #require(JID("rooms.localhost"))
        let addresses = [
            "tea@rooms.localhost", "tea@rooms.localhost", "bar@other.localhost", "rooms.localhost",
            "tea@rooms.localhost/alan",
        ]
        let items = try addresses.map {
            DiscoItem(jid: try #require(JID($0)), node: nil, name: String(repeating: "x", count: 5000))
        }
        let rooms = RoomSessions.publicRooms(among: items, of: service)
        #expect(rooms.map(\.address) == [ChatAddress("tea@rooms.localhost")])
        #expect(rooms.first?.name.count == PublicRoom.maximumName + 1)
    }

    // MARK: - Invitations

    @Test func mediatedInvitationCountsOnlyFromRoom() throws {
        let invite =
            "<x xmlns='\(Self.muc)'><invite from='alan@localhost/x'><reason>tea</reason></invite></x>"
        let came = try MultiUserChat.invitation(in: message("from='room@rooms.localhost'", invite))
        #expect(came?.room == room && came?.inviter == JID("alan@localhost/x") && came?.reason == "tea")
        for sender in ["from='room@rooms.localhost/alan'", "from='localhost'", ""] {
            #expect(try MultiUserChat.invitation(in: message(sender, invite)) == nil, "\(sender)")
        }
        let forged = invite.replacing("alan@localhost/x", with: "@")
        #expect(try MultiUserChat.invitation(in: message("from='room@rooms.localhost'", forged)) == nil)
        let group = "from='room@rooms.localhost' type='groupchat'"
        #expect(try MultiUserChat.invitation(in: message(group, invite)) == nil)
    }

    @Test func directInvitationNamesItsSender() throws {
        let direct = "<x xmlns='jabber:x:conference' jid='room@rooms.localhost' reason='tea'/>"
        let came = try MultiUserChat.invitation(in: message("from='alan@localhost/x'", direct))
        #expect(came?.room == room && came?.inviter == JID("alan@localhost/x") && came?.isMediated == false)
        for wrong in ["room@rooms.localhost/alan", "rooms.localhost", "@"] {
            let text = direct.replacing("room@rooms.localhost", with: wrong)
            #expect(
                try MultiUserChat.invitation(in: message("from='alan@localhost/x'", text)) == nil, "\(wrong)")
        }
    }

    @Test func occupantInvitesForItself() throws {
        let direct = "<x xmlns='jabber:x:conference' jid='other@rooms.localhost'/>"
        let from = "from='room@rooms.localhost/alan' type='chat'"
        let private_ = try #require(try MultiUserChat.invitation(in: message(from, direct)))
        #expect(
            RoomInvitation(private_, rooms: [room]).inviter == ChatAddress("room@rooms.localhost/alan"))
        let usual = try #require(try MultiUserChat.invitation(in: message("from='alan@localhost/x'", direct)))
        #expect(RoomInvitation(usual, rooms: [room]).inviter == ChatAddress("alan@localhost"))
        let invite = "<x xmlns='\(Self.muc)'><invite from='room@rooms.localhost/alan'/></x>"
        let mediated = try #require(
            try MultiUserChat.invitation(in: message("from='room@rooms.localhost'", invite)))
        let inviter = try #require(RoomInvitation(mediated, rooms: []).inviter)
        #expect(inviter == ChatAddress("room@rooms.localhost/alan"))
        let jid = try #require(inviter.jid)
        let decline = MultiUserChat.declining(room, from: jid).extensions.first?.child("decline")
        #expect(decline?["to"] == "room@rooms.localhost/alan")
    }

    // MARK: - Helpers

    func joining(ids: Bool = false) throws -> RoomState {
        var state = RoomState(room)
        state.begin(as: "grace", features: ids ? ["urn:xmpp:occupant-id:0"] : [])
        return state
    }

    func inside(ids: Bool = false) throws -> RoomState {
        var state = try joining(ids: ids)
        _ = try state.handle(presence("alan", extra: nil))
        let id = "<occupant-id xmlns='urn:xmpp:occupant-id:0' id='o-grace'/>"
        _ = try state.handle(presence("grace", codes: [110], outside: id))
        return state
    }

    private func presence(
        _ name: String, type: String? = nil, codes: [Int] = [], item: String = "role='participant'",
        inner: String = "", extra: String? = nil, outside: String = ""
    ) throws -> Presence {
        try presence(
            from: "room@rooms.localhost/\(name)", type: type, codes: codes, item: item, inner: inner,
            extra: extra,
            outside: outside)
    }

    private func presence(
        from sender: String, type: String? = nil, codes: [Int] = [], item: String = "role='participant'",
        inner: String = "", extra: String? = nil, outside: String = ""
    ) throws -> Presence {
        let status = codes.map { "<status code='\($0)'/>" }.joined()
        let text = """
            <presence from='\(sender)'\(type.map { " type='\($0)'" } ?? "")><x xmlns='\(Self.muc)'><item \(item)>\
            \(inner)</item>\(extra ?? "")\(status)</x>\(outside)</presence>
            """
        return try #require(Presence(try XMLElementTests.read(text)))
    }

    private func refusal(_ condition: String) throws -> Presence {
        let text = """
            <presence from='room@rooms.localhost/grace' type='error'><error type='cancel'>\
            <\(condition) xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></presence>
            """
        return try #require(Presence(try XMLElementTests.read(text)))
    }

    private func message(_ attributes: String, _ inside: String) throws -> Message {
        try #require(Message(try XMLElementTests.read("<message \(attributes)>\(inside)</message>")))
    }

    func said(
        _ state: inout RoomState, _ name: String, id: String, at time: ChatTime = RoomStateTests.now,
        occupant: String? = nil, inner: String = ""
    ) throws -> ReceivedMessage? {
        let mark = occupant.map { "<occupant-id xmlns='urn:xmpp:occupant-id:0' id='\($0)'/>" } ?? ""
        let sender = "room@rooms.localhost" + (name.isEmpty ? "" : "/\(name)")
        let message = try message(
            "from='\(sender)' type='groupchat' id='\(id)'", "<body>hi</body>" + mark + inner)
        return state.handle(message, own: own, now: time).reading.message
    }
}

private func + (time: ChatTime, milliseconds: Int64) -> ChatTime {
    ChatTime(milliseconds: time.milliseconds + milliseconds)
}

extension ReceivedMessage {
    fileprivate var isNewForTest: Bool { sender != .me && passage == .direct }
}

extension RoomState {
    /// Handles a message, and returns what it says.
    mutating func handle(
        _ message: Message, own: JID, now: ChatTime
    ) -> (reading: ParsedMessage, changes: [Change]) {
        let (inbound, changes) = receive(message, own: own, now: now)
        return (inbound.map { $0.reader.read($0.message, $0.source) } ?? ParsedMessage(), changes)
    }
}
