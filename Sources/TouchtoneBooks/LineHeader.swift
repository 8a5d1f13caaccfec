// SPDX-License-Identifier: GPL-3.0-or-later

/// What is before a content line's value, looked at before the line is given to the parser.
///
/// It tells how much there is of it, and in which encoding; what it means is for the parser to say.
struct LineHeader {
    /// The line's name, without the group, in upper case; empty for one that is very long.
    let name: String
    /// Where the value begins; nil where there is none.
    let valueStart: Int?
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
        for (index, byte) in line.prefix(Self.longest).enumerated() {
            switch byte {
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: ";"), UInt8(ascii: ","): separators += 1
            case UInt8(ascii: ".") where separators == 0: nameStart = index + 1
            case UInt8(ascii: ":") where !isQuoted: colon = index
            default: break
            }
            if colon != nil { break }
            if separators == 0 { nameEnd = index + 1 }
        }
        bytes = line[..<(colon ?? min(line.count, Self.longest))]
        valueStart = colon.map { $0 + 1 }
        self.separators = separators
        name =
            nameStart < nameEnd && nameEnd - nameStart <= Self.longestName
            ? String(decoding: line[nameStart..<nameEnd], as: UTF8.self).uppercased() : ""
    }

    /// Whether one of the parameters has that in it.
    func says(_ word: String) -> Bool { parameters.contains { $0.contains(word) } }

    /// Whether each parameter has a name, as from version 3 on, and the value is in no encoding that later versions lack.
    var isModern: Bool {
        parameters.allSatisfy {
            $0.contains("=") && !$0.contains("QUOTED-PRINTABLE") && !$0.hasPrefix("CHARSET")
        }
    }

    /// The value of the parameter CHARSET; nil where it is not told.
    var charset: Substring? {
        parameters.first { $0.hasPrefix("CHARSET=") }?.dropFirst("CHARSET=".count)
    }

    private var parameters: [Substring] {
        guard separators > 0 else { return [] }
        return Array(String(decoding: bytes, as: UTF8.self).uppercased().split(separator: ";").dropFirst())
    }
}
