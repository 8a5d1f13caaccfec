// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The list of pages beside the shown one in Preferences, and the title of that page.
///
/// libhandy shows its pages in a row, which a narrow window keeps at its lower edge in place of the list.
@MainActor
final class PageList {
    private let window, stack, bar, switcher: Widget
    private let column = Widget.box(GTK_ORIENTATION_VERTICAL, style: "preferences-pages")
    private let title = Widget.wrappedLabel(style: "preferences-title")
    private var keys: [Widget: Widget] = [:]
    private var isNarrow = false

    /// The least width of a window with the list, and the width of the list, in pixels at the text scale 1.
    private static let (least, listWidth) = (560.0, 176.0)

    /// Adds the list to a `HdyPreferencesWindow` that has its pages; nil if libhandy has built that in another way.
    init?(in window: Widget) {
        self.window = window
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
            let content = Self.children(of: main).first(where: { $0 != header })
        else { return nil }
        (self.stack, self.bar, self.switcher) = (stack, bar, switcher)
        arrange(header, content, in: main)
        hdy_view_switcher_title_set_view_switcher_enabled(OpaquePointer(switcher), 0)
        addKeys()
        Signal.connectNotify(stack, "notify::visible-child") { [weak self] in self?.show() }
        Signal.connectNotify(window, "size-allocate") { [weak self] in self?.measure() }
        scaled(window.textScale)
        window.followTextScale { [weak self] in self?.scaled($0) }
        show()
    }

    private static func children(of container: Widget) -> [Widget] {
        let list = gtk_container_get_children(container.cast())
        defer { g_list_free(list) }
        return sequence(first: list, next: { $0?.pointee.next }).prefix { $0 != nil }
            .compactMap { $0?.pointee.data?.assumingMemoryBound(to: GtkWidget.self) }
    }

    /// Puts the header and the pages, which stand below each other, into a column beside the list.
    private func arrange(_ header: Widget, _ content: Widget, in main: Widget) {
        let beside = Widget.box(GTK_ORIENTATION_VERTICAL)
        let kept = [GObjectRef(retaining: header), GObjectRef(retaining: content)]
        for part in [header, content] { gtk_container_remove(main.cast(), part) }
        gtk_orientable_set_orientation(OpaquePointer(main), GTK_ORIENTATION_HORIZONTAL)
        for part in [header, title] { beside.add(part) }
        beside.add(content, grows: true)
        main.add(column)
        main.add(beside, grows: true)
        withExtendedLifetime(kept) {}
        let handle: Widget = hdy_window_handle_new()
        let heading = Widget.label(localized("Preferences").uppercased(), isCut: true, style: "panel-title")
        gtk_container_add(handle.cast(), heading)
        column.add(handle)
        gtk_box_pack_end(column.cast(), Widget.box(GTK_ORIENTATION_HORIZONTAL, style: "stripes"), 0, 0, 0)
        gtk_widget_show_all(column)
        for part in [beside, title] { gtk_widget_show(part) }
    }

    private func addKeys() {
        var group: Widget?
        for page in Self.children(of: stack) {
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
            Signal.connect(key, "toggled") { [stack] in
                if gtk_toggle_button_get_active(key.cast()) != 0 {
                    gtk_stack_set_visible_child(stack.cast(), page)
                }
            }
        }
    }

    private func show() {
        guard let page = gtk_stack_get_visible_child(stack.cast()), let key = keys[page] else { return }
        gtk_toggle_button_set_active(key.cast(), 1)
        title.text = hdy_preferences_page_get_title(page.cast()).map { String(cString: $0) } ?? ""
    }

    private func scaled(_ scale: Double) {
        gtk_widget_set_size_request(column, gint((Self.listWidth * scale).rounded()), -1)
        var width: gint = 0
        gtk_window_get_size(window.cast(), &width, nil)
        arrange(width: width)
    }

    private func measure() {
        let width = gtk_widget_get_allocated_width(window)
        // A new arrangement during an allocation would be ignored.
        MainLoop.soon { [weak self] in self?.arrange(width: width) }
    }

    private func arrange(width: gint) {
        isNarrow = Double(width) < Self.least * window.textScale
        for part in [column, title] { part.isVisible = !isNarrow }
        bar.isVisible = isNarrow
        hdy_view_switcher_title_set_title(OpaquePointer(switcher), isNarrow ? localized("Preferences") : "")
    }
}
