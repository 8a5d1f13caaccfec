// SPDX-License-Identifier: GPL-3.0-or-later

/// The conversion of a user's search text to an FTS5 expression that can contain nothing but words.
enum FTSQuery {
    /// The maximum length of a search text that is considered, in Unicode scalars.
    static let longest = 1000

    /// Returns an expression that matches all words, the last one as a prefix, or nil if there are no words.
    static func expression(_ words: String) -> String? {
        // Split by Unicode scalars: a quote followed by a combining accent is a different character to Swift, but still
        // a quote to SQLite. A NUL would end the text for SQLite.
        let parts = words.unicodeScalars.prefix(longest)
            .split { $0.properties.isWhitespace || $0 == "\0" }
            .map { word in
                let doubled = word.flatMap { $0 == "\"" ? [$0, $0] : [$0] }
                return "\"" + String(String.UnicodeScalarView(doubled)) + "\""
            }
        return parts.isEmpty ? nil : parts.joined(separator: " ") + "*"
    }
}
