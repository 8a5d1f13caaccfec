// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

extension ConversationView {
    /// Asks for the hint behind which the text in the field is hidden, and sends it.
    func askForHint() {
        let id = conversation?.id
        PromptPopover.ask(
            localized("Send as a spoiler"),
            text: localized("The message is hidden behind the hint until somebody asks for it."),
            fields: [.init(name: localized("Hint"), hint: localized("Optional"))],
            verb: localizedIn("verb", "Send"), at: composer.field
        ) { [weak self] (texts) throws(ChatServiceError) in
            // A notification may have opened another conversation.
            guard let self, conversation?.id == id else { return }
            send(composer.text, behind: texts[0])
            composer.focus()
        }
    }

    /// Returns the item of a message’s menu that does what the key of a spoiler does.
    func spoilerItems(of message: ChatMessage) -> [ContextMenu.Item?] {
        guard let isRevealed = messages.isRevealed(message) else { return [] }
        return [
            .init(FoldKey.label(isRevealed: isRevealed)) { [weak self] in
                self?.messages.setRevealed(!isRevealed, message)
            }
        ]
    }
}
