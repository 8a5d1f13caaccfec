// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The list of contacts with a search field, or ways to add contacts if there are none.
@MainActor
final class ContactsView {
    let widget = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 8)
    let list = VirtualList<Contact.ID, ContactRow>(name: localized("Contacts"), guess: 36) { ContactRow() }
    var onOpen: (@MainActor (Contact.ID) -> Void)?
    var onMenu: (@MainActor (Contact.ID, Widget, UnsafeMutablePointer<GdkEvent>?) -> Void)?
    /// The actions that edit and delete a contact, by keyboard.
    var (onEdit, onDelete): ((@MainActor (Contact.ID) -> Void)?, (@MainActor (Contact.ID) -> Void)?)
    /// The actions that add a contact and import vCards.
    var (onNew, onImport): ((@MainActor () -> Void)?, (@MainActor () -> Void)?)

    private let book: ContactBook
    private let search: Widget = gtk_search_entry_new()
    private let none = Widget.label(localized("No matching contacts."), style: "empty-text")
    private let empty = EmptyPlace()
    private let pictures: AvatarLoader<Contact.ID>
    /// Whether the phone is locked; the list then has no rows and shows no changes.
    var isCovered = false {
        didSet {
            guard isCovered != oldValue else { return }
            if !isCovered { showRows() }
            list.isCovered = isCovered
        }
    }

    init(book: ContactBook) {
        self.book = book
        pictures = AvatarLoader(of: book, side: 26, on: widget)
        setUpSearch()
        gtk_label_set_xalign(none.cast(), 0.5)
        gtk_widget_set_no_show_all(none, 1)
        for part in [search, none] { widget.add(part) }
        widget.add(empty.widget, grows: true)
        widget.add(list.widget, grows: true)
        gtk_widget_show_all(widget)
        // Without contacts, it would share the height with what is shown instead.
        gtk_widget_set_no_show_all(list.widget, 1)
        pictures.onRead = { [weak self] in self?.list.update($0) }
        list.show = { [weak self] in self?.show($1, in: $0) }
        list.onActivate = { [weak self] id, _ in self?.onOpen?(id) }
        list.onMenu = { [weak self] id, row, event in self?.onMenu?(id, row.box, event) }
        list.onKey = { [weak self] id, key in self?.keyPressed(id, key) ?? false }
        book.observe(by: self) { [weak self] in self?.changed($0) }
        showRows()
    }

    private func show(_ id: Contact.ID, in row: ContactRow) {
        guard let contact = book.contact(id) else { return }
        row.show(
            contact, pictures: pictures, place: (list.heights.index(of: id) ?? 0, list.ids.count),
            origin: ContactStrings.origin(of: id, in: book))
    }

    private func changed(_ change: ContactBook.Change) {
        switch change {
        case .rows: if !isCovered { showRows() }
        case .photo(let id):
            pictures.forget(id)
            list.update(id)
        default: break
        }
    }

    private func showRows() {
        list.set(book.rows)
        // All rows have the same height, so the built rows are updated without being measured again.
        for (id, row) in list.built { show(id, in: row) }
        let isSearching = !book.filter.isEmpty
        none.isVisible = book.rows.isEmpty && isSearching
        let isEmpty = book.rows.isEmpty && !isSearching && book.isLoaded && book.count == 0
        empty.show(isEmpty ? emptyContent : nil)
        let hadFocus = search.holdsFocus
        search.isVisible = !isEmpty
        // A hidden field would lose the focus to the phone.
        if isEmpty, hadFocus { focus() }
        list.widget.isVisible = !book.rows.isEmpty
    }

    private func keyPressed(_ id: Contact.ID, _ key: GdkEventKey) -> Bool {
        switch Int32(bitPattern: key.keyval) {
        case GDK_KEY_F2: onEdit?(id)
        case GDK_KEY_Delete, GDK_KEY_KP_Delete: onDelete?(id)
        default: return false
        }
        return true
    }

    // MARK: - Search

    private func setUpSearch() {
        gtk_entry_set_placeholder_text(search.cast(), localized("Name, company, number or address"))
        gtk_entry_set_width_chars(search.cast(), 8)
        cgtk_widget_set_accessible(search, localized("Search contacts"), nil)
        PanelEntry.dress(search)
        gtk_widget_set_no_show_all(search, 1)
        Signal.connect(search, "changed") { [weak self] in
            guard let self else { return }
            book.filter = search.entryText
        }
        Signal.connect(search, "stop-search") { [weak self] in _ = self?.endSearch() }
        Signal.connect(search, "activate") { [weak self] in
            guard let self, let first = book.rows.first else { return }
            onOpen?(first)
        }
        search.onDown { [weak self] in self?.list.focusFirst() ?? false }
    }

    func beginSearch() {
        guard search.isVisible else { return }
        gtk_widget_grab_focus(search)
    }

    /// Focuses the search field with the cursor at its end, and returns it; nil if there are no contacts to search.
    func focusSearch() -> Widget? {
        guard search.isVisible else { return nil }
        search.focusAtEnd()
        return search
    }

    var isSearchFocused: Bool { search.holdsFocus }

    /// Searches for a text as if the user had typed it.
    func find(_ text: String) { gtk_entry_set_text(search.cast(), text) }

    /// Clears the search; false if there was none.
    func endSearch() -> Bool {
        guard !book.filter.isEmpty else { return false }
        gtk_entry_set_text(search.cast(), "")
        return true
    }

    /// Moves the focus to a contact, by default the last one focused, or to the first widget if it is not in the list.
    func focus(_ id: Contact.ID? = nil) {
        if let id = id ?? list.cursor ?? list.ids.first, list.heights.index(of: id) != nil {
            list.focusRow(id)
        } else {
            gtk_widget_child_focus(widget, GTK_DIR_TAB_FORWARD)
        }
    }

    // MARK: - Empty state

    private var emptyContent: EmptyPlace.Content {
        EmptyPlace.Content(
            title: localized("No contacts yet"),
            text: localized("Contacts appear by name on the display, in calls and in the call history."),
            actions: [
                .init(localized("New Contact")) { [weak self] in self?.onNew?() },
                .init(localized("Import vCards…")) { [weak self] in self?.onImport?() },
            ])
    }
}
