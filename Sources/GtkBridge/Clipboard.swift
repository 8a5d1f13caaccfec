// SPDX-License-Identifier: GPL-3.0-or-later

/// The desktop's clipboard, for text.
@MainActor
public enum Clipboard {
    private static var clipboard: OpaquePointer? {
        gdk_display_get_default().flatMap { gtk_clipboard_get_default($0) }
    }

    /// Puts a text on the clipboard.
    ///
    /// If the desktop can store it, the text remains after the program ends.
    public static func write(_ text: String) {
        guard let clipboard else { return }
        gtk_clipboard_set_text(clipboard, text, -1)
        gtk_clipboard_set_can_store(clipboard, nil, 0)
    }

    /// Requests the text on the clipboard, which the other program may send late; `answer` receives nil if there is
    /// none.
    public static func read(_ answer: @escaping @MainActor (String?) -> Void) {
        guard let clipboard else { return answer(nil) }
        gtk_clipboard_request_text(
            clipboard,
            { _, text, data in
                let text = text.map { String(cString: $0) }
                Box<@MainActor (String?) -> Void>.callOnce(data) { $0(text) }
            }, Box(answer).retained)
    }
}

extension Signal {
    /// Accepts text and links that are dropped on a widget; `dropped` receives the text, or nil if it is not text.
    public static func connectDrop(
        _ widget: UnsafeMutablePointer<GtkWidget>, _ dropped: @escaping @MainActor (String?) -> Void
    ) {
        gtk_drag_dest_set(widget, GTK_DEST_DEFAULT_ALL, nil, 0, GDK_ACTION_COPY)
        gtk_drag_dest_add_text_targets(widget)
        let received:
            @convention(c) (
                gpointer?, gpointer?, gint, gint, OpaquePointer?, guint, guint, gpointer?
            ) -> Void = { _, _, _, _, selection, _, _, data in
                let bytes = selection.flatMap { gtk_selection_data_get_text($0) }
                defer { g_free(bytes) }
                let text = bytes.map { String(cString: $0) }
                Box<@MainActor (String?) -> Void>.call(data) { $0(text) }
            }
        connect(widget, "drag-data-received", received, dropped)
    }
}
