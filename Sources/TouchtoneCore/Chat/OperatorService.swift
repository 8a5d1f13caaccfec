// SPDX-License-Identifier: GPL-3.0-or-later

/// The practice exchange's buddy, who is there without an account and without a network: it repeats what it is told,
/// and knows a few words.
@MainActor
public final class OperatorService: ChatService {
    /// Told of what happens, and at once that it can send.
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
    private let callMe: (@MainActor () -> Void)?
    /// What is to be answered, in order, by the names of the messages.
    private var questions: [(text: String, name: String)] = []
    private lazy var timer = DeadlineTimer(clock: clock) { [weak self] in self?.goOn() }
    private lazy var callTimer = DeadlineTimer(clock: clock) { [weak self] in self?.callMe?() }
    private var isTyping = false
    /// Those of this run that were received: one that is sent again is answered once.
    private var known: Set<String> = []

    /// A person looks at the message, and then types so long, and longer for longer answers.
    static let look: Duration = .milliseconds(600)
    static let shortestTyping: Duration = .milliseconds(800)
    static let maximumTypingTime: Duration = .milliseconds(2500)
    static let key: Duration = .milliseconds(40)
    /// Who asks for a call can read that it comes.
    static let dialling: Duration = .seconds(2)
    /// What it can remember at once.
    ///
    /// It answers no more than that to whoever writes faster than it types.
    static let limit = 100
    /// The most bytes that it reads at once.
    static let maximumTextLength = 250_000

    /// Creates it.
    ///
    /// - Parameters:
    ///   - names: gives a name for a message that nobody has given before.
    ///   - timeText: writes a time as the user's language does.
    ///   - callMe: has it call; nil where there is no telephone.
    public init(
        clock: any Scheduler, wall: any WallClock, names: @escaping () -> String,
        timeText: @escaping @MainActor (ChatTime) -> String, callMe: (@MainActor () -> Void)? = nil
    ) {
        (self.clock, self.wall, self.names, self.timeText) = (clock, wall, names, timeText)
        self.callMe = callMe
    }

    /// It carries its own conversation alone.
    public func carries(_ buddy: ChatAddress) -> Bool { buddy == .operatorAddress }

    /// It is found by its name, and by the number that it answers calls at.
    public func address(_ text: String) -> ChatAddress? {
        let text = text.lowercased().filter { !$0.isWhitespace }
        return text == ChatAddress.operatorAddress.text || text == "0" ? .operatorAddress : nil
    }

    /// It reads no more at once than an account's server takes.
    public func canSend(_ text: String, to buddy: ChatAddress) -> Bool {
        text.utf8.count <= Self.maximumTextLength
    }

    /// Takes a message, reads it, and answers.
    public func send(_ message: ChatMessage) {
        guard let name = message.name, known.insert(name).inserted else { return }
        hear(message.text, name: name)
    }

    /// Takes a correction, and answers that.
    public func sendCorrection(of message: ChatMessage, name: String) {
        guard known.insert(name).inserted else { return }
        hear(message.text, name: name)
    }

    private func hear(_ text: String, name: String) {
        onEvent?(
            .facts([
                .acknowledged(buddy: .operatorAddress, name: name),
                .delivered(buddy: .operatorAddress, name: name),
            ]))
        guard questions.count < Self.limit else { return }
        questions.append((text, name))
        if questions.count == 1 { timer.set(for: clock.now + Self.look) }
    }

    private func goOn() {
        guard let question = questions.first else { return }
        let answer = OperatorAnswer(to: question.text)
        guard isTyping else {
            isTyping = true
            onEvent?(.facts([.read(buddy: .operatorAddress, name: question.name)]))
            onEvent?(.typing(.operatorAddress, .composing))
            let typing = Self.shortestTyping + Self.key * min(answer.length, 1000)
            return timer.set(for: clock.now + min(typing, Self.maximumTypingTime))
        }
        isTyping = false
        questions.removeFirst()
        onEvent?(.typing(.operatorAddress, .active))
        let text = answer.text(canCall: callMe != nil) { timeText(wall.now) }
        if answer == .call { callTimer.set(for: clock.now + Self.dialling) }
        onEvent?(
            .facts([
                .received(
                    ReceivedMessage(
                        buddy: .operatorAddress, sender: .buddy, text: text, time: wall.now, name: names()))
            ]))
        if !questions.isEmpty { timer.set(for: clock.now + Self.look) }
    }
}

// MARK: - What it does without being asked to, or not at all

extension OperatorService {
    /// It knows that its messages arrive.
    public func confirmArrival(of message: ChatMessage) {}
    /// It does not mind.
    public func confirmReading(of message: ChatMessage) {}
    /// It waits for what is sent.
    public func tell(_ typing: Typing, to buddy: ChatAddress) {}
    /// All that was said is kept here.
    public func loadHistory(of buddy: ChatAddress, before archiveName: String?) async throws(ChatServiceError)
        -> Bool
    { false }
    /// It is in the list already.
    public func add(_ buddy: ChatAddress, name: String) async throws(ChatServiceError) {
        throw .refused(localized("The Operator is in the list already."))
    }
    /// It has its name.
    public func rename(_ buddy: ChatAddress, _ name: String) async throws(ChatServiceError) {
        throw .unsupported
    }
    /// It stays.
    public func remove(_ buddy: ChatAddress) async throws(ChatServiceError) { throw .unsupported }
    /// It says nothing unasked.
    public func setBlocked(_ isBlocked: Bool, _ buddy: ChatAddress) async throws(ChatServiceError) {
        throw .unsupported
    }
    /// It asks for nothing.
    public func answerRequest(of buddy: ChatAddress, accept: Bool) async throws(ChatServiceError) {
        throw .unsupported
    }
    /// It says no more than it is asked.
    public func setPaused(_ isPaused: Bool) {}
    /// It is there in any case.
    public func setPresence(_ presence: OwnPresence) {}
}

/// What the Operator says to something.
enum OperatorAnswer: Hashable {
    case time
    case help
    case call
    case echo(String)

    /// Finds the answer: its words count in any case, with blanks and marks around them.
    init(to text: String) {
        let words = SearchText.folded(String(text.prefix(40)))
        switch text.utf8.count <= 40 ? words.split(separator: " ").joined(separator: " ") : "" {
        case "time": self = .time
        case "help": self = .help
        case "call me": self = .call
        default: self = .echo(text)
        }
    }

    /// How many characters there are to be typed, about.
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
                "I am the Operator of the practice exchange. I repeat what you tell me. I also know:\ntime – the time of day\nhelp – this"
            ) + (canCall ? "\n" + localized("call me – a call, for you to answer") : "")
        case .call:
            canCall
                ? localized(
                    "I am calling you now. Press Answer when it rings; you will hear yourself, and # ends the call."
                )
                : localized("I would like to, but I can’t make calls here.")
        case .echo(let text): text
        }
    }
}
