// SPDX-License-Identifier: GPL-3.0-or-later

internal import CGLibShims
internal import CGio
internal import Glibc

/// Texts in the user's language, from gettext catalogues; usable on any thread.
public struct Gettext: Sendable {
    private static let domain = "touchtone"

    private let hasNumberFormat: Bool

    /// Sets the user's locale for texts and numbers, while the program has one thread; `folder` has the
    /// catalogues `LANGUAGE/LC_MESSAGES/touchtone.mo`.
    public init(folder: String) {
        setlocale(LC_CTYPE, "")
        setlocale(LC_MESSAGES, "")
        setlocale(LC_NUMERIC, "")
        bindtextdomain(Self.domain, folder)
        bind_textdomain_codeset(Self.domain, "UTF-8")
        // GLib leaves a library's texts in English if the program's own domain has no translation.
        textdomain(Self.domain)
        hasNumberFormat =
            localeconv().map { format in
                format.pointee.thousands_sep.pointee != 0
                    || String(cString: format.pointee.decimal_point) != "."
            } ?? false
    }

    /// The user's languages for texts, such as `de_DE.UTF-8`, in the order of preference.
    public static var languages: [String] {
        guard var next = g_get_language_names() else { return [] }
        var names: [String] = []
        while let name = next.pointee {
            names.append(String(cString: name))
            next += 1
        }
        return names
    }

    /// Returns the translation of a text, or the text itself if there is none.
    public func text(_ text: StaticString, context: StaticString?) -> String {
        guard let context else { return Self.string(g_dgettext(Self.domain, Self.bytes(text)), text) }
        return Self.string(g_dpgettext2(Self.domain, Self.bytes(context), Self.bytes(text)), text)
    }

    /// Returns the form of a text for a count in the user's language.
    public func text(_ text: StaticString, plural: StaticString, count: Int) -> String {
        let form = g_dngettext(
            Self.domain, Self.bytes(text), Self.bytes(plural), gulong(count.magnitude))
        return Self.string(form, count == 1 ? text : plural)
    }

    /// Returns a number in the format of the user's locale, or nil in the C locale, which has none.
    public func number(_ number: Int) -> String? {
        guard hasNumberFormat else { return nil }
        let text = withVaList([number]) { g_strdup_vprintf("%'ld", $0) }
        defer { g_free(text) }
        return text.map { String(cString: $0) }
    }

    private static func bytes(_ text: StaticString) -> UnsafePointer<CChar> {
        UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
    }

    private static func string(_ text: UnsafePointer<CChar>?, _ original: StaticString) -> String {
        text.map { String(cString: $0) } ?? original.description
    }
}
