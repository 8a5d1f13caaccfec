// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

extension ConversationView {
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
