// SPDX-License-Identifier: GPL-3.0-or-later

import Testing
import TouchtoneCore

@testable import TouchtoneXMPP

// Tests of what proves the sender of a correction.
extension RoomStateTests {
    private static let earlier = ChatTime(milliseconds: now.milliseconds - 5)

    /// Some clients name the previous correction.
    @Test func correctionMayNamePreviousOne() throws {
        let replace = { (id: String) in "<replace xmlns='urn:xmpp:message-correct:0' id='\(id)'/>" }
        var state = try inside()
        _ = try said(&state, "alan", id: "1", at: Self.earlier)
        _ = try said(&state, "alan", id: "2", inner: replace("1"))
        #expect(
            try said(&state, "alan", id: "3", inner: replace("2"))?.relation
                == .corrects("2", proof: .stay(Self.earlier)))
        #expect(
            try said(&state, "ada", id: "4", inner: replace("3"))?.relation
                == .corrects("3", proof: .nothing))
    }

    /// Only the archive of a room whose people all see each other's addresses tells who sent a message.
    @Test func addressCountsOnlyFromArchiveOfOpenRoom() throws {
        let kept = Timestamp(microseconds: 1_700_000_000_000_000)
        let item = { (jid: String) in "<x xmlns='\(Self.muc)'><item jid='\(jid)'/></x>" }
        let replace = "<replace xmlns='urn:xmpp:message-correct:0' id='1'/>"
        func read(
            _ name: String, _ inner: String, features: Set<String> = ["muc_nonanonymous", Archive.namespace],
            _ source: DeliverySource? = nil
        ) throws -> ReceivedMessage? {
            var state = RoomState(room)
            state.begin(as: "grace", features: features)
            let message = try XMLElementTests.read(
                "<message from='\(room)/\(name)' type='groupchat' id='2'><body>hi</body>\(inner)</message>")
            return MessageReader(policy: state.policy(own: own, now: Self.now)).read(
                try #require(Message(message)), source ?? .archive("a1", kept)
            ).message
        }
        let alan = ChatAddress("alan@localhost")
        let came = try read("alan", item("alan@localhost/x") + replace)
        #expect(came?.sender == .occupant(RoomOccupant(nickname: "alan", address: alan)))
        #expect(came?.relation == .corrects("1", proof: .address(alan)))
        #expect(try read("alan", item("grace@localhost"))?.sender == .me)
        #expect(try read("grace", item("alan@localhost"))?.sender != .me, "somebody had the nickname")
        #expect(
            try read("grace", item("grace@localhost") + replace)?.relation
                == .corrects("1", proof: .identity))
        for unproven in [
            try read("alan", item("alan@localhost") + item("ada@localhost") + replace),
            try read("alan", item("@") + replace), try read("alan", replace),
            try read("alan", item("alan@localhost") + replace, features: [Archive.namespace]),
            try read("alan", item("alan@localhost") + replace, .stream(kept)),
        ] {
            #expect(unproven?.sender == .occupant(RoomOccupant(nickname: "alan")))
            #expect(unproven?.relation == .corrects("1", proof: .nothing))
        }
    }

    // MARK: - Messages that come back

    @Test func onlyRoomWithoutStableIDsMayChangeMessages() throws {
        var state = try inside()
        #expect(try said(&state, "grace", id: "1")?.mayBeChanged == true)
        #expect(try said(&state, "alan", id: "1")?.mayBeChanged == false)
        state.noteKeptID()
        #expect(try said(&state, "grace", id: "2")?.mayBeChanged == false)
        for (features, isGateway, isExpected) in [
            ([MultiUserChat.stableIDs], false, false), ([MultiUserChat.stableIDs], true, true),
            ([], false, true),
        ] as [(Set<String>, Bool, Bool)] {
            var state = RoomState(room)
            state.begin(as: "grace", features: features, isGateway: isGateway)
            #expect(state.mayChangeMessages == isExpected)
        }
    }
}
