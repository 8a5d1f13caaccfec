// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// A subpage of Preferences that sets accounts up from a web address, or from the QR code of one.
///
/// The address is asked only when the user wants it, and of what it offers nothing is saved that the user has not seen and chosen.
@MainActor
final class AccountSetupPage {
    private let page, fetch, choose, add, list: Widget
    private let address: UnsafeMutablePointer<GtkEntry>
    private let note: Widget
    private let builder: Builder
    private let source: any AccountSetupSource
    private let telephone: (any TelephoneAccounts)?
    private let jabber: JabberAccounts?
    private let close: @MainActor () -> Void
    private let askFile: @MainActor (FileDialog.Request) async -> FileDialog.Answer?
    /// The offers that are not saved yet, with the rows that show them.
    private var offers: [(account: ProposedAccount, row: Widget, choice: Widget)] = []
    private var work: Task<Void, Never>?
    private var isDestroyed = false

    /// - Parameter close: Called when the accounts are added, or when the user goes back.
    init(
        _ dependencies: PreferencesDependencies, source: any AccountSetupSource,
        close: @escaping @MainActor () -> Void
    ) throws(GLibError) {
        (self.source, self.close) = (source, close)
        (telephone, jabber) = (dependencies.telephone, dependencies.accounts)
        builder = try Builder(file: dependencies.resources.layout("preferences-setup"))
        (page, list, note) = (
            try builder.object("page"), try builder.object("offers"), try builder.object("note")
        )
        (fetch, choose, add) = (
            try builder.object("fetch"), try builder.object("choose"), try builder.object("add")
        )
        address = try builder.object("address")
        let page = page
        askFile = dependencies.askFile ?? { await FileDialog.ask($0, over: page) }
        Signal.connect(address, "changed") { [weak self] in self?.edited() }
        Signal.connect(address, "activate") { [weak self] in self?.ask() }
        Signal.connect(address, "paste-clipboard") { [weak self] in self?.paste() }
        Signal.connect(fetch, "clicked") { [weak self] in self?.ask() }
        Signal.connect(choose, "clicked") { [weak self] in self?.choosePicture() }
        Signal.connect(add, "clicked") { [weak self] in self?.addChosen() }
        try builder.connect("back", "clicked") { close() }
        Signal.connectFileDrop(page) { [weak self] in
            self?.take(text: $0)
        } _: { [weak self] in
            self?.take($0)
        }
        Signal.connect(page, "destroy") { [weak self] in
            self?.isDestroyed = true
            self?.work?.cancel()
        }
        edited()
    }

    isolated deinit { work?.cancel() }

    /// - Parameter text: The address that another program has given; it is only shown.
    func open(in window: UnsafeMutablePointer<HdyPreferencesWindow>, address text: String = "") {
        hdy_preferences_window_present_subpage(window, page)
        if !text.isEmpty { take(text: text) }
        gtk_widget_grab_focus(address.cast())
    }

    // MARK: - The address

    private func edited() {
        stop()
        show([])
        tell("")
    }

    private func stop() {
        work?.cancel()
        work = nil
        setBusy(false)
    }

    private func setBusy(_ isBusy: Bool) {
        guard !isDestroyed else { return }
        builder.setSpinning("spinner", isBusy)
        gtk_widget_set_sensitive(fetch, !isBusy && !address.text.trimmed.isEmpty ? 1 : 0)
        gtk_widget_set_sensitive(choose, isBusy ? 0 : 1)
    }

    /// Asks the address what it offers.
    private func ask() {
        guard gtk_widget_get_sensitive(fetch) != 0 else { return }
        let text = address.text.trimmed
        guard source.host(of: text) != nil else {
            return tell(AccountSetupStrings.text(.transfer(.invalidAddress)))
        }
        begin { page in
            let result: Result<AccountSetup, AccountSetupError>
            do throws(AccountSetupError) {
                result = .success(try await page.source.setup(at: text))
            } catch {
                result = .failure(error)
            }
            guard !Task.isCancelled else { return }
            switch result {
            case .success(let setup): page.show(setup, from: text)
            case .failure(let error): page.tell(AccountSetupStrings.text(error))
            }
        }
        tell(localized("Asking the server…"))
    }

    /// Does something that takes time, until the user goes on to something else.
    private func begin(_ body: @escaping @MainActor (AccountSetupPage) async -> Void) {
        stop()
        show([])
        setBusy(true)
        work = Task { [weak self] in
            guard let self else { return }
            await body(self)
            if !Task.isCancelled { setBusy(false) }
        }
    }

    private func tell(_ text: String) {
        guard !isDestroyed else { return }
        note.text = text
        note.isVisible = !text.isEmpty
        if !text.isEmpty { note.announce(text) }
    }

    // MARK: - Pictures

    private func choosePicture() {
        Task { [weak self, askFile] in
            guard let file = await askFile(PictureChoice.request) else { return }
            self?.read(.file(file.uri))
        }
    }

    private func paste() {
        Clipboard.readAttachment { [weak self] in self?.take($0) }
    }

    private func take(text: String) {
        guard !isDestroyed else { return }
        gtk_entry_set_text(address, PlainText.line(text.trimmed, maximum: 2048))
    }

    private func take(_ attachment: Attachment) {
        guard !isDestroyed else { return }
        do throws(PictureChoice.Problem) {
            if let picture = try PictureChoice.Source(attachment) { read(picture) }
        } catch {
            tell(error.text)
        }
    }

    /// Reads the code in a picture; its address is only shown, and the user decides whether it is asked.
    private func read(_ picture: PictureChoice.Source) {
        guard !isDestroyed else { return }
        gtk_entry_set_text(address, "")
        begin { page in
            do throws(PictureChoice.Problem) {
                let text = try await picture.code()
                if !Task.isCancelled { page.show(code: text) }
            } catch {
                if !Task.isCancelled { page.tell(error.text) }
            }
        }
        tell(localized("Reading the picture…"))
    }

    private func show(code text: String) {
        guard let host = source.host(of: text) else {
            return tell(
                localized("The QR code in this picture is not a web address that begins with https://."))
        }
        take(text: text)
        tell(
            localized("The code has an address of {name}. Check it, then get its accounts.", ["name": host]))
    }

    // MARK: - Offers

    private func show(_ setup: AccountSetup, from address: String) {
        show(setup.accounts)
        // Anybody may have made an address of a host that leads on to theirs.
        let host = setup.host.isEmpty ? source.host(of: address) ?? "" : setup.host
        tell(
            setup.name.isEmpty
                ? localized("Accounts from {host}. Nothing is saved yet.", ["host": host])
                : localized(
                    "Accounts from {host}, which calls itself “{name}”. Nothing is saved yet.",
                    ["host": host, "name": setup.name]))
        if let first = offers.first(where: { gtk_widget_get_sensitive($0.choice) != 0 }) {
            gtk_widget_grab_focus(first.choice)
        }
    }

    private func show(_ accounts: [ProposedAccount]) {
        guard !isDestroyed else { return }
        for offer in offers { gtk_widget_destroy(offer.row) }
        offers = accounts.map(makeOffer)
        list.isVisible = !offers.isEmpty
        add.isVisible = !offers.isEmpty
        // One key alone is the next step.
        fetch.set(style: "suggested-action", offers.isEmpty)
        showAdd()
    }

    private func makeOffer(_ account: ProposedAccount) -> (ProposedAccount, Widget, Widget) {
        let row: Widget = hdy_action_row_new()
        let choice: Widget = gtk_check_button_new()
        let problem = problem(of: account)
        let details = problem ?? AccountSetupStrings.details(of: account)
        hdy_preferences_row_set_title(row.cast(), account.address)
        hdy_action_row_set_subtitle(row.cast(), details)
        hdy_action_row_set_title_lines(row.cast(), 0)
        hdy_action_row_set_subtitle_lines(row.cast(), 0)
        hdy_preferences_row_set_use_underline(row.cast(), 0)
        gtk_widget_set_valign(choice, GTK_ALIGN_CENTER)
        cgtk_widget_set_accessible(choice, account.address, details)
        cgtk_widget_set_accessible(row, account.address, details)
        gtk_container_add(row.cast(), choice)
        hdy_action_row_set_activatable_widget(row.cast(), choice)
        gtk_toggle_button_set_active(choice.cast(), problem == nil ? 1 : 0)
        gtk_widget_set_sensitive(choice, problem == nil ? 1 : 0)
        Signal.connect(choice, "toggled") { [weak self] in self?.showAdd() }
        gtk_container_add(list.cast(), row)
        gtk_widget_show_all(row)
        return (account, row, choice)
    }

    /// Returns why an account cannot be added; nil if it can.
    private func problem(of account: ProposedAccount) -> String? {
        switch account {
        case .sip(let setup):
            guard let telephone, telephone.isSupported else {
                return localized("Calls over SIP need the program touchtone-sip, which is not installed.")
            }
            let isKnown = telephone.accounts.contains { $0.address == setup.address }
            return isKnown ? SIPAccountStrings.text(.exists) : nil
        case .jabber(let setup):
            guard let jabber else { return localized("This installation has no room for Jabber accounts.") }
            if let problem = jabber.first.problem(of: setup.details) { return AccountStrings.text(problem) }
            let wanted = setup.details.address.lowercased()
            let isKnown = jabber.all.contains { $0.details.address.lowercased() == wanted }
            return isKnown ? SIPAccountStrings.text(.exists) : nil
        }
    }

    private var chosen: [(account: ProposedAccount, row: Widget, choice: Widget)] {
        offers.filter { gtk_toggle_button_get_active($0.choice.cast()) != 0 }
    }

    private func showAdd() {
        let count = chosen.count
        gtk_widget_set_sensitive(add, count > 0 ? 1 : 0)
        gtk_button_set_label(
            add.cast(), localizedPlural("Add {count} Account", "Add {count} Accounts", count))
    }

    /// Saves the chosen accounts; those that cannot be saved stay, with the reason.
    private func addChosen() {
        var hasFailed = false
        for offer in chosen {
            guard let problem = save(offer.account) else {
                gtk_toggle_button_set_active(offer.choice.cast(), 0)
                gtk_widget_set_sensitive(offer.choice, 0)
                continue
            }
            hasFailed = true
            hdy_action_row_set_subtitle(offer.row.cast(), problem)
            cgtk_widget_set_accessible(offer.choice, offer.account.address, problem)
            note.announce(problem)
        }
        guard !hasFailed else { return }
        gtk_entry_set_text(address, "")
        close()
    }

    /// Saves an account; returns the reason if it cannot be saved.
    private func save(_ account: ProposedAccount) -> String? {
        if let problem = problem(of: account) { return problem }
        switch account {
        case .sip(let setup):
            do throws(TelephoneAccountError) {
                try telephone?.add(setup)
            } catch {
                return SIPAccountStrings.text(error)
            }
        case .jabber(let setup):
            do throws(ChatAccount.ValidationError) {
                guard try jabber?.add(setup) == true else { return SIPAccountStrings.text(.tooMany) }
            } catch {
                return AccountStrings.text(error)
            }
        }
        return nil
    }
}
