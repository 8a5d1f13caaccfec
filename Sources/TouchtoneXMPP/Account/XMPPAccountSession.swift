// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

/// The conversations of a Jabber account.
///
/// A new stream is set up first: the roster, copies of other devices' messages, the block list, presence, and missed
/// messages from the archive. Then waiting messages are sent. After a resumed stream, the archive is asked for what the server
/// may have lost.
@MainActor
public final class XMPPAccountSession {
    public var onEvent: (@MainActor (ChatServiceEvent) -> Void)? {
        get { context.onEvent }
        set { context.onEvent = newValue }
    }
    public var onDropped: (@MainActor (String) -> Void)? {
        get { context.onDropped }
        set { context.onDropped = newValue }
    }
    /// Called after each change of `state`, after `onEvent`; set once, by `ChatAccount`.
    public var onChange: (@MainActor () -> Void)?
    /// A closure that calls back when everything reported is on the disk: only then is it acknowledged to the server.
    public var whenKept: (@MainActor (@escaping @MainActor () -> Void) -> Void)? {
        get { context.whenKept }
        set { context.whenKept = newValue }
    }
    public var state: AccountState { client.state }
    /// Whether the user is active; if not, the server may delay unimportant stanzas (XEP-0352).
    public var isActive: Bool {
        get { client.isActive }
        set { client.isActive = newValue }
    }

    let context: AccountContext
    let client: XMPPClient
    let clock: any Scheduler
    let cache: (any AvatarStore)?
    private var isWanted = false
    var isPresenceTold = false
    var isRosterLoaded = false
    /// The stored buddies and rooms, which are read while a connection is made; nil if they are not being read.
    private(set) var stored: Task<ChatSummary?, Never>?
    var retries = Backoff()
    var retryTimer: (any ScheduledTimer)?
    /// The requests of the set-up that have had no response yet.
    var unanswered: Set<SetUpStep> = []

    /// Whether `Chat` has no room for more messages.
    var isPaused = false { didSet { pause() } }
    private var isPipelineCrowded = false { didSet { pause() } }

    let bookmarks: Bookmarks
    let roomSessions: RoomSessions
    let pictures: Pictures
    let gatewayModule: GatewayModule
    private let uploads: Uploads
    private let jingle: JingleSessions
    let calls: JabberCalls
    let direct: DirectFiles
    let rosterModule: RosterModule
    let ownInvitations: Invitations
    let archive: AccountArchive
    let reading: SharedReading
    let notifications: SharedNotifications
    let realTime: RealTimeTexts
    let thumbnails: Thumbnails
    let messaging: Messaging
    let encryptionModule: Encryption
    /// The list of modules, in the order in which they are offered stanzas.
    nonisolated static let moduleList = [
        ModuleEntry { $0.bookmarks }, ModuleEntry { $0.roomSessions }, ModuleEntry { $0.jingle },
        ModuleEntry { $0.calls }, ModuleEntry { $0.direct }, ModuleEntry { $0.realTime },
        ModuleEntry { $0.thumbnails }, ModuleEntry { $0.encryptionModule }, ModuleEntry { $0.pictures },
        ModuleEntry { $0.uploads },
        ModuleEntry { $0.gatewayModule },
        ModuleEntry { $0.rosterModule }, ModuleEntry { $0.archive }, ModuleEntry { $0.reading },
        ModuleEntry { $0.notifications }, ModuleEntry { $0.ownInvitations }, ModuleEntry { $0.messaging },
    ]
    private(set) lazy var modules = Self.moduleList.map { $0.module(self) }

    /// - Parameters:
    ///   - client: The account's stream, which only this object uses from now on.
    ///   - store: The store that the receiver of the events saves updates in.
    ///   - pictures: The cache of buddies' pictures; nil fetches each picture again.
    ///   - calls: What calls need; nil makes and takes none.
    init(
        client: XMPPClient, store: any MessageStore, clock: any Scheduler, wall: any WallClock,
        pictures: (any AvatarStore)? = nil, pipeline: MessagePipeline? = nil,
        encryption: MessageStage<OutgoingMessage>? = nil, keys: (any KeyStore)? = nil,
        calls: CallDependencies? = nil
    ) {
        let stages = EncryptionStages(isUsed: keys != nil)
        let pipeline = pipeline ?? stages.pipeline
        let context = AccountContext(
            client: client, store: store, clock: clock, wall: wall, pipeline: pipeline)
        (self.context, self.client, self.clock) = (context, client, clock)
        cache = pictures
        jingle = JingleSessions(client) { context.refusesSessions($0) }
        bookmarks = Bookmarks(of: context)
        roomSessions = RoomSessions(of: context, bookmarks)
        direct = DirectFiles(of: context, jingle)
        realTime = RealTimeTexts(of: context, direct)
        thumbnails = Thumbnails(of: context)
        self.pictures = Pictures(of: context, cache: pictures)
        uploads = Uploads(of: context)
        gatewayModule = GatewayModule(of: context)
        self.calls = JabberCalls(of: context, roomSessions, jingle, gatewayModule, calls)
        notifications = SharedNotifications(of: context)
        ownInvitations = Invitations(of: context)
        rosterModule = RosterModule(of: context, notifications, ownInvitations)
        archive = AccountArchive(of: context, roomSessions)
        reading = SharedReading(of: context, roomSessions)
        encryptionModule = Encryption(of: context, roomSessions, keys: keys)
        stages.module = encryptionModule
        messaging = Messaging(
            of: context, roomSessions, archive, reading, encryption: encryption ?? stages.encryption)
        context.onPresenceChange = { [weak self] in self?.presenceChanged() }
        context.onRoomReady = { [weak self] in self?.roomIsReady() }
        pipeline.onCrowded = { [weak self] in self?.isPipelineCrowded = $0 }
        client.info = { [weak self] in self?.info ?? OwnCapabilities.info }
        client.onEvent = { [weak self] in self?.handle($0) }
        client.onStanza = { [weak self] stanza in
            guard let self else { return }
            if case .dropped(let reason) = stanza { self.context.onDropped?(reason) }
            _ = modules.contains { $0.handle(stanza) }
        }
        client.beforeAcknowledging = { [weak self] completion in
            if let self { self.context.keep(completion) } else { completion() }
        }
    }
}

// MARK: - Modules

extension XMPPAccountSession {
    public var messages: any MessageService { messaging }
    public var roster: (any RosterService)? { rosterModule }
    public var profiles: (any ProfileService)? { pictures }
    public var rooms: (any RoomService)? { roomSessions }
    public var files: (any FileService)? { uploads }
    public var directFiles: (any DirectFileService)? { direct }
    public var gateway: (any GatewayService)? { gatewayModule }
    public var invitations: (any InvitationService)? { ownInvitations }
    /// The place where the tokens of invitations are kept that the server did not make; nil to keep none.
    public var invitationStorage: EntryStorage? {
        get { ownInvitations.storage }
        set { ownInvitations.storage = newValue }
    }
    /// The place where what the server offered last is kept, so that the next sign-in takes fewer round trips; nil to
    /// forget it.
    public var serverStorage: EntryStorage? {
        get { client.serverStorage }
        set { client.serverStorage = newValue }
    }
    public var realTimeText: (any RealTimeTextService)? { realTime }
    /// The line of the account; nil if it makes and takes no calls.
    public var line: (any Line)? { calls.line }
    public var encryption: (any EncryptionService)? {
        encryptionModule.keys == nil ? nil : encryptionModule
    }
}

// MARK: - Account

extension XMPPAccountSession {
    /// The account to sign in; a change takes effect at the next attempt.
    var account: XMPPAccount {
        get { client.account }
        set {
            // What is stored belongs to the first account, unless the roster says otherwise.
            let before = client.account.jid.bare
            if newValue.jid.bare != before, before != .none { forgetAccount() }
            client.account = newValue
        }
    }

    /// Signs in, or tries again at once; while my presence is offline, it waits until that changes.
    func signIn() {
        isWanted = true
        if context.presence.availability != .offline { client.signIn() }
    }

    func signOut() {
        isWanted = false
        endAll()
        client.signOut()
    }

    /// Checks at once whether the server responds; call it after the computer has slept.
    public func wakeUp() { client.networkChanged() }

    /// Sets my presence: `offline` signs out, and any other value after it signs in again.
    public func setPresence(_ presence: OwnPresence) {
        let before = context.presence
        context.presence = presence
        if presence.availability == .offline {
            if before.availability != .offline {
                endAll()
                client.signOut()
            }
        } else if before.availability == .offline {
            if isWanted { client.signIn() }
        } else if presence != before, isPresenceTold {
            tellPresence()
        }
    }

    /// Ends calls and transfers, because the user signs out.
    private func endAll() {
        direct.cancelAll()
        calls.hangUpAll()
    }

    /// The description of this device for others.
    private var info: DiscoInfo { OwnCapabilities.info(with: modules.flatMap(\.present)) }

    private func forgetAccount() {
        endAll()
        client.signOut()
        for module in modules { module.forget() }
        // The stored buddies may still belong to the other account.
        (isRosterLoaded, stored) = (false, nil)
    }

    private func roomIsReady() { if case .ready = context.stage { getReady() } }

    private func presenceChanged() { if isPresenceTold { tellPresence() } }

    func tellPresence() {
        isPresenceTold = true
        let rooms = roomSessions.sessions.values.compactMap(\.state.ownJID)
        for recipient in [nil] + rooms {
            var presence = Presence(to: recipient)
            context.describe(&presence)
            client.send(presence.element)
        }
    }
}

// MARK: - Stream events

extension XMPPAccountSession {
    private func handle(_ event: XMPPClient.Event) {
        switch event {
        case .state(let state):
            if state == .signedOut { leave() }
            if state == .connecting, !isRosterLoaded {
                stored = Task { [store = context.store] in try? await store.summary() }
            }
            context.onEvent?(.state(state))
            calls.accountHasChanged()
            onChange?()
        case .opened: begin()
        case .began: if !client.isOpened { begin() }
        case .resumed:
            switch context.stage {
            case .ready:
                getReady()
                for module in modules { module.resume() }
            case .interrupted, .none: setUp()
            case .settingUp: break
            }
        case .acknowledged(let stanza):
            let update = context.outbox.acknowledged(stanza) ?? roomSessions.acknowledged(stanza)
            if let update { context.emit([update]) }
            if context.outbox.hasRoomAgain(), context.isReady { getReady() }
        case .notDelivered(let stanza):
            if !calls.keep(stanza), !roomSessions.keepConfirmation(stanza) { context.gaveUp(stanza) }
        }
    }

    private func begin() {
        context.renewStream()
        isPresenceTold = false
        for module in modules { module.begin() }
        setUp()
    }

    private func pause() { client.isPaused = isPaused || isPipelineCrowded }
}
