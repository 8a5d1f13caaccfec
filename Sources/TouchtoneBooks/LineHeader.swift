// SPDX-License-Identifier: GPL-3.0-or-later

/// What is before a content line's value, looked at before the line is given to the parser.
///
/// It tells how much there is of it, and in which encoding; what it means is for the parser to say.
struct LineHeader {
    /// The line's name, without the group, in upper case; empty for one that is very long.
    let name: String
    /// Where the value begins; nil where there is none.
    let valueStart: Int?
    /// Whether the name, and the group before it, are of letters and digits of ASCII, `-` and `_`, and no parameter has a
    /// comma in its name, or quotation marks and two equals signs.
    ///
    /// Of others the parser forgets to free what it has read.
    let isSound: Bool
    /// How many semicolons and commas are in it: each costs the parser a walk along all before.
    let separators: Int

    private let bytes: ArraySlice<UInt8>

    /// How many bytes it has at most.
    static let longest = 4096
    private static let longestName = 64

    /// Looks at a line.
    init(_ line: [UInt8]) {
        var isQuoted = false
        var separators = 0
        var (nameStart, nameEnd) = (line.startIndex, line.startIndex)
        var colon: Int?
        var (isSound, dots) = (true, 0)
        // Of the parameter: whether there was a comma, a quotation mark, and how many equals signs.
        var (isParted, hasMark, equals) = (false, false, 0)
        for (index, byte) in line.prefix(Self.longest).enumerated() {
            switch byte {
            case UInt8(ascii: "\"") where separators > 0:
                isQuoted.toggle()
                hasMark = true
                if equals > 1 { isSound = false }
            case UInt8(ascii: ";"):
                separators += 1
                if !isQuoted { (isParted, hasMark, equals) = (false, false, 0) }
            case UInt8(ascii: ",") where separators > 0:
                separators += 1
                if !isQuoted { isParted = true }
            case UInt8(ascii: "=") where separators > 0 && !isQuoted:
                if equals == 0 ? isParted : hasMark { isSound = false }
                equals += 1
            case UInt8(ascii: ".") where separators == 0:
                nameStart = index + 1
                dots += 1
            case UInt8(ascii: ":") where !isQuoted: colon = index
            default: isSound = isSound && (separators > 0 || Self.isOfName(byte))
            }
            if colon != nil { break }
            if separators == 0 { nameEnd = index + 1 }
        }
        bytes = line[..<(colon ?? min(line.count, Self.longest))]
        valueStart = colon.map { $0 + 1 }
        self.separators = separators
        self.isSound =
            isSound && dots < 2 && nameStart < nameEnd && line.first != UInt8(ascii: ".")
        name =
            nameStart < nameEnd && nameEnd - nameStart <= Self.longestName
            ? String(decoding: line[nameStart..<nameEnd], as: UTF8.self).uppercased() : ""
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// Whether the value is quoted-printable.
    var isQuotedPrintable: Bool {
        parameters.contains { $0 == "QUOTED-PRINTABLE" || $0 == "ENCODING=QUOTED-PRINTABLE" }
    }

    /// Whether each parameter has a name, as from version 3 on, and the value is in no encoding that later versions lack.
    var isModern: Bool {
        parameters.allSatisfy {
            $0.contains("=") && !$0.contains("QUOTED-PRINTABLE") && !$0.hasPrefix("CHARSET")
        }
    }

    /// Whether the value is in base64.
    var isBase64: Bool { parameters.contains { $0 == "ENCODING=B" || $0 == "ENCODING=BASE64" } }

    /// The value of the parameter CHARSET; nil where it is not told.
    var charset: Substring? {
        parameters.first { $0.hasPrefix("CHARSET=") }?.dropFirst("CHARSET=".count)
    }

    private var parameters: [Substring] {
        guard separators > 0 else { return [] }
        var isQuoted = false
        let parts = String(decoding: bytes, as: UTF8.self).uppercased().split { character in
            if character == "\"" { isQuoted.toggle() }
            return character == ";" && !isQuoted
        }
        return Array(parts.dropFirst())
    }
}
