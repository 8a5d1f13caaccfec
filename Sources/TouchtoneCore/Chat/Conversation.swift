// SPDX-License-Identifier: GPL-3.0-or-later

/// The open conversation: the loaded range of its messages, and the draft.
@MainActor
public final class Conversation {
    public enum Change: Hashable, Sendable {
        /// The whole loaded range changed.
        case reset
        /// Messages were added to the loaded range, after all others or before them.
        case inserted([ChatMessage], atEnd: Bool)
        /// A loaded message changed, at the same position.
        case changed(ChatMessage)
        /// The messages with these IDs left the loaded range.
        case removed([Int64])
        /// `hasOlder` or `hasNewer` changed.
        case ends
        case unreadLine
        /// The draft was changed by the program, so the field must show it.
        case draft
        case liveText
        /// `Chat.encryption(of:)` changed.
        case encryption
    }

    public let id: ConversationID
    public var buddy: ChatAddress { id.buddy }
    /// The loaded messages, in the order of their places.
    public var window: [ChatMessage] { messages.items }
    /// Whether there are messages before the loaded range, in the store or the archive.
    public var hasOlder: Bool { messages.hasBefore || mayAskArchive }
    /// Whether there are messages after the loaded range.
    public var hasNewer: Bool { messages.hasAfter }
    /// The ID of the message below the unread line, which stays in place while the conversation is open.
    public internal(set) var firstUnread: Int64?
    /// The number of messages below the unread line that nobody had seen when it appeared; those that come out of view
    /// are added.
    public internal(set) var newCount = 0
    /// The user’s last message.
    public internal(set) var lastMine: ChatMessage?
    /// The user’s last message if it can be corrected: a file or a retracted message cannot.
    public var correctable: ChatMessage? { lastMine.flatMap { $0.isCorrectable ? $0 : nil } }
    /// Returns the user’s last loaded message before another one that can be corrected.
    public func correctable(before message: ChatMessage) -> ChatMessage? {
        window.last { $0.place < message.place && $0.isCorrectable }
    }
    /// Returns the user’s first loaded message after another one that can be corrected.
    public func correctable(after message: ChatMessage) -> ChatMessage? {
        window.first { $0.place > message.place && $0.isCorrectable }
    }
    /// Whether the view is scrolled to the end, as the panel reports; then the range follows new messages.
    public var isAtEnd = true
    /// The buddy’s chat state; `BuddyList` reports its changes.
    public var buddyTyping: Typing { chat.buddies.typing(of: buddy) }
    /// The real-time text of both sides.
    public private(set) lazy var liveText = LiveText(in: self)
    /// The text in the field that is not sent; it is saved across runs.
    public var draft: String {
        get { chat.drafts[buddy] }
        set {
            chat.drafts[buddy] = newValue
            // A text that could not be saved becomes the draft, even after the conversation was closed.
            if chat.selected !== self { chat.showDraft(of: buddy) }
        }
    }

    /// The chat of the conversation’s account.
    public let chat: Chat
    var messages = PagedWindow<ChatMessage>()
    private let observers = Observers<Change>()
    private lazy var typingNotifier = TypingNotifier(clock: chat.clock) { [weak self] in self?.notify($0) }
    /// The last place that was shown, and the last one that was reported as seen.
    private var (shown, reported) = (Int64.min, Int64.min)

    let loads = LoadQueue<Load>()
    /// The number of times that messages have changed.
    private(set) var changeCount = 0
    /// The number of searches for messages that others reply to.
    var searchCount = 0
    /// Whether the archive is not to be asked: it was read to its beginning, or is not available.
    var archiveIsRead = false

    init(_ buddy: ChatAddress, in chat: Chat) {
        id = ConversationID(buddy, of: chat.account)
        self.chat = chat
        load(.open)
    }

    public func observe(by owner: AnyObject, _ body: @escaping @MainActor (Change) -> Void) {
        observers.add(owner, body)
    }

    func notify(_ change: Change) { observers.notify(change) }

    func notify(_ changes: [PagedWindow<ChatMessage>.Change]) {
        for change in changes {
            switch change {
            case .inserted(let messages, let atEnd): notify(.inserted(messages, atEnd: atEnd))
            case .changed(let message): notify(.changed(message))
            case .removed(let ids): notify(.removed(ids))
            }
        }
    }
}

// MARK: - Actions of the user

extension Conversation {
    /// Sends a typed text; it becomes the draft again if it cannot be saved.
    ///
    /// - Parameters:
    ///   - original: The message to reply to; nil if the text is no reply.
    ///   - hint: The hint behind which the text is hidden, which may be empty; nil does not hide it.
    /// - Returns: False if the text is too long: it stays the draft, and nothing else changes.
    @discardableResult
    public func send(
        _ text: String, inReplyTo original: ChatMessage? = nil, behind hint: String? = nil
    ) -> Bool {
        let text = text.carried
        guard !text.allSatisfy(\.isWhitespace) else { return true }
        guard chat.canSend(chat.content(text, inReplyTo: original).text, to: buddy) else { return false }
        // Keep the saved draft until the message is saved.
        chat.drafts.hold(buddy)
        draft = ""
        beginSending()
        chat.send(text, to: buddy, inReplyTo: original, behind: hint) { [self] error in
            // After an account change, the saved draft does not belong to this account.
            guard chat.has(id) else { return }
            if error != nil {
                draft = draft.isEmpty ? text : "\(text)\n\(draft)"
                notify(.draft)
            }
            chat.drafts.release(buddy)
        }
        return true
    }

    /// Ends what the sending of a message ends, and shows the end of the conversation.
    func beginSending() {
        typingNotifier.end()
        liveText.sent()
        if firstUnread != nil {
            firstUnread = nil
            notify(.unreadLine)
        }
        if hasNewer { showNewest() }
    }

    /// Corrects a text of the user’s; one that cannot be saved becomes the draft, if that is empty.
    ///
    /// - Returns: False if the text is too long; nothing changes then.
    @discardableResult
    public func correct(_ message: ChatMessage, to text: String) -> Bool {
        let text = text.carried
        guard message.isCorrectable, text != message.visibleText, !text.allSatisfy(\.isWhitespace) else {
            return true
        }
        guard chat.canSend(message.content.replacing(with: text).text, to: buddy) else { return false }
        typingNotifier.end()
        chat.correct(message, to: text) { [self] error in
            guard chat.has(id) else { return }
            guard error != nil, draft.isEmpty else { return }
            draft = text
            notify(.draft)
        }
        return true
    }

    /// Sends a failed message again.
    public func retry(_ message: ChatMessage) { chat.retry(message) }

    /// Records what is shown, which counts as seen while the conversation is in view.
    public func seen(upTo message: ChatMessage) {
        shown = max(shown, message.place)
        markSeen()
    }

    /// Reports the shown messages as seen if the conversation is in view.
    func markSeen() {
        guard chat.isInView, shown > reported, chat.buddies.unread(of: buddy) > 0 else { return }
        let (before, place) = (reported, shown)
        reported = place
        chat.see(buddy, upTo: place) { [weak self] error in
            if error != nil { self?.reported = before }
        }
    }

    /// Notifies the buddy that the user is typing, and later that the user has paused.
    public func typed() {
        if draft.isEmpty { typingNotifier.end() } else { typingNotifier.typed() }
        liveText.typed()
    }

    /// Leaves the conversation, and saves its draft.
    func close() {
        typingNotifier.leave()
        liveText.end()
        chat.drafts.save(buddy)
    }

    private func notify(_ typing: Typing) { chat.tell(typing, to: buddy) }
}

// MARK: - Changes from the store

extension Conversation {
    /// Applies stored changes; `unreadBefore` is the number of unread messages before them.
    func take(_ changes: MessageChanges, unreadBefore: Int) {
        let inserted = changes.inserted.filter { $0.conversation == id }
        let changed = changes.changed.filter { $0.conversation == id }
        let removed = changes.removed.filter { $0.conversation == id }
        guard !inserted.isEmpty || !changed.isEmpty || !removed.isEmpty else { return }
        changeCount += 1
        for message in inserted + changed where message.sender == .me {
            if message.place >= lastMine?.place ?? .min || message.id == lastMine?.id { lastMine = message }
        }
        let hadOlder = hasOlder
        if !removed.isEmpty { remove(Set(removed.map(\.id))) }
        notify(messages.take(inserted, changed: changed, isAtEnd: isAtEnd))
        if hasOlder != hadOlder { notify(.ends) }
        // All that was loaded waited, and has moved to the end.
        if window.isEmpty, hasOlder || hasNewer { showNewest() }
        // Messages that arrive out of view go below an unread line.
        let new = inserted.filter(\.isUnread)
        if !chat.isInView || !isAtEnd, let first = new.first {
            if unreadBefore == 0 { (firstUnread, newCount) = (first.id, 0) }
            newCount += new.count
            if firstUnread != nil { notify(.unreadLine) }
        }
        markSeen()
    }

    private func remove(_ ids: Set<Int64>) {
        messages.remove(ids)
        if let id = lastMine?.id, ids.contains(id) { lastMine = window.last { $0.sender == .me } }
        notify(.removed(Array(ids)))
    }
}
