// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The panel beside the phone: its pages and the navigation between them.
@MainActor
final class PanelController {
    let side: SidePanel
    let messages: MessagePanel
    let folding: PanelFolding
    let dependencies: PhoneDependencies
    let openXMPP: @MainActor (String) -> Void
    private let window: UnsafeMutablePointer<GtkWindow>
    private let cover: LockCover
    let openAccount: @MainActor () -> Void
    private weak var contactsPage: ContactsPage?
    /// The number of conversations with numbers that were requested: only the last one is opened.
    var numberRequests = 0

    /// Builds the panel with its first page, and adds it to the window.
    ///
    /// Other pages are created when they are first shown.
    init(
        _ dependencies: PhoneDependencies, in builder: Builder,
        of window: UnsafeMutablePointer<GtkWindow>,
        cover: LockCover, pad: NumberPad, resources: Resources, environment: PhoneWindow.Environment
    ) throws(GLibError) {
        (self.dependencies, self.window, self.cover) = (dependencies, window, cover)
        let (phone, openXMPP) = (dependencies.phone, environment.openXMPP)
        self.openXMPP = openXMPP
        openAccount = environment.openAccount
        let folding = PanelFolding(
            window: window, leaflet: try builder.object("leaflet"), phone: try builder.object("phone"),
            panel: try builder.object("panel-place"), settings: dependencies.settings)
        self.folding = folding
        side = try SidePanel(resources: resources, clock: MainLoopScheduler()) { folding.toggle() }
        let open: @MainActor (TextLink) -> Void = { link in
            switch link {
            case .number(let number):
                phone.paste(number)
                folding.showPhone()
            case .xmpp(let uri): openXMPP(uri)
            case .sip(let uri):
                phone.open(link: uri)
                folding.showPhone()
            case .web(let uri):
                gtk_show_uri_on_window(window, uri, gtk_get_current_event_time(), nil)
            }
        }
        let messages = try MessagePanel(
            resources: resources, chat: dependencies.messages.chat, account: dependencies.messages.account,
            settings: dependencies.settings,
            environment: MessagePanelEnvironment(
                open: open, openAccount: environment.openAccount,
                askFile: { [cover] request in
                    await Self.askFile(request, over: window, unless: cover)
                },
                openFile: { Self.openFile($0, over: window) }, voice: dependencies.messages.voice),
            wall: dependencies.messages.wall, clock: MainLoopScheduler())
        self.messages = messages
        gtk_container_add(try builder.object("panel-place"), side.widget)
        side.add(.messages) { messages }
        addCalls(resources)
        addContacts(pad)
    }

    private func addCalls(_ resources: Resources) {
        let environment = callsEnvironment
        side.add(.calls) { [dependencies, toast = side.toast] () throws(GLibError) -> any PanelPage in
            try CallsPage(
                resources: resources, history: dependencies.directory.history, environment: environment,
                toast: toast,
                wall: dependencies.messages.wall)
        }
    }

    private func addContacts(_ pad: NumberPad) {
        side.add(.contacts) { [weak self, dependencies, openXMPP, toast = side.toast] in
            var environment = ContactsPageEnvironment(
                phone: dependencies.phone, showPhone: { self?.showPhone() },
                message: { openXMPP(XMPPURI($0, .open).text) }, toast: toast, pad: pad,
                askFile: { await self?.askFile($0) })
            environment.messageNumber = { self?.showConversation(with: $0) }
            environment.activity = { [dependencies] card in
                ContactActivity(
                    call: await dependencies.directory.history.lastCall(with: card),
                    message: await dependencies.messages.chat.lastMessage(with: card))
            }
            let page = ContactsPage(
                book: dependencies.directory.contacts, vCards: dependencies.directory.vCards,
                environment: environment)
            self?.contactsPage = page
            return page
        }
    }
}

// MARK: - Navigation

extension PanelController {
    /// Whether the lock screen covers the phone.
    var isCovered: Bool { cover.isOn }

    /// Opens the panel at a page.
    func open(page: PanelPageName) {
        if !folding.isOpen { folding.toggle() }
        side.show(page)
    }

    /// Shows the phone if the panel replaces it in a narrow window.
    func showPhone() { folding.showPhone() }

    /// Shows the button that leads back to the phone if the window is too narrow for both.
    func showWayBack() { side.show(wayBack: folding.isFolded) }

    /// Updates whether the panel is in view: open, in the active window, and not covered by the lock screen.
    func showLookedAt() {
        side.isInView = folding.isOpen && !cover.isOn && gtk_window_is_active(window) != 0
    }

    /// Opens the panel at the conversation with a buddy.
    func showConversation(with buddy: ChatAddress) {
        open(page: .messages)
        messages.open(buddy)
    }

    /// Opens the panel with the form for adding a buddy, filled in.
    func showAdding(of address: String, name: String) {
        open(page: .messages)
        messages.askToAdd(address, name: name)
    }

    /// Opens the panel with the form for joining a room, filled in: only the user joins.
    func showJoining(of room: String) {
        open(page: .messages)
        messages.askToJoin(room)
    }

    /// Shows a contact in the panel.
    func showContact(_ id: Contact.ID) {
        open(page: .contacts)
        contactsPage?.show(id)
    }

    /// Opens the panel with the form for a new contact, filled in from a card.
    func addContact(_ card: ContactCard) {
        open(page: .contacts)
        contactsPage?.edit(new: card)
    }

    /// Shows the contact with a number, or the form for a new contact with that number.
    func showContact(of number: DialledNumber) {
        open(page: .contacts)
        contactsPage?.show(contactWith: number)
    }
}

// MARK: - Dialogs

extension PanelController {
    /// Asks for a file.
    ///
    /// Returns nil if the user chooses none, or if the phone is locked in the meantime.
    func askFile(_ request: FileDialog.Request) async -> FileDialog.Answer? {
        await Self.askFile(request, over: window, unless: cover)
    }

    private static func askFile(
        _ request: FileDialog.Request, over window: UnsafeMutablePointer<GtkWindow>, unless cover: LockCover
    ) async -> FileDialog.Answer? {
        guard !cover.isOn else { return nil }
        let answer = await FileDialog.ask(request, over: window.cast())
        // Discard an answer that was given just before the phone was locked.
        return cover.isOn ? nil : answer
    }

    /// Opens a file with the desktop’s application.
    private static func openFile(_ path: String, over window: UnsafeMutablePointer<GtkWindow>) {
        guard let uri = Files.uri(of: path) else { return }
        gtk_show_uri_on_window(window, uri, gtk_get_current_event_time(), nil)
    }

    /// Cancels all dialogs and prompts, so that they can be neither read nor answered while the phone is locked.
    func cancelQuestions() {
        FileDialog.cancelAll()
        TransientPopover.cancel()
    }
}
