// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// A bar at the top of the panel for what the account wants of the user: its password, or a look at what is wrong.
///
/// Nothing waits for it, and it takes no focus: the phone is used beside it.
@MainActor
final class AccountBar {
    /// The bar, to be placed in the panel.
    let widget: UnsafeMutablePointer<GtkWidget>
    private let builder: Builder
    private let account: ChatAccount
    private let text: UnsafeMutablePointer<GtkLabel>
    private let password: UnsafeMutablePointer<GtkEntry>
    private let sign: UnsafeMutablePointer<GtkWidget>

    /// - Parameter openSettings: shows the account in Preferences.
    init(resources: Resources, account: ChatAccount, openSettings: @escaping @MainActor () -> Void)
        throws(GLibError)
    {
        self.account = account
        builder = try Builder(file: resources.layout("account-bar"))
        widget = try builder.object("bar")
        text = try builder.object("text")
        password = try builder.object("password")
        sign = try builder.object("sign")
        Signal.connect(try builder.object("settings", as: GtkWidget.self), "clicked", openSettings)
        Signal.connect(sign, "clicked") { [weak self] in self?.signIn() }
        Signal.connect(password, "activate") { [weak self] in self?.signIn() }
        Signal.connect(password, "changed") { [weak self] in self?.showKey() }
        account.follow(self) { [weak self] in self?.show() }
    }

    private var typed: String { gtk_entry_get_text(password).map { String(cString: $0) } ?? "" }

    private func signIn() {
        guard !typed.isEmpty else { return }
        let text = typed
        gtk_entry_set_text(password, "")
        // What could be wrong with the address is said in the bar anyway.
        try? account.signIn(account.details, password: text)
    }

    private func showKey() { gtk_widget_set_sensitive(sign, typed.isEmpty ? 0 : 1) }

    private func show() {
        let words = AccountWords(account)
        var asks = false
        var isShown = true
        switch account.state {
        case .passwordWanted, .failed(.password): asks = true
        case .failed: break
        case .none, .signedOut, .asking, .connecting, .online, .waiting: isShown = false
        }
        gtk_label_set_text(
            text,
            asks ? "\(words.detail)\nThe password of \(account.details.address):" : words.detail)
        set("question", visible: asks)
        set("settings", visible: !asks)
        gtk_info_bar_set_message_type(widget.cast(), asks ? GTK_MESSAGE_QUESTION : GTK_MESSAGE_WARNING)
        gtk_widget_set_visible(widget, isShown ? 1 : 0)
        showKey()
    }

    private func set(_ id: String, visible: Bool) {
        if let part: UnsafeMutablePointer<GtkWidget> = try? builder.object(id) {
            gtk_widget_set_visible(part, visible ? 1 : 0)
        }
    }
}
