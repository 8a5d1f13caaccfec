// SPDX-License-Identifier: GPL-3.0-or-later

internal import TouchtoneCore

/// A reader of files with many vCards, which finds where cards begin and end and passes on the lines in between.
enum VCardFile {
    static let maximumCards = 100_000

    /// Reads a file, or returns nil if it contains no card.
    static func read(_ bytes: [UInt8]) -> VCardReadResult? {
        // Some programs write UTF-16.
        if let text = UTF16Text.utf8(bytes) { return read(text) }
        return bytes.withUnsafeBufferPointer { read(ContentLineScanner($0)) }
    }

    private static func read(_ scanner: ContentLineScanner) -> VCardReadResult? {
        var scanner = scanner
        var result = VCardReadResult(contacts: [])
        var draft: VCardContactBuilder?
        // Nested cards, which version 2.1 uses for agents, are skipped.
        var (depth, awaitsInner) = (0, false)
        while let line = scanner.next() {
            switch boundary(in: line) {
            case .begin where draft != nil && (depth > 0 || awaitsInner): depth += 1
            case .begin:
                // The previous card had no end.
                if draft != nil { result.unreadable += 1 }
                draft = result.contacts.count < maximumCards ? VCardContactBuilder() : nil
                if draft == nil { result.unreadable += 1 }
            case .end where depth > 0: depth -= 1
            case .end:
                if let draft { finish(draft, in: &result) }
                draft = nil
            case nil where depth == 0: draft?.add(line)
            case nil: break
            }
            awaitsInner = draft != nil && depth == 0 && isAgent(line)
        }
        // The file is cut off, possibly in the middle of a number, so the last card is not imported.
        if draft != nil { result.unreadable += 1 }
        return result.contacts.isEmpty && result.unreadable == 0 && result.lists == 0 ? nil : result
    }

    private static func finish(_ draft: VCardContactBuilder, in result: inout VCardReadResult) {
        guard !draft.isList else {
            result.lists += 1
            return
        }
        guard let contact = draft.contact() else {
            result.unreadable += 1
            return
        }
        result.contacts.append(contact)
        result.photosLeftOut += draft.photosLeftOut
        if draft.hasUnknownCharset { result.unknownCharsets += 1 }
    }

    private static func isAgent(_ line: ContentLineScanner.Line) -> Bool {
        line.bytes.first.map { $0 | 0x20 } == UInt8(ascii: "a")
            && ContentLineHeader(line.bytes)?.name == "AGENT"
    }

    private enum Boundary { case begin, end }

    private static func boundary(in line: ContentLineScanner.Line) -> Boundary? {
        guard (9..<40).contains(line.bytes.count), let first = line.bytes.first.map({ $0 | 0x20 }),
            first == UInt8(ascii: "b") || first == UInt8(ascii: "e")
        else { return nil }
        let words = String(decoding: line.bytes, as: UTF8.self).uppercased().split(separator: ":")
            .map { VCardText.trimmed(String($0)) }
        guard words.count == 2, words[1] == "VCARD" else { return nil }
        return words[0] == "BEGIN" ? .begin : words[0] == "END" ? .end : nil
    }
}

/// The conversion of UTF-16 with a byte order mark.
enum UTF16Text {
    /// Returns the text in UTF-8, or nil if it is not UTF-16.
    static func utf8(_ bytes: [UInt8]) -> [UInt8]? {
        let isLittle = bytes.starts(with: [0xFF, 0xFE])
        guard isLittle || bytes.starts(with: [0xFE, 0xFF]) else { return nil }
        let units = stride(from: 2, to: bytes.count - 1, by: 2).lazy.map { index in
            isLittle
                ? UInt16(bytes[index]) | UInt16(bytes[index + 1]) << 8
                : UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1])
        }
        return Array(String(decoding: Array(units), as: UTF16.self).utf8)
    }
}
