// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

// The links that open a page of the panel.
extension PanelController {
    func open(_ link: TextLink) {
        switch link {
        case .number(let number):
            phone.paste(number)
            folding.showPhone()
        case .xmpp(let uri): open(link: uri)
        case .sip(let uri):
            phone.open(link: uri)
            folding.showPhone()
        case .web(let uri): show(uri)
        case .place(let place):
            if !show(place.text) { side.toast.show(localized("No map app is installed.")) }
        }
    }

    /// Opens a link from a message or another program: it fills in a form, and nothing is dialled or sent.
    func open(link: String) {
        if let person = try? XMPPURI(link), open(person) { return }
        phone.open(link: link)
    }

    /// Opens the conversation or form that a link names; false if it has no address that can be opened.
    @discardableResult
    func open(_ link: XMPPURI) -> Bool {
        if let invitation = AccountInvitation(link), messages.needsAccount(for: invitation) {
            open(page: .messages)
            messages.createAccount(invitation)
            return true
        }
        let (chat, account) = (dependencies.messages.chat, dependencies.messages.account)
        guard let address = chat.address(link.address) else { return false }
        guard !link.isCall || address == .operatorAddress else {
            phone.enter(CallAddress(link))
            folding.showPhone()
            return true
        }
        guard address != .operatorAddress else {
            open(link, to: address, of: chat)
            return true
        }
        let chats = dependencies.messages.accounts?.usedChats ?? dependencies.messages.messenger.chats
        // Without an account, only the practice exchange's Operator is available.
        guard !chats.isEmpty || account?.details.isAccount == true else {
            openAccount()
            return true
        }
        if let one = LinkAccount.chat(for: link, to: address, among: chats.isEmpty ? [chat] : chats) {
            open(link, to: address, of: one)
        } else {
            open(page: .messages)
            AccountPrompt.ask(about: address, among: chats, at: messages.menu) { [weak self] in
                self?.open(link, to: address, of: $0)
            }
        }
        return true
    }

    private func open(_ link: XMPPURI, to address: ChatAddress, of chat: Chat) {
        open(page: .messages)
        switch link.action {
        case .open:
            show(ConversationID(address, of: chat.account))
            if !link.keys.isEmpty {
                messages.compare(link.keys, of: ConversationID(address, of: chat.account))
            }
        case .message(let body):
            show(ConversationID(address, of: chat.account))
            chat.selected?.suggest(body)
        case .add(let name): messages.askToAdd(address.text, name: name, of: chat)
        // Only the user joins the room.
        case .join: messages.askToJoin(address.text, of: chat)
        case .invitation(let token, _):
            messages.askToAdd(address.text, name: "", invitation: token, of: chat)
        // It names no person, and makes an account, if that is possible.
        case .register: openAccount()
        }
    }

    /// Opens a web page or a file with the desktop’s application; false if there is none.
    @discardableResult
    func show(_ uri: String) -> Bool {
        gtk_show_uri_on_window(window, uri, gtk_get_current_event_time(), nil) != 0
    }
}
