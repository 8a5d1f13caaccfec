// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The row for the gateway to telephone numbers: the one in use, and a field for the address of another one.
@MainActor
final class GatewayRow {
    private let row: UnsafeMutablePointer<HdyActionRow>
    private let entry: UnsafeMutablePointer<GtkEntry>
    private let chat: Chat
    private var numbers: NumberConversations { chat.numbers }
    private let setting: SettingEntry
    private var isDestroyed = false
    /// Whether the account was online at its last change.
    private var wasOnline = false

    init(_ builder: Builder, settings: Settings, key: String, chat: Chat) throws(GLibError) {
        (row, entry) = (try builder.object("gateway-row"), try builder.object("gateway"))
        self.chat = chat
        setting = SettingEntry(entry, of: key, in: settings)
        Signal.connect(row, "destroy") { [weak self] in self?.isDestroyed = true }
        numbers.observe(by: self) { [weak self] in self?.show() }
        chat.observe(by: self) { [weak self] in if $0 == .state { self?.stateChanged() } }
    }

    /// Shows whether a gateway can be found, and searches for one each time the account is online again.
    private func stateChanged() {
        show()
        let isOnline = chat.state == .online
        defer { wasOnline = isOnline }
        guard isOnline, !wasOnline, !isDestroyed else { return }
        Task { [numbers] in await numbers.find() }
    }

    func setVisible(_ isVisible: Bool) { gtk_widget_set_visible(row.cast(), isVisible ? 1 : 0) }

    private func show() {
        guard !isDestroyed else { return }
        let found = numbers.chosen == nil ? numbers.gateway : nil
        let isWrong = numbers.chosen == nil && !numbers.setting.isEmpty
        let subtitle =
            if isWrong {
                localized("This is not the address of a server. Example: sms.example.org")
            } else if numbers.chosen != nil {
                localized("Carries text messages to and from phone numbers")
            } else if let found {
                localized(
                    "{address} was found automatically", ["address": PlainText.line(found.text, maximum: 200)]
                )
            } else if chat.state != .online {
                localized(
                    "Your server’s gateway is looked up when you are signed in. You can also enter an address."
                )
            } else {
                localized("None was found. Enter the address of a gateway to text phone numbers.")
            }
        hdy_action_row_set_subtitle(row, subtitle)
        (row.cast() as Widget).setAnnounced(
            name: localized("Gateway for Phone Numbers"), description: subtitle)
        gtk_entry_set_placeholder_text(entry, found?.text ?? "")
        (entry.cast() as Widget).set(style: "error", isWrong)
    }
}
