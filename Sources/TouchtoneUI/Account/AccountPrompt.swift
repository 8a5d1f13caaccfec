// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// A popover that asks with which of several accounts a link is opened.
@MainActor
final class AccountPrompt {
    private let popover: TransientPopover
    private let column: Widget

    private init(_ title: String, at widget: Widget) {
        popover = TransientPopover(at: widget)
        column = popover.makeColumn(title)
    }

    /// Opens the popover; `choose` gets the chat of the account that the user chooses.
    ///
    /// - Parameter address: The address of the link, which a stranger may have written.
    static func ask(
        about address: ChatAddress, among chats: [Chat], at widget: Widget,
        choose: @escaping @MainActor (Chat) -> Void
    ) {
        let address = PlainText.line(address.text, maximum: 60)
        let prompt = AccountPrompt(
            localized("With which account do you want to open {address}?", ["address": address]), at: widget)
        let keys = chats.map { chat in
            let key = Widget.wrappedButton(chat.accountName)
            Signal.connect(key, "clicked") {
                // What follows may open another popover.
                TransientPopover.cancel()
                choose(chat)
            }
            return key
        }
        for key in keys { prompt.column.add(key) }
        gtk_widget_show_all(prompt.column)
        prompt.popover.open(with: prompt)
        if let first = keys.first { gtk_widget_grab_focus(first) }
    }
}
