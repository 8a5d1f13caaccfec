// SPDX-License-Identifier: GPL-3.0-or-later

/// Makes of a line of a file what the parser may be given: UTF-8 without control characters, with a bound on what costs
/// it more than its length.
enum LinePreparation {
    /// How many semicolons, or commas where they part, a line has at most: the parser walks along all before for each.
    static let mostSeparators = 64

    /// The line for the parser; nil where it is none, or has too many parts.
    ///
    /// - Parameter isOld: whether the card is of a version before 3, in which any character set may be used untold.
    static func prepared(_ line: [UInt8], header: LineHeader, isOld: Bool) -> [UInt8]? {
        guard header.isSound, header.valueStart != nil, header.separators <= mostSeparators else {
            return nil
        }
        var (line, header) = (withKnownCharset(line, header: header), header)
        if line.contains(where: isControl) { line.removeAll(where: isControl) }
        if line.contains(where: { $0 >= 0x80 }), String(validating: line, as: UTF8.self) == nil {
            header = LineHeader(line)
            line = inUTF8(line, header: header, isOld: isOld)
        }
        // What was changed may have taken a quotation mark from another.
        guard let line = withBoundedParts(line, header: header) else { return nil }
        let changed = LineHeader(line)
        return changed.isSound && changed.valueStart != nil ? line : nil
    }

    /// The line with values of parameters that have an equals sign in quotation marks, as in what Apple's programs say of
    /// pictures: the parser takes it for the beginning of a parameter, and forgets the one before for good.
    static func quoted(_ line: [UInt8], header: LineHeader) -> [UInt8] {
        guard let start = header.valueStart, header.separators > 0 else { return line }
        let (equals, mark) = (UInt8(ascii: "="), UInt8(ascii: "\""))
        var isQuoted = false
        let parts = line[..<(start - 1)].split(omittingEmptySubsequences: false) { byte in
            if byte == mark { isQuoted.toggle() }
            return byte == UInt8(ascii: ";") && !isQuoted
        }
        guard parts.contains(where: { $0.lazy.filter { $0 == equals }.count > 1 }) else { return line }
        let result = parts.map { part -> [UInt8] in
            guard !part.contains(mark), let sign = part.firstIndex(of: equals),
                part[(sign + 1)...].contains(equals)
            else { return Array(part) }
            return part[...sign] + [mark] + part[(sign + 1)...] + [mark]
        }
        return Array(result.joined(separator: [UInt8(ascii: ";")])) + line[(start - 1)...]
    }

    private static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 && byte != 0x09 || byte == 0x7F }

    private static func withBoundedParts(_ line: [UInt8], header: LineHeader) -> [UInt8]? {
        let parted = UInt8(ascii: header.name == "CATEGORIES" ? "," : ";")
        guard header.name != "PHOTO", line.lazy.filter({ $0 == parted }).count > mostSeparators else {
            return line
        }
        // In a note they part nothing; some programs forget to escape them.
        guard header.name == "NOTE", let start = LineHeader(line).valueStart else { return nil }
        var isEscaped = false
        return line[..<start]
            + line[start...].flatMap { byte in
                defer { isEscaped = byte == UInt8(ascii: "\\") && !isEscaped }
                return byte == parted && !isEscaped ? [UInt8(ascii: "\\"), byte] : [byte]
            }
    }

    /// A line that is not UTF-8: one that names its character set is handed on in quoted-printable, of which the parser
    /// knows how to make text; of any other what is not UTF-8 is replaced.
    private static func inUTF8(_ line: [UInt8], header: LineHeader, isOld: Bool) -> [UInt8] {
        let named = header.charset.map(String.init)
        guard let start = header.valueStart, let charset = named ?? (isOld ? "WINDOWS-1252" : nil),
            charsets.contains(charset)
        else {
            return Array(String(decoding: line, as: UTF8.self).utf8)
        }
        let isQuoted = header.isQuotedPrintable
        var result = Array(String(decoding: line[..<(start - 1)], as: UTF8.self).utf8)
        if named == nil { result += ";CHARSET=\(charset)".utf8 }
        if !isQuoted { result += ";ENCODING=QUOTED-PRINTABLE".utf8 }
        result.append(UInt8(ascii: ":"))
        for byte in line[start...] {
            if byte >= 0x80 || byte == UInt8(ascii: "=") && !isQuoted {
                result += [UInt8(ascii: "="), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            } else {
                result.append(byte)
            }
        }
        return result
    }

    private static let digits = Array("0123456789ABCDEF".utf8)

    /// The character sets that are read.
    ///
    /// The others of iconv(3) are hardly used, and some of its converters have ended the program on bad input.
    private static let charsets: Set<String> = {
        let numbered = (1...15).map { "ISO-8859-\($0)" } + (0...8).map { "WINDOWS-125\($0)" }
        return Set(
            numbered + ["SHIFT_JIS", "EUC-JP", "EUC-KR", "GB2312", "GBK", "GB18030", "BIG5", "KOI8-R"])
    }()

    /// The line, without the name of a character set that is not read.
    private static func withKnownCharset(_ line: [UInt8], header: LineHeader) -> [UInt8] {
        guard let charset = header.charset, charset != "UTF-8", !charsets.contains(String(charset)),
            let start = header.valueStart
        else { return line }
        let parts = line[..<(start - 1)].split(separator: UInt8(ascii: ";"))
            .filter { !String(decoding: $0, as: UTF8.self).uppercased().hasPrefix("CHARSET=") }
        return Array(parts.joined(separator: [UInt8(ascii: ";")])) + line[(start - 1)...]
    }
}
