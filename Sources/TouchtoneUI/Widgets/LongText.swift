// SPDX-License-Identifier: GPL-3.0-or-later

/// Splits a long message into parts, because the layout of 100,000 characters takes a tenth of a second.
enum LongText {
    /// The maximum number of Unicode scalars and of lines in a part.
    static let maximumScalars = 800
    static let maximumLines = 20

    static func isLong(_ text: String) -> Bool {
        end(of: text[...]) != text.endIndex
    }

    /// Returns the first part of a text.
    static func beginning(of text: String) -> Substring { text[..<end(of: text[...])] }

    /// Returns all parts in order; joined, they are the text.
    static func parts(of text: String) -> [Substring] {
        var parts: [Substring] = []
        var rest = text[...]
        while !rest.isEmpty {
            let end = end(of: rest)
            parts.append(rest[..<end])
            rest = rest[end...]
        }
        return parts.isEmpty ? [text[...]] : parts
    }

    /// Returns the end of the first part: after a line if possible, else between words, else anywhere.
    private static func end(of text: Substring) -> String.Index {
        let scalars = text.unicodeScalars
        var (count, lines) = (0, 0)
        var (afterLine, afterWord): (String.Index?, String.Index?) = (nil, nil)
        var index = scalars.startIndex
        while index < scalars.endIndex {
            let scalar = scalars[index]
            index = scalars.index(after: index)
            count += 1
            if scalar == "\n" {
                lines += 1
                afterLine = index
            } else if scalar == " " {
                afterWord = index
            }
            if lines == maximumLines || count == maximumScalars { break }
        }
        guard index < scalars.endIndex else { return text.endIndex }
        if lines == maximumLines { return afterLine ?? index }
        // Do not split in the first half, because the part would be too short.
        let least = scalars.index(scalars.startIndex, offsetBy: maximumScalars / 2)
        return [afterLine, afterWord].compactMap { $0 }.first { $0 > least }
            ?? boundary(before: index, in: text)
    }

    /// Returns the character boundary at or before an index, or the index if there is none within 16 scalars.
    private static func boundary(before index: String.Index, in text: Substring) -> String.Index {
        let scalars = text.unicodeScalars
        let joiner: Unicode.Scalar = "\u{200d}"
        var near = index
        for _ in 0..<16 {
            let before = scalars.index(before: near)
            if !scalars[near].properties.isGraphemeExtend, scalars[near] != joiner, scalars[before] != joiner
            {
                return near
            }
            near = before
        }
        return index
    }
}
