// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// A popover that makes an account: it shows the server or asks for it, then shows the server's form.
///
/// Nothing is sent before the user continues, and it stays open until there is an account or the user closes it.
@MainActor
final class RegistrationPrompt {
    typealias Made = (account: ChatAccount, chat: Chat)

    private enum Step {
        case server
        case certificate(CertificateReport)
        case form(RegistrationForm, RoomFormFields)
        /// The account can be made only on the server's page.
        case page
    }

    private let accounts: JabberAccounts
    private let invitation: AccountInvitation?
    private let made: @MainActor (Made) -> Void
    private let popover: TransientPopover
    private let place = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 8)
    private let status = Widget.wrappedLabel()
    private let page = Widget.wrappedButton(localized("Open Web Page"))
    private let apply = Widget.button(localized("Continue"), style: "suggested-action")
    private var server: Widget?
    private var alternative: Widget?
    private var request: RegistrationRequest
    private var registration: (any AccountRegistration)?
    private var step = Step.server
    private var isMaking = false
    /// The prompt that was opened last.
    private static weak var last: RegistrationPrompt?

    private init(
        _ accounts: JabberAccounts, _ invitation: AccountInvitation?, connection: AccountDetails,
        at widget: Widget, made: @escaping @MainActor (Made) -> Void
    ) {
        (self.accounts, self.invitation, self.made) = (accounts, invitation, made)
        request = RegistrationRequest(
            server: invitation?.server ?? "", connection: connection,
            trustedCertificate: Self.certificate(for: connection, of: accounts.first),
            token: invitation?.tokenForServer ?? "")
        popover = TransientPopover(at: widget)
    }

    /// Opens the prompt, unless it is open for the same invitation or an account is being made.
    ///
    /// - Parameters:
    ///   - connection: The host, the port and the security, if they are set.
    ///   - signIn: Opens the place for an account that exists; nil if the prompt is beside it.
    ///   - made: Called once the account exists and signs in.
    static func ask(
        _ accounts: JabberAccounts, invitation: AccountInvitation? = nil,
        connection: AccountDetails = AccountDetails(), at widget: Widget,
        signIn: (@MainActor () -> Void)? = nil, made: @escaping @MainActor (Made) -> Void
    ) {
        if let last, last.popover.isOpen, last.isMaking || last.invitation == invitation { return }
        guard accounts.canRegister else { return }
        let prompt = RegistrationPrompt(
            accounts, invitation, connection: connection, at: widget, made: made)
        prompt.build(signIn)
        prompt.popover.open(with: prompt)
        last = prompt
        gtk_widget_grab_focus(prompt.server ?? prompt.apply)
    }

    /// Returns the certificate that was trusted for a host before there was an account; empty for none.
    private static func certificate(for connection: AccountDetails, of account: ChatAccount) -> String {
        let known = account.details
        guard !known.isAccount, !known.host.isEmpty, known.host == connection.host,
            known.port == connection.port
        else { return "" }
        return account.trustedCertificate
    }

    // MARK: - Building

    private func build(_ signIn: (@MainActor () -> Void)?) {
        let column = popover.makeColumn(localized("Create Account"))
        if let invitation { addInvitation(invitation, to: place) }
        if request.server.isEmpty { server = addServer() }
        let scrolled = Widget.scroller(place)
        gtk_scrolled_window_set_propagate_natural_height(scrolled.cast(), 1)
        gtk_scrolled_window_set_max_content_height(scrolled.cast(), 320)
        gtk_container_set_focus_vadjustment(
            place.cast(), gtk_scrolled_window_get_vadjustment(scrolled.cast()))
        column.add(scrolled, grows: true)
        column.add(status)
        column.add(page)
        column.add(buttons(signIn))
        gtk_widget_show_all(column)
        (status.isVisible, page.isVisible) = (false, false)
        gtk_widget_set_can_default(apply, 1)
        gtk_popover_set_default_widget(popover.widget.cast(), apply)
        Signal.connect(apply, "clicked") { [weak self] in self?.proceed() }
        // The last reference to the prompt may be this one.
        Signal.connect(popover.widget, "destroy") { [self] in closed() }
    }

    private func addInvitation(_ invitation: AccountInvitation, to column: Widget) {
        if !invitation.inviter.isEmpty {
            let name = PlainText.line(invitation.inviter, maximum: 120)
            column.add(Widget.wrappedLabel(localized("{name} invites you to chat.", ["name": name])))
        }
        if !invitation.server.isEmpty {
            let name = PlainText.line(invitation.server, maximum: 120)
            column.add(
                Widget.wrappedLabel(localized("Your account will be on {server}.", ["server": name])))
        }
    }

    private func addServer() -> Widget {
        let entry: Widget = gtk_entry_new()
        gtk_entry_set_max_length(entry.cast(), 255)
        gtk_entry_set_width_chars(entry.cast(), 8)
        gtk_entry_set_placeholder_text(entry.cast(), "example.org")
        gtk_entry_set_activates_default(entry.cast(), 1)
        cgtk_widget_set_accessible(entry, localized("Server"), nil)
        place.add(.label(localized("Server"), style: "ask-name"))
        place.add(entry)
        return entry
    }

    private func buttons(_ signIn: (@MainActor () -> Void)?) -> Widget {
        let row = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 8)
        if let signIn {
            let button = Widget.wrappedButton(localized("I Have an Account"))
            Signal.connect(button, "clicked") {
                TransientPopover.cancel()
                signIn()
            }
            row.add(button)
            alternative = button
        }
        gtk_box_pack_end(row.cast(), apply, 0, 0, 0)
        return row
    }

    private func closed() {
        // An account that is being made is kept, also if the prompt is closed.
        if !isMaking { registration?.end() }
    }

    // MARK: - Steps

    private func proceed() {
        guard gtk_widget_get_sensitive(apply) != 0 else { return }
        switch step {
        case .server:
            if let server { request.server = server.entryText.trimmed }
            load()
        case .certificate(let report):
            request.trustedCertificate = report.fingerprint
            load()
        case .form(let form, let fields): make(form, fields)
        case .page: break
        }
    }

    /// Requests the form of the server.
    private func load() {
        registration?.end()
        registration = accounts.registration(request)
        guard let registration else {
            return say(localized("This is not the name of a server. Example: example.org"), isProblem: true)
        }
        setBusy(true)
        Task { [self] in
            do throws(RegistrationError) {
                let form = try await registration.form()
                guard popover.isOpen, registration === self.registration else { return registration.end() }
                show(form)
            } catch {
                guard popover.isOpen, registration === self.registration else { return }
                show(error)
            }
        }
    }

    private func show(_ form: RegistrationForm) {
        setBusy(false)
        clearPlace()
        var form = form
        if let name = invitation?.name, form[RegistrationForm.nameField]?.isEmpty == true {
            form[RegistrationForm.nameField] = name
        }
        setPage(form.page)
        guard form.canBeSent else {
            if !form.form.instructions.isEmpty { place.add(Widget.wrappedLabel(form.form.instructions)) }
            gtk_widget_show_all(place)
            step = .page
            apply.isVisible = false
            say(
                form.page.isEmpty
                    ? localized("The server’s form can’t be shown. Make the account on its website instead.")
                    : localized("This server makes accounts on its website."),
                isProblem: form.page.isEmpty)
            if !form.page.isEmpty { gtk_widget_grab_focus(page) }
            return
        }
        let fields = RoomFormFields(form.form, pictures: form.pictures)
        place.add(fields.widget)
        gtk_widget_show_all(place)
        step = .form(form, fields)
        gtk_button_set_label(apply.cast(), localizedIn("button", "Create"))
        gtk_widget_child_focus(fields.widget, GTK_DIR_TAB_FORWARD)
    }

    private func make(_ form: RegistrationForm, _ fields: RoomFormFields) {
        guard let registration else { return }
        var form = form
        form.form = fields.form
        if let missing = form.missing {
            return say(localized("Fill in “{field}”.", ["field": missing.label]), isProblem: true)
        }
        setBusy(true)
        isMaking = true
        Task { [self] in
            defer { isMaking = false }
            do throws(RegistrationError) {
                let account = try await registration.register(form)
                popover.close()
                if let signedIn = accounts.signIn(account) { made(signedIn) }
            } catch {
                guard popover.isOpen else { return registration.end() }
                show(error)
            }
        }
    }

    private func show(_ error: RegistrationError) {
        setBusy(false)
        say(PlainText.line(error.text, maximum: 400), isProblem: true)
        guard let report = error.certificate, !report.fingerprint.isEmpty else { return }
        clearPlace()
        let words = [AccountStrings.description(of: report), AccountStrings.fingerprint(report.fingerprint)]
        for text in words where !text.isEmpty { place.add(Widget.wrappedLabel(text)) }
        gtk_widget_show_all(place)
        step = .certificate(report)
        gtk_button_set_label(apply.cast(), localized("Trust This Certificate"))
    }

    // MARK: - Display

    private func clearPlace() {
        server = nil
        alternative?.isVisible = false
        gtk_container_foreach(place.cast(), { child, _ in gtk_widget_destroy(child) }, nil)
    }

    private func setPage(_ address: String) {
        page.isVisible = !address.isEmpty
        guard !address.isEmpty else { return }
        gtk_widget_set_tooltip_text(page, PlainText.line(address, maximum: 300))
        Signal.connect(page, "clicked") { [page] in
            gtk_show_uri_on_window(
                gtk_widget_get_toplevel(page)?.cast(), address, gtk_get_current_event_time(), nil)
        }
    }

    private func setBusy(_ isBusy: Bool) {
        gtk_widget_set_sensitive(apply, isBusy ? 0 : 1)
        gtk_widget_set_sensitive(place, isBusy ? 0 : 1)
        if isBusy { say(localized("Connecting…"), isProblem: false) } else { status.isVisible = false }
    }

    private func say(_ text: String, isProblem: Bool) {
        status.set(style: "problem", isProblem)
        status.text = text
        status.isVisible = true
        status.announce(text)
    }
}
