// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

/// The Jabber account, shared by `Chat`, which sends and receives through it, and `ChatAccount`, which signs it in.
///
/// Nothing of the network exists before the first sign-in, so that the window does not wait for it.
@MainActor
public final class JabberService {
    /// Called with each event; set once, by `Chat`.
    public var onEvent: (@MainActor (ChatServiceEvent) -> Void)? { didSet { chat?.onEvent = onEvent } }
    /// Called after each change of `state`; set once, by `ChatAccount`.
    public var onChange: (@MainActor () -> Void)?
    /// Called with the reason why a stanza was dropped, for the log.
    public var onDropped: (@MainActor (String) -> Void)?
    /// A closure that calls back when everything reported is saved; set before the first sign-in.
    public var whenKept: (@MainActor (@escaping @MainActor () -> Void) -> Void)?
    /// Whether the user is active; if not, the server may delay unimportant stanzas.
    public var isActive = true { didSet { chat?.isActive = isActive } }
    /// The account's state.
    public var state: AccountState { chat?.state ?? .signedOut }

    private let store: any MessageStore
    private let clock: any Scheduler
    private let wall: any WallClock
    private let pictures: (any AvatarStore)?
    private let makeClient: @MainActor (XMPPAccount) -> XMPPClient
    private var chat: XMPPChat?
    private var presence = OwnPresence()
    private var isPaused = false
    /// Whether `ChatAccount` wants the account online: presence alone does not sign in.
    private var isWanted = false

    /// Creates a service that is signed out.
    ///
    /// - Parameters:
    ///   - store: The message store.
    ///   - clock: The clock for timeouts and retries.
    ///   - wall: The source of the current time.
    ///   - pictures: The cache of buddies' pictures; nil fetches each picture again.
    ///   - makeClient: A closure that creates the stream, at the first sign-in; nil uses the system's network.
    public init(
        store: any MessageStore, clock: any Scheduler, wall: any WallClock,
        pictures: (any AvatarStore)? = nil, makeClient: (@MainActor (XMPPAccount) -> XMPPClient)? = nil
    ) {
        (self.store, self.clock, self.wall, self.pictures) = (store, clock, wall, pictures)
        self.makeClient = makeClient ?? { XMPPClient(account: $0, clock: clock) }
    }

    /// Whether everything is finished after `disconnect()`.
    public var isSettled: Bool { chat?.client.isLeaving != true }

    /// Checks at once whether the server responds, after the computer has slept.
    public func wakeUp() { if isWanted { chat?.wakeUp() } }
}

// MARK: - Signing in

extension JabberService: AccountConnection {
    /// Returns the bare address that a text names, in its canonical form; nil if it is not an XMPP address.
    public func address(_ text: String) -> String? {
        let words = text.split(whereSeparator: \.isWhitespace)
        guard words.count == 1, let jid = JID(String(words[0])), !jid.local.isEmpty else { return nil }
        return jid.bare.description
    }

    /// Ends the current connection, and keeps this account online from now on.
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
            let chat = XMPPChat(
                client: makeClient(account), store: store, clock: clock, wall: wall, pictures: pictures)
            chat.whenKept = whenKept
            chat.isActive = isActive
            chat.setPaused(isPaused)
            chat.onEvent = onEvent
            chat.onState = { [weak self] in self?.onChange?() }
            chat.onDropped = { [weak self] in self?.onDropped?($0) }
            self.chat = chat
        }
        isWanted = true
        // Signing in means going online, whatever presence was set before.
        if presence.availability == .offline { presence.availability = .online }
        chat?.setPresence(presence)
        chat?.signIn()
    }

    /// The SASL name of the mechanism of the last sign-in; empty if there was none.
    public var signInMethod: String { chat?.client.mechanism?.rawValue ?? "" }

    /// Signs out.
    public func disconnect() {
        isWanted = false
        chat?.signOut()
    }

    /// Signs out, and shows the conversations of a different account; an empty address stands for no account.
    ///
    /// The pictures of the old account's buddies are removed from the cache.
    public func use(_ address: String) {
        disconnect()
        pictures?.removeAll()
        onEvent?(.account(self.address(address)))
    }
}

// MARK: - Conversations

extension JabberService: ChatService {
    /// Returns whether an address is an XMPP address, also while signed out.
    public func carries(_ buddy: ChatAddress) -> Bool { buddy.jid != nil }
    /// Returns the account that a text names, without the resource; nil if it is not an XMPP address.
    public func address(_ text: String) -> ChatAddress? { address(text).map { ChatAddress($0) } }
    /// Pauses or resumes reading from the server.
    public func setPaused(_ isPaused: Bool) {
        self.isPaused = isPaused
        chat?.setPaused(isPaused)
    }
    /// Sets my presence, which takes effect while the account is wanted online.
    public func setPresence(_ presence: OwnPresence) {
        self.presence = presence
        if isWanted { chat?.setPresence(presence) }
    }
    /// Returns whether a text is small enough to send, also while signed out.
    public func canSend(_ text: String, to buddy: ChatAddress) -> Bool { XMPPChat.canSend(text, to: buddy) }
    /// Sends a stored message that is waiting.
    public func send(_ message: ChatMessage) { chat?.send(message) }
    /// Sends the new text of a message of mine.
    public func sendCorrection(of message: ChatMessage, name: String) {
        chat?.sendCorrection(of: message, name: name)
    }
    /// Sends the buddy a delivery receipt.
    public func confirmArrival(of message: ChatMessage) { chat?.confirmArrival(of: message) }
    /// Marks the buddy's messages up to this one as seen, for the buddy and my other devices.
    public func confirmReading(of message: ChatMessage) { chat?.confirmReading(of: message) }
    /// Sends the buddy my typing state.
    public func tell(_ typing: Typing, to buddy: ChatAddress) { chat?.tell(typing, to: buddy) }
    /// Loads older messages from the archive.
    public func loadHistory(of buddy: ChatAddress, before archiveName: String?) async throws(ChatServiceError)
        -> Bool
    {
        try await signedIn().loadHistory(of: buddy, before: archiveName)
    }
    /// Adds a buddy, and requests its presence.
    public func add(_ buddy: ChatAddress, name: String) async throws(ChatServiceError) {
        try await signedIn().add(buddy, name: name)
    }
    /// Renames a buddy.
    public func rename(_ buddy: ChatAddress, _ name: String) async throws(ChatServiceError) {
        try await signedIn().rename(buddy, name)
    }
    /// Removes a buddy.
    public func remove(_ buddy: ChatAddress) async throws(ChatServiceError) {
        try await signedIn().remove(buddy)
    }
    /// Blocks or unblocks an address.
    public func setBlocked(_ isBlocked: Bool, _ buddy: ChatAddress) async throws(ChatServiceError) {
        try await signedIn().setBlocked(isBlocked, buddy)
    }
    /// Answers a subscription request.
    public func answerRequest(of buddy: ChatAddress, accept: Bool) async throws(ChatServiceError) {
        try await signedIn().answerRequest(of: buddy, accept: accept)
    }
    /// Publishes the user’s picture; nil removes it.
    public func setPicture(_ picture: [UInt8]?) async throws(ChatServiceError) {
        try await signedIn().setPicture(picture)
    }
    /// Requests the profile of a buddy or of the account.
    public func profile(of buddy: ChatAddress) async throws(ChatServiceError) -> Profile {
        try await signedIn().profile(of: buddy)
    }
    /// Changes the user’s profile.
    public func changeProfile(_ changes: [Profile.Field: String]) async throws(ChatServiceError) {
        try await signedIn().changeProfile(changes)
    }
    /// The account’s places for files; nil before the first sign-in.
    public var files: (any FileService)? { chat }

    private func signedIn() throws(ChatServiceError) -> XMPPChat {
        guard isWanted, let chat else { throw .offline }
        return chat
    }
}

// MARK: - Rooms

extension JabberService: RoomService {
    /// The account's rooms.
    public var rooms: (any RoomService)? { self }
    /// Enters a room, and bookmarks it.
    public func join(_ room: ChatAddress, as nickname: String, password: String, creates: Bool)
        async throws(RoomError)
    {
        guard isWanted, let chat else { throw .offline }
        try await chat.join(room, as: nickname, password: password, creates: creates)
    }
    /// Returns the public rooms of the account's server.
    public func publicRooms() async throws(RoomError) -> [PublicRoom] {
        guard isWanted, let chat else { throw .offline }
        return try await chat.publicRooms()
    }
    /// Leaves a room, and removes its bookmark.
    public func leave(_ room: ChatAddress) { chat?.leave(room) }
    /// Returns the people in a room.
    public func people(in room: ChatAddress) -> [RoomPerson] { chat?.people(in: room) ?? [] }
    /// Returns the absent people with a lasting relation to a room.
    public func absentees(of room: ChatAddress) async throws(RoomError) -> [RoomPerson] {
        guard isWanted, let chat else { throw .offline }
        return try await chat.absentees(of: room)
    }
    /// Sets whether all messages of a room cause a notification.
    public func setNotifiesAll(_ notifiesAll: Bool, in room: ChatAddress) {
        chat?.setNotifiesAll(notifiesAll, in: room)
    }
    /// Asks the moderators of a room to let the user speak.
    public func requestVoice(in room: ChatAddress) { chat?.requestVoice(in: room) }
    /// Changes the topic of a room.
    public func setTopic(_ topic: String, of room: ChatAddress) { chat?.setTopic(topic, of: room) }
    /// Invites a person to a room.
    public func invite(_ person: ChatAddress, to room: ChatAddress, reason: String) {
        chat?.invite(person, to: room, reason: reason)
    }
    /// Removes a person from a room, or bans the person from it.
    public func remove(_ person: RoomPerson, from room: ChatAddress, isBanned: Bool, reason: String)
        async throws(RoomError)
    {
        guard isWanted, let chat else { throw .offline }
        try await chat.remove(person, from: room, isBanned: isBanned, reason: reason)
    }
    /// Requests the settings of a room.
    public func settings(of room: ChatAddress) async throws(RoomError) -> RoomForm {
        guard isWanted, let chat else { throw .offline }
        return try await chat.settings(of: room)
    }
    /// Changes the settings of a room.
    public func setSettings(_ settings: RoomForm, of room: ChatAddress) async throws(RoomError) {
        guard isWanted, let chat else { throw .offline }
        try await chat.setSettings(settings, of: room)
    }
    /// Requests the form with which the user asks to become a member of a room.
    public func registration(in room: ChatAddress, as nickname: String) async throws(RoomError) -> RoomForm {
        guard isWanted, let chat else { throw .offline }
        return try await chat.registration(in: room, as: nickname)
    }
    /// Asks to become a member of a room.
    public func register(_ form: RoomForm, in room: ChatAddress) async throws(RoomError) {
        guard isWanted, let chat else { throw .offline }
        try await chat.register(form, in: room)
    }
    /// Changes what a person may do in a room.
    public func change(
        _ person: RoomPerson, to change: RoomChange, in room: ChatAddress
    ) async throws(RoomError) {
        guard isWanted, let chat else { throw .offline }
        try await chat.change(person, to: change, in: room)
    }
    /// Tells the inviter that the user declined.
    public func decline(_ invitation: RoomInvitation) { chat?.decline(invitation) }
}

// MARK: - Telephone numbers

extension JabberService: GatewayService {
    /// The account's gateway.
    public var gateway: (any GatewayService)? { self }
    /// Returns the gateway that a text names; nil if the text is not the address of a server.
    public func gateway(_ text: String) -> ChatAddress? { GatewaySearch.gateway(text) }
    /// Returns the gateway of the account, and searches for it if it is not known yet.
    public func findGateway() async -> ChatAddress? {
        guard isWanted, let chat else { return nil }
        return await chat.findGateway()
    }
    /// Requests the address by which a gateway reaches a number.
    public func address(of number: DialledNumber, at gateway: ChatAddress) async throws(ChatServiceError)
        -> ChatAddress
    {
        try await signedIn().address(of: number, at: gateway)
    }
}
