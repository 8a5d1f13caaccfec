// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

// Conversations with telephone numbers. Only the user sends something in them.
extension PanelController {
    /// Opens the panel at the conversation with a number, or says why there is none.
    func showConversation(with number: DialledNumber) {
        open(page: .messages)
        guard number.isDialable else { return side.toast.show(localized("Enter a phone number first.")) }
        numberRequests += 1
        let (request, numbers) = (numberRequests, dependencies.messages.chat.numbers)
        // The user may type before the conversation is there.
        messages.isOpening = true
        side.focusPage()
        Task { [weak self] in
            defer { if request == self?.numberRequests { self?.messages.isOpening = false } }
            do throws(NumberError) {
                let address = try await numbers.address(of: number)
                // Meanwhile the user may have asked for a different one, or locked the phone.
                guard let self, request == numberRequests, !isCovered else { return }
                showConversation(with: address)
            } catch {
                if let self, request == numberRequests { say(error) }
            }
        }
    }

    private func say(_ error: NumberError) {
        guard error.isSolvedInPreferences else {
            return side.toast.show(PlainText.line(error.text, maximum: 400))
        }
        side.toast.show(error.text, verb: localized("Preferences"), action: openAccount)
    }

    /// Returns the action that opens a conversation with the far end of a call; nil if there is no way to write to it.
    ///
    /// A contact’s Jabber address is used if it has one and numbers cannot be reached.
    func messageAction(for call: PastCall) -> (@MainActor () -> Void)? {
        let (number, address) = (call.remote.number, jabberAddress(of: call))
        if let address, !number.isDialable || dependencies.messages.chat.numbers.gateway == nil {
            return { [weak self] in self?.showConversation(with: address) }
        }
        guard number.isDialable else { return nil }
        return { [weak self] in self?.showConversation(with: number) }
    }
}
