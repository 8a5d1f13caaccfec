// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The panel beside the phone: its pages, and the ways to them and back.
@MainActor
final class PanelController {
    let side: SidePanel
    let messages: MessagePanel
    let folding: PanelFolding
    let parts: PhoneApplication.Dependencies
    let openXMPP: @MainActor (String) -> Void
    private let window: UnsafeMutablePointer<GtkWindow>
    private let cover: LockCover
    private weak var contactsPage: ContactsPage?

    /// Builds the panel with its first page, and puts it into the window; the others are made when they are first shown.
    init(
        _ parts: PhoneApplication.Dependencies, in builder: Builder,
        of window: UnsafeMutablePointer<GtkWindow>,
        cover: LockCover, pad: NumberPad, resources: Resources, environment: PhoneWindow.Environment
    ) throws(GLibError) {
        (self.parts, self.window, self.cover) = (parts, window, cover)
        let (phone, openXMPP) = (parts.phone, environment.openXMPP)
        self.openXMPP = openXMPP
        let folding = PanelFolding(
            window: window, leaflet: try builder.object("leaflet"), phone: try builder.object("phone"),
            panel: try builder.object("panel-place"), settings: parts.settings)
        self.folding = folding
        side = try SidePanel(resources: resources, clock: MainLoopScheduler()) { folding.toggle() }
        let open: @MainActor (TextLink) -> Void = { link in
            switch link {
            case .number(let number):
                phone.paste(number)
                if folding.isFolded { folding.toggle() }
            case .xmpp(let uri): openXMPP(uri)
            case .web(let uri), .sip(let uri):
                gtk_show_uri_on_window(window, uri, gtk_get_current_event_time(), nil)
            }
        }
        let messages = try MessagePanel(
            resources: resources, chat: parts.messages.chat, account: parts.messages.account,
            settings: parts.settings,
            environment: MessagePanelEnvironment(open: open, openAccount: environment.openAccount),
            wall: parts.messages.wall, clock: MainLoopScheduler())
        self.messages = messages
        gtk_container_add(try builder.object("panel-place"), side.widget)
        side.add(.messages) { messages }
        addCalls(resources)
        addContacts(pad)
    }

    private func addCalls(_ resources: Resources) {
        let environment = callsEnvironment
        side.add(.calls) { [parts, toast = side.toast] () throws(GLibError) -> any PanelPage in
            try CallsPage(
                resources: resources, history: parts.directory.history, environment: environment,
                toast: toast,
                wall: parts.messages.wall)
        }
    }

    private func addContacts(_ pad: NumberPad) {
        side.add(.contacts) { [weak self, parts, openXMPP, toast = side.toast] in
            let page = ContactsPage(
                book: parts.directory.contacts, vCards: parts.directory.vCards,
                environment: ContactsPageEnvironment(
                    phone: parts.phone, showPhone: { self?.showPhoneIfFolded() },
                    message: { openXMPP(XMPPURI($0, .open).text) }, toast: toast, pad: pad,
                    askFile: { await self?.askFile($0) }))
            self?.contactsPage = page
            return page
        }
    }
}

// MARK: - Ways

extension PanelController {
    /// Shows a page of the panel, and the panel for it.
    func open(page: PanelPageName) {
        if !folding.isOpen { folding.toggle() }
        side.show(page)
    }

    /// Shows the phone, where the panel is in its place.
    func showPhone() {
        if folding.isFolded, folding.isOpen { folding.toggle() }
    }

    private func showPhoneIfFolded() {
        if folding.isFolded { folding.toggle() }
    }

    /// Shows the way back to the phone, where the window has room for one of the two only.
    func showWayBack() { side.show(wayBack: folding.isFolded) }

    /// What the panel shows is seen while it is open, the window is the one in use, and the phone is not locked.
    func showLookedAt() {
        side.isInView = folding.isOpen && !cover.isOn && gtk_window_is_active(window) != 0
    }

    /// Opens the conversation with somebody, and the panel for it.
    func showConversation(with buddy: ChatAddress) {
        open(page: .messages)
        messages.open(buddy)
    }

    /// Asks whether to add somebody, in the panel.
    func showAdding(of address: String, name: String) {
        open(page: .messages)
        messages.askToAdd(address, name: name)
    }

    /// Shows a contact in the panel.
    func showContact(_ id: Contact.ID) {
        open(page: .contacts)
        contactsPage?.show(id)
    }

    /// Opens the fields of a new contact in the panel, with what is known filled in.
    func addContact(_ card: ContactCard) {
        open(page: .contacts)
        contactsPage?.edit(new: card)
    }

    /// Shows the contact that has a number, or opens the fields of a new one with that number.
    func showContact(of number: DialledNumber) {
        if let contact = parts.directory.contacts.contact(for: number) { return showContact(contact.id) }
        let methods =
            number.isDialable ? [ContactMethod(.number, parts.phone.text(of: number), label: .mobile)] : []
        addContact(ContactCard(name: "", methods: methods))
    }
}

// MARK: - Questions

extension PanelController {
    /// Asks for a file; nil where none was chosen, or where the phone has been locked meanwhile.
    func askFile(_ request: FileDialog.Request) async -> FileDialog.Answer? {
        guard !cover.isOn else { return nil }
        let answer = await FileDialog.ask(request, over: window.cast())
        // One that came just before the lock is not acted upon behind it.
        return cover.isOn ? nil : answer
    }

    /// Takes back all that is asked: nobody else is to answer it, or to see what it is about.
    func cancelQuestions() {
        FileDialog.cancelAll()
        PromptPopover.cancel()
    }
}
