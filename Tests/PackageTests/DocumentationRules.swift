// SPDX-License-Identifier: GPL-3.0-or-later

/// The targets of links in a Markdown text, and the anchors that its headings have on GitHub.
struct MarkdownLinks {
    /// The targets of inline links and pictures, in order, without those on other sites.
    let targets: [String]
    /// The anchors of the headings.
    let anchors: Set<String>

    init(_ text: String) {
        // Indented lines are code, and a backslash of a regular expression may occur in them.
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .filter { !$0.hasPrefix("    ") }
        // A link's text may be broken at the end of a line.
        targets = lines.joined(separator: " ").matches(of: /\]\(([^)\s]+)\)/)
            .map { String($0.output.1) }
            .filter { !$0.contains("://") }
        anchors = Set(lines.filter { $0.hasPrefix("#") }.map { Self.anchor(of: $0) })
    }

    /// Returns the anchor of a heading: GitHub drops its case and punctuation, and writes hyphens for its spaces.
    private static func anchor(of heading: Substring) -> String {
        let title = heading.drop { $0 == "#" }.drop { $0 == " " }
        return String(
            title.lowercased().compactMap { character in
                if character == " " { return "-" }
                return character.isLetter || character.isNumber || character == "-" || character == "_"
                    ? character : nil
            })
    }
}
