// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The Messages page: the account, notifications of new messages, and the panel.
@MainActor
final class MessagesPage: PreferencesPage {
    let widget: Widget
    private let builder: Builder
    private let reset: ResetRow
    private let side, stamps, order, realTimeText: ChoiceRow
    private var account: AccountGroup?
    private var otherAccounts: OtherAccountGroups?

    private static let switches = [
        "panel-visible", "message-styling", "message-spelling", "message-notification", "message-sound",
        "remove-picture-metadata", "encrypt-by-default",
    ]

    init(_ dependencies: PreferencesDependencies) throws(GLibError) {
        builder = try dependencies.layout(.messages)
        reset = ResetRow(try builder.object("reset"))
        widget = try builder.object("page")
        for key in Self.switches {
            dependencies.settings.bind(key, to: try builder.object(key, as: GtkWidget.self), "active")
        }
        side = ChoiceRow(
            try builder.object("my-messages-side"), of: "my-messages-side", in: dependencies.settings,
            [
                // Translators: in a language from right to left, both sides are mirrored: write “Right (Classic)” here.
                .init("left", localizedIn("side of the conversation", "Left (Classic)")),
                // Translators: in a language from right to left, write “Left” here.
                .init("right", localizedIn("side of the conversation", "Right")),
            ])
        stamps = ChoiceRow(
            try builder.object("stamp-lines"), of: "stamp-lines", in: dependencies.settings,
            [
                .init("every", localized("Always (Classic)")),
                .init("runs", localized("Once for a Run")),
            ])
        order = ChoiceRow(
            try builder.object("list-order"), of: "list-order", in: dependencies.settings,
            [
                .init("recent", localizedIn("order of conversations", "Newest First")),
                .init("presence", localizedIn("order of conversations", "By Presence and Name (Classic)")),
            ])
        realTimeText = ChoiceRow(
            try builder.object("real-time-text"), of: "real-time-text", in: dependencies.settings,
            [
                .init("never", localizedIn("real-time text", "Never")),
                .init("ask", localizedIn("real-time text", "Ask First")),
                .init("always", localizedIn("real-time text", "Always")),
            ])
        reset.add(
            Self.switches + ["my-messages-side", "stamp-lines", "list-order", "real-time-text"],
            of: dependencies.settings)
        guard let model = dependencies.account else { return }
        let group = try AccountGroup(
            dependencies, account: model, settings: dependencies.settings, prefix: "jabber-",
            chat: dependencies.chat
        ) { [accounts = dependencies.accounts] in
            if let accounts { accounts.removeFirst() } else { model.remove() }
        }
        model.observe(by: group) { [weak group] in group?.showLabel() }
        let others: OtherAccountGroups? =
            if let accounts = dependencies.accounts {
                try OtherAccountGroups(dependencies, accounts: accounts)
            } else {
                nil
            }
        try addFirst(group, others)
    }

    func startAccount() { account?.focus() }

    /// Inserts the accounts' groups first; a page can only append, so the other groups are added again.
    private func addFirst(_ group: AccountGroup, _ others: OtherAccountGroups?) throws(GLibError) {
        (account, otherAccounts) = (group, others)
        let page: UnsafeMutablePointer<GtkContainer> = widget.cast()
        var rest: [GObjectRef] = []
        for name in ["arrival", "conversation", "encryption", "files", "reset-group"] {
            let other: Widget = try builder.object(name)
            rest.append(GObjectRef(retaining: other))
            gtk_container_remove(page, other)
        }
        gtk_container_add(page, group.widget)
        if let others { gtk_container_add(page, others.widget) }
        for other in rest { gtk_container_add(page, other.cast()) }
    }
}
