// SPDX-License-Identifier: GPL-3.0-or-later

import TestSupport
import Testing
import TouchtoneCore

@testable import TouchtoneXMPP

/// Tests of the files that messages share (XEP-0447, XEP-0446, XEP-0385, XEP-0264).
@Suite struct FileSharingElementTests {
    private static let url = "https://files.example/a.png"
    private static let digest = [UInt8](repeating: 7, count: 32)
    private static let hash =
        "<hash xmlns='urn:xmpp:hashes:2' algo='sha-256'>\(Base64.encode(digest))</hash>"

    private static func sources(_ urls: [String]) -> String {
        let data = urls.map { "<url-data xmlns='http://jabber.org/protocol/url-data' target='\($0)'/>" }
        return "<sources>\(data.joined())</sources>"
    }

    private static func sharing(_ urls: [String], _ inside: String = "") -> String {
        """
        <file-sharing xmlns='urn:xmpp:sfs:0' disposition='inline'><file xmlns='urn:xmpp:file:metadata:0'>\(inside)\
        </file>\(sources(urls))</file-sharing>
        """
    }

    private static func media(_ urls: [String], _ inside: String = "") -> String {
        let references = urls.map { "<reference xmlns='urn:xmpp:reference:0' type='data' uri='\($0)'/>" }
        return """
            <reference xmlns='urn:xmpp:reference:0' type='data' begin='0' end='9'>\
            <media-sharing xmlns='urn:xmpp:sims:1'><file xmlns='urn:xmpp:jingle:apps:file-transfer:5'>\(inside)\
            </file><sources>\(references.joined())</sources></media-sharing></reference>
            """
    }

    private static func mark(_ range: Range<Int>?) -> String {
        let body = range.map { "<body start='\($0.lowerBound)' end='\($0.upperBound)'/>" } ?? "<body/>"
        return "<fallback xmlns='urn:xmpp:fallback:0' for='urn:xmpp:sfs:0'>\(body)</fallback>"
    }

    private func content(_ inside: String) throws -> MessageContent? {
        let message = "<message from='alan@localhost/x' type='chat' xmlns='jabber:client'>\(inside)</message>"
        return MessageContent(try #require(Message(try XMLElementTests.read(message))))
    }

    private func files(_ inside: String) throws -> [SharedFile] { try content(inside)?.files ?? [] }

    @Test(arguments: [false, true]) func descriptionIsRead(_ isMedia: Bool) throws {
        let element = isMedia ? Self.media : Self.sharing
        let inside = """
            <name>A day.PNG</name><size>1234</size><media-type>IMAGE/PNG; x=y</media-type><desc>d</desc>\
            <hash xmlns='urn:xmpp:hashes:2' algo='sha-1'>AAAA</hash>\(Self.hash)\
            <thumbnail xmlns='urn:xmpp:thumbs:1' uri='data:image/png;base64,iVBO&#10;Rw==' width='8'/>
            """
        let expected = SharedFile(
            url: Self.url, name: "A day.PNG", size: 1234, mediaType: "image/png",
            hash: FileHash(.sha256, bytes: Self.digest), thumbnail: "iVBORw==")
        // Without a body, with its address alone, and with one that is marked.
        for body in ["", "<body>\(Self.url)</body>", "<body>A file</body>" + Self.mark(nil)] {
            let content = try #require(try content(body + element([Self.url], inside)))
            #expect(content == MessageContent(file: expected), "\(body)")
        }
        // The element of old apps states the same file, with less.
        let both = element([Self.url], inside) + "<x xmlns='jabber:x:oob'><url>\(Self.url)</url></x>"
        #expect(try files("<body>\(Self.url)</body>" + both) == [expected])
    }

    @Test func textAboutFileIsShownWithoutItsAddress() throws {
        let body = "<body>Look 👩‍🚀!\n\(Self.url)</body>"
        let count = "Look 👩‍🚀!".unicodeScalars.count
        let range = count..<count + Self.url.count + 1
        let content = try #require(try content(body + Self.mark(range) + Self.sharing([Self.url])))
        #expect(content.visibleText == "Look 👩‍🚀!" && content.file?.url == Self.url)
        // Without a file that can be used, nothing of the text is hidden.
        let useless = try #require(try self.content(body + Self.mark(range) + Self.sharing(["http://a/b"])))
        #expect(useless.files == [] && useless.visibleText == useless.text)
    }

    @Test func severalFilesComeInOrder() throws {
        let urls = (0..<40).map { "https://files.example/\($0).png" }
        let body = "<body>\(urls.joined(separator: "\n"))</body>"
        let elements = urls.map { Self.sharing([$0]) + Self.media([$0]) }
        let content = try #require(try content(body + elements.joined()))
        #expect(content.files.map(\.url) == urls.prefix(16).map { $0 })
        #expect(content.visibleText == content.text, "not all files are known, so their addresses are shown")
        let two = try #require(
            try self.content("<body>\(urls[0])\n\(urls[1])</body>" + elements[0] + elements[1]))
        #expect(two.files.count == 2 && two.text == "0.png")
    }

    @Test func firstAddressThatCanBeUsedCounts() throws {
        let bad = [
            "http://files.example/a", "file:///etc/passwd", "https://", "https://a/ b", "javascript:x", "",
            "xmpp:alan@localhost", "https://files.example/" + String(repeating: "a", count: 2048),
        ]
        #expect(try files("<body>x</body>" + Self.sharing(bad)) == [])
        #expect(try files("<body>x</body>" + Self.sharing(bad + [Self.url])).map(\.url) == [Self.url])
        #expect(try files("<body>x</body>" + Self.media(bad + [Self.url])).map(\.url) == [Self.url])
        // After that many, nobody looks further.
        let many = Array(repeating: "http://a/b", count: 5000) + [Self.url]
        #expect(try files("<body>x</body>" + Self.sharing(many)) == [])
    }

    @Test(arguments: [
        ("<name>../../etc/passwd</name>", "passwd"), ("<name>a\u{202E}gnp.exe</name>", "agnp.exe"),
        ("<name>..</name>", "a.png"), ("<name/>", "a.png"), ("<name>C:\\x\\y.pdf</name>", "y.pdf"),
        ("<name>\(String(repeating: "n", count: 100_000))</name>", String(repeating: "n", count: 200) + "…"),
        ("<file xmlns='urn:xmpp:file:metadata:0'><name>nested</name></file>", "a.png"),
    ])
    func hostileNameIsMadeSafe(_ inside: String, _ name: String) throws {
        #expect(try files("<body>x</body>" + Self.sharing([Self.url], inside)).map(\.name) == [name])
    }

    @Test(arguments: [
        "<size>-1</size>", "<size>9223372036854775807</size>", "<size>1e3</size>", "<size/>",
        "<media-type>image</media-type>", "<media-type>a/b/c</media-type>",
        "<media-type>\(String(repeating: "a", count: 200))/b</media-type>",
        "<hash xmlns='urn:xmpp:hashes:2' algo='sha-256'>AAAA</hash>",
        "<hash xmlns='urn:xmpp:hashes:2' algo='md5'>AAAA</hash>", "<hash algo='sha-256'>AAAA</hash>",
        "<thumbnail xmlns='urn:xmpp:thumbs:1' uri='https://files.example/t.png'/>",
        "<thumbnail xmlns='urn:xmpp:thumbs:1' uri='file:///etc/passwd'/>",
        "<thumbnail xmlns='urn:xmpp:thumbs:1' uri='cid:sha1+00@bob.xmpp.org'/>",
        "<thumbnail xmlns='urn:xmpp:thumbs:1' uri='data:text/html;base64,AAAA'/>",
        "<thumbnail xmlns='urn:xmpp:thumbs:1' uri='data:image/png,AAAA'/>",
        "<thumbnail xmlns='urn:xmpp:thumbs:1' uri='data:image/png;base64,!'/>",
        "<thumbnail xmlns='urn:xmpp:thumbs:1' uri='data:image/png;base64,\(String(repeating: "A", count: 20_000))'/>",
    ])
    func implausibleStatementIsLeftOut(_ inside: String) throws {
        let expected = SharedFile(url: Self.url, name: "a.png", mediaType: "image/png")
        #expect(try files("<body>x</body>" + Self.sharing([Self.url], inside)) == [expected])
    }

    @Test func thumbnailIsInMessage() throws {
        let inside = "<thumbnail xmlns='urn:xmpp:thumbs:1' uri='cid:sha1+1@bob.xmpp.org'/>"
        let data = "<data xmlns='urn:xmpp:bob' cid='sha1+1@bob.xmpp.org' type='image/png'>iVBORw==</data>"
        let one = Self.sharing([Self.url], inside)
        let other = Self.sharing(["https://files.example/b.png"], inside)
        #expect(try files(one + other + data).map(\.thumbnail) == ["iVBORw==", nil], "one a message")
    }

    @Test(arguments: [
        // The hash of “hello”.
        ("sha1+aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d@bob.xmpp.org", "aGVs&#10;bG8=", "aGVsbG8="),
        ("sha-1+AAF4C61DDCC5E8A2DABEDE0F3B482CD9AEA9434D@bob.xmpp.org", "aGVsbG8=", "aGVsbG8="),
        ("sha1+aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d@bob.xmpp.org", "aGVsbG8h", nil),
        ("sha1+aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d@bob.xmpp.org", "", nil),
        ("sha1+00@bob.xmpp.org", "aGVsbG8=", nil), ("md5+00@bob.xmpp.org", "aGVsbG8=", nil),
        ("aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d@bob.xmpp.org", "aGVsbG8=", nil),
        ("sha1+aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d@example.org", "aGVsbG8=", nil),
    ])
    func dataIsThatOfItsHash(_ id: String, _ text: String, _ expected: String?) throws {
        let message = try #require(
            Message(
                try XMLElementTests.read(
                    "<message>\(Self.sharing([Self.url], "<thumbnail xmlns='urn:xmpp:thumbs:1' uri='cid:\(id)'/>"))</message>"
                )))
        let bits = FileSharing.missingThumbnail(in: message)
        let answer = try XMLElementTests.read("<data xmlns='urn:xmpp:bob'>\(text)</data>")
        #expect(bits?.content(of: answer, maximum: 100) == expected)
        #expect(bits?.content(of: answer, maximum: 7) == nil, "it is too long")
    }

    /// Files that one phone sends are read by the other.
    @Test(arguments: [nil, "Look 👩‍🚀!\nAll of you"]) func ownFileIsRead(_ caption: String?) throws {
        let file = SharedFile(
            url: Self.url, name: "A <day>.png", size: 12, mediaType: "image/png", path: "/home/a.png",
            hash: FileHash(.sha512, bytes: [UInt8](repeating: 9, count: 64)),
            // The beginning of a PNG of 16 x 12 pixels.
            thumbnail: "iVBORw0KGgoAAAANSUhEUgAAABAAAAAM")
        let text = caption.map { "\($0)\n\(Self.url)" } ?? Self.url
        let jid = try #require(JID("alan@localhost"))
        let sent = Message.own(text, to: jid, name: "1", file: file)
        #expect(OutOfBandData(in: sent)?.url == Self.url, "old apps find it, too")
        let read = try XMLElementTests.read(sent.element.serialized(in: Namespace.client))
        let received = try #require(Message(read))
        let content = try #require(MessageContent(received))
        let thumbnail = received.extensions.first { $0.isNamed("file-sharing", FileSharing.namespace) }?
            .child("file", FileMetadata.namespace)?.child("thumbnail", "urn:xmpp:thumbs:1")
        #expect(["media-type", "width", "height"].map { thumbnail?[$0] } == ["image/png", "16", "12"])
        var expected = file
        expected.path = nil
        #expect(content.files == [expected])
        #expect(content.visibleText == caption ?? file.name)
    }

    /// In less than a moment, whatever is in the message.
    @Test func manyElementsAreReadQuickly() throws {
        let one = Self.sharing(
            [Self.url], "<thumbnail xmlns='urn:xmpp:thumbs:1' uri='cid:x'/>" + Self.hash)
        let many =
            String(repeating: one, count: 2000)
            + String(repeating: "<data xmlns='urn:xmpp:bob'/>", count: 2000)
        let start = ContinuousClock.now
        #expect(try files("<body>x</body>" + many).count == 1)
        #expect(start.duration(to: .now) < .seconds(2))
    }
}
