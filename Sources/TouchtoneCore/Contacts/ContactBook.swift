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
        /// `storeError` is another.
        case storeError
    }

    /// The contacts that the filter finds, by name.
    public private(set) var rows: [Contact.ID] = []
    /// What is looked for: a part of a name, company, number or address, or a name typed on the keypad; empty is all.
    public var filter = "" {
        didSet {
            guard filter != oldValue else { return }
            query = ContactSearch(filter, by: folding)
            arrangeSoon()
        }
    }
    /// How many contacts there are, whatever the filter.
    public var count: Int { index.count }
    /// Whether the phone's own contacts have been read.
    public internal(set) var isLoaded = false
    /// What the memory keys hold, by their digit, 1 to 9.
    public internal(set) var memory: [Int: MemoryKey] = [:] {
        didSet { if memory != oldValue { observers.notify(.memory) } }
    }
    /// What could not be kept or found, until it is dismissed; damage stays until then, and the rest until something
    /// can be kept again.
    ///
    /// `StoreError.text(of:)` has the words.
    public private(set) var storeError: StoreError? {
        didSet { if storeError != oldValue { observers.notify(.storeError) } }
    }
    /// What names are sorted by, byte by byte: the language's order is the program's to know.
    ///
    /// To be set before `start`.
    public var sortKey: @MainActor (String) -> [UInt8] {
        get { index.sortKey }
        set { index.sortKey = newValue }
    }

    /// How letters are made plain, for the search and for T9.
    ///
    /// To be set before `start`.
    public var folding: LetterFolding {
        get { index.folding }
        set { index.folding = newValue }
    }

    let store: any ContactStore
    let books: (any SystemAddressBooks)?
    private var hasAskedDesktop = false
    let rest: @MainActor () async -> Void
    private(set) var index = ContactIndex()
    private let observers = Observers<Change>()
    private let peopleObservers = Observers<Void>()
    private var query = ContactSearch("")
    private var typed: T9Index?
    private var isArranging = false

    /// What came and is not taken in yet, in order.
    private var incoming: [Incoming] = []
    private var isTakingIn = false
    /// The deletions, and what brings them back, one after the other.
    private var lastDeletion: Task<Void, Never>?
    /// The ids of each deletion that can be undone.
    var deletions = Deletions<[Int64]>()

    /// Creates a book that has read nothing yet.
    ///
    /// - Parameter rest: returns when the window has drawn what it has to: what takes long is done in pieces, with that
    ///   between them.
    public init(
        store: any ContactStore, books: (any SystemAddressBooks)?,
        rest: @escaping @MainActor () async -> Void = { await Task.yield() }
    ) {
        (self.store, self.books, self.rest) = (store, books, rest)
    }

    /// Has somebody told of changes, as long as they are there.
    public func observe(by owner: AnyObject, _ body: @escaping @MainActor (Change) -> Void) {
        observers.add(owner, body)
    }

    /// Has somebody told when somebody may have another name, or another number, whatever the filter; once for many.
    public func followPeople(_ owner: AnyObject, _ body: @escaping @MainActor () -> Void) {
        peopleObservers.add(owner) { _ in body() }
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

    /// Has the desktop's books read, if that was not asked for yet: somebody is looked for or looked at.
    ///
    /// What reads them takes as much memory as a small program, which a phone at rest does without. To look a number up
    /// and to type one ask for it, too; who is found then comes as a change.
    public func readDesktop() {
        guard !hasAskedDesktop else { return }
        hasAskedDesktop = true
        books?.start()
    }

    /// What was said of the last trouble was read.
    public func dismissStoreError() { storeError = nil }
}

// MARK: - Who it is

extension ContactBook {
    /// A contact; nil where it is gone.
    public func contact(_ id: Contact.ID) -> Contact? { index[id] }

    /// Who has that number: the phone's own contacts come before the desktop's.
    public func contact(for number: DialledNumber) -> Contact? {
        readDesktop()
        return index.person(for: number)?.contact
    }

    /// Who has that Jabber address.
    public func contact(for address: ChatAddress) -> Contact? {
        index.person(forJabber: address.text)?.contact
    }

    /// Who has that SIP address, with or without its scheme and parameters.
    public func contact(forSIP address: String) -> Contact? { index.person(forSIP: address)?.contact }

    /// Returns the contact of a far end, by its number or else by its SIP address; nil where there is none.
    public func contact(for remote: RemoteParty) -> Contact? {
        contact(for: remote.number) ?? contact(forSIP: remote.address)
    }

    /// Returns the name of a far end's contact; nil where there is none.
    public func name(for remote: RemoteParty) -> String? { contact(for: remote)?.card.name }

    /// What who has that number is called; nil where nobody is known by it.
    public func name(for number: DialledNumber) -> String? { contact(for: number)?.card.name }

    /// What a memory key's number is called now, or was when it was stored; empty where nobody knows.
    public func name(of key: MemoryKey) -> String { name(for: key.number) ?? key.name }

    /// The keys of all numbers of people whose name, or company, has that in it; none for an empty text, and not more
    /// than 1000.
    public func numbers(ofPeople text: String) -> [NumberKey] {
        let query = ContactSearch(text, by: folding)
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

    /// Whom the digits that were typed may mean, the best first: whose name they type (T9), from its first word or from
    /// another, then whose number begins with them, then whose number has them in it.
    ///
    /// Each number of a contact is one of its own. Two digits are the fewest that mean anybody.
    public func suggestions(for number: DialledNumber, maximum: Int) -> [Suggestion] {
        readDesktop()
        let typed = typed ?? T9Index(index.order, folding: folding)
        self.typed = typed
        return typed.suggestions(for: number, maximum: maximum)
    }

    /// What the desktop's book that a contact is from is called; nil for one of the phone's own, and empty where the book's
    /// name is not known.
    public func bookName(of id: Contact.ID) -> String? {
        guard case .desktop(let book, _) = id else { return nil }
        return books?.name(ofBook: book) ?? ""
    }

    /// The picture of a contact.
    public func photo(of id: Contact.ID) async -> [UInt8]? {
        guard index[id]?.card.hasPhoto == true else { return nil }
        switch id {
        case .own(let number): return (try? await store.photo(of: number)) ?? nil
        case .desktop: return await books?.photo(of: id)
        }
    }
}

// MARK: - What comes

extension ContactBook {
    /// What is to be taken in.
    enum Incoming {
        case present(ArraySlice<Contact>)
        case gone([Contact.ID])
        case bookGone(String)
        /// All before it was taken in.
        case call(@MainActor () -> Void)
    }

    /// So many contacts are taken in at a time.
    private static let piece = 100

    /// Takes something in after all that came before: at once if it is little, and in pieces otherwise.
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

    /// Returns when all that has come so far was taken in.
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
                // A picture that is there may be another.
                if isKnown, !contact.isOwn { notify(.photo(contact.id)) }
            }
        case .gone(let ids): for id in ids { index.remove(id) }
        case .bookGone(let book): for id in index.ids(ofBook: book) { index.remove(id) }
        case .call(let body): return body()
        }
        arrangeSoon()
    }

    /// The store has lost all, and has begun anew: what it has is read again.
    ///
    /// - Parameter error: what has happened to it.
    public func reset(after error: StoreError) {
        storeError = error
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
    /// Has the rows arranged when all that happens now has happened.
    private func arrangeSoon() {
        guard !isArranging else { return }
        isArranging = true
        Task {
            isArranging = false
            // Of many that come the first are shown at once, and then twice as many each time.
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
        peopleObservers.notify(())
    }
}

// MARK: - Trouble and deletions

extension ContactBook {
    /// Something could not be kept or read.
    func record(_ error: StoreError) {
        if case .damaged = error { reset(after: error) } else { storeError = error }
    }

    /// Something was kept: there is room again.
    func kept() {
        switch storeError {
        case .full, .failed: storeError = nil
        case .damaged, .newer, nil: break
        }
    }

    /// Does something once what was asked for before is done.
    func inOrder(_ body: @escaping @MainActor () async throws(StoreError) -> Void) {
        let before = lastDeletion
        lastDeletion = Task {
            await before?.value
            do throws(StoreError) { try await body() } catch { record(error) }
        }
    }
}
