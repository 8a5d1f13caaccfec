// SPDX-License-Identifier: GPL-3.0-or-later

/// What carries messages: a Jabber account, or the practice exchange.
@MainActor
public protocol ChatService: AnyObject {
    /// Told of all that happens; set once, by `Chat`.
    var onEvent: (@MainActor (ChatServiceEvent) -> Void)? { get set }
    /// Whether a conversation is carried by it.
    func carries(_ buddy: ChatAddress) -> Bool
    /// The address that a text means, in its one comparable form; nil for what is none.
    func address(_ text: String) -> ChatAddress?

    /// Whether a text is short enough to be sent to somebody, also in the place of another text.
    func canSend(_ text: String, to buddy: ChatAddress) -> Bool
    /// Sends a message that is kept and waits. What becomes of it comes as facts; where nothing can be sent now, it does
    /// nothing, and asks for what waits (`ready`) when it can. One that is on its way already is not sent again.
    func send(_ message: ChatMessage)
    /// Sends the new text of a message of mine: the stanza is named `name`.
    func sendCorrection(of message: ChatMessage, name: String)
    /// Tells the buddy that its message arrived. Called once the message is kept.
    func confirmArrival(of message: ChatMessage)
    /// Tells the buddy, and my other devices, that I have seen its messages up to this one.
    func confirmReading(of message: ChatMessage)
    /// Tells the buddy what I do about an answer (XEP-0085).
    func tell(_ typing: Typing, to buddy: ChatAddress)
    /// Asks the archive for older messages than the one that it names so; nil is the newest. They come as a fact before
    /// this returns.
    ///
    /// - Returns: whether there may be more.
    func loadHistory(of buddy: ChatAddress, before archiveName: String?) async throws(ChatServiceError)
        -> Bool

    /// Adds a buddy, and asks for its presence.
    func add(_ buddy: ChatAddress, name: String) async throws(ChatServiceError)
    /// Calls a buddy something else; empty is its address.
    func rename(_ buddy: ChatAddress, _ name: String) async throws(ChatServiceError)
    /// Removes a buddy, and ends all telling of presence. The conversation stays.
    func remove(_ buddy: ChatAddress) async throws(ChatServiceError)
    /// Hears nothing more of somebody, or hears again.
    func setBlocked(_ isBlocked: Bool, _ buddy: ChatAddress) async throws(ChatServiceError)
    /// Answers who wants to see my presence.
    func answerRequest(of buddy: ChatAddress, accept: Bool) async throws(ChatServiceError)
    /// Takes nothing more from the server for now, since what came can't be kept, or goes on with it.
    ///
    /// A stanza that is not taken is not acknowledged either, and stays with the server.
    func setPaused(_ isPaused: Bool)
    /// Says how I am here.
    func setPresence(_ presence: OwnPresence)
}

/// What a service tells.
public enum ChatServiceEvent: Sendable {
    /// Whose conversations it carries from now on; nil is nobody's. What comes after this is that account's.
    case account(ChatAddress?)
    /// How it stands.
    case state(ChatServiceState)
    /// It can send: what waits is to be sent, in order.
    case ready
    /// Something has become known of messages.
    case facts([MessageUpdate])
    /// The whole list of buddies, and its version.
    case buddies([BuddyRecord], version: String?)
    /// A buddy is new or another, and the version of the list.
    case buddy(BuddyRecord, version: String?)
    /// A buddy is gone, and the version of the list.
    case buddyRemoved(ChatAddress, version: String?)
    /// A device of a buddy's is here in that way; nil is gone. Nothing is said of the other devices.
    case presence(ChatAddress, device: String, DevicePresence?)
    /// What was known of presence is void.
    case presenceReset
    /// Somebody wants to see my presence, with these words.
    case request(ChatAddress, text: String)
    /// Somebody wants that no more, or was answered elsewhere.
    case requestGone(ChatAddress)
    /// All from whom I hear nothing.
    case blocked(Set<ChatAddress>)
    /// What a buddy does about an answer.
    case typing(ChatAddress, Typing)
    /// A buddy's picture, as the file that it was published as; nil is none.
    case picture(ChatAddress, [UInt8]?)
}

/// The state of a service, and so of the account that it is signed in by.
public enum ChatServiceState: Hashable, Sendable {
    /// There is no account, or it is not wanted online.
    case off
    /// On the way.
    case connecting
    /// Online.
    case online
    /// It comes back by itself: why it is not there, in words for the user.
    case waiting(String)
    /// It does not try again before the user has done something about this.
    case failed(AccountProblem)
}

/// Why something asked of a service was not done.
public enum ChatServiceError: Error, Hashable, Sendable {
    /// It is not online.
    case offline
    /// It was refused: why, in words for the user.
    case refused(String)
    /// It can't be done there.
    case unsupported
}

/// What somebody does about an answer (XEP-0085).
public enum Typing: Hashable, Sendable {
    /// Typing.
    case composing
    /// Stopped typing, with something typed.
    case paused
    /// Looks at the conversation.
    case active
    /// Looks elsewhere.
    case gone
}

/// How somebody is here.
public enum Availability: Int, Hashable, Comparable, Sendable, CaseIterable {
    /// Wants to chat.
    case chat
    /// Is here.
    case online
    /// Is away.
    case away
    /// Is away for longer.
    case extendedAway
    /// Does not want to be disturbed.
    case busy
    /// Is not here.
    case offline

    /// In the order in which buddies are listed.
    public static func < (left: Availability, right: Availability) -> Bool { left.rawValue < right.rawValue }
}

/// How a device of somebody's is here.
public struct DevicePresence: Hashable, Sendable {
    /// How it is here; never `offline`.
    public var availability: Availability
    /// Own words.
    public var status: String
    /// Which device counts: the highest.
    public var priority: Int

    /// Creates it.
    public init(_ availability: Availability, status: String = "", priority: Int = 0) {
        self.availability = availability
        self.status = status
        self.priority = priority
    }
}

/// How I am here.
public struct OwnPresence: Hashable, Sendable {
    /// How; `offline` signs out.
    public var availability: Availability
    /// Own words.
    public var status: String

    /// Creates it.
    public init(_ availability: Availability = .online, status: String = "") {
        self.availability = availability
        self.status = status
    }
}
