// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

/// The Jabber account between `Chat`, which talks by it, and `ChatAccount`, which signs it in.
///
/// Nothing of the network is there before the first sign-in: the window does not wait for it.
@MainActor
public final class JabberService {
    /// Told of all that happens; set once, by `Chat`.
    public var onEvent: (@MainActor (ChatServiceEvent) -> Void)? { didSet { chat?.onEvent = onEvent } }
    /// Called after each change of `state`; set once, by `ChatAccount`.
    public var onChange: (@MainActor () -> Void)?
    /// Told why something was dropped that its sender was not entitled to, for the log.
    public var onDropped: (@MainActor (String) -> Void)?
    /// Calls back when all that was told is kept; set before the first sign-in.
    public var whenKept: (@MainActor (@escaping @MainActor () -> Void) -> Void)?
    /// Whether somebody is looking: where not, the server may hold back what can wait.
    public var isActive = true { didSet { chat?.isActive = isActive } }
    /// The account's state.
    public var state: ChatServiceState { chat?.state ?? .off }

    private let store: any MessageStore
    private let clock: any Scheduler
    private let wall: any WallClock
    private let makeClient: @MainActor (XMPPAccount) -> XMPPClient
    private var chat: XMPPChat?
    private var presence = OwnPresence()
    private var isPaused = false
    /// Whether `ChatAccount` wants it online: presence alone signs nobody in.
    private var isWanted = false

    /// Creates it, signed out.
    ///
    /// - Parameter makeClient: makes the stream, at the first sign-in; nil is one of the system's network.
    public init(
        store: any MessageStore, clock: any Scheduler, wall: any WallClock,
        makeClient: (@MainActor (XMPPAccount) -> XMPPClient)? = nil
    ) {
        (self.store, self.clock, self.wall) = (store, clock, wall)
        self.makeClient = makeClient ?? { XMPPClient(account: $0, clock: clock) }
    }

    /// Whether nothing is under way any more after `disconnect`.
    public var isSettled: Bool { chat?.client.isLeaving != true }

    /// Looks at once whether the server is still there: the machine has slept.
    public func wakeUp() { if isWanted { chat?.wakeUp() } }
}

// MARK: - Signing in

extension JabberService: AccountConnection {
    /// The bare address that a text means, in its one comparable form; nil for what is none.
    public func address(_ text: String) -> String? {
        let words = text.split(whereSeparator: \.isWhitespace)
        guard words.count == 1, let jid = JID(String(words[0])), !jid.local.isEmpty else { return nil }
        return jid.bare.description
    }

    /// Ends what there is, and keeps that account online from now on.
    public func connect(
        _ details: AccountDetails, password: String, trusting certificate: String, atLeast method: String
    ) {
        guard let jid = JID(details.address) else { return }
        var account = XMPPAccount(jid: jid.bare, password: password)
        account.host = details.host
        account.port = details.port
        account.tls = TLSMode(rawValue: details.security.rawValue) ?? .automatic
        account.pinnedCertificate = certificate
        account.weakestMechanism = SASLMechanism(rawValue: method)
        chat?.signOut()
        onEvent?(.account(ChatAddress(jid)))
        if let chat {
            chat.account = account
        } else {
            let chat = XMPPChat(client: makeClient(account), store: store, clock: clock, wall: wall)
            chat.whenKept = whenKept
            chat.isActive = isActive
            chat.setPaused(isPaused)
            chat.onEvent = onEvent
            chat.onState = { [weak self] in self?.onChange?() }
            chat.onDropped = { [weak self] in self?.onDropped?($0) }
            self.chat = chat
        }
        isWanted = true
        // Who signs in wants to be there, whatever was said before.
        if presence.availability == .offline { presence.availability = .online }
        chat?.setPresence(presence)
        chat?.signIn()
    }

    /// The SASL name of the mechanism by which it was last signed in; empty where it was not.
    public var signInMethod: String { chat?.client.mechanism?.rawValue ?? "" }

    /// Ends it.
    public func disconnect() {
        isWanted = false
        chat?.signOut()
    }

    /// Ends it, and goes over to the conversations of another account; an empty address is none's.
    public func use(_ address: String) {
        disconnect()
        onEvent?(.account(self.address(address)))
    }
}

// MARK: - Conversations

extension JabberService: ChatService {
    /// Whether it is an address of Jabber's, also while nobody is signed in.
    public func carries(_ buddy: ChatAddress) -> Bool { buddy.jid != nil }
    /// The account that a text means, whatever device of it.
    public func address(_ text: String) -> ChatAddress? { address(text).map { ChatAddress($0) } }
    /// Takes nothing more from the server for now, or goes on with it.
    public func setPaused(_ isPaused: Bool) {
        self.isPaused = isPaused
        chat?.setPaused(isPaused)
    }
    /// Says how I am here, once the account is wanted online.
    public func setPresence(_ presence: OwnPresence) {
        self.presence = presence
        if isWanted { chat?.setPresence(presence) }
    }
    /// Whether a server takes a text, also while nobody is signed in.
    public func canSend(_ text: String, to buddy: ChatAddress) -> Bool { XMPPChat.canSend(text, to: buddy) }
    /// Sends a message that is kept and waits.
    public func send(_ message: ChatMessage) { chat?.send(message) }
    /// Sends the new text of a message of mine.
    public func sendCorrection(of message: ChatMessage, name: String) {
        chat?.sendCorrection(of: message, name: name)
    }
    /// Tells the buddy that its message arrived.
    public func confirmArrival(of message: ChatMessage) { chat?.confirmArrival(of: message) }
    /// Tells the buddy, and my other devices, that I have seen its messages up to this one.
    public func confirmReading(of message: ChatMessage) { chat?.confirmReading(of: message) }
    /// Tells the buddy what I do about an answer.
    public func tell(_ typing: Typing, to buddy: ChatAddress) { chat?.tell(typing, to: buddy) }
    /// Asks the archive for older messages.
    public func loadHistory(of buddy: ChatAddress, before archiveName: String?) async throws(ChatServiceError)
        -> Bool
    {
        try await signedIn().loadHistory(of: buddy, before: archiveName)
    }
    /// Adds a buddy, and asks for its presence.
    public func add(_ buddy: ChatAddress, name: String) async throws(ChatServiceError) {
        try await signedIn().add(buddy, name: name)
    }
    /// Calls a buddy something else.
    public func rename(_ buddy: ChatAddress, _ name: String) async throws(ChatServiceError) {
        try await signedIn().rename(buddy, name)
    }
    /// Removes a buddy.
    public func remove(_ buddy: ChatAddress) async throws(ChatServiceError) {
        try await signedIn().remove(buddy)
    }
    /// Hears nothing more of somebody, or hears again.
    public func setBlocked(_ isBlocked: Bool, _ buddy: ChatAddress) async throws(ChatServiceError) {
        try await signedIn().setBlocked(isBlocked, buddy)
    }
    /// Answers who wants to see my presence.
    public func answerRequest(of buddy: ChatAddress, accept: Bool) async throws(ChatServiceError) {
        try await signedIn().answerRequest(of: buddy, accept: accept)
    }

    private func signedIn() throws(ChatServiceError) -> XMPPChat {
        guard isWanted, let chat else { throw .offline }
        return chat
    }
}
