// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The list of pages beside the shown page in Preferences, and the title of that page.
///
/// In a narrow window, the list or the page is shown, with a way back to the list. libhandy's own row of pages is not used.
@MainActor
final class PageList {
    private let header, stack, switcher: Widget
    private let column = Widget.box(GTK_ORIENTATION_VERTICAL, style: "preferences-pages")
    private let page = Widget.box(GTK_ORIENTATION_VERTICAL)
    private let title = Widget.wrappedLabel(style: "preferences-title")
    private let back = Widget.iconButton(
        "go-previous-symbolic", name: localized("Back"), tip: localized("Back"))
    private let heading: Widget = hdy_window_handle_new()
    private let place: ListContainer
    private var keys: [Widget: Widget] = [:]
    private var isNarrow = false
    /// Whether a narrow window shows the list in place of the page.
    private var showsList = false
    private var isShowing = false

    /// The least width of a window with the list, and the width of the list, in pixels at the text scale 1.
    private static let (least, listWidth) = (520.0, 176.0)

    /// Adds the list to a `HdyPreferencesWindow` that has its pages; nil if libhandy has built that in another way.
    init?(in window: Widget) {
        var found: [GType: Widget] = [:]
        let types = [
            hdy_header_bar_get_type(), hdy_view_switcher_title_get_type(), hdy_view_switcher_bar_get_type(),
            hdy_preferences_page_get_type(),
        ]
        WidgetTree.visit(window) { widget in
            for type in types where found[type] == nil && cgtk_instance_is_a(widget, type) != 0 {
                found[type] = widget
            }
        }
        guard let header = found[types[0]], let switcher = found[types[1]], let bar = found[types[2]],
            let stack = found[types[3]].flatMap(gtk_widget_get_parent),
            let main = gtk_widget_get_parent(header),
            let content = main.children.first(where: { $0 != header }),
            let place = ListContainer()
        else { return nil }
        (self.header, self.stack, self.switcher, self.place) = (header, stack, switcher, place)
        hdy_view_switcher_title_set_view_switcher_enabled(OpaquePointer(switcher), 0)
        bar.isVisible = false
        hdy_header_bar_pack_start(header.cast(), back)
        addHeading()
        addKeys()
        arrange(content, in: main)
        // The search and its results take the place of the pages.
        for stack in [stack, content] {
            Signal.connectNotify(stack, "notify::visible-child") { [weak self] in self?.showPage() }
        }
        Signal.connect(back, "clicked") { [weak self] in self?.showList() }
        window.followTextScale { [weak self] _ in self.map { gtk_widget_queue_resize($0.place.widget) } }
        show()
    }

    private func addHeading() {
        let label = Widget.label(localized("Preferences").uppercased(), isCut: true, style: "panel-title")
        FittedLabel(label.cast(), smallest: 0.6)
        gtk_container_add(heading.cast(), label)
        column.add(heading)
        gtk_box_pack_end(column.cast(), Widget.box(GTK_ORIENTATION_HORIZONTAL, style: "stripes"), 0, 0, 0)
        gtk_widget_show_all(column)
    }

    private func addKeys() {
        var group: Widget?
        for page in stack.children {
            let key: Widget = gtk_radio_button_new_from_widget(group?.cast())
            group = group ?? key
            gtk_toggle_button_set_mode(key.cast(), 0)
            key.set(style: "preferences-page", true)
            let face = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 12)
            let name = hdy_preferences_page_get_title(page.cast()).map { String(cString: $0) } ?? ""
            face.add(.icon(hdy_preferences_page_get_icon_name(page.cast()).map { String(cString: $0) } ?? ""))
            face.add(.label(name, isCut: true), grows: true)
            gtk_container_add(key.cast(), face)
            key.setAccessible(name: name)
            column.add(key)
            gtk_widget_show_all(key)
            keys[page] = key
            // The chosen key is clicked, too, when its page is to be shown again.
            Signal.connect(key, "clicked") { [weak self] in self?.chosen(page, by: key) }
        }
    }

    private func chosen(_ page: Widget, by key: Widget) {
        guard !isShowing, gtk_toggle_button_get_active(key.cast()) != 0 else { return }
        gtk_stack_set_visible_child(stack.cast(), page)
        showPage()
    }

    // MARK: - List or page

    /// Shows the page, also in a narrow window.
    func showPage() {
        let hadFocus = column.holdsFocus
        showsList = false
        show()
        if isNarrow, hadFocus { gtk_widget_child_focus(page, GTK_DIR_TAB_FORWARD) }
    }

    private func showList() {
        showsList = true
        show()
        if let page = gtk_stack_get_visible_child(stack.cast()) { gtk_widget_grab_focus(keys[page]) }
    }

    private func show() {
        guard let page = gtk_stack_get_visible_child(stack.cast()), let key = keys[page] else { return }
        isShowing = true
        gtk_toggle_button_set_active(key.cast(), 1)
        isShowing = false
        title.text = hdy_preferences_page_get_title(page.cast()).map { String(cString: $0) } ?? ""
        for part in [title, heading] { part.isVisible = !isNarrow }
        back.isVisible = isNarrow && !showsList
        let name = !isNarrow ? "" : showsList ? localized("Preferences") : title.text
        hdy_view_switcher_title_set_title(OpaquePointer(switcher), name)
        showParts()
        gtk_widget_queue_resize(place.widget)
    }

    private func showParts() {
        gtk_widget_set_child_visible(column, !isNarrow || showsList ? 1 : 0)
        gtk_widget_set_child_visible(page, !isNarrow || !showsList ? 1 : 0)
    }

    // MARK: - Places

    /// Puts the header and the pages, which stand below each other, beside the list.
    private func arrange(_ content: Widget, in main: Widget) {
        let kept = [GObjectRef(retaining: header), GObjectRef(retaining: content)]
        for part in [header, content] { gtk_container_remove(main.cast(), part) }
        page.add(title)
        page.add(content, grows: true)
        for part in [header, column, page] { place.insert(part, at: place.children.count) }
        withExtendedLifetime(kept) {}
        place.width = { [weak self] in self?.leastWidth ?? 0 }
        place.height = { [weak self] in self?.height(for: $0) ?? 0 }
        place.place = { [weak self] in self?.place(in: $0) }
        place.focus = { [weak self] in self?.moveFocus($0) ?? false }
        main.add(place.widget, grows: true)
        for part in [page, title, place.widget] { gtk_widget_show(part) }
    }

    /// The width of the header or the page; the list gives way to them.
    private var leastWidth: gint { max(header.leastWidth, column.leastWidth, page.leastWidth) }

    /// The width of the list beside the page, in pixels.
    private var listWidth: gint {
        max(gint((Self.listWidth * column.textScale).rounded()), column.leastWidth)
    }

    private func isNarrow(_ width: gint) -> Bool {
        Double(width) < Self.least * column.textScale
            || width < listWidth + max(header.leastWidth, page.leastWidth)
    }

    private func height(for width: gint) -> gint {
        let rest = isNarrow(width) ? width : width - listWidth
        let beside = header.leastHeight(width: rest) + page.leastHeight(width: rest)
        return max(beside, column.leastHeight(width: listWidth))
    }

    private func place(in area: GtkAllocation) {
        let isNarrow = isNarrow(area.width)
        let list = isNarrow ? 0 : listWidth
        let isMirrored = gtk_widget_get_direction(place.widget) == GTK_TEXT_DIR_RTL
        var rest = area
        rest.width -= list
        if !isMirrored { rest.x += list }
        rest.height = header.leastHeight(width: rest.width)
        gtk_widget_size_allocate(header, &rest)
        rest.y += rest.height
        rest.height = max(1, area.height - rest.height)
        gtk_widget_size_allocate(page, &rest)
        var side = isNarrow ? rest : area
        if !isNarrow {
            side.width = list
            if isMirrored { side.x += area.width - list }
        }
        gtk_widget_size_allocate(column, &side)
        guard isNarrow != self.isNarrow else { return }
        self.isNarrow = isNarrow
        showParts()
        // A new arrangement during an allocation would be ignored.
        MainLoop.soon { [weak self] in self?.show() }
    }

    private func moveFocus(_ direction: GtkDirectionType) -> Bool {
        let parts: [Widget] = isNarrow ? [header, column, page] : [column, header, page]
        let shown = parts.filter {
            gtk_widget_get_child_visible($0) != 0
        }
        let isBackward = [GTK_DIR_TAB_BACKWARD, GTK_DIR_UP, GTK_DIR_LEFT].contains(direction)
        let order: [Widget] = isBackward ? shown.reversed() : shown
        let first = order.firstIndex { $0.holdsFocus } ?? 0
        return order.dropFirst(first).contains { gtk_widget_child_focus($0, direction) != 0 }
    }
}
