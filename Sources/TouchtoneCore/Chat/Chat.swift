// SPDX-License-Identifier: GPL-3.0-or-later

/// The phone’s messages: the buddies, the conversations and the state of the account’s service.
///
/// `Chat` connects the services that transport messages with the store that saves them. Messages from a service are
/// saved before they are shown or acknowledged, and the user’s messages are saved before they are sent.
@MainActor
public final class Chat {
    public enum Change: Hashable, Sendable {
        /// The open conversation, the service’s state, the published presence or the account’s name changed.
        case state
        /// An unread message was received; of several that arrive from a buddy at once, only the last one.
        case arrival(ChatMessage, from: BuddyList.Row)
        /// Somebody reacted to a message of the user within the last day; of several in a conversation at once, only the last.
        case reaction(ReceivedReaction, in: BuddyList.Row)
        /// Messages were retracted, or deleted on this device.
        case gone(Set<Int64>)
    }

    public let buddies: BuddyList
    /// The open conversation; nil if there is none.
    public private(set) var selected: Conversation?
    /// Whether the open conversation is visible in the active window: messages that are shown then count as seen.
    public var isInView = false {
        didSet { if isInView { selected?.markSeen() } }
    }
    /// The account of the conversations, besides the Operator’s; nil if there is no account.
    public private(set) var account: ChatAddress?
    /// The name that the user gave the account; empty if there is none.
    public var accountLabel = "" {
        didSet { if accountLabel != oldValue { observers.notify(.state) } }
    }
    /// The state of the account’s service; the Operator’s is always online.
    public private(set) var state = AccountState.signedOut
    public var health: StoreHealth { store.health }
    /// The presence that the user chose.
    public var ownPresence = OwnPresence() {
        didSet { if ownPresence != oldValue { tellPresence() } }
    }
    /// Whether the machine is idle, as `AutoAway` reports: an available user is shown as away then.
    public var isIdle = false {
        didSet { if isIdle != oldValue { tellPresence() } }
    }
    /// The presence that is published, with automatic absence applied.
    public var shownPresence: OwnPresence {
        guard isIdle, ownPresence.availability <= .online else { return ownPresence }
        return OwnPresence(.away, status: ownPresence.status)
    }

    /// The upload of the user’s files; nil without services for files.
    public private(set) lazy var uploads = files.map { FileUploads($0, of: self) }
    /// The files of received messages; nil without services for files.
    public private(set) lazy var downloads = files.map { FileDownloads($0, of: self) }

    private let files: FileDependencies?
    let store: any MessageStore
    let services: [any ChatService]
    let clock: any Scheduler
    let wall: any WallClock
    let names: () -> String
    let drafts: Drafts
    private let observers = Observers<Change>()
    private lazy var ingestQueue = IngestQueue(
        store: store, clock: clock, took: { [weak self] in self?.took($0) },
        refused: { [weak self] in self?.record($0) },
        crowded: { [weak self] isCrowded in
            for service in self?.services ?? [] { service.setPaused(isCrowded) }
        })
    private(set) var outboxes: [ObjectIdentifier: Outbox] = [:]
    private var toldPresence = OwnPresence()
    /// The roster version of the service; a roster that the service sent replaces the stored one.
    private var listVersion: String?
    private var hasList = false
    private(set) var hasSummary = false
    private lazy var listTimer = DeadlineTimer(clock: clock) { [weak self] in self?.saveList() }
    private lazy var outageTimer = DeadlineTimer(clock: clock) { [weak self] in self?.setReachable(false) }
    private var hasNewRooms = false
    var encryptions: [ChatAddress: EncryptionState] = [:]
    /// Where the user wants real-time text.
    public var realTimeText = RealTimeTextUse.ask { didSet { followRealTimeText() } }
    public private(set) lazy var numbers = NumberConversations(of: self)

    /// Creates a chat, and starts to read the store and to listen to the services.
    ///
    /// - Parameters:
    ///   - account: The account of the conversations; nil if there is no account.
    ///   - services: The services that transport messages. The first one that carries an address handles it.
    ///   - names: A function that returns a new, unique identifier for a stanza, with at least 16 characters.
    ///   - files: The services for sending and receiving files; nil for texts alone.
    public init(
        store: any MessageStore, account: ChatAddress? = nil, services: [any ChatService],
        clock: any Scheduler, wall: any WallClock, names: @escaping () -> String,
        files: FileDependencies? = nil
    ) {
        self.files = files
        self.account = account
        store.account = account
        (self.store, self.services, self.clock, self.wall, self.names) = (store, services, clock, wall, names)
        drafts = Drafts(store: store, clock: clock)
        buddies = BuddyList(clock: clock)
        buddies.person = { [weak self] in self?.numbers.person(of: $0) ?? BuddyIdentity() }
        if services.contains(where: { $0.carries(.operatorAddress) }) { buddies.know(.operatorAddress) }
        for service in services { outboxes[ObjectIdentifier(service)] = makeOutbox(of: service) }
        store.health.observe(by: self) { [weak self] in self?.healthChanged($0) }
        readSummary()
        for service in services {
            service.onEvent = { [weak self, weak service] event in
                guard let self, let service else { return }
                take(event, from: service)
            }
        }
    }

    /// Calls `body` now with the present state, and after each change, for as long as `owner` exists.
    public func observe(by owner: AnyObject, _ body: @escaping @MainActor (Change) -> Void) {
        observers.add(owner, body)
        body(.state)
    }

    /// Opens the conversation with a buddy; nil closes the open one.
    public func select(_ buddy: ChatAddress?) {
        let before = selected?.buddy
        guard buddy != before else { return }
        selected?.close()
        if let buddy { show(buddy) }
        selected = buddy.map { Conversation($0, in: self) }
        selected?.liveText.check()
        if let buddy { service(of: buddy)?.encryption?.learn(of: buddy) }
        for buddy in [before, buddy].compactMap({ $0 }) { showDraft(of: buddy) }
        observers.notify(.state)
    }

    public func saveDrafts() { drafts.saveAll() }

    /// Calls `completion` when everything received so far is on the disk, so that it can be acknowledged to the server.
    ///
    /// While the disk is full, `completion` is not called, and nothing that was not saved is acknowledged.
    public func whenKept(_ completion: @escaping @MainActor () -> Void) { ingestQueue.whenKept(completion) }
}

// MARK: - Service events

extension Chat {
    private func take(_ event: ChatServiceEvent, from service: any ChatService) {
        // The roster and the block list say who may see what the user types.
        defer { selected?.liveText.check() }
        switch event {
        case .account(let account): if !service.carries(.operatorAddress) { use(account) }
        case .state(let state):
            guard !service.carries(.operatorAddress), state != self.state else { return }
            followConnection(from: self.state, to: state)
            self.state = state
            observers.notify(.state)
        case .ready:
            outboxes[ObjectIdentifier(service)]?.ready()
            uploads?.ready(service)
            downloads?.ready()
            if let selected, service === self.service(of: selected.buddy) { selected.serviceIsReady() }
        case .updates(let updates):
            ingestQueue.add(updates, of: account)
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
        case .realTimeText(let buddy, let change):
            if selected?.buddy == buddy { selected?.liveText.take(change) }
        case .picture(let buddy, let picture): buddies.setPicture(picture, of: buddy)
        case .room(let room):
            let before = buddies.row(of: room.address)?.room
            buddies.set(room)
            if before?.record != room.record { saveRoomsSoon() }
        case .roomRemoved(let room):
            buddies.removeRoom(room)
            saveRoomsSoon()
        case .choice(let buddy, let choice): take(choice, of: buddy)
        case .invitation(let invitation): buddies.add(invitation)
        case .encryption(let buddy, let support): take(support, of: buddy)
        case .encryptionBegan(let buddy): beginEncryption(of: buddy)
        case .encryptionObstacle(let buddy, let obstacle): take(obstacle, of: buddy)
        case .offerEnded(let offer): downloads?.offerEnded(offer)
        case .gateway(let gateway): numbers.take(gateway)
        }
    }

    /// Shows nobody as online without a connection, but for the first seconds of an outage.
    private func followConnection(from before: AccountState, to state: AccountState) {
        switch state {
        case .online: setReachable(true)
        case .connecting, .waiting:
            if before == .online { outageTimer.set(for: clock.now + ChatTiming.outage) }
        case .none, .disabled, .signedOut, .asking, .passwordWanted, .failed: setReachable(false)
        }
    }

    private func setReachable(_ isReachable: Bool) {
        outageTimer.set(for: nil)
        for service in services where !service.carries(.operatorAddress) {
            buddies.setUnreachable(!isReachable, where: service.carries)
        }
    }

    private func tellPresence() {
        observers.notify(.state)
        selected?.liveText.check()
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

    /// Saves the rooms after this turn, at once: a message to a lost room would be sent as to a person.
    private func saveRoomsSoon() {
        guard !hasNewRooms else { return }
        hasNewRooms = true
        Task { saveRooms() }
    }

    private func saveRooms() {
        guard hasNewRooms else { return }
        hasNewRooms = false
        store.saveRooms(buddies.roomRecords)
    }
}

// MARK: - Account

extension Chat {
    /// Switches to the conversations of a different account; nil leaves only the Operator’s.
    private func use(_ next: ChatAddress?) {
        guard next != account else { return }
        // Unsaved changes belong to the previous account: save them before switching.
        if let selected, selected.buddy != .operatorAddress { select(nil) }
        drafts.change()
        if listTimer.isSet { saveList() }
        listTimer.set(for: nil)
        saveRooms()
        for service in services where !service.carries(.operatorAddress) {
            outboxes[ObjectIdentifier(service)]?.end()
        }
        uploads?.stop()
        (account, store.account) = (next, next)
        for service in services where !service.carries(.operatorAddress) {
            outboxes[ObjectIdentifier(service)] = makeOutbox(of: service)
        }
        buddies.forget()
        (listVersion, hasList, hasSummary, encryptions) = (nil, false, false, [:])
        readSummary()
        observers.notify(.state)
    }

    private func makeOutbox(of service: any ChatService) -> Outbox {
        Outbox(
            service: service, of: account, store: store, took: { [weak self] in self?.took($0) },
            refused: { [weak self] in self?.record($0) })
    }

    /// Returns whether a conversation of this account is shown here: that of the Operator belongs to one chat only.
    private func shows(_ buddy: ChatAddress) -> Bool {
        buddy != .operatorAddress || service(of: buddy) != nil
    }

    /// Returns whether a conversation is one of the shown ones: the account’s or the Operator’s.
    func has(_ conversation: ConversationID) -> Bool {
        conversation == ConversationID(conversation.buddy, of: account) && shows(conversation.buddy)
    }

    /// Returns the changes of shown conversations: the account may have changed in the meantime.
    func shown(_ changes: MessageChanges) -> MessageChanges {
        var shown = MessageChanges(
            inserted: changes.inserted.filter { has($0.conversation) },
            changed: changes.changed.filter { has($0.conversation) },
            removed: changes.removed.filter { has($0.conversation) },
            unread: changes.unread.filter { has($0.key) })
        shown.reactions = changes.reactions.filter { has($0.message.conversation) }
        return shown
    }
}

// MARK: - Store

extension Chat {
    private func readSummary() {
        let account = account
        Task {
            do throws(StoreError) {
                let summary = try await store.summary()
                guard account == self.account else { return }
                // The Operator’s conversation is in the summaries of all accounts.
                for (buddy, conversation) in summary.conversations where shows(buddy) {
                    buddies.take(conversation, of: buddy)
                }
                if !hasList, !hasSummary {
                    for record in summary.buddies { buddies.set(record) }
                }
                if !hasSummary {
                    for record in summary.rooms where buddies.row(of: record.address)?.room == nil {
                        buddies.set(Room(record))
                    }
                }
                buddies.setAllUnread(summary.unread.filter { shows($0.key) })
                hasSummary = true
                let new = drafts.load(summary.drafts.filter { shows($0.key) })
                if let selected, new.contains(selected.buddy) { selected.notify(.draft) }
                for buddy in new { showDraft(of: buddy) }
            } catch {
                record(error)
            }
        }
    }

    /// Shows the stored changes, sends delivery receipts and reports new messages.
    func took(_ changes: MessageChanges) {
        for file in changes.retractedFiles { downloads?.delete(file) }
        let changes = shown(changes)
        noteLast(changes)
        var last: [ChatAddress: ChatMessage] = [:]
        for message in changes.inserted {
            if message.isUnread || message.sender == .me { show(message.buddy) }
            guard message.isUnread else { continue }
            // A buddy who has sent a message has stopped typing it.
            buddies.set(.active, of: message.buddy)
            if noteMention(in: message) { last[message.buddy] = message }
            confirmArrival(of: message)
        }
        let before = selected.map { buddies.unread(of: $0.buddy) } ?? 0
        buddies.setUnread(Dictionary(uniqueKeysWithValues: changes.unread.map { ($0.key.buddy, $0.value) }))
        selected?.take(changes, unreadBefore: before)
        health.recordSuccess()
        uploads?.take(changes.changed)
        let gone = changes.removed + changes.changed.filter { $0.retraction != nil }
        if !gone.isEmpty { observers.notify(.gone(Set(gone.map(\.id)))) }
        for message in last.values.sorted(by: { $0.time < $1.time }) {
            if let row = audibleRow(of: message) { observers.notify(.arrival(message, from: row)) }
        }
        tell(changes.reactions)
    }

    /// Reports reactions, but not old ones that an archive returns.
    private func tell(_ reactions: [ReceivedReaction]) {
        let earliest = wall.now - ChatTiming.reaction
        var last: [ChatAddress: ReceivedReaction] = [:]
        for one in reactions where one.reaction.time > earliest { last[one.message.buddy] = one }
        for one in last.values.sorted(by: { $0.reaction.time < $1.reaction.time }) {
            if let row = audibleRow(of: one.message) { observers.notify(.reaction(one, in: row)) }
        }
    }

    /// Returns the row of a message’s conversation, unless it is blocked or muted.
    private func audibleRow(of message: ChatMessage) -> BuddyList.Row? {
        buddies.row(of: message.buddy).flatMap { $0.isBlocked || $0.isMuted ? nil : $0 }
    }

    func record(_ error: StoreError) { health.record(error, of: .messages) }

    private func healthChanged(_ change: StoreHealth.Change) {
        switch change {
        case .damage:
            // The new store is empty, so save what is still in memory.
            listTimer.set(for: clock.now + ChatTiming.list)
            keepAgain()
            readSummary()
            selected?.showNewest()
        case .error: if health.error(of: .messages) == nil { ingestQueue.retry() }
        }
    }

    /// Calls `completion` when all updates received so far have been passed to the store, and shown.
    func whenTried(_ completion: @escaping @MainActor () -> Void) { ingestQueue.whenTried(completion) }

    /// Waits until all updates received so far have been passed to the store.
    func settle() async {
        await withCheckedContinuation { continuation in whenTried { continuation.resume() } }
    }
}
