// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

// What the user does on a message.
extension ConversationView {
    func act(_ row: MessageRow, _ action: MessageRow.Action) {
        guard let message = row.cell?.message else { return act(onCallOf: row, action) }
        switch action {
        case .open(let link): navigator?.open(link)
        case .showAll: messages.setFolded(false, message)
        case .fold: messages.setFolded(true, message)
        case .retry: conversation?.retry(message)
        case .showOriginal: showOriginal(of: message)
        case .reveal: messages.setRevealed(messages.isRevealed(message) == false, message)
        case .react(let emoji): chat?.toggle(emoji, on: message)
        case .file(let key, let index): act(key, on: message.withFileAlone(index))
        case .move(let position): move(message, to: position)
        case .copy(let text): Clipboard.write(text)
        case .menu(let event): openMenu(of: row, event)
        case .callBack, .callText: break
        }
    }
}
