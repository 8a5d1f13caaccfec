// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

// The shortcuts of the conversation, and what is typed with the help of its messages.
extension ConversationView {
    func perform(_ shortcut: MessageShortcut) {
        guard !isCovered, conversation != nil else { return }
        switch shortcut {
        case .attach: if composer.canAttach { composer.onAttach?() }
        case .reply: replyByKey()
        case .react: reactByKey()
        case .next, .previous, .nextUnread, .search, .searchAll, .encryption: break
        }
    }

    /// Replies to the focused message or, from elsewhere, to the last one of the others; again, to the one before.
    private func replyByKey() {
        guard let chat, let message = focusedMessage ?? lastOfOthers(before: replied, where: chat.canReply)
        else { return }
        if chat.canReply(to: message) { reply(to: message) }
    }

    func replyBySwipe(_ id: ConversationList.RowID) {
        if let message = messages.message(id), chat?.canReply(to: message) == true { reply(to: message) }
    }

    private func reactByKey() {
        guard let chat, let message = focusedMessage ?? lastOfOthers(before: nil, where: chat.canReact),
            chat.canReact(to: message)
        else { return }
        let row = messages.list.row(ConversationList.RowID(message: message.id, part: 0))
        react(to: message, at: row?.box ?? messages.list.widget)
    }

    private var focusedMessage: ChatMessage? { messages.list.focusedID.flatMap { messages.message($0) } }

    private func lastOfOthers(
        before message: ChatMessage?, where isWanted: (ChatMessage) -> Bool
    ) -> ChatMessage? {
        conversation?.window.last {
            $0.sender != .me && $0.place < message?.place ?? .max && isWanted($0)
        }
    }

    /// Edits the user’s last message; while one is edited and unchanged, the one before or after it.
    func recall(_ direction: Composer.Direction) {
        guard let conversation else { return }
        guard let corrected, composer.isUnchanged else {
            if direction == .older, let last = conversation.correctable { correct(last) }
            return
        }
        switch direction {
        case .older: if let next = conversation.correctable(before: corrected) { correct(next) }
        case .newer:
            if let next = conversation.correctable(after: corrected) {
                correct(next)
            } else {
                endCorrection()
            }
        }
    }

    /// Completes a nickname before the cursor; nil if there is none to complete.
    func complete(_ text: String) -> NicknameCompletion.Change? {
        guard let conversation, conversation.chat.buddies.row(of: conversation.buddy)?.room != nil else {
            return nil
        }
        return completion.complete(text) { conversation.nicknames }
    }
}
