// SPDX-License-Identifier: GPL-3.0-or-later

import CExpat

final class XMLElementBuilder {
    /// The separator of namespace and name in expat's names: a character that no document can contain, even escaped
    /// (XML 1.0 section 2.2), because expat would reject a namespace with it.
    static let separator: UInt8 = 1

    private let parser: OpaquePointer
    private var events: [XMLStreamParser.Event] = []
    private var open: [XMLElement] = []
    private var isStreamOpen = false

    private(set) var failure: XMLStreamError?

    init(parser: OpaquePointer) { self.parser = parser }

    /// The incomplete stanza, as far as it was read; nil if there is none.
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

    // MARK: - Callbacks

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
        // Whitespace between stanzas is ignored.
        guard !open.isEmpty else { return }
        let top = open.count - 1
        let added = String(decoding: bytes, as: UTF8.self)
        // Expat reports one text in several pieces. The text is removed from the node while it grows, to avoid copies.
        if case .text(var text)? = open[top].nodes.last {
            open[top].nodes.removeLast()
            text += added
            open[top].nodes.append(.text(text))
        } else {
            open[top].nodes.append(.text(added))
        }
    }

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
