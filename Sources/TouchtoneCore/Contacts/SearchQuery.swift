// SPDX-License-Identifier: GPL-3.0-or-later

/// A search for buddies or contacts: parts of a name, company or address, a number, or a name typed on the keypad.
struct SearchQuery: Hashable, Sendable {
    let words: [[UInt8]]
    /// The keys of the number; nil if the text is not a number and nothing else.
    let number: [UInt8]?

    /// Creates a search for a text, of which only the first 200 characters are used.
    init(_ text: String, by folding: LetterFolding = .simple) {
        let text = String(text.prefix(200))
        words = SearchText.words(text, by: folding)
        let isNumber = text.unicodeScalars.allSatisfy { "0123456789*# +-()./".unicodeScalars.contains($0) }
        let keys = text.utf8.filter { DTMFKey(Character(Unicode.Scalar($0))) != nil }
        number = isNumber && !keys.isEmpty ? keys : nil
    }

    var isEmpty: Bool { words.isEmpty && number == nil }

    func finds(_ name: SearchText, _ address: SearchText) -> Bool {
        if let number {
            if name.isTyped(by: number) { return true }
            // A number matches any part of an address or a name.
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

    func finds(_ person: IndexedContact) -> Bool {
        if let number {
            if person.numbers.contains(where: { $0.typed.holds(number) }) { return true }
            if T9Name.isTyped(person.typedName, by: number) { return true }
        }
        guard !words.isEmpty else { return false }
        return words.allSatisfy { person.name.holds($0) || person.addresses.holds($0) }
    }

    /// Returns whether a contact's name or company contains the text; false for an empty text.
    func isInName(of person: IndexedContact) -> Bool { !words.isEmpty && words.allSatisfy(person.name.holds) }
}
