// SPDX-License-Identifier: GPL-3.0-or-later

package import GtkBridge
package import TouchtoneCore

/// The panel's calls page: the call history, with search, filter, export and deletion.
@MainActor
package final class CallsPage: PanelPage {
    package let widget: Widget
    package let headerKeys: [Widget]
    package var onTitle: (@MainActor () -> Void)?

    let history: CallHistory
    let phone: Phone
    private(set) weak var navigator: (any Navigator)?
    let actions: FarEndActions
    let toast: Toast
    let calls: CallsList
    var list: VirtualList<Int64, CallRow> { calls.list }

    private let builder: Builder
    private let banner = PanelBanner()
    private let searchKey: Widget
    private let menuKey: UnsafeMutablePointer<GtkMenuButton>
    private let all, missed, missedCount, search, note: Widget
    private let empty = EmptyPlace()
    /// The deck of the answering machine; nil where nothing is recorded.
    private var deck: RecordingsView?
    private let menuActions: ActionMap
    private var isCovered = false
    /// The call whose number was put on the display last, and what that showed then.
    var recalled: (id: Int64, shown: String)?
    /// Whether the focus moves to a call as soon as one is loaded.
    private var wantsFocus = false

    /// Creates the page, and starts to load the history.
    package init(
        resources: Resources, directory: DirectoryDependencies, phone: Phone, lines: LineRegistry,
        chat: Chat, navigator: (any Navigator)?, toast: Toast, wall: any WallClock,
        voice: VoiceMessages? = nil
    ) throws(GLibError) {
        (history, self.phone, self.navigator, self.toast) = (directory.history, phone, navigator, toast)
        actions = FarEndActions(phone: phone, contacts: directory.contacts, chat: chat, navigator: navigator)
        builder = try Builder(file: resources.layout("panel-calls"))
        widget = try builder.object("body")
        searchKey = try builder.object("search-calls")
        menuKey = try builder.object("calls-menu")
        all = try builder.object("all")
        missed = try builder.object("missed")
        missedCount = try builder.object("missed-count")
        search = try builder.object("search")
        PanelEntry.dress(search)
        note = try builder.object("note")
        headerKeys = [searchKey, menuKey.cast()]
        calls = CallsList(history: history, phone: phone, lines: lines, actions: actions, wall: wall)
        if let machine = directory.machine, let voice {
            let recordings = RecordingActions(
                machine: machine, voice: voice, toast: toast, navigator: navigator)
            calls.recordings = recordings
            Signal.connect(widget, "destroy") { [weak recordings] in recordings?.isClosed = true }
            recordings.observe(by: calls) { [weak calls] _ in calls?.arrange() }
            deck = RecordingsView(recordings, calls: phone.calls) { [calls] in calls.formatter }
        }
        menuActions = ActionMap(of: menuKey.cast(), prefix: "calls")
        menuActions.add("export") { [weak self] in self?.export() }
        menuActions.add("delete-all") { [weak self, history] in
            history.deleteAll { self?.sayDeleted($0) }
        }
        widget.add(banner.widget)
        gtk_box_reorder_child(widget.cast(), banner.widget, 0)
        if let deck { widget.add(deck.widget) }
        widget.add(empty.widget, grows: true)
        widget.add(list.widget, grows: true)
        watch()
        show()
        history.open()
    }

    package var title: String {
        history.missed > 0
            ? localizedPlural("CALLS — {count} MISSED", "CALLS — {count} MISSED", history.missed)
            : shortTitle
    }

    package var shortTitle: String { localized("CALLS") }

    package func setShown(_ isShown: Bool) {
        history.isInView = isShown
        // The day or the number format may have changed while the page was hidden.
        if isShown {
            calls.arrange()
            calls.showNewest()
        }
    }

    package func setCovered(_ isCovered: Bool) {
        self.isCovered = isCovered
        calls.recordings?.isLocked = isCovered
        deck?.isCovered = isCovered
        if !isCovered {
            // The delayed search for the last keys may not have run before the phone was locked.
            if search.isVisible { history.text = search.entryText }
            calls.arrange()
            showNote()
            show()
            onTitle?()
        }
        list.isCovered = isCovered
    }

    package func focus() {
        if !widget.holdsFocus { calls.showNewest() }
        wantsFocus = !focusRow()
        if wantsFocus { gtk_widget_child_focus(widget, GTK_DIR_TAB_FORWARD) }
    }

    /// Moves the focus to the last focused call, or to the first one; false if no row is built yet.
    private func focusRow() -> Bool {
        guard let id = list.cursor ?? list.ids.first, list.row(id) != nil else { return false }
        list.focusRow(id)
        return true
    }

    package func close() {
        history.isInView = false
    }

    // MARK: - Content

    private func watch() {
        history.observe(by: self) { [weak self] in self?.changed($0) }
        history.health.observe(by: self) { [weak self] _ in if let self, !isCovered { show() } }
        Signal.connect(missed, "toggled") { [weak self] in
            guard let self else { return }
            history.isMissedOnly = gtk_toggle_button_get_active(missed.cast()) != 0
        }
        calls.onMove = { [weak self] in
            guard let self, wantsFocus else { return }
            // The focus stays where it is if the user has moved it out of the page meanwhile.
            wantsFocus = widget.holdsFocus && !focusRow()
        }
        calls.onText = { [weak self] in self?.showText(of: $0, at: $1) }
        list.onActivate = { [weak self] id, isByKey in self?.activate(id, isByKey: isByKey) }
        list.onDoubleClick = { [weak self] in self?.call($0) }
        list.onMenu = { [weak self] id, row, event in self?.openMenu(of: id, row, event) }
        list.onKey = { [weak self] id, key in self?.keyPressed(id, key) ?? false }
        watchSearch()
    }

    private func changed(_ change: CallHistory.Change) {
        guard !isCovered else { return }
        switch change {
        case .entries:
            calls.arrange()
            showNote()
        case .missed: onTitle?()
        case .calls: return
        }
        show()
    }

    private func show() {
        missedCount.text = localizedBadge(history.missed)
        missedCount.isVisible = history.missed > 0
        missed.setAccessible(
            description: history.missed > 0
                ? localizedPlural("{count} new", "{count} new", history.missed) : "")
        // An empty search result does not mean that there are no calls.
        let hasCalls = !history.window.isEmpty || !history.text.isEmpty || history.isMissedOnly
        for action in ["export", "delete-all"] { menuActions.setEnabled(action, hasCalls) }
        guard let storeError = history.health.error(of: .calls) else { return banner.show(nil) }
        let text = PlainText.line(storeError.text(of: .calls), maximum: 400)
        banner.show(.init(text: text, verb: localized("OK"))) { [history] in
            history.health.dismiss(.calls)
        }
    }

    private func showNote() {
        let isEmpty = history.isLoaded && history.window.isEmpty
        let isChosen = !history.text.isEmpty || history.isMissedOnly
        note.isVisible = isEmpty && isChosen
        note.text =
            history.text.isEmpty ? localized("No missed calls.") : localized("No matching calls.")
        list.widget.isVisible = !isEmpty
        empty.show(isEmpty && !isChosen ? emptyContent : nil)
    }

    private var emptyContent: EmptyPlace.Content {
        let title = localized("No calls yet")
        guard phone.line is PracticeExchange else {
            return .init(title: title, text: localized("Calls you make and receive appear here."))
        }
        return .init(
            title: title,
            text: localized("Calls you make and receive appear here. Try one: the Operator always answers."),
            actions: [
                .init(localized("Call the Operator")) { [weak self] in
                    guard let self, phone.canCall else { return }
                    navigator?.call(.number(PracticeExchange.operatorNumber))
                }
            ])
    }

    // MARK: - Search

    private func watchSearch() {
        Signal.connect(searchKey, "toggled") { [weak self] in
            guard let self else { return }
            setSearching(gtk_toggle_button_get_active(searchKey.cast()) != 0)
        }
        // GTK emits this signal shortly after the last key.
        Signal.connect(search, "search-changed") { [weak self] in
            guard let self, !isCovered else { return }
            history.text = search.entryText
        }
        Signal.connect(search, "stop-search") { [weak self] in self?.setSearching(false) }
        Signal.connect(search, "activate") { [weak self] in self?.list.focusFirst() }
        search.onDown { [weak self] in self?.list.focusFirst() ?? false }
    }

    private func setSearching(_ isOn: Bool) {
        gtk_toggle_button_set_active(searchKey.cast(), isOn ? 1 : 0)
        guard isOn != search.isVisible else {
            if isOn { gtk_widget_grab_focus(search) }
            return
        }
        if isOn {
            search.isVisible = true
            gtk_widget_grab_focus(search)
        } else {
            let hadFocus = search.holdsFocus
            gtk_entry_set_text(search.cast(), "")
            history.text = ""
            search.isVisible = false
            if hadFocus { focus() }
        }
    }

    package func focusField() -> Widget? {
        setSearching(true)
        search.focusAtEnd()
        return search
    }

    package func keyPressed(_ key: GdkEventKey) -> Bool {
        if key.state & GDK_CONTROL_MASK.rawValue != 0, Keyboard.latinLetter(of: key) == "f" {
            setSearching(true)
            return true
        }
        guard Int32(bitPattern: key.keyval) == GDK_KEY_Escape, search.isVisible else { return false }
        setSearching(false)
        return true
    }
}
