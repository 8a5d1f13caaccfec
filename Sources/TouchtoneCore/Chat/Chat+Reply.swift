// SPDX-License-Identifier: GPL-3.0-or-later

extension Chat {
    /// Sends an answer that was typed elsewhere than in its conversation: who answers has seen what it is about.
    ///
    /// One that is too long to be sent is put into the field of its conversation.
    public func reply(_ text: String, to buddy: ChatAddress) {
        see(buddy, upTo: .max) { _ in }
        guard canSend(text.carried, to: buddy) else { return suggest(text, to: buddy) }
        send(text, to: buddy)
    }

    /// Whether a text is short enough to be sent to somebody.
    func canSend(_ text: String, to buddy: ChatAddress) -> Bool {
        service(of: buddy)?.canSend(text, to: buddy) != false
    }

    private func suggest(_ text: String, to buddy: ChatAddress) {
        if let selected, selected.buddy == buddy { return selected.suggest(text) }
        drafts[buddy] = drafts[buddy].isEmpty ? text : drafts[buddy] + "\n" + text
    }
}

extension Conversation {
    /// Puts a text into the field, below what is typed there: to be looked at, and sent by a person's hand alone.
    public func suggest(_ text: String) {
        guard !text.isEmpty else { return }
        draft = draft.isEmpty ? text : draft + "\n" + text
        notify(.draft)
    }
}
