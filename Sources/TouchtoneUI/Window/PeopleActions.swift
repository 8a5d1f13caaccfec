// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

// The contacts, as the window and its actions lead to them.
extension PhoneWindow {
    /// The actions of the memory keys, and the one that leads to the contact of the number in the display.
    static var peopleActions: [String] { ["memory", "memory-store", "contact"] }

    func addPeopleActions() {
        guard directory != nil else { return }
        let actions = ActionMap(window)
        actions.add("memory") { [weak self] in self?.askMemory(.dial) }
        actions.add("memory-store") { [weak self] in self?.askMemory(.store) }
        actions.add("contact") { [weak self] in self?.showContactOfNumber() }
    }

    /// Asks for a memory key, and moves the focus to the phone, which takes the digit that answers.
    private func askMemory(_ question: MemoryDialling.Question) {
        phone.askMemory(question)
        if folding.isFolded, folding.isOpen { folding.toggle() }
        gtk_widget_grab_focus(display.widget)
    }

    /// Adds the page of contacts to the panel; it is made when it is first shown.
    func addContacts() {
        guard let directory, let side else { return }
        side.add(.contacts) { [weak self, pad, phone, toast = side.toast] in
            let message: @MainActor (String) -> Void = { self?.openXMPP?(XMPPURI($0, .open).text) }
            let page = ContactsPage(
                book: directory.contacts, vCards: directory.vCards,
                outside: ContactsOutside(
                    phone: phone,
                    showPhone: {
                        if let folding = self?.folding, folding.isFolded { folding.toggle() }
                    },
                    message: self?.panel == nil ? nil : message, toast: toast, pad: pad,
                    askFile: { await self?.askFile($0) }))
            self?.people?.page = page
            return page
        }
    }

    /// Shows what a contact tells, in the panel.
    func showContact(_ id: Contact.ID) {
        guard side?.has(.contacts) == true else { return }
        open(page: .contacts)
        people?.page?.show(id)
    }

    /// Opens the fields of a new contact in the panel, with what is known filled in.
    func addContact(_ card: ContactCard) {
        guard side?.has(.contacts) == true else { return }
        open(page: .contacts)
        people?.page?.edit(new: card)
    }

    /// Shows who has the number in the display, or opens the fields of a new contact with that number.
    private func showContactOfNumber() {
        let number = phone.number
        if let contact = directory?.contacts.contact(for: number) { return showContact(contact.id) }
        let ways = number.isDialable ? [ContactWay(.number, phone.text(of: number), place: .mobile)] : []
        addContact(ContactCard(name: "", ways: ways))
    }
}
