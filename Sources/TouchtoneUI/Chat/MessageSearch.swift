// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The search in the messages of the open conversation.
@MainActor
final class MessageSearch {
    let widget = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 4, style: "talk")
    var onFound: (@MainActor (ChatMessage) -> Void)? {
        get { results.onFound }
        set { results.onFound = newValue }
    }
    var onClose: (@MainActor () -> Void)?
    /// Called to search all conversations for a text.
    var onEverywhere: (@MainActor (String) -> Void)?

    private let messenger: Messenger
    private let entry: Widget = gtk_search_entry_new()
    /// The conversation that is searched.
    var scope: ConversationID? { didSet { if scope != oldValue { scopeChanged() } } }
    private let results: SearchResults
    /// Whether the phone is locked: there are no rows, and nothing is searched.
    var isCovered = false { didSet { results.isCovered = isCovered } }

    init(_ messenger: Messenger, pictures: AvatarLoader<ConversationID>, wall: any WallClock) {
        self.messenger = messenger
        results = SearchResults(messenger, pictures: pictures, wall: wall, name: localized("Found messages"))
        let bar = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 4)
        PanelEntry.dress(entry)
        let close = Widget.iconButton(
            "window-close-symbolic", name: localized("Close search"),
            tip: localized("Back to the conversation (Esc)"))
        bar.add(entry, grows: true)
        bar.add(close)
        widget.add(bar)
        let everywhere = Widget.button(localized("Search All Conversations"), style: "panel-key", "plain")
        gtk_widget_set_halign(everywhere, GTK_ALIGN_START)
        widget.add(everywhere)
        widget.add(results.widget, grows: true)
        gtk_widget_show_all(widget)
        Signal.connect(everywhere, "clicked") { [weak self] in
            if let self { onEverywhere?(entry.entryText) }
        }
        results.onClose = { [weak self] in self?.onClose?() }
        Signal.connect(close, "clicked") { [weak self] in self?.onClose?() }
        Signal.connect(entry, "stop-search") { [weak self] in self?.onClose?() }
        // GTK emits this signal with a short delay after the last keystroke.
        Signal.connect(entry, "search-changed") { [weak self] in self?.search() }
        Signal.connect(entry, "activate") { [weak self] in self?.results.list.focusFirst() }
        entry.onDown { [weak self] in self?.results.list.focusFirst() ?? false }
    }

    private func scopeChanged() {
        results.scope = scope
        guard let scope else { return }
        let text = localized(
            "Search in {name}",
            ["name": PlainText.line(messenger.buddies.name(of: scope), maximum: 60)])
        gtk_entry_set_placeholder_text(entry.cast(), text)
        cgtk_widget_set_accessible(entry, text, nil)
        results.find("")
        search()
    }

    private func search() {
        results.find(entry.entryText)
        results.findMessages()
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
}
