// SPDX-License-Identifier: GPL-3.0-or-later

import TestSupport
import Testing
@testable import TouchtoneXMPP

@Suite struct XMLStreamParserTests {
    private static let header =
        "<?xml version='1.0'?><stream:stream xmlns='jabber:client' "
        + "xmlns:stream='http://etherx.jabber.org/streams' id='1' version='1.0'>"

    private static func parse(_ text: String, limits: XMLLimits = .session) throws(XMLStreamError)
        -> [XMLStreamParser.Event]
    {
        let parser = XMLStreamParser(limits: limits)
        _ = try parser.parse(Array(header.utf8))
        let events = try parser.parse(Array(text.utf8))
        if let failure = parser.failure { throw failure }
        return events
    }

    @Test func streamArrivesInPieces() throws {
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

    /// A recorded session, split after complete elements.
    private static let recorded = [
        header,
        """
        <stream:features><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'><required/></bind>\
        <sm xmlns='urn:xmpp:sm:3'><optional/></sm></stream:features>
        """,
        " \n<iq type='result' id='a>b'><bind xmlns=\"urn:x\"><jid>gr&#228;ce@localhost/\"it's\"</jid></bind></iq>",
        "<enabled xmlns='urn:xmpp:sm:3' id='1' resume='true' />", "\n\n<r xmlns='urn:xmpp:sm:3'/>",
        """
        <message from='alan@localhost/x' id=\"'\" type='chat'><body>ü 😀 &lt;&amp;]] > <![CDATA[<i a='>]]]]>\
        <![CDATA[]]><![CDATA[>]]>\r\n</body><x:y xmlns:x='urn:&#10;x' x:z='&gt;'/></message>
        """,
        "<presence from='alan@localhost/x'><show>away</show ><status/></presence>", "   </stream:stream >",
    ]

    @Test func splitSessionGivesSameEvents() throws {
        let pieces = Self.recorded.map { Array($0.utf8) }
        let text = pieces.flatMap { $0 }
        let ends = pieces.indices.map { pieces[...$0].reduce(0) { $0 + $1.count } }
        let whole = try XMLStreamParser().parse(text)
        #expect(whole.count == pieces.count)
        let body = "ü 😀 <&]] > <i a='>]]>\n"
        guard case .stanza(let message) = whole[5] else {
            Issue.record("no message")
            return
        }
        #expect(message.child("body")?.text == body)
        // The data is split not only into two pieces, but also into three, of which the middle one is a byte.
        for cut in 0...text.count {
            for middle in [0, 1] where cut + middle <= text.count {
                let parser = XMLStreamParser()
                var (start, count) = (0, 0)
                for end in [cut, cut + middle, text.count] {
                    let events = try parser.parse(Array(text[start..<end]))
                    start = end
                    #expect(events.elementsEqual(whole[count..<ends.count { $0 <= end }]), "cut at \(cut)")
                    count += events.count
                }
            }
        }
    }

    @Test func splitTagTakesNoLongerThanWhole() throws {
        // Parsing again from the start with each byte would take several thousand million steps.
        let parser = XMLStreamParser()
        _ = try parser.parse(Array(Self.header.utf8))
        var events: [XMLStreamParser.Event] = []
        for byte in Array("<a b='\(String(repeating: ">", count: 120_000))'/>".utf8) {
            events += try parser.parse([byte])
        }
        guard case .stanza(let element)? = events.first else {
            Issue.record("no stanza")
            return
        }
        #expect(element["b"]?.utf8.count == 120_000)
    }

    @Test func elementsBeforeErrorAreKept() throws {
        let parser = XMLStreamParser()
        let events = try parser.parse(Array((Self.header + "<a/><b/><c></d>").utf8))
        #expect(events.count == 3)
        guard case .malformed? = parser.failure else {
            Issue.record("no error")
            return
        }
        #expect(throws: XMLStreamError.self) { try parser.parse([]) }
    }

    @Test func headerIsRead() throws {
        guard case .opened(let root)? = try XMLStreamParser().parse(Array(Self.header.utf8)).first else {
            Issue.record("no header")
            return
        }
        #expect(
            root == XMLElement("stream", "http://etherx.jabber.org/streams", ["id": "1", "version": "1.0"]))
    }

    @Test func unfinishedInputIsRecognized() throws {
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
        "<!DOCTYPE a SYSTEM 'file:///etc/passwd'><a/>", header + "<!DOCTYPE a []>", header + "<a><!DOCTYPE",
    ])
    func documentTypeIsRefused(_ text: String) {
        #expect(throws: XMLStreamError.restricted("a document type")) {
            let parser = XMLStreamParser()
            _ = try parser.parse(Array(text.utf8))
            if let failure = parser.failure { throw failure }
        }
    }

    @Test func forbiddenStreamContentIsRefused() {
        #expect(throws: XMLStreamError.restricted("a comment")) { try Self.parse("<a><!-- x --></a>") }
        #expect(throws: XMLStreamError.restricted("a processing instruction")) { try Self.parse("<?a b?>") }
    }

    @Test(arguments: [
        "<a></b>", "<a x='1' x='2'/>", "<a>&lol;</a>", "<a>&#0;</a>", "x<a/>", "<p:a/>", "<a x=1/>",
        "<a>]]></a>",
        "</stream:stream><a/>", "<a xmlns:p=''/>", "</stream:stream>x", "<![CDATA[x]]>", "<></>", "< a/>",
        "<a / >",
        "<a><b/></a></b>", "<stream:stream/></stream:stream></stream:stream>",
    ])
    func invalidXMLIsMalformed(_ text: String) {
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
        let limits = XMLLimits()
        #expect(throws: XMLStreamError.tooLarge("the depth of elements")) {
            try Self.parse(text, limits: limits)
        }
        #expect(throws: Never.self) {
            try Self.parse(String(repeating: "<a>", count: 63) + String(repeating: "</a>", count: 63))
        }
    }

    @Test func stanzaEndsAtItsLimit() {
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

    @Test func endlessTagIsRefused() {
        let limits = XMLLimits(tokenBytes: 50_000, skippedBytes: 60_000)
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
            #expect(sent < 62_000, "\(start)")
        }
        #expect(throws: XMLStreamError.tooLarge("a tag")) {
            _ = try XMLStreamParser(limits: limits).parse(Array(repeating: UInt8(ascii: " "), count: 100_000))
        }
    }

    @Test func attributesAndElementsAreCounted() {
        let many = (0..<65).map { "a\($0)='1'" }.joined(separator: " ")
        #expect(throws: XMLStreamError.tooLarge("the list of attributes")) {
            try Self.parse("<a \(many)/>", limits: XMLLimits())
        }
        let elements = "<a>" + String(repeating: "<b/>", count: 1000) + "</a>"
        #expect(throws: XMLStreamError.tooLarge("the number of elements")) {
            try Self.parse(elements, limits: XMLLimits(nodes: 1000))
        }
        #expect(throws: Never.self) { try Self.parse(elements, limits: XMLLimits(nodes: 1001)) }
    }

    @Test(arguments: [
        ("<a %>x</a>", "", "the list of attributes"), ("<a><b %/><c/></a>", "<a/>", "the list of attributes"),
        ("<a><b><c %></c></b>x</a>", "<a><b/></a>", "the list of attributes"),
        ("<a>^<b/>$</a>", "", "the depth of elements"), ("<a><b/>^$<c/></a>", "", "the depth of elements"),
        ("<a b='1'>*</a>", "", "the number of elements"), ("<a b='#'/>", "", "a tag"),
        ("<a><b/><#/></a>", "<a><b/></a>", "a tag"), ("<a><b>x</b><c></c    #   ></a>", "", "a tag"),
        ("<a>x@</a>", "", "a stanza"), ("<a><b/><![CDATA[</a>@]]></a>", "<a><b/></a>", "a stanza"),
        ("<a><b>~</b></a>", "", "a stanza"),
        ("<a b='>'>@<c d='</a>'/><e f=\"'>/\"/><g/></a>", "", "a stanza"),
    ])
    func oversizedElementIsSkippedAndNextIsRead(_ text: String, _ head: String, _ limit: String) throws {
        var text = text.replacing("%", with: (0..<8000).map { "a\($0)='>'" }.joined(separator: " "))
        text.replace("^", with: String(repeating: "<d>", count: 100))
        text.replace("$", with: String(repeating: "</d>", count: 100))
        text.replace("*", with: String(repeating: "<e/>", count: 2000))
        text.replace("#", with: String(repeating: "t", count: 5000))
        text.replace("@", with: String(repeating: "x", count: 100_000))
        text.replace("~", with: String(repeating: "<x>y</x>", count: 100_000 / 8))
        var limits = XMLLimits(stanzaBytes: 90_000, tokenBytes: 4000, nodes: 1000, skippedBytes: 1 << 20)
        if limit == "a stanza" { limits.nodes = 1 << 20 }
        let all = Array("\(text)<a/>\(text)<b/>".utf8)
        for step in [all.count, 1000, 7] {
            let parser = XMLStreamParser(limits: limits)
            _ = try parser.parse(Array(Self.header.utf8))
            let events = try stride(from: 0, to: all.count, by: step).flatMap {
                try parser.parse(Array(all[$0..<min($0 + step, all.count)]))
            }
            #expect(events.count == 4)
            for index in [0, 2] where events.count == 4 {
                guard case .skipped(let element, limit: limit) = events[index] else {
                    Issue.record("\(events[index])")
                    continue
                }
                #expect(element.isNamed("a", "jabber:client"))
                if !head.isEmpty { #expect(element.withoutText.serialized(in: "jabber:client") == head) }
                #expect(events[index + 1] == .stanza(XMLElement(index == 0 ? "a" : "b", "jabber:client")))
            }
            #expect(!parser.hasUnfinishedInput)
        }
    }

    @Test func skippedInputIsBounded() throws {
        let parser = XMLStreamParser(limits: XMLLimits(stanzaBytes: 1000, skippedBytes: 10_000))
        _ = try parser.parse(Array((Self.header + "<a>").utf8))
        for _ in 0..<9 { _ = try parser.parse(Array(repeating: 0x78, count: 1000)) }
        #expect(throws: XMLStreamError.tooLarge("a stanza")) {
            try parser.parse(Array(repeating: 0x78, count: 1000))
        }
        // The stream's own tags cannot be skipped.
        #expect(throws: XMLStreamError.tooLarge("a tag")) {
            try Self.parse("</stream:stream" + String(repeating: " ", count: 200_000))
        }
        #expect(throws: XMLStreamError.tooLarge("the list of attributes")) {
            let many = (0..<65).map { "a\($0)='1'" }.joined(separator: " ")
            return try XMLStreamParser().parse(Array("<stream:stream \(many)".utf8))
        }
        #expect(throws: XMLStreamError.restricted("a comment")) {
            let limits = XMLLimits(stanzaBytes: 1000, skippedBytes: 10_000)
            return try Self.parse("<a>\(String(repeating: "x", count: 2000))<!--", limits: limits)
        }
    }

    @Test func brokenStreamStaysBroken() throws {
        let parser = XMLStreamParser()
        #expect(try parser.parse(Array("<a></b>".utf8)) == [.opened(XMLElement("a", ""))])
        #expect(parser.failure != nil)
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

extension XMLElement {
    /// The same stanzas, without text.
    fileprivate var withoutText: XMLElement {
        XMLElement(name, namespace, [:], children.map(\.withoutText))
    }
}
