// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

// The environment of the calls page. Its closures hold the panel weakly, because the page may outlive it.
extension PanelController {
    var callsEnvironment: CallsPageEnvironment {
        let (phone, lines) = (dependencies.phone, dependencies.lines)
        var environment = CallsPageEnvironment(
            written: { phone.text(of: $0) },
            fillIn: { [weak self] in self?.fillIn($0) },
            // During a call, the Dial key hangs up instead.
            canCall: { phone.dialKey == .dial },
            call: { [weak self] number in
                guard let self, phone.dialKey == .dial else { return }
                fillIn(number)
                phone.dial()
            })
        environment.enterAddress = { [weak self] address in
            phone.enter(address)
            self?.showPhone()
        }
        environment.callAddress = { [weak self] address in
            guard phone.dialKey == .dial else { return }
            phone.enter(address)
            self?.showPhone()
            phone.dial()
        }
        environment.practiceNumber = {
            phone.line is PracticeExchange ? PracticeExchange.operatorNumber : nil
        }
        environment.lineLabel = { lines.line($0).map(LineStrings.shortName) ?? "" }
        environment.message = { [weak self] in self?.messageAction(for: $0) }
        environment.contact = { [weak self] in self?.contactAction(for: $0) }
        environment.askFile = { [weak self] in await self?.askFile($0) }
        return environment
    }

    /// Enters a number on the display, and shows the phone.
    private func fillIn(_ number: DialledNumber) {
        dependencies.phone.paste(number.text)
        showPhone()
    }

    /// Returns the action that shows or adds the contact of a call, or nil if the caller is unknown.
    private func contactAction(for call: PastCall) -> (label: String, open: @MainActor () -> Void)? {
        let remote = call.remote
        if let contact = dependencies.directory.contacts.contact(for: remote) {
            return (localized("Show Contact"), { [weak self] in self?.showContact(contact.id) })
        }
        var methods =
            remote.number.isDialable
            ? [ContactMethod(.number, dependencies.phone.text(of: remote.number))] : []
        if !remote.address.isEmpty { methods.append(ContactMethod(.sip, remote.address)) }
        guard !methods.isEmpty else { return nil }
        let card = ContactCard(name: PlainText.line(remote.displayName), methods: methods)
        return (localized("Add to Contacts…"), { [weak self] in self?.addContact(card) })
    }

    /// Returns the Jabber address of a call’s contact; nil if there is none.
    func jabberAddress(of call: PastCall) -> ChatAddress? {
        guard let contact = dependencies.directory.contacts.contact(for: call.remote),
            let method = contact.card.methods.first(where: { $0.kind == .xmpp })
        else { return nil }
        return dependencies.messages.chat.address(method.text)
    }
}
