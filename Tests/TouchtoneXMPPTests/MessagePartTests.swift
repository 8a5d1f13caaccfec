// SPDX-License-Identifier: GPL-3.0-or-later

import TestSupport
import Testing
import TouchtoneCore

@testable import TouchtoneXMPP

/// Tests of fallback ranges (XEP-0428), replies (XEP-0461), encrypted messages (XEP-0380) and spoilers (XEP-0382), from all
/// sources.
@Suite struct MessagePartTests {
    private typealias Fallback = MessageContent.Fallback

    private static let reply = "urn:xmpp:reply:0"
    private static let note = "This message is encrypted, and Touchtone can’t read it."
    private static let omemo =
        "<encryption xmlns='urn:xmpp:eme:0' namespace='eu.siacs.conversations.axolotl'/>"
    private static let payload =
        "<encrypted xmlns='eu.siacs.conversations.axolotl'><header sid='1'/><payload>x</payload></encrypted>"
    private let own: JID
    private let room: JID

    init() throws {
        own = try #require(JID("grace@localhost"))
        room = try #require(JID("tea@rooms.localhost"))
    }

    /// The message from each source: the stream, another device, an archive, a room, and its archive.
    private func read(_ inside: String, hasArchive: Bool = true) throws -> [ReceivedMessage?] {
        let kept = Timestamp(microseconds: 1_700_000_000_000_000)
        let now = MessageReaderTests.now
        let direct = MessageReader(
            policy: DirectPolicy(own: own, trustsArchiveIDs: true, now: now, rooms: [room]))
        var state = RoomState(room)
        state.begin(as: "grace", features: hasArchive ? [Archive.namespace] : [])
        let shared = MessageReader(policy: state.policy(own: own, now: now))
        func message(_ attributes: String) throws -> Message {
            try #require(
                Message(try XMLElementTests.read("<message \(attributes) id='1'>\(inside)</message>")))
        }
        let came = try message("from='alan@localhost/x' to='grace@localhost' type='chat'")
        let sent = try message("from='grace@localhost/x' to='alan@localhost' type='chat'")
        let said = try message("from='tea@rooms.localhost/alan' type='groupchat'")
        return [
            direct.read(came, .stream(nil)), direct.read(sent, .sentElsewhere(nil)),
            direct.read(came, .archive("a1", kept)), direct.read(sent, .archive("a1", kept)),
            shared.read(said, .stream(nil)), shared.read(said, .archive("a1", kept)),
        ].map(\.message)
    }

    /// Returns the content, which is the same from each source; nil if there is no message.
    private func content(_ inside: String) throws -> MessageContent? {
        let contents = try read(inside).map { $0?.content }
        #expect(Set(contents).count == 1, "\(inside)")
        return contents[0]
    }

    // MARK: - Fallbacks

    @Test(
        arguments: [
            ("<body start='0' end='7'/>", [0..<7]), ("<body start='7' end='12'/>", [7..<12]),
            ("", [0..<12]), ("<body/>", [0..<12]), ("<subject/>", []), ("<subject/><body/>", [0..<12]),
            ("<body start='0' end='2'/><body start='2' end='7'/>", [0..<2, 2..<7]),
            ("<body start='2' end='7'/><body start='0' end='3'/>", [0..<3, 2..<7]),
            ("<body start='0' end='7'/><body start='0' end='7'/>", [0..<7]),
            // Out of bounds.
            ("<body start='7' end='13'/>", [7..<12]), ("<body start='12' end='13'/>", []),
            ("<body start='0' end='9223372036854775807'/>", [0..<12]),
            ("<body start='0' end='9223372036854775808'/>", []),
            ("<body start='9223372036854775806' end='9223372036854775807'/>", []),
            ("<body start='-1' end='7'/>", []), ("<body start='-9' end='-1'/>", []),
            ("<body start='-9223372036854775809' end='1'/>", []),
            ("<body start='7' end='0'/>", []), ("<body start='7' end='7'/>", []),
            // No numbers, or only one.
            ("<body start='0'/>", []), ("<body end='7'/>", []), ("<body start='' end=''/>", []),
            ("<body start=' 0' end='7'/>", []), ("<body start='0' end='7.5'/>", []),
            ("<body start='０' end='７'/>", []), ("<body start='0' end='1e1'/>", []),
            ("<body start='NaN' end='0x7'/>", []),
            // Other elements, and other namespaces.
            ("<text start='0' end='7'/>", []), ("<body xmlns='urn:other' start='0' end='7'/>", []),
            ("<body xmlns='jabber:client' start='0' end='7'/>", []),
            ("<body xmlns:o='urn:other' o:start='0' o:end='7'/>", [0..<12]),
            ("<other xmlns='urn:other'/>", []),
            // Nested ones are not part of the mark.
            (
                "<fallback for='urn:xmpp:reply:0'><body start='0' end='7'/></fallback><body start='1' end='2'/>",
                [1..<2]
            ),
            ("<body start='1' end='2'><body start='0' end='7'/></body>", [1..<2]),
        ] as [(String, [Range<Int>])])
    func markedRangesAreRead(_ inside: String, _ expected: [Range<Int>]) throws {
        let mark = "<fallback xmlns='urn:xmpp:fallback:0' for='urn:xmpp:reply:0'>\(inside)</fallback>"
        let content = try #require(try content("<body>&gt; Tea?\nGreat</body>" + mark))
        #expect(
            content == MessageContent(content.text, fallbacks: expected.map { Fallback($0, for: Self.reply) })
        )
        #expect(content.fallbacks.map(\.range) == expected)
        let own = content.text(without: [Self.reply])
        #expect(content.visibleText == (own.isEmpty ? content.text : own))
    }

    @Test(arguments: [
        "<fallback xmlns='urn:xmpp:fallback:0'/>", "<fallback xmlns='urn:xmpp:fallback:0' for=''/>",
        "<fallback xmlns='urn:xmpp:fallback:1' for='urn:xmpp:reply:0'/>",
        "<fallback xmlns='urn:xmpp:feature-fallback:0' for='urn:xmpp:reply:0'/>",
        "<fallback xmlns='jabber:client' for='urn:xmpp:reply:0'/>",
        "<other xmlns='urn:xmpp:fallback:0' for='urn:xmpp:reply:0'/>",
        "<x xmlns='urn:x'><fallback xmlns='urn:xmpp:fallback:0' for='urn:xmpp:reply:0'/></x>",
    ]) func otherElementsMarkNothing(_ mark: String) throws {
        #expect(try content("<body>hello</body>" + mark) == MessageContent("hello"))
    }

    /// The ranges count scalars (XEP-0426): neither bytes nor characters.
    @Test func rangesAreOfScalars() throws {
        let text = "> 👩‍🚀🇩🇪e\u{301}\nGreat"
        let count = text.unicodeScalars.count - 5
        let mark =
            "<fallback xmlns='urn:xmpp:fallback:0' for='urn:xmpp:reply:0'><body start='0' end='\(count)'/></fallback>"
        #expect(try content("<body>\(text)</body>" + mark)?.text(without: [Self.reply]) == "Great")
        // Inside of an emoji of three scalars.
        let cut = mark.replacing("end='\(count)'", with: "end='3'")
        #expect(
            try content("<body>\(text)</body>" + cut)?.text(without: [Self.reply]).unicodeScalars.first
                == "\u{200D}")
    }

    @Test func rangesOfAddressAreNotThoseOfFileName() throws {
        let url = "https://localhost/1/a.png"
        let inside =
            "<body>\(url)</body><x xmlns='jabber:x:oob'><url>\(url)</url></x><fallback xmlns='urn:xmpp:fallback:0' for='jabber:x:oob'/>"
        let content = try #require(try content(inside))
        #expect(content.text == "a.png" && content.fallbacks == [] && content.file?.url == url)
    }

    @Test func rangesAreBounded() throws {
        let body = "<body>\(String(repeating: "x", count: 5000))</body>"
        func mark(_ inside: String, for namespace: String = Self.reply) -> String {
            "<fallback xmlns='urn:xmpp:fallback:0' for='\(namespace)'>\(inside)</fallback>"
        }
        let many = (0..<4000).map { "<body start='\($0)' end='\($0 + 1)'/>" }
        let long = String(repeating: "n", count: 5000)
        for marks in [
            many.map { mark($0) }.joined(), mark(many.joined()),
            (0..<4000).map { mark("", for: "urn:\($0)") }.joined(),
            mark("", for: long) + mark(many.joined()),
            String(repeating: mark("<body start='9' end='1'/>", for: long), count: 500)
                + mark(many.joined()),
        ] {
            let content = try #require(try content(body + marks))
            #expect(content.fallbacks.count == MessageContent.maximumFallbacks)
            #expect(content.fallbacks.allSatisfy { $0.namespace.utf8.count < 20 })
        }
    }

    // MARK: - Replies

    private func relations(_ inside: String, hasArchive: Bool = true) throws -> [MessageRelation?] {
        try read("<body>Great</body>" + inside, hasArchive: hasArchive).map { $0?.relation }
    }

    @Test func replyNamesItsMessage() throws {
        func replies(_ direct: MessageReply, _ shared: MessageReply) -> [MessageRelation?] {
            [direct, direct, direct, direct, shared, shared].map { .repliesTo($0) }
        }
        func reply(_ to: String) -> String { "<reply xmlns='urn:xmpp:reply:0' id='m1'\(to)/>" }
        let ada = ChatAddress("ada@localhost")
        #expect(
            try relations(reply(" to='ada@localhost/phone'"))
                == replies(
                    MessageReply(to: .stanza("m1"), by: ada), MessageReply(to: .archive("m1"), by: ada)))
        let occupant = ChatAddress("tea@rooms.localhost/ada")
        #expect(
            try relations(reply(" to='tea@rooms.localhost/ada'"))
                == replies(
                    MessageReply(to: .stanza("m1"), by: occupant),
                    MessageReply(to: .archive("m1"), by: occupant)))
        for to in ["", " to=''", " to='@'", " to='a b@c'", " to='\(String(repeating: "x", count: 5000))@b'"] {
            #expect(
                try relations(reply(to))
                    == replies(
                        MessageReply(to: .stanza("m1"), by: nil), MessageReply(to: .archive("m1"), by: nil)))
        }
        // A room without an archive assigns no IDs.
        #expect(
            try relations(reply(""), hasArchive: false).last
                == .repliesTo(MessageReply(to: .stanza("m1"), by: nil)))
    }

    @Test(arguments: [
        "<reply xmlns='urn:xmpp:reply:0'/>", "<reply xmlns='urn:xmpp:reply:0' id=''/>",
        "<reply xmlns='urn:xmpp:reply:0' id='\(String(repeating: "x", count: 1025))'/>",
        "<reply xmlns='urn:xmpp:reply:1' id='m1'/>", "<other xmlns='urn:xmpp:reply:0' id='m1'/>",
        "<x xmlns='urn:x'><reply xmlns='urn:xmpp:reply:0' id='m1'/></x>",
        "<fallback xmlns='urn:xmpp:fallback:0' for='urn:xmpp:reply:0'/>",
    ]) func otherElementsAreNoReply(_ inside: String) throws {
        #expect(try relations(inside).allSatisfy { $0 == MessageRelation.none })
    }

    @Test func correctionOfReplyIsCorrection() throws {
        let inside =
            "<reply xmlns='urn:xmpp:reply:0' id='m1'/><replace xmlns='urn:xmpp:message-correct:0' id='m0'/>"
        #expect(try relations(inside).prefix(4).allSatisfy { $0 == .corrects("m0", proof: .identity) })
        #expect(try relations(inside).suffix(2).allSatisfy { $0 == .corrects("m0", proof: .nothing) })
    }

    // MARK: - Styling

    @Test func hintTurnsStylesOff() throws {
        let hint = "<unstyled xmlns='urn:xmpp:styling:0'/>"
        #expect(try content("<body>&gt; _ &lt;</body>" + hint) == MessageContent("> _ <", isUnstyled: true))
        #expect(try content("<body>&gt; _ &lt;</body>") == MessageContent("> _ <"))
        #expect(try content(hint) == nil, "it is no message")
    }

    // MARK: - Encrypted messages

    @Test func encryptedMessageWithoutBodyIsShown() throws {
        let content = try #require(try content(Self.omemo + Self.payload))
        #expect(content == MessageContent("", encryption: "OMEMO") && content.visibleText == Self.note)
        let came = try #require(
            try read(Self.omemo + Self.payload + "<request xmlns='urn:xmpp:receipts'/>")[0])
        #expect(came.receiptRequests == .receipt && came.name == "1")
    }

    @Test func bodyOfEncryptedMessageIsNotShown() throws {
        let inside =
            "<body>https://localhost/1/a.png</body><x xmlns='jabber:x:oob'><url>https://localhost/1/a.png</url></x>"
        let content = try #require(try content(inside + Self.omemo + Self.payload))
        #expect(content == MessageContent("https://localhost/1/a.png", encryption: "OMEMO"))
        #expect(content.visibleText == Self.note)
    }

    /// Older clients do not mark what they encrypt.
    @Test(
        arguments: [
            (
                "<encrypted xmlns='eu.siacs.conversations.axolotl'><header sid='1'/><payload>x</payload></encrypted>",
                "OMEMO"
            ),
            ("<encrypted xmlns='urn:xmpp:omemo:1'><header sid='1'/><payload/></encrypted>", "OMEMO"),
            (
                "<encrypted xmlns='urn:xmpp:omemo:2'><header sid='1'/><payload>x</payload></encrypted>",
                "OMEMO"
            ),
            ("<openpgp xmlns='urn:xmpp:openpgp:0'>eA==</openpgp>", "OpenPGP for XMPP"),
            ("<x xmlns='jabber:x:encrypted'>eA==</x>", "Legacy OpenPGP"),
            (
                "<x xmlns='jabber:x:encrypted'>eA==</x><openpgp xmlns='urn:xmpp:openpgp:0'>eA==</openpgp>",
                "Legacy OpenPGP"
            ),
        ])
    func unmarkedEncryptionIsRecognized(_ inside: String, _ name: String) throws {
        #expect(try content(inside) == MessageContent("", encryption: name))
        #expect(try content("<body>hi</body>" + inside) == MessageContent("hi", encryption: name))
    }

    /// A fallback for what the phone shows in another way is no message.
    @Test(arguments: [
        "urn:xmpp:reactions:0", "urn:xmpp:message-retract:1", "urn:xmpp:message-retract:0",
        "urn:xmpp:message-moderate:1",
    ]) func fallbackOfAnnotationIsNoMessage(_ namespace: String) throws {
        let mark = "<fallback xmlns='urn:xmpp:fallback:0' for='\(namespace)'"
        #expect(try content("<body>deleted</body>\(mark)/>") == nil)
        let part = try content("<body>deleted it</body>\(mark)><body start='0' end='8'/></fallback>")
        #expect(part?.visibleText == "it")
        let other = try content("<body>deleted</body><fallback xmlns='urn:xmpp:fallback:0' for='urn:new:0'/>")
        #expect(other?.visibleText == "deleted")
    }

    @Test(
        arguments: [
            ("namespace='urn:xmpp:omemo:2'", "OMEMO"), ("namespace='urn:xmpp:openpgp:0'", "OpenPGP for XMPP"),
            ("namespace='urn:xmpp:otr:0' name='Safe'", "OTR"),
            ("namespace='jabber:x:encrypted'", "Legacy OpenPGP"),
            ("namespace='urn:new:0' name='New'", "New"), ("namespace='urn:new:0'", "urn:new:0"),
            ("namespace='urn:new:0' name=''", "urn:new:0"),
            ("namespace='urn:new:0' name='a&#10;\u{202E}b'", "a b"),
            (
                "namespace='urn:new:0' name='\(String(repeating: "n", count: 5000))'",
                String(repeating: "n", count: 60) + "…"
            ),
            // Not marked.
            ("", nil), ("name='New'", nil), ("namespace=''", nil),
        ] as [(String, String?)])
    func encryptionHasName(_ attributes: String, _ expected: String?) throws {
        let mark = "<encryption xmlns='urn:xmpp:eme:0' \(attributes)/>"
        #expect(try content(mark)?.encryption == expected)
        #expect(try content("<body>hi</body>" + mark) == MessageContent("hi", encryption: expected))
    }

    /// Clients exchange keys in messages that have nothing to read.
    @Test(arguments: [
        "<encryption xmlns='urn:xmpp:eme:0' namespace='eu.siacs.conversations.axolotl'/><encrypted xmlns='eu.siacs.conversations.axolotl'><header sid='1'/></encrypted>",
        "<encryption xmlns='urn:xmpp:eme:0' namespace='urn:xmpp:omemo:2'/><encrypted xmlns='urn:xmpp:omemo:2'><header sid='1'/></encrypted>",
        "<encrypted xmlns='eu.siacs.conversations.axolotl'><header sid='1'/></encrypted>",
        "<encrypted xmlns='urn:xmpp:omemo:3'><header sid='1'/><payload>x</payload></encrypted>",
        "<payload xmlns='eu.siacs.conversations.axolotl'>x</payload>",
        "<openpgp xmlns='urn:xmpp:openpgp:0'/>", "<x xmlns='jabber:x:encrypted'/>",
        "<openpgp xmlns='jabber:x:encrypted'>x</openpgp>", "<x xmlns='urn:xmpp:openpgp:0'>x</x>",
        "<x xmlns='jabber:x:signed'>x</x>",
        "<x xmlns='urn:x'><x xmlns='jabber:x:encrypted'>x</x></x>",
        "<encryption xmlns='urn:xmpp:eme:1' namespace='urn:new:0'/>",
        "<encrypted xmlns='urn:xmpp:eme:0' namespace='urn:new:0'/>",
        "<x xmlns='urn:x'><encryption xmlns='urn:xmpp:eme:0' namespace='urn:new:0'/></x>",
    ]) func messageWithoutEncryptedTextIsNotShown(_ inside: String) throws {
        #expect(try content(inside) == nil)
        #expect(try content("<body>hi</body>" + inside) == MessageContent("hi"))
    }

    // MARK: - Spoilers

    @Test(
        arguments: [
            ("<spoiler xmlns='urn:xmpp:spoiler:0'>Citizen Kane</spoiler>", "Citizen Kane"),
            ("<spoiler xmlns='urn:xmpp:spoiler:0'/>", ""),
            ("<spoiler xmlns='urn:xmpp:spoiler:0'>a&#10;\u{202E}b</spoiler>", "a b"),
            (
                "<spoiler xmlns='urn:xmpp:spoiler:0'>\(String(repeating: "h", count: 5000))</spoiler>",
                String(repeating: "h", count: 200) + "…"
            ),
            // Without a language that the user knows, the one without a mark counts.
            (
                "<spoiler xmlns='urn:xmpp:spoiler:0' xml:lang='xx'>x</spoiler><spoiler xmlns='urn:xmpp:spoiler:0'>y</spoiler>",
                "y"
            ),
            ("<spoiler xmlns='urn:xmpp:spoiler:1'>x</spoiler>", nil),
            ("<hint xmlns='urn:xmpp:spoiler:0'>x</hint>", nil),
            ("<x xmlns='urn:x'><spoiler xmlns='urn:xmpp:spoiler:0'>x</spoiler></x>", nil),
        ] as [(String, String?)])
    func spoilerHasHint(_ inside: String, _ expected: String?) throws {
        #expect(try content("<body>hi</body>" + inside) == MessageContent("hi", spoiler: expected))
        #expect(try content(inside) == nil, "there is nothing to hide")
        #expect(try content(inside + Self.omemo) == MessageContent("", encryption: "OMEMO"))
    }

    /// The order of the elements in a message has no meaning.
    @Test(arguments: 0..<50) func anyOrderOfElementsIsSameMessage(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let elements = [
            "<body>&gt; Tea?\nGreat</body>", Self.omemo, Self.payload,
            "<reply xmlns='urn:xmpp:reply:0' id='m1'/>",
            "<fallback xmlns='urn:xmpp:fallback:0' for='urn:xmpp:reply:0'><body start='0' end='7'/></fallback>",
            "<fallback xmlns='urn:xmpp:fallback:0' for='eu.siacs.conversations.axolotl'/>",
            "<store xmlns='urn:xmpp:hints'/>",
        ]
        let messages = try read(elements.shuffled(using: &random).joined())
        #expect(messages == (try read(elements.joined())))
        #expect(messages[0]?.content.fallbacks.map(\.range) == [0..<7, 0..<12])
    }

    // MARK: - Places and files

    @Test(arguments: [
        ("<lat>52.5</lat><lon>13.4</lon>", "", "geo:52.5,13.4"),
        ("<lat>52.5</lat><lon>13.4</lon>", "Here", "Here\ngeo:52.5,13.4"),
        ("<lat>52.5</lat><lon>13.4</lon>", "geo:52.5,13.4;u=1", "geo:52.5,13.4;u=1"),
        ("<lat>91</lat><lon>13.4</lon>", "Here", "Here"), ("<lat>1</lat>", "Here", "Here"),
        ("<lat>1</lat><lon>x;crs=moon</lon>", "Here", "Here"),
    ])
    func placeIsLineOfText(_ inside: String, _ body: String, _ text: String) throws {
        let location = "<geoloc xmlns='http://jabber.org/protocol/geoloc'>\(inside)</geoloc>"
        #expect(try content("<body>\(body)</body>" + location)?.text == text)
    }

    @Test func fileIsTheSameFromEachSource() throws {
        let content = try content(
            """
            <file-sharing xmlns='urn:xmpp:sfs:0'><file xmlns='urn:xmpp:file:metadata:0'><size>9</size></file>\
            <sources><url-data xmlns='http://jabber.org/protocol/url-data' target='https://files.example/a.png'/>\
            </sources></file-sharing>
            """)
        #expect(content?.files.map(\.size) == [9] && content?.text == "a.png")
    }
}
