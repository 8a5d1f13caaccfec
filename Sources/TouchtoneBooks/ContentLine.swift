// SPDX-License-Identifier: GPL-3.0-or-later

internal import TouchtoneCore

/// A content line of a vCard (RFC 6350, 3.3), including what only versions 2.1 and 3.0 allow: quoted-printable, base64
/// and character sets.
struct ContentLine {
    let header: ContentLineHeader
    /// The unescaped values between semicolons (in CATEGORIES, between commas); base64 is one unchanged value.
    let values: [String]

    /// Parses an unfolded line without its end and control characters; nil if it is not a content line.
    ///
    /// A card older than version 3.0 (`isOld`) may use any character set without naming it.
    init?(_ line: [UInt8], isOld: Bool) {
        guard let header = ContentLineHeader(line) else { return nil }
        self.header = header
        let value = line[header.valueStart...]
        let separator = UInt8(ascii: header.name == "CATEGORIES" ? "," : ";")
        let text = { (bytes: [UInt8]) in Charset.text(bytes, charset: header.charset, isOld: isOld) }
        if header.isBase64 {
            values = [String(decoding: value, as: UTF8.self)]
        } else if header.isQuotedPrintable, header.isStateful {
            // A semicolon may be a part of a character.
            values = Self.split(Array(text(Self.unquoted(Array(value))).utf8)[...], at: separator)
                .map { Self.clean(String(decoding: $0, as: UTF8.self)) }
        } else if header.isQuotedPrintable {
            // Encoded separators do not separate values.
            values = Self.split(value, at: separator).map { Self.clean(text(Self.unquoted($0))) }
        } else {
            // In some character sets, a byte of a character looks like a backslash.
            values = Self.split(Array(text(Array(value)).utf8)[...], at: separator)
                .map { Self.clean(String(decoding: $0, as: UTF8.self)) }
        }
    }

    /// Whether the line names a character set that is not supported, and so may be read wrongly.
    var hasUnknownCharset: Bool {
        header.charset.map { Charset($0) == nil } == true
            && values.contains { $0.utf8.contains { $0 >= 0x80 } }
    }

    var name: String { header.name }

    /// The whole value, for properties in which semicolons do not separate.
    var text: String { values.joined(separator: ";") }

    /// The bytes of a base64 value, or nil if the value is not in base64.
    var bytes: [UInt8]? { header.isBase64 ? Base64.decoded(text.utf8) ?? [] : nil }

    /// Splits a value at its separators and removes escapes (RFC 6350, 3.4); an unknown escape stays.
    private static func split(_ bytes: ArraySlice<UInt8>, at separator: UInt8) -> [[UInt8]] {
        var (values, value) = ([[UInt8]](), [UInt8]())
        var isEscaped = false
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "n") where isEscaped, UInt8(ascii: "N") where isEscaped: value.append(0x0A)
            case UInt8(ascii: "\\") where isEscaped, UInt8(ascii: ",") where isEscaped,
                UInt8(ascii: ";") where isEscaped:
                value.append(byte)
            case _ where isEscaped: value += [UInt8(ascii: "\\"), byte]
            case UInt8(ascii: "\\"):
                isEscaped = true
                continue
            case separator:
                values.append(value)
                value = []
            default: value.append(byte)
            }
            isEscaped = false
        }
        if isEscaped { value.append(UInt8(ascii: "\\")) }
        return values + [value]
    }

    /// Returns the bytes that quoted-printable text encodes (RFC 2045, 6.7); an equals sign that encodes nothing stays.
    private static func unquoted(_ text: [UInt8]) -> [UInt8] {
        var (bytes, index) = ([UInt8](), 0)
        while index < text.count {
            if text[index] == UInt8(ascii: "="), index + 2 < text.count,
                let high = text[index + 1].hexDigit, let low = text[index + 2].hexDigit
            {
                bytes.append(high << 4 | low)
                index += 3
            } else {
                bytes.append(text[index])
                index += 1
            }
        }
        return bytes
    }

    /// Returns a text without control characters other than tabs and line feeds.
    private static func clean(_ text: String) -> String {
        guard text.utf8.contains(where: isControl) else { return text }
        return String(decoding: text.utf8.filter { !isControl($0) }, as: UTF8.self)
    }

    private static func isControl(_ byte: UInt8) -> Bool {
        byte < 0x20 && byte != 0x0A && byte != 0x09 || byte == 0x7F
    }
}
