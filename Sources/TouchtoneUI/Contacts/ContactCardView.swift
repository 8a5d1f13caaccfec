// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The card of one contact: its details, and the actions on them.
@MainActor
final class ContactCardView {
    let widget = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 8)
    var onBack: (@MainActor () -> Void)?
    var onEdit: (@MainActor (Contact.ID) -> Void)?
    var onMenu: (@MainActor (Contact.ID, Widget) -> Void)?
    /// The contact shown; nil before the first one.
    private(set) var id: Contact.ID?

    private let book: ContactBook
    private let phone: Phone
    private weak var navigator: (any Navigator)?
    private let back = Widget.iconButton(
        "go-previous-symbolic", name: localized("Back to the contacts"),
        tip: localized("Back to the contacts (Esc)"))
    private let edit = Widget.button(localizedIn("verb", "Edit"), style: "panel-key")
    private let menu = Widget.iconButton(
        "view-more-symbolic", name: localized("Contact menu"), tip: localized("More"))
    private let avatar = Avatar(side: 72)
    private let name = Widget.label(style: "card-name")
    private let organization = Widget.label(style: "card-line")
    private let origin = Widget.label(style: "card-line")
    private let methods = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 4)
    private let note = Widget.label(style: "card-note")
    private let activity: ContactActivityView
    private let pictures: AvatarLoader<Contact.ID>

    init(book: ContactBook, phone: Phone, navigator: (any Navigator)?, activity: ContactActivityView) {
        (self.book, self.phone, self.navigator, self.activity) = (book, phone, navigator, activity)
        pictures = AvatarLoader(of: book, side: 72, on: widget)
        build()
        pictures.onRead = { [weak self] in if $0 == self?.id { self?.showPicture() } }
        Signal.connect(back, "clicked") { [weak self] in self?.onBack?() }
        Signal.connect(edit, "clicked") { [weak self] in
            if let self, let id { onEdit?(id) }
        }
        Signal.connect(menu, "clicked") { [weak self] in
            if let self, let id { onMenu?(id, menu) }
        }
    }

    private func build() {
        let top = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 4)
        top.add(back)
        for key in [menu, edit] { gtk_box_pack_end(top.cast(), key, 0, 0, 0) }
        gtk_widget_set_valign(edit, GTK_ALIGN_CENTER)
        let body = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 4, style: "card")
        gtk_widget_set_halign(avatar.widget, GTK_ALIGN_CENTER)
        body.add(avatar.widget)
        for label in [name, organization, origin, note] {
            // A wide natural size would make the leaflet fold.
            label.wrapText(width: 24)
        }
        for label in [name, organization, origin] {
            gtk_label_set_xalign(label.cast(), 0.5)
            gtk_label_set_justify(label.cast(), GTK_JUSTIFY_CENTER)
        }
        for label in [organization, origin, note] { gtk_widget_set_no_show_all(label, 1) }
        gtk_label_set_selectable(note.cast(), 1)
        for part in [name, organization, origin, activity.widget, methods, note] { body.add(part) }
        widget.add(top)
        widget.add(.scroller(body), grows: true)
        gtk_widget_show_all(widget)
    }

    /// - Returns: false if the contact no longer exists.
    @discardableResult
    func show(_ id: Contact.ID) -> Bool {
        guard let contact = book.contact(id) else { return false }
        let isDifferent = id != self.id
        self.id = id
        let card = contact.card
        name.text = PlainText.line(card.name)
        show(PlainText.line(card.organization), in: organization, if: card.organization != card.name)
        show(ContactStrings.origin(of: id, in: book) ?? "", in: origin)
        show(String(String.UnicodeScalarView(card.note.unicodeScalars.map(PlainText.visible))), in: note)
        edit.isVisible = contact.isOwn
        showPicture()
        showMethods(of: contact)
        activity.show(card, isDifferent: isDifferent)
        if isDifferent { gtk_adjustment_set_value(adjustment, 0) }
        return true
    }

    private var adjustment: UnsafeMutablePointer<GtkAdjustment>? {
        gtk_widget_get_ancestor(methods, gtk_scrolled_window_get_type()).flatMap {
            gtk_scrolled_window_get_vadjustment($0.cast())
        }
    }

    func forgetPicture(of id: Contact.ID) {
        pictures.forget(id)
        if id == self.id { showPicture() }
    }

    /// Moves the focus to the first method, or to the back button if the contact has none.
    func focus() {
        if gtk_widget_child_focus(methods, GTK_DIR_TAB_FORWARD) == 0 { gtk_widget_grab_focus(back) }
    }

    private func showPicture() {
        guard let id, let contact = book.contact(id) else { return }
        avatar.show(pictures, of: id, name: PlainText.line(contact.card.name))
    }

    private func show(_ text: String, in label: Widget, if isWanted: Bool = true) {
        label.text = text
        label.isVisible = isWanted && !text.isEmpty
    }

    // MARK: - Methods

    func memoryChanged() {
        if let id, let contact = book.contact(id) { showMethods(of: contact) }
    }

    private func showMethods(of contact: Contact) {
        let focused = focusedMethod
        gtk_container_foreach(methods.cast(), { child, _ in gtk_widget_destroy(child) }, nil)
        for method in contact.card.methods {
            let line = line(method, name: contact.card.name)
            methods.add(line.widget)
            gtk_widget_show_all(line.widget)
        }
        // The focused button was destroyed with its row; its replacement takes the focus.
        if let focused { focusMethod(focused) }
    }

    private func line(_ method: ContactMethod, name: String) -> ContactMethodRow {
        let number = method.number
        let shown = number.map { phone.text(of: $0) } ?? PlainText.line(method.text)
        var actions = ContactMethodRow.Actions(copy: { Clipboard.write(shown) })
        if let number {
            actions.call = { [weak navigator] in navigator?.call(.number(number)) }
            actions.messageNumber = { [weak navigator] in navigator?.showConversation(with: number) }
        }
        if let address = method.address(for: phone) {
            actions.call = { [weak navigator] in navigator?.call(.address(address)) }
        }
        let target = target(of: method)
        if let target {
            actions.memory = { [weak self] in self?.chooseMemoryKey(for: target, name: name, at: $0) }
        }
        if let conversation = method.conversation {
            let open: @MainActor () -> Void = { [weak navigator] in navigator?.open(conversation) }
            if actions.call == nil { actions.message = open } else { actions.messageNumber = open }
        }
        return ContactMethodRow(
            method, shown: shown, memory: target.flatMap(book.memoryDigit), actions: actions)
    }

    /// Returns what a memory key can hold of a method; nil for a Jabber address, and for what cannot be called.
    private func target(of method: ContactMethod) -> CallTarget? {
        if let number = method.number { return .number(number) }
        guard case .sip? = method.callAddress else { return nil }
        return method.address(for: phone).map { .address($0) }
    }

    private func chooseMemoryKey(for target: CallTarget, name: String, at key: Widget) {
        let now = book.memoryDigit(of: target)
        var items: [ContextMenu.Item?] = (1...9).map { digit in
            let held = book.memory[digit].map {
                PlainText.line(
                    book.name(of: $0).isEmpty ? phone.text(of: $0.target) : book.name(of: $0),
                    maximum: 40)
            }
            return ContextMenu.Item(
                "\(digit)  \(held ?? ContactStrings.emptyMemoryKey)", isEnabled: digit != now
            ) { [book] in
                if let now { book.setMemoryKey(now, nil) }
                book.setMemoryKey(digit, MemoryKey(target, name: name))
            }
        }
        if let now {
            items += [nil, .init(localized("Clear Memory Key")) { [book] in book.setMemoryKey(now, nil) }]
        }
        ContextMenu(items: items).open(at: key, event: nil)
    }

    /// The indices of the focused method's row and of the focused button within that row.
    private var focusedMethod: (Int, Int)? {
        guard methods.holdsFocus, let line = gtk_container_get_focus_child(methods.cast()),
            let keys = gtk_container_get_focus_child(line.cast()),
            let key = gtk_container_get_focus_child(keys.cast())
        else { return nil }
        return (position(of: line, in: methods), position(of: key, in: keys))
    }

    private func focusMethod(_ place: (Int, Int)) {
        guard let line = child(place.0, of: methods), let keys = child(1, of: line),
            let key = child(place.1, of: keys)
        else { return }
        gtk_widget_grab_focus(key)
    }

    private func position(of child: Widget, in box: Widget) -> Int {
        let children = gtk_container_get_children(box.cast())
        defer { g_list_free(children) }
        return Int(g_list_index(children, child))
    }

    private func child(_ index: Int, of box: Widget) -> Widget? {
        let children = gtk_container_get_children(box.cast())
        defer { g_list_free(children) }
        return g_list_nth_data(children, guint(clamping: index))?.assumingMemoryBound(to: GtkWidget.self)
    }
}

extension ContactBook {
    /// Returns the lowest memory key that dials a number or an address; nil if there is none.
    func memoryDigit(of target: CallTarget) -> Int? {
        memory.filter { isSame($0.value.target, target) }.keys.min()
    }

    private func isSame(_ kept: CallTarget, _ target: CallTarget) -> Bool {
        guard case .number(let one) = kept, case .number(let other) = target else { return kept == target }
        return NumberKey.isSame(one, other)
    }
}
