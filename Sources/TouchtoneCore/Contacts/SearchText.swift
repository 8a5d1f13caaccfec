// SPDX-License-Identifier: GPL-3.0-or-later

/// A name prepared for search: without case and accents, and as T9 digits.
///
/// The platform decomposes letters (`LetterFolding`); this type decides which parts of them count.
struct SearchText: Hashable, Sendable {
    /// The words in lower case without accents.
    let words: [[UInt8]]
    /// The digits of each word: those of its letters on the keypad (ITU-T E.161), and its own digits.
    let digits: [[UInt8]]

    init(_ name: String, by folding: LetterFolding = .simple) {
        words = Self.words(name, by: folding)
        digits = words.map { $0.compactMap(Self.digit) }
    }

    /// Returns whether typed digits match the beginning of a word, and optionally continue in the following words.
    func isTyped(by typed: [UInt8]) -> Bool {
        T9Name.isTyped(digits, by: typed)
    }

    static func words(_ text: String, by folding: LetterFolding = .simple) -> [[UInt8]] {
        folded(text, by: folding).utf8.split(separator: UInt8(ascii: " ")).map(Array.init)
    }

    /// Returns a text in lower case without accents, with one space for each run of characters that are neither letters
    /// nor digits.
    ///
    /// Accents are removed as combining marks, into which `folding` decomposes letters; without decomposition, a table
    /// covers Latin-1 and Latin Extended-A. Unicode does not treat strokes as accents, so the table covers those, too.
    static func folded(_ text: String, by folding: LetterFolding = .simple) -> String {
        if let folded = foldedASCII(text) { return folded }
        var folded = ""
        var isBetween = true
        for scalar in folding.plain(text).unicodeScalars {
            switch scalar.properties.generalCategory {
            case .nonspacingMark, .enclosingMark, .format: continue
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
                .decimalNumber, .spacingMark:
                if let plain = plainLetters[scalar] {
                    folded += plain
                } else {
                    folded.unicodeScalars.append(scalar)
                }
                isBetween = false
            default:
                if !isBetween { folded += " " }
                isBetween = true
            }
        }
        return folded
    }

    /// Returns the folded text of ASCII, as most names are, quickly; nil for other texts.
    private static func foldedASCII(_ text: String) -> String? {
        var folded: [UInt8] = []
        folded.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            switch byte {
            case 0x80...: return nil
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                folded.append(byte)
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): folded.append(byte | 0x20)
            default: if !folded.isEmpty, folded.last != UInt8(ascii: " ") { folded.append(UInt8(ascii: " ")) }
            }
        }
        return String(decoding: folded, as: UTF8.self)
    }

    /// Returns whether an ASCII character is in words.
    static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9": true
        default: false
        }
    }

    /// Returns the digit for a byte of a folded text, in ASCII; nil if there is none.
    static func digit(_ byte: UInt8) -> UInt8? { keypad[Int(byte)] }

    private static let keypad: [UInt8?] = (0...UInt8.max).map { byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte
        default: Phonewords.key(for: Character(Unicode.Scalar(byte)))?.character.asciiValue
        }
    }

    private static let plainLetters: [Unicode.Scalar: String] = {
        let table = [
            "a": "àáâãäåāăąª", "ae": "æ", "c": "çćĉċč", "d": "ďđð", "e": "èéêëēĕėęě", "g": "ĝğġģ", "h": "ĥħ",
            "i": "ìíîïĩīĭįı", "ij": "ĳ", "j": "ĵ", "k": "ķĸ", "l": "ĺļľŀł", "n": "ñńņňŉŋ", "o": "òóôõöøōŏőº",
            "oe": "œ", "r": "ŕŗř", "s": "śŝşšſș", "ss": "ß", "t": "ţťŧțþ", "u": "ùúûüũūŭůűų", "w": "ŵ",
            "y": "ýÿŷ", "z": "źżž",
        ]
        return table.reduce(into: [:]) { letters, entry in
            for scalar in entry.value.unicodeScalars { letters[scalar] = entry.key }
        }
    }()
}

/// The platform’s folding of letters: variants in case or in composition become equal.
public struct LetterFolding: Sendable {
    /// The function that folds a text to lower case and decomposes its letters as far as the platform can.
    let plain: @Sendable (String) -> String

    /// - Parameter plain: Folds the case of a text and decomposes its letters (Unicode’s NFD or NFKD).
    public init(_ plain: @escaping @Sendable (String) -> String) {
        self.plain = { text in
            // Most names are ASCII, which needs no decomposition.
            text.utf8.allSatisfy { $0 < 0x80 } ? text.lowercased() : plain(text)
        }
    }

    /// A folding to lower case without decomposition.
    public static let simple = LetterFolding { $0.lowercased() }
}
