// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

/// A chat service whose events are set by the test and that records every request.
@MainActor
public final class FakeChatService: ChatService, MessageService, RosterService, ProfileService,
    InvitationService
{
    /// A recorded request.
    public enum Call: Hashable, Sendable {
        case send(String, name: String)
        case correct(String, of: String, name: String)
        case annotate(MessageAnnotation)
        case arrived(String)
        case read(String)
        case tell(Typing, ChatAddress)
        case add(ChatAddress, String)
        case accept(ChatAddress, token: String)
        case rename(ChatAddress, String)
        case remove(ChatAddress)
        case block(ChatAddress, Bool)
        case answer(ChatAddress, Bool)
        case presence(OwnPresence)
        case picture([UInt8]?)
        case invite
        case profile([Profile.Field: String])
    }

    /// The observer of the events that the test sends.
    public var onEvent: (@MainActor (ChatServiceEvent) -> Void)?
    /// The recorded requests, in order.
    public private(set) var calls: [Call] = []
    /// The messages before which older archived messages were requested.
    public private(set) var historyCalls: [String?] = []
    /// The archive names of the messages up to which the user’s other devices were told that they are read.
    public private(set) var shared: [String?] = []
    /// The error that requests fail with, or nil if they succeed.
    public var error: ChatServiceError?
    /// The pages of older messages in the archive; the next page is last.
    public var pages: [[ReceivedMessage]] = []

    /// The profiles of the account and its buddies.
    public var published: [ChatAddress: Profile] = [:]

    /// The messages.
    public var messages: any MessageService { self }
    /// The roster.
    public var roster: (any RosterService)? { self }
    /// The profiles.
    public var profiles: (any ProfileService)? { self }

    /// The invitation that the service makes; nil if it makes none.
    public var invitation: MadeInvitation?
    /// The invitations.
    public var invitations: (any InvitationService)? { self }

    /// The people whose notifications were chosen, and whether they are muted.
    public private(set) var muted: [ChatAddress: Bool] = [:]

    /// Whether receiving from the server is paused.
    public private(set) var isPaused = false
    /// The maximum number of characters in one message.
    public var maximumTextLength = Int.max

    /// The group chats.
    public let groups = FakeRooms()
    /// The group chats.
    public var rooms: (any RoomService)? { groups }
    /// The gateway to telephone numbers.
    public let numbers = FakeGateway()
    /// The gateway to telephone numbers.
    public var gateway: (any GatewayService)? { numbers }

    /// The real-time text.
    public let typedTexts = FakeRealTimeText()
    /// The real-time text.
    public var realTimeText: (any RealTimeTextService)? { typedTexts }

    /// The encryption.
    public let keys = FakeEncryption()
    /// The encryption; nil if the service has none.
    public lazy var encryption: (any EncryptionService)? = keys

    /// The places for files.
    public let uploads = FakeFileService()
    /// The places for files.
    public var files: (any FileService)? { uploads }
    /// The files between devices.
    public var directFiles: (any DirectFileService)? { uploads }

    /// Creates a service without recorded requests.
    public init() {}

    /// Sends an event.
    public func tell(_ event: ChatServiceEvent) { onEvent?(event) }

    /// Returns and clears the recorded requests.
    public func takeCalls() -> [Call] {
        defer { calls = [] }
        return calls
    }

    /// Whether the service carries a conversation: all but the practice exchange's.
    public func carries(_ buddy: ChatAddress) -> Bool { buddy != .operatorAddress }
    /// Parses text with an at sign as an address, in lowercase.
    public func address(_ text: String) -> ChatAddress? {
        text.contains("@") ? ChatAddress(text.lowercased()) : nil
    }
    /// Whether a text is within the limit that the test sets.
    public func canSend(_ text: String, to buddy: ChatAddress) -> Bool { text.count <= maximumTextLength }
    /// Records the request.
    public func send(_ message: ChatMessage) {
        calls.append(.send(message.sentText, name: message.name ?? ""))
    }
    /// Records the request.
    public func sendCorrection(of message: ChatMessage, name: String) {
        calls.append(.correct(message.text, of: message.name ?? "", name: name))
    }
    /// Records the request.
    public func send(_ annotation: MessageAnnotation) { calls.append(.annotate(annotation)) }
    /// Records the choice.
    public func setMuted(_ isMuted: Bool, _ buddy: ChatAddress) { muted[buddy] = isMuted }
    /// Records the request.
    public func confirmArrival(of message: ChatMessage) { calls.append(.arrived(message.text)) }
    /// Records the request.
    public func confirmReading(of message: ChatMessage) { calls.append(.read(message.text)) }
    /// Records the message.
    public func shareReading(upTo message: ChatMessage) { shared.append(message.archiveName) }
    /// Records the request.
    public func sendChatState(_ typing: Typing, to buddy: ChatAddress) { calls.append(.tell(typing, buddy)) }
    /// Records the pause; the test must stop sending events itself.
    public func setPaused(_ isPaused: Bool) { self.isPaused = isPaused }
    /// Records the request.
    public func setPresence(_ presence: OwnPresence) { calls.append(.presence(presence)) }

    /// Sends the next page, if there is one.
    public func loadHistory(of buddy: ChatAddress, before archiveName: String?) async throws(ChatServiceError)
        -> Bool
    {
        historyCalls.append(archiveName)
        if let error { throw error }
        if let page = pages.popLast() { tell(.updates([.archived(ArchivePage(.oldest(of: buddy), page))])) }
        return !pages.isEmpty
    }
    /// Records the request; with a token, as the answer to an invitation.
    public func add(
        _ buddy: ChatAddress, name: String, invitation token: String
    ) async throws(ChatServiceError) {
        try done(token.isEmpty ? .add(buddy, name) : .accept(buddy, token: token))
    }
    /// Records the request.
    public func rename(_ buddy: ChatAddress, _ name: String) async throws(ChatServiceError) {
        try done(.rename(buddy, name))
    }
    /// Records the request.
    public func remove(_ buddy: ChatAddress) async throws(ChatServiceError) { try done(.remove(buddy)) }
    /// Records the request.
    public func setBlocked(_ isBlocked: Bool, _ buddy: ChatAddress) async throws(ChatServiceError) {
        try done(.block(buddy, isBlocked))
    }
    /// Records the request.
    public func answerRequest(of buddy: ChatAddress, accept: Bool) async throws(ChatServiceError) {
        try done(.answer(buddy, accept))
    }

    /// Records the request, and reports the picture.
    public func setPicture(_ picture: [UInt8]?) async throws(ChatServiceError) {
        try done(.picture(picture))
    }

    /// Returns what the test has set.
    public func profile(of buddy: ChatAddress) async throws(ChatServiceError) -> Profile {
        if let error { throw error }
        return published[buddy] ?? Profile()
    }
    /// Records the request.
    public func changeProfile(_ changes: [Profile.Field: String]) async throws(ChatServiceError) {
        try done(.profile(changes))
    }

    /// Records the request, and returns what the test has set.
    public func invite() async throws(ChatServiceError) -> MadeInvitation {
        try done(.invite)
        guard let invitation else { throw .unsupported }
        return invitation
    }

    private func done(_ call: Call) throws(ChatServiceError) {
        calls.append(call)
        if let error { throw error }
    }
}
