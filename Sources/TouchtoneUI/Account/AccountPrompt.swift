// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// A popover that asks for one of several accounts.
@MainActor
final class AccountPrompt {
    private let popover: TransientPopover
    private let column: Widget

    private init(_ title: String, at widget: Widget) {
        popover = TransientPopover(at: widget)
        column = popover.makeColumn(title)
    }

    /// Asks with which account a link is opened; `choose` gets the chat of the account that the user chooses.
    ///
    /// - Parameter address: The address of the link, which a stranger may have written.
    static func ask(
        about address: ChatAddress, among chats: [Chat], at widget: Widget,
        choose: @escaping @MainActor (Chat) -> Void
    ) {
        let address = PlainText.line(address.text, maximum: 60)
        ask(
            localized("With which account do you want to open {address}?", ["address": address]),
            among: chats, at: widget, choose: choose)
    }

    /// Opens the popover; the first account has the focus.
    static func ask(
        _ title: String, among chats: [Chat], at widget: Widget,
        choose: @escaping @MainActor (Chat) -> Void
    ) {
        let prompt = AccountPrompt(title, at: widget)
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
