// SPDX-License-Identifier: GPL-3.0-or-later

import SIPMessages
import TouchtoneCore
import TouchtoneEngine

/// The calls of an account (XEP-0353, XEP-0166), which the engine gives their sound.
@MainActor
final class JabberCalls: StreamModule {
    nonisolated static let features = [
        CallMessage.namespace, AudioContent.namespace, AudioContent.audio, AudioContent.ice,
        AudioContent.dtls,
    ]
    /// The greatest numbers of ended calls that still answer, of words that wait for the next stream, and of own devices.
    static let maximumEnded = 16, maximumWords = 32, maximumDevices = 32
    /// The age from which a proposal does not ring.
    static let staleAge = Duration.seconds(30)

    let account: AccountContext
    let client: XMPPClient
    let rooms: RoomSessions
    let jingle: JingleSessions
    let dependencies: CallDependencies?
    let numbers: CallGateway
    private(set) var line: JabberLine?
    private let servers: CallServers
    private(set) lazy var missed = MissedCalls(of: self)
    var limit = IncomingLimit()
    /// The calls by their identifiers, also the last ones that have ended.
    private(set) var calls: [String: JabberCall] = [:]
    private var endedIDs: [String] = []
    /// The ends of calls that could not be told.
    private var words: [XMLElement] = []
    /// The people who learn for the time of a call that the user is online.
    private var shown: Set<JID> = []
    /// The user's other devices, with the nodes to ask for their features.
    private var ownDevices: [JID: String] = [:]
    /// The calls that wait until the account is online.
    private var waiting: [JabberCall] = []
    private var isEngineNeeded = false
    private var wasAvailable = false

    init(
        of account: AccountContext, _ rooms: RoomSessions, _ jingle: JingleSessions,
        _ gateway: GatewayModule, _ dependencies: CallDependencies?
    ) {
        (self.account, client, self.rooms) = (account, account.client, rooms)
        (self.jingle, self.dependencies) = (jingle, dependencies)
        numbers = CallGateway(gateway)
        servers = CallServers(of: account)
        guard let dependencies else { return }
        line = JabberLine(dependencies.line, of: self, makeRules: dependencies.makeRules)
        gateway.onTelephone = { [weak self] in self?.line?.update() }
        jingle.register(AudioContent.namespace) { [weak self] in self?.receive($0) }
        account.onArchive = { [weak self] in self?.missed.read($0) }
        wasAvailable = dependencies.engine.isAvailable
        dependencies.engine.observe(by: self) { [weak self] in self?.handle($0) }
    }

    var ownAddress: JID? {
        let own = client.account.jid.bare
        return own == .none ? nil : own
    }

    /// Nothing of calls is told to others while the engine is not installed.
    var present: [String] { dependencies?.engine.isAvailable == true ? Self.features : [] }

    var lineState: LineState {
        guard let dependencies, dependencies.engine.isAvailable else {
            return .unavailable(
                reason: localized(
                    "Calls need the program touchtone-sip, which is missing or of another version. Install or update it."
                ))
        }
        switch client.state {
        case .online: return .available
        case .connecting: return .connecting
        case .failed(let problem): return .unavailable(reason: problem.text)
        case .waiting(let reason): return .unavailable(reason: reason)
        case .none, .disabled, .signedOut, .asking, .passwordWanted:
            return .unavailable(reason: localized("You are offline."))
        }
    }
}

// MARK: - Stream

extension JabberCalls {
    func begin() {
        (shown, ownDevices) = ([], [:])
        tellEnds()
    }

    func resume() { tellEnds() }

    func end() {
        begin()
        hangUpAll()
        words = []
        if isEngineNeeded { dependencies?.engine.setNeeded(false, by: self) }
        isEngineNeeded = false
        (calls, endedIDs) = ([:], [])
    }

    func forget() {
        end()
        servers.forget()
        missed.forget()
    }

    /// Reports missed calls: the archive has been read.
    func start() { if dependencies != nil { missed.reportSoon() } }

    func hangUpAll() { for call in calls.values where !call.hasEnded { call.end(.hungUp) } }

    /// Begins the calls that wait, or refuses them: the account is online, or will not be.
    func accountHasChanged() {
        line?.update()
        let begun = waiting
        waiting = []
        for call in begun { begin(call) }
    }

    func handle(_ stanza: InboundStanza) -> Bool {
        guard dependencies != nil else { return false }
        switch stanza {
        case .message(let message, let stamp): receive(message, stamp)
        case .sentElsewhere(let message, _): receiveSentElsewhere(message)
        case .presence(let presence): receive(presence)
        case .roster, .blocking, .published, .request, .answered, .response, .archived, .dropped: break
        }
        return false
    }

    private func receive(_ presence: Presence) {
        guard let from = presence.from, from.bare == ownAddress, from != client.address else { return }
        switch presence.kind {
        case .available:
            guard let capabilities = Capabilities(in: presence),
                ownDevices.count < Self.maximumDevices || ownDevices[from] != nil
            else { return }
            ownDevices[from] = "\(capabilities.node)#\(capabilities.version)"
        case .unavailable: ownDevices[from] = nil
        default: break
        }
    }

    var hasOtherDevices: Bool { !ownDevices.isEmpty }

    /// Returns whether another device of the user takes calls.
    func canAnotherDeviceCall() async -> Bool {
        let client = client
        let questions = ownDevices.map { device, node in
            Task { try? await client.info(of: device, node: node, limit: .seconds(3)) }
        }
        for question in questions {
            if await question.value?.features.contains(CallMessage.namespace) == true { return true }
        }
        return false
    }

    /// Keeps the end of a call for the next stream; returns false for another stanza.
    func keep(_ stanza: XMLElement) -> Bool {
        let isEnd = stanza.children.contains { element in
            element.namespace == CallMessage.namespace && element.name != "propose"
                || element.isNamed("jingle", Jingle.namespace)
                    && element["action"] == Jingle.Action.terminate.rawValue
        }
        guard isEnd else { return false }
        if words.count < Self.maximumWords { words.append(stanza) }
        return true
    }

    private func tellEnds() {
        let kept = words
        words = []
        for stanza in kept { client.send(stanza) }
    }
}

// MARK: - Engine

extension JabberCalls {
    private func handle(_ change: CallEngine.Change) {
        if change == .ready { for call in calls.values { call.engineIsReady() } }
        guard let isAvailable = dependencies?.engine.isAvailable, isAvailable != wasAvailable else { return }
        wasAvailable = isAvailable
        line?.update()
        account.onPresenceChange?()
    }

    /// Starts the engine, which runs from the first call until the account goes.
    func startEngine() {
        guard !isEngineNeeded else { return }
        isEngineNeeded = true
        dependencies?.engine.setNeeded(true, by: self)
    }

    private var relayUse: RelayUse { dependencies?.relayUse() ?? .strangers }

    /// Returns whether somebody may call without encryption: a buddy may, if the user allows it.
    func takesPlainCalls(of jid: JID) -> Bool {
        account.roster.record(of: ChatAddress(jid)) != nil && dependencies?.takesPlainCalls() == true
    }

    /// Returns the ways that the sound of a call may take; nil if it must go through a relay, and there is none.
    ///
    /// Unless the user wants it otherwise, strangers learn the address of the relay alone if there is one.
    func route(isStranger: Bool) async -> MediaRoute? {
        let known = await servers.servers()
        let hasRelay = known.relay != nil
        switch relayUse {
        case .strangers: return MediaRoute(servers: known, usesRelayOnly: hasRelay && isStranger)
        case .always: return hasRelay ? MediaRoute(servers: known, usesRelayOnly: true) : nil
        case .never: return MediaRoute(servers: known, usesRelayOnly: false)
        }
    }
}

// MARK: - Calls

extension JabberCalls {
    func dial(_ remote: RemoteParty) -> any LineCall {
        let number = numbers.jid(of: remote.number)
        let jid = remote.jid ?? (remote.address.isEmpty ? number : nil)
        let call = JabberCall(
            remote, party: jid ?? .none, sid: RandomText.uuid(),
            isStranger: jid.map { isStranger($0) } ?? true,
            calls: self)
        // No event may arrive before this returns.
        Task { [weak self] in self?.begin(call) }
        return call
    }

    private func begin(_ call: JabberCall) {
        guard !call.hasEnded else { return }
        let state = lineState
        if let reason = state.refusal { return call.refuse(reason) }
        guard state == .available else { return waiting.append(call) }
        guard call.party != .none, call.party != ownAddress else { return call.refuse(.noSuchNumber) }
        guard !calls.values.contains(where: { $0.party == call.party && $0.course?.state == .proposed })
        else {
            return call.refuse(.busy)
        }
        add(call)
        guard relayUse == .always else { return propose(call) }
        // Without a relay, nobody is called.
        Task {
            let route = await route(isStranger: call.isStranger)
            guard !call.hasEnded else { return }
            if route == nil { call.refuse(.noRelay) } else { propose(call) }
        }
    }

    private func propose(_ call: JabberCall) {
        startEngine()
        showPresence(to: call.party)
        call.begin(isGateway: numbers.isOfGateway(call.party))
    }

    func add(_ call: JabberCall) { calls[call.sid] = call }

    /// Moves a call to another identifier.
    func rename(_ call: JabberCall, from sid: String) {
        calls[sid] = nil
        calls[call.sid] = call
    }

    /// Keeps a call that has ended for a while, to answer a device that takes it too late.
    func ended(_ call: JabberCall) {
        hidePresence(from: call.party)
        guard calls[call.sid] === call else { return }
        endedIDs.append(call.sid)
        if endedIDs.count > Self.maximumEnded { calls[endedIDs.removeFirst()] = nil }
    }

    /// Whether somebody may not know this machine's address.
    func isStranger(_ jid: JID) -> Bool {
        account.roster.record(of: ChatAddress(jid)) == nil && !numbers.isOfGateway(jid)
    }

    /// Returns the party with a Jabber address: a number, if a gateway has assigned it the address.
    func remote(_ jid: JID) -> RemoteParty {
        let name = account.roster.record(of: ChatAddress(jid))?.name ?? ""
        if let number = numbers.number(of: jid) { return RemoteParty(number, displayName: name) }
        return RemoteParty(ChatAddress(jid), displayName: name)
    }

    /// Lets somebody answer who could not otherwise know that the user is online.
    private func showPresence(to party: JID) {
        guard account.roster.record(of: ChatAddress(party))?.toldByMe != true,
            account.presence.availability != .offline, shown.insert(party).inserted
        else { return }
        var presence = Presence(to: party)
        account.describe(&presence)
        client.send(presence.element)
    }

    private func hidePresence(from party: JID) {
        guard !calls.values.contains(where: { $0.party == party && !$0.hasEnded }),
            shown.remove(party) != nil
        else { return }
        client.send(Presence(.unavailable, to: party).element)
    }

    /// Sends a message about a call to all devices of an account, or to one.
    func tell(_ content: CallMessage.Content, of sid: String, _ jid: JID) {
        var extensions = [CallMessage(content, id: sid).element, ProcessingHints.store]
        if case .propose = content { extensions.insert(Receipts.request, at: 1) }
        let id: String? = if case .propose = content { sid } else { RandomText.make(16) }
        client.send(Message(to: jid, id: id, extensions: extensions).element)
    }
}
