// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

extension PanelController: Navigator {
    func enter(_ callee: Callee) {
        switch callee {
        case .number(let number): phone.paste(number.text)
        case .address(let address): phone.enter(address)
        }
        folding.showPhone()
    }

    func call(_ callee: Callee) {
        folding.showPhone()
        switch callee {
        case .number(let number): phone.call(number)
        case .address(let address): phone.call(address)
        }
    }

    func callKept(_ target: CallTarget) {
        folding.showPhone()
        phone.callKept(target)
    }

    func say(_ sentence: String) { side.toast.show(sentence) }

    func showContact(_ id: Contact.ID) {
        open(page: .contacts)
        contactsPage?.show(id)
    }

    func addContact(_ card: ContactCard) {
        open(page: .contacts)
        contactsPage?.edit(new: card)
    }

    func openAccount() { showAccount() }

    func openFile(_ path: String) {
        if let uri = Files.uri(of: path) { show(uri) }
    }

    func askFile(_ request: FileDialog.Request) async -> FileDialog.Answer? {
        guard !isCovered else { return nil }
        let answer = await FileDialog.ask(request, over: window.cast())
        // Discard an answer that was given just before the phone was locked.
        return isCovered ? nil : answer
    }
}

// MARK: - Conversations

extension PanelController {
    func showConversation(with buddy: ChatAddress) {
        if !open(XMPPURI(buddy.text, .open)) {
            show(ConversationID(buddy, of: dependencies.messages.chat.account))
        }
    }

    func show(_ conversation: ConversationID) {
        open(page: .messages)
        messages.open(conversation)
    }

    func showConversation(with number: DialledNumber) {
        open(page: .messages)
        guard number.isDialable else { return side.toast.show(localized("Enter a phone number first.")) }
        numberRequests += 1
        let request = numberRequests
        let (all, first) = (dependencies.messages.messenger.chats, dependencies.messages.chat)
        let chat = all.first { $0.numbers.gateway != nil } ?? first
        // The user may type before the conversation is there.
        messages.isOpening = true
        side.focusPage()
        Task { [weak self] in
            defer { if request == self?.numberRequests { self?.messages.isOpening = false } }
            do throws(NumberError) {
                let address = try await chat.numbers.address(of: number)
                // Meanwhile the user may have asked for a different one, or locked the phone.
                guard let self, request == numberRequests, !isCovered else { return }
                show(ConversationID(address, of: chat.account))
            } catch {
                if let self, request == numberRequests { say(error) }
            }
        }
    }

    private func say(_ error: NumberError) {
        guard error.isSolvedInPreferences else {
            return side.toast.show(PlainText.line(error.text, maximum: 400))
        }
        side.toast.show(error.text, verb: localized("Preferences"), action: showAccount)
    }
}
