// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

/// The conversations of a Jabber account.
///
/// A new stream is set up first: the roster, copies of other devices' messages, the block list, presence, and missed
/// messages from the archive. Then waiting messages are sent. A resumed stream has missed nothing.
@MainActor
public final class XMPPAccountSession {
    /// Called with each event; set once, by `Chat`.
    public var onEvent: (@MainActor (ChatServiceEvent) -> Void)?
    /// Called with the reason why a stanza was dropped, for the log.
    public var onDropped: (@MainActor (String) -> Void)?
    /// Called after each change of `state`, after `onEvent`; set once, by `ChatAccount`.
    public var onChange: (@MainActor () -> Void)?
    /// A closure that calls back when everything reported is on the disk: only then is it acknowledged to the server.
    ///
    /// Nil uses the store's own `flush`, which suffices if each update goes to the store as it is reported.
    public var whenKept: (@MainActor (@escaping @MainActor () -> Void) -> Void)?
    /// The account's state.
    public var state: AccountState { client.state }
    /// Whether the user is active; if not, the server may delay unimportant stanzas (XEP-0352).
    public var isActive: Bool {
        get { client.isActive }
        set { client.isActive = newValue }
    }

    /// The stage of the stream's set-up.
    enum Stage {
        /// There is no stream to send on.
        case none
        /// The set-up is in progress.
        case settingUp
        /// The connection was lost during the set-up.
        case interrupted
        /// Stanzas are sent, or wait for the stream to be resumed.
        case ready
    }

    let client: XMPPClient
    let store: any MessageStore
    let wall: any WallClock
    var roster = RosterState()
    var outbox = SendWindow()
    /// Whether the account has an archive; nil until the server has answered.
    var hasArchive: Bool?
    /// Whether the server keeps the bookmarks of rooms only in the private storage (XEP-0049).
    var hasOldBookmarks = false
    /// The recipients of messages: they know that I am online.
    private var addressed: Set<ChatAddress> = []
    let clock: any Scheduler
    /// The cache of buddies' pictures.
    let cache: (any AvatarStore)?
    private(set) var presence = OwnPresence()
    private var isWanted = false
    var isPresenceTold = false
    var stage = Stage.none
    private var isSending = false
    var isRosterLoaded = false
    /// The stored buddies and rooms, which are read while a connection is made; nil if they are not being read.
    private(set) var stored: Task<ChatSummary?, Never>?
    /// Whether the stored state of the archive belongs to a different account.
    var isOtherAccount = false
    /// Whether waiting messages will be requested once everything reported is saved; and the number of times that this
    /// has begun.
    var (isAsking, readyCount) = (false, 0)
    /// The generation of the stream; stale asynchronous results are discarded.
    var turn = 0 { didSet { discovery = ServiceDiscovery(client) } }
    /// The service discovery on the present stream.
    private(set) lazy var discovery = ServiceDiscovery(client)
    var retries = Backoff()
    var retryTimer: (any ScheduledTimer)?
    /// The timer of the next look into the archive.
    var archiveTimer: (any ScheduledTimer)?
    /// The requests of the set-up that have had no response yet.
    var unanswered: Set<SetUpStep> = []

    private(set) lazy var catchUp = CatchUp(
        flushed: { [weak self] in await self?.flush() }, emit: { [weak self] in self?.emit($0) })
    let pipeline: MessagePipeline
    /// The stage that will encrypt messages of mine.
    let encryption: MessageStage
    /// Whether `Chat` has no room for more messages.
    var isPaused = false { didSet { pause() } }
    private var isPipelineCrowded = false { didSet { pause() } }

    private(set) lazy var roomSessions = RoomSessions(of: self)
    private(set) lazy var pictures = Pictures(of: self, cache: cache)
    private(set) lazy var uploads = Uploads(of: self)
    private(set) lazy var jingle = JingleSessions(client) { [weak self] in self?.refusesSessions($0) ?? true }
    private(set) lazy var direct = DirectFiles(of: self)
    private(set) lazy var gatewayModule = GatewayModule(of: self)
    /// The modules, in the order in which they handle events.
    private lazy var modules: [any StreamModule] = [
        roomSessions, jingle, direct, pictures, uploads, gatewayModule,
    ]
    /// The features of all modules.
    nonisolated static let moduleFeatures = [
        RoomSessions.features, JingleSessions.features, DirectFiles.features, Pictures.features,
        Uploads.features,
        GatewayModule.features,
    ].joined()

    /// Creates a service that is signed out.
    ///
    /// - Parameters:
    ///   - client: The account's stream, which only this object uses from now on.
    ///   - store: The store that the receiver of the events saves updates in.
    ///   - clock: The clock for retries.
    ///   - wall: The source of the current time.
    ///   - pictures: The cache of buddies' pictures; nil fetches each picture again.
    public convenience init(
        client: XMPPClient, store: any MessageStore, clock: any Scheduler, wall: any WallClock,
        pictures: (any AvatarStore)? = nil
    ) {
        self.init(
            client: client, store: store, clock: clock, wall: wall, pictures: pictures,
            pipeline: MessagePipeline(), encryption: MessageStage())
    }

    init(
        client: XMPPClient, store: any MessageStore, clock: any Scheduler, wall: any WallClock,
        pictures: (any AvatarStore)?, pipeline: MessagePipeline, encryption: MessageStage
    ) {
        (self.pipeline, self.encryption) = (pipeline, encryption)
        self.client = client
        self.store = store
        self.clock = clock
        self.wall = wall
        cache = pictures
        pipeline.onCrowded = { [weak self] in self?.isPipelineCrowded = $0 }
        client.onEvent = { [weak self] in self?.handle($0) }
        client.beforeAcknowledging = { [weak self] completion in
            if let self { self.keep(completion) } else { completion() }
        }
    }
}

// MARK: - Modules

extension XMPPAccountSession {
    /// The account's rooms.
    public var rooms: (any RoomService)? { roomSessions }
    /// The account's places for files.
    public var files: (any FileService)? { uploads }
    /// The files between devices.
    public var directFiles: (any DirectFileService)? { direct }
    /// The account's gateway.
    public var gateway: (any GatewayService)? { gatewayModule }
    /// Publishes the user's picture, also as that of the vCard; nil removes both.
    public func setPicture(_ picture: [UInt8]?) async throws(ChatServiceError) {
        try await pictures.setPicture(picture)
    }

    /// Refuses a request of a session between devices from somebody who may not begin one; returns false if it may.
    ///
    /// A stranger, an occupant of a room or a blocked address gets the answer of a device without these features, which
    /// does not tell that the user is online.
    func refusesSessions(_ iq: IQ) -> Bool {
        if let peer = iq.from, !peer.isBare, roster.record(of: ChatAddress(peer)) != nil,
            !roster.blocked.contains(ChatAddress(peer))
        {
            return false
        }
        client.send(iq.refusal(StanzaError(.cancel, "service-unavailable")).element)
        return true
    }

    /// Tells the modules that the last stream has ended.
    func endModules() { for module in modules { module.end() } }
}

// MARK: - Account

extension XMPPAccountSession {
    /// The account to sign in.
    ///
    /// A change takes effect at the next attempt.
    public var account: XMPPAccount {
        get { client.account }
        set {
            // What is stored belongs to the first account, unless the roster says otherwise.
            let before = client.account.jid.bare
            if newValue.jid.bare != before, before != .none { forgetAccount() }
            client.account = newValue
        }
    }

    /// Signs in, or tries again at once.
    ///
    /// If my presence is offline, it signs in when that changes.
    public func signIn() {
        isWanted = true
        if presence.availability != .offline { client.signIn() }
    }

    /// Signs out, and stays offline.
    public func signOut() {
        isWanted = false
        direct.cancelAll()
        client.signOut()
    }

    /// Checks at once whether the server responds; call it after the computer has slept.
    public func wakeUp() { client.networkChanged() }

    /// Sets my presence: `offline` signs out, and any other value after it signs in again.
    public func setPresence(_ presence: OwnPresence) {
        let before = self.presence
        self.presence = presence
        if presence.availability == .offline {
            if before.availability != .offline {
                direct.cancelAll()
                client.signOut()
            }
        } else if before.availability == .offline {
            if isWanted { client.signIn() }
        } else if presence != before, isPresenceTold {
            tellPresence()
        }
    }

    private func forgetAccount() {
        client.signOut()
        catchUp.reset()
        for module in modules { module.forget() }
        (roster, outbox, addressed, hasArchive) = (RosterState(), SendWindow(), [], nil)
        // The stored buddies and archive state may still belong to the other account.
        (isRosterLoaded, isOtherAccount, stored) = (false, true, nil)
    }

    /// Sends my presence again, because something in it has changed.
    func presenceChanged() { if isPresenceTold { tellPresence() } }

    func tellPresence() {
        isPresenceTold = true
        let rooms = roomSessions.sessions.values.compactMap(\.state.ownJID)
        for recipient in [nil] + rooms {
            var presence = Presence(to: recipient)
            describe(&presence)
            client.send(presence.element)
        }
    }

    /// Adds my availability and capabilities to a presence.
    func describe(_ presence: inout Presence) {
        (presence.show, presence.status) = (self.presence.availability.show, self.presence.status)
        presence.extensions.append(OwnCapabilities.element)
        presence.extensions.append(VCardTemp.photoUpdate(pictures.ownPhoto))
    }
}

// MARK: - Stream events

extension XMPPAccountSession {
    private func handle(_ event: XMPPClient.Event) {
        switch event {
        case .state(let state):
            if state == .signedOut { leave() }
            if state == .connecting, !isRosterLoaded {
                stored = Task { [store] in try? await store.summary() }
            }
            onEvent?(.state(state))
            onChange?()
        case .began:
            turn += 1
            isPresenceTold = false
            for module in modules { module.begin() }
            emit(roster.begin())
            setUp()
        case .resumed:
            switch stage {
            case .ready:
                getReady()
                checkArchive()
                roomSessions.checkAll()
            case .interrupted, .none: setUp()
            case .settingUp: break
            }
        case .arrived(let event): if !modules.contains(where: { $0.handle(event) }) { handle(event) }
        case .acknowledged(let stanza):
            if let update = outbox.acknowledged(stanza) { emit([update]) }
            if outbox.hasRoomAgain(), isReady { getReady() }
        case .notDelivered(let stanza):
            if !roomSessions.keepConfirmation(stanza) { outbox.gaveUp(stanza, isRefused: isSending) }
        case .dropped(_, let reason): onDropped?(reason)
        }
    }

    private func handle(_ event: InboundEvent) {
        switch event {
        case .message(let message, let stamp): receive(message, .stream(stamp))
        case .sentElsewhere(let message, let stamp): receive(message, .sentElsewhere(stamp))
        case .presence(let presence): receive(presence)
        case .roster(let change): emit(roster.change(change))
        case .blocking(let change): emit(roster.change(change))
        case .published, .transfer: break
        }
    }

    private func receive(_ message: Message, _ source: DeliverySource) {
        let account = client.account.jid.bare
        let inbound = InboundMessage(message: message, source: source, reader: reader)
        pipeline.receive(inbound) { [weak self] parsed in
            // The user may have changed the account meanwhile.
            guard let self, account == client.account.jid.bare else { return }
            emit(catchUp.receive(parsed))
            if let (buddy, state) = parsed.typing { onEvent?(.typing(buddy, state)) }
        }
    }

    private func pause() { client.isPaused = isPaused || isPipelineCrowded }

    private func receive(_ presence: Presence) {
        switch roster.handle(presence) {
        case .events(let events): emit(events)
        case .mutual(let jid): client.send(Presence(.subscribed, to: jid).element)
        }
    }

    func isOwnOrBuddy(_ jid: JID) -> Bool {
        jid.bare == client.account.jid.bare || roster.record(of: ChatAddress(jid)) != nil
    }

    /// A reader of messages for the current time.
    var reader: MessageReader {
        MessageReader(
            policy: DirectPolicy(
                own: client.account.jid.bare, trustsArchiveIDs: hasArchive == true, now: wall.now,
                rooms: roomSessions.addresses))
    }

    /// Reports updates, in order.
    func emit(_ updates: [MessageUpdate]) {
        guard !updates.isEmpty else { return }
        for case .failed(_, let name, _) in updates { outbox.failed(name) }
        onEvent?(.updates(updates))
    }

    /// Reports events, in order.
    func emit(_ events: [ChatServiceEvent]) {
        for event in events { onEvent?(event.kept(for: client.account.jid)) }
    }

    /// Calls back when everything reported is on the disk.
    private func keep(_ completion: @escaping @MainActor () -> Void) {
        pipeline.whenReported { [store, whenKept] in
            if let whenKept { whenKept(completion) } else { store.flush(completion) }
        }
    }

    /// Waits until everything reported is on the disk.
    func flush() async {
        await withCheckedContinuation { continuation in keep { continuation.resume() } }
    }
}

// MARK: - Sending

extension XMPPAccountSession {
    func send(_ stanza: XMLElement) {
        isSending = true
        client.send(stanza)
        isSending = false
    }

    /// Sends a confirmation, or stores it until it can be sent.
    func confirm(_ message: Message) {
        if isReady { send(message.element) } else { outbox.keep(message.element) }
    }

    /// Records that a message was sent to the buddy.
    func address(_ buddy: ChatAddress) { addressed.insert(buddy) }

    /// Returns whether a buddy may know my presence and typing state.
    func mayKnow(_ buddy: ChatAddress) -> Bool {
        presence.availability != .offline
            && (roster.record(of: buddy)?.toldByMe == true || addressed.contains(buddy))
    }
}
