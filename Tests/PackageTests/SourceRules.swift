// SPDX-License-Identifier: GPL-3.0-or-later

/// The rules that can be checked in a source text.
enum SourceRules {
    /// The first line of each source.
    static let license = "SPDX-License-Identifier: GPL-3.0-or-later"

    /// The maximum number of lines in a file.
    static let maximumFileLength = 400

    /// The constructs that require a reason in a comment, on the same line or the one above.
    static let needingReason = ["try!", "fatalError(", "@unchecked Sendable", "nonisolated(unsafe)"]

    /// Returns the numbers of the lines that use one of `needingReason` without a comment.
    static func unexplained(in text: String) -> [Int] {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        return lines.indices.filter { index in
            let code = lines[index].prefix(upTo: commentStart(of: lines[index]))
            guard needingReason.contains(where: code.contains) else { return false }
            return !hasComment(lines[index]) && !(index > 0 && hasComment(lines[index - 1]))
        }.map { $0 + 1 }
    }

    /// Returns the numbers of the lines whose documentation comment starts with a relative clause instead of a noun or
    /// a verb, or creates an unnamed thing.
    static func headless(in lines: [Substring]) -> [Int] {
        let starts = ["What ", "Who ", "Whom ", "Creates it.", "Creates one.", "Creates them."].map {
            "/// " + $0
        }
        return lines.indices.filter { index in
            let line = lines[index].drop { $0 == " " }
            return starts.contains { line.hasPrefix($0) }
        }.map { $0 + 1 }
    }

    private static func hasComment(_ line: Substring) -> Bool { commentStart(of: line) < line.endIndex }

    /// Returns the start of a line's comment; the slashes of an address do not count, because a colon precedes them.
    private static func commentStart(of line: Substring) -> Substring.Index {
        var before: Character = " "
        for index in line.indices {
            if line[index...].hasPrefix("//"), before != ":" { return index }
            before = line[index]
        }
        return line.endIndex
    }
}
