// SPDX-License-Identifier: GPL-3.0-or-later

/// Reads one stream as it arrives, piece by piece, within bounds of memory.
///
/// A stream is a document whose root stays open; what is given is the root's opening, each complete element right below
/// it, and the root's end. A stream that starts anew (after TLS, after SASL) needs a new parser. Not for two threads.
///
/// Expat is given whole tags alone, each once: it never has to begin a tag again that came in pieces, which takes
/// quadratic time, or is put off by newer versions until much more has come (CVE-2023-52425).
public final class XMLStreamParser {
    /// What has arrived.
    public enum Event: Hashable, Sendable {
        /// The stream's header; the element is empty.
        case opened(XMLElement)
        /// A complete element of the stream.
        case stanza(XMLElement)
        /// An element of the stream that passes a limit, as far as it was read before that, and the limit.
        ///
        /// Its children are incomplete. Where its own tag passes the limit, there is nothing but its name.
        case skipped(XMLElement, limit: String)
        /// The stream's end.
        case closed
    }

    /// The error that ended the stream; nil if there is none.
    public private(set) var failure: XMLStreamError?

    private var framer: XMLFramer
    private var reader = XMLReader()
    /// The tag that opened the stream.
    private var header: ArraySlice<UInt8> = []
    /// The bytes that have not been given to the reader, and how many of them are complete tags.
    private var held: [UInt8] = []
    private var complete = 0
    /// The stanza that is being skipped.
    private var skipped: (head: XMLElement, limit: String)?
    private var events: [Event] = []

    /// Creates a parser for a stream that has not begun.
    public init(limits: XMLLimits = .session) { framer = XMLFramer(limits: limits) }

    /// Whether there is something after the last complete element: part of another, or of its end.
    public var hasUnfinishedInput: Bool { framer.isInside }

    /// Reads the next bytes.
    ///
    /// - Returns: what became complete with them; where `failure` is set, what did before it.
    /// - Throws: `XMLStreamError` if nothing became complete before it, and ever after: there is no way back into a
    ///   broken stream.
    public func parse(_ bytes: [UInt8]) throws(XMLStreamError) -> [Event] {
        if let failure { throw failure }
        do throws(XMLStreamError) {
            try take(bytes)
        } catch {
            failure = error
            if events.isEmpty { throw error }
        }
        defer { events = [] }
        return events
    }

    private func take(_ bytes: [UInt8]) throws(XMLStreamError) {
        var (start, index) = (0, 0)
        while index < bytes.count {
            index += bytes.withUnsafeBufferPointer { framer.takeRun(of: $0, from: index) }
            guard index < bytes.count else { break }
            let mark = try framer.take(bytes[index])
            index += 1
            if mark == .none { continue }
            if skipped == nil { held += bytes[start..<index] }
            start = index
            try take(mark)
        }
        guard skipped == nil else { return }
        // Blanks between stanzas are not kept.
        if framer.isInside { held += bytes[start...] }
        try readComplete()
    }

    private func take(_ mark: XMLFramer.Mark) throws(XMLStreamError) {
        switch mark {
        case .none: break
        case .token: complete = held.count
        case .header:
            header = held.suffix(framer.tagBytes)
            try readAll()
        case .stanza:
            try readAll()
            // What expat takes for more than the framer does can only be broken.
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

    /// The bytes after which a reader is exchanged for a new one.
    private static let maximumReaderBytes = 256 << 10

    private func renewReader() throws(XMLStreamError) {
        reader = XMLReader()
        var opened: [Event] = []
        try reader.read(header, into: &opened)
    }

    /// The name of the stanza that begins with these bytes.
    private static func head(of tag: [UInt8]) -> XMLElement {
        let name = tag.drop { $0 != UInt8(ascii: "<") }.dropFirst().prefix(64).prefix { byte in
            !(byte <= 0x20 || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/"))
        }
        let local = name.split(separator: UInt8(ascii: ":")).last ?? []
        return XMLElement(String(decoding: local, as: UTF8.self), Namespace.client)
    }
}
