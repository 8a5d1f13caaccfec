// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The messages of the open conversation, as rows of a list.
@MainActor
final class ConversationList {
    /// The identity of a row: a message, or a part of one.
    struct RowID: Hashable {
        let message: Int64
        let part: Int

        /// Returns the row of a call, by the identifier of its entry in the history.
        static func call(_ entry: Int64) -> RowID { RowID(message: entry, part: -1) }

        var isCall: Bool { part < 0 }
    }

    /// The row of what the buddy is typing, after all messages.
    static let live = RowID(message: .min, part: 0)

    let list: VirtualList<RowID, MessageRow>
    var onAction: (@MainActor (MessageRow, MessageRow.Action) -> Void)?
    /// Whether sent messages are at the left.
    var isMineLeft = true {
        didSet { if isMineLeft != oldValue { list.updateAll() } }
    }
    /// Whether texts have styles (XEP-0393), and emoji alone are large.
    var isStyled = true {
        didSet { if isStyled != oldValue { list.updateAll() } }
    }
    /// Whether a run of messages of one sender has one line with name and time.
    var joinsRuns = false {
        didSet { if joinsRuns != oldValue { list.updateAll() } }
    }
    private(set) var conversation: Conversation?

    private var buddyName = ""
    private let emoticons: Emoticons
    let wall: any WallClock
    /// The calls with the other side, in the order of their beginning.
    var calls: [HistoryEntry] = []
    private var messages: [Int64: ChatMessage] = [:]
    /// The long messages that are shown in full.
    private var unfolded: [Int64: UnfoldedText] = [:]
    /// The spoilers whose texts are shown.
    private var revealed: Set<Int64> = []
    private var found: Int64?
    let stamps = LocaleStamps()
    private(set) lazy var headings = MessageHeadings(stamps: stamps)
    let pictures = ShownPictures()
    private var uploads: FileUploads? { conversation?.chat.uploads }
    private var downloads: FileDownloads? { conversation?.chat.downloads }
    private let voice: VoiceMessages?
    /// The greatest side of a picture, in layout pixels.
    private var pictureSide = FileView.side(inListOf: 0, textScale: 1)
    /// The day to which the stamps refer.
    private var today: ChatTime?

    init(emoticons: Emoticons, wall: any WallClock, voice: VoiceMessages? = nil) {
        (self.voice, self.emoticons, self.wall) = (voice, emoticons, wall)
        list = VirtualList(name: localized("Conversation"), guess: 64, followsEnd: true) { MessageRow() }
        list.widget.set(style: "conversation", true)
        list.show = { [weak self] row, id in self?.show(id, in: row) }
        Signal.connectNotify(list.widget, "size-allocate") { [weak self] in
            // Rows must not change while they are placed.
            guard let self, newPictureSide != pictureSide else { return }
            MainLoop.afterFrame { [weak self] in self?.resizePictures() }
        }
        pictures.onDecoded = { [weak self] source in
            guard let self else { return }
            updateFile { self.shows(source, $0) }
        }
    }

    private var newPictureSide: Int {
        FileView.side(
            inListOf: Int(gtk_widget_get_allocated_width(list.widget)), textScale: list.widget.textScale)
    }

    private func resizePictures() {
        guard newPictureSide != pictureSide else { return }
        pictureSide = newPictureSide
        updateFile { $0.content.files.contains(where: \.isPicture) }
    }

    private func shows(_ source: ShownPictures.Source, _ message: ChatMessage) -> Bool {
        message.content.files.contains { file in
            switch source {
            case .path(let path): downloads?.state(of: file) == .present(path)
            case .thumbnail(let text): file.thumbnail == text
            }
        }
    }

    /// Shows a conversation, or an empty list if it is nil.
    func open(_ conversation: Conversation?, name: String) {
        self.conversation = conversation
        buddyName = name
        (unfolded, revealed, calls) = ([:], [], [])
        found = nil
        reset()
    }

    func rename(_ name: String) {
        guard name != buddyName else { return }
        buddyName = name
        list.updateAll()
    }

    /// Shows all messages again, at the first unread message or at the end.
    func reset() {
        list.set([])
        arrange()
        if let first = conversation?.firstUnread, messages[first] != nil {
            list.scroll(to: RowID(message: first, part: 0))
        } else {
            list.scrollToEnd()
        }
    }

    /// Updates the rows after messages have been inserted or removed.
    ///
    /// - Parameter new: The messages that have just arrived at the end; they rise if it is in sight, unless they are many.
    func arrange(new: [ChatMessage] = []) {
        let (isInSight, wasLive) = (list.isAtEnd && new.count <= Self.mostRising, isLive)
        let window = conversation?.window ?? []
        let before = messages
        messages = Dictionary(uniqueKeysWithValues: window.map { ($0.id, $0) })
        let headingsBefore = headings
        let isFromBeginning = conversation?.hasOlder == false
        let items = ConversationItem.merge(
            window, calls, isFromBeginning: isFromBeginning, isToEnd: conversation?.hasNewer == false)
        headings = MessageHeadings(items, isFromBeginning: isFromBeginning, stamps: stamps)
        // Messages appended to the window do not follow its last message if newer ones are not loaded.
        list.followsEnd = conversation?.hasNewer != true
        list.set(items.flatMap(rows) + (liveText == nil ? [] : [Self.live]))
        checkDay()
        // A message that moved may also have changed.
        for id in list.builtIDs where !id.isCall && before[id.message] != nil {
            if before[id.message] != messages[id.message] { list.update(id) }
        }
        for id in headings.callChanges(since: headingsBefore) { list.update(.call(id)) }
        // A message before them came or went.
        for id in headings.changes(since: headingsBefore) where before[id] != nil {
            list.update(RowID(message: id, part: 0))
        }
        // It may continue a run of other messages now.
        if wasLive, isLive { list.update(Self.live) }
        // The original of a reply came or went.
        for id in list.builtIDs where message(id)?.reply != nil {
            let original = list.row(id)?.cell?.quote?.original
            if original.map({ messages[$0] == nil }) ?? (before.count != messages.count) { list.update(id) }
        }
        // A text that was seen as it was typed stays where it is.
        for message in new where isInSight && !(wasLive && message.sender == .buddy) {
            list.row(RowID(message: message.id, part: 0))?.arrive()
        }
    }

    private static let mostRising = 3

    /// Shows the current messages, after changes that were not reported.
    func catchUp() {
        for message in conversation?.window ?? [] where unfolded[message.id] != nil {
            if messages[message.id]?.visibleText != message.visibleText {
                unfolded[message.id] = unfolded(message)
            }
        }
        arrange()
        list.updateAll()
    }

    /// Updates the stamps if the day has changed, because messages that are no longer from today show a date.
    func checkDay() {
        let now = wall.now
        if let today, !stamps.isSameDay(today, now) { list.updateAll() }
        today = now
    }

    /// Updates a message that has changed but stays in its place.
    func update(_ message: ChatMessage) {
        guard let old = messages[message.id] else { return }
        messages[message.id] = message
        if old.visibleText != message.visibleText, unfolded[message.id] != nil {
            unfolded[message.id] = unfolded(message)
            arrange()
        }
        for row in rows(of: message) { list.update(row) }
        // Replies quote it.
        for id in list.builtIDs where self.message(id)?.reply?.original.names(message) == true {
            list.update(id)
        }
    }

    func updateFile(_ isWanted: (ChatMessage) -> Bool) {
        for id in list.builtIDs where message(id).map(isWanted) ?? false { list.update(id) }
    }

    /// Scrolls to a search result and marks it, or removes the mark if `message` is nil.
    func show(found message: ChatMessage?) {
        let before = found
        found = message?.id
        for id in [before, found].compactMap({ $0 }) { list.update(RowID(message: id, part: 0)) }
        if let message { list.scroll(to: RowID(message: message.id, part: 0)) }
    }

    /// Shows a long message in full, or only its beginning.
    func setFolded(_ isFolded: Bool, _ message: ChatMessage) {
        unfolded[message.id] = isFolded ? nil : unfolded(message)
        arrange()
        list.update(RowID(message: message.id, part: 0))
        // The button that was clicked is hidden now, so focus the row.
        list.focusRow(RowID(message: message.id, part: 0))
    }

    /// Returns whether the text of a spoiler is shown; nil for a message that is none.
    func isRevealed(_ message: ChatMessage) -> Bool? {
        message.content.spoiler.map { _ in revealed.contains(message.id) }
    }

    /// Shows the text of a spoiler, or hides it again.
    func setRevealed(_ isRevealed: Bool, _ message: ChatMessage) {
        if isRevealed { revealed.insert(message.id) } else { revealed.remove(message.id) }
        unfolded[message.id] = nil
        arrange()
        list.update(RowID(message: message.id, part: 0))
        list.widget.announce(isRevealed ? message.visibleText : message.summary)
    }

    /// The last message that is visible, at least in part.
    var lastSeen: ChatMessage? {
        guard let seen = list.seen else { return nil }
        return list.ids[seen].last { message($0) != nil }.flatMap(message)
    }

    func message(_ id: RowID) -> ChatMessage? { id.isCall ? nil : messages[id.message] }

    private func rows(of item: ConversationItem) -> [RowID] {
        switch item {
        case .message(let message): rows(of: message)
        case .call(let entry): [.call(entry.id)]
        }
    }

    private func unfolded(_ message: ChatMessage) -> UnfoldedText {
        UnfoldedText(message.visibleText, emoticons: emoticons)
    }

    private func rows(of message: ChatMessage) -> [RowID] {
        (0..<(unfolded[message.id]?.parts.count ?? 1)).map { RowID(message: message.id, part: $0) }
    }

    // MARK: - Rows

    private func show(_ id: RowID, in row: MessageRow) {
        if id == Self.live { return showLive(in: row) }
        if id.isCall { return showCall(id.message, in: row) }
        guard let message = messages[id.message] else { return }
        let cell = cell(for: message, part: id.part)
        row.onAction = { [weak self] row, action in self?.onAction?(row, action) }
        let actor = cell.message.isAction && cell.isFirst ? actor(of: cell) : nil
        let hasStyles = isStyled && message.retraction == nil && !message.content.isUnstyled
        let styling = unfolded[message.id]?.block(of: id.part) ?? TextBlock()
        row.show(
            cell,
            body: MessageBody(
                cell.text, emoticons: emoticons, actor: actor, styling: hasStyles ? styling : nil))
        guard cell.isRevealed != false else { return }
        for index in message.content.files.indices { downloads?.look(at: message.withFileAlone(index)) }
    }

    /// Returns the name with which a message tells of its sender: the others do not read “you”.
    private func actor(of cell: MessageCell) -> String {
        guard cell.message.sender == .me, let conversation else { return cell.sender }
        let name = conversation.chat.ownName(in: conversation.buddy)
        return name.isEmpty ? cell.sender : PlainText.line(name, maximum: 60)
    }

    private func showLive(in row: MessageRow) {
        guard let text = liveText, let conversation else { return }
        let message = ChatMessage(
            id: Self.live.message, conversation: conversation.id, sender: .buddy,
            content: MessageContent(text), time: wall.now, place: .max, state: .received)
        row.onAction = { [weak self] row, action in self?.onAction?(row, action) }
        let body = MessageBody(text, emoticons: emoticons, hasLinks: false)
        // What stands above it stays when it becomes a message.
        let heading = headings.heading(ofNext: message)
        row.show(
            MessageCell(
                message: message, sender: buddyName,
                stamp: Stamp(localized("{name} is typing…", ["name": buddyName])), time: "", text: text,
                dayLine: heading.startsDay ? stamps.dayName(of: message.time, now: message.time) : nil,
                clock: joinsRuns && heading.continuesRun ? stamps.time(message.time) : nil,
                isLeft: isLeft(message), isLive: true),
            body: body)
    }

    private func files(of message: ChatMessage) -> [FileCell] {
        let count = message.content.files.count
        let side = FilesView.side(ofOne: pictureSide, among: count)
        return (0..<count).compactMap { file(of: message.withFileAlone($0), side: side) }
    }

    private func file(of message: ChatMessage, side: Int) -> FileCell? {
        guard var cell = FileCell(message, uploads: uploads, downloads: downloads, voice: voice) else {
            return nil
        }
        let scale = Int(gtk_widget_get_scale_factor(list.widget))
        if let path = cell.picturePath {
            switch pictures.state(of: .path(path), side: side, scale: scale) {
            case .decoding: break
            case .decoded(let picture): cell.picture = picture
            case .undecodable: if !message.needsUpload { cell.markUndecodable() }
            }
        }
        if cell.picture == nil, let text = cell.thumbnailText,
            case .decoded(let picture) = pictures.state(of: .thumbnail(text), side: side, scale: scale)
        {
            cell.thumbnail = picture
        }
        return cell
    }

    /// Returns the text of the line above the first unread message.
    private func newLine(above message: ChatMessage) -> String? {
        guard let conversation, conversation.firstUnread == message.id else { return nil }
        // The count is not known before the unread messages have been counted.
        guard conversation.newCount > 0 else { return localized("New messages") }
        return localizedPlural("{count} new message", "{count} new messages", conversation.newCount)
    }

    private func isLeft(_ message: ChatMessage) -> Bool {
        let isRightToLeft = gtk_widget_get_direction(list.widget) == GTK_TEXT_DIR_RTL
        return ((message.sender == .me) == isMineLeft) != isRightToLeft
    }

    private func cell(for message: ChatMessage, part: Int) -> MessageCell {
        let parts = unfolded[message.id]?.parts
        let sender = message.sender.name(buddyName: buddyName)
        let isRevealed = isRevealed(message)
        let whole =
            message.standIn(by: sender)
            ?? (isRevealed == false ? message.content.spoilerLine : nil) ?? message.visibleText
        let isFolded = parts == nil && LongText.isLong(whole)
        let text =
            parts.map { String($0[min(part, $0.count - 1)]) }
            ?? (isFolded ? String(LongText.beginning(of: whole)) + "…" : whole)
        let now = wall.now
        let isToday = stamps.isSameDay(message.time, now)
        let (newLine, heading) = (newLine(above: message), headings[message.id])
        return MessageCell(
            message: message, sender: sender,
            stamp: Stamp(sender: sender, moment: message.time, now: now, format: stamps),
            time: isToday ? stamps.time(message.time) : stamps.dateAndTime(message.time), part: part,
            parts: parts?.count ?? 1, text: text, isFolded: isFolded,
            newLine: newLine,
            dayLine: heading.startsDay ? stamps.dayName(of: message.time, now: now) : nil,
            // A line says that a message was corrected, and stands at the beginning of what is new.
            clock: joinsRuns && heading.continuesRun && !message.isCorrected && newLine == nil
                ? stamps.time(message.time) : nil,
            isFound: found == message.id,
            isLeft: isLeft(message), isRevealed: isRevealed,
            files: isRevealed == false ? [] : files(of: message),
            quote: Quote(of: message, among: messages.values, buddyName: buddyName),
            reactions: message.reactionCounts.map { reaction in
                ReactionChips.Chip(
                    emoji: reaction.emoji, names: reaction.senders.map { $0.name(buddyName: buddyName) },
                    isMine: reaction.isMine)
            })
    }
}
