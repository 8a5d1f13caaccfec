// SPDX-License-Identifier: GPL-3.0-or-later

/// A list of texts in gettext's format: the template `touchtone.pot`, or the translations of a language.
struct Catalogue {
    /// A text and its translations, in the escapes of the file.
    struct Entry {
        var text = TranslationRules.Text(context: nil, text: "", plural: nil)
        /// The translation, or its plural forms in order.
        var translations: [String] = []
        /// The files that show the text.
        var places: [String] = []
        var isFuzzy = false
    }

    /// The entries without the header.
    let entries: [Entry]
    /// The header, such as `Language: de\nPlural-Forms: …`.
    let header: String

    init(_ list: String) {
        var entries: [Entry] = []
        var entry = Entry()
        var fields: [Substring: String] = [:]
        var field: Substring = ""
        func end() {
            if let text = fields["msgid"] {
                entry.text = .init(context: fields["msgctxt"], text: text, plural: fields["msgid_plural"])
                entry.translations =
                    fields.filter { $0.key.hasPrefix("msgstr") }.sorted { $0.key < $1.key }.map(\.value)
                entries.append(entry)
            }
            (entry, fields) = (Entry(), [:])
        }
        for line in list.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            if line.isEmpty {
                end()
            } else if line.hasPrefix("#: ") {
                entry.places += line.dropFirst(3).split(separator: " ").map(String.init)
            } else if line.hasPrefix("#,") {
                entry.isFuzzy = entry.isFuzzy || line.contains("fuzzy")
            } else if !line.hasPrefix("#"), let quote = line.firstIndex(of: "\"") {
                if quote != line.startIndex { field = line[..<quote].dropLast() }
                fields[field, default: ""] += line[quote...].dropFirst().dropLast()
            }
        }
        end()
        header = entries.first { $0.text.text.isEmpty }?.translations.first ?? ""
        self.entries = entries.filter { !$0.text.text.isEmpty }
    }

    /// The texts, without their translations.
    var texts: Set<TranslationRules.Text> { Set(entries.map(\.text)) }

    /// The number of plural forms of the language.
    var pluralForms: Int { header.firstMatch(of: /nplurals=(\d)/).flatMap { Int($0.output.1) } ?? 1 }

    /// The number of plural forms, from the first, that stand for one number each, and need not contain it.
    var formsOfOneNumber: Int {
        header.contains("plural=(n != 1)") ? 1 : header.matches(of: /n *== *\d+ *\?/).count
    }
}
