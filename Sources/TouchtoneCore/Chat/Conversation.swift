// SPDX-License-Identifier: GPL-3.0-or-later

/// The conversation that is open: the run of its messages that is in memory, and what is typed.
@MainActor
public final class Conversation {
    /// What is another.
    public enum Change: Hashable, Sendable {
        /// All: the window shows another run of messages.
        case reset
        /// These are in the window now, after all others or before them.
        case inserted([ChatMessage], atEnd: Bool)
        /// This one is in the window as before, but another.
        case changed(ChatMessage)
        /// Those of these ids are in the window no more.
        case removed([Int64])
        /// Whether there are older or newer ones to load.
        case ends
        /// What the buddy does.
        case typing
        /// Where the unread line stands.
        case unreadLine
        /// What is typed, by another hand than the user's: it is to be shown in the field.
        case draft
    }

    /// Its identity: the account, and the other side.
    public let id: ConversationID
    /// The other side.
    public var buddy: ChatAddress { id.buddy }
    /// The messages in memory, in the order of their places.
    public var window: [ChatMessage] { messages.messages }
    /// Whether there are messages before the window, here or in the archive.
    public var hasOlder: Bool { messages.hasOlder || mayAskArchive }
    /// Whether there are messages after the window.
    public var hasNewer: Bool { messages.hasNewer }
    /// The id of the message above which the unread line stands; it stays there while the conversation is open.
    public internal(set) var firstUnread: Int64?
    /// My last message, which can be corrected.
    public internal(set) var lastMine: ChatMessage?
    /// Whether the end is looked at: then the window follows what comes.
    ///
    /// The panel says it.
    public var isAtEnd = true
    /// What the buddy does about an answer.
    public var buddyTyping: Typing { chat.buddies.typing(of: buddy) }
    /// What is typed and not sent.
    ///
    /// It is kept from one run to the next.
    public var draft: String {
        get { chat.drafts[buddy] }
        set { chat.drafts[buddy] = newValue }
    }

    let chat: Chat
    var messages = LoadedMessages()
    private let observers = Observers<Change>()
    private lazy var teller = TypingNotifier(clock: chat.clock) { [weak self] in self?.notify($0) }
    /// Up to where messages are shown, and up to where that was said.
    private var (shown, told) = (Int64.min, Int64.min)

    // What is loading; `ConversationLoading` has the rest.
    var isLoading = false
    var wanted: Load?
    /// How often something has become of messages.
    private(set) var changeCount = 0
    /// Whether the archive has nothing older than the store, or can't be asked.
    var archiveIsRead = false

    init(_ buddy: ChatAddress, in chat: Chat) {
        id = ConversationID(buddy, of: chat.account)
        self.chat = chat
        load(.open)
    }

    /// Calls `body` after each change, as long as `owner` is there.
    public func observe(by owner: AnyObject, _ body: @escaping @MainActor (Change) -> Void) {
        observers.add(owner, body)
    }

    func notify(_ change: Change) { observers.notify(change) }
}

// MARK: - What I do

extension Conversation {
    /// Sends a text, as it is typed.
    ///
    /// Where it can't be kept, it comes back as the draft, and `Chat.storeError` says why.
    ///
    /// - Returns: false for a text that is too long to be sent: it stays the draft, and nothing else is changed.
    @discardableResult
    public func send(_ text: String) -> Bool {
        let text = text.carried
        guard !text.allSatisfy(\.isWhitespace) else { return true }
        guard chat.canSend(text, to: buddy) else { return false }
        // The draft on the disk stays until the message is there.
        chat.drafts.hold(buddy)
        draft = ""
        teller.end()
        if firstUnread != nil {
            firstUnread = nil
            notify(.unreadLine)
        }
        if hasNewer { showNewest() }
        chat.send(text, to: buddy) { [self] error in
            // Its draft was kept, and is not one of the account's now.
            guard chat.has(id) else { return }
            if error != nil {
                draft = draft.isEmpty ? text : "\(text)\n\(draft)"
                notify(.draft)
            }
            chat.drafts.release(buddy)
        }
        return true
    }

    /// Puts another text in the place of a message of mine.
    ///
    /// Where that can't be kept, nothing is changed, the text comes back as the draft if that is empty, and
    /// `Chat.storeError` says why.
    ///
    /// - Returns: false for a text that is too long to be sent: nothing is changed then.
    @discardableResult
    public func correct(_ message: ChatMessage, to text: String) -> Bool {
        let text = text.carried
        guard message.sender == .me, text != message.text, !text.allSatisfy(\.isWhitespace) else {
            return true
        }
        guard chat.canSend(text, to: buddy) else { return false }
        teller.end()
        chat.correct(message, to: text) { [self] error in
            guard chat.has(id) else { return }
            guard error != nil, draft.isEmpty else { return }
            draft = text
            notify(.draft)
        }
        return true
    }

    /// Tries a message again that came to nothing.
    public func retry(_ message: ChatMessage) { chat.retry(message) }

    /// The messages up to this one are shown.
    ///
    /// They are seen once somebody looks (`Chat.isInView`).
    public func seen(upTo message: ChatMessage) {
        shown = max(shown, message.place)
        markSeen()
    }

    /// Somebody looks, or something has come.
    func markSeen() {
        guard chat.isInView, shown > told, chat.buddies.unread(of: buddy) > 0 else { return }
        let (before, place) = (told, shown)
        told = place
        chat.see(buddy, upTo: place) { [weak self] error in
            if error != nil { self?.told = before }
        }
    }

    /// The field was changed: the buddy is told that I type, and later that I pause.
    public func typed() {
        if draft.isEmpty { teller.end() } else { teller.typed() }
    }

    /// Another conversation is opened, or none.
    func close() {
        teller.leave()
        chat.drafts.save(buddy)
    }

    private func notify(_ typing: Typing) { chat.tell(typing, to: buddy) }
}

// MARK: - What becomes of it

extension Conversation {
    /// Takes in what has become of messages of this conversation, of which so many were unread before.
    func take(_ changes: MessageChanges, unreadBefore: Int) {
        let inserted = changes.inserted.filter { $0.conversation == id }
        let changed = changes.changed.filter { $0.conversation == id }
        guard !inserted.isEmpty || !changed.isEmpty else { return }
        changeCount += 1
        for message in inserted + changed where message.sender == .me {
            if message.place >= lastMine?.place ?? .min || message.id == lastMine?.id { lastMine = message }
        }
        let hadOlder = hasOlder
        for change in messages.take(inserted, changed: changed, isAtEnd: isAtEnd) { notify(change) }
        if hasOlder != hadOlder { notify(.ends) }
        // What comes while nobody looks, or out of sight, stands below a line.
        if !chat.isInView || !isAtEnd, unreadBefore == 0, let first = inserted.first(where: \.isUnread) {
            firstUnread = first.id
            notify(.unreadLine)
        }
        markSeen()
    }
}
