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
        let ways = CallWays(of: contact.card, on: phone)
        guard ways.all.count > 1 else {
            return ContextMenu(items: items(for: contact, ways.all)).open(at: row, event: event)
        }
        let (place, trigger) = (GObjectRef(retaining: row), MenuTrigger(at: row))
        let isAtPointer = event != nil
        Task { [weak self, history] in
            let last = await history.lastCall(with: contact.card)
            let row: Widget = place.cast()
            guard let self, !isCovered, book.contact(id) != nil, gtk_widget_get_mapped(row) != 0 else {
                return
            }
            ContextMenu(items: items(for: contact, ways.beginning(with: last))).open(
                at: row, event: isAtPointer ? trigger.event : nil, trigger: trigger.event)
        }
    }

    private func items(for contact: Contact, _ ways: [CallWays.Way]) -> [ContextMenu.Item?] {
        let id = contact.id
        var items: [ContextMenu.Item?] = [
            .init(localizedIn("verb", "Open")) { [weak self] in self?.show(id) }
        ]
        items += ways.map { way in way.item { [weak navigator] in navigator?.call($0) } }
        for method in contact.card.methods.prefix(CallWays.maximum) {
            if let number = method.number {
                let shown = phone.text(of: number)
                items.append(
                    .init(localized("Message {address}", ["address": shown])) { [weak navigator] in
                        navigator?.showConversation(with: number)
                    })
            } else if let conversation = method.conversation {
                let shown = PlainText.line(method.text, maximum: 60)
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
        return items + lastItems(for: contact)
    }

    func openCardMenu(of id: Contact.ID, at key: Widget) {
        guard let contact = book.contact(id) else { return }
        ContextMenu(items: lastItems(for: contact)).open(at: key, event: nil)
    }

    private func lastItems(for contact: Contact) -> [ContextMenu.Item?] {
        let id = contact.id
        var items: [ContextMenu.Item?] = [
            .init(localized("Export…"), isEnabled: exchange.state == .idle) { [weak self] in
                self?.export([id], as: contact.card.name)
            },
            BlockActions(phone: phone, toast: toast).item(
                for: contact.card.methods.compactMap(\.caller), named: contact.card.name),
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
