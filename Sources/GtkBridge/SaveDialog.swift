// SPDX-License-Identifier: GPL-3.0-or-later

/// Asks where to a file is to be written: the desktop's own dialog, which nothing waits for.
@MainActor
public final class SaveDialog {
    private let chooser: GObjectRef
    /// The one that is open keeps itself.
    private static var open: SaveDialog?

    private init(_ chooser: GObjectRef) { self.chooser = chooser }

    /// Asks, in place of what is asked already.
    ///
    /// - Parameters:
    ///   - name: what the file may be called; one that is there is replaced after a question.
    ///   - window: in front of which the dialog comes.
    ///   - answer: called with the file that was chosen, and not at all where none was.
    public static func ask(
        _ title: String, name: String, over window: UnsafeMutablePointer<GtkWindow>?,
        answer: @escaping @MainActor (ChosenFile) -> Void
    ) {
        close()
        guard
            let native = gtk_file_chooser_native_new(
                title, window, GTK_FILE_CHOOSER_ACTION_SAVE, "_Save", "_Cancel")
        else { return }
        let chooser = GObjectRef(taking: UnsafeMutableRawPointer(native))
        let pointer = chooser.opaque
        gtk_file_chooser_set_current_name(pointer, name)
        gtk_file_chooser_set_do_overwrite_confirmation(pointer, 1)
        let dialog = SaveDialog(chooser)
        open = dialog
        Signal.connectResponse(UnsafeMutableRawPointer(chooser.object)) { [weak dialog] response in
            guard let dialog, open === dialog else { return }
            let file = response == GTK_RESPONSE_ACCEPT.rawValue ? gtk_file_chooser_get_file(pointer) : nil
            close()
            if let file { answer(ChosenFile(taking: file)) }
        }
        gtk_native_dialog_show(chooser.cast())
    }

    /// Takes the dialog away: what it asks about is not to be had any more.
    public static func close() {
        guard let dialog = open else { return }
        open = nil
        gtk_native_dialog_hide(dialog.chooser.cast())
        // Not within its own signal.
        MainLoop.soon { _ = dialog }
    }
}

/// A file that somebody has chosen.
@MainActor
public struct ChosenFile {
    private let file: GObjectRef

    /// Owns a file that the caller was given (`transfer full`).
    init(taking file: OpaquePointer) { self.file = GObjectRef(taking: UnsafeMutableRawPointer(file)) }

    /// The file at a path.
    public init(path: String) { self.init(taking: g_file_new_for_path(path)) }

    /// What it is called, to people.
    public var name: String {
        guard let name = g_file_get_basename(file.opaque) else { return "" }
        defer { g_free(name) }
        guard let shown = g_filename_display_name(name) else { return "" }
        defer { g_free(shown) }
        return String(cString: shown)
    }

    /// Has the file hold those bytes, and nobody else read it; `then` is told of what went wrong, or of nothing.
    ///
    /// It is written off the main thread, beside the one that is there, which is replaced once all is on the disk.
    public func write(_ bytes: [UInt8], then: @escaping @MainActor (GLibError?) -> Void) {
        let content = bytes.withUnsafeBytes { g_bytes_new($0.baseAddress, gsize($0.count)) }
        defer { g_bytes_unref(content) }
        g_file_replace_contents_bytes_async(
            file.opaque, content, nil, 0, G_FILE_CREATE_PRIVATE, nil,
            { file, result, data in
                var failure: GLibError?
                do throws(GLibError) {
                    try GLibError.check {
                        g_file_replace_contents_finish(file.map { OpaquePointer($0) }, result, nil, $0)
                    }
                } catch {
                    failure = error
                }
                let found = failure
                Box<@MainActor (GLibError?) -> Void>.callOnce(data) { $0(found) }
            }, Box(then).retained)
    }
}
