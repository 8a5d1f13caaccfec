// SPDX-License-Identifier: GPL-3.0-or-later

import CExpat

/// Reads one stream as it arrives, piece by piece, within bounds of memory: expat's push parser.
///
/// A stream is a document whose root stays open; what is given is the root's opening, each complete element right below
/// it, and the root's end. A stream that starts anew (after TLS, after SASL) needs a new parser. Not for two threads.
public final class XMLStreamParser {
    /// What has arrived.
    public enum Event: Hashable, Sendable {
        /// The stream's header; the element is empty.
        case opened(XMLElement)
        /// A complete element of the stream.
        case stanza(XMLElement)
        /// The stream's end.
        case closed
    }

    private let parser: OpaquePointer
    private let builder: XMLElementBuilder
    private var fed = 0
    private var failure: XMLStreamError?

    /// Creates a parser for a stream that has not begun.
    public init(limits: XMLLimits = .session) {
        // A new line cannot be in a namespace's name; expat puts it between that name and the element's.
        guard let parser = XML_ParserCreateNS("UTF-8", XML_Char(XMLElementBuilder.separator)) else {
            fatalError("no memory for a parser")  // as Swift itself does when memory ends
        }
        self.parser = parser
        builder = XMLElementBuilder(limits: limits, parser: parser)
        XMLHandlers.install(in: parser, for: builder)
    }

    deinit { XML_ParserFree(parser) }

    /// Whether there is something after the last complete element: part of another, or of its end.
    public var hasUnfinishedInput: Bool { builder.isInsideStanza || fed > builder.lastEventEnd }

    /// Reads the next bytes.
    ///
    /// - Returns: what became complete with them.
    /// - Throws: `XMLStreamError`, now and ever after: there is no way back into a broken stream. What was complete
    ///   before the error is lost with it.
    public func parse(_ bytes: [UInt8]) throws(XMLStreamError) -> [Event] {
        if let failure { throw failure }
        do throws(XMLStreamError) {
            // In pieces, so that no more than one is read beyond a limit.
            var rest = bytes[...]
            while !rest.isEmpty {
                try feed(rest.prefix(Self.piece))
                rest = rest.dropFirst(Self.piece)
            }
        } catch {
            failure = error
            throw error
        }
        return builder.takeEvents()
    }

    private static let piece = 16 << 10

    private func feed(_ bytes: ArraySlice<UInt8>) throws(XMLStreamError) {
        let status = bytes.withUnsafeBytes {
            XML_Parse(parser, $0.assumingMemoryBound(to: CChar.self).baseAddress, Int32($0.count), 0)
        }
        fed += bytes.count
        if let failure = builder.failure { throw failure }
        guard status == XML_STATUS_OK else {
            let code = XML_GetErrorCode(parser)
            throw .malformed(XML_ErrorString(code).map { String(cString: $0) } ?? "code \(code.rawValue)")
        }
        try builder.check(fed: fed)
    }
}
