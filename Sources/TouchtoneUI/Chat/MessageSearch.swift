// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The search in all conversations, with a list of the messages that match.
@MainActor
final class MessageSearch {
    let widget = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 4, style: "talk")
    var onFound: (@MainActor (ChatMessage) -> Void)?
    var onClose: (@MainActor () -> Void)?

    private let messenger: Messenger
    private let emoticons: Emoticons
    let entry: Widget = gtk_search_entry_new()
    /// The conversation that is searched; nil for all.
    var scope: ConversationID? { didSet { showScope() } }
    private let everywhere = Widget.button(
        localized("Search All Conversations"), style: "panel-key", "plain")
    private let note = Widget.label(style: "empty-text")
    let list = VirtualList<Int64, FoundRow>(name: localized("Found messages"), guess: 44) {
        FoundRow()
    }
    private var found: [Int64: ChatMessage] = [:]
    /// Whether the phone is locked: there are no rows, and nothing is searched.
    var isCovered = false {
        didSet {
            guard isCovered != oldValue else { return }
            list.isCovered = isCovered
            if !isCovered { search() }
        }
    }
    /// The number of the latest search, because the results of an earlier one may arrive later.
    private var turn = 0

    init(_ messenger: Messenger, emoticons: Emoticons) {
        (self.messenger, self.emoticons) = (messenger, emoticons)
        let bar = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 4)
        PanelEntry.dress(entry)
        let close = Widget.iconButton(
            "window-close-symbolic", name: localized("Close search"),
            tip: localized("Back to the conversation (Esc)"))
        bar.add(entry, grows: true)
        bar.add(close)
        widget.add(bar)
        gtk_widget_set_halign(everywhere, GTK_ALIGN_START)
        for part in [everywhere, note] { widget.add(part) }
        widget.add(list.widget, grows: true)
        gtk_widget_show_all(widget)
        note.isVisible = false
        for part in [everywhere, note] { gtk_widget_set_no_show_all(part, 1) }
        showScope()
        Signal.connect(everywhere, "clicked") { [weak self] in
            self?.scope = nil
            self?.begin()
        }
        list.show = { [weak self] row, id in self?.show(id, in: row) }
        list.onActivate = { [weak self] id, _ in
            guard let self, let message = found[id] else { return }
            onFound?(message)
        }
        Signal.connect(close, "clicked") { [weak self] in self?.onClose?() }
        Signal.connect(entry, "stop-search") { [weak self] in self?.onClose?() }
        // GTK emits this signal with a short delay after the last keystroke.
        Signal.connect(entry, "search-changed") { [weak self] in self?.search() }
        Signal.connect(entry, "activate") { [weak self] in self?.list.focusFirst() }
        list.onKey = { [weak self] _, key in
            guard Int32(bitPattern: key.keyval) == GDK_KEY_Escape else { return false }
            self?.onClose?()
            return true
        }
    }

    private func showScope() {
        let text = scope.map { id in
            localized(
                "Search in {name}",
                ["name": PlainText.line(messenger.buddies.name(of: id), maximum: 60)])
        }
        gtk_entry_set_placeholder_text(entry.cast(), text ?? localized("Search messages"))
        cgtk_widget_set_accessible(entry, text ?? localized("Search messages"), nil)
        everywhere.isVisible = scope != nil
        if !entry.entryText.isEmpty { search() }
    }

    /// Focuses the search field and selects its text.
    func begin() {
        gtk_widget_grab_focus(entry)
        gtk_editable_select_region(OpaquePointer(entry), 0, -1)
    }

    /// Focuses the search field with the caret at its end, so that text is appended, and returns it.
    func focusField() -> Widget {
        entry.focusAtEnd()
        return entry
    }

    private func search() {
        guard !isCovered else { return }
        let words = entry.entryText
        turn += 1
        let turn = turn
        guard words.contains(where: { !$0.isWhitespace }) else { return show([], note: "") }
        Task { [weak self, messenger, scope] in
            do throws(StoreError) {
                let messages = try await messenger.search(words, in: scope)
                guard let self, turn == self.turn, !isCovered else { return }
                show(messages, note: messages.isEmpty ? localized("Nothing found.") : "")
            } catch {
                guard let self, !isCovered else { return }
                show([], note: localized("Messages can’t be searched right now."))
            }
        }
    }

    private func show(_ messages: [ChatMessage], note text: String) {
        found = Dictionary(messages.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        list.set(messages.map(\.id))
        list.updateAll()
        note.text = text
        note.isVisible = !text.isEmpty
        entry.announce(messages.isEmpty ? text : summary(of: messages))
    }

    /// Returns the first result, and the number of others, for a screen reader.
    private func summary(of messages: [ChatMessage]) -> String {
        guard let first = messages.first else { return "" }
        let name = PlainText.line(messenger.buddies.name(of: first.conversation), maximum: 60)
        let others = messages.count - 1
        let sender = first.sender.name(buddyName: name)
        let text = localized(
            "{sender}: {text}",
            ["sender": sender, "text": PlainText.line(first.summary(by: sender), maximum: 200)])
        return others == 0
            ? text
            : localizedPlural(
                "{suggestion}, and {count} more", "{suggestion}, and {count} more", others,
                ["suggestion": text])
    }

    private func show(_ id: Int64, in row: FoundRow) {
        guard let message = found[id] else { return }
        let name = PlainText.line(messenger.buddies.name(of: message.conversation), maximum: 60)
        let summary = message.summary(by: message.sender.name(buddyName: name))
        let text = MessageBody(String(LongText.beginning(of: summary)), emoticons: emoticons).shown
        row.show(
            title: message.sender == .me
                ? localized("you to {name}", ["name": name]) : message.sender.name(buddyName: name),
            time: LocaleStamps().dateAndTime(message.time),
            text: PlainText.line(text))
    }
}

/// A search result: sender, time and the beginning of the message.
@MainActor
final class FoundRow: ListRow {
    let ref = FoundRow.makeBox(style: "buddy", "found-row")
    private let title = Widget.label(isCut: true, style: "buddy-name")
    private let time = Widget.label(style: "stamp")
    private let text = Widget.label(isCut: true, style: "buddy-words")

    init() {
        let column = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 1)
        let line = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 8)
        line.add(title, grows: true)
        line.add(time)
        column.add(line)
        column.add(text)
        gtk_container_add(box.cast(), column)
    }

    func show(title: String, time: String, text: String) {
        self.title.text = title
        self.time.text = time
        self.text.text = text
        box.setAccessible(
            name: localized("{sender}, {time}: {text}", ["sender": title, "time": time, "text": text]))
    }
}
