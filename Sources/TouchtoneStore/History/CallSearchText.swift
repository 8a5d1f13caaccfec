// SPDX-License-Identifier: GPL-3.0-or-later

internal import TouchtoneCore

/// The searchable text of calls: a part of the name, the number, the address or a typed line matches, regardless of case and
/// accents.
enum CallSearchText {
    /// The maximum length of a name, an address or a query that is considered, in Unicode scalars.
    static let longest = 200

    /// The code of the character between what tells of the far end and the typed lines; no query has it.
    static let linesMark = 0x1E

    /// Returns the searchable text of a call: its name, number and address, one per line, and then the typed lines, if any.
    static func searched(of call: PastCall, _ text: KeptCallText = KeptCallText()) -> String {
        let farEnd = [
            folded(call.remote.displayName), call.remote.number.text, folded(call.remote.address),
        ].joined(separator: "\n")
        guard !text.lines.isEmpty else { return farEnd }
        let lines = text.lines.map { folded($0.text, longest: CallText.maximumLine) }
        return farEnd + "\u{1E}" + lines.joined(separator: "\n")
    }

    /// Returns a text in a normal form without case, accents, control characters and repeated spaces.
    ///
    /// It uses Unicode's case folding and compatibility decomposition, and replaces letters with strokes, which Unicode
    /// does not decompose.
    static func folded(_ text: String) -> String { folded(text, longest: longest) }

    /// Returns the beginning of a text in the same form.
    private static func folded(_ text: String, longest: Int) -> String {
        // Combining marks are dropped, and a letter may have many.
        let part = String(String.UnicodeScalarView(text.unicodeScalars.prefix(10 * longest)))
        var folded = String.UnicodeScalarView()
        var isBetween = true
        for scalar in TextFolding.plain(part).unicodeScalars {
            switch scalar.properties.generalCategory {
            case .nonspacingMark, .enclosingMark, .format: continue
            case .spaceSeparator:
                if !isBetween { folded.append(" ") }
                isBetween = true
            default:
                if let letters = strokes[scalar] {
                    folded.append(contentsOf: letters.unicodeScalars)
                } else {
                    folded.append(scalar)
                }
                isBetween = false
            }
            if folded.count >= longest { break }
        }
        if folded.last == " " { folded.removeLast() }
        return String(folded)
    }

    /// Returns the digits of a number typed in any form, or nil if the text is not a number.
    static func digits(_ text: String) -> String? {
        var digits = ""
        for scalar in text.unicodeScalars.prefix(longest) {
            let properties = scalar.properties
            if properties.numericType == .decimal, let value = properties.numericValue {
                digits += String(Int(value))
            } else if scalar == "*" || scalar == "#" {
                digits.unicodeScalars.append(scalar)
            } else if !properties.isWhitespace, properties.generalCategory != .dashPunctuation,
                properties.generalCategory != .format, !"+()./".unicodeScalars.contains(scalar)
            {
                return nil
            }
        }
        return digits.isEmpty ? nil : digits
    }

    /// Returns number keys as a JSON array, without those that no call can have.
    static func json(_ keys: [NumberKey]) -> String {
        // The array is built by hand, since there may be as many keys as contacts.
        var json = "["
        for key in keys where key.text.utf8.allSatisfy(isOfKey) {
            json += json.utf8.count > 1 ? ",\"" : "\""
            json += key.text
            json += "\""
        }
        return json + "]"
    }

    private static func isOfKey(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "*"), UInt8(ascii: "#"): true
        default: false
        }
    }

    private static let strokes: [Unicode.Scalar: String] = [
        "ø": "o", "đ": "d", "ð": "d", "ł": "l", "ħ": "h", "ı": "i", "ĸ": "k", "ŋ": "n", "ŧ": "t", "þ": "t",
        "æ": "ae",
        "œ": "oe",
    ]
}
