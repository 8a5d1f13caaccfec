// SPDX-License-Identifier: GPL-3.0-or-later

import CExpat

/// Puts elements together from what expat reports.
final class XMLElementBuilder {
    /// The character between a namespace and a name in what expat gives: one that no document can hold, not even escaped
    /// (XML 1.0 section 2.2), or expat would refuse a namespace with it.
    static let separator: UInt8 = 1

    private let parser: OpaquePointer
    private var events: [XMLStreamParser.Event] = []
    /// The elements that are open within the current stanza, the stanza first.
    private var open: [XMLElement] = []
    private var isStreamOpen = false

    private(set) var failure: XMLStreamError?

    init(parser: OpaquePointer) { self.parser = parser }

    /// The stanza that is not complete, as far as it was read; nil if none is.
    var unfinished: XMLElement? {
        guard var element = open.last else { return nil }
        for var parent in open.dropLast().reversed() {
            parent.append(element)
            element = parent
        }
        return element
    }

    func takeEvents() -> [XMLStreamParser.Event] {
        defer { events = [] }
        return events
    }

    // MARK: - What expat reports

    func began(_ name: UnsafePointer<XML_Char>, _ attributes: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?)
    {
        let count = Int(XML_GetSpecifiedAttributeCount(parser)) / 2
        let element = Self.element(name, attributes, count: count)
        guard isStreamOpen else {
            isStreamOpen = true
            events.append(.opened(element))
            return
        }
        open.append(element)
    }

    func ended() {
        guard let element = open.popLast() else {
            events.append(.closed)
            return
        }
        guard !open.isEmpty else {
            events.append(.stanza(element))
            return
        }
        open[open.count - 1].nodes.append(.element(element))
    }

    func text(_ bytes: UnsafeRawBufferPointer) {
        // Blanks between stanzas.
        guard !open.isEmpty else { return }
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
    }

    /// Ends the parsing from within it.
    func stop(_ error: XMLStreamError) {
        guard failure == nil else { return }
        failure = error
        XML_StopParser(parser, XML_Bool(0))
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
