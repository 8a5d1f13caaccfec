// SPDX-License-Identifier: GPL-3.0-or-later

/// Makes text from other people safe to show: it cannot end early, change the direction of nearby text, or exceed a
/// maximum length.
enum PlainText {
    /// Returns a text as one line, such as a name or a status, without characters that change the text direction.
    ///
    /// - Parameter maximum: The maximum length in Unicode scalars; a longer text is cut and ends with an ellipsis.
    static func line(_ text: String, maximum: Int = 200) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(maximum) where !isSteering(scalar) {
            scalars.append(isBreak(scalar) ? " " : visible(scalar))
        }
        if text.unicodeScalars.dropFirst(maximum).first != nil { scalars.append("…") }
        return String(scalars)
    }

    /// Returns the character that is shown for another one: control characters are replaced by their symbols.
    static func visible(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.value {
        case 0x09, 0x0a: scalar
        case 0..<0x20: Unicode.Scalar(0x2400 + scalar.value) ?? "\u{fffd}"
        case 0x7f: "\u{2421}"
        case 0x80..<0xa0: "\u{fffd}"
        default: scalar
        }
    }

    private static func isBreak(_ scalar: Unicode.Scalar) -> Bool {
        ["\n", "\r", "\t", "\u{b}", "\u{c}", "\u{85}", "\u{2028}", "\u{2029}"].contains(scalar)
    }

    private static func isSteering(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x200e, 0x200f, 0x061c, 0x202a...0x202e, 0x2066...0x2069: true
        default: false
        }
    }
}
