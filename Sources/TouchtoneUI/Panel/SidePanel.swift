// SPDX-License-Identifier: GPL-3.0-or-later

package import GtkBridge
package import TouchtoneCore

/// The panel beside the phone: a header and one of several pages.
///
/// A page is built when it is first shown, and the page switch after the first frame, so that start-up builds only the
/// first page.
@MainActor
package final class SidePanel {
    package let widget: Widget
    /// The header bar above the pages.
    package let header: Widget
    /// The notices about completed actions, with Undo.
    package let toast: Toast
    /// Whether the user sees the panel: it is open, and its window is active.
    package var isInView = false {
        didSet { if isInView != oldValue { shownPage?.setShown(isInView) } }
    }
    /// Whether the phone is locked: the panel shows nothing new until it is unlocked.
    package var isCovered = false {
        didSet { if isCovered != oldValue { coverChanged() } }
    }
    package private(set) var shown: PanelPageName?

    /// The builder, which retains the panel until it is in a window.
    private let builder: Builder
    private let back: Widget
    private let title: FittedLabel
    private let keys, switchPlace, pages: Widget
    private let columns: PanelColumns
    /// Whether the panel has the window’s buttons in one of its headers.
    package var hasWindowButtons = false { didSet { arrangePage() } }
    private var pageSwitch: PageSwitch?
    private var entries: [PanelPageName: Entry] = [:]
    private var waiting: [PanelPageName: (count: Int, description: String)] = [:]
    /// Whether the last widget that had the focus in the window was in the panel.
    private var hadFocus = false

    private struct Entry {
        let make: @MainActor () throws(GLibError) -> any PanelPage
        var page: (any PanelPage)?
        /// The page in the panel, or the widget around it.
        var place: Widget?
        var keys: Widget?
    }

    /// - Parameter goBack: Called when the user returns from the panel to the phone in a narrow window.
    package init(resources: Resources, clock: any Scheduler, goBack: @escaping @MainActor () -> Void)
        throws(GLibError)
    {
        builder = try Builder(file: resources.layout("panel"))
        widget = try builder.object("panel")
        back = try builder.object("back")
        header = try builder.object("panel-header")
        title = FittedLabel(try builder.object("title"), room: header, smallest: 0.8, hasTip: true)
        keys = try builder.object("header-keys")
        switchPlace = try builder.object("switch-place")
        pages = try builder.object("pages")
        columns = try PanelColumns(builder)
        toast = Toast(in: try builder.object("notices"), clock: clock)
        toast.onLeave = { [weak self] in self?.focusPage() }
        Signal.connect(back, "clicked", goBack)
        columns.onChange = { [weak self] in self?.arrangePage() }
        // The first frame is drawn when the panel becomes visible.
        Signal.connectDraw(pages) { [weak self] _ in
            guard let self, pageSwitch == nil else { return }
            MainLoop.afterFrame { [weak self] in self?.build() }
        }
        Signal.connectEvent(widget, "key-press-event") { [weak self] in self?.keyPressed($0) ?? false }
    }

    /// Adds a page, and shows it if it is the first; one whose layout is missing or invalid is not shown.
    package func add(
        _ name: PanelPageName, make: @escaping @MainActor () throws(GLibError) -> any PanelPage
    ) {
        entries[name] = Entry(make: make)
        if pageSwitch != nil { build() }
        if shown == nil { show(name) }
    }

    func page(_ name: PanelPageName) -> (any PanelPage)? { entries[name]?.page }

    package func has(_ name: PanelPageName) -> Bool { entries[name] != nil }

    /// Shows a page, if it has been added.
    package func show(_ name: PanelPageName) {
        guard name != shown, let entry = entries[name] else { return }
        guard let page = entry.page ?? (try? make(name, entry)) else {
            if let shown { pageSwitch?.show(shown) }
            return
        }
        if let shown, let page = shownPage {
            page.setShown(false)
            entries[shown]?.place?.isVisible = false
            entries[shown]?.keys?.isVisible = false
        }
        shown = name
        entries[name]?.place?.isVisible = true
        entries[name]?.keys?.isVisible = true
        title.show(page.title, orShort: page.shortTitle)
        pageSwitch?.show(name)
        showDetail()
        arrangePage()
        page.setShown(isInView)
    }

    /// Moves the focus to the current page.
    ///
    /// The focus is in the panel afterwards, even if the page is empty or still loads: otherwise the next keys would go
    /// to the phone, and Return would dial.
    package func focusPage() {
        shownPage?.focus()
        if !widget.holdsFocus { gtk_widget_child_focus(widget, GTK_DIR_TAB_FORWARD) }
        if !widget.holdsFocus {
            gtk_widget_set_can_focus(pages, 1)
            gtk_widget_grab_focus(pages)
        }
    }

    /// Moves the focus back to the current page if the panel had it, and the focused widget is gone.
    func keepFocus() { if hadFocus, focus == nil, gtk_widget_get_mapped(widget) != 0 { focusPage() } }

    /// Shows the number of new items on a page's key, with a description such as `2 missed`; 0 hides it.
    package func show(waiting count: Int, description: String, on name: PanelPageName) {
        waiting[name] = (count, description)
        if !isCovered { pageSwitch?.show(count, on: name, description: description) }
    }

    /// Shows or hides the key that returns to the phone, for a window with room for only one of them.
    package func show(wayBack: Bool) { back.isVisible = wayBack }

    /// Whether the focus is in the panel or in a popover that was opened from it.
    package var hasFocus: Bool { widget.holdsFocus || popoverHasFocus }

    /// Dismisses the notices and closes the pages before the window closes.
    package func close() {
        toast.close()
        for entry in entries.values { entry.page?.close() }
    }

    private func showDetail() {
        columns.show(
            hasDetail: shownPage?.detail != nil, isChosen: shownPage?.isDetailChosen ?? false)
    }

    private func arrangePage() {
        let isAtTop = columns.isDetailAtTop
        gtk_header_bar_set_show_close_button(header.cast(), hasWindowButtons && !isAtTop ? 1 : 0)
        shownPage?.arrange(
            PanelArrangement(
                width: columns.width, height: columns.height, hasWindowButtons: hasWindowButtons && isAtTop,
                room: columns.room))
    }

    private var shownPage: (any PanelPage)? { shown.flatMap { entries[$0]?.page } }

    private func make(_ name: PanelPageName, _ entry: Entry) throws(GLibError) -> any PanelPage {
        let page = try entry.make()
        let box = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 2)
        for key in page.headerKeys { box.add(key) }
        keys.add(box)
        // Conversations fill the panel; the lines of the other pages would be too long in a wide one.
        let place = name == .messages ? page.widget : Self.narrowed(page.widget)
        pages.add(place, grows: true)
        entries[name]?.place = place
        if let detail = page.detail { columns.add(detail) }
        page.onDetail = { [weak self] in self?.showDetail() }
        page.onTitle = { [weak self, weak page] in
            guard let self, let page, shown == name, !isCovered else { return }
            title.show(page.title, orShort: page.shortTitle)
        }
        entries[name]?.page = page
        entries[name]?.keys = box
        return page
    }

    /// Puts a page into a column of limited width.
    private static func narrowed(_ page: Widget) -> Widget {
        guard let column = hdy_clamp_new(), let place = gtk_scrolled_window_new(nil, nil) else { return page }
        let width: gint = 760
        hdy_clamp_set_maximum_size(OpaquePointer(column), width)
        hdy_clamp_set_tightening_threshold(OpaquePointer(column), width)
        gtk_container_add(column.cast(), page)
        // A column requests its whole width, with which the window would fold. A scrolled window requests little.
        gtk_scrolled_window_set_policy(place.cast(), GTK_POLICY_EXTERNAL, GTK_POLICY_NEVER)
        gtk_widget_set_can_focus(place, 0)
        gtk_container_add(place.cast(), column)
        for part in [page, column, place] { gtk_widget_show(part) }
        return place
    }

    private func coverChanged() {
        toast.isCovered = isCovered
        for entry in entries.values { entry.page?.setCovered(isCovered) }
        guard !isCovered else { return }
        if let page = shownPage { title.show(page.title, orShort: page.shortTitle) }
        for (name, count) in waiting {
            pageSwitch?.show(count.count, on: name, description: count.description)
        }
    }

    /// Builds the page switch, and shows it if there is more than one page.
    private func build() {
        let names = PanelPageName.allCases.filter { entries[$0] != nil }
        if let old = pageSwitch?.widget { gtk_widget_destroy(old) }
        let new = PageSwitch(names)
        pageSwitch = new
        guard names.count > 1 else { return }
        if let shown { new.show(shown) }
        for (name, count) in waiting { new.show(count.count, on: name, description: count.description) }
        new.onChoose = { [weak self] in self?.show($0) }
        switchPlace.add(new.widget, grows: true)
        switchPlace.isVisible = true
    }

    /// Whether the focus is in a popover that points at a widget in the panel, which does not contain the popover.
    private var popoverHasFocus: Bool {
        guard let focus, let popover = gtk_widget_get_ancestor(focus, gtk_popover_get_type()),
            let target = gtk_popover_get_relative_to(popover.cast())
        else { return false }
        return gtk_widget_is_ancestor(target, widget) != 0
    }

    /// Handles a shortcut of the page, before the focused widget or a list around it does; returns whether it did.
    package func keyComes(_ key: GdkEventKey) -> Bool {
        widget.holdsFocus && shownPage?.keyComes(key) == true
    }

    private func keyPressed(_ event: UnsafeMutablePointer<GdkEvent>) -> Bool {
        keyPressed(event.pointee.key) || passText(event)
    }

    /// Passes text input that no widget in the panel handles to the page's field and its input method.
    private func passText(_ event: UnsafeMutablePointer<GdkEvent>) -> Bool {
        let key = event.pointee.key
        // If a text field has the focus, it has already declined the event. The window presses the focused button for
        // the space bar after all others have declined it.
        guard Keyboard.isText(key), focus?.takesText != true, !(isSpace(key) && focusIsButton),
            let field = shownPage?.focusField()
        else { return false }
        // A page that was just opened has not been drawn.
        gtk_widget_realize(field)
        return gtk_widget_event(field, event) != 0
    }

    /// Notes whether the focus moves into the panel; nil if the focused widget is gone.
    func focusMoves(to widget: Widget?) {
        guard let widget else { return }
        hadFocus = widget == self.widget || gtk_widget_is_ancestor(widget, self.widget) != 0
    }

    private var focus: Widget? { widget.focusInWindow }

    private var focusIsButton: Bool {
        focus.map { cgtk_instance_is_a($0, gtk_button_get_type()) != 0 } ?? false
    }

    private func isSpace(_ key: GdkEventKey) -> Bool {
        [GDK_KEY_space, GDK_KEY_KP_Space].contains(Int32(bitPattern: key.keyval))
    }

    private func keyPressed(_ key: GdkEventKey) -> Bool {
        if toast.isShown {
            if Int32(bitPattern: key.keyval) == GDK_KEY_Escape {
                toast.dismiss()
                return true
            }
            let modifiers = key.state & gtk_accelerator_get_default_mod_mask().rawValue
            if modifiers == GDK_CONTROL_MASK.rawValue, Keyboard.latinLetter(of: key) == "z", toast.act() {
                return true
            }
        }
        return shownPage?.keyPressed(key) ?? false
    }
}
