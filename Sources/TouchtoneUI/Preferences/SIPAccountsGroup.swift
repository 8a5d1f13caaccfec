// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The SIP accounts on the Lines page: a row for each, the form that adds one, and what holds for all of them.
@MainActor
final class SIPAccountsGroup {
    /// The group, a `HdyPreferencesGroup`.
    let widget: Widget
    private let dependencies: PreferencesDependencies
    private let accounts: any TelephoneAccounts
    private let builder: Builder
    private let add: Widget
    private let address, password: UnsafeMutablePointer<GtkEntry>
    private let confirm: Widget
    private let relay: ChoiceRow
    private var rows: [SIPAccountRows] = []
    private var isAdding = false

    init(_ dependencies: PreferencesDependencies, accounts: any TelephoneAccounts) throws(GLibError) {
        (self.dependencies, self.accounts) = (dependencies, accounts)
        builder = try Builder(file: dependencies.resources.layout("preferences-sip"))
        (widget, add, confirm) = (
            try builder.object("accounts"), try builder.object("add"), try builder.object("confirm")
        )
        (address, password) = (try builder.object("address"), try builder.object("password"))
        relay = ChoiceRow(
            try builder.object("calls-by-relay"), of: "calls-by-relay", in: dependencies.settings,
            [
                .init("strangers", localizedIn("calls by the relay", "With Strangers")),
                .init("always", localizedIn("calls by the relay", "Always")),
                .init("never", localizedIn("calls by the relay", "Never")),
            ])
        dependencies.settings.bind(
            "sip-direct-calls", to: try builder.object("direct-calls", as: GtkWidget.self), "active")
        dependencies.settings.bind(
            "allow-unencrypted-calls", to: try builder.object("unencrypted-calls", as: GtkWidget.self),
            "active")
        dependencies.settings.bindWritable("sip-accounts", to: add)
        try watch()
        setAdding(false)
        var isDestroyed = false
        Signal.connect(widget, "destroy") { isDestroyed = true }
        accounts.observe(by: self) { [weak self] in if !isDestroyed { self?.show() } }
    }

    private func watch() throws(GLibError) {
        Signal.connect(add, "activated") { [weak self] in self?.setAdding(true) }
        try builder.connect("cancel", "clicked") { [weak self] in
            self?.setAdding(false)
            if let self { gtk_widget_grab_focus(add) }
        }
        Signal.connect(confirm, "clicked") { [weak self] in self?.addAccount() }
        for entry in [address, password] {
            Signal.connect(entry, "changed") { [weak self] in self?.showInput() }
            Signal.connect(entry, "activate") { [weak self] in self?.addAccount() }
        }
    }

    // MARK: - Adding

    /// Opens the form with the focus in the address, unless accounts are not supported.
    func start() {
        if accounts.isSupported { setAdding(true) }
    }

    private func setAdding(_ isAdding: Bool) {
        self.isAdding = isAdding
        for id in ["address-row", "password-row", "new-row"] { builder.setVisible(id, isAdding) }
        for entry in [address, password] { gtk_entry_set_text(entry, "") }
        showInput()
        showAdd()
        if isAdding { gtk_widget_grab_focus(address.cast()) }
    }

    private func showInput(_ error: TelephoneAccountError? = nil) {
        let isReady = !address.text.trimmed.isEmpty && !password.text.isEmpty
        gtk_widget_set_sensitive(confirm, isReady ? 1 : 0)
        let (addressField, passwordField): (Widget, Widget) = (address.cast(), password.cast())
        addressField.set(style: "error", error == .notAnAddress || error == .exists)
        passwordField.set(style: "error", error == .noPassword)
        guard let row: Widget = try? builder.object("new-row") else { return }
        let text = error.map(SIPAccountStrings.text) ?? ""
        hdy_action_row_set_subtitle(row.cast(), text)
        row.setAnnounced(name: localized("New Account"), description: text)
    }

    private func addAccount() {
        guard gtk_widget_get_sensitive(confirm) != 0 else { return }
        do throws(TelephoneAccountError) {
            let id = try accounts.add(address.text, password: password.text)
            setAdding(false)
            rows.first { $0.id == id }?.reveal()
        } catch {
            showInput(error)
            gtk_widget_grab_focus(error == .noPassword ? password.cast() : address.cast())
        }
    }

    // MARK: - Display

    private func show() {
        let description =
            accounts.isSupported
            ? localized(
                "Make and take real calls with an account of a telephone provider or of a company’s exchange."
            )
            : localized("Calls over SIP need the program touchtone-sip, which is not installed.")
        hdy_preferences_group_set_description(widget.cast(), description)
        showAdd()
        let shown = accounts.accounts
        for old in rows where !shown.contains(where: { $0.id == old.id }) {
            for row in old.rows { gtk_widget_destroy(row) }
        }
        rows = shown.compactMap { account in rows.first { $0.id == account.id } ?? make(account.id) }
        for (rows, account) in zip(rows, shown) where rows.id == account.id { rows.show(account) }
    }

    private func showAdd() { gtk_widget_set_visible(add, accounts.isSupported && !isAdding ? 1 : 0) }

    /// Adds the rows of an account above the form.
    private func make(_ id: String) -> SIPAccountRows? {
        guard let new = try? SIPAccountRows(id, dependencies, accounts: accounts),
            let list: UnsafeMutablePointer<GtkListBox> = gtk_widget_get_parent(add)?.cast()
        else { return nil }
        for row in new.rows { gtk_list_box_insert(list, row, gtk_list_box_row_get_index(add.cast())) }
        return new
    }
}
