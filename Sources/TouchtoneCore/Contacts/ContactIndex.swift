// SPDX-License-Identifier: GPL-3.0-or-later

struct ContactIndex {
    var sortKey: @MainActor (String) -> [UInt8] = { Array(SearchText.folded($0).utf8) }
    var folding = LetterFolding.simple

    private var people: [Contact.ID: IndexedContact] = [:]
    private var byNumber: [NumberKey: [IndexedContact]] = [:]
    private var byJabber: [String: [IndexedContact]] = [:]
    private var bySIP: [String: [IndexedContact]] = [:]
    private var ownByName: [String: [IndexedContact]] = [:]
    /// The contacts by name, without the additions and removals since the last `arrange()`.
    private(set) var order: [IndexedContact] = []
    private var added: [Contact.ID: IndexedContact] = [:]
    private var hasRemoved = false

    /// The greatest number of contacts with the same key that are compared.
    private static let maximumAlike = 100

    var count: Int { people.count }
    /// Whether `order` is up to date.
    var isArranged: Bool { added.isEmpty && !hasRemoved }
    /// The number of contacts that are not in `order` yet.
    var addedCount: Int { added.count }

    subscript(id: Contact.ID) -> Contact? { people[id]?.contact }

    /// Returns the contacts of a book, or for nil the phone's own.
    func ids(ofBook book: String?) -> [Contact.ID] {
        people.keys.filter { id in
            if case .desktop(let itsBook, _) = id { itsBook == book } else { book == nil }
        }
    }

    @MainActor
    mutating func put(_ contact: Contact) {
        remove(contact.id)
        let person = IndexedContact(contact, sortKey: sortKey, folding: folding)
        people[contact.id] = person
        added[contact.id] = person
        for key in Set(person.numbers.compactMap { NumberKey($0.number) }) {
            byNumber[key, default: []].append(person)
        }
        for key in Set(person.jabberKeys) { byJabber[key, default: []].append(person) }
        for key in Set(person.sipKeys) { bySIP[key, default: []].append(person) }
        if contact.isOwn { ownByName[contact.card.name, default: []].append(person) }
    }

    mutating func remove(_ id: Contact.ID) {
        guard let person = people.removeValue(forKey: id) else { return }
        if added.removeValue(forKey: id) == nil { hasRemoved = true }
        for key in Set(person.numbers.compactMap { NumberKey($0.number) }) { byNumber.drop(person, key) }
        for key in Set(person.jabberKeys) { byJabber.drop(person, key) }
        for key in Set(person.sipKeys) { bySIP.drop(person, key) }
        ownByName.drop(person, person.contact.card.name)
    }

    /// Updates `order` for additions and removals.
    mutating func arrange() {
        if hasRemoved { order.removeAll { people[$0.contact.id] !== $0 } }
        hasRemoved = false
        guard !added.isEmpty else { return }
        let new = added.values.sorted(by: IndexedContact.standsBefore)
        added = [:]
        var merged: [IndexedContact] = []
        merged.reserveCapacity(order.count + new.count)
        var old = order[...]
        for person in new {
            let length = old.firstIndex { IndexedContact.standsBefore(person, $0) } ?? old.endIndex
            merged += old[..<length]
            old = old[length...]
            merged.append(person)
        }
        order = merged + old
    }

    /// Returns the contact with that number: the phone's own before the desktop's, then the longest common
    /// end of the numbers, then the fewest digits before that end.
    func person(for number: DialledNumber) -> IndexedContact? {
        guard let key = NumberKey(number), let alike = byNumber[key] else { return nil }
        let typed = IndexedContact.typed(number)
        var best: Likeness?
        for person in alike.prefix(Self.maximumAlike) {
            for its in person.numbers where NumberKey.isSame(its.number, number) {
                let likeness = Likeness(person, its.typed, to: typed)
                if let best, !likeness.isBetter(than: best) { continue }
                best = likeness
            }
        }
        return best?.person
    }

    func person(forJabber address: String) -> IndexedContact? { Self.first(byJabber[address.lowercased()]) }

    func person(forSIP address: String) -> IndexedContact? {
        CallAddress.sipKey(address).flatMap { Self.first(bySIP[$0]) }
    }

    /// Returns the phone's own contacts with exactly that name.
    func own(named name: String) -> [ContactCard] { ownByName[name, default: []].map(\.contact.card) }

    private static func first(_ people: [IndexedContact]?) -> IndexedContact? {
        people?.prefix(maximumAlike).min(by: IndexedContact.standsBefore).map { first in
            people?.prefix(maximumAlike).filter(\.contact.isOwn).min(by: IndexedContact.standsBefore) ?? first
        }
    }
}

/// The similarity of a contact's number to one that is looked up.
private struct Likeness {
    let person: IndexedContact
    private let (common, more): (Int, Int)

    init(_ person: IndexedContact, _ typed: [UInt8], to searched: [UInt8]) {
        self.person = person
        common = zip(typed.reversed(), searched.reversed()).prefix { $0 == $1 }.count
        more = typed.count - common
    }

    func isBetter(than other: Likeness) -> Bool {
        let (isOwn, isOtherOwn) = (person.contact.isOwn, other.person.contact.isOwn)
        if isOwn != isOtherOwn { return isOwn }
        if common != other.common { return common > other.common }
        if more != other.more { return more < other.more }
        return IndexedContact.standsBefore(person, other.person)
    }
}

extension Dictionary where Value == [IndexedContact] {
    fileprivate mutating func drop(_ person: IndexedContact, _ key: Key) {
        self[key]?.removeAll { $0 === person }
        if self[key]?.isEmpty == true { self[key] = nil }
    }
}
