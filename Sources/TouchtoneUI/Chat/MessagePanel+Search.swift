// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

// The search in the open conversation, and the search in all people and messages.
extension MessagePanel {
    /// Opens the search in the open conversation or, without one, in all people and messages.
    func search() {
        guard let insides, let id = messenger.selected?.id else { return searchAll() }
        let search = messageSearch(insides)
        search.scope = id
        gtk_stack_set_visible_child_name(insides.stack.cast(), "search")
        detailChanged()
        search.begin()
    }

    /// Opens the search in all people and messages, with its last text or another one.
    func searchAll(_ words: String? = nil) {
        build()
        guard let insides else { return }
        if isSearchShown { showConversation() }
        // In a narrow panel, the conversation hides the list.
        if arrangement.width == .narrow { messenger.select(nil) }
        insides.buddies.beginSearch(words)
    }

    /// Opens the conversation of a message at that message, which is marked.
    func open(found message: ChatMessage) {
        messenger.select(message.conversation)
        showConversation()
        insides?.conversation.composer.focus()
        insides?.conversation.show(found: message, takesFocus: true)
    }
}
