// SPDX-License-Identifier: GPL-3.0-or-later

/// Who is known: the phone's own contacts and those of the desktop's books, and the memory keys.
@MainActor
public final class ContactBook {
    /// What has changed.
    public enum Change: Hashable, Sendable {
        /// `rows` are others, in another order, or some of them tell something else; told once for many.
        case rows
        /// A picture is another.
        case photo(Contact.ID)
        /// `memory` is another.
        case memory
        /// `trouble` is another.
        case trouble
        /// `deleted` is another.
        case deleted
    }

    /// The contacts that the filter finds, by name.
    public private(set) var rows: [Contact.ID] = []
    /// What is looked for: a part of a name, company, number or address, or a name typed on the keypad; empty is all.
    public var filter = ""
    /// How many contacts there are, whatever the filter.
    public private(set) var count = 0
    /// Whether the phone's own contacts have been read.
    public private(set) var isLoaded = false
    /// What the memory keys hold, by their digit, 1 to 9.
    public private(set) var memory: [Int: MemoryKey] = [:]
    /// How many contacts were deleted last, and can be brought back; 0 is none.
    public private(set) var deleted = 0
    /// What could not be kept or found, until it is dismissed.
    public private(set) var trouble: StoreError?

    private let store: any ContactStore
    private let books: (any AddressBooks)?
    private let followers = Followers<Change>()

    /// Creates a book that has read nothing yet.
    public init(store: any ContactStore, books: (any AddressBooks)?) {
        (self.store, self.books) = (store, books)
    }

    /// Has somebody told of changes, as long as they are there.
    public func follow(_ owner: AnyObject, _ body: @escaping @MainActor (Change) -> Void) {
        followers.add(owner, body)
    }

    /// Reads the contacts and the memory keys, and has the desktop's books read.
    public func start() {}
    /// A contact; nil where it is gone.
    public func contact(_ id: Contact.ID) -> Contact? { nil }
    /// Who has that number.
    public func contact(for number: DialledNumber) -> Contact? { nil }
    /// Who has that Jabber address.
    public func contact(for address: ChatAddress) -> Contact? { nil }
    /// What who has that number is called; nil where nobody is known by it.
    public func name(for number: DialledNumber) -> String? { contact(for: number)?.card.name }
    /// The keys of all numbers of people whose name, or company, has that in it; none for an empty text.
    public func numbers(ofPeople text: String) -> [NumberKey] { [] }
    /// Whom the digits that were typed may mean, the best first.
    public func suggestions(for number: DialledNumber, most: Int) -> [Suggestion] { [] }
    /// The picture of a contact.
    public func photo(of id: Contact.ID) async -> [UInt8]? { nil }

    /// Keeps a new contact.
    public func add(_ contact: NewContact) async throws(StoreError) -> Contact.ID { .own(0) }
    /// Keeps many new contacts, in pieces, as from a file.
    ///
    /// - Parameter progress: called with how many are kept, of how many.
    /// - Returns: how many were added; those that are there already, with all that the new one tells, are not.
    public func add(_ contacts: [NewContact], progress: @escaping @MainActor (Int, Int) -> Void)
        async throws(StoreError) -> Int
    { 0 }
    /// Keeps a contact of the phone's own in place of what was known of it.
    public func change(_ id: Contact.ID, to card: ContactCard, photo: PhotoChange) async throws(StoreError) {}
    /// Deletes contacts of the phone's own, for which they can be brought back.
    public func delete(_ ids: [Contact.ID]) {}
    /// Brings back what was deleted last.
    public func restoreDeleted() {}
    /// Forgets for good what was deleted.
    public func forgetDeleted() {}
    /// Contacts with their pictures, to be written to a file: the phone's own, or only these.
    public func exported(_ ids: [Contact.ID]?) async throws(StoreError) -> [NewContact] { [] }
    /// Has a memory key, 1 to 9, hold that, or nothing.
    public func setMemoryKey(_ digit: Int, _ key: MemoryKey?) {}
    /// What was said of the last trouble was read.
    public func dismissTrouble() {}
}

/// Somebody whom typed digits may mean.
public struct Suggestion: Hashable, Sendable, Identifiable {
    /// Which of a contact's numbers.
    public struct ID: Hashable, Sendable {
        /// Who.
        public let contact: Contact.ID
        /// Which of the contact's ways.
        public let way: Int
    }
    /// Which of a contact's numbers.
    public let id: ID
    /// What the contact is called.
    public let name: String
    /// The number.
    public let number: DialledNumber
    /// Where the number reaches.
    public let place: ContactWay.Place
    /// Which characters of the name the digits type, by their offsets; empty where they are in the number.
    public let inName: Range<Int>
}
