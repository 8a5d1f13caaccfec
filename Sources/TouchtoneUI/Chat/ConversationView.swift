// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The open conversation: its messages, the typing notification and the message field.
@MainActor
final class ConversationView {
    let widget = Widget.box(GTK_ORIENTATION_VERTICAL, style: "talk")
    let composer = Composer()
    let messages: ConversationList
    let calls = ConversationCalls()
    let messenger: Messenger
    private(set) weak var navigator: (any Navigator)?
    /// The messages, or the placeholder over them.
    let overlay: Widget = gtk_overlay_new()
    private let empty = EmptyPlace()
    /// The contents of the place without a conversation.
    var placeholder = EmptyPlace.Content(text: "") { didSet { showEmpty() } }
    let typing = Widget.label(isCut: true, style: "typing-line")
    private let roomLine = RoomLine()
    private lazy var commands = CommandChips { [weak self] in self?.sendCommand($0) }
    private(set) lazy var obstacle = ObstacleBar(messenger)
    /// The bar while the buddy asks for real-time text.
    let question = PanelBanner()
    /// Called when the encryption of the conversation has changed.
    var onEncryption: (@MainActor () -> Void)?
    private let toEnd = ScrollToEndButton()
    /// The message that is being corrected; the draft is restored afterwards.
    private(set) var corrected: ChatMessage?
    /// The message that is being replied to.
    private(set) var replied: ChatMessage?
    /// The files that are about to be sent, in each conversation.
    var drafts: [ConversationID: [FileDraft]] = [:]
    var completion = NicknameCompletion()
    /// The words that a screen reader has spoken of the text that is being typed.
    var spoken = SpokenWords()
    /// The state of real-time text that was last shown.
    var shownStanding = LiveText.Standing.off
    /// Whether it was spoken that the buddy asks for real-time text.
    var hasSpokenQuestion = false
    /// The search result to show when its part of the conversation has loaded.
    private var wanted: (message: ChatMessage, takesFocus: Bool)?
    /// Whether to scroll to the end when the newest messages have loaded.
    private var wantsEnd = false
    /// Whether the conversation is beside the list.
    var isWide = false { didSet { widget.set(style: "wide", isWide) } }
    /// Whether the messages have been read from the store.
    private var isRead = false
    /// Whether the phone is locked: there are no rows, and nothing new is shown.
    var isCovered = false {
        didSet { if isCovered != oldValue { coverChanged() } }
    }
    /// Whether the conversation was reset while the phone was locked.
    private var wasReset = false

    var conversation: Conversation? { messages.conversation }
    var chat: Chat? { conversation?.chat }
    /// The voice messages; nil if they are not supported.
    let voice: VoiceMessages?
    private let day: DayWatch

    init(
        messenger: Messenger, emoticons: Emoticons, navigator: (any Navigator)?, voice: VoiceMessages?,
        wall: any WallClock, clock: any Scheduler
    ) {
        (self.messenger, self.navigator, self.voice) = (messenger, navigator, voice)
        let messages = ConversationList(emoticons: emoticons, wall: wall, voice: voice)
        self.messages = messages
        day = DayWatch(clock: clock, wall: wall) { [weak messages] in messages?.checkDay() }
        gtk_container_add(overlay.cast(), messages.list.widget)
        gtk_overlay_add_overlay(overlay.cast(), toEnd.widget)
        gtk_widget_set_halign(empty.widget, GTK_ALIGN_CENTER)
        gtk_overlay_add_overlay(overlay.cast(), empty.widget)
        gtk_overlay_set_overlay_pass_through(overlay.cast(), empty.widget, 1)
        widget.add(roomLine.widget)
        widget.add(overlay, grows: true)
        widget.add(typing)
        widget.add(commands.widget)
        widget.add(question.widget)
        widget.add(obstacle.widget)
        widget.add(composer.widget)
        gtk_widget_show_all(widget)
        watch()
        show(messenger.selected)
    }

    /// Checks whether the day has changed, for example while the computer was asleep.
    func checkDay() { day.check() }

    private func watch() {
        Signal.connect(messages.list.widget, "map") { [weak day] in day?.start() }
        Signal.connect(messages.list.widget, "unmap") { [weak day] in day?.stop() }
        messages.list.onMove = { [weak self] in self?.moved() }
        messages.onAction = { [weak self] row, action in self?.act(row, action) }
        messages.list.onMenu = { [weak self] _, row, event in self?.openMenu(of: row, event) }
        messages.list.onActivate = { [weak self] id, byKey in
            // A click only focuses the row; Return opens its menu.
            guard let self, byKey, let row = messages.list.row(id) else { return }
            openMenu(of: row, nil)
        }
        messages.list.onSwipe = { [weak self] in self?.replyBySwipe($0) }
        messages.list.onKey = { [weak self] id, key in self?.keyPressed(id, key) ?? false }
        Signal.connect(toEnd.widget, "clicked") { [weak self] in self?.goToEnd() }
        roomLine.onJoin = { [weak self] in self?.rejoin($0) }
        roomLine.onRequestVoice = { [weak self] in try? self?.chat?.requestVoice(in: $0) }
        composer.onSend = { [weak self] in self?.send($0) }
        composer.onSpoiler = { [weak self] in self?.askForHint() }
        composer.onTyped = { [weak self] in self?.typed($0) }
        composer.onRecall = { [weak self] in self?.recall($0) }
        composer.onComplete = { [weak self] in self?.complete($0) }
        composer.onCancel = { [weak self] in self?.cancel() }
        watchFiles()
        watchVoice()
        watchCalls()
    }

    // MARK: - Display

    /// Shows a conversation, or a placeholder if it is nil.
    func show(_ next: Conversation?) {
        guard next !== conversation || next == nil else { return }
        (corrected, replied, isRead, wantsEnd) = (nil, nil, false, false)
        (spoken, shownStanding, hasSpokenQuestion) = (SpokenWords(), .off, false)
        voice?.stop()
        composer.show(.message)
        messages.open(next, name: name(of: next))
        composer.text = next?.draft ?? ""
        composer.show(fileDrafts)
        next?.observe(by: self) { [weak self, weak next] change in
            guard let self, next === conversation else { return }
            changed(change)
        }
        showFrame()
        showLiveText()
    }

    /// Updates everything around the messages: the name of the buddy, the typing notification and the placeholders.
    func showFrame() {
        let name = name(of: conversation)
        messages.rename(name)
        let buddy = conversation.flatMap { $0.chat.buddies.row(of: $0.buddy) }
        roomLine.show(buddy?.room)
        composer.show(
            hint: conversation == nil
                ? ""
                : MessageHint.text(
                    for: buddy, name: name,
                    account: conversation.map { messenger.accountName(of: $0.id) } ?? ""),
            isEnabled: conversation != nil)
        showTyping(name: name)
        showQuestion(of: name)
        showAttachKey()
        showEncryption()
        showEmpty()
        composer.widget.isVisible = conversation != nil
        typing.isVisible = conversation != nil
        commands.widget.isVisible = buddy?.isOperator == true
    }

    private func showEncryption() {
        obstacle.show(isCovered ? nil : conversation?.id)
        composer.show(isCovered ? nil : conversation.flatMap { EncryptionWords($0.id, in: messenger) })
    }

    private func rejoin(_ room: ChatAddress) {
        guard let chat else { return }
        Task { [weak self] in
            do throws(RoomError) {
                try await chat.rejoin(room)
            } catch {
                // The line shows the reason, except for what the room does not know.
                if error == .nicknameTaken || error == .nicknameInvalid || error == .password, let self {
                    JoinPrompt.ask(chat: chat, address: room.text, at: roomLine.widget)
                } else if error == .membersOnly, let self {
                    let nickname = chat.buddies.row(of: room)?.room?.nickname ?? ""
                    MembershipRequest.ask(room.text, as: nickname, chat: chat, at: roomLine.widget)
                } else if error == .missing, let self {
                    JoinPrompt.askToCreate(chat: chat, room, at: roomLine.widget)
                }
            }
        }
    }

    func name(of conversation: Conversation?) -> String {
        conversation.map { PlainText.line($0.chat.buddies.name(of: $0.buddy)) } ?? ""
    }

    func showEmpty() {
        guard let conversation else { return empty.show(placeholder) }
        let hello = localized("No messages yet. Say hello to {name}.", ["name": name(of: conversation)])
        let isEmpty =
            conversation.window.isEmpty && conversation.liveText.text.isEmpty && messages.calls.isEmpty
        empty.show(isRead && isEmpty ? .init(text: hello) : nil)
    }

    private func coverChanged() {
        messages.list.isCovered = isCovered
        if isCovered {
            messages.pictures.forget()
            voice?.stop()
            showEncryption()
            question.show(nil)
        }
        guard !isCovered, let conversation else { return }
        if wasReset { changed(.reset) } else { messages.catchUp() }
        wasReset = false
        if corrected == nil, composer.text != conversation.draft { composer.text = conversation.draft }
        showFrame()
        moved()
    }

    private func changed(_ change: Conversation.Change) {
        guard !isCovered else {
            if case .reset = change { wasReset = true }
            return
        }
        switch change {
        case .reset:
            // What a conversation shows first comes before what is around the message.
            let isLast = isRead
            isRead = true
            messages.reset()
            if wantsEnd { messages.list.scrollToEnd() }
            wantsEnd = false
            showWanted(isLast: isLast)
        case .inserted(let new, let isAtEnd):
            // Otherwise the newest messages were not loaded, and these are old.
            let isNew = isAtEnd && messages.list.followsEnd
            if isNew { announce(new) }
            messages.arrange(new: isNew ? new : [])
        case .removed(let ids):
            messages.arrange()
            forget(ids)
        case .ends: messages.arrange()
        case .changed(let message):
            announceFailure(of: message)
            messages.update(message)
            forget(message)
        case .unreadLine: messages.list.updateAll()
        case .liveText: showLiveText()
        case .encryption:
            showEncryption()
            onEncryption?()
        case .draft: if corrected == nil, let conversation { composer.text = conversation.draft }
        }
        showEmpty()
        moved()
    }

    /// Marks the visible messages as read, and loads more of them near either end.
    private func moved() {
        guard let conversation, !isCovered else { return }
        showCalls(of: conversation)
        let list = messages.list
        let isAtEnd = list.isAtEnd && !conversation.hasNewer
        conversation.isAtEnd = isAtEnd
        toEnd.count = isAtEnd ? 0 : conversation.chat.buddies.row(of: conversation.buddy)?.unread ?? 0
        toEnd.isShown = !isAtEnd && !conversation.window.isEmpty
        guard let seen = list.seen else { return }
        if seen.lowerBound < 30, conversation.hasOlder { conversation.loadOlder() }
        if seen.upperBound > list.ids.count - 30, conversation.hasNewer { conversation.loadNewer() }
        if let last = messages.lastSeen { conversation.seen(upTo: last) }
    }

    func goToEnd() {
        guard let conversation else { return }
        (wantsEnd, wanted) = (conversation.hasNewer, nil)
        if wantsEnd { conversation.showNewest() } else { messages.list.scrollToEnd() }
        composer.focus()
    }

    /// Scrolls to a message that is looked for, in this conversation or another one.
    ///
    /// - Parameter takesFocus: Whether its row takes the focus from the message field.
    func show(found message: ChatMessage, takesFocus: Bool = false) {
        if conversation?.id != message.conversation { messenger.select(message.conversation) }
        wanted = (message, takesFocus)
        conversation?.show(around: message.place)
    }

    private func showWanted(isLast: Bool) {
        guard let (message, takesFocus) = wanted,
            conversation?.window.contains(where: { $0.id == message.id }) == true
        else { return }
        if isLast { wanted = nil }
        messages.show(found: message)
        guard isLast, takesFocus, widget.mayTakeFocus else { return }
        let id = ConversationList.RowID(message: message.id, part: 0)
        // Its row is built with the next frame.
        MainLoop.afterFrame { [weak self] in self?.messages.list.focusRow(id) }
    }

    // MARK: - Actions

    /// - Parameter hint: The hint behind which the text is hidden; nil does not hide it.
    func send(_ text: String, behind hint: String? = nil) {
        guard let conversation else { return }
        if let corrected {
            guard conversation.correct(corrected, to: text) else {
                return composer.show(trouble: Conversation.tooLong)
            }
            endCorrection()
        } else if !fileDrafts.isEmpty {
            sendFiles(with: text, inReplyTo: replied)
        } else {
            guard conversation.send(text, inReplyTo: replied, behind: hint) else {
                return composer.show(trouble: Conversation.tooLong)
            }
            composer.text = ""
            endReply()
            messages.list.scrollToEnd()
        }
    }

    /// Sends a command beside what is in the field.
    private func sendCommand(_ command: String) {
        guard let conversation else { return }
        conversation.chat.reply(command, to: conversation.buddy)
        messages.list.scrollToEnd()
        composer.focus()
    }

    private func typed(_ text: String) {
        guard corrected == nil, let conversation else { return }
        conversation.draft = text
        conversation.typed()
    }

    func correct(_ message: ChatMessage) {
        (corrected, replied) = (message, nil)
        composer.show(.correction(of: message.visibleText))
        composer.text = message.visibleText
        composer.focus()
    }

    private func cancel() {
        if corrected != nil {
            endCorrection()
        } else if replied != nil {
            endReply()
        } else {
            fileDrafts = []
        }
    }

    func reply(to message: ChatMessage) {
        endCorrection()
        replied = message
        let sender = message.sender.name(buddyName: name(of: conversation))
        let text = PlainText.line(message.summary, maximum: 100)
        composer.show(.reply(localized("Reply to {name}: {text}", ["name": sender, "text": text])))
        composer.focus()
    }

    func endReply() {
        replied = nil
        composer.show(.message)
    }

    /// Ends the reply to a message that is deleted meanwhile, or the correction of one that cannot be corrected any more.
    private func forget(_ message: ChatMessage) {
        if message.id == replied?.id, message.retraction != nil { endReply() }
        if message.id == corrected?.id, !message.isCorrectable { endCorrection() }
    }

    /// Ends the reply to a message that left the conversation, or its correction.
    private func forget(_ ids: [Int64]) {
        if let id = replied?.id, ids.contains(id) { endReply() }
        if let id = corrected?.id, ids.contains(id) { endCorrection() }
    }

    func endCorrection() {
        guard corrected != nil else { return }
        corrected = nil
        composer.show(.message)
        composer.text = conversation?.draft ?? ""
        composer.focus()
    }

    private func keyPressed(_ id: ConversationList.RowID, _ key: GdkEventKey) -> Bool {
        guard key.state & GDK_CONTROL_MASK.rawValue != 0, let message = messages.message(id) else {
            return false
        }
        switch Keyboard.latinLetter(of: key) {
        case "c" where message.retraction == nil: Clipboard.write(message.visibleText)
        default: return false
        }
        return true
    }
}
