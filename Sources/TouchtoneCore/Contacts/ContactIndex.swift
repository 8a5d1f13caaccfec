// SPDX-License-Identifier: GPL-3.0-or-later

/// All contacts, by what they are looked up by.
struct ContactIndex {
    /// What names are sorted by, byte by byte.
    var sortKey: @MainActor (String) -> [UInt8] = { Array(SearchText.folded($0).utf8) }
    /// How letters are made plain.
    var folding = LetterFolding.simple

    private var people: [Contact.ID: IndexedContact] = [:]
    private var byNumber: [NumberKey: [IndexedContact]] = [:]
    private var byJabber: [String: [IndexedContact]] = [:]
    private var bySIP: [String: [IndexedContact]] = [:]
    private var ownByName: [String: [IndexedContact]] = [:]
    /// By name, without those that came or went since it was last arranged.
    private(set) var order: [IndexedContact] = []
    private var added: [Contact.ID: IndexedContact] = [:]
    private var hasRemoved = false

    /// How many look alike by the last digits of a number, and are looked at.
    private static let maximumAlike = 100

    /// How many contacts there are.
    var count: Int { people.count }
    /// Whether `order` has those that there are.
    var isArranged: Bool { added.isEmpty && !hasRemoved }
    /// How many of them are in no order yet.
    var addedCount: Int { added.count }

    subscript(id: Contact.ID) -> Contact? { people[id]?.contact }

    /// The contacts of a book, or the phone's own for nil.
    func ids(ofBook book: String?) -> [Contact.ID] {
        people.keys.filter { id in
            if case .desktop(let itsBook, _) = id { itsBook == book } else { book == nil }
        }
    }

    /// Takes a contact in, in place of what was known of it.
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

    /// Takes a contact out; nothing happens where it is gone.
    mutating func remove(_ id: Contact.ID) {
        guard let person = people.removeValue(forKey: id) else { return }
        if added.removeValue(forKey: id) == nil { hasRemoved = true }
        for key in Set(person.numbers.compactMap { NumberKey($0.number) }) { byNumber.drop(person, key) }
        for key in Set(person.jabberKeys) { byJabber.drop(person, key) }
        for key in Set(person.sipKeys) { bySIP.drop(person, key) }
        ownByName.drop(person, person.contact.card.name)
    }

    /// Puts those that came where they stand, and lets those that went go.
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

    /// Who has that number: the phone's own before the desktop's, then with whom most of its end is the same, and then
    /// with whom least stands before that.
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

    /// Who has that Jabber address.
    func person(forJabber address: String) -> IndexedContact? { Self.first(byJabber[address.lowercased()]) }

    /// Who has that SIP address.
    func person(forSIP address: String) -> IndexedContact? {
        IndexedContact.sipKey(address).flatMap { Self.first(bySIP[$0]) }
    }

    /// The phone's own contacts of exactly that name.
    func own(named name: String) -> [ContactCard] { ownByName[name, default: []].map(\.contact.card) }

    private static func first(_ people: [IndexedContact]?) -> IndexedContact? {
        people?.prefix(maximumAlike).min(by: IndexedContact.standsBefore).map { first in
            people?.prefix(maximumAlike).filter(\.contact.isOwn).min(by: IndexedContact.standsBefore) ?? first
        }
    }
}

/// How near somebody's number is to one that is looked up.
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
    /// Takes somebody out of what is found by a key.
    fileprivate mutating func drop(_ person: IndexedContact, _ key: Key) {
        self[key]?.removeAll { $0 === person }
        if self[key]?.isEmpty == true { self[key] = nil }
    }
}
