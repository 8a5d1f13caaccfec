// SPDX-License-Identifier: GPL-3.0-or-later

/// Names as the display writes them.
public enum DisplayName {
    /// The greatest number of characters, which is several times that of a row.
    public static let maximumLength = 80

    /// Returns one line, in capitals if all letters are in the dot matrix; empty if nothing is visible.
    public static func text(_ name: String) -> String {
        let line = PlainText.line(name, maximum: maximumLength)
        var plain = ""
        for character in line { plain += typewritten[character] ?? String(character) }
        let isASCII = plain.utf8.allSatisfy { $0 < 0x80 }
        return (isASCII ? plain.uppercased() : line).split(separator: " ").joined(separator: " ")
    }

    /// The forms of typographic characters on a typewriter.
    private static let typewritten: [Character: String] = [
        "’": "'", "‘": "'", "“": "\"", "”": "\"", "–": "-", "—": "-", "…": "...", "\u{A0}": " ",
    ]
}
