// SPDX-License-Identifier: GPL-3.0-or-later

import TestSupport
import Testing
import TouchtoneXMPP

@Suite struct XMLStreamParserTests {
    private static let header =
        "<?xml version='1.0'?><stream:stream xmlns='jabber:client' "
        + "xmlns:stream='http://etherx.jabber.org/streams' id='1' version='1.0'>"

    private static func parse(_ text: String, limits: XMLLimits = .session) throws(XMLStreamError)
        -> [XMLStreamParser.Event]
    {
        let parser = XMLStreamParser(limits: limits)
        _ = try parser.parse(Array(header.utf8))
        return try parser.parse(Array(text.utf8))
    }

    @Test func aStreamComesInPieces() throws {
        let text =
            Self.header
            + " <message><body>h&amp;<![CDATA[<i>]]></body></message>\n<r xmlns='urn:x'/></stream:stream>"
        let whole = try XMLStreamParser().parse(Array(text.utf8))
        #expect(whole.count == 4)
        let message = XMLElement(
            "message", "jabber:client", [:], [XMLElement("body", "jabber:client", text: "h&<i>")])
        #expect(whole[1] == .stanza(message))
        #expect(whole[2] == .stanza(XMLElement("r", "urn:x")))
        #expect(whole[3] == .closed)
        let parser = XMLStreamParser()
        let single = try text.utf8.flatMap { try parser.parse([$0]) }
        #expect(single == whole)
    }

    @Test func theHeaderSaysWhatItSays() throws {
        guard case .opened(let root)? = try XMLStreamParser().parse(Array(Self.header.utf8)).first else {
            Issue.record("no header")
            return
        }
        #expect(
            root == XMLElement("stream", "http://etherx.jabber.org/streams", ["id": "1", "version": "1.0"]))
    }

    @Test func unfinishedInputIsKnown() throws {
        let parser = XMLStreamParser()
        _ = try parser.parse(Array((Self.header + "<a/>").utf8))
        #expect(!parser.hasUnfinishedInput)
        _ = try parser.parse(Array("<b".utf8))
        #expect(parser.hasUnfinishedInput)
        _ = try parser.parse(Array("><c/>".utf8))
        #expect(parser.hasUnfinishedInput)
        _ = try parser.parse(Array("</b>".utf8))
        #expect(!parser.hasUnfinishedInput)
    }

    @Test(arguments: [
        "<!DOCTYPE lolz [<!ENTITY lol 'lol'><!ENTITY lol2 '&lol;&lol;&lol;'>]><a>&lol2;</a>",
        "<!DOCTYPE a SYSTEM 'file:///etc/passwd'><a/>",
    ])
    func noDocumentTypeIsRead(_ text: String) {
        #expect(throws: XMLStreamError.restricted("a document type")) {
            try XMLStreamParser().parse(Array(text.utf8))
        }
    }

    @Test func whatStreamsMustNotHoldIsRefused() {
        #expect(throws: XMLStreamError.restricted("a comment")) { try Self.parse("<a><!-- x --></a>") }
        #expect(throws: XMLStreamError.restricted("a processing instruction")) { try Self.parse("<?a b?>") }
    }

    @Test(arguments: [
        "<a></b>", "<a x='1' x='2'/>", "<a>&lol;</a>", "<a>&#0;</a>", "x<a/>", "<p:a/>", "<a x=1/>",
        "<a>]]></a>",
        "</stream:stream><a/>", "<a xmlns:p=''/>", "<!DOCTYPE a []>",
    ])
    func whatIsNoXMLIsMalformed(_ text: String) {
        let error = #expect(throws: XMLStreamError.self) { try Self.parse(text) }
        if case .malformed(let reason)? = error { #expect(!reason.isEmpty) } else { Issue.record("\(error)") }
    }

    @Test(
        arguments: [
            [0xC0, 0x80], [0xFF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0x80], [0xE2, 0x82], [0x00],
            [0x1B],
        ] as [[UInt8]])
    func invalidTextIsMalformed(_ bytes: [UInt8]) throws {
        let parser = XMLStreamParser()
        _ = try parser.parse(Array((Self.header + "<a>").utf8))
        #expect(throws: XMLStreamError.self) { try parser.parse(bytes + Array("</a>".utf8)) }
    }

    @Test func tenThousandNestedElementsAreRefused() {
        let text = String(repeating: "<a>", count: 10_000) + String(repeating: "</a>", count: 10_000)
        #expect(throws: XMLStreamError.tooLarge("the depth of elements")) { try Self.parse(text) }
        #expect(throws: Never.self) {
            try Self.parse(String(repeating: "<a>", count: 63) + String(repeating: "</a>", count: 63))
        }
    }

    @Test func aStanzaEndsAtItsLimit() {
        let piece = Array(String(repeating: "x", count: 1000).utf8)
        let parser = XMLStreamParser(limits: XMLLimits(stanzaBytes: 100_000))
        #expect(throws: XMLStreamError.tooLarge("a stanza")) {
            _ = try parser.parse(Array((Self.header + "<message><body>").utf8))
            for _ in 0..<101 { _ = try parser.parse(piece) }
        }
        // Stanzas within the limit do not add up.
        #expect(throws: Never.self) {
            let parser = XMLStreamParser(limits: XMLLimits(stanzaBytes: 2000))
            _ = try parser.parse(Array(Self.header.utf8))
            for _ in 0..<100 { _ = try parser.parse(Array("<a>".utf8) + piece + Array("</a>".utf8)) }
        }
    }

    @Test func aTagThatNeverEndsIsRefused() {
        let limits = XMLLimits(tokenBytes: 50_000)
        for start in ["<a b='", "<a", "<!--", "<a><![CDATA", "<?x "] {
            let parser = XMLStreamParser(limits: limits)
            var sent = 0
            #expect(throws: XMLStreamError.self) {
                _ = try parser.parse(Array((Self.header + start).utf8))
                while sent < 100_000 {
                    _ = try parser.parse(Array(repeating: UInt8(ascii: "x"), count: 1000))
                    sent += 1000
                }
            }
            #expect(sent < 52_000, "\(start)")
        }
        #expect(throws: XMLStreamError.tooLarge("a tag")) {
            _ = try XMLStreamParser(limits: limits).parse(Array(repeating: UInt8(ascii: " "), count: 100_000))
        }
    }

    @Test func attributesAndElementsAreCounted() {
        let many = (0..<65).map { "a\($0)='1'" }.joined(separator: " ")
        #expect(throws: XMLStreamError.tooLarge("the list of attributes")) { try Self.parse("<a \(many)/>") }
        let elements = "<a>" + String(repeating: "<b/>", count: 1000) + "</a>"
        #expect(throws: XMLStreamError.tooLarge("the number of elements")) {
            try Self.parse(elements, limits: XMLLimits(nodes: 1000))
        }
        #expect(throws: Never.self) { try Self.parse(elements, limits: XMLLimits(nodes: 1001)) }
    }

    @Test func aBrokenStreamStaysBroken() throws {
        let parser = XMLStreamParser()
        #expect(throws: XMLStreamError.self) { try parser.parse(Array("<a></b>".utf8)) }
        #expect(throws: XMLStreamError.self) { try parser.parse(Array("<c/>".utf8)) }
    }

    @Test(arguments: Seeds.all)
    func anyBytesAreReadOrRefused(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let parts = [
            "<", ">", "a", "/", "'", "=", "&", "amp;", "<!", "[CDATA[", "]]>", "xmlns", ":", "\u{0}", "ü",
            " ",
        ]
        for _ in 0..<300 {
            let text = (0..<40).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
            _ = try? Self.parse(text)
        }
    }
}
