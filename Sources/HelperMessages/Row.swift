// SPDX-License-Identifier: GPL-3.0-or-later

/// A line of texts that are separated by tabs.
enum Row {
    private static let (tab, newline, backslash) = (
        UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\\")
    )

    /// Returns the line for texts, without its end.
    static func line(of fields: [String]) -> [UInt8] {
        var line: [UInt8] = []
        for (index, field) in fields.enumerated() {
            if index > 0 { line.append(tab) }
            for byte in field.utf8 {
                switch byte {
                case tab: line += "\\t".utf8
                case newline: line += "\\n".utf8
                case backslash: line += "\\\\".utf8
                default: line.append(byte)
                }
            }
        }
        return line
    }

    /// Returns the texts in a line; nil unless it is the line for them.
    static func fields(of line: some Collection<UInt8>) -> [String]? {
        var fields: [String] = []
        for part in line.split(separator: tab, omittingEmptySubsequences: false) {
            guard let bytes = unescaped(part), let text = String(validating: bytes, as: UTF8.self) else {
                return nil
            }
            fields.append(text)
        }
        return fields
    }

    private static func unescaped(_ part: some Collection<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = part.makeIterator()
        while let byte = rest.next() {
            guard byte == backslash else {
                if byte == newline { return nil }
                bytes.append(byte)
                continue
            }
            switch rest.next() {
            case UInt8(ascii: "t"): bytes.append(tab)
            case UInt8(ascii: "n"): bytes.append(newline)
            case backslash: bytes.append(backslash)
            default: return nil
            }
        }
        return bytes
    }
}
