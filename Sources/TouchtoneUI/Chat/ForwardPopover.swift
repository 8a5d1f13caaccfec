// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// A popover with a search and the list of conversations, to choose where a message is forwarded.
@MainActor
final class ForwardPopover {
    private let popover: TransientPopover
    private let messenger: Messenger
    /// The conversation from which the message is.
    private let origin: ConversationID?
    private let search: Widget = gtk_search_entry_new()
    private let none = Widget.wrappedLabel(localized("No matching buddies."))
    private let list = VirtualList<ConversationID, NamedRow>(name: localized("Conversations"), guess: 30) {
        NamedRow()
    }
    private let choose: @MainActor (ConversationID) -> Void

    private init(
        _ messenger: Messenger, except origin: ConversationID?, at widget: Widget,
        choose: @escaping @MainActor (ConversationID) -> Void
    ) {
        (self.messenger, self.origin, self.choose) = (messenger, origin, choose)
        popover = TransientPopover(at: widget)
        let column = popover.makeColumn(localized("Forward to"))
        gtk_entry_set_placeholder_text(search.cast(), localized("Name, address or number"))
        cgtk_widget_set_accessible(search, localized("Search conversations"), nil)
        PanelEntry.dress(search)
        gtk_widget_set_size_request(list.widget, -1, 260)
        for part in [search, none] { column.add(part) }
        column.add(list.widget, grows: true)
        gtk_widget_show_all(column)
        list.show = { [weak self] in self?.show($1, in: $0) }
        list.onActivate = { [weak self] id, _ in self?.finish(id) }
        Signal.connect(search, "changed") { [weak self] in self?.fill() }
        Signal.connect(search, "activate") { [weak self] in
            if let self, let first = list.ids.first { finish(first) }
        }
        Signal.connect(search, "stop-search") { [weak self] in self?.popover.close() }
        search.onDown { [weak self] in self?.list.focusFirst() ?? false }
        fill()
    }

    /// Opens the popover; `choose` gets the conversation that the user chooses.
    static func show(
        _ messenger: Messenger, except origin: ConversationID?, at widget: Widget, place: GdkRectangle?,
        choose: @escaping @MainActor (ConversationID) -> Void
    ) {
        let asking = ForwardPopover(messenger, except: origin, at: widget, choose: choose)
        asking.popover.open(with: asking, place: place)
        gtk_widget_grab_focus(asking.search)
    }

    private func fill() {
        let found = messenger.buddies.found(search.entryText).filter { $0 != origin }
        list.set(found)
        none.isVisible = found.isEmpty
    }

    private func show(_ id: ConversationID, in row: NamedRow) {
        let account = messenger.accountName(of: id)
        let address = id.buddy == .operatorAddress ? "" : id.buddy.text
        row.show(messenger.buddies.name(of: id), account.isEmpty ? address : account, tip: address)
    }

    private func finish(_ id: ConversationID) {
        let choose = choose
        popover.close()
        choose(id)
    }
}
