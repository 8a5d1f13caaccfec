// SPDX-License-Identifier: GPL-3.0-or-later

/// What somebody looks for, as an expression of FTS5's in which nothing but words can be.
enum FTSQuery {
    /// More than that of it is not looked at, in Unicode scalars.
    static let longest = 1000

    /// All words, the last as a beginning; nil where there is none.
    static func expression(_ words: String) -> String? {
        // By scalars: an accent after a quote makes another character of it, and a quote all the same for SQLite, as
        // a NUL ends its text.
        let parts = words.unicodeScalars.prefix(longest)
            .split { $0.properties.isWhitespace || $0 == "\0" }
            .map { word in
                let doubled = word.flatMap { $0 == "\"" ? [$0, $0] : [$0] }
                return "\"" + String(String.UnicodeScalarView(doubled)) + "\""
            }
        return parts.isEmpty ? nil : parts.joined(separator: " ") + "*"
    }
}
