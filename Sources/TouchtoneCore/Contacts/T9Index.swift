// SPDX-License-Identifier: GPL-3.0-or-later

/// All contacts with numbers, in one array of bytes: a scan of 10,000 at each digit takes less than a
/// millisecond.
struct T9Index {
    private struct Entry {
        let person: IndexedContact
        /// The range of the name's digits, with a 0 after each word.
        let name: Range<Int>
        /// The range of each number's digits.
        let numbers: [(range: Range<Int>, number: IndexedContact.Number)]
    }

    private enum Rank: Int, CaseIterable {
        case name
        case word
        case number
        case inNumber
    }

    private var bytes: [UInt8] = []
    private var entries: [Entry] = []
    private let folding: LetterFolding

    /// The smallest number of digits that is searched.
    static let shortest = 2

    /// Creates an index of contacts, in the order in which they are suggested.
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

    /// Returns the suggestions for a number that is being typed, best first.
    func suggestions(for number: DialledNumber, maximum: Int) -> [Suggestion] {
        let typed = IndexedContact.typed(number)
        guard typed.count >= Self.shortest, maximum > 0 else { return [] }
        // A name can be typed with neither a plus nor a star.
        let mayBeName = !number.isInternational && number.isPlain
        // The national prefix 0 is not part of a number's international form.
        let significant = Array(typed.drop { $0 == UInt8(ascii: "0") })
        let searched = significant.count >= Self.shortest ? significant : typed
        var found = Rank.allCases.map { _ in [Suggestion]() }
        // A match is omitted once `maximum` matches of its rank or better ones are found.
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
                    id: .contact(entry.person.contact.id, method: number.method), name: card.name,
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
                        // Only a match by name can still precede the matches found so far.
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

    /// Returns the rank of the digits' match with a name, whose words are followed by zeros; nil if there is none.
    private static func rank(of typed: UnsafeBufferPointer<UInt8>, in name: UnsafeBufferPointer<UInt8>)
        -> Rank?
    {
        var start = 0
        while start < name.count {
            var (position, length) = (start, 0)
            while position < name.count, length < typed.count {
                // The digits may continue in the next word.
                if name[position] != 0 {
                    guard name[position] == typed[length] else { break }
                    length += 1
                }
                position += 1
            }
            if length == typed.count { return start == 0 ? .name : .word }
            while start < name.count, name[start] != 0 { start += 1 }
            start += 1
        }
        return nil
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Returns whether these are the first bytes.
    fileprivate func begins(with first: UnsafeBufferPointer<UInt8>) -> Bool {
        guard count >= first.count else { return false }
        for index in 0..<first.count where self[index] != first[index] { return false }
        return true
    }
}
