// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// A bar at the top of the panel that asks for the account's password.
///
/// The bar is not modal and never takes the focus, so the phone stays usable.
@MainActor
final class AccountBar {
    let widget: Widget
    private let builder: Builder
    private let account: ChatAccount
    private let text: UnsafeMutablePointer<GtkLabel>
    private let password: UnsafeMutablePointer<GtkEntry>
    private let sign: Widget
    /// Whether the phone is locked: nothing new is shown.
    var isCovered = false { didSet { show() } }

    init(resources: Resources, account: ChatAccount) throws(GLibError) {
        self.account = account
        builder = try Builder(file: resources.layout("account-bar"))
        widget = try builder.object("bar")
        text = try builder.object("text")
        password = try builder.object("password")
        PanelEntry.dress(password.cast())
        sign = try builder.object("sign")
        Signal.connect(sign, "clicked") { [weak self] in self?.signIn() }
        Signal.connect(password, "activate") { [weak self] in self?.signIn() }
        Signal.connect(password, "changed") { [weak self] in self?.showKey() }
        account.observe(by: self) { [weak self] in self?.show() }
    }

    private func signIn() {
        let text = password.text
        guard !text.isEmpty else { return }
        gtk_entry_set_text(password, "")
        // An error needs no message here, because the bar already shows problems with the address.
        try? account.signIn(account.details, password: text)
    }

    private func showKey() { gtk_widget_set_sensitive(sign, password.text.isEmpty ? 0 : 1) }

    private func show() {
        guard !isCovered else { return }
        let (asks, asked) = (account.wantsPassword, gtk_widget_get_visible(widget) != 0)
        if asks {
            let words = AccountStrings(account)
            gtk_label_set_text(
                text,
                localized(
                    "{detail}\nPassword for {address}:",
                    ["detail": words.detail, "address": account.details.address]))
        } else {
            gtk_entry_set_text(password, "")
        }
        gtk_widget_set_visible(widget, asks ? 1 : 0)
        if asks, !asked, gtk_widget_get_mapped(widget) != 0 {
            widget.announce(String(cString: gtk_label_get_text(text)))
        }
        showKey()
    }
}
