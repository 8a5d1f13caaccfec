// SPDX-License-Identifier: GPL-3.0-or-later

package import GtkBridge
package import TouchtoneCore

/// The panel's first page: the list of conversations and people, and the open conversation as its detail.
///
/// The header is available at once. The rest is built after the first frame, so that it does not delay start-up.
@MainActor
package final class MessagePanel: PanelPage {
    package let widget: Widget
    package var detail: Widget? { detailBox.cast() }
    /// The place of the conversation, retained in case the window is destroyed before it is filled.
    private let detailBox = GObjectRef(sinking: Widget.box(GTK_ORIENTATION_VERTICAL))
    package var onTitle: (@MainActor () -> Void)?
    package var onDetail: (@MainActor () -> Void)?
    let messenger: Messenger
    private let settings: Settings
    private let resources: Resources
    /// The ways to other parts of the window, set before the panel is shown.
    package weak var navigator: (any Navigator)?
    /// The ways to call the other sides.
    var callees: ConversationCallees? { didSet { insides?.buddies.callees = callees } }
    /// The calls that stand in the conversations.
    var history: CallHistory? { didSet { insides?.conversation.calls.history = history } }
    private let voice: VoiceMessages?
    private let wall: any WallClock
    private let clock: any Scheduler
    private let account: ChatAccount?
    let accounts: JabberAccounts?
    private lazy var emoticons = resources.emoticons
    private let builder: Builder
    private let searchKey: Widget
    let menuKey: UnsafeMutablePointer<GtkMenuButton>
    private(set) var insides: Insides?
    private var accountBar: AccountBar?
    private var spelling: Spelling?
    private(set) var isCovered = false
    var arrangement = PanelArrangement(width: .middle, height: 0, hasWindowButtons: false)
    /// Whether a conversation is about to be opened: what is typed meanwhile is not meant for the present one.
    var isOpening = false
    /// The account that was made last.
    var newAccount: NewAccount?
    /// The accounts of which it was said that their servers keep no keys.
    var keyless: Set<ChatAddress> = []
    /// The accounts besides the first whose states are shown.
    private var followed: Set<ObjectIdentifier> = []

    /// The widgets that are built after the first frame.
    struct Insides {
        let banner: PanelBanner
        let buddies: BuddiesView
        let stack: Widget
        let header: ConversationHeader
        let conversation: ConversationView
        let menu: PanelMenu?
        var search: MessageSearch?
    }

    /// A nil `account` means that accounts are not supported, a nil `accounts` that there is at most one.
    package init(
        resources: Resources, messenger: Messenger, account: ChatAccount?, accounts: JabberAccounts? = nil,
        settings: Settings, voice: VoiceMessages? = nil, wall: any WallClock, clock: any Scheduler
    ) throws(GLibError) {
        (self.messenger, self.clock, self.settings) = (messenger, clock, settings)
        (self.voice, self.wall) = (voice, wall)
        (self.account, self.accounts) = (account, accounts)
        self.resources = resources
        builder = try Builder(file: resources.layout("panel-messages"))
        widget = try builder.object("body")
        searchKey = try builder.object("search-buddies")
        menuKey = try builder.object("panel-menu")
        // The first frame is drawn when the panel becomes visible.
        Signal.connectDraw(widget) { [weak self] _ in
            guard let self, insides == nil else { return }
            MainLoop.afterFrame { [weak self] in self?.build() }
        }
        messenger.observe(by: self) { [weak self] in if $0 == .state { self?.showChat() } }
        messenger.health.observe(by: self) { [weak self] in if $0 == .error { self?.showChat() } }
        messenger.buddies.observe(by: self) { [weak self] in self?.buddiesChanged($0) }
    }

    package var title: String { localized("MESSAGES") }

    package var headerKeys: [Widget] { [searchKey, menuKey.cast()] }

    package func setShown(_ isShown: Bool) {
        messenger.isInView = isShown
        showRequestsInView()
        if isShown { insides?.conversation.checkDay() }
    }

    package func setCovered(_ isCovered: Bool) {
        self.isCovered = isCovered
        accountBar?.isCovered = isCovered
        insides?.buddies.isCovered = isCovered
        insides?.conversation.isCovered = isCovered
        insides?.search?.isCovered = isCovered
        showHeader()
        showChat()
    }

    var hasAccount: Bool {
        messenger.state != .signedOut || settings.has("jabber-jid") && !settings[text: "jabber-jid"].isEmpty
    }

    // MARK: - Display

    private func buddiesChanged(_ change: AllBuddies.Change) {
        guard !isCovered else { return }
        if case .rows = change { insides?.conversation.placeholder = placeholder }
        insides?.conversation.showFrame()
        showHeader()
    }

    private func showChat() {
        guard let insides, !isCovered else { return }
        fitList()
        insides.buddies.showAccounts()
        insides.buddies.show(selected: messenger.selected?.id)
        insides.conversation.show(messenger.selected)
        insides.conversation.showFrame()
        showHeader()
        detailChanged()
        insides.menu?.show()
        insides.conversation.placeholder = placeholder
        showBanner(insides.banner)
    }

    private func showBanner(_ banner: PanelBanner) {
        if let storeError = messenger.health.error(of: .messages) {
            let isOnce = if case .damaged = storeError { true } else { false }
            return banner.show(
                .init(
                    text: PlainText.line(storeError.text, maximum: 400), verb: isOnce ? localized("OK") : "")
            ) { [messenger] in messenger.health.dismiss(.messages) }
        }
        guard hasAccount else {
            return banner.show(
                .init(
                    text: localized("Without an account, only the Operator answers."),
                    verb: localized("Add account"),
                    otherVerb: accounts?.canRegister == true ? localized("Create Account") : "",
                    isFailure: false),
                action: { [weak navigator] in navigator?.openAccount() },
                otherAction: { [weak self] in self?.createAccount() })
        }
        // The account bar asks for the password, so there is no banner.
        if account?.wantsPassword == true { return banner.show(nil) }
        switch account?.state ?? messenger.state {
        case .none, .disabled, .online, .passwordWanted: showOthers(banner)
        case .asking:
            show(localized("Waiting for the keyring…"), isFailure: false, in: banner)
        case .signedOut:
            banner.show(
                .init(text: localized("You are signed out."), verb: localized("Sign In"), isFailure: false)
            ) { [weak self] in self?.signIn() }
        case .connecting: banner.show(.init(text: localized("Connecting…"), isFailure: false))
        case .waiting(let why):
            let verb = account == nil ? "" : localized("Try Now")
            banner.show(.init(text: PlainText.line(why, maximum: 400), verb: verb, isFailure: false)) {
                [weak account] in account?.wakeUp()
            }
        case .failed(let problem): show(problem.text, in: banner)
        }
    }

    /// Shows a text with a key that opens the account.
    private func show(_ text: String, isFailure: Bool = true, in banner: PanelBanner) {
        banner.show(
            .init(
                text: PlainText.line(text, maximum: 400), verb: localized("Account…"), isFailure: isFailure),
            action: { [weak navigator] in navigator?.openAccount() })
    }

    // MARK: - Other accounts

    /// Shows the first problem of an account besides the first.
    private func showOthers(_ banner: PanelBanner) {
        let others = accounts?.others.map(\.account) ?? []
        guard let other = others.first(where: { $0.hasProblem }) else { return banner.show(nil) }
        let words = AccountStrings(other)
        let text = localized(
            "{sender}: {text}",
            ["sender": other.name, "text": words.detail.isEmpty ? words.title : words.detail])
        show(text, in: banner)
    }

    private func followOthers() {
        accounts?.observe(by: self) { [weak self] in
            guard let self else { return }
            // An account that was followed before says nothing new.
            for other in accounts?.others ?? []
            where followed.insert(ObjectIdentifier(other.account)).inserted {
                other.account.observe(by: self) { [weak self] in self?.showChat() }
            }
            showChat()
        }
    }

    // MARK: - Empty places

    private var placeholder: EmptyPlace.Content {
        let hasBuddies =
            messenger.buddies.order.contains { $0.buddy != .operatorAddress }
        guard !hasBuddies, messenger.state == .online else {
            return .init(text: localized("Choose a buddy to start a conversation."))
        }
        return .init(
            title: localized("No buddies yet"),
            text: localized("Add people by their Jabber address or phone number."),
            actions: [.init(localized("Add Buddy…")) { [weak self] in self?.askToAdd("", name: "") }])
    }

    // MARK: - Account

    private func signIn() {
        messenger.ownPresence.availability = .online
        guard let account, account.state == .signedOut else { return }
        do throws(ChatAccount.ValidationError) {
            try account.signIn(account.details)
        } catch {
            navigator?.openAccount()
        }
    }

    private func addAccountBar() {
        // Without a usable layout there is no bar, and only Preferences asks for the password.
        guard let account, let bar = try? AccountBar(resources: resources, account: account) else { return }
        accountBar = bar
        widget.add(bar.widget)
        account.observe(by: self) { [weak self] in self?.showChat() }
    }

    // MARK: - Contents

    /// Builds the widgets that the first frame does not show.
    func build() {
        guard insides == nil else { return }
        let menu: PanelMenu? =
            if let model: UnsafeMutablePointer<GMenuModel> = try? builder.object("panel-menu-model") {
                PanelMenu(
                    messenger: messenger, button: menuKey, model: model, navigator: navigator,
                    hasAccount: { [weak self] in self?.hasAccount ?? false },
                    usedChats: { [messenger, weak accounts] in accounts?.usedChats ?? messenger.chats },
                    search: { [weak self] in self?.searchAll() })
            } else {
                nil
            }
        let insides = Insides(
            banner: PanelBanner(), buddies: BuddiesView(messenger, wall: wall, clock: clock),
            stack: gtk_stack_new(), header: ConversationHeader(),
            conversation: ConversationView(
                messenger: messenger, emoticons: emoticons, navigator: navigator, voice: voice, wall: wall,
                clock: clock),
            menu: menu)
        self.insides = insides
        gtk_stack_add_named(insides.stack.cast(), insides.conversation.widget, "conversation")
        addAccountBar()
        followOthers()
        widget.add(insides.banner.widget)
        widget.add(insides.buddies.widget, grows: true)
        if let detail {
            detail.add(insides.header.widget)
            detail.add(insides.stack, grows: true)
            gtk_widget_show(detail)
        }
        gtk_widget_show_all(insides.stack)
        watch(insides)
        showChat()
    }

    private func watch(_ insides: Insides) {
        let (buddies, conversation) = (insides.buddies, insides.conversation)
        // Release the widgets, which would otherwise still receive changes.
        Signal.connect(widget, "destroy") { [weak self] in self?.insides = nil }
        buddies.onOpen = { [weak self, weak conversation] id in
            guard let self else { return }
            messenger.select(id)
            showConversation()
            conversation?.composer.focus()
        }
        buddies.callees = callees
        conversation.calls.history = history
        buddies.onCall = { [weak self] in self?.navigator?.call($0.callee, of: $0.contact, at: $1) }
        buddies.onEncryption = { [weak self, weak buddies] id in
            buddies?.onOpen?(id)
            // Its header is in place with the next frame.
            MainLoop.afterFrame { if self?.messenger.selected?.id == id { self?.showEncryption() } }
        }
        buddies.onFound = { [weak self] in self?.open(found: $0) }
        buddies.onSearch = { [weak self] isOn in
            guard let self else { return }
            fitList()
            gtk_toggle_button_set_active(searchKey.cast(), isOn ? 1 : 0)
        }
        Signal.connect(searchKey, "toggled") { [searchKey, weak buddies] in
            buddies?.setSearching(gtk_toggle_button_get_active(searchKey.cast()) != 0)
        }
        watchHeader(insides)
        spelling = Spelling(conversation.composer.field.cast(), settings: settings)
        settings.follow("my-messages-side", until: widget) { [settings, weak conversation] in
            conversation?.messages.isMineLeft = settings[text: "my-messages-side"] != "right"
        }
        settings.follow("stamp-lines", until: widget) { [settings, weak conversation] in
            conversation?.messages.joinsRuns = settings[text: "stamp-lines"] == "runs"
        }
        settings.follow("message-styling", until: widget) { [settings, weak conversation] in
            conversation?.messages.isStyled = settings[flag: "message-styling"]
        }
        settings.follow("list-order", until: widget) { [settings, messenger] in
            messenger.buddies.sorting =
                settings[text: "list-order"] == "presence" ? .byPresence : .byTime
        }
        if settings.has("jabber-jid") {
            settings.follow("jabber-jid", until: widget) { [weak self] in self?.showChat() }
        }
        arrange(arrangement)
    }

    /// Focuses the first widget of the page or, if the focus is on the page already, the buddies.
    package func focus() {
        build()
        if arrangement.width == .narrow, isDetailChosen, let field = focusField() {
            return gtk_widget_grab_focus(field)
        }
        // Without an account, the first widget is the key of the bar for one, which Return would press.
        if !hasAccount || widget.holdsFocus, insides?.buddies.focusRow() == true { return }
        gtk_widget_child_focus(widget, GTK_DIR_TAB_FORWARD)
    }

    /// Focuses the field of the open search or of the conversation, or else the buddy search, and returns it.
    package func focusField() -> Widget? {
        guard let insides, !isOpening else { return nil }
        if let search = insides.search, gtk_stack_get_visible_child(insides.stack.cast()) == search.widget {
            return search.focusField()
        }
        guard messenger.selected != nil,
            !(insides.buddies.showsResults && insides.buddies.results.widget.holdsFocus)
        else { return insides.buddies.focusSearch() }
        insides.conversation.composer.focus()
        return insides.conversation.composer.field
    }

    package func close() {
        messenger.select(nil)
        insides = nil
        accountBar = nil
    }

    /// Opens the conversation with a buddy and focuses its message field.
    func open(_ conversation: ConversationID) {
        build()
        isOpening = false
        messenger.select(conversation)
        showConversation()
        insides?.conversation.composer.focus()
    }

    /// The key of the panel’s menu, at which its forms open.
    var menu: Widget { menuKey.cast() }

    /// Opens the form for adding a buddy, filled in with an address and a name; nil asks for the account.
    ///
    /// - Parameter token: The token of the buddy’s invitation; empty for none.
    func askToAdd(
        _ address: String, name: String, invitation token: String = "", of chat: Chat? = nil
    ) {
        build()
        insides?.menu?.askBuddy(address, name: name, invitation: token, of: chat)
    }

    func askToJoin(_ room: String, of chat: Chat? = nil) {
        build()
        insides?.menu?.askRoom(room, of: chat)
    }

    /// Returns the search in the open conversation, which it makes at first.
    func messageSearch(_ insides: Insides) -> MessageSearch {
        if let search = insides.search { return search }
        let search = MessageSearch(messenger, pictures: insides.buddies.pictures, wall: wall)
        self.insides?.search = search
        gtk_stack_add_named(insides.stack.cast(), search.widget, "search")
        search.onFound = { [weak self] in self?.open(found: $0) }
        search.onEverywhere = { [weak self] in self?.searchAll($0) }
        search.onClose = { [weak self] in
            self?.showConversation()
            self?.insides?.conversation.composer.focus()
        }
        return search
    }

    func showConversation() {
        guard let insides else { return }
        gtk_stack_set_visible_child_name(insides.stack.cast(), "conversation")
        detailChanged()
    }
}
