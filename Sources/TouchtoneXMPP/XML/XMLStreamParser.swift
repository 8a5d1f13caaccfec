// SPDX-License-Identifier: GPL-3.0-or-later

/// An incremental parser of one stream, with bounded memory.
///
/// A stream is a document whose root stays open. The parser reports the root's start, each complete child of the root,
/// and the root's end. A stream that is restarted (after TLS, after SASL) needs a new parser. A parser must not be used
/// from two threads.
///
/// Expat is given only whole tags, each once. It therefore never rescans a tag that arrives in pieces, which takes
/// quadratic time, nor defers it until much more data has arrived, as newer versions do (CVE-2023-52425).
final class XMLStreamParser {
    enum Event: Hashable, Sendable {
        /// The start of the stream; the element is empty.
        case opened(XMLElement)
        /// A complete child of the root.
        case stanza(XMLElement)
        /// A child of the root that exceeded a limit, as far as it was read before that, and the limit.
        ///
        /// Its children are incomplete. If its own tag exceeded the limit, the element has only its name.
        case skipped(XMLElement, limit: String)
        case closed
    }

    private(set) var failure: XMLStreamError?

    private var framer: XMLFramer
    private var reader = XMLReader()
    private var header: ArraySlice<UInt8> = []
    /// The bytes that the reader has not been given yet, and the number of those that are complete tags.
    private var held: [UInt8] = []
    private var complete = 0
    private var skipped: (head: XMLElement, limit: String)?
    private var events: [Event] = []

    init(limits: XMLLimits = .session) { framer = XMLFramer(limits: limits) }

    var hasUnfinishedInput: Bool { framer.isInside }

    /// The limits of what is parsed from now on.
    var limits: XMLLimits {
        get { framer.limits }
        set { framer.limits = newValue }
    }

    /// - Returns: The events that they complete; if `failure` is set, those before it.
    /// - Throws: `XMLStreamError` if there are no events before the error, and at every later call: a broken stream
    ///   cannot be continued.
    func parse(_ bytes: [UInt8]) throws(XMLStreamError) -> [Event] {
        if let failure { throw failure }
        do throws(XMLStreamError) {
            try consume(bytes)
        } catch {
            failure = error
            if events.isEmpty { throw error }
        }
        defer { events = [] }
        return events
    }

    private func consume(_ bytes: [UInt8]) throws(XMLStreamError) {
        var (start, index) = (0, 0)
        while index < bytes.count {
            index += bytes.withUnsafeBufferPointer { framer.consumeRun(of: $0, from: index) }
            guard index < bytes.count else { break }
            let mark = try framer.consume(bytes[index])
            index += 1
            if mark == .none { continue }
            if skipped == nil { held += bytes[start..<index] }
            start = index
            try consume(mark)
        }
        guard skipped == nil else { return }
        // Whitespace between stanzas is discarded.
        if framer.isInside { held += bytes[start...] }
        try readComplete()
    }

    private func consume(_ mark: XMLFramer.Mark) throws(XMLStreamError) {
        switch mark {
        case .none: break
        case .token: complete = held.count
        case .header:
            header = held.suffix(framer.tagBytes)
            try readAll()
        case .stanza:
            try readAll()
            // If expat has an open element where the framer has none, the input is malformed.
            if reader.unfinished != nil { throw .malformed("a stanza without end") }
            if reader.count > Self.maximumReaderBytes { try renewReader() }
        case .stream: try readAll()
        case .limit(let limit):
            try readComplete()
            skipped = (reader.unfinished ?? Self.head(of: held), limit)
            (held, complete) = ([], 0)
        case .skippedStanza:
            if let (head, limit) = skipped { events.append(.skipped(head, limit: limit)) }
            skipped = nil
            try renewReader()
        }
    }

    private func readAll() throws(XMLStreamError) {
        complete = held.count
        try readComplete()
    }

    private func readComplete() throws(XMLStreamError) {
        guard complete > 0 else { return }
        try reader.read(held[..<complete], into: &events)
        if complete == held.count { held = [] } else { held.removeFirst(complete) }
        complete = 0
    }

    private static let maximumReaderBytes = 256 << 10

    private func renewReader() throws(XMLStreamError) {
        reader = XMLReader()
        var opened: [Event] = []
        try reader.read(header, into: &opened)
    }

    /// Returns an element with the name of the stanza that starts with these bytes.
    private static func head(of tag: [UInt8]) -> XMLElement {
        let name = tag.drop { $0 != UInt8(ascii: "<") }.dropFirst().prefix(64).prefix { byte in
            !(byte <= 0x20 || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/"))
        }
        let local = name.split(separator: UInt8(ascii: ":")).last ?? []
        return XMLElement(String(decoding: local, as: UTF8.self), Namespace.client)
    }
}
