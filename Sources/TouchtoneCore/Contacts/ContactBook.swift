// SPDX-License-Identifier: GPL-3.0-or-later

/// The contact book: the phone's own contacts, those of the desktop's address books, and the memory keys.
@MainActor
public final class ContactBook {
    public enum Change: Hashable, Sendable {
        /// `rows` or the details of contacts changed, regardless of the filter; sent once for several changes.
        case rows
        case photo(Contact.ID)
        /// `memory` changed.
        case memory
    }

    /// The contacts that match the filter, by name.
    public private(set) var rows: [Contact.ID] = []
    /// The search text: a part of a name, company, number or address, or a name typed on the keypad; empty matches all.
    public var filter = "" {
        didSet {
            guard filter != oldValue else { return }
            query = SearchQuery(filter, by: folding)
            arrangeSoon()
        }
    }
    public var count: Int { index.count }
    /// Whether the phone's own contacts have been read.
    public internal(set) var isLoaded = false
    /// The contents of the memory keys, by digit, 1 to 9.
    public internal(set) var memory: [Int: MemoryKey] = [:] {
        didSet { if memory != oldValue { observers.notify(.memory) } }
    }
    public var health: StoreHealth { store.health }
    /// The sort key of a name, compared byte by byte in the language's order; set before `start`.
    public var sortKey: @MainActor (String) -> [UInt8] {
        get { index.sortKey }
        set { index.sortKey = newValue }
    }

    /// The folding of letters to plain ones, for the search and for T9; set before `start`.
    public var folding: LetterFolding {
        get { index.folding }
        set { index.folding = newValue }
    }

    /// The name of a buddy, for the far end of a call that is no contact.
    public var nameOfBuddy: (@MainActor (ChatAddress) -> String?)?

    let store: any ContactStore
    let books: (any SystemAddressBooks)?
    private var hasAskedDesktop = false
    let rest: @MainActor () async -> Void
    private(set) var index = ContactIndex()
    private let observers = Observers<Change>()
    private var query = SearchQuery("")
    private var typed: T9Index?
    private var isArranging = false

    /// The changes that arrived and are not applied yet, in order.
    private var incoming: [Incoming] = []
    private var isTakingIn = false
    /// The last of the operations that run in order, such as deletions and restorations.
    private var lastDeletion: Task<Void, Never>?
    /// The ids of each deletion that can be restored.
    var deletions = Deletions<[Int64]>()

    /// Creates an empty book.
    ///
    /// - Parameter rest: Returns when the window has been drawn; long work calls it between pieces.
    public init(
        store: any ContactStore, books: (any SystemAddressBooks)?,
        rest: @escaping @MainActor () async -> Void = { await Task.yield() }
    ) {
        (self.store, self.books, self.rest) = (store, books, rest)
        health.observe(by: self) { [weak self] in if $0 == .damage { self?.reset() } }
    }

    public func observe(by owner: AnyObject, _ body: @escaping @MainActor (Change) -> Void) {
        observers.add(owner, body)
    }

    func notify(_ change: Change) { observers.notify(change) }

    /// Reads the contacts and the memory keys; the desktop's books are read by `readDesktop`.
    public func start() {
        readOwn()
        books?.onChange = { [weak self] change in
            switch change {
            case .present(let contacts): self?.take(.present(contacts[...]))
            case .gone(let ids): self?.take(.gone(ids))
            case .bookGone(let book): self?.take(.bookGone(book))
            }
        }
    }

    /// Reads the desktop's address books on the first call, because contacts are searched or shown.
    ///
    /// The services that read them need as much memory as a small app, which a phone at rest does not use. Looking a
    /// number up and typing one read the books too; contacts found later are reported as a change.
    public func readDesktop() {
        guard !hasAskedDesktop else { return }
        hasAskedDesktop = true
        books?.start()
    }
}

// MARK: - Contact Look-Up

extension ContactBook {
    public func contact(_ id: Contact.ID) -> Contact? { index[id] }

    /// Returns the contact with that number; the phone's own contacts take precedence over the desktop's.
    public func contact(for number: DialledNumber) -> Contact? {
        readDesktop()
        return index.person(for: number)?.contact
    }

    /// Returns the contact with that number among those read so far, without reading the desktop's address books.
    func known(_ number: DialledNumber) -> Contact? { index.person(for: number)?.contact }

    /// Returns the contact with that Jabber address.
    public func contact(for address: ChatAddress) -> Contact? {
        index.person(forJabber: address.text)?.contact
    }

    /// Returns the contact with that SIP address, with or without its scheme and parameters.
    public func contact(forSIP address: String) -> Contact? { index.person(forSIP: address)?.contact }

    /// Returns the contact of a far end, by its number or else by its address; nil if there is none.
    public func contact(for remote: RemoteParty) -> Contact? {
        if let contact = contact(for: remote.number) { return contact }
        return remote.jabberAddress.map { contact(for: $0) } ?? contact(forSIP: remote.address)
    }

    /// Returns the name of a far end’s contact, or else of the buddy; nil if there is neither.
    public func name(for remote: RemoteParty) -> String? {
        contact(for: remote)?.card.name ?? remote.jabberAddress.flatMap { nameOfBuddy?($0) }
    }

    public func name(for number: DialledNumber) -> String? { contact(for: number)?.card.name }

    /// Returns the present name of the contact, or else the stored one; empty if neither is known.
    public func name(of key: MemoryKey) -> String { name(for: key.target.remote) ?? key.name }

    /// Returns the keys of all numbers of contacts whose name or company contains a text: none for an empty text, and
    /// at most 1000.
    public func numbers(ofPeople text: String) -> [NumberKey] {
        let query = SearchQuery(text, by: folding)
        var keys: [NumberKey] = []
        var known: Set<NumberKey> = []
        for person in index.order where query.isInName(of: person) {
            for number in person.numbers {
                guard let key = NumberKey(number.number), known.insert(key).inserted else { continue }
                keys.append(key)
                if keys.count == Self.maximumKeys { return keys }
            }
        }
        return keys
    }

    private static let maximumKeys = 1000

    /// Returns contacts that two or more digits may mean, once for each number, the best first: a match with
    /// the first word of the name (T9), with a later word, with the beginning of a number, and within a
    /// number.
    public func suggestions(for number: DialledNumber, maximum: Int) -> [Suggestion] {
        readDesktop()
        let typed = typed ?? T9Index(index.order, folding: folding)
        self.typed = typed
        return typed.suggestions(for: number, maximum: maximum)
    }

    /// Returns the name of the desktop's address book that has a contact; nil for one of the phone's own, and empty if
    /// the name is not known.
    public func bookName(of id: Contact.ID) -> String? {
        guard case .desktop(let book, _) = id else { return nil }
        return books?.name(ofBook: book) ?? ""
    }

    /// Returns the picture of a contact; nil if there is none.
    public func photo(of id: Contact.ID) async -> [UInt8]? {
        guard index[id]?.card.hasPhoto == true else { return nil }
        switch id {
        case .own(let number): return (try? await store.photo(of: number)) ?? nil
        case .desktop: return await books?.photo(of: id)
        }
    }
}

// MARK: - Incoming Changes

extension ContactBook {
    enum Incoming {
        case present(ArraySlice<Contact>)
        case gone([Contact.ID])
        case bookGone(String)
        /// A function to call after all changes before it were applied.
        case call(@MainActor () -> Void)
    }

    private static let piece = 100

    /// Applies a change after all that arrived before it: immediately if it is small, and in pieces otherwise.
    func take(_ change: Incoming) {
        incoming.append(change)
        guard !isTakingIn else { return }
        takePieceIn()
        guard !incoming.isEmpty else { return }
        isTakingIn = true
        Task {
            while !incoming.isEmpty {
                await rest()
                takePieceIn()
            }
            isTakingIn = false
            if !index.isArranged { arrangeSoon() }
        }
    }

    func whenTakenIn() async {
        await withCheckedContinuation { continuation in take(.call { continuation.resume() }) }
    }

    private func takePieceIn() {
        guard let next = incoming.first else { return }
        incoming.removeFirst()
        switch next {
        case .present(let contacts):
            let rest = contacts.dropFirst(Self.piece)
            if !rest.isEmpty { incoming.insert(.present(rest), at: 0) }
            for contact in contacts.prefix(Self.piece) {
                let isKnown = index[contact.id] != nil
                index.put(contact)
                // The picture may have changed too.
                if isKnown, !contact.isOwn { notify(.photo(contact.id)) }
            }
        case .gone(let ids): for id in ids { index.remove(id) }
        case .bookGone(let book): for id in index.ids(ofBook: book) { index.remove(id) }
        case .call(let body): return body()
        }
        arrangeSoon()
    }

    /// Reads all contacts again, because the store has lost its contents and was reset.
    private func reset() {
        isLoaded = false
        deletions.clear()
        take(.gone(index.ids(ofBook: nil)))
        readOwn()
    }

    private func readOwn() {
        Task {
            do throws(StoreError) {
                let contacts = try await store.contacts()
                let memory = try await store.memoryKeys()
                take(.present(contacts[...]))
                await whenTakenIn()
                isLoaded = true
                self.memory = memory
                arrangeSoon()
            } catch {
                record(error)
            }
        }
    }
}

// MARK: - Rows

extension ContactBook {
    private func arrangeSoon() {
        guard !isArranging else { return }
        isArranging = true
        Task {
            isArranging = false
            // Of many contacts the first are shown immediately, and then twice as many at each update.
            if isTakingIn, !incoming.isEmpty, index.addedCount < index.order.count { return }
            arrange()
        }
    }

    private func arrange() {
        index.arrange()
        typed = nil
        rows =
            query.isEmpty
            ? index.order.map(\.contact.id)
            : index.order.lazy.filter { self.query.finds($0) }.map(\.contact.id)
        observers.notify(.rows)
    }
}

// MARK: - Errors and Deletions

extension ContactBook {
    func record(_ error: StoreError) { health.record(error, of: .contacts) }

    /// Performs an operation after all those requested before it.
    func inOrder(_ body: @escaping @MainActor () async throws(StoreError) -> Void) {
        let before = lastDeletion
        lastDeletion = Task {
            await before?.value
            do throws(StoreError) { try await body() } catch { record(error) }
        }
    }
}
