// SPDX-License-Identifier: GPL-3.0-or-later

/// A scanner that finds the ends of tags, stanzas and the stream byte by byte, in constant memory.
///
/// It needs to know only two parts of XML: quotes in tags and CDATA sections. Comments, processing instructions and
/// document types are refused (RFC 6120 section 11.1), and nothing else in well-formed XML hides a `<` or a `>`. The
/// limits are checked here, so that the parser never receives input that exceeds one.
struct XMLFramer {
    /// The unit that a byte completes.
    enum Mark: Equatable {
        case none
        /// A tag or a CDATA section that is not the last of its stanza, or the XML declaration.
        case token
        case header
        case stanza
        /// A stanza that exceeded a limit.
        case skippedStanza
        case stream
        /// The part of a stanza within the limits, and the exceeded limit: the rest is to be skipped.
        case limit(String)
    }

    private enum Place: Equatable {
        case text
        /// After a `<`.
        case opened
        /// In a tag; the quotation mark that ends the attribute's value, or zero outside of a value.
        case tag(quote: UInt8)
        /// After `<!` and that number of bytes of `[CDATA[`.
        case declaration(Int)
        /// In a CDATA section, after that number of closing brackets.
        case section(Int)
    }

    private enum TagKind {
        case start
        case end
        case xmlDeclaration
    }

    /// The length of the current tag, or of the one that has just ended, in bytes.
    private(set) var tagBytes = 0
    var limits: XMLLimits
    private var place = Place.text
    private var kind = TagKind.start
    private var attributes = 0
    private var previous: UInt8 = 0
    /// The number of open elements, including the stream's root.
    private var depth = 0
    private var isClosed = false
    private var isSkipping = false
    /// The length in bytes of the current stanza so far, or of the data before the stream's header.
    private var bytes = 0
    private var nodes = 0

    init(limits: XMLLimits) { self.limits = limits }

    var isInside: Bool { depth > 1 || place != .text }

    mutating func consume(_ byte: UInt8) throws(XMLStreamError) -> Mark {
        if place == .text, byte != UInt8(ascii: "<"), depth < 2 {
            try consumeOutside(byte)
            return .none
        }
        bytes += 1
        let mark = try advance(byte)
        previous = byte
        guard mark == .none || mark == .token else { return mark }
        return try checkSize() ?? mark
    }

    /// Handles a run of bytes within a text or a value, up to the limits; returns the number of bytes.
    mutating func consumeRun(of list: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        let end: UInt8
        var room = (isSkipping ? limits.skippedBytes : limits.stanzaBytes) - bytes
        switch place {
        case .text where depth > 1: end = UInt8(ascii: "<")
        case .tag(let quote) where quote != 0:
            end = quote
            if !isSkipping { room = min(room, limits.tokenBytes - tagBytes) }
        default: return 0
        }
        guard let base = list.baseAddress else { return 0 }
        let maximum = max(0, min(list.count - start, room))
        var count = 0
        while count < maximum, base[start + count] != end { count += 1 }
        bytes += count
        tagBytes += count
        return count
    }

    /// Handles a byte between stanzas, where whitespace keeps connections alive.
    private mutating func consumeOutside(_ byte: UInt8) throws(XMLStreamError) {
        guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else {
            throw .malformed("text outside of stanzas")
        }
        guard depth == 0, !isClosed else { return }
        bytes += 1
        if bytes > limits.tokenBytes { throw .tooLarge("a tag") }
    }

    private mutating func advance(_ byte: UInt8) throws(XMLStreamError) -> Mark {
        switch place {
        case .text: if byte == UInt8(ascii: "<") { open() }
        case .opened:
            tagBytes += 1
            return try begin(byte)
        case .tag(0):
            tagBytes += 1
            return try consumeInTag(byte)
        case .tag(let quote):
            tagBytes += 1
            if byte == quote { place = .tag(quote: 0) }
        case .declaration(let count): try consumeInDeclaration(byte, count)
        case .section(let brackets):
            if byte == UInt8(ascii: "]") {
                place = .section(min(brackets + 1, 2))
            } else if byte == UInt8(ascii: ">"), brackets == 2 {
                place = .text
                return .token
            } else {
                place = .section(0)
            }
        }
        return .none
    }

    private mutating func open() {
        place = .opened
        (tagBytes, attributes) = (1, 0)
        if depth == 1 { (bytes, nodes) = (1, 0) }
    }

    private mutating func begin(_ byte: UInt8) throws(XMLStreamError) -> Mark {
        if isClosed { throw .malformed("an element after the end") }
        place = .tag(quote: 0)
        switch byte {
        case UInt8(ascii: "/"):
            kind = .end
            if depth == 0 { throw .malformed("an end without a beginning") }
        case UInt8(ascii: "?"):
            kind = .xmlDeclaration
            if depth > 0 { throw .restricted("a processing instruction") }
        case UInt8(ascii: "!"): place = .declaration(0)
        default:
            kind = .start
            nodes += 1
            if nodes > limits.nodes, let mark = try pass("the number of elements") {
                _ = try consumeInTag(byte)
                return mark
            }
            return try consumeInTag(byte)
        }
        return .none
    }

    private mutating func consumeInDeclaration(_ byte: UInt8, _ count: Int) throws(XMLStreamError) {
        guard byte == Self.section[count] else {
            throw .restricted(count == 0 && byte == UInt8(ascii: "-") ? "a comment" : "a document type")
        }
        if depth < 2 { throw .malformed("text outside of stanzas") }
        place = count + 1 < Self.section.count ? .declaration(count + 1) : .section(0)
    }

    private static let section = Array("[CDATA[".utf8)

    private mutating func consumeInTag(_ byte: UInt8) throws(XMLStreamError) -> Mark {
        switch byte {
        case UInt8(ascii: ">"): return try endTag()
        case UInt8(ascii: "'"), UInt8(ascii: "\""):
            place = .tag(quote: byte)
            attributes += 1
            nodes += 1
            if attributes > limits.attributes, let mark = try pass("the list of attributes") { return mark }
            if nodes > limits.nodes, let mark = try pass("the number of elements") { return mark }
        default: break
        }
        return .none
    }

    private mutating func endTag() throws(XMLStreamError) -> Mark {
        place = .text
        switch kind {
        case .xmlDeclaration: return .token
        case .end: depth -= 1
        case .start:
            if depth + 1 > limits.depth, let mark = try pass("the depth of elements") {
                if previous != UInt8(ascii: "/") { depth += 1 }
                return mark
            }
            if previous != UInt8(ascii: "/") {
                depth += 1
                return depth == 1 ? .header : .token
            }
        }
        if depth > 1 { return .token }
        if depth == 1 {
            defer { isSkipping = false }
            return isSkipping ? .skippedStanza : .stanza
        }
        isClosed = true
        return .stream
    }

    private mutating func checkSize() throws(XMLStreamError) -> Mark? {
        if case .tag = place, tagBytes > limits.tokenBytes, let mark = try pass("a tag") { return mark }
        if bytes > limits.stanzaBytes, let mark = try pass("a stanza") { return mark }
        if isSkipping, bytes > limits.skippedBytes { throw .tooLarge("a stanza") }
        return nil
    }

    /// Starts skipping the stanza; returns nil if it is already being skipped.
    ///
    /// - Throws: `tooLarge` if nothing can be skipped: in the stream's own tags, and before the sign-in.
    private mutating func pass(_ limit: String) throws(XMLStreamError) -> Mark? {
        guard !isSkipping else { return nil }
        guard limits.skippedBytes > 0, depth > 1 || depth == 1 && kind == .start else {
            throw .tooLarge(limit)
        }
        isSkipping = true
        return .limit(limit)
    }
}
