// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The list of conversations and people, with the pending requests, and the search in people and messages.
@MainActor
final class BuddiesView {
    let widget = Widget.box(GTK_ORIENTATION_VERTICAL, style: "buddies")
    let list = VirtualList<ConversationID, BuddyRow>(name: localized("Buddies"), guess: 56) { BuddyRow() }
    let messenger: Messenger
    private let wall: any WallClock
    private let search: Widget = gtk_search_entry_new()
    let requests = SubscriptionRequestCards()
    /// The results of the search, which take the place of the list.
    private(set) lazy var results = makeResults()
    private var hasResults = false
    let pictures: AvatarLoader<ConversationID>
    /// The content of the rows that are built, as it is shown.
    private var shown: [ConversationID: BuddyList.Row] = [:]
    private var selected: ConversationID?
    private var firstPerson: ConversationID?
    /// The names of the accounts that the rows show.
    private var accounts: [String] = []
    /// The room for the list; it has whole rows only.
    var room = ListRoom.all { didSet { if room != oldValue { fitHeight() } } }
    /// The height of the rows in sight, in pixels; negative for all the room.
    private var fitted: gint = -1
    /// Whether the pointer is over the list, whose rows keep their places until it leaves.
    private var isPointedAt = false
    private let day: DayWatch
    /// Whether the phone is locked: there are no rows, and nothing new is shown.
    var isCovered = false {
        didSet { if isCovered != oldValue { coverChanged() } }
    }
    var onOpen: (@MainActor (ConversationID) -> Void)?
    var onEncryption: (@MainActor (ConversationID) -> Void)?
    var onCall: (@MainActor (ConversationCall, Widget) -> Void)?
    /// The ways to call the other sides.
    var callees: ConversationCallees?
    /// Called when a message is chosen among the results of a search.
    var onFound: (@MainActor (ChatMessage) -> Void)?
    /// Called when the search opens (true) or closes (false).
    var onSearch: (@MainActor (Bool) -> Void)?
    var onPicture: (@MainActor (ConversationID) -> Void)?

    init(_ messenger: Messenger, wall: any WallClock, clock: any Scheduler) {
        (self.messenger, self.wall) = (messenger, wall)
        pictures = AvatarLoader(of: messenger, side: 40, on: widget)
        day = DayWatch(clock: clock, wall: wall) { [list] in list.updateAll() }
        setUpSearch()
        for part in [search, requests.widget] { widget.add(part) }
        widget.add(list.widget, grows: true)
        gtk_widget_show_all(widget)
        requests.onAnswer = { [weak self] in self?.answer($0, $1) }
        requests.onLeave = { [weak self] in self?.focusNext() }
        requests.onInvitation = { [weak self] in self?.answer($0, accept: $1) }
        pictures.onRead = { [weak self] id in
            self?.update(id)
            self?.onPicture?(id)
        }
        watchList()
        messenger.buddies.observe(by: self) { [weak self] in self?.changed($0) }
        showRows()
        showRequests()
    }

    private func watchList() {
        list.snapsToRows = true
        list.show = { [weak self] in self?.show($1, in: $0) }
        list.onActivate = { [weak self] id, _ in self?.onOpen?(id) }
        // The height of a row is known only after the list has measured one.
        list.onMove = { [weak self] in self?.fitHeight() }
        list.onMenu = { [weak self] id, row, event in
            self?.menu(of: id, row).show(at: row.box, event: event)
        }
        list.onKey = { [weak self] id, key in
            guard let self, let row = list.row(id) else { return false }
            return keyPressed(key, on: id, row)
        }
        Signal.connect(list.widget, "map") { [weak day] in day?.start() }
        Signal.connect(list.widget, "unmap") { [weak self] in
            self?.day.stop()
            self?.pointerMoved(isOver: false)
        }
        list.onPointer = { [weak self] in self?.pointerMoved(isOver: $0) }
    }

    private func showRequests() {
        requests.show(messenger.buddies.requests, invitations: messenger.buddies.invitations)
    }

    private func coverChanged() {
        if !isCovered {
            showRows()
            showRequests()
        }
        list.isCovered = isCovered
        if hasResults { results.isCovered = isCovered }
    }

    private func update(_ id: ConversationID) {
        list.update(id)
        if hasResults { results.update(id) }
    }

    /// Shows the rows again if the names of the accounts have changed.
    func showAccounts() {
        let names = messenger.accountNames
        guard names != accounts else { return }
        accounts = names
        guard !isCovered else { return }
        list.updateAll()
        if hasResults { results.peopleChanged() }
    }

    private func changed(_ change: AllBuddies.Change) {
        switch change {
        case .rows where !isCovered: showRows()
        case .row(let id) where !isCovered:
            if shown[id]?.person != messenger.buddies.row(of: id)?.person { pictures.forget(id) }
            update(id)
        case .requests where !isCovered: showRequests()
        case .rows, .row, .requests, .typing: break
        case .picture(let id):
            pictures.forget(id)
            update(id)
            onPicture?(id)
        }
    }

    private func show(_ id: ConversationID, in row: BuddyRow) {
        guard let buddy = messenger.buddies.row(of: id) else { return }
        shown[id] = buddy
        row.show(
            BuddyRow.Content(
                buddy: buddy, isSelected: id == selected,
                section: id == firstPerson ? localized("PEOPLE") : "",
                account: buddy.isOperator ? "" : messenger.accountName(of: id),
                picture: pictures.picture(of: id), now: wall.now))
    }

    private func showRows() {
        let buddies = messenger.buddies
        // What the pointer is over must not move away before a click.
        if !isPointedAt || buddies.order != list.ids && Set(buddies.order) != Set(list.ids) { arrange() }
        let built = Set(list.builtIDs)
        shown = shown.filter { built.contains($0.key) }
        for id in built where shown[id] != buddies.row(of: id) { list.update(id) }
        fitHeight()
        if hasResults { results.peopleChanged() }
    }

    private func arrange() {
        let buddies = messenger.buddies
        let before = firstPerson
        firstPerson = buddies.firstPerson
        list.set(buddies.order)
        guard before != firstPerson else { return }
        for id in [before, firstPerson].compactMap({ $0 }) { list.update(id) }
    }

    private func pointerMoved(isOver: Bool) {
        guard isOver != isPointedAt else { return }
        isPointedAt = isOver
        if !isOver, !isCovered { showRows() }
    }

    /// Marks the buddy whose conversation is open, and brings its row into view.
    func show(selected: ConversationID?) {
        guard selected != self.selected else { return }
        let both = [self.selected, selected]
        self.selected = selected
        for id in both.compactMap({ $0 }) { update(id) }
        fitHeight()
        revealSelected()
    }

    private func fitHeight() {
        if hasResults { results.room = room }
        let height = list.height(in: room)
        guard height != fitted else { return }
        fitted = height
        list.setHeight(height)
        revealSelected()
    }

    private func revealSelected() {
        if let selected { list.reveal(selected, page: fitted < 0 ? nil : Int(fitted)) }
    }

    // MARK: - Search

    private func setUpSearch() {
        let name = localized("Search people and messages")
        gtk_entry_set_placeholder_text(search.cast(), name)
        cgtk_widget_set_accessible(search, name, nil)
        PanelEntry.dress(search)
        // Show the field without an animation, because the next keystrokes already belong to it.
        gtk_widget_set_no_show_all(search, 1)
        Signal.connect(search, "changed") { [weak self] in self?.find() }
        // GTK emits this signal with a short delay after the last keystroke.
        Signal.connect(search, "search-changed") { [weak self] in
            if let self, hasResults { results.findMessages() }
        }
        Signal.connect(search, "stop-search") { [weak self] in self?.setSearching(false) }
        Signal.connect(search, "activate") { [weak self] in
            if let self, showsResults { results.activateFirst() }
        }
        search.onDown { [weak self] in
            guard let self else { return false }
            return showsResults ? results.list.focusFirst() : list.focusFirst()
        }
    }

    private func makeResults() -> SearchResults {
        let results = SearchResults(
            messenger, pictures: pictures, wall: wall, name: localized("Search results"))
        hasResults = true
        (results.room, results.isCovered) = (room, isCovered)
        widget.add(results.widget, grows: true)
        results.widget.isVisible = false
        results.onOpen = { [weak self] in
            self?.setSearching(false)
            self?.onOpen?($0)
        }
        results.onFound = { [weak self] in self?.onFound?($0) }
        results.onMenu = { [weak self] id, row, event in
            if let self { menu(of: id, row, in: self.results.list.widget).show(at: row.box, event: event) }
        }
        results.onPersonKey = { [weak self] id, row, key in
            guard let self else { return false }
            return keyPressed(key, on: id, row, in: self.results.list.widget)
        }
        results.onClose = { [weak self] in self?.setSearching(false) }
        return results
    }

    /// Shows what the text in the field finds, or the list if it is empty.
    private func find() {
        let words = search.entryText
        let isFinding = words.contains { !$0.isWhitespace }
        guard isFinding || hasResults else { return }
        results.find(words)
        results.widget.isVisible = isFinding
        list.widget.isVisible = !isFinding
    }

    /// Whether the results of a search are in the place of the list.
    var showsResults: Bool { hasResults && results.isSearching }

    /// Opens the search field, or closes it and shows all buddies again.
    func setSearching(_ isOn: Bool) {
        guard isOn != isSearching else {
            if isOn { gtk_widget_grab_focus(search) }
            return
        }
        if isOn {
            search.isVisible = true
            gtk_widget_grab_focus(search)
        } else {
            let hadFocus = search.holdsFocus || hasResults && results.widget.holdsFocus
            gtk_entry_set_text(search.cast(), "")
            if hadFocus, let first = list.ids.first { list.focusRow(selected ?? first) }
            search.isVisible = false
        }
        onSearch?(isOn)
    }

    /// Opens the search field with its text selected, or with another text.
    func beginSearch(_ words: String?) {
        setSearching(true)
        if let words { gtk_entry_set_text(search.cast(), words) }
        gtk_editable_select_region(OpaquePointer(search), 0, -1)
    }

    /// Opens the search field and focuses it with the caret at its end, so that text is appended.
    func focusSearch() -> Widget {
        setSearching(true)
        search.focusAtEnd()
        return search
    }

    var isSearching: Bool { search.isVisible }

    // MARK: - Buddy actions

    private func keyPressed(
        _ key: GdkEventKey, on id: ConversationID, _ row: BuddyRow, in list: Widget? = nil
    ) -> Bool {
        let menu = menu(of: id, row, in: list)
        switch Int32(bitPattern: key.keyval) {
        case GDK_KEY_F2: menu.rename()
        case GDK_KEY_Delete, GDK_KEY_KP_Delete: menu.remove()
        default: return false
        }
        return true
    }

    /// Returns the menu of a row, which is in the list or among the results.
    private func menu(
        of id: ConversationID, _ row: BuddyRow, in other: Widget? = nil
    ) -> ConversationMenu {
        let place = other ?? list.widget
        var menu = ConversationMenu(
            id: id, messenger: messenger, widget: place, place: row.box.area(in: place)
        ) { [weak self] in self?.onOpen?($0) }
        menu.encryption = { [weak self] in self?.onEncryption?(id) }
        (menu.call, menu.callees) = (onCall, callees)
        return menu
    }

    private func answer(
        _ request: AllBuddies.Received<BuddyList.Request>, _ answer: SubscriptionRequestCards.Answer
    ) {
        let (chat, id) = (request.chat, request.item.id)
        sendAnswer {
            do throws(ChatServiceError) {
                switch answer {
                case .accept: try await chat.answerRequest(of: id, accept: true)
                case .decline: try await chat.answerRequest(of: id, accept: false)
                case .block: try await chat.setBlocked(true, id)
                }
                return nil
            } catch {
                return error.text
            }
        }
    }

    private func answer(_ received: AllBuddies.Received<RoomInvitation>, accept: Bool) {
        let (chat, invitation) = (received.chat, received.item)
        guard accept else { return chat.decline(invitation) }
        sendAnswer {
            do throws(RoomError) {
                try await chat.join(invitation.room.text, password: invitation.password)
                return nil
            } catch {
                return PlainText.line(error.text, maximum: 400)
            }
        }
    }

    /// Sends an answer, and shows the problem that `body` returns.
    private func sendAnswer(_ body: @escaping @MainActor () async -> String?) {
        // GTK takes the focus from an insensitive button.
        let hadFocus = requests.widget.holdsFocus
        gtk_widget_set_sensitive(requests.widget, 0)
        Task { [weak self, requests] in
            let problem = await body()
            if let problem, self?.isCovered == false { requests.show(problem: problem) }
            gtk_widget_set_sensitive(requests.widget, 1)
            if hadFocus { self?.focusNext() }
        }
    }

    /// Moves the focus to the row that had it last, or to the first one; false if there is no row.
    func focusRow() -> Bool {
        if showsResults {
            guard let item = results.list.cursor ?? results.list.ids.first else { return false }
            results.list.focusRow(item)
            return true
        }
        guard let id = list.cursor ?? list.ids.first, list.row(id) != nil else { return false }
        list.focusRow(id)
        return true
    }

    /// Moves the focus from an answered request to the next one, or else to the buddies, unless it is elsewhere now.
    func focusNext() {
        guard requests.widget.mayTakeFocus else { return }
        for place in [requests.widget, list.widget] where place.isVisible {
            if gtk_widget_child_focus(place, GTK_DIR_TAB_FORWARD) != 0 { return }
        }
    }
}
