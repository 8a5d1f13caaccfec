// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// Removes all text from widgets while the phone is locked, and restores it afterwards.
///
/// Assistive tools hold references to accessible objects that they have read, and can query them even after their
/// widgets were removed from the window.
@MainActor
final class Blanking {
    private var restorations: [@MainActor () -> Void] = []

    /// Clears the texts, accessible names, descriptions and tooltips of a widget and its descendants.
    ///
    /// Editable widgets emit no change signal, so that drafts are not affected.
    func blank(_ root: Widget) {
        Self.blank(root) { [weak self] in self?.restorations.append($0) }
    }

    /// Restores the removed texts, except labels that were given a new text in the meantime.
    func restore() {
        for restore in restorations { restore() }
        restorations = []
    }

    /// Clears the texts of a widget that is about to be destroyed, without storing them.
    static func wipe(_ root: Widget) { blank(root) { _ in } }

    private static func blank(
        _ root: Widget, store: @escaping @MainActor (@escaping @MainActor () -> Void) -> Void
    ) {
        var widgets: [GObjectRef] = []
        WidgetTree.visit(root) { widgets.append(GObjectRef(retaining: $0)) }
        // Clear labels first, because the accessible name of a button is derived from its label.
        for widget in widgets { if let restore = blankText(widget) { store(restore) } }
        for widget in widgets {
            for restore in [blankTooltip(widget), blankName(widget), blankDescription(widget)] {
                if let restore { store(restore) }
            }
        }
    }

    private static func isA(_ widget: GObjectRef, _ type: GType) -> Bool {
        cgtk_instance_is_a(widget.cast(to: GtkWidget.self), type) != 0
    }

    // MARK: - Texts

    private static func blankText(_ widget: GObjectRef) -> (@MainActor () -> Void)? {
        if isA(widget, gtk_label_get_type()) { return blankLabel(widget) }
        if isA(widget, gtk_entry_get_type()) { return blankEntry(widget) }
        if isA(widget, gtk_text_view_get_type()) { return blankView(widget) }
        return nil
    }

    private static func blankLabel(_ widget: GObjectRef) -> (@MainActor () -> Void)? {
        let label: UnsafeMutablePointer<GtkLabel> = widget.cast()
        // The label property includes markup and mnemonic underlines, unlike the displayed text.
        guard let given = gtk_label_get_label(label).map({ String(cString: $0) }), !given.isEmpty else {
            return nil
        }
        gtk_label_set_label(label, "")
        return {
            let label: UnsafeMutablePointer<GtkLabel> = widget.cast()
            if gtk_label_get_label(label).map({ $0.pointee == 0 }) == true {
                gtk_label_set_label(label, given)
            }
        }
    }

    /// Replaces an entry's buffer with an empty one, which emits no change signal.
    private static func blankEntry(_ widget: GObjectRef) -> (@MainActor () -> Void)? {
        let entry: UnsafeMutablePointer<GtkEntry> = widget.cast()
        guard gtk_entry_get_text_length(entry) > 0, let buffer = gtk_entry_get_buffer(entry),
            let empty = gtk_entry_buffer_new(nil, 0)
        else { return nil }
        let saved = GObjectRef(retaining: UnsafeMutableRawPointer(buffer))
        let (position, editable) = (gtk_editable_get_position(OpaquePointer(entry)), OpaquePointer(entry))
        gtk_entry_set_buffer(entry, empty)
        g_object_unref(UnsafeMutableRawPointer(empty))
        return {
            gtk_entry_set_buffer(widget.cast(), saved.cast())
            gtk_editable_set_position(editable, position)
        }
    }

    private static func blankView(_ widget: GObjectRef) -> (@MainActor () -> Void)? {
        let view: UnsafeMutablePointer<GtkTextView> = widget.cast()
        guard let buffer = gtk_text_view_get_buffer(view), gtk_text_buffer_get_char_count(buffer) > 0,
            let empty = gtk_text_buffer_new(nil)
        else { return nil }
        let saved = GObjectRef(retaining: UnsafeMutableRawPointer(buffer))
        gtk_text_view_set_buffer(view, empty)
        g_object_unref(UnsafeMutableRawPointer(empty))
        return { gtk_text_view_set_buffer(widget.cast(), saved.cast()) }
    }

    // MARK: - Tooltips and accessible properties

    private static func blankTooltip(_ widget: GObjectRef) -> (@MainActor () -> Void)? {
        guard let text = gtk_widget_get_tooltip_text(widget.cast()) else { return nil }
        let saved = String(cString: text)
        g_free(text)
        gtk_widget_set_tooltip_text(widget.cast(), nil)
        return { gtk_widget_set_tooltip_text(widget.cast(), saved) }
    }

    private static func blankName(_ widget: GObjectRef) -> (@MainActor () -> Void)? {
        let accessible = GObjectRef(retaining: gtk_widget_get_accessible(widget.cast()))
        guard let saved = atk_object_get_name(accessible.cast()).map({ String(cString: $0) }), !saved.isEmpty
        else { return nil }
        atk_object_set_name(accessible.cast(), "")
        return { atk_object_set_name(accessible.cast(), saved) }
    }

    private static func blankDescription(_ widget: GObjectRef) -> (@MainActor () -> Void)? {
        let accessible = GObjectRef(retaining: gtk_widget_get_accessible(widget.cast()))
        guard let saved = atk_object_get_description(accessible.cast()).map({ String(cString: $0) }),
            !saved.isEmpty
        else { return nil }
        atk_object_set_description(accessible.cast(), "")
        return { atk_object_set_description(accessible.cast(), saved) }
    }
}
