// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The key below the hint of a spoiler, which shows the text, and hides it again.
@MainActor
final class SpoilerView {
    let widget = Widget.button("", style: "fold")

    init(onClick: @escaping @MainActor () -> Void) {
        gtk_widget_set_halign(widget, GTK_ALIGN_START)
        gtk_widget_set_no_show_all(widget, 1)
        Signal.connect(widget, "clicked") { onClick() }
    }

    /// - Parameter isRevealed: Whether the text is shown.
    func show(isRevealed: Bool) {
        gtk_button_set_label(widget.cast(), Self.label(isRevealed: isRevealed))
        widget.isVisible = true
    }

    static func label(isRevealed: Bool) -> String {
        isRevealed ? localizedIn("verb", "Hide") : localizedIn("verb", "Show")
    }
}

extension ConversationView {
    /// Returns the item of a message’s menu that does what the key of a spoiler does.
    func spoilerItems(of message: ChatMessage) -> [ContextMenu.Item?] {
        guard let isRevealed = messages.isRevealed(message) else { return [] }
        return [
            .init(SpoilerView.label(isRevealed: isRevealed)) { [weak self] in
                self?.messages.setRevealed(!isRevealed, message)
            }
        ]
    }
}
