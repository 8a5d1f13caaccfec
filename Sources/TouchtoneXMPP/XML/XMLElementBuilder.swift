// SPDX-License-Identifier: GPL-3.0-or-later

import CExpat

/// Puts elements together from what expat reports, and stops it where a limit is passed.
final class XMLElementBuilder {
    /// What expat puts between a namespace and a name: a new line.
    static let separator = UInt8(ascii: "\n")

    private let limits: XMLLimits
    private let parser: OpaquePointer
    private var events: [XMLStreamParser.Event] = []
    /// The elements that are open within the current stanza, the stanza first.
    private var open: [XMLElement] = []
    private var isStreamOpen = false
    private var nodes = 0
    private var stanzaStart = 0

    private(set) var failure: XMLStreamError?
    /// Where the last thing that was reported ends, in bytes from the start of the stream.
    private(set) var lastEventEnd = 0

    init(limits: XMLLimits, parser: OpaquePointer) {
        self.limits = limits
        self.parser = parser
    }

    var isInsideStanza: Bool { !open.isEmpty }

    func takeEvents() -> [XMLStreamParser.Event] {
        defer { events = [] }
        return events
    }

    /// Compares what was given to expat with what came of it: the rest is in expat's memory.
    func check(fed: Int) throws(XMLStreamError) {
        if fed - lastEventEnd > limits.tokenBytes { throw .tooLarge("a tag") }
        if isInsideStanza, fed - stanzaStart > limits.stanzaBytes { throw .tooLarge("a stanza") }
    }

    // MARK: - What expat reports

    func began(_ name: UnsafePointer<XML_Char>, _ attributes: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?)
    {
        let start = Int(XML_GetCurrentByteIndex(parser))
        advance()
        let count = Int(XML_GetSpecifiedAttributeCount(parser)) / 2
        guard count <= limits.attributes else { return stop(.tooLarge("the list of attributes")) }
        let element = Self.element(name, attributes, count: count)
        guard isStreamOpen else {
            isStreamOpen = true
            events.append(.opened(element))
            return
        }
        if open.isEmpty {
            stanzaStart = start
            nodes = 0
        }
        open.append(element)
        nodes += 1 + count
        if open.count + 1 > limits.depth { return stop(.tooLarge("the depth of elements")) }
        if nodes > limits.nodes { return stop(.tooLarge("the number of elements")) }
        checkStanza()
    }

    func ended() {
        advance()
        guard let element = open.popLast() else {
            events.append(.closed)
            return
        }
        guard !open.isEmpty else {
            events.append(.stanza(element))
            return
        }
        open[open.count - 1].nodes.append(.element(element))
        checkStanza()
    }

    func text(_ bytes: UnsafeRawBufferPointer) {
        advance()
        guard !open.isEmpty else {
            // Blanks between stanzas keep connections alive.
            guard bytes.allSatisfy({ $0 == 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }) else {
                return stop(.malformed("text between stanzas"))
            }
            return
        }
        let top = open.count - 1
        let added = String(decoding: bytes, as: UTF8.self)
        // Expat gives one text in several pieces. It is taken out while it grows, so that it is not copied each time.
        if case .text(var text)? = open[top].nodes.last {
            open[top].nodes.removeLast()
            text += added
            open[top].nodes.append(.text(text))
        } else {
            open[top].nodes.append(.text(added))
        }
        checkStanza()
    }

    /// Ends the parsing from within it.
    func stop(_ error: XMLStreamError) {
        guard failure == nil else { return }
        failure = error
        XML_StopParser(parser, XML_Bool(0))
    }

    private func advance() {
        lastEventEnd = Int(XML_GetCurrentByteIndex(parser)) + Int(XML_GetCurrentByteCount(parser))
    }

    private func checkStanza() {
        if lastEventEnd - stanzaStart > limits.stanzaBytes { stop(.tooLarge("a stanza")) }
    }

    // MARK: - Names

    private static func element(
        _ name: UnsafePointer<XML_Char>, _ attributes: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?,
        count: Int
    ) -> XMLElement {
        let (namespace, name) = split(name)
        let list = (0..<count).compactMap { index -> XMLElement.Attribute? in
            guard let key = attributes?[2 * index], let value = attributes?[2 * index + 1] else { return nil }
            let (namespace, name) = split(key)
            return XMLElement.Attribute(name, namespace: namespace, value: String(cString: value))
        }
        return XMLElement(name: name, namespace: namespace, attributes: list, nodes: [])
    }

    private static func split(_ text: UnsafePointer<XML_Char>) -> (namespace: String, name: String) {
        let whole = String(cString: text)
        guard let end = whole.utf8.lastIndex(of: separator) else { return ("", whole) }
        return (String(whole[..<end]), String(whole[whole.utf8.index(after: end)...]))
    }
}
