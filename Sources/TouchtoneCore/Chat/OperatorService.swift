// SPDX-License-Identifier: GPL-3.0-or-later

/// The practice exchange’s Operator, who needs no network: it repeats messages and knows a few commands.
@MainActor
public final class OperatorService: ChatService, MessageService {
    /// A function that calls the user, and calls the closure after it if the user cannot make real calls yet.
    public typealias Calling = @MainActor (_ ended: @escaping @MainActor () -> Void) -> Void

    public var messages: any MessageService { self }
    /// The receiver of events; reports at once that the service is online and ready.
    public var onEvent: (@MainActor (ChatServiceEvent) -> Void)? {
        didSet {
            onEvent?(.state(.online))
            onEvent?(.ready)
        }
    }

    private let clock: any Scheduler
    private let wall: any WallClock
    private let names: () -> String
    private let timeText: @MainActor (ChatTime) -> String
    private let callMe: Calling?
    /// The messages to answer, in order, with their IDs.
    private var questions: [(text: String, name: String)] = []
    private lazy var timer = DeadlineTimer(clock: clock) { [weak self] in self?.answerNext() }
    private lazy var callTimer = DeadlineTimer(clock: clock) { [weak self] in
        self?.callMe? { [weak self] in self?.tellOfRealCalls() }
    }
    private var isTyping = false
    /// The message IDs received in this run: a message that is sent again is answered once.
    private var known: Set<String> = []

    /// The time to read a message, and the typing times, which grow with the length of the answer.
    static let look: Duration = .milliseconds(600)
    static let shortestTyping: Duration = .milliseconds(800)
    static let maximumTypingTime: Duration = .milliseconds(2500)
    static let key: Duration = .milliseconds(40)
    /// The delay before a requested call, so that the user can read the announcement.
    static let dialling: Duration = .seconds(2)
    /// The maximum number of unanswered messages; more are not answered.
    static let limit = 100
    /// The maximum size of a message, in bytes.
    static let maximumTextLength = 250_000

    /// Creates the Operator’s service.
    ///
    /// - Parameters:
    ///   - names: Returns a new, unique message ID.
    ///   - callMe: Starts a call to the user; nil if calls are not available.
    public init(
        clock: any Scheduler, wall: any WallClock, names: @escaping () -> String,
        timeText: @escaping @MainActor (ChatTime) -> String, callMe: Calling? = nil
    ) {
        (self.clock, self.wall, self.names, self.timeText) = (clock, wall, names, timeText)
        self.callMe = callMe
    }

    public func carries(_ buddy: ChatAddress) -> Bool { buddy == .operatorAddress }

    /// Returns the Operator’s address for its name, or for 0, its phone number.
    public func address(_ text: String) -> ChatAddress? {
        let text = text.lowercased().filter { !$0.isWhitespace }
        return text == ChatAddress.operatorAddress.text || text == "0" ? .operatorAddress : nil
    }

    /// The commands that the Operator knows, as they are sent, the most useful first.
    public static let commands = ["help", "time", "call me"]

    /// Returns whether a text is within the limit, which is about that of Jabber servers.
    public func canSend(_ text: String, to buddy: ChatAddress) -> Bool {
        text.utf8.count <= Self.maximumTextLength
    }

    public func send(_ message: ChatMessage) {
        guard let name = message.name, known.insert(name).inserted else { return }
        hear(message.text, name: name)
    }

    public func sendCorrection(of message: ChatMessage, name: String) {
        guard known.insert(name).inserted else { return }
        hear(message.text, name: name)
    }

    /// Does nothing: the Operator’s messages take no reactions.
    public func send(_ annotation: MessageAnnotation) {}

    private func hear(_ text: String, name: String) {
        onEvent?(
            .updates([
                .acknowledged(buddy: .operatorAddress, name: name),
                .delivered(buddy: .operatorAddress, name: name),
            ]))
        guard questions.count < Self.limit else { return }
        questions.append((text, name))
        if questions.count == 1 { timer.set(for: clock.now + Self.look) }
    }

    private func answerNext() {
        guard let question = questions.first else { return }
        let answer = OperatorAnswer(to: question.text)
        guard isTyping else {
            isTyping = true
            onEvent?(.updates([.read(buddy: .operatorAddress, name: question.name)]))
            onEvent?(.typing(.operatorAddress, .composing))
            let typing = Self.shortestTyping + Self.key * min(answer.length, 1000)
            return timer.set(for: clock.now + min(typing, Self.maximumTypingTime))
        }
        isTyping = false
        questions.removeFirst()
        onEvent?(.typing(.operatorAddress, .active))
        let text = answer.text(canCall: callMe != nil) { timeText(wall.now) }
        if answer == .call { callTimer.set(for: clock.now + Self.dialling) }
        say(text)
        if !questions.isEmpty { timer.set(for: clock.now + Self.look) }
    }
}

extension OperatorService {
    private func say(_ text: String) {
        onEvent?(
            .updates([
                .received(
                    ReceivedMessage(
                        buddy: .operatorAddress, sender: .buddy, text: text, time: wall.now, name: names()))
            ]))
    }

    /// Says, after a practice call, how to make real ones.
    private func tellOfRealCalls() {
        say(
            localized(
                "That was a practice call. For real calls, add a phone account in Preferences, Lines, or choose another app there. To write to people, create a Jabber account."
            ))
    }
}

// MARK: - Functions that the Operator does not need

extension OperatorService {
    /// Does nothing: the Operator’s messages always arrive.
    public func confirmArrival(of message: ChatMessage) {}
    /// Does nothing: the Operator does not track reading.
    public func confirmReading(of message: ChatMessage) {}
    public func shareReading(upTo message: ChatMessage) {}
    /// Does nothing: the Operator answers only messages.
    public func sendChatState(_ typing: Typing, to buddy: ChatAddress) {}
    /// Returns false: all messages are in the local store.
    public func loadHistory(of buddy: ChatAddress, before archiveName: String?) async throws(ChatServiceError)
        -> Bool
    { false }
    /// Does nothing: the Operator sends only answers.
    public func setPaused(_ isPaused: Bool) {}
    /// Does nothing: the Operator is available regardless of the user’s presence.
    public func setPresence(_ presence: OwnPresence) {}
}

/// The Operator’s answer to a message.
enum OperatorAnswer: Hashable {
    case time
    case help
    case call
    case echo(String)

    /// Chooses the answer: commands are recognized in upper and lower case, with surrounding blanks and punctuation.
    init(to text: String) {
        let words = SearchText.folded(String(text.prefix(40)))
        switch text.utf8.count <= 40 ? words.split(separator: " ").joined(separator: " ") : "" {
        case "time": self = .time
        case "help": self = .help
        case "call me": self = .call
        default: self = .echo(text)
        }
    }

    /// The approximate number of characters to type.
    var length: Int {
        switch self {
        case .time: 20
        case .help, .call: 100
        case .echo(let text): text.utf8.count
        }
    }

    func text(canCall: Bool, time: () -> String) -> String {
        switch self {
        case .time: localized("It is {time}.", ["time": time()])
        case .help:
            // Translators: the Operator understands “time”, “help” and “call me” in English alone.
            localized(
                "I am the Operator of the practice exchange. I repeat what you tell me. I also know:\ntime – the time of day\nhelp – this list"
            ) + (canCall ? "\n" + localized("call me – I ring you, and you answer") : "")
        case .call:
            canCall
                ? localized(
                    "Calling you now. Press Answer when the phone rings. You will hear your own voice; press # to end the call."
                )
                : localized("I would like to, but I can’t make calls here.")
        case .echo(let text): text
        }
    }
}
