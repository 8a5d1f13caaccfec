// SPDX-License-Identifier: GPL-3.0-or-later

/// A contact with its search and sort keys.
final class IndexedContact {
    struct Number {
        /// The index of the number in the card's methods.
        let method: Int
        let number: DialledNumber
        /// The keys that dial the number, without a plus and without what follows a pause.
        let typed: [UInt8]
    }

    let contact: Contact
    let numbers: [Number]
    /// The digits that type the words of the name.
    let typedName: [[UInt8]]
    let sortKey: [UInt8]
    /// The name and the company, folded for the search.
    let name: [UInt8]
    /// The addresses, folded for the search.
    let addresses: [UInt8]

    /// Creates the keys of a contact.
    init(_ contact: Contact, sortKey: (String) -> [UInt8], folding: LetterFolding) {
        let card = contact.card
        self.contact = contact
        self.sortKey = sortKey(card.name)
        typedName = SearchText(card.name, by: folding).digits.filter { !$0.isEmpty }
        name = Array(SearchText.folded("\(card.name) \(card.organization)", by: folding).utf8)
        addresses = Array(
            SearchText.folded(
                card.methods.filter { $0.kind != .number }.map(\.text).joined(separator: " "), by: folding
            ).utf8
        )
        numbers = card.methods.prefix(ContactCard.maximumMethods).enumerated().compactMap { index, method in
            method.number.map { Number(method: index, number: $0, typed: Self.typed($0)) }
        }
    }

    /// The Jabber addresses in the form in which they are compared.
    var jabberKeys: [String] { contact.card.methods.filter { $0.kind == .xmpp }.map { $0.text.lowercased() } }

    /// The SIP addresses in the form in which they are compared.
    var sipKeys: [String] {
        contact.card.methods.filter { $0.kind == .sip }.compactMap { CallAddress.sipKey($0.text) }
    }

    /// Returns the keys that dial a number, without a plus and without what follows a pause.
    static func typed(_ number: DialledNumber) -> [UInt8] {
        number.main.utf8.filter { $0 != UInt8(ascii: "+") }
    }

    /// Returns whether a contact precedes another: by name, then the phone's own first, then in a fixed order.
    static func standsBefore(_ left: IndexedContact, _ right: IndexedContact) -> Bool {
        if left.sortKey != right.sortKey { return left.sortKey.lexicographicallyPrecedes(right.sortKey) }
        switch (left.contact.id, right.contact.id) {
        case (.own(let left), .own(let right)): return left < right
        case (.own, .desktop): return true
        case (.desktop, .own): return false
        case (.desktop(let book, let uid), .desktop(let otherBook, let otherUID)):
            return (book, uid) < (otherBook, otherUID)
        }
    }
}

/// Names typed with digits (ITU-T E.161).
enum T9Name {
    /// Returns whether digits type the beginning of a word, and possibly continue through the following words.
    static func isTyped(_ words: [[UInt8]], by typed: [UInt8]) -> Bool {
        words.indices.contains { typed.isTyped(by: words[$0...]) }
    }

    /// Returns the offsets of the name's characters that the digits type; nil if they type none.
    static func range(in name: String, typedBy digits: [UInt8], by folding: LetterFolding) -> Range<Int>? {
        var letters: [(digit: UInt8, offset: Int, beginsWord: Bool)] = []
        var isBetween = true
        for (offset, character) in name.enumerated() {
            // The letter in front prevents the folding from removing a leading blank.
            for byte in SearchText.folded("a\(character)", by: folding).utf8.dropFirst() {
                if byte == UInt8(ascii: " ") {
                    isBetween = true
                } else if let digit = SearchText.digit(byte) {
                    letters.append((digit, offset, isBetween))
                    isBetween = false
                }
            }
        }
        for start in letters.indices where letters[start].beginsWord {
            let run = letters[start...].prefix(digits.count)
            if run.count == digits.count, run.elementsEqual(digits, by: { $0.digit == $1 }),
                let last = run.last
            {
                return letters[start].offset..<last.offset + 1
            }
        }
        return nil
    }
}

extension [UInt8] {
    /// Returns whether these digits are the beginning of the words.
    fileprivate func isTyped(by words: ArraySlice<[UInt8]>) -> Bool {
        var rest = self[...]
        for word in words {
            let length = Swift.min(rest.count, word.count)
            guard rest.prefix(length).elementsEqual(word.prefix(length)) else { return false }
            rest = rest.dropFirst(length)
            if rest.isEmpty { return true }
        }
        return false
    }
}
