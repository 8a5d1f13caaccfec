// SPDX-License-Identifier: GPL-3.0-or-later

import TestSupport
import Testing
@testable import TouchtoneXMPP

@Suite struct XMLElementTests {
    @Test(arguments: Seeds.all)
    func writtenElementRoundTrips(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<300 {
            let element = Self.element(depth: 4, &random)
            #expect(try Self.read(element.serialized(in: "jabber:client")) == element)
        }
    }

    @Test func markupInValuesStaysText() throws {
        let text = "<b>&amp;</b> ]]> 'a' \"b\" \r\n\t \u{202E}"
        let element = XMLElement("body", "jabber:client", ["x": text], text: text)
        #expect(try Self.read(element.serialized()) == element)
        #expect(!element.serialized().contains("<b>"))
    }

    @Test func charactersInvalidInXMLAreReplaced() throws {
        let element = XMLElement("body", "jabber:client", text: "a\u{0}b\u{1F}c\u{FFFF}d")
        #expect(try Self.read(element.serialized()).text == "a\u{FFFD}b\u{FFFD}c\u{FFFD}d")
    }

    @Test func childrenAndAttributesAreFound() throws {
        var element = XMLElement(
            "a", "n", ["x": "1", "y": nil], [XMLElement("b", "n"), XMLElement("b", "m")])
        #expect(element["x"] == "1")
        #expect(element["y"] == nil)
        #expect(element.child("b") == XMLElement("b", "n"))
        #expect(element.child("b", "m") == XMLElement("b", "m"))
        #expect(element.child("c") == nil)
        #expect(element.children("b").count == 1)
        element["x"] = nil
        #expect(element.attributes.isEmpty)
    }

    /// Returns the element as a stream's stanza.
    static func read(_ text: String) throws -> XMLElement {
        let parser = XMLStreamParser()
        let events = try parser.parse(
            Array(
                ("<stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams'>"
                    + text)
                    .utf8))
        guard case .stanza(let element)? = events.last, events.count == 2 else { throw Unread(text: text) }
        return element
    }

    struct Unread: Error {
        let text: String
    }

    private static let texts = ["", "a", "&<>'\"", "\r\n\t", "😄", "]]>", "  ", "ü\u{301}"]

    private static func element(depth: Int, _ random: inout SplitMix64) -> XMLElement {
        let spaces = ["jabber:client", "urn:a", ""]
        var element = XMLElement(
            ["a", "b", "message"].randomElement(using: &random) ?? "",
            spaces.randomElement(using: &random) ?? "",
            ["id": texts.randomElement(using: &random)])
        element.attributes += [
            .init("lang", namespace: XMLElement.xmlNamespace, value: "en"),
            .init("x", namespace: "urn:a'&", value: texts.randomElement(using: &random) ?? ""),
        ]
        for _ in 0..<(depth == 0 ? 0 : Int.random(in: 0...3, using: &random)) {
            if case .text? = element.nodes.last {
            } else if let text = texts.randomElement(using: &random), !text.isEmpty,
                Bool.random(using: &random)
            {
                element.nodes.append(.text(text))
            }
            element.append(Self.element(depth: depth - 1, &random))
        }
        return element
    }
}
