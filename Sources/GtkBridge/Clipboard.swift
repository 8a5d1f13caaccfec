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

// MARK: - Pictures

extension Clipboard {
    /// The picture on the clipboard.
    public enum PastedPicture: Hashable, Sendable {
        /// No picture, or also text, which is pasted instead.
        case none
        /// A PNG, as the other program sent it.
        case picture([UInt8])
        /// A picture above the maximum size.
        case tooLarge
    }

    /// The maximum size of a picture in bytes.
    public nonisolated static let maximumPictureSize = 64 << 20
    private nonisolated static let pictureType = "image/png"

    /// Requests the picture on the clipboard, which the other program may send late.
    ///
    /// It is not decoded.
    public static func readPicture(_ answer: @escaping @MainActor (PastedPicture) -> Void) {
        guard let clipboard else { return answer(.none) }
        gtk_clipboard_request_targets(
            clipboard,
            { clipboard, targets, count, data in
                let png = gdk_atom_intern_static_string(Self.pictureType)
                let isPicture =
                    gtk_targets_include_text(targets, count) == 0
                    && (0..<Int(count)).contains { targets?[$0] == png }
                guard isPicture else {
                    return Box<@MainActor (PastedPicture) -> Void>.callOnce(data) { $0(.none) }
                }
                gtk_clipboard_request_contents(
                    clipboard, png,
                    { _, selection, data in
                        let picture = Clipboard.picture(in: selection)
                        Box<@MainActor (PastedPicture) -> Void>.callOnce(data) { $0(picture) }
                    }, data)
            }, Box(answer).retained)
    }

    private nonisolated static func picture(in selection: OpaquePointer?) -> PastedPicture {
        var length: gint = 0
        guard let selection, let data = gtk_selection_data_get_data_with_length(selection, &length),
            length > 0
        else { return .none }
        guard length <= gint(maximumPictureSize) else { return .tooLarge }
        let bytes = [UInt8](UnsafeBufferPointer(start: data, count: Int(length)))
        return bytes.starts(with: [0x89, 0x50, 0x4e, 0x47]) ? .picture(bytes) : .none
    }

    /// Pastes text into the buffer of a field, in place of the selection.
    public static func paste(into buffer: UnsafeMutablePointer<GtkTextBuffer>) {
        if let clipboard { gtk_text_buffer_paste_clipboard(buffer, clipboard, nil, 1) }
    }
}

extension Signal {
    /// Accepts files that are dropped on a widget; `dropped` receives the absolute paths of those on this computer.
    ///
    /// A text field still accepts text.
    public static func connectFileDrop(
        _ widget: UnsafeMutablePointer<GtkWidget>, _ dropped: @escaping @MainActor ([String]) -> Void
    ) {
        let known = gtk_drag_dest_get_target_list(widget)
        let targets = gtk_target_list_new(nil, 0)
        // File managers also offer the paths as text: the first match counts.
        gtk_target_list_add_uri_targets(targets, 0)
        if known != nil { gtk_target_list_add_text_targets(targets, 0) }
        if known == nil { gtk_drag_dest_set(widget, GTK_DEST_DEFAULT_ALL, nil, 0, GDK_ACTION_COPY) }
        gtk_drag_dest_set_target_list(widget, targets)
        gtk_target_list_unref(targets)
        let received:
            @convention(c) (
                gpointer?, OpaquePointer?, gint, gint, OpaquePointer?, guint, guint, gpointer?
            ) -> Void = { widget, context, _, _, selection, _, time, data in
                guard let selection, let uris = gtk_selection_data_get_uris(selection) else { return }
                defer { g_strfreev(uris) }
                var paths: [String] = []
                var next = uris
                while let uri = next.pointee {
                    if let path = Files.path(of: uri) { paths.append(path) }
                    next += 1
                }
                if let widget { g_signal_stop_emission_by_name(widget, "drag-data-received") }
                Box<@MainActor ([String]) -> Void>.call(data) { $0(paths) }
            }
        connect(widget, "drag-data-received", received, dropped)
    }

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
