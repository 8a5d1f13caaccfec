// SPDX-License-Identifier: GPL-3.0-or-later

/// Everybody who has a number, in one run of bytes that is looked through at each digit typed: 10,000 people are looked
/// through in well under a millisecond.
struct T9Index {
    private struct Entry {
        let person: IndexedContact
        /// Where the digits of the name are, each word with a 0 after it.
        let name: Range<Int>
        /// Where the digits of each number are.
        let numbers: [(range: Range<Int>, number: IndexedContact.Number)]
    }

    /// How well somebody is meant by what is typed.
    private enum Rank: Int, CaseIterable {
        /// The name begins with it.
        case name
        /// Another word of the name begins with it.
        case word
        /// The number begins with it.
        case number
        /// It is in the number.
        case inNumber
    }

    private var bytes: [UInt8] = []
    private var entries: [Entry] = []
    private let folding: LetterFolding

    /// Fewer digits may mean anybody.
    private static let shortest = 2

    /// Takes people in, in the order in which they are to be offered.
    ///
    /// - Parameter folding: by which they were folded.
    init(_ people: [IndexedContact], folding: LetterFolding) {
        self.folding = folding
        entries.reserveCapacity(people.count)
        for person in people where !person.numbers.isEmpty {
            let start = bytes.count
            for word in person.typedName { bytes += word + [0] }
            let name = start..<bytes.count
            let numbers = person.numbers.map { number in
                let start = bytes.count
                bytes += number.typed
                return (range: start..<bytes.count, number: number)
            }
            entries.append(Entry(person: person, name: name, numbers: numbers))
        }
    }

    /// Whom a number that is being typed may mean, the best first.
    func suggestions(for number: DialledNumber, maximum: Int) -> [Suggestion] {
        let typed = IndexedContact.typed(number)
        guard typed.count >= Self.shortest, maximum > 0 else { return [] }
        // A name has neither a plus nor a star.
        let mayBeName = !number.isInternational && number.isPlain
        // The 0 before a number within the country is not in its international form.
        let significant = Array(typed.drop { $0 == UInt8(ascii: "0") })
        let searched = significant.count >= Self.shortest ? significant : typed
        var found = Rank.allCases.map { _ in [Suggestion]() }
        // Whoever is meant less than `maximum` others is not offered, whatever else is found.
        func takes(_ rank: Rank) -> Bool {
            var count = 0
            for better in 0...rank.rawValue { count += found[better].count }
            return count < maximum
        }
        func add(_ rank: Rank, _ entry: Entry, _ number: IndexedContact.Number) {
            guard takes(rank) else { return }
            let card = entry.person.contact.card
            let inName =
                rank == .name || rank == .word
                ? T9Name.range(in: card.name, typedBy: typed, by: folding) : nil
            found[rank.rawValue].append(
                Suggestion(
                    id: .init(contact: entry.person.contact.id, method: number.method), name: card.name,
                    number: number.number, label: card.methods[number.method].label, inName: inName ?? 0..<0))
        }
        bytes.withUnsafeBufferPointer { bytes in
            typed.withUnsafeBufferPointer { typed in
                searched.withUnsafeBufferPointer { searched in
                    for entry in entries {
                        let name = UnsafeBufferPointer(rebasing: bytes[entry.name])
                        if mayBeName, let rank = Self.rank(of: typed, in: name) {
                            for (_, number) in entry.numbers { add(rank, entry, number) }
                            continue
                        }
                        // Nobody can be offered before those who are, unless by name.
                        if !takes(.number) {
                            if !mayBeName || !takes(.name) { return }
                            continue
                        }
                        for (range, number) in entry.numbers {
                            let digits = UnsafeBufferPointer(rebasing: bytes[range])
                            if digits.begins(with: typed) {
                                add(.number, entry, number)
                            } else if takes(.inNumber), digits.holds(searched) {
                                add(.inNumber, entry, number)
                            }
                        }
                    }
                }
            }
        }
        return Array(found.joined().prefix(maximum))
    }

    /// How the digits type the name, its words with zeros after them; nil where they do not.
    private static func rank(of typed: UnsafeBufferPointer<UInt8>, in name: UnsafeBufferPointer<UInt8>)
        -> Rank?
    {
        var start = 0
        while start < name.count {
            var (label, length) = (start, 0)
            while label < name.count, length < typed.count {
                // The next word may go on with it.
                if name[label] != 0 {
                    guard name[label] == typed[length] else { break }
                    length += 1
                }
                label += 1
            }
            if length == typed.count { return start == 0 ? .name : .word }
            while start < name.count, name[start] != 0 { start += 1 }
            start += 1
        }
        return nil
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether these are the first bytes.
    fileprivate func begins(with first: UnsafeBufferPointer<UInt8>) -> Bool {
        guard count >= first.count else { return false }
        for index in 0..<first.count where self[index] != first[index] { return false }
        return true
    }
}
