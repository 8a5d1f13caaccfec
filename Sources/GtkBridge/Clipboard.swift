// SPDX-License-Identifier: GPL-3.0-or-later

@MainActor
public enum Clipboard {
    private static var clipboard: OpaquePointer? {
        gdk_display_get_default().flatMap { gtk_clipboard_get_default($0) }
    }

    /// Puts a text on the clipboard, where it remains after the program ends if the desktop can store it.
    public static func write(_ text: String) {
        guard let clipboard else { return }
        gtk_clipboard_set_text(clipboard, text, -1)
        gtk_clipboard_set_can_store(clipboard, nil, 0)
    }

    /// `answer` receives the text, which the other program may send late; nil if there is none.
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

// MARK: - Files and pictures

/// The files or the picture that the user pasted or dropped.
public enum Attachment: Hashable, Sendable {
    case none
    /// The URIs of files, which may be on other computers.
    case files([String])
    /// A PNG, as the other program sent it.
    case picture([UInt8])
    case tooLarge

    /// The maximum size of a picture in bytes.
    public static let maximumPictureSize = 64 << 20
    static let pictureType = "image/png"

    /// Reads a picture from another program; it is not decoded.
    init(pictureIn selection: OpaquePointer?) {
        var length: gint = 0
        guard let selection, let data = gtk_selection_data_get_data_with_length(selection, &length),
            length > 0
        else {
            self = .none
            return
        }
        guard length <= gint(Self.maximumPictureSize) else {
            self = .tooLarge
            return
        }
        let bytes = [UInt8](UnsafeBufferPointer(start: data, count: Int(length)))
        self = bytes.starts(with: [0x89, 0x50, 0x4e, 0x47]) ? .picture(bytes) : .none
    }

    init(_ uris: UnsafeMutablePointer<UnsafeMutablePointer<gchar>?>) {
        self = .files(
            sequence(first: uris, next: { $0 + 1 }).prefix { $0.pointee != nil }
                .compactMap { $0.pointee.map { String(cString: $0) } })
    }

    /// Whether these are only links to web pages, which are pasted as text.
    fileprivate var isLinks: Bool {
        guard case .files(let uris) = self else { return false }
        return uris.allSatisfy { uri in
            let start = uri.prefix(8).lowercased()
            return start.hasPrefix("http://") || start.hasPrefix("https://")
        }
    }
}

extension Clipboard {
    /// Requests the files or the picture on the clipboard, which the other program may send late.
    ///
    /// `answer` receives `.none` if the text on the clipboard is to be pasted instead: a program that copies a part of a
    /// document offers it as a picture, too, and one that copies a link offers it as a URI.
    public static func readAttachment(_ answer: @escaping @MainActor (Attachment) -> Void) {
        guard let clipboard else { return answer(.none) }
        gtk_clipboard_request_targets(
            clipboard,
            { clipboard, targets, count, data in
                let png = gdk_atom_intern(Attachment.pictureType, 0)
                let hasText = gtk_targets_include_text(targets, count) != 0
                if !hasText, (0..<Int(count)).contains(where: { targets?[$0] == png }) {
                    gtk_clipboard_request_contents(clipboard, png, Clipboard.pictureReceived, data)
                } else if gtk_targets_include_uri(targets, count) != 0 {
                    gtk_clipboard_request_uris(clipboard, Clipboard.filesReceived, data)
                } else {
                    Clipboard.answer(data, .none)
                }
            }, Box(answer).retained)
    }

    private nonisolated static let pictureReceived:
        @convention(c) (OpaquePointer?, OpaquePointer?, gpointer?) -> Void = { _, selection, data in
            Clipboard.answer(data, Attachment(pictureIn: selection))
        }

    private nonisolated static let filesReceived:
        @convention(c) (
            OpaquePointer?, UnsafeMutablePointer<UnsafeMutablePointer<gchar>?>?, gpointer?
        ) -> Void = { _, uris, data in
            let files = uris.map { Attachment($0) } ?? .none
            Clipboard.answer(data, files.isLinks ? .none : files)
        }

    private nonisolated static func answer(_ data: gpointer?, _ attachment: Attachment) {
        Box<@MainActor (Attachment) -> Void>.callOnce(data) { $0(attachment) }
    }

    public static func paste(into buffer: UnsafeMutablePointer<GtkTextBuffer>) {
        if let clipboard { gtk_text_buffer_paste_clipboard(buffer, clipboard, nil, 1) }
    }
}
