// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The buddy list with its search field and the pending subscription requests.
@MainActor
final class BuddiesView {
    let widget = Widget.box(GTK_ORIENTATION_VERTICAL, style: "buddies")
    let list = VirtualList<ConversationID, BuddyRow>(name: localized("Buddies"), guess: 30) { BuddyRow() }
    let messenger: Messenger
    private let search: Widget = gtk_search_entry_new()
    let requests = SubscriptionRequestCards()
    private let none = Widget.label(localized("No matching buddies."), style: "empty-text")
    private let pictures: AvatarLoader<ConversationID>
    /// The content of the rows that are built, as it is shown.
    private var shown: [ConversationID: BuddyList.Row] = [:]
    private var selected: ConversationID?
    private var room: gint = 0
    /// Whether the phone is locked: there are no rows, and nothing new is shown.
    var isCovered = false {
        didSet { if isCovered != oldValue { coverChanged() } }
    }
    var onOpen: (@MainActor (ConversationID) -> Void)?
    /// Called when the search opens (true) or closes (false).
    var onSearch: (@MainActor (Bool) -> Void)?

    init(_ messenger: Messenger) {
        self.messenger = messenger
        pictures = AvatarLoader(
            side: 22, on: widget,
            has: { messenger.buddies.picture(of: $0) != nil }, bytes: { messenger.buddies.picture(of: $0) })
        setUpSearch()
        gtk_label_set_xalign(none.cast(), 0.5)
        none.isVisible = false
        gtk_widget_set_no_show_all(none, 1)
        for part in [search, requests.widget, none, list.widget] { widget.add(part) }
        gtk_widget_show_all(widget)
        requests.onAnswer = { [weak self] in self?.answer($0, $1) }
        requests.onLeave = { [weak self] in self?.focusNext() }
        requests.onInvitation = { [weak self] in self?.answer($0, accept: $1) }
        pictures.onRead = { [weak self] in self?.list.update($0) }
        list.show = { [weak self] row, id in
            guard let self, let buddy = messenger.buddies.row(of: id) else { return }
            shown[id] = buddy
            row.show(buddy, of: id, isSelected: id == selected, pictures: pictures)
        }
        list.onActivate = { [weak self] id, _ in self?.onOpen?(id) }
        // The height of a row is known only after the list has measured one.
        list.onMove = { [weak self] in self?.fitHeight() }
        list.onMenu = { [weak self] id, row, event in self?.openMenu(of: id, row, event) }
        list.onKey = { [weak self] id, key in self?.keyPressed(id, key) ?? false }
        messenger.buddies.observe(by: self) { [weak self] in self?.changed($0) }
        showRows()
        showRequests()
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
    }

    private func changed(_ change: AllBuddies.Change) {
        switch change {
        case .rows where !isCovered: showRows()
        case .row(let id) where !isCovered: list.update(id)
        case .requests where !isCovered: showRequests()
        case .rows, .row, .requests, .typing: break
        case .picture(let id):
            pictures.forget(id)
            list.update(id)
        }
    }

    private func showRows() {
        let buddies = messenger.buddies
        list.set(buddies.order)
        let built = Set(list.builtIDs)
        shown = shown.filter { built.contains($0.key) }
        for id in built where shown[id] != buddies.row(of: id) { list.update(id) }
        none.isVisible = buddies.order.isEmpty && !buddies.filter.isEmpty
        fitHeight()
    }

    /// Marks the buddy whose conversation is open.
    func show(selected: ConversationID?) {
        guard selected != self.selected else { return }
        let both = [self.selected, selected]
        self.selected = selected
        for id in both.compactMap({ $0 }) { list.update(id) }
        fitHeight()
    }

    /// Sizes the list to its rows, or to the `room` of the panel, in pixels, in which it then scrolls.
    func fit(room: gint) {
        guard room != self.room else { return }
        self.room = room
        fitHeight()
    }

    private func fitHeight() {
        let row = gint(list.heights.guess)
        let maximum = max(3 * row, room * (selected == nil ? 60 : 36) / 100)
        let height = min(gint(clamping: list.ids.count) * row, maximum)
        var (_, before): (gint, gint) = (0, 0)
        gtk_widget_get_size_request(list.widget, nil, &before)
        if before != height { gtk_widget_set_size_request(list.widget, -1, height) }
    }

    // MARK: - Search

    private func setUpSearch() {
        gtk_entry_set_placeholder_text(search.cast(), localized("Name, address or number"))
        cgtk_widget_set_accessible(search, localized("Search buddies"), nil)
        PanelEntry.dress(search)
        // Show the field without an animation, because the next keystrokes already belong to it.
        gtk_widget_set_no_show_all(search, 1)
        Signal.connect(search, "changed") { [weak self] in
            guard let self else { return }
            messenger.buddies.filter = search.entryText
        }
        Signal.connect(search, "stop-search") { [weak self] in self?.setSearching(false) }
        Signal.connect(search, "activate") { [weak self] in
            guard let self, let first = messenger.buddies.order.first else { return }
            setSearching(false)
            onOpen?(first)
        }
        search.onDown { [weak self] in self?.list.focusFirst() ?? false }
    }

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
            gtk_entry_set_text(search.cast(), "")
            if search.holdsFocus, let first = list.ids.first { list.focusRow(selected ?? first) }
            search.isVisible = false
        }
        onSearch?(isOn)
    }

    /// Opens the search field and focuses it with the caret at its end, so that text is appended.
    func focusSearch() -> Widget {
        setSearching(true)
        search.focusAtEnd()
        return search
    }

    private var isSearching: Bool { search.isVisible }

    // MARK: - Buddy actions

    private func keyPressed(_ id: ConversationID, _ key: GdkEventKey) -> Bool {
        guard let row = list.row(id)?.box else { return false }
        switch Int32(bitPattern: key.keyval) {
        case GDK_KEY_F2: rename(id, at: row)
        case GDK_KEY_Delete, GDK_KEY_KP_Delete: remove(id, at: row)
        default: return false
        }
        return true
    }

    private func openMenu(of id: ConversationID, _ row: BuddyRow, _ event: UnsafeMutablePointer<GdkEvent>?) {
        guard let buddy = messenger.buddies.row(of: id) else { return }
        if let room = buddy.room { return openMenu(of: room, id, row, event) }
        let box = row.box
        var items: [ContextMenu.Item?] = [
            .init(localizedIn("verb", "Open")) { [weak self] in self?.onOpen?(id) }
        ]
        if !buddy.isOperator, !id.buddy.isOccupant {
            items += [
                .init(localized("Profile…")) { [weak self] in self?.showProfile(of: id, at: box) },
                nil,
            ]
            if !buddy.isListed {
                items.append(.init(localized("Add to Buddies")) { [weak self] in self?.add(id) })
            } else {
                // A contact’s conversations have the name of the contact.
                if buddy.person.name == nil {
                    items.append(.init(localized("Rename…")) { [weak self] in self?.rename(id, at: box) })
                }
                items.append(.init(localized("Remove…")) { [weak self] in self?.remove(id, at: box) })
            }
            items.append(
                buddy.isBlocked
                    ? ContextMenu.Item(localized("Unblock")) { [weak self] in self?.unblock(id, at: box) }
                    : ContextMenu.Item(localized("Block…")) { [weak self] in self?.block(id, at: box) })
            items += [nil, .init(localized("Copy Address")) { Clipboard.write(id.buddy.text) }]
        }
        ContextMenu(items: items).open(at: box, event: event)
    }

    private func showProfile(of id: ConversationID, at row: Widget) {
        guard let chat = messenger.chat(of: id) else { return }
        ProfilePopover.show(
            id.buddy, name: name(id), chat: chat, at: list.widget, place: row.area(in: list.widget))
    }

    func name(_ id: ConversationID) -> String { PlainText.line(messenger.buddies.name(of: id), maximum: 60) }

    private func rename(_ id: ConversationID, at row: Widget) {
        guard let buddy = messenger.buddies.row(of: id), buddy.isListed, !buddy.isOperator, buddy.room == nil,
            buddy.person.name == nil
        else { return }
        PromptPopover.ask(
            localized("Rename {name}", ["name": name(id)]),
            fields: [.init(name: localized("Name"), text: buddy.name)], verb: localized("Rename"),
            at: list.widget,
            place: row.area(in: list.widget)
        ) { [messenger] (texts) throws(ChatServiceError) in
            try await messenger.chat(of: id)?.rename(id.buddy, texts[0])
        }
    }

    private func remove(_ id: ConversationID, at row: Widget) {
        guard let buddy = messenger.buddies.row(of: id), buddy.isListed, !buddy.isOperator else { return }
        if buddy.room != nil { return leave(id, at: row) }
        PromptPopover.ask(
            localized("Remove {name}?", ["name": name(id)]),
            text: localized("You will no longer see each other’s status. The conversation is kept."),
            verb: localized("Remove"), isDestructive: true, at: list.widget, place: row.area(in: list.widget)
        ) { [messenger] (_) throws(ChatServiceError) in
            try await messenger.chat(of: id)?.remove(id.buddy)
        }
    }

    private func block(_ id: ConversationID, at row: Widget) {
        PromptPopover.ask(
            localized("Block {name}?", ["name": name(id)]),
            text: localized("You will receive nothing from this address until you unblock it."),
            verb: localizedIn("button", "Block"),
            isDestructive: true, at: list.widget, place: row.area(in: list.widget)
        ) { [messenger] (_) throws(ChatServiceError) in
            try await messenger.chat(of: id)?.setBlocked(true, id.buddy)
        }
    }

    private func unblock(_ id: ConversationID, at row: Widget) {
        PromptPopover.ask(
            localized("Unblock {name}?", ["name": name(id)]), verb: localized("Unblock"), at: list.widget,
            place: row.area(in: list.widget)
        ) { [messenger] (_) throws(ChatServiceError) in
            try await messenger.chat(of: id)?.setBlocked(false, id.buddy)
        }
    }

    private func add(_ id: ConversationID) {
        PromptPopover.ask(
            localized("Add {name}", ["name": name(id)]),
            fields: [.init(name: localized("Name"), hint: localized("Optional"))],
            verb: localized("Add"),
            at: list.widget
        ) { [messenger] (texts) throws(ChatServiceError) in
            try await messenger.chat(of: id)?.add(id.buddy.text, name: texts[0])
        }
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

    /// Sends an answer, and shows the problem that `body` returns.
    func sendAnswer(_ body: @escaping @MainActor () async -> String?) {
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

    /// Moves the focus to the buddy that had it last, or to the first one; false if there is no row.
    func focusRow() -> Bool {
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
