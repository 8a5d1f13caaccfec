// SPDX-License-Identifier: GPL-3.0-or-later

import Testing
import TouchtoneCore

@testable import TouchtoneXMPP

/// Tests of message parsing and of its checks against forgery: each check has a test that fails without it.
@Suite struct MessageReaderTests {
    private static let user = "http://jabber.org/protocol/muc#user"
    static let now = ChatTime(milliseconds: 1_800_000_000_000)
    static let alan = ChatAddress("alan@localhost")
    static let mallory = ChatAddress("mallory@localhost")
    static let kept = Timestamp(microseconds: 1_700_000_000_000_000)

    private func reader(trustsNames: Bool = true) throws -> MessageReader {
        MessageReader(
            policy: DirectPolicy(
                own: try #require(JID("grace@localhost")), trustsArchiveIDs: trustsNames, now: Self.now))
    }

    private func message(_ attributes: String, _ inside: String = "<body>hi</body>") throws -> Message {
        try #require(Message(try XMLElementTests.read("<message \(attributes)>\(inside)</message>")))
    }

    private func read(
        _ attributes: String, _ inside: String = "<body>hi</body>", trustsNames: Bool = true
    ) throws -> ParsedMessage {
        let message = try message(attributes, inside)
        let stamp = Delay.stamp(in: message.extensions)
        return try reader(trustsNames: trustsNames).read(message, .stream(stamp))
    }

    private func archived(_ attributes: String, _ inside: String = "<body>hi</body>") throws
        -> ParsedMessage
    {
        try reader().read(try message(attributes, inside), .archive("a1", Self.kept))
    }

    // MARK: - Files

    @Test(arguments: [
        // The body is the address for clients that do not know files, or missing.
        ("<body>https://localhost/1/a%20b.png</body>", "https://localhost/1/a%20b.png", "a b.png", true),
        ("", "https://localhost/1/a%20b.png", "a b.png", true),
        ("<body>Look!</body>", "https://localhost/1/a%20b.png", "Look!", true),
        // Others are text.
        ("<body>http://localhost/a.png</body>", "http://localhost/a.png", "http://localhost/a.png", false),
        ("<body>file:///etc/passwd</body>", "file:///etc/passwd", "file:///etc/passwd", false),
    ])
    func addressOfFileIsRead(_ body: String, _ url: String, _ text: String, _ isFile: Bool) throws {
        let inside = body + "<x xmlns='jabber:x:oob'><url>\(url)</url></x>"
        let came = try #require(try read("from='alan@localhost/x' type='chat' id='1'", inside).message)
        #expect(came.text == text)
        #expect(came.file?.url == (isFile ? url : nil))
    }

    @Test func oldMessageKeepsItsFile() throws {
        let url = "https://localhost/1/a.png"
        let inside =
            "<body>\(url)</body><x xmlns='jabber:x:oob'><url>\(url)</url></x><request xmlns='urn:xmpp:receipts'/>"
        let old = try #require(try archived("from='alan@localhost/x' type='chat' id='1'", inside).message)
        #expect(old.receiptRequests == .receipt)
        #expect(old.past.receiptRequests == [])
        #expect(old.past.file?.url == url)
    }

    @Test(arguments: [
        // The room adds a body to the invitations that it passes on, and the archive keeps both.
        ("tea@rooms.localhost", "<x xmlns='\(user)'><invite from='alan@localhost/x'/></x>", false),
        ("alan@localhost/x", "<x xmlns='jabber:x:conference' jid='tea@rooms.localhost'/>", false),
        // Invitations that don't count are messages.
        ("tea@rooms.localhost/Mallory", "<x xmlns='\(user)'><invite from='alan@localhost/x'/></x>", true),
        ("alan@localhost/x", "<x xmlns='jabber:x:conference'/>", true),
    ])
    func invitationInArchiveIsNoMessage(_ sender: String, _ invitation: String, _ isMessage: Bool) throws {
        let reading = try archived("from='\(sender)' id='1'", "<body>alan invited you</body>" + invitation)
        #expect((reading.message != nil) == isMessage)
        #expect(reading.archiveID == "a1")
    }

    @Test func messageWithUnusableAddressAloneIsNotShown() throws {
        for url in ["", "http://localhost/a.png"] {
            let inside = "<x xmlns='jabber:x:oob'><url>\(url)</url></x>"
            #expect(try read("from='alan@localhost/x' type='chat' id='1'", inside).message == nil)
        }
    }

    // MARK: - Subjects

    @Test(arguments: [
        ("chat", "<subject>Lunch</subject><body>At noon?</body>", "Lunch\nAt noon?"),
        ("headline", "<subject>Down\ntime</subject><body>At noon</body>", "Down time\nAt noon"),
        ("normal", "<subject>Lunch</subject>", "Lunch"), ("normal", "<subject/><body>hi</body>", "hi"),
    ])
    func subjectStandsAboveText(_ kind: String, _ inside: String, _ text: String) throws {
        let attributes = "from='alan@localhost/x' type='\(kind)' id='1'"
        #expect(try read(attributes, inside).message?.text == text)
        #expect(try archived(attributes, inside).message?.text == text)
    }

    @Test func subjectMovesRangesOfBody() throws {
        for (end, visible) in [("end='7'", "Lunch\nGreat"), ("", "Lunch\n")] {
            let start = end.isEmpty ? "" : "start='0'"
            let inside =
                "<subject>Lunch</subject><body>&gt; Tea?\nGreat</body><reply xmlns='urn:xmpp:reply:0' id='m'/><fallback xmlns='urn:xmpp:fallback:0' for='urn:xmpp:reply:0'><body \(start) \(end)/></fallback>"
            let message = try #require(try read("from='alan@localhost/x' type='chat' id='1'", inside).message)
            #expect(message.content.text(without: [MessageContent.replies]) == visible)
        }
    }

    // MARK: - Failures

    /// A room says so of somebody who is not there any more.
    @Test(arguments: ["item-not-found", "recipient-unavailable", "service-unavailable"])
    func privateMessageToAbsentOccupantSaysSo(_ condition: String) throws {
        let inside =
            "<error type='cancel'><\(condition) xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error>"
        let policy = DirectPolicy(
            own: try #require(JID("grace@localhost")), trustsArchiveIDs: true, now: Self.now,
            rooms: [try #require(JID("tea@rooms.localhost"))])
        let parsed = MessageReader(policy: policy).read(
            try message("from='tea@rooms.localhost/Alan' type='error' id='m1'", inside), .stream(nil))
        #expect(
            parsed.others == [
                .failed(
                    buddy: ChatAddress("tea@rooms.localhost/Alan"), name: "m1",
                    reason: "Alan has left the room.")
            ])
    }

    // MARK: - Senders

    @Test func messageBelongsToItsSender() throws {
        let came = try #require(
            try read("from='alan@localhost/x' to='grace@localhost' type='chat' id='1'").message)
        #expect(came.buddy == Self.alan && came.sender == .buddy && came.name == "1" && came.text == "hi")
        // Claims about the sender inside the message change nothing.
        let inside =
            "<body>hi</body><addresses xmlns='http://jabber.org/protocol/address'><address type='ofrom' jid='alan@localhost'/></addresses>"
        let other = try #require(try read("from='mallory@localhost/x' type='chat'", inside).message)
        #expect(other.buddy == Self.mallory && other.sender == .buddy)
    }

    @Test(arguments: [
        ("irc.localhost", true), ("irc.example.net@irc.localhost", true),
        ("grace%irc.example.net@irc.localhost", false), ("other.example.net@irc.localhost", false),
        ("irc.example.net@localhost", false), ("localhost", false), ("alan@irc.localhost", false),
    ])
    func noticesOfGatewaysAreNotNew(_ sender: String, _ isNotice: Bool) throws {
        let policy = DirectPolicy(
            own: try #require(JID("grace@localhost")), trustsArchiveIDs: true, now: Self.now,
            rooms: [try #require(JID("#tea%irc.example.net@irc.localhost"))])
        let message = try message("from='\(sender)' type='chat'")
        let came = try #require(MessageReader(policy: policy).read(message, .stream(nil)).message)
        #expect(came.buddy == ChatAddress(sender))
        #expect(came.passage == (isNotice ? .notice : .direct))
    }

    @Test func archivedMessageBelongsToAccount() throws {
        let mine = try #require(
            try archived("from='grace@localhost/desk' to='alan@localhost' type='chat'").message)
        #expect(mine.sender == .me && mine.buddy == Self.alan && mine.archiveName == "a1")
        #expect(mine.time == ChatTime(milliseconds: 1_700_000_000_000))
        let theirs = try #require(
            try archived("from='alan@localhost/x' to='grace@localhost/desk' type='chat'").message)
        #expect(theirs.sender == .buddy && theirs.buddy == Self.alan)
        #expect(try archived("from='alan@localhost' to='mallory@localhost' type='chat'").updates == [])
    }

    @Test(arguments: ["groupchat", "error"])
    func groupAndErrorMessagesAreNotShown(_ type: String) throws {
        #expect(try read("from='room@rooms.localhost/alan' type='\(type)' id='1'").message == nil)
    }

    @Test func headlinesAreShownWithoutReceipt() throws {
        let inside = "<body>hi</body><request xmlns='urn:xmpp:receipts'/>"
        let news = try #require(try read("from='localhost' type='headline' id='1'", inside).message)
        #expect(news.buddy == ChatAddress("localhost") && news.receiptRequests == [])
        let normal = try #require(try read("from='alan@localhost' id='1'", inside).message)
        #expect(normal.receiptRequests == .receipt)
        // A message without a name cannot be confirmed.
        #expect(try read("from='alan@localhost'", inside).message?.receiptRequests == [])
    }

    @Test func messageWithoutTextIsIgnored() throws {
        for inside in ["", "<body/>", "<subject>hi</subject>"] {
            #expect(try read("from='alan@localhost' type='chat'", inside).message == nil)
        }
    }

    // MARK: - Names

    @Test func onlyOwnServerSetsArchiveIdentifier() throws {
        let id = { (by: String) in
            "<body>hi</body><stanza-id xmlns='urn:xmpp:sid:0' id='forged' by='\(by)'/>"
        }
        let from = "from='mallory@localhost/x' type='chat'"
        #expect(try read(from, id("grace@localhost")).archiveID == "forged")
        for other in ["mallory@localhost", "localhost", "grace@localhost/x", "grace@localhost.example", ""] {
            #expect(try read(from, id(other)).archiveID == nil, "\(other)")
        }
        // A server that does not announce that it removes forged names leaves them in.
        #expect(try read(from, id("grace@localhost"), trustsNames: false).archiveID == nil)
        // In the archive, only the archive's own identifier counts.
        #expect(try archived("from='alan@localhost' type='chat'", id("grace@localhost")).archiveID == "a1")
    }

    @Test func stanzaIdentifierPrecedesOriginIdentifier() throws {
        let origin = "<body>hi</body><origin-id xmlns='urn:xmpp:sid:0' id='o'/>"
        #expect(try read("from='alan@localhost' id='1'", origin).message?.name == "1")
        #expect(try read("from='alan@localhost'", origin).message?.name == "o")
        #expect(try read("from='alan@localhost' id=''", origin).message?.name == "o")
        let long = String(repeating: "x", count: 1025)
        #expect(try read("from='alan@localhost' id='\(long)'").message?.name == nil)
    }

    // MARK: - Time

    private func time(_ delays: String, _ from: String = "alan@localhost/x") throws -> Int64? {
        try read("from='\(from)' type='chat'", "<body>hi</body>" + delays).message?.time.milliseconds
    }

    private func delay(_ from: String, _ stamp: String) -> String {
        "<delay xmlns='urn:xmpp:delay' from='\(from)' stamp='\(stamp)'/>"
    }

    @Test func serverTimestampPrecedesTimestampOfSender() throws {
        let (early, late) = ("2020-01-01T00:00:00Z", "2021-01-01T00:00:00Z")
        let server = Int64(1_609_459_200_000)
        for own in ["localhost", "grace@localhost"] {
            #expect(try time(delay("alan@localhost/x", early) + delay(own, late)) == server)
        }
        #expect(try time(delay("alan@localhost/x", late)) == server)
        #expect(try time("") == Self.now.milliseconds)
    }

    @Test(arguments: ["2099-01-01T00:00:00Z", "1970-01-01T00:00:00Z", "0001-01-01T00:00:00Z", "yesterday"])
    func impossibleTimeIsIgnored(_ stamp: String) throws {
        for from in ["localhost", "alan@localhost/x"] {
            #expect(try time(delay(from, stamp)) == Self.now.milliseconds)
        }
    }

    // MARK: - Facts about other messages

    private static let receipt = "<received xmlns='urn:xmpp:receipts' id='m1'/>"
    private static let marker = "<displayed xmlns='urn:xmpp:chat-markers:0' id='m1'/>"
    private static let error =
        "<error type='cancel'><item-not-found xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error>"

    /// `MessageMerger` looks for the message among those to the named address, so that a different sender's receipt
    /// finds none.
    @Test func onlyRecipientConfirmsMessage() throws {
        #expect(
            try read("from='alan@localhost/x'", Self.receipt).updates
                == [.delivered(buddy: Self.alan, name: "m1")])
        #expect(
            try read("from='mallory@localhost/x'", Self.receipt).updates
                == [.delivered(buddy: Self.mallory, name: "m1")])
        #expect(
            try read("from='mallory@localhost/x'", Self.marker).updates
                == [.read(buddy: Self.mallory, name: "m1")])
        guard
            case .failed(Self.mallory, "m1", _)? = try read(
                "from='mallory@localhost/x' type='error' id='m1'", "<body>hi</body>" + Self.error
            ).updates.first
        else {
            Issue.record("another's error is not another's")
            return
        }
    }

    @Test func onlyOwnDevicesReportReadMessages() throws {
        let sent = try reader().read(
            try message("from='grace@localhost/desk' to='alan@localhost'", Self.marker), .sentElsewhere(nil))
        #expect(sent.updates == [.seen(buddy: Self.alan, upTo: .name("m1"))])
        #expect(
            try archived("from='grace@localhost/desk' to='alan@localhost'", Self.marker).updates
                == [.seen(buddy: Self.alan, upTo: .name("m1"))])
        // A receipt of the user's other device does not count as the user's.
        #expect(
            try archived("from='grace@localhost/desk' to='alan@localhost'", Self.receipt).updates == [])
        // It affects only the conversation with oneself, whatever message it names.
        #expect(
            try read("from='grace@localhost/desk' to='grace@localhost'", Self.marker).updates
                == [.seen(buddy: ChatAddress("grace@localhost"), upTo: .name("m1"))])
    }

    @Test func correctionAppliesToItsOwnSide() throws {
        let replace = "<body>hello</body><replace xmlns='urn:xmpp:message-correct:0' id='m1'/>"
        let theirs = try #require(try read("from='mallory@localhost/x' id='c1'", replace).message)
        #expect(theirs.relation.corrected == "m1" && theirs.buddy == Self.mallory && theirs.sender == .buddy)
        // A message of the user in the archive has arrived.
        #expect(
            try archived("from='grace@localhost/x' to='alan@localhost' id='c1'", replace).others
                == [.acknowledged(buddy: Self.alan, name: "c1")])
        #expect(
            try archived("from='alan@localhost/x' to='grace@localhost' id='c1'", replace).others == [])
    }

    @Test func typingStateIsNeverFromPast() throws {
        let composing = "<composing xmlns='http://jabber.org/protocol/chatstates'/>"
        let typing = try read("from='alan@localhost/x' type='chat'", composing).typing
        #expect(typing?.buddy == Self.alan && typing?.state == .composing)
        #expect(
            try read(
                "from='alan@localhost/x' type='chat'", composing + delay("localhost", "2020-01-01T00:00:00Z")
            ).typing == nil)
        #expect(try archived("from='alan@localhost/x' to='grace@localhost'", composing).typing == nil)
        #expect(try read("from='grace@localhost/desk' type='chat'", composing).typing == nil)
        // A message ends typing; a stanza without text and state has no effect.
        #expect(try read("from='alan@localhost/x' type='chat'").typing?.state == .active)
        #expect(try read("from='alan@localhost/x' type='chat'", Self.receipt).typing == nil)
    }
}
