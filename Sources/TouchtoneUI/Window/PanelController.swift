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
    let window: UnsafeMutablePointer<GtkWindow>
    private let cover: LockCover
    let showAccount: @MainActor () -> Void
    private weak var callsPage: CallsPage?
    private(set) weak var contactsPage: ContactsPage?
    /// The number of conversations with numbers that were requested: only the last one is opened.
    var numberRequests = 0

    var phone: Phone { dependencies.phone }

    /// Builds the panel with its first page; other pages are created when they are first shown.
    init(
        _ dependencies: PhoneDependencies, in builder: Builder, of window: UnsafeMutablePointer<GtkWindow>,
        cover: LockCover, pad: NumberPad, resources: Resources, showAccount: @escaping @MainActor () -> Void
    ) throws(GLibError) {
        (self.dependencies, self.window, self.cover) = (dependencies, window, cover)
        self.showAccount = showAccount
        let folding = PanelFolding(
            window: window, leaflet: try builder.object("leaflet"), phone: try builder.object("phone"),
            panel: try builder.object("panel-place"), settings: dependencies.settings)
        self.folding = folding
        side = try SidePanel(resources: resources, clock: MainLoopScheduler()) { folding.toggle() }
        let messages = try MessagePanel(
            resources: resources, messenger: dependencies.messages.messenger,
            account: dependencies.messages.account, accounts: dependencies.messages.accounts,
            settings: dependencies.settings, voice: dependencies.messages.voice,
            wall: dependencies.messages.wall, clock: MainLoopScheduler())
        self.messages = messages
        messages.navigator = self
        let contacts = dependencies.directory.contacts
        messages.callees = ConversationCallees(phone: dependencies.phone) { [phone = dependencies.phone] in
            contacts.contact($0).map { CallWays(of: $0.card, on: phone).isPossible } ?? false
        }
        messages.history = dependencies.directory.history
        dependencies.lines.observe(by: messages) { [weak messages] _ in messages?.callsChanged() }
        contacts.observe(by: messages) { [weak messages] in if $0 == .rows { messages?.callsChanged() } }
        gtk_container_add(try builder.object("panel-place"), side.widget)
        side.add(.messages) { messages }
        addCalls(resources)
        addContacts(pad)
    }

    private func addCalls(_ resources: Resources) {
        side.add(.calls) {
            [weak self, dependencies, toast = side.toast] () throws(GLibError) -> any PanelPage in
            let page = try CallsPage(
                resources: resources, directory: dependencies.directory, phone: dependencies.phone,
                lines: dependencies.lines, chat: dependencies.messages.chat, navigator: self, toast: toast,
                wall: dependencies.messages.wall, voice: dependencies.messages.voice)
            self?.callsPage = page
            return page
        }
    }

    /// Shows the calls, and plays a recording of one.
    func play(_ id: Recording.ID) {
        open(page: .calls)
        callsPage?.play(id)
    }

    private func addContacts(_ pad: NumberPad) {
        side.add(.contacts) { [weak self, dependencies, toast = side.toast] in
            let page = ContactsPage(
                dependencies.directory, phone: dependencies.phone,
                messenger: dependencies.messages.messenger, navigator: self, toast: toast, pad: pad)
            self?.contactsPage = page
            return page
        }
    }

    // MARK: - Navigation

    var isCovered: Bool { cover.isOn }

    func open(page: PanelPageName) {
        if !folding.isOpen { folding.toggle() }
        side.show(page)
    }

    /// Shows the button that leads back to the phone if the window is too narrow for both.
    func showWayBack() { side.show(wayBack: folding.isFolded) }

    /// Updates whether the panel is in view: open, in the active window, and not covered by the lock screen.
    func showLookedAt() {
        side.isInView = folding.isOpen && !isCovered && gtk_window_is_active(window) != 0
    }

    /// Shows the list with the requests and invitations, unless the phone is locked.
    func showRequests() {
        guard !isCovered else { return }
        open(page: .messages)
        messages.showRequests()
    }

    /// Shows the contact with a number, or the form for a new contact with that number.
    func showContact(of number: DialledNumber) {
        open(page: .contacts)
        contactsPage?.show(contactWith: number)
    }

    /// Cancels all dialogs and prompts, so that they can be neither read nor answered while the phone is locked.
    func cancelQuestions() {
        FileDialog.cancelAll()
        TransientPopover.cancel()
    }
}
