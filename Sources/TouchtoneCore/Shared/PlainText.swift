// SPDX-License-Identifier: GPL-3.0-or-later

extension String {
    /// The text without white space at both ends.
    var trimmed: String {
        let start = drop { $0.isWhitespace }
        return start.lastIndex { !$0.isWhitespace }.map { String(start[...$0]) } ?? ""
    }
}

/// Makes text from other people, services and files safe to show: it cannot end early, hide characters, change the
/// direction of nearby text, or exceed a maximum length.
public enum PlainText {
    /// Returns a text as one line, such as a name, a status or a reason.
    ///
    /// Line breaks and tabs become one space between words, and control characters visible symbols. Invisible
    /// characters, including those that change the text direction, are removed; joiners and tags stay, because emoji
    /// and many scripts need them.
    ///
    /// - Parameter maximum: The number of Unicode scalars that are read; a longer text is cut and ends with an
    ///   ellipsis.
    public static func line(_ text: String, maximum: Int = 200) -> String {
        var scalars = String.UnicodeScalarView()
        var isBroken = false
        for scalar in text.unicodeScalars.prefix(maximum) where !isInvisible(scalar) {
            if isBreak(scalar) {
                isBroken = true
                continue
            }
            if isBroken, scalar != " ", let last = scalars.last, last != " " { scalars.append(" ") }
            isBroken = false
            scalars.append(visible(scalar))
        }
        if text.unicodeScalars.dropFirst(maximum).first != nil { scalars.append("…") }
        return String(scalars)
    }

    /// Returns the character to show: control characters other than tabs and line feeds become symbols.
    public static func visible(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.value {
        case 0x09, 0x0a: scalar
        case 0..<0x20: Unicode.Scalar(0x2400 + scalar.value) ?? "\u{fffd}"
        case 0x7f: "\u{2421}"
        case 0x80..<0xa0: "\u{fffd}"
        default: scalar
        }
    }

    private static func isBreak(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09...0x0d, 0x85, 0x2028, 0x2029: true
        default: false
        }
    }

    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x80, 0x200c, 0x200d, 0xe0020...0xe007f: false
        default: scalar.properties.generalCategory == .format && scalar.properties.isDefaultIgnorableCodePoint
        }
    }
}
