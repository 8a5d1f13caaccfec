// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

// Menus, and the actions that they share with keyboard shortcuts.
extension ContactsPage {
    func openPageMenu() {
        guard let key = headerKeys.last else { return }
        let isIdle = exchange.state == .idle
        ContextMenu(items: [
            .init(localized("New Contact")) { [weak self] in self?.editNew() },
            .init(localized("Memory Keys")) { [weak self] in self?.showMemory() },
            nil,
            .init(localized("Import vCards…"), isEnabled: isIdle) { [weak self] in
                self?.importCards()
            },
            .init(localized("Export All…"), isEnabled: isIdle && book.count > 0) { [weak self] in
                self?.export(nil, as: "contacts")
            },
        ]).open(at: key, event: nil)
    }

    func openMenu(of id: Contact.ID, at row: Widget, event: UnsafeMutablePointer<GdkEvent>?) {
        guard let contact = book.contact(id) else { return }
        var items: [ContextMenu.Item?] = [
            .init(localizedIn("verb", "Open")) { [weak self] in self?.show(id) }
        ]
        for method in contact.card.methods.prefix(Self.maximumMethods) {
            if let number = method.number {
                let shown = phone.text(of: number)
                items += [
                    .init(localized("Call {number}", ["number": shown])) { [weak navigator] in
                        navigator?.call(.number(number))
                    },
                    .init(localized("Message {address}", ["address": shown])) { [weak navigator] in
                        navigator?.showConversation(with: number)
                    },
                ]
                continue
            }
            let shown = PlainText.line(method.text, maximum: 60)
            if let address = method.address(for: phone) {
                items.append(
                    .init(localized("Call {number}", ["number": shown])) { [weak navigator] in
                        navigator?.call(.address(address))
                    })
            }
            if let conversation = method.conversation {
                items.append(
                    .init(localized("Message {address}", ["address": shown])) { [weak navigator] in
                        navigator?.open(conversation)
                    })
            }
        }
        items.append(nil)
        if contact.isOwn {
            items.append(.init(localizedIn("verb", "Edit")) { [weak self] in self?.edit(id) })
        }
        ContextMenu(items: items + lastItems(for: contact)).open(at: row, event: event)
    }

    func openCardMenu(of id: Contact.ID, at key: Widget) {
        guard let contact = book.contact(id) else { return }
        ContextMenu(items: lastItems(for: contact)).open(at: key, event: nil)
    }

    /// The maximum number of methods in a menu; more could make it taller than the screen.
    private static let maximumMethods = 8

    private func lastItems(for contact: Contact) -> [ContextMenu.Item?] {
        let id = contact.id
        var items: [ContextMenu.Item?] = [
            .init(localized("Export…"), isEnabled: exchange.state == .idle) { [weak self] in
                self?.export([id], as: contact.card.name)
            }
        ]
        if contact.isOwn {
            items += [nil, .init(localized("Delete")) { [weak self] in self?.delete(id) }]
        }
        return items
    }

    /// Deletes one of the phone's own contacts, and shows a toast that can undo it.
    func delete(_ id: Contact.ID) {
        guard let contact = book.contact(id), contact.isOwn else { return }
        let text = localized("{name} deleted.", ["name": PlainText.line(contact.card.name, maximum: 60)])
        book.delete([id]) { [weak self] in self?.showDeleted($0, text) }
    }

    private func showDeleted(_ deletion: Deletion, _ text: String) {
        toast.show(
            text, verb: localized("Undo"), gone: { [book] in book.forget(deletion) },
            action: { [weak self, book] in
                book.restore(deletion) { self?.showDeleted(deletion, text) }
            })
    }

    func importCards() { Task { await exchange.importCards() } }

    private func export(_ ids: [Contact.ID]?, as name: String) {
        Task { await exchange.exportCards(ids, as: name) }
    }

    func exchangeEnded(_ text: String, _ isFailure: Bool) {
        toast.show(text, verb: "")
    }
}
