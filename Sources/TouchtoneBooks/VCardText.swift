// SPDX-License-Identifier: GPL-3.0-or-later

internal import TouchtoneCore

enum VCardText {
    /// Returns a text as the value of a line (RFC 6350, 3.4).
    static func escaped(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case ",": result += "\\,"
            case ";": result += "\\;"
            default: result.unicodeScalars.append(scalar)
            }
        }
    }

    /// Returns a text as one line, without surrounding white space, cut to the maximum length in a contact.
    static func line(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { isControl($0) }) else { return cut(text) }
        return cut(String(String.UnicodeScalarView(text.unicodeScalars.map { isControl($0) ? " " : $0 })))
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control
    }

    private static func cut(_ text: String) -> String {
        let trimmed = trimmed(text)
        return trimmed.utf8.count <= ContactCard.maximumTextLength
            ? trimmed : VCardText.trimmed(String(trimmed.prefix(ContactCard.maximumTextLength)))
    }

    static func trimmed(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard let start = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let end = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        return String(scalars[start...end])
    }

    /// Returns a structured name as one text (RFC 6350, 6.2.2: family, given, additional, prefixes, suffixes).
    static func name(ofParts parts: [String]) -> String {
        let at = { (index: Int) in parts.indices.contains(index) ? trimmed(parts[index]) : "" }
        return line([3, 1, 2, 0, 4].map(at).filter { !$0.isEmpty }.joined(separator: " "))
    }

    /// Returns the value of the line N for a name without known parts: the last word becomes the family name.
    static func structured(_ name: String) -> String {
        let words = name.split(separator: " ")
        guard words.count > 1, let family = words.last else { return ";\(escaped(name));;;" }
        return "\(escaped(String(family)));\(escaped(words.dropLast().joined(separator: " ")));;;"
    }
}
