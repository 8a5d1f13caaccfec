// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

/// A service that carries what the test says, and writes down what is asked of it.
@MainActor
public final class FakeChatService: ChatService {
    /// What was asked of it.
    public enum Call: Hashable, Sendable {
        case send(String, name: String)
        case correct(String, of: String, name: String)
        case arrived(String)
        case read(String)
        case tell(Typing, ChatAddress)
        case add(ChatAddress, String)
        case rename(ChatAddress, String)
        case remove(ChatAddress)
        case block(ChatAddress, Bool)
        case answer(ChatAddress, Bool)
        case presence(OwnPresence)
    }

    /// Told of what the test says.
    public var onEvent: (@MainActor (ChatServiceEvent) -> Void)?
    /// What was asked of it, in order.
    public private(set) var calls: [Call] = []
    /// Before which messages the archive was asked for older ones.
    public private(set) var historyCalls: [String?] = []
    /// Why what is asked of it is not done; nil if it is.
    public var error: ChatServiceError?
    /// The older messages that the archive gives, the next page last.
    public var pages: [[ReceivedMessage]] = []

    /// Whether it takes nothing from its server.
    public private(set) var isPaused = false
    /// The most characters that it sends at once.
    public var maximumTextLength = Int.max

    /// Creates one.
    public init() {}

    /// Tells something.
    public func tell(_ event: ChatServiceEvent) { onEvent?(event) }

    /// Takes what was asked of it so far.
    public func takeCalls() -> [Call] {
        defer { calls = [] }
        return calls
    }

    /// Whether a conversation is carried by it: all but the exchange's.
    public func carries(_ buddy: ChatAddress) -> Bool { buddy != .operatorAddress }
    /// What has an at sign is an address, in small letters.
    public func address(_ text: String) -> ChatAddress? {
        text.contains("@") ? ChatAddress(text.lowercased()) : nil
    }
    /// Whether a text is as short as the test says.
    public func canSend(_ text: String, to buddy: ChatAddress) -> Bool { text.count <= maximumTextLength }
    /// Writes it down.
    public func send(_ message: ChatMessage) { calls.append(.send(message.text, name: message.name ?? "")) }
    /// Writes it down.
    public func sendCorrection(of message: ChatMessage, name: String) {
        calls.append(.correct(message.text, of: message.name ?? "", name: name))
    }
    /// Writes it down.
    public func confirmArrival(of message: ChatMessage) { calls.append(.arrived(message.text)) }
    /// Writes it down.
    public func confirmReading(of message: ChatMessage) { calls.append(.read(message.text)) }
    /// Writes it down.
    public func tell(_ typing: Typing, to buddy: ChatAddress) { calls.append(.tell(typing, buddy)) }
    /// Tells nothing more, as far as the test sees to it.
    public func setPaused(_ isPaused: Bool) { self.isPaused = isPaused }
    /// Writes it down.
    public func setPresence(_ presence: OwnPresence) { calls.append(.presence(presence)) }

    /// Tells the next page, if there is one.
    public func loadHistory(of buddy: ChatAddress, before archiveName: String?) async throws(ChatServiceError)
        -> Bool
    {
        historyCalls.append(archiveName)
        if let error { throw error }
        if let page = pages.popLast() { tell(.facts([.archived(ArchivePage(.oldest(of: buddy), page))])) }
        return !pages.isEmpty
    }
    /// Writes it down.
    public func add(_ buddy: ChatAddress, name: String) async throws(ChatServiceError) {
        try done(.add(buddy, name))
    }
    /// Writes it down.
    public func rename(_ buddy: ChatAddress, _ name: String) async throws(ChatServiceError) {
        try done(.rename(buddy, name))
    }
    /// Writes it down.
    public func remove(_ buddy: ChatAddress) async throws(ChatServiceError) { try done(.remove(buddy)) }
    /// Writes it down.
    public func setBlocked(_ isBlocked: Bool, _ buddy: ChatAddress) async throws(ChatServiceError) {
        try done(.block(buddy, isBlocked))
    }
    /// Writes it down.
    public func answerRequest(of buddy: ChatAddress, accept: Bool) async throws(ChatServiceError) {
        try done(.answer(buddy, accept))
    }

    private func done(_ call: Call) throws(ChatServiceError) {
        calls.append(call)
        if let error { throw error }
    }
}
