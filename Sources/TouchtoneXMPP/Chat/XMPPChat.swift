// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

/// The conversations of a Jabber account.
///
/// A new stream is set up first: the list of buddies, copies of what other devices send, the blocked, presence, and what
/// was missed, from the archive. Then what waits is sent. A stream that goes on has missed nothing.
@MainActor
public final class XMPPChat {
    /// Told of all that happens; set once, by `Chat`.
    public var onEvent: (@MainActor (ChatServiceEvent) -> Void)?
    /// Told why something was dropped, for the log.
    public var onDropped: (@MainActor (String) -> Void)?
    /// Called after each change of `state`, once `onEvent` has been told of it.
    var onState: (@MainActor () -> Void)?
    /// Calls back when all that was told of is on the disk: the server is not told before that we have it.
    ///
    /// Nil is the store's own `flush`, which does where each fact goes to the store as it is told.
    public var whenKept: (@MainActor (@escaping @MainActor () -> Void) -> Void)?
    /// The account's state.
    public private(set) var state = ChatServiceState.off
    /// Whether somebody is looking: where not, the server may hold back what can wait (XEP-0352).
    public var isActive: Bool {
        get { client.isActive }
        set { client.isActive = newValue }
    }

    /// How far the stream is.
    enum Stage {
        /// There is none that could be sent on.
        case none
        /// It is being set up.
        case settingUp
        /// The connection was lost before all was set up.
        case interrupted
        /// What is sent goes out, or waits for the stream to go on.
        case ready
    }

    let client: XMPPClient
    let store: any MessageStore
    let wall: any WallClock
    var book = RosterState()
    var outbox = SendWindow()
    /// Whether the account has an archive; nil while nobody has asked.
    var hasArchive: Bool?
    /// To whom something was said: they know that I am here.
    private var addressed: Set<ChatAddress> = []
    let clock: any Scheduler
    private let cache: (any AvatarStore)?
    private var presence = OwnPresence()
    private var isWanted = false
    var isPresenceTold = false
    var stage = Stage.none
    private var isSending = false
    var isBookLoaded = false
    /// Whether what is kept of the archive is another account's.
    var isOtherAccount = false
    /// Whether what was told is waited for, before what waits is asked for; and how often that has begun.
    var (isAsking, readyCount) = (false, 0)
    /// Which stream it is: what was begun on another one counts no more.
    var turn = 0
    var retries = Backoff()
    var retryTimer: (any ScheduledTimer)?
    /// The questions of the set-up that nobody has answered yet.
    var unanswered: Set<SetUpStep> = []

    private(set) lazy var catchUp = CatchUp(
        reader: { [unowned self] in reader }, flushed: { [unowned self] in await allIsKept() },
        tell: { [unowned self] in tell($0) })
    private(set) lazy var pictures = AvatarFetcher(
        AvatarFetcher.Source(
            published: { [client] node, owner, id throws(RequestError) in
                try await client.published(node, by: owner, id: id)
            }, card: { [client] jid throws(RequestError) in try await client.card(of: jid) }), cache: cache,
        tell: { [weak self] in self?.onEvent?(.picture($0, $1)) })

    /// Creates it, signed out.
    ///
    /// - Parameters:
    ///   - client: the account's stream, which is its alone from now on.
    ///   - store: where the facts that it tells are kept, by whoever is told.
    ///   - pictures: keeps buddies' pictures; nil asks for them anew each time.
    public init(
        client: XMPPClient, store: any MessageStore, clock: any Scheduler, wall: any WallClock,
        pictures: (any AvatarStore)? = nil
    ) {
        self.client = client
        self.store = store
        self.clock = clock
        self.wall = wall
        cache = pictures
        client.onEvent = { [weak self] in self?.take($0) }
        client.beforeAcknowledging = { [weak self] completion in
            if let self { self.keep(completion) } else { completion() }
        }
    }
}

// MARK: - The account

extension XMPPChat {
    /// Whom to sign in.
    ///
    /// A change counts from the next attempt.
    public var account: XMPPAccount {
        get { client.account }
        set {
            if newValue.jid.bare != client.account.jid.bare { forgetAccount() }
            client.account = newValue
        }
    }

    /// Signs in, or tries again at once, unless I want to be offline: then once I no more do.
    public func signIn() {
        isWanted = true
        if presence.availability != .offline { client.signIn() }
    }

    /// Signs out, and stays so: the account is not wanted any more.
    public func signOut() {
        isWanted = false
        client.signOut()
    }

    /// Looks at once whether the server is still there; to be called when the machine has slept.
    public func wakeUp() { client.networkChanged() }

    /// Says how I am here: `offline` signs out, and what follows it signs in again.
    public func setPresence(_ presence: OwnPresence) {
        let before = self.presence
        self.presence = presence
        if presence.availability == .offline {
            if before.availability != .offline { client.signOut() }
        } else if before.availability == .offline {
            if isWanted { client.signIn() }
        } else if presence != before, isPresenceTold {
            tellPresence()
        }
    }

    private func forgetAccount() {
        client.signOut()
        catchUp.reset()
        (book, outbox, addressed, hasArchive) = (RosterState(), SendWindow(), [], nil)
        // What is kept of buddies and of the archive may be the other's still.
        (isBookLoaded, isOtherAccount) = (false, true)
    }

    func tellPresence() {
        isPresenceTold = true
        client.send(
            Presence(
                show: presence.availability.show, status: presence.status,
                extensions: [OwnCapabilities.element]
            ).element)
    }

    private func tellState(_ state: XMPPClient.State) {
        self.state =
            switch state {
            case .signedOut: .off
            case .connecting: .connecting
            case .online: .online
            case .waiting(let error): .waiting(error.description)
            case .failed(let error): .failed(AccountProblem(error) ?? .other(error.description))
            }
        onEvent?(.state(self.state))
        onState?()
    }
}

// MARK: - What the stream tells

extension XMPPChat {
    private func take(_ event: XMPPClient.Event) {
        switch event {
        case .state(let state):
            if case .signedOut = state { leave() }
            tellState(state)
        case .began:
            turn += 1
            pictures.reset()
            isPresenceTold = false
            tellAll(book.begin())
            setUp()
        case .resumed:
            switch stage {
            case .ready: getReady()
            case .interrupted, .none: setUp()
            case .settingUp: break
            }
        case .arrived(.message(let message, let stamp)): take(message, .stream(stamp))
        case .arrived(.sentElsewhere(let message, let stamp)): take(message, .sentElsewhere(stamp))
        case .arrived(.presence(let presence)): take(presence)
        case .arrived(.roster(let roster)): tellAll(book.change(roster))
        case .arrived(.blocking(let change)): tellAll(book.change(change))
        case .arrived(.published(let change)): if isOwnOrBuddy(change.owner) { pictures.take(change) }
        case .acknowledged(let stanza):
            if let fact = outbox.acknowledged(stanza) { tell([fact]) }
            if outbox.hasRoomAgain(), isReady { getReady() }
        case .notDelivered(let stanza): outbox.gaveUp(stanza, isRefused: isSending)
        case .dropped(_, let reason): onDropped?(reason)
        }
    }

    private func take(_ message: Message, _ way: MessageMapper.Way) {
        let reading = reader.read(message, way)
        tell(catchUp.take(reading))
        if let (buddy, state) = reading.typing { onEvent?(.typing(buddy, state)) }
    }

    private func take(_ presence: Presence) {
        switch book.take(presence) {
        case .events(let events): tellAll(events)
        case .mutual(let jid): client.send(Presence(.subscribed, to: jid).element)
        }
        if let from = presence.from, isOwnOrBuddy(from) { pictures.take(presence) }
    }

    private func isOwnOrBuddy(_ jid: JID) -> Bool {
        jid.bare == client.account.jid.bare || book.record(of: ChatAddress(jid)) != nil
    }

    /// Reads messages as of now.
    var reader: MessageMapper {
        MessageMapper(own: client.account.jid.bare, trustsNames: hasArchive == true, now: wall.now)
    }

    /// Tells facts, in order.
    func tell(_ facts: [MessageUpdate]) {
        guard !facts.isEmpty else { return }
        for case .failed(_, let name, _) in facts { outbox.failed(name) }
        onEvent?(.facts(facts))
    }

    /// Tells events, in order.
    func tellAll(_ events: [ChatServiceEvent]) {
        for event in events { onEvent?(event.kept(for: client.account.jid)) }
    }

    /// Calls back when all that was told of is on the disk.
    private func keep(_ completion: @escaping @MainActor () -> Void) {
        if let whenKept { whenKept(completion) } else { store.flush(completion) }
    }

    /// Waits until all that was told of is on the disk.
    func allIsKept() async {
        await withCheckedContinuation { continuation in keep { continuation.resume() } }
    }
}

// MARK: - Sending

extension XMPPChat {
    /// Sends a stanza.
    func send(_ stanza: XMLElement) {
        isSending = true
        client.send(stanza)
        isSending = false
    }

    /// Sends a confirmation, or keeps it until something can be sent.
    func confirm(_ message: Message) {
        if isReady { send(message.element) } else { outbox.keep(message.element) }
    }

    /// Notes that somebody was written to.
    func address(_ buddy: ChatAddress) { addressed.insert(buddy) }

    /// Whether somebody may know that I am here, and what I do.
    func mayKnow(_ buddy: ChatAddress) -> Bool {
        presence.availability != .offline
            && (book.record(of: buddy)?.toldByMe == true || addressed.contains(buddy))
    }
}
