// SPDX-License-Identifier: GPL-3.0-or-later

import GLibBridge
import TouchtoneCore

/// An account's stream, which reconnects automatically: the base of all protocols.
///
/// Each stanza that is sent is reported in order, as acknowledged by the server or as not delivered.
@MainActor
final class XMPPClient {
    enum Event: Sendable {
        case state(AccountState)
        /// An address has been requested: what a new stream begins with can be sent already (`isOpened`).
        case opened
        /// A new stream began: the presence of others is no longer known, and our own must be sent again.
        case began(JID, SASLMechanism?)
        case resumed
        case acknowledged(XMLElement)
        /// This stanza may or may not have arrived: its stream ended.
        case notDelivered(XMLElement)
    }

    /// The account to sign in, from the next attempt on.
    ///
    /// A refused password is tried again once it is set, even to the same value: the user entered it again.
    var account: XMPPAccount {
        didSet {
            refusal = nil
            if account.password != oldValue.password || account.jid != oldValue.jid {
                memory = SignInCache()
            }
            // The user accepts a weaker mechanism, even if this process has used a stronger one.
            if account.weakestMechanism != oldValue.weakestMechanism { memory.mechanism = nil }
            if account.jid.bare != oldValue.jid.bare { forgetStream() }
        }
    }
    var onEvent: (@MainActor (Event) -> Void)?
    /// Called with each received stanza that is not a response to a request of ours, or answered already.
    var onStanza: (@MainActor (InboundStanza) -> Void)?
    /// A closure that returns the description of this device for others.
    var info: @MainActor () -> DiscoInfo = { OwnCapabilities.info }
    /// Called with each stanza that is sent, before it is.
    var onSend: (@MainActor (XMLElement) -> Void)?
    /// Called before stanzas are acknowledged, with a closure to call once all that were reported are saved.
    ///
    /// The server sends stanzas that are not acknowledged again. Nil acknowledges at once.
    var beforeAcknowledging: (@MainActor (@escaping @MainActor () -> Void) -> Void)?
    /// Whether the user is active; if not, the server may delay unimportant stanzas (XEP-0352).
    var isActive = true {
        didSet { if isActive != oldValue { session?.send(isActive: isActive) } }
    }
    /// Whether reading from the server is paused, also on later streams: what it sends waits, unacknowledged.
    ///
    /// Meanwhile, silence of the server is no sign of a lost connection.
    var isPaused = false {
        didSet { if isPaused != oldValue { session?.setPaused(isPaused) } }
    }
    private(set) var state = AccountState.signedOut {
        didSet { if state != oldValue { onEvent?(.state(state)) } }
    }
    /// The reason for the last state `waiting` or `failed`; nil if there was none.
    private(set) var lastError: XMPPError?
    /// The full address of this device while online; nil otherwise.
    var address: JID? { session?.jid }

    /// The mechanism of the last sign-in; nil if there was none.
    private(set) var mechanism: SASLMechanism?
    /// Whether a token took the place of the password at the last sign-in.
    private(set) var usesToken = false
    /// Whether the server supports roster versions, on this stream or the last one.
    private(set) var hasRosterVersions = false
    private(set) var hasPreapproval = false
    /// Whether the copies of other devices' messages were enabled with the sign-in.
    private(set) var hasCarbons = false
    /// Whether the present stream has what was sent since the event `opened`.
    private(set) var isOpened = false
    /// The place where what the server offered last is kept until the next start; nil to forget it.
    var serverStorage: EntryStorage?

    private let clock: any Scheduler
    private let lookup: any ServiceLookup
    private let makeNetwork: @MainActor () -> any NetworkWatch
    /// The watch of the network; nil before the first sign-in, so that the window does not wait for it.
    private var network: (any NetworkWatch)?
    private let timeouts: Timeouts
    private let tokens: SignInTokens?
    /// Returns the id of this device for an account.
    private let deviceID: @MainActor (JID) -> String
    private let resource = "touchtone." + RandomText.make(8)
    private let questions: IQTracker
    let archiveQueries = ArchiveQueries()
    private var memory = SignInCache()
    private var backoff = Backoff()
    private var beganAt = Duration.zero
    private var attempt: ConnectionAttempt?
    private var session: OnlineSession?
    /// The stream whose address has been requested; nil if there is none.
    private var opening: StreamOpening?
    /// Whether a stream is being closed after `signOut()`.
    private(set) var isLeaving = false
    private var resumption: Resumption?
    private var timer: (any ScheduledTimer)?
    /// The server's refusal of the current password; nil if it was not refused.
    private var refusal: XMPPError?

    /// Nothing of the network exists before the first sign-in, not even its watch.
    init(
        account: XMPPAccount, clock: any Scheduler, lookup: any ServiceLookup = SystemServiceLookup(),
        network: @autoclosure @escaping @MainActor () -> any NetworkWatch = SystemNetworkWatch(),
        timeouts: Timeouts = Timeouts(), tokens: SignInTokens? = nil,
        deviceID: (@MainActor (JID) -> String)? = nil
    ) {
        (self.account, self.clock, self.timeouts) = (account, clock, timeouts)
        (self.lookup, makeNetwork) = (lookup, network)
        questions = IQTracker(clock: clock)
        self.tokens = tokens
        let id = RandomText.uuid()
        self.deviceID = deviceID ?? { _ in id }
    }
}

// MARK: - Connection

extension XMPPClient {
    /// Signs in now, and keeps the account online.
    ///
    /// A password that the server refused is not tried again until `account` is set: repeated attempts with a wrong
    /// password may lock the account.
    func signIn() {
        guard state != .connecting, state != .online else { return }
        if let refusal { return stop(for: refusal) }
        backoff.reset()
        connect()
    }

    func signOut() {
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

    /// Checks at once whether the server responds; call it also after the computer has slept.
    func networkChanged(_ isAvailable: Bool = true) {
        guard isAvailable else { return }
        switch state {
        case .online: session?.hurry()
        case .waiting, .failed(.certificate):
            // The certificate may have been that of a hotel's login page.
            backoff.reset()
            connect()
        default: break
        }
    }

    private func connect() {
        timer?.cancel()
        watchNetwork()
        state = .connecting
        let address = account.jid.bare.description
        memory.recall(serverStorage.flatMap { KnownServer(entries: $0.read(address)) })
        tokens?.load(for: account)
        let attempt = ConnectionAttempt(
            account: account, resource: resource, clock: clock, lookup: lookup, timeouts: timeouts,
            memory: memory, device: device, resumption: resumption,
            opened: { [weak self] in self?.open($0) },
            settled: { [weak self] in self?.settle($0) },
            acknowledged: { [weak self] in self?.acknowledge($0) })
        self.attempt = attempt
        Task {
            let result = await Result.of { () throws(XMPPError) in try await attempt.run() }
            guard self.attempt === attempt else {
                // The attempt was cancelled during its last step.
                if case .success(let signedIn) = result {
                    signedIn.stream.transport.abort(.lost("signed out"))
                }
                return
            }
            self.attempt = nil
            switch result {
            case .success(let signedIn): begin(signedIn)
            case .failure(let error):
                endOpening()
                if resumption?.isRefuted == true { forgetStream() }
                retry(after: error)
            }
        }
    }

    private var device: SignInDevice {
        SignInDevice(id: deviceID(account.jid.bare), tokens: tokens, isActive: isActive)
    }

    /// Removes the token of an account, which is signed in by the password the next time.
    func forgetToken(of account: JID) { tokens?.forget(account) }

    private func watchNetwork() {
        guard network == nil else { return }
        let watch = makeNetwork()
        watch.onChange = { [weak self] isAvailable in self?.networkChanged(isAvailable) }
        network = watch
    }

    private func open(_ opening: StreamOpening) {
        endOpening()
        // The earlier stream is not resumed.
        questions.endAll()
        self.opening = opening
        hasCarbons = opening.hasCarbons
        hasRosterVersions = opening.features.hasRosterVersions
        onEvent?(.opened)
    }

    /// Gives up what was sent on a stream that got no address.
    private func endOpening() {
        guard let sent = opening?.sent else { return }
        opening = nil
        giveUp(sent)
        questions.endAll()
    }

    private func begin(_ signedIn: SignInResult) {
        beganAt = clock.now
        if opening?.stream !== signedIn.stream { endOpening() }
        let opening = opening
        self.opening = nil
        isOpened = opening != nil
        let old = resumption?.management
        resumption = nil
        let session = OnlineSession(
            signedIn, management: signedIn.isResumed ? old : signedIn.management, clock: clock,
            timeouts: timeouts, questions: questions, archiveQueries: archiveQueries,
            listener: OnlineSession.Listener(
                info: { [weak self] in self?.info() ?? OwnCapabilities.info },
                received: { [weak self] in self?.onStanza?($0) },
                acknowledged: { [weak self] in self?.acknowledge($0) },
                settled: { [weak self] in self?.settle($0) },
                ended: { [weak self] in self?.end($0, for: $1) }))
        self.session = session
        if let mechanism = signedIn.mechanism { self.mechanism = mechanism }
        usesToken = signedIn.mechanism == nil
        if !signedIn.isResumed { hasCarbons = signedIn.hasCarbons }
        hasRosterVersions = signedIn.features.hasRosterVersions
        hasPreapproval = signedIn.features.hasPreapproval
        if !signedIn.isResumed {
            if !isOpened { questions.endAll() }
            giveUp(old?.waiting ?? [])
        }
        session.start()
        if let opening { session.adopt(opening.sent) }
        keepServer()
        if isPaused { session.setPaused(true) }
        if isActive != signedIn.isActive { session.send(isActive: isActive) }
        state = .online
        onEvent?(signedIn.isResumed ? .resumed : .began(signedIn.jid, signedIn.mechanism))
    }

    private func keepServer() {
        let (address, entries) = (account.jid.bare.description, memory.known?.entries ?? [])
        if let serverStorage, serverStorage.read(address) != entries { serverStorage.write(address, entries) }
    }

    private func end(_ session: OnlineSession, for reason: XMPPError) {
        // The server may close a session that was left when the next one is up.
        guard self.session === session else {
            isLeaving = false
            return
        }
        self.session = nil
        // Do not reset the delay if the server's own data ends each stream, so that attempts become rarer.
        let uptime = clock.now - beganAt
        if reason.isCut, uptime >= Self.workingTime {
            backoff.resetAfterCut()
        } else if !reason.isViolation || uptime >= Self.provenTime {
            backoff.reset()
        }
        // Prosody 13 may resume a stream and send on it, and never read from it again: it would be resumed for ever.
        let isIgnored = reason == .silent(.online) && !session.isRead
        if let management = session.management, management.id != nil, !reason.isViolation, !isIgnored {
            resumption = Resumption(
                management: management, jid: session.jid, features: session.features)
        } else {
            giveUp(session.waiting)
            questions.endAll()
        }
        retry(after: reason)
    }

    /// The uptime after which the end of a stream, for any reason, resets the delay between attempts.
    private static let provenTime = Duration.seconds(300)
    /// The uptime after which a stream that is cut is replaced almost at once.
    private static let workingTime = Duration.seconds(1)

    private func settle(_ completion: @escaping @MainActor () -> Void) {
        if let beforeAcknowledging { beforeAcknowledging(completion) } else { completion() }
    }

    private func forgetStream() {
        endOpening()
        giveUp(resumption?.management.waiting ?? [])
        resumption = nil
        questions.endAll()
    }

    private func retry(after reason: XMPPError) {
        guard !reason.needsUser else {
            if reason.isOfPassword { refusal = reason }
            stop(for: reason)
            // Nothing is answered before the user acts.
            return questions.endAll()
        }
        var random = SystemRandomNumberGenerator()
        let delay = backoff.next(using: &random)
        timer = clock.schedule(after: delay) { [weak self] in self?.connect() }
        stop(for: reason)
    }

    private func stop(for reason: XMPPError) {
        lastError = reason
        state = AccountProblem(reason).map { .failed($0) } ?? .waiting(reason.description)
    }
}

// MARK: - Stanzas

extension XMPPClient {
    /// Sends a stanza, which waits without a connection if the stream may be resumed, or is not delivered.
    func send(_ stanza: XMLElement) {
        onSend?(stanza)
        let isTaken =
            session?.send(stanza) ?? opening?.send(stanza) ?? resumption?.management.send(stanza) ?? false
        if !isTaken { onEvent?(.notDelivered(stanza)) }
    }

    /// Sends a request; returns the payload of the response, or nil if it is empty.
    ///
    /// - Parameters:
    ///   - to: The recipient; nil for the server of the user's account.
    ///   - limit: The timeout for the response; nil for the usual one.
    func request(
        _ kind: IQ.Kind, to: JID? = nil, _ payload: XMLElement, limit: Duration? = nil
    ) async throws(RequestError) -> XMLElement? {
        let response = await withCheckedContinuation { continuation in
            ask(kind, to: to, payload, limit: limit) { continuation.resume(returning: $0) }
        }
        return try response.get()
    }

    /// Sends a request at once, so that later stanzas follow it; calls back once with the response.
    func ask(
        _ kind: IQ.Kind, to: JID? = nil, _ payload: XMLElement, limit: Duration? = nil,
        answered: @escaping @MainActor (IQTracker.Answer) -> Void
    ) {
        guard session != nil || opening != nil else { return answered(.failure(.disconnected)) }
        let id = RandomText.make(16)
        questions.add(id: id, to: to, limit: limit ?? timeouts.request, answered: answered)
        send(IQ(kind, id: id, to: to, payload).element)
    }

    /// Sends a request whose response makes no difference.
    func requestWithoutWaiting(_ payload: XMLElement, to jid: JID? = nil) {
        send(IQ(.set, id: RandomText.make(16), to: jid, payload).element)
    }

    private func acknowledge(_ stanzas: [XMLElement]) {
        for stanza in stanzas { onEvent?(.acknowledged(stanza)) }
    }

    private func giveUp(_ stanzas: [XMLElement]) {
        for stanza in stanzas { onEvent?(.notDelivered(stanza)) }
    }
}
