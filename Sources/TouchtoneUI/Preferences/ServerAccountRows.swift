// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The rows of an account that change it on its server: its password, and its deletion.
@MainActor
final class ServerAccountRows {
    private let builder: Builder
    private let account: ChatAccount
    private let remove: @MainActor () -> Void

    /// - Parameter remove: Called once the server has deleted the account.
    init(
        _ builder: Builder, account: ChatAccount, remove: @escaping @MainActor () -> Void
    ) throws(GLibError) {
        (self.builder, self.account, self.remove) = (builder, account, remove)
        let (change, delete): (Widget, Widget) = (
            try builder.object("change-password"), try builder.object("delete")
        )
        Signal.connect(change, "activated") { [weak self] in self?.askPassword(at: change) }
        Signal.connect(delete, "activated") { [weak self] in self?.askDeletion(at: delete) }
    }

    func show() {
        for id in ["change-password", "delete"] { builder.setVisible(id, account.state == .online) }
    }

    private func askPassword(at row: Widget) {
        PromptPopover.ask(
            localized("Change Password"),
            fields: [
                .init(name: localized("New Password"), isSecret: true),
                .init(name: localized("Repeat New Password"), isSecret: true),
            ], verb: localizedIn("button", "Change"), at: row
        ) { [account] texts throws(ChatServiceError) in
            guard !texts[0].isEmpty, texts[0] == texts[1] else {
                throw .refused(localized("The two passwords are not the same."))
            }
            try await account.changePassword(to: texts[0])
        }
    }

    private func askDeletion(at row: Widget) {
        let address = PlainText.line(account.details.address, maximum: 120)
        PromptPopover.ask(
            localized("Delete {address}?", ["address": address]),
            text: localized(
                "The server deletes the account with its buddies and messages. Nobody can undo this. The messages on this computer stay."
            ), verb: localizedIn("button", "Delete Account"), isDestructive: true, at: row
        ) { [account, remove] _ throws(ChatServiceError) in
            try await account.removeFromServer()
            remove()
        }
    }
}
