// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The results of a search: people and messages as two groups of one list, or only the messages of one conversation.
@MainActor
final class SearchResults {
    enum Item: Hashable {
        case person(ConversationID), morePeople
        case message(Int64), moreMessages
    }

    let widget = Widget.box(GTK_ORIENTATION_VERTICAL)
    let list: VirtualList<Item, BuddyRow>
    /// The conversation whose messages are searched; nil for people and all messages.
    var scope: ConversationID?
    var onOpen: (@MainActor (ConversationID) -> Void)?
    var onFound: (@MainActor (ChatMessage) -> Void)?
    /// Called with the menu key or a click for the menu on a person.
    var onMenu: (@MainActor (ConversationID, BuddyRow, UnsafeMutablePointer<GdkEvent>?) -> Void)?
    /// Called when a key is pressed on a person; returns true if the key was handled.
    var onPersonKey: (@MainActor (ConversationID, BuddyRow, GdkEventKey) -> Bool)?
    var onClose: (@MainActor () -> Void)?
    /// The room for the list; it has whole rows only.
    var room = ListRoom.all { didSet { if room != oldValue { fitHeight() } } }
    /// Whether the phone is locked: there are no rows, and nothing is searched.
    var isCovered = false { didSet { if isCovered != oldValue { coverChanged() } } }

    private let messenger: Messenger
    private let finder: MessageFinder
    private let pictures: AvatarLoader<ConversationID>
    private let wall: any WallClock
    private let note = Widget.label(style: "empty-text")
    private var words = ""
    private var people: [ConversationID] = []
    private var showsAllPeople = false
    private var messages: [Int64: FoundMessage] = [:]
    private var fitted: gint = -1

    /// The number of people above the messages, unless the user asks for all.
    static let fewPeople = 5

    init(
        _ messenger: Messenger, pictures: AvatarLoader<ConversationID>, wall: any WallClock, name: String
    ) {
        (self.messenger, self.pictures, self.wall) = (messenger, pictures, wall)
        finder = MessageFinder(messenger)
        list = VirtualList(name: name, guess: 56) { BuddyRow() }
        list.snapsToRows = true
        gtk_label_set_xalign(note.cast(), 0.5)
        widget.add(note)
        widget.add(list.widget, grows: true)
        gtk_widget_show_all(widget)
        note.isVisible = false
        gtk_widget_set_no_show_all(note, 1)
        finder.onChange = { [weak self] in self?.messagesChanged() }
        messenger.observe(by: self) { [weak self] in
            if case .gone(let messages) = $0 { self?.forget(messages) }
        }
        list.show = { [weak self] in self?.show($1, in: $0) }
        list.onActivate = { [weak self] item, _ in self?.activate(item) }
        list.onMove = { [weak self] in self?.fitHeight() }
        list.onMenu = { [weak self] item, row, event in
            if case .person(let id) = item { self?.onMenu?(id, row, event) }
        }
        list.onKey = { [weak self] in self?.keyPressed($0, $1) ?? false }
    }

    /// Whether there is something to search for.
    var isSearching: Bool { words.contains { !$0.isWhitespace } }

    /// Shows the people that match a text; `findMessages` adds those of messages.
    func find(_ words: String) {
        guard words != self.words else { return }
        (self.words, showsAllPeople) = (words, false)
        finder.cancel()
        guard isSearching else { return clear() }
        peopleChanged()
        list.scrollToTop()
    }

    /// Searches the messages for the text, in place of what was found for an earlier one.
    func findMessages() {
        guard isSearching, !isCovered else { return }
        finder.find(words, in: scope)
    }

    /// Updates the people after a change of the buddies.
    func peopleChanged() {
        guard isSearching, !isCovered else { return }
        people = scope == nil ? messenger.buddies.found(words) : []
        arrange()
        for case .person(let id) in list.builtIDs { list.update(.person(id)) }
    }

    func update(_ id: ConversationID) { list.update(.person(id)) }

    /// Opens the first person, or moves the focus to the first message.
    func activateFirst() {
        guard let first = list.ids.first else { return }
        if case .person = first { activate(first) } else { list.focusFirst() }
    }

    private func clear() {
        finder.stop()
        (people, messages) = ([], [:])
        arrange()
    }

    private func coverChanged() {
        if isCovered {
            finder.stop()
            messages = [:]
            list.set([])
            (note.isVisible, note.text) = (false, "")
        }
        list.isCovered = isCovered
        peopleChanged()
        findMessages()
    }

    // MARK: - Rows

    private var shownPeople: ArraySlice<ConversationID> {
        showsAllPeople ? people[...] : people.prefix(Self.fewPeople)
    }

    private func arrange() {
        var items = shownPeople.map { Item.person($0) }
        if people.count > items.count { items.append(.morePeople) }
        items += finder.found.map { .message($0.id) }
        if finder.hasMore { items.append(.moreMessages) }
        list.set(items)
        note.text =
            finder.hasFailed
            ? localized("Messages can’t be searched right now.") : localized("Nothing found.")
        note.isVisible = finder.hasFailed || items.isEmpty && isSearching && !finder.isSearching && isSearched
        list.widget.isVisible = !items.isEmpty
        fitHeight()
    }

    /// The text for which messages were searched last.
    private var searched = ""
    private var isSearched: Bool { searched == words }

    private func messagesChanged() {
        guard !isCovered else { return }
        let isMore = isSearched && !messages.isEmpty
        searched = words
        showMessages()
        if isSearching, !isMore { widget.announce(summary) }
    }

    private func forget(_ gone: Set<Int64>) { if finder.forget(gone) { showMessages() } }

    private func showMessages() {
        messages = Dictionary(finder.found.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        arrange()
        for item in list.builtIDs {
            if case .message = item { list.update(item) }
        }
    }

    private func fitHeight() {
        let height = list.height(in: room)
        guard height != fitted else { return }
        fitted = height
        list.setHeight(height)
    }

    private func show(_ item: Item, in row: BuddyRow) {
        switch item {
        case .person(let id):
            guard let buddy = messenger.buddies.row(of: id) else { return }
            row.show(
                BuddyRow.Content(
                    buddy: buddy, isSelected: id == messenger.selected?.id,
                    section: id == people.first ? localized("PEOPLE") : "",
                    account: buddy.isOperator ? "" : messenger.accountName(of: id),
                    picture: pictures.picture(of: id), now: wall.now))
        case .message(let id):
            guard let found = messages[id] else { return }
            show(found, isFirst: id == finder.found.first?.id, in: row)
        case .morePeople: row.show(more: localized("More People"))
        case .moreMessages: row.show(more: localized("More Messages"))
        }
    }

    private func show(_ found: FoundMessage, isFirst: Bool, in row: BuddyRow) {
        let (message, id) = (found.message, found.message.conversation)
        let buddy = messenger.buddies.row(of: id)
        row.show(
            BuddyRow.Found(
                section: isFirst && scope == nil ? localized("MESSAGES") : "", title: title(of: message),
                account: scope == nil && id.buddy != .operatorAddress ? messenger.accountName(of: id) : "",
                time: LocaleStamps().short(message.time, now: wall.now), words: words(of: found),
                avatar: scope == nil
                    ? (pictures.picture(of: id), buddy.map { BuddyRow.face(of: $0) } ?? Avatar.Face()) : nil))
    }

    /// Returns who sent a message and, among all conversations, to whom.
    private func title(of message: ChatMessage) -> String {
        let name = PlainText.line(messenger.buddies.name(of: message.conversation), maximum: 60)
        let sender = message.sender.name(buddyName: name)
        switch message.sender {
        case _ where scope != nil: return sender
        case .me: return localized("you to {name}", ["name": name])
        case .buddy: return sender
        case .occupant: return localized("{name} in {room}", ["name": sender, "room": name])
        }
    }

    private func words(of found: FoundMessage) -> [FoundMessage.Piece] {
        let message = found.message
        let name = PlainText.line(messenger.buddies.name(of: message.conversation), maximum: 60)
        let sender = message.sender.name(buddyName: name)
        guard !message.isAction, !message.isFileAlone, !message.hasNoWords else {
            return FoundMessage.pieces(of: PlainText.line(message.summary(by: sender)), SearchWords(words))
        }
        return found.excerpt
    }

    /// The first result, and the number of others, for a screen reader.
    private var summary: String {
        let count = people.count + finder.found.count
        let first: String
        if let person = people.first {
            first = PlainText.line(messenger.buddies.name(of: person), maximum: 60)
        } else if let found = finder.found.first {
            first = localized(
                "{sender}: {text}",
                ["sender": title(of: found.message), "text": words(of: found).map(\.text).joined()])
        } else {
            return note.text
        }
        return count == 1
            ? first
            : localizedPlural(
                "{suggestion}, and {count} more", "{suggestion}, and {count} more", count - 1,
                ["suggestion": first])
    }

    // MARK: - Actions

    private func activate(_ item: Item) {
        switch item {
        case .person(let id): onOpen?(id)
        case .message(let id): if let found = messages[id] { onFound?(found.message) }
        case .morePeople:
            showsAllPeople = true
            let next = people.dropFirst(Self.fewPeople).first
            arrange()
            if let next { list.focusRow(.person(next)) }
        case .moreMessages: finder.findMore()
        }
    }

    private func keyPressed(_ item: Item, _ key: GdkEventKey) -> Bool {
        if Int32(bitPattern: key.keyval) == GDK_KEY_Escape {
            onClose?()
            return true
        }
        guard case .person(let id) = item, let row = list.row(item) else { return false }
        return onPersonKey?(id, row, key) ?? false
    }
}
