// SPDX-License-Identifier: GPL-3.0-or-later

internal import CGtk
package import GLibBridge

/// The spelling of a text view, checked while the user types by gspell with the desktop’s dictionaries.
///
/// Misspelled words are underlined, and the view’s context menu has suggestions and the languages.
@MainActor
package final class SpellChecker {
    private let functions: Functions
    private let checker: GObjectRef
    private let view: UnsafeMutablePointer<GtkTextView>

    private struct Functions: Sendable {
        typealias Object = UnsafeMutableRawPointer

        let findLanguage: @convention(c) (UnsafePointer<CChar>?) -> OpaquePointer?
        let languageCode: @convention(c) (OpaquePointer?) -> UnsafePointer<CChar>?
        let newChecker: @convention(c) (OpaquePointer?) -> Object?
        let language: @convention(c) (Object?) -> OpaquePointer?
        let spelledBuffer, spelledView: @convention(c) (Object?) -> Object?
        let setChecker: @convention(c) (Object?, Object?) -> Void
        let setInline, setMenu: @convention(c) (Object?, gboolean) -> Void
    }

    private static let library = LazyLibrary { () throws(SharedLibrary.Failure) in
        // Version 1.14 has another number, and the same functions.
        var library: SharedLibrary
        do throws(SharedLibrary.Failure) {
            library = try SharedLibrary(ofSystem: "libgspell-1.so.3")
        } catch {
            library = try SharedLibrary(ofSystem: "libgspell-1.so.2")
        }
        return Functions(
            findLanguage: try library.function("gspell_language_lookup"),
            languageCode: try library.function("gspell_language_get_code"),
            newChecker: try library.function("gspell_checker_new"),
            language: try library.function("gspell_checker_get_language"),
            spelledBuffer: try library.function("gspell_text_buffer_get_from_gtk_text_buffer"),
            spelledView: try library.function("gspell_text_view_get_from_gtk_text_view"),
            setChecker: try library.function("gspell_text_buffer_set_spell_checker"),
            setInline: try library.function("gspell_text_view_set_inline_spell_checking"),
            setMenu: try library.function("gspell_text_view_set_enable_language_menu"))
    }

    /// Creates a checker; the first one loads gspell, in tens of milliseconds.
    ///
    /// - Parameter language: A code such as `de_DE`; if there is no dictionary of it, that of the locale is used.
    /// - Throws: A failure if gspell is not installed.
    package init(_ view: UnsafeMutablePointer<GtkTextView>, language: String) throws(SharedLibrary.Failure) {
        functions = try Self.library.functions()
        self.view = view
        guard let checker = functions.newChecker(language.isEmpty ? nil : functions.findLanguage(language))
        else {
            throw SharedLibrary.Failure(reason: "gspell has no checker")
        }
        self.checker = GObjectRef(taking: checker)
        // A view that is destroyed has a new buffer for a moment, whose words gspell would check without a layout.
        Signal.connect(view, "destroy") { [functions] in functions.setInline(functions.spelledView(view), 0) }
    }

    /// The code of the language, such as `de_DE`; empty if there is no dictionary at all.
    package var language: String {
        functions.languageCode(functions.language(checker.object)).map { String(cString: $0) } ?? ""
    }

    /// Calls a function when the user has chosen another language.
    package func onLanguage(_ body: @escaping @MainActor () -> Void) {
        Signal.connectNotify(checker.object, "notify::language", body)
    }

    /// Shows or hides the underlines and the entries of the context menu.
    package func setOn(_ isOn: Bool) {
        let spelled = functions.spelledView(view)
        functions.setChecker(
            functions.spelledBuffer(gtk_text_view_get_buffer(view)), isOn ? checker.object : nil)
        functions.setInline(spelled, isOn ? 1 : 0)
        functions.setMenu(spelled, isOn ? 1 : 0)
    }
}
