// SPDX-License-Identifier: GPL-3.0-or-later

extension Chat {
    /// Sends a reply, or makes it the draft if it is too long, and marks the conversation as seen.
    public func reply(_ text: String, to buddy: ChatAddress) {
        see(buddy, upTo: .max) { _ in }
        guard canSend(text.carried, to: buddy) else { return suggest(text, to: buddy) }
        send(text, to: buddy)
    }

    /// Returns whether a text is short enough to send to a buddy.
    func canSend(_ text: String, to buddy: ChatAddress) -> Bool {
        service(of: buddy)?.messages.canSend(text, to: buddy) != false
    }

    /// Appends a text to the draft of a conversation, open or not, for the user to review: it is never sent automatically.
    public func suggest(_ text: String, to buddy: ChatAddress) {
        if let selected, selected.buddy == buddy { return selected.suggest(text) }
        drafts[buddy] = drafts[buddy].isEmpty ? text : drafts[buddy] + "\n" + text
        showDraft(of: buddy)
    }

    /// Appends the nickname of somebody in a room to its draft, as completing it would.
    public func mention(_ nickname: String, in room: ChatAddress) {
        let written = drafts[room]
        let before = written.allSatisfy(\.isWhitespace) ? "" : written
        let gap = before.last?.isWhitespace == false ? " " : ""
        let name = PlainText.line(nickname)
        drafts[room] = before + gap + NicknameCompletion.mention(name, isFirst: before.isEmpty)
        if let selected, selected.buddy == room { selected.notify(.draft) } else { showDraft(of: room) }
    }

    /// Shows the draft of a conversation in the list, unless it is open: then its field shows it.
    func showDraft(of buddy: ChatAddress) {
        var draft = selected?.buddy == buddy ? "" : PlainText.line(drafts[buddy], maximum: 100)
        if draft.allSatisfy(\.isWhitespace) { draft = "" }
        guard draft != buddies.row(of: buddy)?.draft ?? "" else { return }
        buddies.setDraft(draft, of: buddy)
    }
}

extension Conversation {
    /// Appends a text to the draft, for the user to review: it is never sent automatically.
    public func suggest(_ text: String) {
        guard !text.isEmpty else { return }
        draft = draft.isEmpty ? text : draft + "\n" + text
        notify(.draft)
    }
}
