// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

// Announcements to a screen reader of messages in view. The desktop's notifications announce the others.
extension ConversationView {
    func announce(_ new: [ChatMessage]) {
        guard messenger.isInView, let conversation else { return }
        let name = PlainText.line(conversation.chat.buddies.name(of: conversation.buddy))
        for message in new where message.isUnread {
            let sender = message.sender.name(buddyName: name)
            let text = message.sender == .buddy ? spoken.finish(message.summary) : message.summary
            guard !text.isEmpty else { continue }
            widget.announce(
                localized("{sender}: {text}", ["sender": sender, "text": Self.beginning(of: text)]))
        }
    }

    /// Announces that a message of the user's could not be delivered, unless that is known already.
    func announceFailure(of message: ChatMessage) {
        let row = ConversationList.RowID(message: message.id, part: 0)
        guard messenger.isInView, case .failed(let reason) = message.state,
            let before = messages.message(row), before.state != message.state
        else { return }
        widget.announce(
            localized(
                "Not sent: {text} ({reason})",
                ["text": Self.beginning(of: message.summary), "reason": reason]))
    }

    private static func beginning(of text: String) -> String {
        LongText.isLong(text) ? String(LongText.beginning(of: text)) + "…" : text
    }
}
