// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The rows of the Jabber account at the top of the Messages page: address, password and button, then the details.
@MainActor
final class AccountGroup {
    /// The group, a `HdyPreferencesGroup`.
    let widget: Widget
    private let builder: Builder
    private let account: ChatAccount
    private let accounts: JabberAccounts?
    private let resources: Resources
    private let remove: @MainActor () -> Void
    private let address, password, host: UnsafeMutablePointer<GtkEntry>
    private let port: NumberField
    private let security: ChoiceRow
    private let sign: Widget
    private let enabled: UnsafeMutablePointer<GtkSwitch>
    private let label: SettingEntry
    /// The title and the description without a label.
    private let heading: (title: String, description: String)
    /// The account details that the fields last displayed, to distinguish unsaved input from saved values.
    private var shown = AccountDetails()
    private var validationError: ChatAccount.ValidationError?
    private var isDestroyed = false
    private var isAdvanced = false
    private var gateway: GatewayRow?
    private let calls: CallsRow
    private var picture: PictureRow?
    private let server: ServerAccountRows

    /// A nil `chat` omits the gateway and the picture; `remove` is called once the user has confirmed it.
    init(
        _ dependencies: PreferencesDependencies, account: ChatAccount, settings: Settings, prefix: String,
        chat: Chat?, remove: @escaping @MainActor () -> Void
    ) throws(GLibError) {
        (self.account, self.remove) = (account, remove)
        (accounts, resources) = (dependencies.accounts, dependencies.resources)
        builder = try Builder(file: dependencies.resources.layout("preferences-account"))
        widget = try builder.object("account")
        address = try builder.object("address")
        password = try builder.object("password")
        host = try builder.object("host")
        port = dependencies.pad.attach(to: try builder.object("port"), taking: .digits)
        (sign, enabled) = (try builder.object("sign"), try builder.object("enabled"))
        label = SettingEntry(
            try builder.object("label"), read: { account.label },
            write: { text in
                account.label = text
                return true
            })
        heading = (
            hdy_preferences_group_get_title(widget.cast()).map { String(cString: $0) } ?? "",
            hdy_preferences_group_get_description(widget.cast()).map { String(cString: $0) } ?? ""
        )
        security = ChoiceRow(
            try builder.object("security"), of: prefix + "tls", in: settings,
            [
                .init("automatic", localizedIn("connection security", "Automatic")),
                .init("starttls", "STARTTLS"),
                .init("direct", localized("Direct TLS")),
            ])
        for key in ["jid", "host", "port"] {
            settings.bindWritable(prefix + key, to: try builder.object(key.field))
        }
        calls = try CallsRow(builder, account: account, lines: dependencies.lines)
        server = try ServerAccountRows(builder, account: account, remove: remove)
        if let chat {
            gateway = try GatewayRow(builder, settings: settings, key: prefix + "gateway", chat: chat)
            picture = try PictureRow(builder, chat: chat, askFile: dependencies.askFile)
        }
        try watch()
        account.observe(by: self) { [weak self] in self?.show() }
        setAdvanced(!account.details.host.isEmpty || account.details.security != .automatic)
    }

    /// Names the group after its account, because there are several.
    func showName() {
        setHeading(account.name.isEmpty ? localized("Another Jabber Account") : account.name)
    }

    /// Names the group after the account's label, if it has one.
    func showLabel() {
        if account.label.isEmpty {
            setHeading(heading.title, heading.description)
        } else {
            setHeading(account.label)
        }
    }

    private func setHeading(_ title: String, _ description: String = "") {
        guard !isDestroyed else { return }
        let title = PlainText.line(title, maximum: 200)
        hdy_preferences_group_set_title(widget.cast(), title)
        hdy_preferences_group_set_description(widget.cast(), description)
        cgtk_widget_set_accessible(widget, title, nil)
    }

    /// Moves the focus to the address field, or to the password field if an address is entered.
    func focus() { gtk_widget_grab_focus((address.text.isEmpty ? address : password).cast()) }

    private func watch() throws(GLibError) {
        for entry in [address, password, host, port.entry] {
            Signal.connect(entry, "changed") { [weak self] in self?.edited() }
            Signal.connect(entry, "activate") { [weak self] in self?.signIn() }
        }
        Signal.connect(sign, "clicked") { [weak self] in self?.signClicked() }
        Signal.connectNotify(enabled, "notify::active") { [account, enabled] in
            let isOn = gtk_switch_get_active(enabled) != 0
            if account.isEnabled != isOn { account.isEnabled = isOn }
        }
        // With large text, a long label would leave no room for the certificate beside it.
        for name in ["trust", "distrust", "allow"] {
            guard let label = gtk_bin_get_child(try builder.object(name)) else { continue }
            gtk_label_set_line_wrap(label.cast(), 1)
            gtk_label_set_justify(label.cast(), GTK_JUSTIFY_CENTER)
        }
        try builder.connect("trust", "clicked") { [account] in account.trustCertificate() }
        try builder.connect("distrust", "clicked") { [account] in account.distrustCertificate() }
        try builder.connect("allow", "clicked") { [account] in account.allowWeakerSignIn() }
        try builder.connect("create", "activated") { [weak self] in self?.create() }
        try builder.connect("remove", "activated") { [weak self] in self?.askRemoval() }
        try builder.connect("advanced", "activated") { [weak self] in
            if let self { setAdvanced(!isAdvanced) }
        }
        Signal.connect(widget, "destroy") { [weak self] in self?.isDestroyed = true }
    }

    /// Shows or hides the connection details, which are rarely needed.
    private func setAdvanced(_ isShown: Bool) {
        isAdvanced = isShown
        for id in ["host-row", "port-row", "security"] { builder.setVisible(id, isShown) }
        builder.setArrow("arrow", isDown: isShown)
    }
}

extension String {
    /// The id of the field for a setting, given without its `jabber-` prefix.
    fileprivate var field: String { self == "jid" ? "address" : self }
}

// MARK: - Input

extension AccountGroup {
    private var typed: AccountDetails {
        AccountDetails(
            address: address.text.trimmed, host: host.text.trimmed, port: UInt16(port.text) ?? 0,
            security: account.details.security)
    }

    private var isEdited: Bool {
        let (typed, saved) = (typed, account.details)
        return typed.address != saved.address || typed.host != saved.host || typed.port != saved.port
            || !password.text.isEmpty
    }

    /// Whether signing in requires a password from the field.
    private var needsPassword: Bool {
        switch account.state {
        case .none, .passwordWanted, .failed(.password): true
        default: typed.address != account.details.address
        }
    }

    private var isPortRight: Bool { port.text.isEmpty || UInt16(port.text).map { $0 > 0 } == true }

    private func edited() {
        validationError = nil
        showState()
    }

    private func signClicked() {
        if isEdited || !account.isWantedOnline { signIn() } else { account.signOut(isByUser: true) }
    }

    private func signIn() {
        guard gtk_widget_get_sensitive(sign) != 0 else { return }
        let password = password.text
        do throws(ChatAccount.ValidationError) {
            try account.signIn(typed, password: password.isEmpty ? nil : password)
            // Do not leave the password in the field.
            gtk_entry_set_text(self.password, "")
            fill()
        } catch {
            validationError = error
            showState()
            switch error {
            case .address: gtk_widget_grab_focus(address.cast())
            case .password: gtk_widget_grab_focus(self.password.cast())
            case .port: gtk_widget_grab_focus(host.cast())
            }
        }
    }

    /// Makes an account on a server, with the connection details that are typed.
    private func create() {
        guard let accounts, let row: Widget = try? builder.object("create") else { return }
        RegistrationPrompt.ask(accounts, connection: typed, at: row) { _ in }
    }

    private func askRemoval() {
        Builder.ask(resources.layout("account-removal"), over: widget) { [weak self] in self?.remove() }
    }
}

// MARK: - Display

extension AccountGroup {
    private func show() {
        guard !isDestroyed else { return }
        let details = account.details
        follow(address, shown.address, details.address)
        follow(host, shown.host, details.host)
        follow(port.entry, Self.text(shown.port), Self.text(details.port))
        shown = details
        label.show()
        gtk_switch_set_active(enabled, account.isEnabled ? 1 : 0)
        showState()
        showCertificate()
        showWeakerSignIn()
    }

    /// Replaces the input with the saved details, which may be spelled differently.
    private func fill() {
        (shown.address, shown.host, shown.port) = (address.text, host.text, UInt16(port.text) ?? 0)
        show()
    }

    private static func text(_ port: UInt16) -> String { port == 0 ? "" : String(port) }

    /// Updates a field with the saved value, unless the user has edited it.
    private func follow(_ entry: UnsafeMutablePointer<GtkEntry>, _ before: String, _ now: String) {
        if entry.text == before, before != now { gtk_entry_set_text(entry, now) }
    }

    private func showState() {
        let strings = AccountStrings(account)
        setRow("state-row", strings.title, validationError.map(AccountStrings.text) ?? strings.detail)
        mark(address, validationError == .address)
        mark(password, validationError == .password)
        mark(host, validationError == .port)
        mark(port.entry, !isPortRight)
        let isBusy = account.state == .asking || account.state == .connecting
        builder.setSpinning("spinner", isBusy)
        let signsOut = account.isWantedOnline && !isEdited
        gtk_button_set_label(sign.cast(), signsOut ? localized("Sign Out") : localized("Sign In"))
        sign.set(style: "suggested-action", !signsOut)
        let isReady =
            signsOut
            || !address.text.trimmed.isEmpty && isPortRight && !(needsPassword && password.text.isEmpty)
        gtk_widget_set_sensitive(sign, isReady ? 1 : 0)
        gtk_entry_set_placeholder_text(password, needsPassword ? "" : localizedIn("password", "Unchanged"))
        for id in ["enabled-row", "label-row"] {
            builder.setVisible(id, account.isListed && account.details.isAccount)
        }
        builder.setVisible("create", !account.details.isAccount && accounts?.canRegister == true)
        builder.setVisible("remove", account.details.isAccount)
        gateway?.setVisible(account.details.isAccount)
        picture?.setVisible(account.details.isAccount)
        server.show()
    }

    private func showCertificate() {
        var report: CertificateReport?
        if case .failed(.certificate(let found)) = account.state { report = found }
        builder.setVisible("certificate-row", report != nil)
        let trusted = account.trustedCertificate
        builder.setVisible("trusted-row", report == nil && !trusted.isEmpty)
        builder.setVisible("fingerprint-row", report != nil || !trusted.isEmpty)
        if let report {
            setRow("certificate-row", localized("Server Certificate"), AccountStrings.description(of: report))
        }
        setRow(
            "trusted-row", localized("Trusted Certificate"),
            localized("Accepted for this server only, although it fails verification"))
        builder.setText("fingerprint", AccountStrings.fingerprint(report?.fingerprint ?? trusted))
    }

    private func showWeakerSignIn() {
        var offer: WeakerSignIn?
        if case .failed(.weakerSignIn(let found)) = account.state { offer = found }
        builder.setVisible("weaker-row", offer != nil)
        if let offer {
            setRow("weaker-row", localized("A Weaker Sign-In"), AccountStrings.description(of: offer))
        }
    }

    private func setRow(_ id: String, _ title: String, _ subtitle: String) {
        guard let row: UnsafeMutablePointer<HdyActionRow> = try? builder.object(id) else { return }
        hdy_preferences_row_set_title(row.cast(), title)
        hdy_action_row_set_subtitle(row, subtitle)
        // libhandy does not set accessible names for its rows.
        (row.cast() as Widget).setAnnounced(name: title, description: subtitle)
    }

    private func mark(_ entry: UnsafeMutablePointer<GtkEntry>, _ isWrong: Bool) {
        (entry.cast() as Widget).set(style: "error", isWrong)
    }
}
