// SPDX-License-Identifier: GPL-3.0-or-later

package import GtkBridge
import TouchtoneCore

/// The panel's contacts page: the list, one contact's card, the editor and the memory keys.
@MainActor
package final class ContactsPage: PanelPage {
    package let widget = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 8, style: "panel-body")
    package var onTitle: (@MainActor () -> Void)?
    let book: ContactBook
    let phone: Phone
    let toast: Toast
    private(set) weak var navigator: (any Navigator)?
    let history: CallHistory
    private let messenger: Messenger
    private let pad: NumberPad
    let exchange: ContactImportExport
    let view: ContactsView
    private let stack: Widget = gtk_stack_new()
    private let banner = PanelBanner()
    private let bar: ImportExportBar
    private let new = Widget.iconButton(
        "list-add-symbolic", name: localized("New contact"), tip: localized("New contact (Ctrl+N)"))
    private let menu = Widget.iconButton(
        "view-more-symbolic", name: localized("Contacts menu"), tip: localized("Contacts menu"))
    private lazy var card = makeCard()
    private lazy var editor = makeEditor()
    private lazy var memory = makeMemory()
    /// The views built so far; each is built when it is first shown.
    private var built: Set<Place> = [.list]
    private var place = Place.list
    private var drafts = ContactDrafts()
    /// The draft in the editor.
    private var editing: ContactDrafts.ID?
    /// The contact whose card the editor returns to; nil for the list.
    private var returnsTo: Contact.ID?
    private(set) var isCovered = false
    /// The updates to run when the phone is unlocked.
    private var postponed: [@MainActor () -> Void] = []

    enum Place: String {
        case list, card, editor, memory
    }

    init(
        _ directory: DirectoryDependencies, phone: Phone, messenger: Messenger, navigator: (any Navigator)?,
        toast: Toast, pad: NumberPad
    ) {
        (book, history, self.phone, self.messenger) = (
            directory.contacts, directory.history, phone, messenger
        )
        (self.navigator, self.toast, self.pad) = (navigator, toast, pad)
        exchange = ContactImportExport(book: book, vCards: directory.vCards, navigator: navigator)
        bar = ImportExportBar(exchange)
        view = ContactsView(book: book)
        // Reading the desktop's address books waits until the page is first opened.
        book.readDesktop()
        let list = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 8)
        for part in [banner.widget, bar.widget] { list.add(part) }
        list.add(view.widget, grows: true)
        gtk_widget_show(list)
        gtk_stack_add_named(stack.cast(), list, Place.list.rawValue)
        // Hidden views do not affect the size.
        gtk_stack_set_vhomogeneous(stack.cast(), 0)
        gtk_stack_set_hhomogeneous(stack.cast(), 0)
        widget.add(stack, grows: true)
        gtk_widget_show_all(stack)
        for key in headerKeys { gtk_widget_show(key) }
        watch()
        showBanner()
    }

    package var title: String {
        book.count > 0
            ? localized("CONTACTS — {count}", ["count": localizedNumber(book.count)])
            : shortTitle
    }

    package var shortTitle: String { localized("CONTACTS") }

    package var headerKeys: [Widget] { [new, menu] }

    package func focus() {
        switch place {
        // The search field is there before the rows are; from it, the same shortcut goes on to the rows.
        case .list: if view.isSearchFocused || view.focusSearch() == nil { view.focus() }
        case .card: card.focus()
        case .editor: editor.focus()
        case .memory: memory.focus()
        }
    }

    /// Focuses the list's search field and returns it; nil in the other views, which have none or many fields.
    package func focusField() -> Widget? {
        place == .list ? view.focusSearch() : nil
    }

    package func keyPressed(_ key: GdkEventKey) -> Bool {
        let control = key.state & GDK_CONTROL_MASK.rawValue != 0
        switch Keyboard.latinLetter(of: key) {
        case "f" where control:
            leave()
            show(.list)
            view.beginSearch()
            return true
        case "n" where control:
            let number = phone.number
            if number.isDialable { show(contactWith: number) } else { editNew() }
            return true
        case "s" where control && place == .editor:
            editor.trySave()
            return true
        default: break
        }
        guard Int32(bitPattern: key.keyval) == GDK_KEY_Escape else { return false }
        if place == .list { return view.endSearch() }
        back()
        return true
    }

    package func setCovered(_ isCovered: Bool) {
        self.isCovered = isCovered
        view.isCovered = isCovered
        guard !isCovered else { return }
        bar.show()
        for change: ContactBook.Change in [.rows, .memory] { changed(change) }
        showBanner()
        let postponed = postponed
        self.postponed = []
        for show in postponed { show() }
    }

    package func close() {
        exchange.cancel()
    }

    // MARK: - Views

    private func watch() {
        view.onOpen = { [weak self] in self?.show($0) }
        view.onEdit = { [weak self] in self?.edit($0) }
        view.onDelete = { [weak self] in self?.delete($0) }
        view.onNew = { [weak self] in self?.editNew() }
        view.onImport = { [weak self] in self?.importCards() }
        view.onMenu = { [weak self] id, row, event in self?.openMenu(of: id, at: row, event: event) }
        exchange.onState = { [weak self] in
            if let self, !isCovered { bar.show() }
        }
        exchange.onEnd = { [weak self] text, isFailure in self?.exchangeEnded(text, isFailure) }
        Signal.connect(new, "clicked") { [weak self] in self?.editNew() }
        Signal.connect(menu, "clicked") { [weak self] in self?.openPageMenu() }
        book.observe(by: self) { [weak self] in self?.changed($0) }
        book.health.observe(by: self) { [weak self] _ in if let self, !isCovered { showBanner() } }
    }

    private func changed(_ change: ContactBook.Change) {
        guard !isCovered else {
            if case .photo = change { postponed.append { [weak self] in self?.changed(change) } }
            return
        }
        switch change {
        case .rows:
            onTitle?()
            guard place == .card, let id = card.id else { break }
            // The contact was deleted.
            if !card.show(id) { show(.list) }
        case .photo(let id): if built.contains(.card) { card.forgetPicture(of: id) }
        case .memory:
            if built.contains(.card) { card.memoryChanged() }
            if built.contains(.memory) { memory.show() }
        }
    }

    private func show(_ place: Place) {
        self.place = place
        gtk_stack_set_visible_child_name(stack.cast(), place.rawValue)
        showBanner()
    }

    /// Shows a contact, or the list if it does not exist.
    func show(_ id: Contact.ID, takesFocus: Bool = true) {
        leave()
        guard card.show(id) else { return show(.list) }
        show(.card)
        if takesFocus { card.focus() }
    }

    /// Shows the contact with a number, or the editor for a new contact with that number.
    func show(contactWith number: DialledNumber) {
        if let contact = book.contact(for: number) { return show(contact.id) }
        let text = number.isDialable ? phone.text(of: number) : ""
        edit(
            new: ContactCard(
                name: "", methods: text.isEmpty ? [] : [ContactMethod(.number, text, label: .mobile)]))
    }

    func showMemory() {
        leave()
        memory.show()
        show(.memory)
        memory.focus()
    }

    private func back() {
        let from = place == .card ? card.id : nil
        leave()
        if place == .editor, let id = returnsTo, card.show(id) {
            show(.card)
            return card.focus()
        }
        show(.list)
        view.focus(from)
    }

    private func showBanner() {
        if let storeError = book.health.error(of: .contacts) {
            return banner.show(
                .init(
                    text: PlainText.line(storeError.text(of: .contacts), maximum: 400), verb: localized("OK"))
            ) { [book] in book.health.dismiss(.contacts) }
        }
        guard let waiting = drafts.last else { return banner.show(nil) }
        let name = PlainText.line(waiting.draft.name, maximum: 60)
        let text =
            waiting.draft.name.isEmpty
            ? localized("A new contact is not saved yet.")
            : localized("{name} is not saved yet.", ["name": name])
        banner.show(.init(text: text, verb: localized("Continue"), isFailure: false)) {
            [weak self] in
            self?.open(waiting.id)
        }
    }

    private func makeCard() -> ContactCardView {
        built.insert(.card)
        let card = ContactCardView(
            book: book, phone: phone, navigator: navigator,
            activity: ContactActivityView(history: history, messenger: messenger))
        add(card.widget, .card)
        card.onBack = { [weak self] in self?.back() }
        card.onEdit = { [weak self] in self?.edit($0) }
        card.onMenu = { [weak self] id, key in self?.openCardMenu(of: id, at: key) }
        return card
    }

    private func makeMemory() -> MemoryView {
        built.insert(.memory)
        let memory = MemoryView(book: book, phone: phone, navigator: navigator)
        add(memory.widget, .memory)
        memory.onBack = { [weak self] in self?.back() }
        return memory
    }

    private func makeEditor() -> ContactEditor {
        built.insert(.editor)
        let editor = ContactEditor(pad: pad, navigator: navigator)
        add(editor.widget, .editor)
        editor.onBack = { [weak self] in self?.back() }
        editor.onDiscard = { [weak self] in self?.discard() }
        editor.onSave = { [weak self] (card, photo) throws(StoreError) in try await self?.save(card, photo) }
        return editor
    }

    private func add(_ child: Widget, _ place: Place) {
        gtk_stack_add_named(stack.cast(), child, place.rawValue)
    }

    // MARK: - Editing

    /// - Parameter card: The initial content, such as a number.
    func edit(new card: ContactCard) {
        leave()
        returnsTo = nil
        open(drafts.begin(nil, ContactCard(name: ""), filledIn: card))
    }

    /// Opens the editor for a new contact, with the draft of one if it exists.
    func editNew() {
        if let begun = drafts.last(of: nil) { open(begun) } else { edit(new: ContactCard(name: "")) }
    }

    /// Opens the editor for one of the phone's own contacts.
    func edit(_ id: Contact.ID) {
        guard let contact = book.contact(id), contact.isOwn else { return }
        leave()
        returnsTo = id
        open(drafts.last(of: id) ?? drafts.begin(id, contact.card))
    }

    private func open(_ id: ContactDrafts.ID) {
        leave()
        guard let entry = drafts[id] else { return }
        editing = id
        if let contact = entry.contact { returnsTo = contact }
        let title = entry.contact == nil ? localized("New Contact") : localized("Edit Contact")
        editor.begin(entry.draft, title: title) { [book] in
            guard let contact = entry.contact else { return nil }
            return await book.photo(of: contact)
        }
        show(.editor)
        editor.focus()
    }

    /// Stores the content of the editor as a draft if it differs from the saved contact.
    private func leave() {
        guard let id = editing else { return }
        editing = nil
        drafts.keep(id, editor.draft)
        showBanner()
    }

    private func discard() {
        if let editing { drafts.forget(editing) }
        editing = nil
        back()
    }

    private func save(_ card: ContactCard, _ photo: PhotoChange) async throws(StoreError) {
        guard let id = editing, let entry = drafts[id] else { return }
        let saved: Contact.ID
        if let contact = entry.contact, book.contact(contact) != nil {
            try await book.change(contact, to: card, photo: photo)
            saved = contact
        } else {
            // A contact that was deleted meanwhile is added again.
            var bytes: [UInt8]?
            if case .set(let picture) = photo { bytes = picture }
            saved = try await book.add(NewContact(card, photo: bytes))
        }
        drafts.forget(id)
        guard !isCovered else {
            return postponed.append { [weak self] in self?.showSaved(id, as: saved) }
        }
        showSaved(id, as: saved)
    }

    /// Shows the card of the saved contact, unless the editor has a different draft by now.
    private func showSaved(_ draft: ContactDrafts.ID, as contact: Contact.ID) {
        guard editing == draft else { return showBanner() }
        editing = nil
        // The user may have moved on to the phone while the contact was being saved.
        show(contact, takesFocus: widget.mayTakeFocus)
    }
}
