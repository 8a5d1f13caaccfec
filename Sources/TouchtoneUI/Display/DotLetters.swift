// SPDX-License-Identifier: GPL-3.0-or-later

/// The letters of the dot matrix: five columns and seven rows of dots each.
enum DotLetters {
    static let rows = 7
    /// The columns of a space.
    private static let space = 3

    /// Returns a text as columns of dots, of which bit 0 is the top; nil if a letter is not in the table.
    static func columns(of text: String) -> [UInt16]? {
        var columns: [UInt16] = []
        for character in text {
            if character == " " {
                columns += repeatElement(0, count: space)
                continue
            }
            guard let letter = letters[character] else { return nil }
            columns += letter
            columns.append(0)
        }
        if columns.last == 0, text.last != " " { columns.removeLast() }
        return columns
    }

    /// Returns the end of the last letter that ends at or before a column, where a text that is too long can be cut.
    static func cut(_ columns: [UInt16], to width: Int) -> Int {
        guard columns.count > width else { return columns.count }
        return columns[..<max(0, width)].lastIndex(of: 0) ?? 0
    }

    /// Returns the dots at the end of a cut text, on the lowest of the rows for letters without a descender.
    static func ellipsis(rows: Int = rows) -> [UInt16] {
        rows == Self.rows
            ? [0, 0x40, 0, 0x40, 0, 0x40] : [0, 0, 0xC00, 0xC00, 0, 0, 0xC00, 0xC00, 0, 0, 0xC00, 0xC00]
    }

    private static let letters: [Character: [UInt16]] = table.mapValues { rows in
        columns(ofRows: rows)
    }.merging(
        narrow.compactMap { character in
            table[character].map { (character, trimmed(columns(ofRows: $0))) }
        }, uniquingKeysWith: { $1 })

    private static func columns(ofRows rows: UInt64) -> [UInt16] {
        (0..<5).map { column in
            (0..<UInt16(Self.rows)).reduce(into: 0) { bits, row in
                let byte = rows >> (8 * UInt64(Self.rows - 1 - Int(row)))
                if byte >> UInt64(4 - column) & 1 == 1 { bits |= 1 << row }
            }
        }
    }

    private static func trimmed(_ columns: [UInt16]) -> [UInt16] {
        Array(columns.drop { $0 == 0 }.reversed().drop { $0 == 0 }.reversed())
    }

    /// The letters that are as wide as their dots, because five columns would tear a word apart.
    private static let narrow: [Character] = [
        "I", ".", ":", ";", "'", "\"", "!", ",", "(", ")", "[", "]", "{", "}", "|", "`", "-", "·", "1",
    ]

    /// The rows of each letter from the top, a byte each; bit 4 is the leftmost dot.
    private static let table: [Character: UInt64] = [
        "A": 0x0E_11_11_1F_11_11_11, "B": 0x1E_11_11_1E_11_11_1E, "C": 0x0E_11_10_10_10_11_0E,
        "D": 0x1C_12_11_11_11_12_1C, "E": 0x1F_10_10_1E_10_10_1F, "F": 0x1F_10_10_1E_10_10_10,
        "G": 0x0E_11_10_17_11_11_0F, "H": 0x11_11_11_1F_11_11_11, "I": 0x0E_04_04_04_04_04_0E,
        "J": 0x07_02_02_02_02_12_0C, "K": 0x11_12_14_18_14_12_11, "L": 0x10_10_10_10_10_10_1F,
        "M": 0x11_1B_15_15_11_11_11, "N": 0x11_19_15_13_11_11_11, "O": 0x0E_11_11_11_11_11_0E,
        "P": 0x1E_11_11_1E_10_10_10, "Q": 0x0E_11_11_11_15_12_0D, "R": 0x1E_11_11_1E_14_12_11,
        "S": 0x0F_10_10_0E_01_01_1E, "T": 0x1F_04_04_04_04_04_04, "U": 0x11_11_11_11_11_11_0E,
        "V": 0x11_11_11_11_11_0A_04, "W": 0x11_11_11_11_15_15_0A, "X": 0x11_11_0A_04_0A_11_11,
        "Y": 0x11_11_0A_04_04_04_04, "Z": 0x1F_01_02_04_08_10_1F,
        "0": 0x04_0A_11_11_11_0A_04, "1": 0x04_0C_04_04_04_04_0E, "2": 0x0E_11_01_02_04_08_1F,
        "3": 0x0E_11_01_06_01_11_0E, "4": 0x02_06_0A_12_1F_02_02, "5": 0x1F_10_1E_01_01_11_0E,
        "6": 0x06_08_10_1E_11_11_0E, "7": 0x1F_01_02_04_08_08_08, "8": 0x0E_11_11_0E_11_11_0E,
        "9": 0x0E_11_11_0F_01_02_0C,
        "-": 0x00_00_00_0E_00_00_00, ".": 0x00_00_00_00_00_0C_0C, ":": 0x00_0C_0C_00_0C_0C_00,
        ";": 0x00_0C_0C_00_0C_04_08, ",": 0x00_00_00_00_04_04_08, "+": 0x00_04_04_1F_04_04_00,
        "(": 0x02_04_08_08_08_04_02, ")": 0x08_04_02_02_02_04_08, "?": 0x0E_11_01_02_04_00_04,
        "!": 0x04_04_04_04_04_00_04, "/": 0x01_01_02_04_08_10_10, "'": 0x04_04_08_00_00_00_00,
        "*": 0x00_15_0E_1F_0E_15_00, "#": 0x0A_0A_1F_0A_1F_0A_0A, "@": 0x0E_11_17_15_17_10_0E,
        ">": 0x00_04_02_1F_02_04_00, "<": 0x00_04_08_1F_08_04_00, "·": 0x00_00_00_04_00_00_00,
        "\"": 0x0A_0A_0A_00_00_00_00, "$": 0x04_0F_14_0E_05_1E_04, "%": 0x18_19_02_04_08_13_03,
        "&": 0x08_14_14_08_15_12_0D, "=": 0x00_00_1F_00_1F_00_00, "[": 0x0E_08_08_08_08_08_0E,
        "\\": 0x10_10_08_04_02_01_01, "]": 0x0E_02_02_02_02_02_0E, "^": 0x04_0A_11_00_00_00_00,
        "_": 0x00_00_00_00_00_00_1F, "`": 0x08_04_02_00_00_00_00, "{": 0x02_04_04_08_04_04_02,
        "|": 0x04_04_04_04_04_04_04, "}": 0x08_04_04_02_04_04_08, "~": 0x00_00_08_15_02_00_00,
    ]
}
