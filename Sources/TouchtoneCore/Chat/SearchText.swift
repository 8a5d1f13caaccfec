// SPDX-License-Identifier: GPL-3.0-or-later

/// What names are compared and found by: without case and accents, and as the digits that type them (T9).
///
/// There is one folding for all lists. What a letter consists of is the platform's to know (`LetterFolding`); which
/// parts of it count is decided here.
struct SearchText: Hashable, Sendable {
    /// The words, in small letters without accents.
    let words: [[UInt8]]
    /// The digits of each word: those of its letters on the keypad (ITU-T E.161), and its own.
    let digits: [[UInt8]]

    /// Takes a name.
    init(_ name: String, by folding: LetterFolding = .simple) {
        let folded = Self.folded(name, by: folding)
        words = folded.split { $0 == " " }.map { Array($0.utf8) }
        digits = words.map { $0.compactMap(Self.digit) }
    }

    /// Whether digits type the beginning of one of the words, and maybe on through those that follow.
    func isTyped(by typed: [UInt8]) -> Bool {
        digits.indices.contains { first in
            var rest = typed[...]
            for word in digits[first...] {
                let length = min(rest.count, word.count)
                guard rest.prefix(length).elementsEqual(word.prefix(length)) else { return false }
                rest = rest.dropFirst(length)
                if rest.isEmpty { return true }
            }
            return false
        }
    }

    /// A text in small letters, without accents, with one blank in place of all that is neither letter nor digit.
    ///
    /// Accents go as marks of their own, into which `folding` takes letters apart; without that, they are known of the
    /// letters of Latin-1 and Latin Extended-A. Strokes are no accents to Unicode, and go by a table.
    static func folded(_ text: String, by folding: LetterFolding = .simple) -> String {
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

    /// The digit that types a byte of a folded text, as ASCII; nil for none.
    static func digit(_ byte: UInt8) -> UInt8? {
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

/// How the platform makes letters plain: the same letter in another case, or written in another way, comes out the same.
public struct LetterFolding: Sendable {
    /// A text in small letters, each taken apart into its base and its marks as far as the platform knows them.
    let plain: @Sendable (String) -> String

    /// - Parameter plain: folds the case of a text, and takes its letters apart (Unicode's NFD or NFKD).
    public init(_ plain: @escaping @Sendable (String) -> String) {
        self.plain = { text in
            // Most names are ASCII, in which there is nothing to be taken apart.
            text.utf8.allSatisfy { $0 < 0x80 } ? text.lowercased() : plain(text)
        }
    }

    /// Small letters, and nothing taken apart.
    public static let simple = LetterFolding { $0.lowercased() }
}

/// What is typed to find somebody: a part of the name or address, a number, or the name on the keypad.
struct BuddyQuery: Hashable, Sendable {
    private let words: [[UInt8]]
    /// The digits, where there is nothing but a number.
    private let number: [UInt8]?

    /// Takes what was typed; only its first 200 characters are looked at.
    init(_ text: String, by folding: LetterFolding = .simple) {
        let text = String(text.prefix(200))
        words = SearchText.folded(text, by: folding).split { $0 == " " }.map { Array($0.utf8) }
        let isNumber = text.unicodeScalars.allSatisfy { "0123456789 +-()./".unicodeScalars.contains($0) }
        let digits = text.utf8.filter { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        number = isNumber && !digits.isEmpty ? digits : nil
    }

    /// Whether anybody is found.
    var isEmpty: Bool { words.isEmpty }

    /// Whether it finds somebody of that name and address.
    func finds(_ name: SearchText, _ address: SearchText) -> Bool {
        if let number {
            if name.isTyped(by: number) { return true }
            // A number in an address, or in a name, is found by any part of it.
            for text in [address, name] {
                let digits = text.words.joined().filter {
                    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                }
                if digits.contains(number) { return true }
            }
        }
        return words.allSatisfy { word in
            name.words.contains { $0.contains(word) } || address.words.contains { $0.contains(word) }
        }
    }
}
