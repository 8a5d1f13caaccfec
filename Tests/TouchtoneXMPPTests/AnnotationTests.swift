// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Testing
import TouchtoneCore

@testable import TouchtoneXMPP

/// Tests of received reactions (XEP-0444) and retractions (XEP-0424, XEP-0425): what they say, and who may say it.
@Suite struct AnnotationTests {
    private typealias Kind = MessageAnnotation.Kind

    private static let kept = Timestamp(microseconds: 1_700_000_000_000_000)
    private static let body = "<body>This client does not know this.</body>"
    private static let reactions =
        "<reactions xmlns='urn:xmpp:reactions:0' id='m1'><reaction>👍</reaction><reaction>❤️</reaction></reactions>"
    private static let retraction = "<retract xmlns='urn:xmpp:message-retract:1' id='m1'/>"
    private static let moderation =
        "<retract xmlns='urn:xmpp:message-retract:1' id='m1'><moderated xmlns='urn:xmpp:message-moderate:1' by='tea@rooms.localhost/ada'/><reason>spam</reason></retract>"

    private func message(_ attributes: String, _ inside: String) throws -> Message {
        try #require(Message(try XMLElementTests.read("<message \(attributes) id='1'>\(inside)</message>")))
    }

    private func direct(
        _ inside: String, from sender: String = "alan@localhost/x", to recipient: String = "grace@localhost",
        _ source: DeliverySource = .stream(nil)
    ) throws -> ParsedMessage {
        let policy = DirectPolicy(
            own: try #require(JID("grace@localhost")), trustsArchiveIDs: true, now: MessageReaderTests.now)
        let attributes = "from='\(sender)' to='\(recipient)' type='chat'"
        return MessageReader(policy: policy).read(try message(attributes, inside), source)
    }

    private func shared(
        _ inside: String, from sender: String = "tea@rooms.localhost/alan", hasIDs: Bool = false,
        hasArchive: Bool = true, said: [RoomState.Said] = [], _ source: DeliverySource = .stream(nil)
    ) throws -> ParsedMessage {
        var state = RoomState(try #require(JID("tea@rooms.localhost")))
        let features = [(hasIDs, MultiUserChat.occupantID), (hasArchive, Archive.namespace)]
        state.begin(as: "grace", features: Set(features.filter { $0.0 }.map(\.1)))
        for (name, id) in [("grace", "o1"), ("ada", "o2")] {
            let presence =
                "<presence from='tea@rooms.localhost/\(name)'><x xmlns='http://jabber.org/protocol/muc#user'><item role='moderator'/></x><occupant-id xmlns='urn:xmpp:occupant-id:0' id='\(id)'/></presence>"
            _ = state.handle(try #require(Presence(try XMLElementTests.read(presence))))
        }
        var policy = state.policy(own: try #require(JID("grace@localhost")), now: MessageReaderTests.now)
        policy.correctable = said
        return MessageReader(policy: policy).read(
            try message("from='\(sender)' type='groupchat'", inside), source)
    }

    private func annotation(_ parsed: ParsedMessage) -> MessageAnnotation? {
        let all = parsed.others.compactMap {
            if case .annotated(let annotation) = $0 { annotation } else { nil }
        }
        #expect(all.count <= 1)
        return all.first
    }

    // MARK: - Two people

    @Test func reactionIsReadFromEachSource() throws {
        let inside = Self.body + Self.reactions
        for (parsed, sender) in [
            (try direct(inside), MessageSender.buddy),
            (try direct(inside, from: "grace@localhost/y", to: "alan@localhost", .sentElsewhere(nil)), .me),
            (try direct(inside, .archive("a1", Self.kept)), .buddy),
            (
                try direct(
                    inside, from: "grace@localhost/y", to: "alan@localhost", .archive("a1", Self.kept)), .me
            ),
        ] {
            let annotation = try #require(self.annotation(parsed))
            #expect(annotation.kind == .reaction(["👍", "❤️"]) && annotation.reference == .stanza("m1"))
            #expect(annotation.sender == sender && annotation.buddy == ChatAddress("alan@localhost"))
            #expect(annotation.name == "1" && annotation.proof == .identity)
            #expect(parsed.message == nil, "the body is for other clients")
        }
    }

    @Test(arguments: [
        retraction,
        // The version before 2024.
        "<apply-to xmlns='urn:xmpp:fasten:0' id='m1'><retract xmlns='urn:xmpp:message-retract:0'/></apply-to>",
    ]) func retractionIsRead(_ inside: String) throws {
        let parsed = try direct(Self.body + inside)
        let annotation = try #require(self.annotation(parsed))
        #expect(annotation.kind == .retraction && annotation.reference == .stanza("m1"))
        #expect(parsed.message == nil)
    }

    @Test func emptyReactionsWithdraw() throws {
        let parsed = try direct("<reactions xmlns='urn:xmpp:reactions:0' id='m1'/>")
        #expect(try #require(self.annotation(parsed)).kind == .reaction([]))
    }

    @Test(arguments: [
        "<reactions xmlns='urn:xmpp:reactions:0'/>", "<reactions xmlns='urn:xmpp:reactions:0' id=''/>",
        "<reactions xmlns='urn:xmpp:reactions:1' id='m1'/>", "<reactions id='m1'/>",
        "<reactions xmlns='urn:xmpp:reactions:0' id='\(String(repeating: "x", count: 1025))'/>",
        "<retract xmlns='urn:xmpp:message-retract:1'/>",
        "<retract xmlns='urn:xmpp:message-retract:0' id='m1'/>",
        "<apply-to xmlns='urn:xmpp:fasten:0' id='m1'/>",
        "<apply-to xmlns='urn:xmpp:fasten:0'><retract xmlns='urn:xmpp:message-retract:0'/></apply-to>",
        "<x xmlns='urn:x'>\(retraction)</x>",
        // Nobody moderates a conversation of two, and what an archive says counts only from there.
        moderation, "<retracted xmlns='urn:xmpp:message-retract:1' stamp='2020-01-01T00:00:00Z' id='9'/>",
    ]) func otherElementsAreNoAnnotation(_ inside: String) throws {
        let parsed = try direct(Self.body + inside)
        #expect(annotation(parsed) == nil)
        #expect(parsed.message?.text == "This client does not know this.", "nothing is lost")
    }

    @Test func whatArchiveHasInPlaceOfMessageRetractsIt() throws {
        for inside in [
            "<retracted xmlns='urn:xmpp:message-retract:1' stamp='2020-01-01T00:00:00Z' id='9'/>",
            "<retracted xmlns='urn:xmpp:message-retract:0' stamp='2020-01-01T00:00:00Z'/>",
        ] {
            let parsed = try direct(inside, .archive("a1", Self.kept))
            let annotation = try #require(self.annotation(parsed))
            #expect(annotation.kind == .retraction && annotation.reference == .archive("a1"))
        }
    }

    // MARK: - Rooms

    @Test func roomNamesMessagesByItsArchive() throws {
        #expect(try annotation(shared(Self.reactions))?.reference == .archive("m1"))
        #expect(try annotation(shared(Self.reactions, hasArchive: false))?.reference == .stanza("m1"))
        #expect(try annotation(shared(Self.retraction))?.reference == .archive("m1"))
    }

    /// In the past, anybody may have had the nickname.
    @Test func archivedAnnotationOfUnknownOccupantIsIgnored() throws {
        for inside in [Self.reactions, Self.retraction] {
            let source = DeliverySource.archive("a1", Self.kept)
            #expect(try annotation(shared(Self.body + inside, source)) == nil)
            let id = "<occupant-id xmlns='urn:xmpp:occupant-id:0' id='o1'/>"
            #expect(try annotation(shared(inside + id, hasIDs: true, source))?.proof == .identity)
            #expect(try annotation(shared(inside + id, hasIDs: false, source)) == nil, "anybody can write it")
        }
    }

    /// A nickname proves the sender only for what was said since it came in.
    @Test func retractionWithoutIdentifierCountsForStay() throws {
        #expect(try annotation(shared(Self.retraction))?.proof == SenderProof.nothing)
        let said = [5, 3, 9].map { RoomState.Said(name: "\($0)", time: ChatTime(milliseconds: $0)) }
        #expect(
            try annotation(shared(Self.retraction, said: said))?.proof == .stay(ChatTime(milliseconds: 3)))
    }

    @Test(arguments: [
        moderation,
        "<apply-to xmlns='urn:xmpp:fasten:0' id='m1'><moderated xmlns='urn:xmpp:message-moderate:0' by='tea@rooms.localhost/ada'><retract xmlns='urn:xmpp:message-retract:0'/><reason>spam</reason></moderated></apply-to>",
    ]) func onlyRoomTellsOfModeration(_ inside: String) throws {
        let told = try #require(try annotation(shared(inside, from: "tea@rooms.localhost")))
        #expect(told.kind == .moderation(reason: "spam") && told.reference == .archive("m1"))
        #expect(told.sender == .occupant(RoomOccupant(nickname: "ada")))
        // It names one of its own occupants, or nobody.
        for by in [
            "", "by=''", "by='tea@rooms.localhost'", "by='tea@rooms.localhost/'",
            "by='evil@rooms.localhost/ada'",
            "by='ada'", "by='@/'",
        ] {
            let other = inside.replacingOccurrences(of: "by='tea@rooms.localhost/ada'", with: by)
            let told = try annotation(shared(other, from: "tea@rooms.localhost"))
            #expect(told?.kind == .moderation(reason: "spam") && told?.sender == .buddy, "\(by)")
        }
        #expect(try annotation(shared(inside, from: "tea@rooms.localhost/ada")) == nil)
        #expect(try annotation(shared(inside, from: "evil@rooms.localhost")) == nil)
    }

    /// Prosody sends both versions, and names the moderator only in the earlier one.
    @Test func moderatorIsReadFromEarlierVersion() throws {
        for (id, sender) in [
            ("m1", MessageSender.occupant(RoomOccupant(nickname: "ada"))), ("m2", .buddy),
        ] {
            let told = try annotation(
                shared(
                    "<apply-to xmlns='urn:xmpp:fasten:0' id='\(id)'><moderated xmlns='urn:xmpp:message-moderate:0' by='tea@rooms.localhost/ada'><retract xmlns='urn:xmpp:message-retract:0'/></moderated></apply-to><retract xmlns='urn:xmpp:message-retract:1' id='m1'><moderated xmlns='urn:xmpp:message-moderate:1'><occupant-id xmlns='urn:xmpp:occupant-id:0' id='o1'/></moderated></retract>",
                    from: "tea@rooms.localhost"))
            #expect(told?.kind == .moderation(reason: "") && told?.sender == sender)
        }
    }

    /// A room may name the moderator by the identifier alone, who may have left meanwhile.
    @Test func moderatorIsKnownByIdentifier() throws {
        let ada = MessageSender.occupant(RoomOccupant(nickname: "ada"))
        for (id, hasIDs, sender) in [("o2", true, ada), ("o2", false, .buddy), ("o3", true, .buddy)] {
            let told = try annotation(
                shared(
                    "<retract xmlns='urn:xmpp:message-retract:1' id='m1'><moderated xmlns='urn:xmpp:message-moderate:1'><occupant-id xmlns='urn:xmpp:occupant-id:0' id='\(id)'/></moderated></retract>",
                    from: "tea@rooms.localhost", hasIDs: hasIDs))
            #expect(told?.kind == .moderation(reason: "") && told?.sender == sender, "\(id)")
        }
    }

    @Test func roomItselfNeitherReactsNorRetracts() throws {
        for inside in [Self.reactions, Self.retraction] {
            #expect(try annotation(shared(inside, from: "tea@rooms.localhost")) == nil)
        }
    }

    @Test func archiveOfRoomTellsOfModeration() throws {
        for inside in [
            "<retracted xmlns='urn:xmpp:message-retract:1' id='9' stamp='2020-01-01T00:00:00Z'><moderated xmlns='urn:xmpp:message-moderate:1' by='tea@rooms.localhost/ada'/><reason>spam</reason></retracted>",
            "<moderated xmlns='urn:xmpp:message-moderate:0' by='tea@rooms.localhost/ada'><retracted xmlns='urn:xmpp:message-retract:0' stamp='2020-01-01T00:00:00Z'/><reason>spam</reason></moderated>",
        ] {
            let told = try annotation(shared(inside, .archive("a1", Self.kept)))
            #expect(told?.kind == .moderation(reason: "spam") && told?.reference == .archive("a1"))
            #expect(told?.sender == .occupant(RoomOccupant(nickname: "ada")))
            #expect(try annotation(shared(inside)) == nil, "anybody can write it")
        }
    }

    // MARK: - Hostile

    @Test func emojiAreBounded() throws {
        let many = (0..<5000).compactMap { UnicodeScalar(0x1F600 + $0 % 60) }
            .map { "<reaction>\(Character($0))</reaction>" }.joined()
        let long = "<reaction>\(String(repeating: "👍", count: 5000))</reaction>"
        let odd =
            "<reaction> </reaction><reaction/><reaction>no</reaction><reaction>\n👍\n</reaction><reaction>1</reaction>"
        for (inside, expected) in [(many, 16), (long, 0), (odd, 1)] {
            let parsed = try direct("<reactions xmlns='urn:xmpp:reactions:0' id='m1'>\(inside)</reactions>")
            guard case .reaction(let emoji)? = annotation(parsed)?.kind else {
                Issue.record("no reaction")
                continue
            }
            #expect(emoji.count == expected)
        }
    }
}
