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
    private let password: UnsafeMutablePointer<GtkEntry>
    private let relayPassword: UnsafeMutablePointer<GtkEntry>
    private let test: Widget
    private let entries: [SettingEntry]
    private let choices: [ChoiceRow]
    private let codecs: CodecRows
    private let expiry: NumberField
    private var isOpen = false
    private var isAdvanced = false
    private var shown: TelephoneAccount?

    private static let plain = ["password-row", "test-row", "advanced", "remove"]
    private static let certificate = ["certificate-row", "trusted-row", "fingerprint-row"]
    private static let details = [
        "auth-name-row", "registrar-row", "transport", "srtp", "stun-server-row", "relay-password-row",
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
        let names = ["account", "password-row", "test-row"] + Self.certificate + ["advanced"]
        for name in names + Self.details + ["remove"] {
            rows.append(try builder.object(name))
            if name == "codecs-row" { rows += codecs.rows }
        }
        self.rows = rows
        var entries: [SettingEntry] = []
        for key in ["auth-name", "registrar", "stun-server"] {
            entries.append(SettingEntry(try builder.object(key), of: key, in: settings))
        }
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
        Signal.connect(try builder.object("advanced", as: GtkWidget.self), "activated") { [weak self] in
            guard let self else { return }
            isAdvanced.toggle()
            show(isOpen: isOpen)
        }
        Signal.connect(try builder.object("remove", as: GtkWidget.self), "activated") { [weak self] in
            self?.askRemoval()
        }
        Signal.connect(try builder.object("trust", as: GtkWidget.self), "clicked") { [accounts, id] in
            accounts.trustCertificate(of: id)
        }
        Signal.connect(try builder.object("distrust", as: GtkWidget.self), "clicked") { [accounts, id] in
            accounts.distrustCertificate(of: id)
        }
        Signal.connect(test, "clicked") { [weak self] in self?.testAccount() }
        for entry in [password, relayPassword] {
            Signal.connect(entry, "activate") { [weak self] in self?.testAccount() }
        }
        settings.follow("stun-server", until: rows[0]) { [weak self] in self?.showRelay() }
    }

    private func show(isOpen: Bool) {
        self.isOpen = isOpen
        for name in Self.plain { setVisible(name, isOpen) }
        for name in Self.details { setVisible(name, isOpen && isAdvanced) }
        for row in codecs.rows { gtk_widget_set_visible(row, isOpen && isAdvanced ? 1 : 0) }
        showRelay()
        setArrow("arrow", isOpen)
        setArrow("advanced-arrow", isAdvanced)
        showCertificate()
    }

    /// Shows the password's row if the server is a TURN server with a user, and what is wrong with the password.
    private func showRelay() {
        let server = settings[text: "stun-server"].lowercased()
        let hasUser = server.hasPrefix("turn:") && server.contains("@")
        setVisible("relay-password-row", isOpen && isAdvanced && hasUser)
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
        setVisible("certificate-row", isOpen && !refused.isEmpty)
        setVisible("trusted-row", isOpen && refused.isEmpty && !trusted.isEmpty)
        setVisible("fingerprint-row", isOpen && !(refused + trusted).isEmpty)
        if let label: UnsafeMutablePointer<GtkLabel> = try? builder.object("fingerprint") {
            gtk_label_set_text(label, AccountStrings.fingerprint(refused.isEmpty ? trusted : refused))
        }
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
        let isBusy = account.state == .asking || account.state == .connecting
        if let spinner: UnsafeMutablePointer<GtkSpinner> = try? builder.object("spinner") {
            gtk_widget_set_visible(spinner.cast(), isBusy ? 1 : 0)
            if isBusy { gtk_spinner_start(spinner) } else { gtk_spinner_stop(spinner) }
        }
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
        let text = gtk_entry_get_text(entry).map { String(cString: $0) } ?? ""
        gtk_entry_set_text(entry, "")
        return text
    }

    /// Asks for confirmation without blocking, and removes the account when the user confirms.
    private func askRemoval() {
        guard let question = try? Builder(file: resources.layout("sip-account-removal")),
            let dialog: Widget = try? question.object("question")
        else { return }
        gtk_window_set_transient_for(dialog.cast(), gtk_widget_get_toplevel(rows[0])?.cast())
        Signal.connectResponse(dialog) { [accounts, id] response in
            gtk_widget_destroy(dialog)
            if response == GTK_RESPONSE_ACCEPT.rawValue { accounts.remove(id) }
        }
        gtk_window_present(dialog.cast())
    }

    private func setVisible(_ name: String, _ isVisible: Bool) {
        if let row: Widget = try? builder.object(name) { gtk_widget_set_visible(row, isVisible ? 1 : 0) }
    }

    private func setArrow(_ name: String, _ isDown: Bool) {
        if let arrow: UnsafeMutablePointer<GtkImage> = try? builder.object(name) {
            gtk_image_set_from_icon_name(
                arrow, isDown ? "pan-down-symbolic" : "pan-end-symbolic", GTK_ICON_SIZE_BUTTON)
        }
    }
}
