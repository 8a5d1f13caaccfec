// SPDX-License-Identifier: GPL-3.0-or-later

/// Asks for a file with the desktop's own dialog, and holds nothing up meanwhile.
@MainActor
public enum FileDialog {
    /// Something that can be chosen besides the file.
    public struct Choice: Hashable, Sendable {
        /// What it is about.
        public let label: String
        /// What there is to choose: an id, and what is said of it; the first is chosen at first.
        public let options: [Option]

        /// One of the things to choose.
        public struct Option: Hashable, Sendable {
            /// What is given back.
            public let id: String
            /// What is said of it.
            public let label: String

            /// Creates one.
            public init(_ id: String, _ label: String) { (self.id, self.label) = (id, label) }
        }

        /// Creates one.
        public init(_ label: String, _ options: [Option]) { (self.label, self.options) = (label, options) }
    }

    /// A kind of file.
    public struct Kind: Hashable, Sendable {
        /// What it is called.
        public let name: String
        /// Its MIME types.
        public let types: [String]

        /// Creates one.
        public init(_ name: String, types: [String]) { (self.name, self.types) = (name, types) }
    }

    /// What is asked for.
    public struct Request: Hashable, Sendable {
        /// What the dialog says.
        public let title: String
        /// What its key says.
        public let verb: String
        /// What kind of files are shown at first.
        public var kind: Kind?
        /// The name of a new file; nil asks for one that is there.
        public var newName: String?
        /// What can be chosen besides.
        public var choice: Choice?

        /// Asks for a file that is there.
        public init(opening title: String, verb: String = "_Open", kind: Kind? = nil) {
            (self.title, self.verb, self.kind) = (title, verb, kind)
        }

        /// Asks for a name to write to.
        public init(saving title: String, as name: String, verb: String = "_Save", choice: Choice? = nil) {
            (self.title, self.verb, newName, self.choice) = (title, verb, name, choice)
        }
    }

    /// What was chosen.
    public struct Answer: Hashable, Sendable {
        /// The file.
        public let uri: String
        /// The id of what was chosen besides; empty where there was nothing to choose.
        public let choice: String

        /// Creates an answer.
        public init(uri: String, choice: String = "") { (self.uri, self.choice) = (uri, choice) }
    }

    /// Opens the dialog over a widget's window.
    ///
    /// - Returns: nil where nothing was chosen.
    public static func ask(_ request: Request, over widget: UnsafeMutablePointer<GtkWidget>) async -> Answer?
    {
        let top = gtk_widget_get_toplevel(widget)
        let isSaving = request.newName != nil
        guard
            let object = gtk_file_chooser_native_new(
                request.title, top?.cast(),
                isSaving ? GTK_FILE_CHOOSER_ACTION_SAVE : GTK_FILE_CHOOSER_ACTION_OPEN, request.verb, nil)
        else { return nil }
        let dialog = GObjectRef(taking: UnsafeMutableRawPointer(object))
        let chooser = dialog.opaque
        gtk_native_dialog_set_modal(dialog.cast(), 1)
        if let name = request.newName {
            gtk_file_chooser_set_do_overwrite_confirmation(chooser, 1)
            gtk_file_chooser_set_current_name(chooser, name)
        }
        if let kind = request.kind { addFilters(kind, to: chooser) }
        if let choice = request.choice { add(choice, to: chooser) }
        let question = Question(dialog)
        open.append(question)
        let response = await withCheckedContinuation { (done: CheckedContinuation<Int32, Never>) in
            question.waiting = done
            Signal.connectResponse(dialog.object) { question.answer($0) }
            gtk_native_dialog_show(dialog.cast())
        }
        open.removeAll { $0 === question }
        // For one of the portal's this closes the request.
        gtk_native_dialog_hide(dialog.cast())
        letGoLater(dialog)
        guard response == GTK_RESPONSE_ACCEPT.rawValue, let uri = gtk_file_chooser_get_uri(chooser) else {
            return nil
        }
        defer { g_free(uri) }
        let chosen = request.choice.flatMap { _ in gtk_file_chooser_get_choice(chooser, choiceID) }
        return Answer(uri: String(cString: uri), choice: chosen.map { String(cString: $0) } ?? "")
    }

    /// Takes back all dialogs that are open, of the desktop's portal too: who asked gets nil, whatever is chosen after that.
    public static func cancelAll() {
        for question in open {
            // At once: the continuation is resumed in a later turn of the main loop.
            gtk_native_dialog_hide(question.dialog.cast())
            question.answer(Int32(GTK_RESPONSE_CANCEL.rawValue))
        }
    }

    /// The dialogs that are open.
    private static var open: [Question] = []

    /// A dialog that waits for its first answer.
    private final class Question {
        let dialog: GObjectRef
        var waiting: CheckedContinuation<Int32, Never>?

        init(_ dialog: GObjectRef) { self.dialog = dialog }

        func answer(_ response: Int32) {
            waiting?.resume(returning: response)
            waiting = nil
        }
    }

    private static let choiceID = "choice"

    /// The last dialog, which is hidden, and what lets go of it.
    private static var hidden: (dialog: GObjectRef, timer: MainLoop.Timer)?

    /// Keeps a hidden dialog for some seconds: GTK 3 goes on to read its folder, and one that is gone by the end of that
    /// is a critical.
    private static func letGoLater(_ dialog: GObjectRef) {
        hidden = (dialog, MainLoop.after(milliseconds: 10_000) { hidden = nil })
    }

    private static func addFilters(_ kind: Kind, to chooser: OpaquePointer) {
        guard let ours = gtk_file_filter_new(), let all = gtk_file_filter_new() else { return }
        gtk_file_filter_set_name(ours, kind.name)
        for type in kind.types { gtk_file_filter_add_mime_type(ours, type) }
        gtk_file_chooser_add_filter(chooser, ours)
        gtk_file_filter_set_name(all, "All files")
        gtk_file_filter_add_pattern(all, "*")
        gtk_file_chooser_add_filter(chooser, all)
    }

    private static func add(_ choice: Choice, to chooser: OpaquePointer) {
        let (ids, labels) = (Strings(choice.options.map(\.id)), Strings(choice.options.map(\.label)))
        gtk_file_chooser_add_choice(chooser, choiceID, choice.label, ids.list, labels.list)
        if let first = choice.options.first { gtk_file_chooser_set_choice(chooser, choiceID, first.id) }
        ids.free()
        labels.free()
    }
}

/// Texts as C has them, ended by NULL.
@MainActor
private struct Strings {
    let list: UnsafeMutablePointer<UnsafePointer<CChar>?>
    private let count: Int

    init(_ texts: [String]) {
        count = texts.count
        list = .allocate(capacity: texts.count + 1)
        for (index, text) in texts.enumerated() { list[index] = g_strdup(text).map { UnsafePointer($0) } }
        list[count] = nil
    }

    func free() {
        for index in 0..<count { g_free(UnsafeMutablePointer(mutating: list[index])) }
        list.deallocate()
    }
}
