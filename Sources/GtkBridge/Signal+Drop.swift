// SPDX-License-Identifier: GPL-3.0-or-later

// Drag and drop from other programs.
extension Signal {
    private enum Target {
        static let files: guint = 1
        static let picture: guint = 2
        static let text: guint = 3
    }

    /// Accepts files, a picture and text; a text field inserts text by itself, so that `text` is not called.
    public static func connectFileDrop(
        _ widget: Widget, text: @escaping @MainActor (String) -> Void,
        _ dropped: @escaping @MainActor (Attachment) -> Void
    ) {
        let isField = cgtk_instance_is_a(widget, gtk_text_view_get_type()) != 0
        // A text field handles all of a drop by itself, except for its data.
        if !isField { gtk_drag_dest_set(widget, GTK_DEST_DEFAULT_ALL, nil, 0, GDK_ACTION_COPY) }
        let targets = gtk_target_list_new(nil, 0)
        // File managers also offer the paths as text: the first match counts.
        gtk_target_list_add_uri_targets(targets, Target.files)
        let png = gdk_atom_intern(Attachment.pictureType, 0)
        gtk_target_list_add(targets, png, 0, Target.picture)
        gtk_target_list_add_text_targets(targets, Target.text)
        gtk_drag_dest_set_target_list(widget, targets)
        gtk_target_list_unref(targets)
        connectData(widget) { selection, target in
            switch target {
            case Target.files:
                guard let uris = gtk_selection_data_get_uris(selection) else { return true }
                defer { g_strfreev(uris) }
                dropped(Attachment(uris))
            case Target.picture: dropped(Attachment(pictureIn: selection))
            case _ where isField: return false
            default: if let words = Self.text(in: selection) { text(words) }
            }
            return true
        }
    }

    /// Accepts text and links that are dropped on a widget; `dropped` receives the text, or nil if it is not text.
    public static func connectDrop(_ widget: Widget, _ dropped: @escaping @MainActor (String?) -> Void) {
        gtk_drag_dest_set(widget, GTK_DEST_DEFAULT_ALL, nil, 0, GDK_ACTION_COPY)
        gtk_drag_dest_add_text_targets(widget)
        connectData(widget) { selection, _ in
            dropped(Self.text(in: selection))
            return true
        }
    }

    private static func text(in selection: OpaquePointer) -> String? {
        guard let bytes = gtk_selection_data_get_text(selection) else { return nil }
        defer { g_free(bytes) }
        return String(cString: bytes)
    }

    /// Connects to the data of a drop; the handler returns whether it took the data, which the widget then does not get.
    private static func connectData(
        _ widget: Widget,
        _ handler: @escaping @MainActor (_ selection: OpaquePointer, _ target: guint) -> Bool
    ) {
        let received:
            @convention(c) (
                gpointer?, OpaquePointer?, gint, gint, OpaquePointer?, guint, guint, gpointer?
            ) -> Void = { widget, context, _, _, selection, target, time, data in
                guard let widget, let selection else { return }
                nonisolated(unsafe) let source = selection  // It stays on the main thread.
                nonisolated(unsafe) var isTaken = false
                Box<@MainActor (OpaquePointer, guint) -> Bool>.call(data) { isTaken = $0(source, target) }
                guard isTaken else { return }
                g_signal_stop_emission_by_name(widget, "drag-data-received")
                // A text field ends the drop in the handler that is stopped, GTK's default only after all handlers.
                if cgtk_instance_is_a(widget, gtk_text_view_get_type()) != 0 {
                    gtk_drag_finish(context, 1, 0, time)
                }
            }
        connect(widget, "drag-data-received", received, handler)
    }
}
