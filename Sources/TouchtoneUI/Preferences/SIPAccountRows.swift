// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The rows of one SIP account: its address and state, and below, its password and details, which are folded away.
@MainActor
final class SIPAccountRows {
    let id: String
    /// The rows in their order, of which the first is the account's.
    let rows: [Widget]

    private let builder: Builder
    private let accounts: any TelephoneAccounts
    private let resources: Resources
    private let settings: Settings
    private let password, relayPassword: UnsafeMutablePointer<GtkEntry>
    private let test: Widget
    private let entries: [SettingEntry]
    private let choices: [ChoiceRow]
    private let codecs: CodecRows
    private let expiry: NumberField
    private let diversion: DiversionRows
    private var isOpen = false
    private var isAdvanced = false
    private var shown: TelephoneAccount?

    private static let plain = ["password-row", "test-row", "advanced", "remove"] + DiversionRows.names
    private static let certificate = ["certificate-row", "trusted-row", "fingerprint-row"]
    private static let details = [
        "voicemail-row", "pickup-code-row", "auth-name-row", "registrar-row", "transport", "srtp",
        "stun-server-row",
        "relay-password-row",
        "codecs-row", "dtmf", "expiry-row",
    ]

    init(_ id: String, _ dependencies: PreferencesDependencies, accounts: any TelephoneAccounts)
        throws(GLibError)
    {
        (self.id, self.accounts, resources) = (id, accounts, dependencies.resources)
        let builder = try Builder(file: dependencies.resources.layout("preferences-sip-account"))
        self.builder = builder
        let settings = try dependencies.resources.accountSettings(id)
        self.settings = settings
        (password, test) = (try builder.object("password"), try builder.object("test"))
        relayPassword = try builder.object("relay-password")
        codecs = try CodecRows(settings, dependencies.resources)
        var rows: [Widget] = []
        let names =
            ["account", "password-row", "test-row"] + Self.certificate + DiversionRows.names + ["advanced"]
        for name in names + Self.details + ["remove"] {
            rows.append(try builder.object(name))
            if name == "codecs-row" { rows += codecs.rows }
        }
        self.rows = rows
        var entries: [SettingEntry] = []
        for key in ["voicemail", "pickup-code", "auth-name", "registrar", "stun-server"] {
            entries.append(SettingEntry(try builder.object(key), of: key, in: settings))
        }
        diversion = try DiversionRows(builder, settings, pad: dependencies.pad)
        expiry = dependencies.pad.attach(to: try builder.object("expiry"), taking: .digits)
        entries.append(SettingEntry(expiry.entry, of: "expiry", in: settings, range: 60...86_400))
        self.entries = entries
        choices = [
            ChoiceRow(
                try builder.object("transport"), of: "transport", in: settings,
                [.init("tls", "TLS"), .init("tcp", "TCP"), .init("udp", "UDP")]),
            ChoiceRow(
                try builder.object("srtp"), of: "srtp", in: settings,
                [
                    .init("required", localizedIn("encryption", "Required")),
                    .init("offered", localizedIn("encryption", "If Possible")),
                    .init("off", localizedIn("encryption", "Off")),
                ]),
            ChoiceRow(
                try builder.object("dtmf"), of: "dtmf", in: settings,
                [
                    .init("automatic", localizedIn("keys in calls", "Automatic")),
                    .init("rfc4733", localizedIn("keys in calls", "In the Audio (RFC 4733)")),
                    .init("info", localizedIn("keys in calls", "As Messages (SIP INFO)")),
                ]),
        ]
        let enabled: Widget = try builder.object("enabled")
        settings.bind("enabled", to: enabled, "active")
        for row in rows {
            RowNames.set(in: row)
            FieldRows.set(in: row)
        }
        try watch()
        show(isOpen: false)
    }

    /// Opens the account's rows, and moves the focus to it.
    func reveal() {
        show(isOpen: true)
        gtk_widget_grab_focus(rows[0])
    }

    private func watch() throws(GLibError) {
        Signal.connect(rows[0], "activated") { [weak self] in if let self { show(isOpen: !isOpen) } }
        try builder.connect("advanced", "activated") { [weak self] in
            guard let self else { return }
            isAdvanced.toggle()
            show(isOpen: isOpen)
        }
        try builder.connect("remove", "activated") { [weak self] in self?.askRemoval() }
        try builder.connect("trust", "clicked") { [accounts, id] in accounts.trustCertificate(of: id) }
        try builder.connect("distrust", "clicked") { [accounts, id] in accounts.distrustCertificate(of: id) }
        Signal.connect(test, "clicked") { [weak self] in self?.testAccount() }
        for entry in [password, relayPassword] {
            Signal.connect(entry, "activate") { [weak self] in self?.testAccount() }
        }
        settings.follow("stun-server", until: rows[0]) { [weak self] in self?.showRelay() }
    }

    private func show(isOpen: Bool) {
        self.isOpen = isOpen
        for name in Self.plain { builder.setVisible(name, isOpen) }
        for name in Self.details { builder.setVisible(name, isOpen && isAdvanced) }
        for row in codecs.rows { row.isVisible = isOpen && isAdvanced }
        showRelay()
        builder.setArrow("arrow", isDown: isOpen)
        builder.setArrow("advanced-arrow", isDown: isAdvanced)
        showCertificate()
    }

    /// Shows the password's row if the server is a TURN server with a user, and what is wrong with the password.
    private func showRelay() {
        let server = settings[text: "stun-server"].lowercased()
        let hasUser = server.hasPrefix("turn:") && server.contains("@")
        builder.setVisible("relay-password-row", isOpen && isAdvanced && hasUser)
        guard let row: Widget = try? builder.object("relay-password-row") else { return }
        let problem = shown?.relayProblem.map(SIPAccountStrings.relay) ?? shown?.relayFailure ?? ""
        hdy_action_row_set_subtitle(row.cast(), problem)
        cgtk_widget_set_accessible(row, hdy_preferences_row_get_title(row.cast()), problem)
        gtk_entry_set_placeholder_text(
            relayPassword, shown?.relayProblem == nil ? localizedIn("password", "Unchanged") : "")
    }

    private func showCertificate() {
        let refused = shown?.refusedCertificate ?? ""
        let trusted = shown?.trustedCertificate ?? ""
        builder.setVisible("certificate-row", isOpen && !refused.isEmpty)
        builder.setVisible("trusted-row", isOpen && refused.isEmpty && !trusted.isEmpty)
        builder.setVisible("fingerprint-row", isOpen && !(refused + trusted).isEmpty)
        builder.setText("fingerprint", AccountStrings.fingerprint(refused.isEmpty ? trusted : refused))
    }

    func show(_ account: TelephoneAccount) {
        shown = account
        showCertificate()
        showRelay()
        let name = SIPAccountStrings.name(ofAddress: account.address)
        let state = SIPAccountStrings.state(of: account)
        hdy_preferences_row_set_title(rows[0].cast(), name)
        hdy_action_row_set_subtitle(rows[0].cast(), state)
        // libhandy does not set accessible names for its rows.
        rows[0].setAnnounced(name: name, description: state)
        builder.setSpinning("spinner", account.state == .asking || account.state == .connecting)
        let isUsed = account.state != .disabled && accounts.isSupported
        gtk_widget_set_sensitive(test, isUsed ? 1 : 0)
        var isWanted = false
        if case .passwordWanted = account.state { isWanted = true }
        gtk_entry_set_placeholder_text(password, isWanted ? "" : localizedIn("password", "Unchanged"))
        let switchName: Widget? = try? builder.object("enabled")
        switchName?.setAccessible(name: localized("Use {account}", ["account": name]))
    }

    /// Saves the passwords that are entered, and registers the account again.
    private func testAccount() {
        let (text, relay) = (takeText(of: password), takeText(of: relayPassword))
        if !relay.isEmpty { accounts.setRelayPassword(relay, of: id) }
        if !text.isEmpty {
            accounts.setPassword(text, of: id)
        } else if relay.isEmpty {
            accounts.test(id)
        }
    }

    /// Returns the text of a password's field, and clears it: the password must not stay there.
    private func takeText(of entry: UnsafeMutablePointer<GtkEntry>) -> String {
        let text = entry.text
        gtk_entry_set_text(entry, "")
        return text
    }

    private func askRemoval() {
        Builder.ask(resources.layout("sip-account-removal"), over: rows[0]) { [accounts, id] in
            accounts.remove(id)
        }
    }
}
