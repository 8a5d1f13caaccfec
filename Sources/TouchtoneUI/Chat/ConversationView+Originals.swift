// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

// The way from a reply to the message that it replies to.
extension ConversationView {
    func showOriginal(of reply: ChatMessage) {
        guard let conversation else { return }
        Task { [weak self] in
            let original = await conversation.original(of: reply) { self?.say(Self.looking) }
            guard let self, self.conversation === conversation, !isCovered else { return }
            switch original {
            case .found(let original):
                composer.hideTrouble()
                show(found: original, takesFocus: true)
            case .missing: say(localized("The original message was not found."))
            case .unavailable:
                say(
                    localized(
                        "The original message is not on this computer. Connect to look for it on the server.")
                )
            case .outdated: break
            }
        }
    }

    private static var looking: String { localized("Looking for the original message…") }

    private func say(_ text: String) {
        composer.show(trouble: text)
        messages.list.widget.announce(text)
    }
}
