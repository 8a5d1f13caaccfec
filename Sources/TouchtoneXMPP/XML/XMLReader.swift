// SPDX-License-Identifier: GPL-3.0-or-later

import CExpat

/// A reader of whole tags, based on expat.
///
/// Expat stores every name until it is freed, so a reader is used for a bounded number of bytes.
final class XMLReader {
    private let parser: OpaquePointer
    private let builder: XMLElementBuilder
    private(set) var count = 0

    init() {
        guard let parser = XML_ParserCreateNS("UTF-8", XML_Char(XMLElementBuilder.separator)) else {
            fatalError("no memory for a parser")  // as Swift itself does when out of memory
        }
        self.parser = parser
        builder = XMLElementBuilder(parser: parser)
        XMLHandlers.install(in: parser, for: builder)
    }

    deinit { XML_ParserFree(parser) }

    var unfinished: XMLElement? { builder.unfinished }

    /// Reads bytes that end with a tag, and appends the events that they complete.
    func read(_ bytes: ArraySlice<UInt8>, into events: inout [XMLStreamParser.Event]) throws(XMLStreamError) {
        let status = bytes.withUnsafeBytes {
            XML_Parse(parser, $0.assumingMemoryBound(to: CChar.self).baseAddress, Int32($0.count), 0)
        }
        count += bytes.count
        events += builder.takeEvents()
        if let failure = builder.failure { throw failure }
        guard status == XML_STATUS_OK else {
            let code = XML_GetErrorCode(parser)
            throw .malformed(XML_ErrorString(code).map { String(cString: $0) } ?? "code \(code.rawValue)")
        }
    }
}
