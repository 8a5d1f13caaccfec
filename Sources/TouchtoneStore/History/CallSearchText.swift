// SPDX-License-Identifier: GPL-3.0-or-later

internal import TouchtoneCore

/// What calls are found by: a part of the name, the number or the address, whatever its case and accents.
enum CallSearchText {
    /// More than that of a name, an address or what somebody looks for is not looked at, in Unicode scalars.
    static let longest = 200

    /// What is searched of a call, a line for each.
    static func searched(of call: PastCall) -> String {
        [folded(call.remote.displayName), call.remote.number.text, folded(call.remote.address)].joined(
            separator: "\n")
    }

    /// A text in its plainest form: without case, accents, controls, and blanks that are more than one.
    ///
    /// By Unicode's case folding and compatibility decomposition, and without the strokes of letters that it takes for
    /// others of their own.
    static func folded(_ text: String) -> String {
        // Marks fold to nothing, and a letter may have many.
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

    /// The digits of a number that was typed in any form; nil where it is no number.
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

    /// Keys of numbers as JSON; what can't be the key of a call is left out.
    static func json(_ keys: [NumberKey]) -> String {
        // There may be as many as there are contacts.
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
