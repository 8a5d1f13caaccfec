// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The actions on the far end of a past call: call it back, write to it, and show or add its contact.
@MainActor
struct FarEndActions {
    let phone: Phone
    let contacts: ContactBook
    let chat: Chat
    private(set) weak var navigator: (any Navigator)?

    /// Returns the number of the far end, or else its address; nil if neither can be put on the display.
    func callee(of remote: RemoteParty) -> Callee? {
        guard remote.number.isEmpty else { return .number(remote.number) }
        return CallAddress(remote.address).map(Callee.address)
    }

    /// Whether the phone can call the far end now, which it cannot during a call.
    func canCall(_ remote: RemoteParty) -> Bool { phone.canCall && call(to: remote) != nil }

    /// Returns the action that calls the far end; nil if it cannot be called at any time.
    func call(to remote: RemoteParty) -> (@MainActor () -> Void)? {
        guard remote.number.isDialable || remote.number.isEmpty, let callee = callee(of: remote) else {
            return nil
        }
        return { [weak navigator] in navigator?.call(callee) }
    }

    /// Returns the action that writes to the far end, by Jabber if numbers cannot be reached; nil for none.
    func message(to remote: RemoteParty) -> (@MainActor () -> Void)? {
        if remote.number.isEmpty, let person = remote.jabberAddress {
            return { [weak navigator] in navigator?.showConversation(with: person) }
        }
        let number = remote.number
        if let address = jabberAddress(of: remote), !number.isDialable || chat.numbers.gateway == nil {
            return { [weak navigator] in navigator?.showConversation(with: address) }
        }
        guard number.isDialable else { return nil }
        return { [weak navigator] in navigator?.showConversation(with: number) }
    }

    /// Returns the label and the action that shows or adds the far end’s contact; nil if the caller is unknown.
    func contact(of remote: RemoteParty) -> (label: String, open: @MainActor () -> Void)? {
        if let contact = contacts.contact(for: remote) {
            return (localized("Show Contact"), { [weak navigator] in navigator?.showContact(contact.id) })
        }
        var methods =
            remote.number.isDialable ? [ContactMethod(.number, phone.text(of: remote.number))] : []
        if let person = remote.jabberAddress {
            // That of a gateway is no person’s.
            if methods.isEmpty { methods.append(ContactMethod(.xmpp, person.text)) }
        } else if !remote.address.isEmpty {
            methods.append(ContactMethod(.sip, remote.address))
        }
        guard !methods.isEmpty else { return nil }
        let card = ContactCard(name: PlainText.line(remote.displayName), methods: methods)
        return (localized("Add to Contacts…"), { [weak navigator] in navigator?.addContact(card) })
    }

    private func jabberAddress(of remote: RemoteParty) -> ChatAddress? {
        let methods = contacts.contact(for: remote)?.card.methods ?? []
        return methods.first { $0.kind == .xmpp }.flatMap { chat.address($0.text) }
    }
}
