// SPDX-License-Identifier: GPL-3.0-or-later

/// The messages of the phone: who there is, what is said, and how the service stands.
///
/// It stands between the services that carry messages and the store that keeps them: what a service tells is kept
/// before it is shown or confirmed, and what I write is kept before it is sent.
@MainActor
public final class Chat {
    /// The buddies.
    public let buddies: BuddyList
    /// The conversation that is open; nil is none.
    public private(set) var selected: Conversation?
    /// Whether the conversation that is open can be seen, and its window is the one in use: then what it shows is seen.
    public var isInView = false {
        didSet { if isInView { selected?.markSeen() } }
    }
    /// Whose conversations these are, besides the exchange's; nil while there is no account.
    public private(set) var account: ChatAddress?
    /// How the account's service stands.
    ///
    /// The exchange's is always there.
    public private(set) var state = ChatServiceState.off
    /// Why something could not be kept; nil once it can be again.
    ///
    /// That the store was damaged stays until the user has seen it: `dismissStoreError`.
    public internal(set) var storeError: StoreError?
    /// How I want to be here.
    public var ownPresence = OwnPresence() {
        didSet { if ownPresence != oldValue { tellPresence() } }
    }
    /// Whether nobody uses the machine: who is here and wants nothing else is away then.
    ///
    /// `AutoAway` says it.
    public var isIdle = false {
        didSet { if isIdle != oldValue { tellPresence() } }
    }
    /// How I am here, as others see it.
    public var shownPresence: OwnPresence {
        guard isIdle, ownPresence.availability <= .online else { return ownPresence }
        return OwnPresence(.away, status: ownPresence.status)
    }
    /// Told of what came and is unread, for notifications and sound: where many messages of a buddy came at once, of
    /// the last of them.
    public var onArrival: (@MainActor (ChatMessage, BuddyList.Row) -> Void)?

    let store: any MessageStore
    let services: [any ChatService]
    let clock: any Scheduler
    let wall: any WallClock
    let names: () -> String
    let drafts: Drafts
    private let observers = Observers<Void>()
    private lazy var intake = IngestQueue(
        store: store, clock: clock, took: { [weak self] in self?.took($0) },
        refused: { [weak self] in self?.record($0) },
        crowded: { [weak self] isCrowded in
            for service in self?.services ?? [] { service.setPaused(isCrowded) }
        })
    private var outboxes: [ObjectIdentifier: Outbox] = [:]
    private var toldPresence = OwnPresence()
    /// The version that the service names its list by; a list of its own is newer than the one that was kept.
    private var listVersion: String?
    private var hasList = false
    private(set) var hasSummary = false
    private lazy var listTimer = DeadlineTimer(clock: clock) { [weak self] in self?.saveList() }

    /// Begins: reads what is kept, and listens to the services.
    ///
    /// - Parameters:
    ///   - account: whose conversations they are; nil while there is no account.
    ///   - services: what carries messages; of those that would carry the same the first does.
    ///   - names: gives a name for a stanza that nobody has given before, of 16 characters or more.
    public init(
        store: any MessageStore, account: ChatAddress? = nil, services: [any ChatService],
        clock: any Scheduler, wall: any WallClock, names: @escaping () -> String
    ) {
        self.account = account
        store.account = account
        (self.store, self.services, self.clock, self.wall, self.names) = (store, services, clock, wall, names)
        drafts = Drafts(store: store, clock: clock)
        buddies = BuddyList(clock: clock)
        if services.contains(where: { $0.carries(.operatorAddress) }) { buddies.know(.operatorAddress) }
        buddies.onTyping = { [weak self] buddy in
            guard let selected = self?.selected, selected.buddy == buddy else { return }
            selected.notify(.typing)
        }
        for service in services { outboxes[ObjectIdentifier(service)] = makeOutbox(of: service) }
        readSummary()
        for service in services {
            service.onEvent = { [weak self, weak service] event in
                guard let self, let service else { return }
                take(event, from: service)
            }
        }
    }

    /// Calls `body` now and after each change of what is open, how the service stands, what could not be kept and how
    /// I am here, as long as `owner` is there.
    public func observe(by owner: AnyObject, _ body: @escaping @MainActor () -> Void) {
        observers.add(owner) { _ in body() }
        body()
    }

    /// Opens the conversation with a buddy; nil closes the one that is open.
    public func select(_ buddy: ChatAddress?) {
        guard buddy != selected?.buddy else { return }
        selected?.close()
        if let buddy { buddies.hear(buddy) }
        selected = buddy.map { Conversation($0, in: self) }
        observers.notify(())
    }

    /// The user has seen that something could not be kept.
    public func dismissStoreError() {
        guard storeError != nil else { return }
        storeError = nil
        observers.notify(())
    }

    /// Keeps what is typed, before the program ends.
    public func saveDrafts() { drafts.saveAll() }

    /// The messages in which words are found, the newest first; the last word may be a beginning.
    public func search(_ words: String) async throws(StoreError) -> [ChatMessage] {
        try await store.search(words, of: nil, count: 200)
    }

    /// Calls back when all that services have told so far is on the disk: then it can be acknowledged to the server.
    ///
    /// While the disk is full that is not, and what is not kept is not acknowledged.
    public func whenKept(_ completion: @escaping @MainActor () -> Void) { intake.whenKept(completion) }
}

// MARK: - What services tell

extension Chat {
    private func take(_ event: ChatServiceEvent, from service: any ChatService) {
        switch event {
        case .account(let account): if !service.carries(.operatorAddress) { use(account) }
        case .state(let state):
            guard !service.carries(.operatorAddress), state != self.state else { return }
            self.state = state
            observers.notify(())
        case .ready:
            outboxes[ObjectIdentifier(service)]?.ready()
            if let selected, service === self.service(of: selected.buddy) { selected.serviceIsReady() }
        case .facts(let facts):
            intake.add(facts, of: account)
        case .buddies(let records, let version):
            buddies.set(records, carried: service.carries)
            hasList = true
            saveListSoon(version)
        case .buddy(let record, let version):
            buddies.set(record)
            saveListSoon(version)
        case .buddyRemoved(let buddy, let version):
            buddies.remove(buddy)
            saveListSoon(version)
        case .presence(let buddy, let device, let presence): buddies.set(presence, of: device, buddy)
        case .presenceReset: buddies.forgetPresence(where: service.carries)
        case .request(let buddy, let text): buddies.addRequest(buddy, text: text)
        case .requestGone(let buddy): buddies.removeRequest(buddy)
        case .blocked(let blocked): buddies.setBlocked(blocked)
        case .typing(let buddy, let typing): buddies.set(typing, of: buddy)
        case .picture(let buddy, let picture): buddies.setPicture(picture, of: buddy)
        }
    }

    private func tellPresence() {
        observers.notify(())
        let presence = shownPresence
        guard presence != toldPresence else { return }
        toldPresence = presence
        for service in services { service.setPresence(presence) }
    }

    private func saveListSoon(_ version: String?) {
        listVersion = version
        listTimer.set(for: clock.now + ChatTiming.list)
    }

    private func saveList() { store.saveBuddies(buddies.records, version: listVersion) }
}

// MARK: - Whose they are

extension Chat {
    /// Goes over to the conversations of another account, or to none but the exchange's.
    private func use(_ next: ChatAddress?) {
        guard next != account else { return }
        // What is not on the disk yet is kept as the account's before.
        if let selected, selected.buddy != .operatorAddress { select(nil) }
        drafts.change()
        if listTimer.isSet { saveList() }
        listTimer.set(for: nil)
        for service in services where !service.carries(.operatorAddress) {
            outboxes[ObjectIdentifier(service)]?.end()
        }
        account = next
        store.account = next
        for service in services where !service.carries(.operatorAddress) {
            outboxes[ObjectIdentifier(service)] = makeOutbox(of: service)
        }
        buddies.forget()
        (listVersion, hasList, hasSummary) = (nil, false, false)
        readSummary()
        observers.notify(())
    }

    private func makeOutbox(of service: any ChatService) -> Outbox {
        Outbox(
            service: service, of: account, store: store, took: { [weak self] in self?.took($0) },
            refused: { [weak self] in self?.record($0) })
    }

    /// Whether a conversation is one of those that are shown: the account's, or the exchange's.
    func has(_ conversation: ConversationID) -> Bool {
        conversation == ConversationID(conversation.buddy, of: account)
    }

    /// The changes of what is shown: the account may have been changed meanwhile.
    private func shown(_ changes: MessageChanges) -> MessageChanges {
        MessageChanges(
            inserted: changes.inserted.filter { has($0.conversation) },
            changed: changes.changed.filter { has($0.conversation) },
            unread: changes.unread.filter { has($0.key) })
    }
}

// MARK: - What is kept

extension Chat {
    private func readSummary() {
        let account = account
        Task {
            do throws(StoreError) {
                let summary = try await store.summary()
                guard account == self.account else { return }
                for buddy in summary.conversations.keys { buddies.know(buddy) }
                if !hasList, !hasSummary {
                    for record in summary.buddies { buddies.set(record) }
                }
                buddies.setAllUnread(summary.unread)
                hasSummary = true
                let new = drafts.load(summary.drafts)
                if let selected, new.contains(selected.buddy) { selected.notify(.draft) }
            } catch {
                record(error)
            }
        }
    }

    /// Shows what has become of messages, and tells who wants to know that they arrived.
    func took(_ changes: MessageChanges) {
        let changes = shown(changes)
        var last: [ChatAddress: ChatMessage] = [:]
        for message in changes.inserted {
            buddies.hear(message.buddy)
            guard message.isUnread else { continue }
            // Who has sent it types it no more.
            buddies.set(.active, of: message.buddy)
            last[message.buddy] = message
            if message.receiptRequests.contains(.receipt), buddies.isTold(message.buddy) {
                service(of: message.buddy)?.confirmArrival(of: message)
            }
        }
        let before = selected.map { buddies.unread(of: $0.buddy) } ?? 0
        buddies.setUnread(Dictionary(uniqueKeysWithValues: changes.unread.map { ($0.key.buddy, $0.value) }))
        selected?.take(changes, unreadBefore: before)
        kept()
        for message in last.values.sorted(by: { $0.time < $1.time }) {
            guard let row = buddies.row(of: message.buddy), !row.isBlocked else { continue }
            onArrival?(message, row)
        }
    }

    /// The store has lost all, and has begun anew: what it has is read again.
    ///
    /// - Parameter error: what has happened to it.
    public func reset(after error: StoreError) { record(error) }

    /// Something could not be kept or read.
    func record(_ error: StoreError) {
        guard storeError != error else { return }
        storeError = error
        if case .damaged = error {
            // A new store has begun, which knows nothing yet.
            listTimer.set(for: clock.now + ChatTiming.list)
            drafts.keepAgain()
            readSummary()
            selected?.showNewest()
        }
        observers.notify(())
    }

    /// Something was kept: there is room again.
    private func kept() {
        switch storeError {
        case .full, .failed:
            storeError = nil
            observers.notify(())
            intake.retry()
        case .damaged, .newer, nil: break
        }
    }

    /// Returns when all that was told so far has gone to the store.
    func settle() async {
        await withCheckedContinuation { continuation in intake.whenTried { continuation.resume() } }
    }
}

// MARK: - What conversations do

extension Chat {
    /// What carries a conversation.
    func service(of buddy: ChatAddress) -> (any ChatService)? { services.first { $0.carries(buddy) } }

    func mayHaveUnread(_ buddy: ChatAddress) -> Bool { !hasSummary || buddies.unread(of: buddy) > 0 }

    /// Whether older messages can be asked of an archive now.
    func hasArchive(_ buddy: ChatAddress) -> Bool { buddy != .operatorAddress && state == .online }

    /// Sends a text to somebody, whether its conversation is open or not.
    ///
    /// - Parameter then: called when it is kept; with the error when it is not, and will not be sent.
    public func send(
        _ text: String, to buddy: ChatAddress, completion: (@MainActor (StoreError?) -> Void)? = nil
    ) {
        let message = ComposedMessage(buddy: buddy, name: names(), text: text.carried, time: wall.now)
        keep([.composed(message)], completion) { [self] changes in
            for message in changes.inserted { outbox(of: buddy)?.send(message) }
        }
    }

    func correct(
        _ message: ChatMessage, to text: String, completion: @escaping @MainActor (StoreError?) -> Void
    ) {
        guard let name = message.name else { return }
        let (buddy, by) = (message.buddy, names())
        var facts: [MessageUpdate] = [.corrected(buddy: buddy, name: name, text: text, by: by)]
        var isFailed = false
        if case .failed = message.state { isFailed = true }
        // What came to nothing is sent with its new text, rather than corrected.
        if isFailed { facts.append(.retried(buddy: buddy, name: name, newName: names())) }
        keep(facts, completion) { [self, isFailed] changes in
            for message in changes.changed {
                if isFailed {
                    outbox(of: buddy)?.send(message)
                } else if message.correction == by {
                    outbox(of: buddy)?.sendCorrection(of: message)
                }
            }
        }
    }

    func retry(_ message: ChatMessage) {
        guard let name = message.name else { return }
        keep([.retried(buddy: message.buddy, name: name, newName: names())], nil) { [self] changes in
            for message in changes.changed { outbox(of: message.buddy)?.send(message) }
        }
    }

    func see(_ buddy: ChatAddress, upTo place: Int64, completion: @escaping @MainActor (StoreError?) -> Void)
    {
        keep([.seen(buddy: buddy, upTo: .place(place))], completion) { [self] changes in
            guard buddies.isTold(buddy),
                let last = changes.changed.last(where: {
                    $0.sender != .me && $0.receiptRequests.contains(.marker)
                })
            else { return }
            service(of: buddy)?.confirmReading(of: last)
        }
    }

    func tell(_ typing: Typing, to buddy: ChatAddress) {
        guard buddies.isTold(buddy), buddies.row(of: buddy)?.availability != .offline else { return }
        service(of: buddy)?.tell(typing, to: buddy)
    }

    private func outbox(of buddy: ChatAddress) -> Outbox? {
        service(of: buddy).flatMap { outboxes[ObjectIdentifier($0)] }
    }

    /// Keeps what I do, and goes on once it is kept.
    private func keep(
        _ facts: [MessageUpdate], _ completion: (@MainActor (StoreError?) -> Void)?,
        _ next: @escaping @MainActor (MessageChanges) -> Void
    ) {
        store.apply(facts, of: account) { [self] result in
            switch result {
            case .success(let changes):
                took(changes)
                next(shown(changes))
                completion?(nil)
            case .failure(let error):
                record(error)
                completion?(error)
            }
        }
    }
}
