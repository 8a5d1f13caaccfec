// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

/// An account's stream, which comes back by itself: all that the protocols are built on.
///
/// What is sent ends in one of two ways, in order: acknowledged by the server, or given up as not delivered.
@MainActor
public final class XMPPClient {
    /// How the account stands.
    public enum State: Hashable, Sendable {
        /// Not wanted online.
        case signedOut
        /// On the way.
        case connecting
        /// Online, as that device.
        case online(JID)
        /// Waiting to try again, because of that.
        case waiting(XMPPError)
        /// Not trying again before the user has done something about that.
        case failed(XMPPError)
    }

    /// What is told as it happens.
    public enum Event: Sendable {
        /// The state has changed.
        case state(State)
        /// A new stream: what was known of others is void, and it has to be told who is here.
        case began(JID, SASLMechanism)
        /// The stream before goes on: nothing was lost.
        case resumed
        /// Something came.
        case arrived(InboundEvent)
        /// The server has this stanza of ours.
        case acknowledged(XMLElement)
        /// This stanza of ours may or may not have arrived: its stream is gone.
        case notDelivered(XMLElement)
        /// A stanza was dropped that its sender was not entitled to; for the log.
        case dropped(XMLElement, reason: String)
    }

    /// Whom to sign in.
    ///
    /// A change counts from the next attempt. A password that was refused is tried again once it is set, also to what it
    /// was: then the user has typed it again.
    public var account: XMPPAccount {
        didSet {
            refusal = nil
            if account.password != oldValue.password || account.jid != oldValue.jid {
                memory = SignInCache()
            }
            // Who lowers the bar means it, whatever this run has seen.
            if account.weakestMechanism != oldValue.weakestMechanism { memory.mechanism = nil }
            if account.jid.bare != oldValue.jid.bare { forgetStream() }
        }
    }
    /// Told of all that happens.
    public var onEvent: (@MainActor (Event) -> Void)?
    /// Asked before the server is told that we have what came: it calls back once all that was told of by `onEvent` is
    /// kept.
    ///
    /// What the server was not told of it sends again. Nil is at once.
    public var beforeAcknowledging: (@MainActor (@escaping @MainActor () -> Void) -> Void)?
    /// Whether somebody is looking: where not, the server may hold back what can wait.
    public var isActive = true {
        didSet { if isActive != oldValue { session?.send(isActive: isActive) } }
    }
    /// Whether nothing is read from the server for now, also from a stream that comes next.
    ///
    /// Data that the server has sent waits in the connection and with the server, unacknowledged. While it lasts,
    /// the server's silence is no sign of a lost connection.
    public var isPaused = false {
        didSet { if isPaused != oldValue { session?.setPaused(isPaused) } }
    }
    /// How it stands.
    public private(set) var state = State.signedOut {
        didSet { if state != oldValue { onEvent?(.state(state)) } }
    }

    /// How the password was proven last; nil where it was not.
    private(set) var mechanism: SASLMechanism?
    /// Whether the server names the states of the list of buddies; of the stream, or the last one.
    private(set) var hasRosterVersions = false
    /// Whether a buddy can be let see our presence before it asks.
    private(set) var hasPreapproval = false

    private let clock: any Scheduler
    private let lookup: any ServiceLookup
    private let network: any NetworkWatch
    private let timeouts: Timeouts
    private let resource = "touchtone." + RandomText.make(8)
    private let questions: IQTracker
    let archiveQueries = ArchiveQueries()
    private var memory = SignInCache()
    private var backoff = Backoff()
    private var beganAt = Duration.zero
    private var attempt: ConnectionAttempt?
    private var session: OnlineSession?
    /// Whether a stream is being ended in good order after a `signOut`.
    private(set) var isLeaving = false
    private var resumption: Resumption?
    private var timer: (any ScheduledTimer)?
    /// The server's refusal of the password in use; nil is none.
    private var refusal: XMPPError?

    /// Creates it, signed out.
    public init(
        account: XMPPAccount, clock: any Scheduler, lookup: any ServiceLookup = SystemServiceLookup(),
        network: any NetworkWatch = SystemNetworkWatch(), timeouts: Timeouts = Timeouts()
    ) {
        self.account = account
        self.clock = clock
        self.lookup = lookup
        self.network = network
        self.timeouts = timeouts
        questions = IQTracker(clock: clock)
        network.onChange = { [weak self] isAvailable in self?.networkChanged(isAvailable) }
    }
}

// MARK: - Coming and going

extension XMPPClient {
    /// Signs in, now, and keeps the account online.
    ///
    /// A password that the server refused is not tried again before `account` is set: attempts with a wrong password may
    /// lock the account.
    public func signIn() {
        switch state {
        case .connecting, .online: return
        case .signedOut, .waiting, .failed:
            if let refusal {
                state = .failed(refusal)
                return
            }
            backoff.reset()
            connect()
        }
    }

    /// Signs out, and forgets the stream.
    public func signOut() {
        timer?.cancel()
        attempt?.abort(.lost("signed out"))
        attempt = nil
        let session = session
        self.session = nil
        giveUp(session?.waiting ?? [])
        isLeaving = session != nil
        session?.end()
        forgetStream()
        state = .signedOut
    }

    /// Looks at once whether the server is still there; to be called when the machine has slept.
    public func networkChanged(_ isAvailable: Bool = true) {
        guard isAvailable else { return }
        switch state {
        case .online: session?.hurry()
        case .waiting, .failed(.certificate):
            // A bad certificate may have been that of a hotel's network.
            backoff.reset()
            connect()
        case .signedOut, .connecting, .failed: break
        }
    }

    private func connect() {
        timer?.cancel()
        state = .connecting
        let attempt = ConnectionAttempt(
            account: account, resource: resource, clock: clock, lookup: lookup, timeouts: timeouts,
            memory: memory, resumption: resumption, settled: { [weak self] in self?.settle($0) },
            acknowledged: { [weak self] in self?.acknowledge($0) })
        self.attempt = attempt
        Task {
            let result: Result<SignInResult, XMPPError>
            do throws(XMPPError) {
                result = .success(try await attempt.run())
            } catch {
                result = .failure(error)
            }
            guard self.attempt === attempt else {
                // It was called off while the last step was on its way.
                if case .success(let signedIn) = result {
                    signedIn.stream.transport.abort(.lost("signed out"))
                }
                return
            }
            self.attempt = nil
            switch result {
            case .success(let signedIn): begin(signedIn)
            case .failure(let error):
                if resumption?.isRefuted == true { forgetStream() }
                retry(after: error)
            }
        }
    }

    private func begin(_ signedIn: SignInResult) {
        beganAt = clock.now
        let old = resumption?.management
        resumption = nil
        let session = OnlineSession(
            signedIn, management: signedIn.isResumed ? old : signedIn.management, clock: clock,
            timeouts: timeouts,
            listener: OnlineSession.Listener(
                stanza: { [weak self] in self?.receive($0) },
                skipped: { [weak self] in self?.skip($0, $1) },
                acknowledged: { [weak self] stanzas in
                    // After a sign-out all has been given up already.
                    if self?.session != nil { self?.acknowledge(stanzas) }
                },
                settled: { [weak self] in self?.settle($0) },
                ended: { [weak self] in self?.end($0) }))
        self.session = session
        mechanism = signedIn.mechanism
        hasRosterVersions = signedIn.features.hasRosterVersions
        hasPreapproval = signedIn.features.hasPreapproval
        if !signedIn.isResumed {
            questions.endAll()
            giveUp(old?.waiting ?? [])
        }
        session.start()
        if isPaused { session.setPaused(true) }
        if !isActive { session.send(isActive: false) }
        state = .online(signedIn.jid)
        onEvent?(signedIn.isResumed ? .resumed : .began(signedIn.jid, signedIn.mechanism))
    }

    private func end(_ reason: XMPPError) {
        guard let session else {
            isLeaving = false
            return
        }
        self.session = nil
        // A server that ends each stream by what it sends finds us further and further apart.
        if !reason.isViolation || clock.now - beganAt >= Self.provenTime { backoff.reset() }
        if let management = session.management, management.id != nil, !reason.isViolation {
            resumption = Resumption(management: management, jid: session.jid)
        } else {
            giveUp(session.waiting)
            questions.endAll()
        }
        retry(after: reason)
    }

    /// How long a stream has to be up so that the next attempt comes soon, however it ends.
    private static let provenTime = Duration.seconds(300)

    private func settle(_ completion: @escaping @MainActor () -> Void) {
        if let beforeAcknowledging { beforeAcknowledging(completion) } else { completion() }
    }

    private func forgetStream() {
        giveUp(resumption?.management.waiting ?? [])
        resumption = nil
        questions.endAll()
    }

    private func retry(after reason: XMPPError) {
        guard !reason.needsUser else {
            if reason.isOfPassword { refusal = reason }
            state = .failed(reason)
            return
        }
        var random = SystemRandomNumberGenerator()
        let delay = backoff.next(using: &random)
        timer = clock.schedule(after: delay) { [weak self] in self?.connect() }
        state = .waiting(reason)
    }
}

// MARK: - Stanzas

extension XMPPClient {
    /// Sends a stanza.
    ///
    /// While the connection is away it waits, if the stream may be gone on with.
    public func send(_ stanza: XMLElement) {
        let isTaken: Bool
        if let session {
            isTaken = session.send(stanza)
        } else if let resumption {
            isTaken = resumption.management.send(stanza)
        } else {
            isTaken = false
        }
        if !isTaken { onEvent?(.notDelivered(stanza)) }
    }

    /// Asks for something, and waits for the answer.
    ///
    /// - Parameter to: who is asked; nil is the own account's server.
    /// - Returns: what the answer holds; nil if nothing.
    public func request(_ kind: IQ.Kind, to: JID? = nil, _ payload: XMLElement) async throws(RequestError)
        -> XMLElement?
    {
        guard session != nil else { throw .disconnected }
        let id = RandomText.make(16)
        let response = await withCheckedContinuation { continuation in
            questions.add(id: id, to: to, limit: timeouts.request) { continuation.resume(returning: $0) }
            send(IQ(kind, id: id, to: to, payload).element)
        }
        return try response.get()
    }

    private func receive(_ stanza: XMLElement) {
        guard let own = session?.jid else { return }
        switch InboundStanza(stanza, own: own) {
        case .arrival(let arrival): onEvent?(.arrived(arrival))
        case .request(let response, let arrival):
            send(response.element)
            if let arrival { onEvent?(.arrived(arrival)) }
        case .response(let iq):
            if !questions.take(iq, own: own) { drop(stanza, "an answer that was not asked for") }
        case .archived(let result, let sender):
            if let reason = archiveQueries.take(result, from: sender, own: own) { drop(stanza, reason) }
        case .dropped(let reason): drop(stanza, reason)
        }
    }

    /// Makes do without a stanza that passes a limit.
    private func skip(_ head: XMLElement, _ limit: String) {
        guard let own = session?.jid else { return }
        if let id = head["id"], let addresses = Addresses(of: head), head.name == "iq" {
            switch head["type"] {
            case "get", "set":
                let error = StanzaError(.modify, "policy-violation")
                send(IQ(.error, id: id, to: addresses.from, error: error).element)
            default: questions.fail(id, from: addresses.from, own: own)
            }
        } else if let message = Message(head), let result = Archive.result(in: message) {
            archiveQueries.skip(result, from: message.from, own: own)
        }
        drop(head, "\(limit) passes the limit")
    }

    private func drop(_ stanza: XMLElement, _ reason: String) { onEvent?(.dropped(stanza, reason: reason)) }

    private func acknowledge(_ stanzas: [XMLElement]) {
        for stanza in stanzas { onEvent?(.acknowledged(stanza)) }
    }

    private func giveUp(_ stanzas: [XMLElement]) {
        for stanza in stanzas { onEvent?(.notDelivered(stanza)) }
    }
}
