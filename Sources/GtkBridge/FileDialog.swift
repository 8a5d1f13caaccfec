// SPDX-License-Identifier: GPL-3.0-or-later

/// The desktop's file dialogs, which do not block the program.
@MainActor
public enum FileDialog {
    /// A choice that the dialog offers besides the file.
    public struct Choice: Hashable, Sendable {
        public let label: String
        /// The options; the first one is selected initially.
        public let options: [Option]

        public struct Option: Hashable, Sendable {
            public let id, label: String

            public init(_ id: String, _ label: String) { (self.id, self.label) = (id, label) }
        }

        public init(_ label: String, _ options: [Option]) { (self.label, self.options) = (label, options) }
    }

    public struct Kind: Hashable, Sendable {
        public let name: String
        /// Its MIME types.
        public let types: [String]
        /// The name of the alternative that shows the files of all types.
        public let allFiles: String

        public init(_ name: String, types: [String], allFiles: String) {
            (self.name, self.types, self.allFiles) = (name, types, allFiles)
        }
    }

    public struct Request: Hashable, Sendable {
        public let title: String
        /// The label of the accept button; nil for GTK's “Open” or “Save” in the user's language.
        public let verb: String?
        /// The type of file that is shown initially.
        public var kind: Kind?
        /// The name of a new file; nil to choose an existing one.
        public var newName: String?
        public var choice: Choice?
        public var isMultiple = false

        public init(opening title: String, verb: String? = nil, kind: Kind? = nil, isMultiple: Bool = false) {
            (self.title, self.verb, self.kind, self.isMultiple) = (title, verb, kind, isMultiple)
        }

        public init(saving title: String, as name: String, verb: String? = nil, choice: Choice? = nil) {
            (self.title, self.verb, newName, self.choice) = (title, verb, name, choice)
        }
    }

    public struct Answer: Hashable, Sendable {
        /// The URI of the file, or of the first one.
        public let uri: String
        /// The URIs of the other files, in the order of the dialog.
        public let others: [String]
        /// The id of the selected option, or an empty string if there was no choice.
        public let choice: String

        public init(uri: String, others: [String] = [], choice: String = "") {
            (self.uri, self.others, self.choice) = (uri, others, choice)
        }

        public var uris: [String] { [uri] + others }
    }

    /// Opens the dialog over a widget's window; nil if the user cancels it.
    public static func ask(_ request: Request, over widget: Widget) async -> Answer? {
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
        gtk_file_chooser_set_select_multiple(chooser, request.isMultiple ? 1 : 0)
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
        // For a portal dialog, this closes the request.
        gtk_native_dialog_hide(dialog.cast())
        releaseLater(dialog)
        guard response == GTK_RESPONSE_ACCEPT.rawValue else { return nil }
        let uris = uris(of: chooser)
        guard let first = uris.first else { return nil }
        let chosen = request.choice.flatMap { _ in gtk_file_chooser_get_choice(chooser, choiceID) }
        return Answer(
            uri: first, others: Array(uris.dropFirst()), choice: chosen.map { String(cString: $0) } ?? "")
    }

    /// Cancels all open dialogs, including portal dialogs; their callers receive nil, even if the user selects a file
    /// afterwards.
    public static func cancelAll() {
        for question in open {
            // Hide the dialog at once, because the continuation is resumed in a later iteration of the main loop.
            gtk_native_dialog_hide(question.dialog.cast())
            question.answer(Int32(GTK_RESPONSE_CANCEL.rawValue))
        }
    }

    private static var open: [Question] = []

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

    /// The last dialog, which is hidden, and the timer that releases it.
    private static var hidden: (dialog: GObjectRef, timer: MainLoop.Timer)?

    /// Retains a hidden dialog for some seconds: GTK 3 continues to read its folder, and logs a critical warning if the
    /// dialog is destroyed before that ends.
    private static func releaseLater(_ dialog: GObjectRef) {
        hidden = (dialog, MainLoop.after(milliseconds: 10_000) { hidden = nil })
    }

    private static func uris(of chooser: OpaquePointer) -> [String] {
        let list = gtk_file_chooser_get_uris(chooser)
        defer { g_slist_free_full(list) { g_free($0) } }
        return sequence(first: list, next: { $0?.pointee.next }).prefix { $0 != nil }
            .compactMap { $0?.pointee.data }
            .map { String(cString: $0.assumingMemoryBound(to: CChar.self)) }
    }

    private static func addFilters(_ kind: Kind, to chooser: OpaquePointer) {
        guard let ours = gtk_file_filter_new(), let all = gtk_file_filter_new() else { return }
        gtk_file_filter_set_name(ours, kind.name)
        for type in kind.types { gtk_file_filter_add_mime_type(ours, type) }
        gtk_file_chooser_add_filter(chooser, ours)
        gtk_file_filter_set_name(all, kind.allFiles)
        gtk_file_filter_add_pattern(all, "*")
        gtk_file_chooser_add_filter(chooser, all)
    }

    private static func add(_ choice: Choice, to chooser: OpaquePointer) {
        withCStrings(choice.options.map(\.id)) { ids in
            withCStrings(choice.options.map(\.label)) { labels in
                let (ids, labels) = (UnsafeMutableRawPointer(ids), UnsafeMutableRawPointer(labels))
                gtk_file_chooser_add_choice(
                    chooser, choiceID, choice.label,
                    ids.assumingMemoryBound(to: UnsafePointer<CChar>?.self),
                    labels.assumingMemoryBound(to: UnsafePointer<CChar>?.self))
            }
        }
        if let first = choice.options.first { gtk_file_chooser_set_choice(chooser, choiceID, first.id) }
    }
}
