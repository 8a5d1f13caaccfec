// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The Jabber accounts besides the first on the Messages page: a group for each, and the row that adds one.
@MainActor
final class OtherAccountGroups {
    /// The groups in one place, a `HdyPreferencesGroup`.
    let widget: Widget
    private let dependencies: PreferencesDependencies
    private let accounts: JabberAccounts
    private let builder: Builder
    private let place, add: Widget
    private var groups: [(id: String, group: AccountGroup)] = []
    private var isDestroyed = false

    init(_ dependencies: PreferencesDependencies, accounts: JabberAccounts) throws(GLibError) {
        (self.dependencies, self.accounts) = (dependencies, accounts)
        builder = try Builder(file: dependencies.resources.layout("preferences-accounts"))
        widget = try builder.object("others")
        (place, add) = (try builder.object("groups"), try builder.object("add"))
        dependencies.settings.bindWritable("jabber-accounts", to: add)
        Signal.connect(add, "activated") { [weak self] in self?.begin() }
        Signal.connect(widget, "destroy") { [weak self] in
            self?.isDestroyed = true
            accounts.cancel()
        }
        accounts.observe(by: self) { [weak self] in self?.show() }
        accounts.first.observe(by: self) { [weak self] in self?.showAdd() }
    }

    private func begin() {
        accounts.begin()
        groups.last?.group.focus()
    }

    private func show() {
        guard !isDestroyed else { return }
        let shown = accounts.others + (accounts.draft.map { [$0] } ?? [])
        for old in groups where !shown.contains(where: { $0.id == old.id }) {
            gtk_widget_destroy(old.group.widget)
        }
        groups = shown.compactMap { other in
            if let known = groups.first(where: { $0.id == other.id }) { return known }
            return make(other).map { (other.id, $0) }
        }
        showAdd()
    }

    private func make(_ other: JabberAccounts.Other) -> AccountGroup? {
        guard
            let group = try? AccountGroup(
                dependencies, account: other.account, settings: other.settings, prefix: "", chat: other.chat,
                remove: { [accounts] in accounts.remove(other) })
        else { return nil }
        other.account.observe(by: group) { [weak group] in group?.showName() }
        gtk_widget_set_margin_bottom(group.widget, 24)
        gtk_container_add(place.cast(), group.widget)
        RowNames.set(in: group.widget)
        FieldRows.set(in: group.widget)
        return group
    }

    private func showAdd() {
        guard !isDestroyed else { return }
        add.isVisible = accounts.first.details.isAccount && accounts.draft == nil
        // Otherwise the edge of an empty list would be seen.
        widget.isVisible = add.isVisible || !groups.isEmpty
    }
}
