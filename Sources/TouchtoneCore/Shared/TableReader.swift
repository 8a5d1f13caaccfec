// SPDX-License-Identifier: GPL-3.0-or-later

/// The records of a text of comma-separated values (RFC 4180), as apps and spreadsheets write them.
///
/// Semicolons and tabs separate fields, too, and lines end with LF, CR or both. The work is linear in the text’s length, whatever
/// it contains.
struct TableReader {
    /// The text has more records than may be read.
    struct TooLong: Error {}

    /// The longest field, in bytes; a longer one is left empty, with no part of it.
    static let maximumField = 1024
    /// The fields of a record that are read.
    static let maximumFields = 256
    /// The longest text between two quotes, in bytes: a quote without another one within this length is a character like others.
    private static let maximumQuoted = 1 << 16
    /// The quotes without another one that are looked for; a text with more of them has no quotes.
    private static let maximumStray = 16

    private let bytes: ArraySlice<UInt8>
    private let separator: UInt8
    private var index: Int
    private var stray = 0

    /// Returns the records that are not empty, each with one field or more.
    ///
    /// - Parameter maximum: The greatest number of records.
    static func records(in text: [UInt8], maximum: Int) throws(TooLong) -> [[String]] {
        var rest = text[...]
        // The mark at the beginning of a text file is no part of the first field.
        if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
        var separator = likelySeparator(in: rest)
        let first = rest.prefix { !isLineEnd($0) }
        // Excel takes, and others write, a first line that names the separator.
        if first.count == 5, first.starts(with: "sep=".utf8), let named = first.last {
            (separator, rest) = (named, rest.dropFirst(first.count))
        }
        var reader = TableReader(bytes: rest, separator: separator, index: rest.startIndex)
        var records: [[String]] = []
        while let record = reader.next() {
            guard record.contains(where: { !$0.trimmed.isEmpty }) else { continue }
            guard records.count < maximum else { throw TooLong() }
            records.append(record)
        }
        return records
    }

    private init(bytes: ArraySlice<UInt8>, separator: UInt8, index: Int) {
        (self.bytes, self.separator, self.index) = (bytes, separator, index)
    }

    /// Returns the most frequent separator in the first line that has one.
    private static func likelySeparator(in text: ArraySlice<UInt8>) -> UInt8 {
        var counts = [0, 0, 0]
        var isQuoted = false
        for byte in text {
            if byte == quote { isQuoted.toggle() }
            if !isQuoted, isLineEnd(byte), counts != [0, 0, 0] { break }
            if !isQuoted, let kind = separators.firstIndex(of: byte) { counts[kind] += 1 }
        }
        let most = counts.max() ?? 0
        return separators[counts.firstIndex(of: most) ?? 0]
    }

    private static let separators = Array("\t;,".utf8)
    private static let quote = UInt8(ascii: "\"")

    private static func isLineEnd(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
    }

    /// Returns the next record, which may be an empty line; nil at the end.
    private mutating func next() -> [String]? {
        guard index < bytes.endIndex else { return nil }
        var fields: [String] = []
        while true {
            let field = nextField()
            if fields.count < Self.maximumFields { fields.append(field) }
            guard index < bytes.endIndex else { return fields }
            let end = bytes[index]
            index += 1
            if end != separator { return fields }
        }
    }

    /// Returns the field that begins here, and goes to the separator or the end of the line behind it.
    private mutating func nextField() -> String {
        var field: [UInt8] = []
        if index < bytes.endIndex, bytes[index] == Self.quote, let end = quotedEnd() {
            var inside = index + 1
            while inside < end {
                field.append(bytes[inside])
                inside += bytes[inside] == Self.quote ? 2 : 1
            }
            index = end + 1
        }
        let start = index
        while index < bytes.endIndex, bytes[index] != separator, !Self.isLineEnd(bytes[index]) { index += 1 }
        field += bytes[start..<index]
        return field.count <= Self.maximumField ? String(decoding: field, as: UTF8.self) : ""
    }

    /// Returns the place of the quote that ends the field; nil if there is none.
    private mutating func quotedEnd() -> Int? {
        guard stray < Self.maximumStray else { return nil }
        let limit = min(bytes.endIndex, index + Self.maximumQuoted)
        var end = index + 1
        while end < limit {
            if bytes[end] != Self.quote {
                end += 1
            } else if end + 1 < bytes.endIndex, bytes[end + 1] == Self.quote {
                end += 2
            } else {
                return end
            }
        }
        stray += 1
        return nil
    }
}
